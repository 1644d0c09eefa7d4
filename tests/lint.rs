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

use common::{HOST, Question, cases, compile, dialects, files};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use toolgate::policy::Policy;
use toolgate::vocabulary::{Kind, PermissionMode};
use toolgate::{policy, wire};

/// What is found, as the package gives it.
fn lint(policy: &Policy) -> Vec<Value> {
    serde_json::from_str(&wire::lint(policy)).unwrap()
}

/// What an explanation says: the rules that matched, and whether each decided.
struct Told {
    kind: Kind,
    /// The place of the rule that decided.
    decided_by: Option<Value>,
    matched: Vec<(Value, bool)>,
}

fn explain(policy: &Policy, question: &Question) -> Told {
    let entries = &policy.config().entries;
    question.explain(policy, |explanation| {
        let place = |at: policy::RuleRef| {
            let policy::RuleRef::Rule(rank) = at else { panic!("no grants were given") };
            written(&entries[rank].path())
        };
        let matched = explanation.rules.iter().filter(|note| note.matched);
        let outcome = &explanation.decision.outcome;
        Told {
            kind: outcome.kind,
            decided_by: outcome.rule.map(place),
            matched: matched.map(|note| (place(note.at), note.decided)).collect(),
        }
    })
}

fn written(path: &[toolgate::diagnostic::Step]) -> Value {
    let mut to = toolgate::json::Writer::default();
    to.path(path);
    serde_json::from_str(to.text.trim_start_matches("\"path\":")).unwrap()
}

impl Told {
    fn matched(&self, path: &Value) -> bool {
        self.matched.iter().any(|(own, _)| own == path)
    }

    fn decided(&self, path: &Value) -> bool {
        self.matched.iter().any(|(own, decided)| own == path && *decided)
    }

    /// No other rule than that one settled the call.
    fn is_up_to(&self, path: &Value) -> bool {
        self.matched(path) && self.decided_by.as_ref().is_none_or(|own| own == path || self.decided(path))
    }
}

/// The configuration without a rule, or with another text in its place.
fn with(config: &Value, path: &Value, text: Option<&str>) -> Value {
    let mut config = config.clone();
    let steps = path.as_array().unwrap();
    let (last, steps) = steps.split_last().unwrap();
    let mut list = &mut config;
    for step in steps {
        list = match step {
            Value::String(key) => &mut list[key.as_str()],
            step => &mut list[usize::try_from(step.as_u64().unwrap()).unwrap()],
        };
    }
    let index = usize::try_from(last.as_u64().unwrap()).unwrap();
    match text {
        Some(text) => list[index] = text.into(),
        None => {
            list.as_array_mut().unwrap().remove(index);
        }
    }
    config
}

/// Checks one finding of a policy: what it claims is seen.
fn seen(policy: &Policy, config: &Value, finding: &Value) {
    let code = finding["code"].as_str().unwrap();
    let path = &finding["path"];
    let place = |path: &Value| {
        path.as_array().unwrap().iter().try_fold(config, |value, step| match step {
            Value::String(key) => value.get(key),
            step => value.get(usize::try_from(step.as_u64()?).ok()?),
        })
    };
    assert!(place(path).is_some_and(Value::is_string), "no rule stands there: {finding}");
    let related = finding["related"].as_array().unwrap();
    assert!(related.iter().all(|related| place(&related["path"]).is_some_and(Value::is_string)), "{finding}");
    assert!(!finding["message"].as_str().unwrap().is_empty());
    if let Some(fix) = finding["fix"].as_str() {
        let fixed = with(config, path, Some(fix).filter(|fix| !fix.is_empty()));
        let checked = policy::check(&fixed.to_string(), HOST);
        assert!(
            !checked.diagnostics.iter().any(toolgate::diagnostic::Diagnostic::is_error),
            "{finding} {fixed}"
        );
    }
    let Some(witness) = finding.get("witness") else {
        let without = [
            "unreachable",
            "never-consulted",
            "allow-ignores-link",
            "lint-limit",
            "pattern-not-retokenised",
            "colon-star-rewritten",
        ];
        assert!(without.contains(&code), "nothing shows {finding}");
        return;
    };
    let question = Question::new(witness.clone(), Value::Null);
    let told = explain(policy, &question);
    assert_eq!(question.decide(policy).outcome.kind, told.kind, "{finding}");
    let other = related.first().map(|related| &related["path"]);
    let holds = match code {
        "redundant" => {
            let without = compile(&with(config, path, None));
            told.matched(path)
                && told.matched(other.unwrap())
                && question.decide(&without).outcome.kind == told.kind
                && question.decide(&without).effective == question.decide(policy).effective
        }
        "conflicting" | "shadowed" | "never-consulted" => {
            told.matched(path) && !told.decided(path) && told.decided(other.unwrap())
        }
        "over-broad" => told.is_up_to(path),
        "single-quote-backslash" | "assignment-ignored" | "redirect-rides-allow" | "prefix-without-star" => {
            told.kind == Kind::Allow && told.decided(path)
        }
        "guard-passed-by" => {
            let auto = explain(policy, &question.in_mode(PermissionMode::Auto));
            auto.kind == Kind::Allow && auto.decided(path)
        }
        "auto-keeps-broad-rule" => {
            let auto = question.in_mode(PermissionMode::Auto);
            explain(policy, &auto).matched(path)
        }
        "ask-void-in-bypass" => {
            question.in_mode(PermissionMode::BypassPermissions).decide(policy).outcome.kind == Kind::Allow
        }
        "dynamic-redirect-unseen" => {
            told.kind == Kind::Allow && told.decided(other.unwrap()) && !told.matched(path)
        }
        "flag-order" => !told.matched(path),
        // Either longer names that it accepts, or a spelling that it does not.
        "fragile" => told.is_up_to(path) || !told.matched(path),
        "deny-misses-nested"
        | "deny-misses-options"
        | "virtual-operation-gap"
        | "host-without-scheme-unseen"
        | "read-allow-unused-by-shell"
        | "fragile-argument"
        | "other-spelling" => !told.matched(path),
        code => panic!("nothing is known of {code}"),
    };
    assert!(holds, "the call does not show it: {finding} {:?} {:?}", told.kind, told.decided_by);
}

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

/// A policy without a rule that is redundant decides as the one with it.
#[track_caller]
fn decides_alike(config: &Value, findings: &[Value], questions: &[Question]) {
    let policy = compile(config);
    for finding in findings.iter().filter(|finding| finding["code"] == "redundant") {
        let without = compile(&with(config, &finding["path"], None));
        for question in questions {
            let (before, after) = (question.decide(&policy), question.decide(&without));
            assert_eq!(
                (before.outcome.kind, before.effective),
                (after.outcome.kind, after.effective),
                "{config}\n{finding}\n{question:?}"
            );
        }
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
