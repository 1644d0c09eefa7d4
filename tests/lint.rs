//! What `lint` says of real settings, of generated rules and of very many is what the policy does.
//!
//! Reads `settings.jsonl` of the folder that `TOOLGATE_CORPUS` names, else the settings of the demo.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod common;

use common::findings::{decides_alike, lint, seen};
use common::{HOST, Question, cases, compile, dialects, files};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use toolgate::policy::Policy;
use toolgate::wire;

/// The settings files that there are.
fn settings() -> Vec<Value> {
    let corpus = files::corpus("settings.jsonl").unwrap_or_default();
    let mut all: Vec<Value> = corpus.into_iter().map(|mut file| file["permissions"].take()).collect();
    all.push(files::demo_settings());
    all
}

/// The configuration that settings become in a dialect.
fn config(permissions: &Value, dialect: &str) -> Value {
    let options = json!({ "base": { "dialect": dialect, "home": "/home/u", "projectRoot": "/repo" } });
    let from = wire::config_from_settings(&permissions.to_string(), &options.to_string()).unwrap();
    serde_json::from_str::<Value>(&from).unwrap()["config"].take()
}

#[test]
fn every_finding_of_real_settings_is_seen() {
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for permissions in settings() {
        for dialect in dialects() {
            let config = config(&permissions, dialect);
            let Ok(policy) = Policy::new(&config.to_string(), HOST) else { continue };
            let findings = lint(&policy);
            for finding in &findings {
                seen(&policy, &config, finding);
                *counts.entry((dialect, finding["code"].as_str().unwrap().into())).or_default() += 1;
            }
        }
    }
    println!("{counts:#?}");
    for dialect in dialects() {
        assert!(counts.keys().any(|(own, _)| *own == dialect), "nothing was found in {dialect}");
    }
}

#[test]
fn what_the_check_says_too_points_at_the_same_part() {
    // Rules that no call can match or is tried on, of each engine; counted in units, behind what is two of them.
    let cases = [
        ("standard", "allow", "Edit(./\u{1F600}/*)", "unreachable"),
        ("standard", "allow", "\u{1F600} a b(x)", "unreachable"),
        ("standard", "deny", "Task(\u{1F600})", "never-consulted"),
        ("claude-code-2.1", "allow", "Bash(timeout 5 \u{1F600} *)", "unreachable"),
        ("qwen-code-0.24", "allow", "Bash(\u{1F600} a:* x)", "colon-star-rewritten"),
    ];
    for (dialect, list, rule, code) in cases {
        let config = json!({ "dialect": dialect, "rules": { list: [rule] } });
        let said: Value = serde_json::from_str(&wire::check_policy(&config.to_string(), HOST)).unwrap();
        let findings = lint(&compile(&config));
        let found = findings.iter().find(|finding| finding["code"] == code);
        let found = found.unwrap_or_else(|| panic!("{dialect} {rule}: {findings:?} {said}"));
        let span = found["span"].as_object().unwrap_or_else(|| panic!("{found} {said}"));
        assert!(
            said.as_array().unwrap().iter().any(|said| said["span"].as_object() == Some(span)),
            "{found} {said}"
        );
        let end = usize::try_from(span["end"].as_u64().unwrap()).unwrap();
        assert!(end > 0 && end <= rule.encode_utf16().count(), "{rule}: {found}");
    }
}

/// The six lists of two layers: each finding is shown by its witness, and what is said to decide nothing decides nothing.
fn what_is_said_holds(dialect: &str, lists: &[Vec<String>], questions: &[Question]) {
    let config = json!({
        "dialect": dialect, "home": "/home/u", "projectRoot": "/repo",
        "layers": [
            { "source": "session", "allow": lists[0], "deny": lists[1], "ask": lists[2] },
            { "source": "userSettings", "allow": lists[3], "deny": lists[4], "ask": lists[5] },
        ],
    });
    let policy = compile(&config);
    let findings = lint(&policy);
    for finding in &findings {
        seen(&policy, &config, finding);
    }
    decides_alike(&config, &findings, questions);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_in_generated_rules_is_seen(config in cases::in_any(cases::config)) {
        // Another mode would change what a call comes to.
        let config = { let mut config = config; config["defaultMode"] = "default".into(); config };
        let policy = compile(&config);
        for finding in lint(&policy) {
            seen(&policy, &config, &finding);
        }
    }

    #[test]
    fn a_redundant_rule_decides_nothing(
        (config, questions) in cases::in_any(|dialect| (cases::config(dialect), prop::collection::vec(cases::question(dialect), 40))),
    ) {
        decides_alike(&config, &lint(&compile(&config)), &questions);
    }

    /// Rules of few words, so that many of them hold one another.
    #[test]
    fn a_redundant_rule_among_many_decides_nothing(
        dialect in select(dialects().collect::<Vec<_>>()),
        lists in prop::collection::vec(prop::collection::vec("(git|npm|/bin/git|\"git\")( |)(log|-C x log|run|)( -p| \\*|\\*|:\\*|)", 0..6), 6),
        words in prop::collection::vec("(A=1 |sudo |)(git|npm|/bin/git|\"git\"|'g'it) (log|-C x log|\"log\"|run)( -p| x|  -p|)(; npm run| > f| \\$X|)", 30),
    ) {
        let rules = |list: &Vec<String>| -> Vec<String> { list.iter().map(|content| format!("Bash({content})")).collect() };
        let lists: Vec<Vec<String>> = lists.iter().map(rules).collect();
        let questions: Vec<Question> = words.iter().map(|line| Question::line(line)).collect();
        what_is_said_holds(dialect, &lists, &questions);
    }

    #[test]
    fn a_redundant_path_decides_nothing(
        dialect in select(dialects().collect::<Vec<_>>()),
        lists in prop::collection::vec(prop::collection::vec("(/|//repo/|~/|./|)(src|a|\\*|\\*\\*|/)(/\\*\\*|/\\*|/a|\\*|)", 0..5), 6),
        paths in prop::collection::vec("(/repo/|/|~/|\\./|\\.\\./|)(src|a|b)(/a|/b/c|/\\.\\./a|//a|)", 30),
        tools in prop::collection::vec(select(&["Read", "Edit", "read", "edit"][..]), 6),
    ) {
        let rules = |(list, tool): (&Vec<String>, &&str)| -> Vec<String> { list.iter().map(|content| format!("{tool}({content})")).collect() };
        let lists: Vec<Vec<String>> = lists.iter().zip(&tools).map(rules).collect();
        let question = |(path, tool): (&String, &&str)| Question::new(json!({ "tool": tool, "arguments": { "file_path": path } }), Value::Null);
        let questions: Vec<Question> = paths.iter().zip(tools.iter().cycle()).map(question).collect();
        what_is_said_holds(dialect, &lists, &questions);
    }
}

#[test]
fn what_is_left_out_is_said() {
    // No two of these hold one another, and every pair has to be looked at.
    let rules: Vec<String> = (0..600).map(|n| format!("Bash(*x{n})")).collect();
    for dialect in dialects() {
        let policy = compile(&json!({ "dialect": dialect, "rules": { "allow": rules } }));
        let findings = lint(&policy);
        let limits = findings.iter().filter(|finding| finding["code"] == "lint-limit").count();
        assert!((1..=3).contains(&limits), "{dialect}: {limits}");
        assert!(!findings.iter().any(|finding| finding["code"] == "redundant"), "{dialect}");
    }
}

/// A call that very many rules match costs as much as many calls.
#[test]
fn calls_that_many_rules_match_are_fewer() {
    let findings = |count: usize| {
        let rules = vec!["Bash(ls)"; count];
        lint(&compile(&json!({ "rules": { "allow": rules } })))
    };
    let is_limited = |findings: &[Value]| findings.iter().any(|finding| finding["code"] == "lint-limit");
    assert!(!is_limited(&findings(100)));
    assert!(is_limited(&findings(1_000)));
}

/// A rule whose search is cut off is held by no other.
#[test]
fn what_is_too_large_is_not_compared() {
    let large = |n: usize| {
        let pieces: String = (0..400).map(|piece| format!("*{}b{}", piece % 7, piece % (n + 5))).collect();
        format!("Bash(a{pieces})")
    };
    let rules: Vec<String> = (0..4).map(large).collect();
    let policy = compile(&json!({ "rules": { "allow": rules } }));
    for finding in lint(&policy) {
        assert_ne!(finding["code"], "redundant", "{finding}");
    }
}
