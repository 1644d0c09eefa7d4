//! What a finding of `lint` claims is what its policy does.
#![allow(dead_code, unreachable_pub, reason = "no test needs all of this")]

use super::question::{HOST, Question, compile};
use serde_json::Value;
use toolgate::policy::{self, Policy};
use toolgate::vocabulary::{Kind, PermissionMode};
use toolgate::wire;

/// What is found, as the package gives it.
pub fn lint(policy: &Policy) -> Vec<Value> {
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
pub fn with(config: &Value, path: &Value, text: Option<&str>) -> Value {
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
pub fn seen(policy: &Policy, config: &Value, finding: &Value) {
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

/// A policy without a rule that is redundant decides as the one with it.
#[track_caller]
pub fn decides_alike(config: &Value, findings: &[Value], questions: &[Question]) {
    let redundant: Vec<&Value> = findings.iter().filter(|finding| finding["code"] == "redundant").collect();
    if redundant.is_empty() {
        return;
    }
    let policy = compile(config);
    for finding in redundant {
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
