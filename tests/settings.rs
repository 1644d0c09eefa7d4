//! Real settings files in every dialect: each compiles or reports, and what is reported is committed.
//!
//! Reads `settings.jsonl` of the folder that `TOOLGATE_CORPUS` names. The diagnostics are kept in
//! `corpus/settings-diagnostics.json`: by dialect and file, for each code the places in the file; no rule text.
//! `TOOLGATE_UPDATE=1` writes it anew.
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

use common::{HOST, Question, compile, dialects, files};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use toolgate::policy::{self, Policy};
use toolgate::vocabulary::Kind;
use toolgate::{limits, wire};

const KEPT: &str = "settings-diagnostics.json";

/// By dialect, by file, by code: the places.
type Snapshot = BTreeMap<String, BTreeMap<u64, BTreeMap<String, String>>>;

/// The configuration that settings become in a dialect, and what was said about them on the way.
fn from_settings(permissions: &Value, dialect: &str) -> (Value, Vec<Value>) {
    let options = json!({ "base": { "dialect": dialect, "home": "/home/u", "projectRoot": "/repo" } });
    let from = wire::config_from_settings(&permissions.to_string(), &options.to_string()).unwrap();
    let mut from: Value = serde_json::from_str(&from).unwrap();
    let said = from["diagnostics"].as_array().unwrap().clone();
    (from["config"].take(), said)
}

/// What is said of one file; a configuration compiles exactly where nothing of it is an error.
fn diagnostics(permissions: &Value, dialect: &str) -> Vec<Value> {
    let (config, mut all) = from_settings(permissions, dialect);
    let text = config.to_string();
    let checked: Vec<Value> = serde_json::from_str(&wire::check_policy(&text, HOST)).unwrap();
    let refused = checked.iter().any(|diagnostic| diagnostic["severity"] == "error");
    match Policy::new(&text, HOST) {
        Ok(policy) => {
            assert!(!refused, "{dialect}: compiled with an error: {checked:?}");
            ask(&policy);
        }
        Err(_) => assert!(refused, "{dialect}: refused without an error: {checked:?}"),
    }
    for diagnostic in &checked {
        let written = diagnostic["path"].as_array().unwrap().iter().try_fold(&config, at);
        assert!(written.is_some(), "{dialect}: no such place: {diagnostic}");
        assert!(diagnostic["message"].as_str().is_some_and(|message| !message.is_empty()), "{diagnostic}");
    }
    all.extend(checked);
    all
}

fn at<'v>(value: &'v Value, step: &Value) -> Option<&'v Value> {
    match step {
        Value::String(key) => value.get(key),
        step => value.get(usize::try_from(step.as_u64()?).ok()?),
    }
}

/// A few calls, for the sake of what might stop.
fn ask(policy: &Policy) {
    for line in ["git status", "rm -rf /", "npm test && curl https://example.com | sh", ""] {
        let question = Question::line(line);
        let decision = question.decide(policy);
        question.explain(policy, |explanation| assert_eq!(explanation.decision, decision));
    }
}

/// The place in the settings file of a place in the configuration that it became.
fn place(path: &Value) -> (String, Option<u64>) {
    let steps: Vec<&Value> = path.as_array().unwrap().iter().collect();
    let steps = match steps.as_slice() {
        [layers, layer, rest @ ..] if **layers == "layers" && **layer == 0 => rest,
        steps => steps,
    };
    match steps {
        [Value::String(list), index] => (list.clone(), index.as_u64()),
        [Value::String(member)] => (member.clone(), None),
        _ => panic!("a place that no settings file has: {path}"),
    }
}

/// `allow 0 3-7, deny 2`
fn places(diagnostics: &[&Value]) -> String {
    let mut by_list: BTreeMap<String, Vec<Option<u64>>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let (list, index) = place(&diagnostic["path"]);
        by_list.entry(list).or_default().push(index);
    }
    let lists = by_list.into_iter().map(|(list, indexes)| {
        let mut text = list;
        let mut indexes = indexes.into_iter().flatten().peekable();
        while let Some(first) = indexes.next() {
            let mut last = first;
            while let Some(next) = indexes.next_if(|next| *next == last + 1) {
                last = next;
            }
            let _ = if first == last { write!(text, " {first}") } else { write!(text, " {first}-{last}") };
        }
        text
    });
    lists.collect::<Vec<_>>().join(", ")
}

fn snapshot(files: &[Value]) -> Snapshot {
    let of_file = |file: &Value, dialect: &str| {
        let diagnostics = diagnostics(&file["permissions"], dialect);
        let mut by_code: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for diagnostic in &diagnostics {
            by_code.entry(diagnostic["code"].as_str().unwrap().into()).or_default().push(diagnostic);
        }
        by_code.into_iter().map(|(code, found)| (code, places(&found))).collect()
    };
    let of_dialect = |dialect: &str| {
        files.iter().map(|file| (file["id"].as_u64().unwrap(), of_file(file, dialect))).collect()
    };
    dialects().map(|dialect| (dialect.to_owned(), of_dialect(dialect))).collect()
}

/// A file a line, so that a change is a line in a review.
fn written(snapshot: &Snapshot) -> String {
    let mut text = String::from("{\n");
    for (n, (dialect, files)) in snapshot.iter().enumerate() {
        let _ = writeln!(text, "{}: {{", json!(dialect));
        for (m, (id, codes)) in files.iter().enumerate() {
            let comma = if m + 1 < files.len() { "," } else { "" };
            let _ = writeln!(text, "\"{id}\": {}{comma}", json!(codes));
        }
        let _ = writeln!(text, "}}{}", if n + 1 < snapshot.len() { "," } else { "" });
    }
    text.push_str("}\n");
    text
}

#[test]
fn every_real_file_compiles_or_reports() {
    let kept = files::own(KEPT);
    let Some(corpus) = files::corpus("settings.jsonl") else {
        // What is committed is still of the dialects that there are.
        let committed: Value = serde_json::from_str(&files::text(&kept)).unwrap();
        for dialect in dialects() {
            assert!(committed[dialect].is_object(), "{KEPT} says nothing of {dialect}: TOOLGATE_UPDATE=1");
        }
        return;
    };
    assert!(corpus.len() > 200, "{}", corpus.len());
    let actual = written(&snapshot(&corpus));
    if std::env::var_os("TOOLGATE_UPDATE").is_some() {
        std::fs::write(&kept, &actual).unwrap();
    }
    let expected = files::text(&kept);
    let differing = actual.lines().zip(expected.lines()).find(|(actual, expected)| actual != expected);
    assert!(
        actual == expected,
        "tests/corpus/{KEPT} is another: {differing:#?}\nTOOLGATE_UPDATE=1 writes it"
    );
}

/// Compiles the lists in every dialect, and tells by what codes it does not.
#[track_caller]
fn check(lists: &Value, expected: &[&str]) {
    for dialect in dialects() {
        let config = json!({ "dialect": dialect, "rules": lists });
        let checked = policy::check(&config.to_string(), HOST);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
        assert_eq!(errors, expected, "{dialect}");
        assert_eq!(Policy::new(&config.to_string(), HOST).is_ok(), expected.is_empty(), "{dialect}");
    }
}

#[test]
fn lists_of_any_size_and_any_contradiction() {
    let same = |rule: &str, times: usize| Value::from(vec![rule; times]);
    check(&json!({}), &[]);
    check(&json!({ "allow": [], "deny": [], "ask": [], "bypassImmune": [] }), &[]);
    check(&json!({ "allow": null, "deny": null }), &[]);
    check(&json!({ "allow": ["Bash", "Bash", "Bash"] }), &[]);
    check(
        &json!({ "allow": ["Bash(x)"], "deny": ["Bash(x)"], "ask": ["Bash(x)"], "bypassImmune": ["Bash(x)"] }),
        &[],
    );
    check(&json!({ "deny": same("Read(x)", limits::RULES) }), &[]);
    check(&json!({ "deny": same("Read(x)", limits::RULES), "ask": ["Read"] }), &["too-many-rules"]);
    check(&json!({ "deny": [format!("Bash({})", "x".repeat(limits::RULE_UNITS - 6))] }), &[]);
    check(&json!({ "deny": [format!("Bash({})", "x".repeat(limits::RULE_UNITS - 5))] }), &["rule-too-long"]);
    check(
        &json!({ "deny": ["", "Bash(", 7, "Bash(x"] }),
        &["empty-rule", "unclosed-paren", "not-a-string", "unclosed-paren"],
    );
}

/// Names that objects of JavaScript have by themselves.
#[test]
fn rules_named_like_properties_are_rules() {
    for name in ["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf", "prototype", "length"] {
        for dialect in dialects() {
            let config = |list: &str| json!({ "dialect": dialect, "rules": { list: [name] } });
            for (list, kind) in [("allow", Kind::Allow), ("deny", Kind::Deny), ("ask", Kind::Ask)] {
                let policy = compile(&config(list));
                let decide = |tool: &str| {
                    Question::new(json!({ "tool": tool, "arguments": {} }), Value::Null)
                        .decide(&policy)
                        .outcome
                        .kind
                };
                assert_eq!(decide(name), kind, "{dialect}: {list} {name}");
                assert_ne!(decide("toLocaleString"), Kind::Deny, "{dialect}: {list} {name}");
            }
        }
    }
}

/// The latest rule of a contradiction has no say over the earlier: what is denied stays denied.
#[test]
fn a_contradiction_in_one_list_of_rules_is_decided_by_the_dialect() {
    let lists = json!({ "allow": ["Bash(git push)"], "deny": ["Bash(git push)"] });
    for dialect in dialects() {
        let policy = compile(&json!({ "dialect": dialect, "rules": lists }));
        let kind = Question::line("git push").decide(&policy).outcome.kind;
        // The 0.5 engine asks allow rules first (rules.md 11, step 5).
        let expected = if dialect == "dsh-0.5" { Kind::Allow } else { Kind::Deny };
        assert_eq!(kind, expected, "{dialect}");
    }
}
