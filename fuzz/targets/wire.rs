//! The functions that are called by name, over any texts; event logs.

use serde_json::Value;
use toolgate::dialect::DIALECTS;
use toolgate::vocabulary::{PermissionMode, SandboxMode};
use toolgate::{rule, wire};

use super::question::HOST;
use super::{is_known_code, picked, value};

/// Ends a text of the arguments.
const END: char = '\0';
/// Stands for an argument that is not given.
const ABSENT: &str = "\u{1}";

/// Functions that give a text which is no JSON.
const PLAIN: &[&str] = &[
    "callFingerprint",
    "checkEvidencePath",
    "containsSecret",
    "contentMatches",
    "denialStep",
    "deriveGrant",
    "escapeRuleContent",
    "foldPermissionMode",
    "foldResumeSandbox",
    "fromAcpOutcome",
    "isSandboxEscalation",
    "ruleString",
    "unescapeRuleContent",
];

/// A letter or digit that picks the function in the order of [`wire::names`], and up to four texts with a U+0000 between two of them;
/// one that is U+0001 alone is not given.
pub fn functions(text: &str) {
    let names = wire::names();
    let mut chars = text.chars();
    let at = chars.next().map_or(0, |first| first as usize % names.len());
    let mut texts: Vec<Option<&str>> =
        chars.as_str().splitn(4, END).map(|text| (text != ABSENT).then_some(text)).collect();
    texts.resize(4, None);
    let name = names[at];
    match wire::call(name, &texts, HOST) {
        Ok(answer) if PLAIN.contains(&name) => {
            assert!(name != "denialStep" || answer.contains('\n'), "{answer}");
        }
        // Nothing is nothing; everything else is JSON.
        Ok(answer) if answer.is_empty() => {}
        Ok(answer) => drop(value(&answer)),
        Err(failure) => {
            let failure = value(&failure);
            let code = failure["code"].as_str().expect("a code");
            is_known_code(code);
            let class = failure["name"].as_str().expect("a class");
            assert!(["RuleError", "PolicyError", "LimitError", "TypeError"].contains(&class), "{failure}");
            assert!(
                class != "TypeError" || failure["path"].is_array(),
                "an argument without a place: {failure}"
            );
        }
    }
}

fn called(name: &str, texts: &[Option<&str>]) -> String {
    wire::call(name, texts, HOST).expect("a log is never refused")
}

/// An event log, behind a digit that picks the dialect.
pub fn logs(text: &str) {
    let (dialect, log) = picked(DIALECTS, text);
    let fold = |name| called(name, &[Some(log)]);
    let (mode, sandbox) = (fold("foldPermissionMode"), fold("foldResumeSandbox"));
    assert!(mode.is_empty() || PermissionMode::parse(&mode).is_some(), "{mode}");
    assert!(sandbox.is_empty() || SandboxMode::parse(&sandbox).is_some(), "{sandbox}");
    let list = |text: String| value(&text).as_array().expect("a list").clone();
    for granted in list(called("foldSessionAllow", &[Some(log), Some(dialect.name)])) {
        assert!(rule::parse(granted.as_str().expect("a rule"), dialect, HOST).is_ok(), "{granted}");
    }
    list(fold("foldClassifiers"));
    let violations = list(fold("checkModeEvents"));
    let lines = log.split('\n').count() as u64;
    assert!(violations.iter().all(|found| found["index"].as_u64().is_some_and(|index| index < lines)));
    let current = r#"{"sandbox":"read-only"}"#;
    for to in ["acceptEdits", "bypassPermissions", "default"] {
        let changes = list(called("setPermissionMode", &[Some(log), Some(current), Some(to)]));
        let mut after = log.to_owned();
        for change in &changes {
            after.push('\n');
            after.push_str(&change.to_string());
        }
        let folded = called("foldPermissionMode", &[Some(&after)]);
        assert!(
            folded == to || (changes.is_empty() && folded.is_empty() && to == "default"),
            "{folded} is not {to}"
        );
        let found = list(called("checkModeEvents", &[Some(&after)]));
        assert_eq!(found.len(), violations.len(), "a switch that is a violation: {changes:?}");
        let of_mode = |change: &&Value| change["type"] == "permission/mode";
        assert!(changes.iter().filter(of_mode).count() <= 1);
    }
}
