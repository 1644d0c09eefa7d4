//! What is said about policies: findings and suggestions. Few and short rules, so that many of them are tried.

use serde_json::{Value, json};
use toolgate::policy::{Policy, dangerous};
use toolgate::rule;
use toolgate::vocabulary::Kind;

use super::findings::{self, decides_alike, seen};
use super::policies::{Argument, Case};
use super::question::{HOST, Question, compile};
use super::value;

/// Rules in each list, and the longest text.
const RULES: usize = 2;
const UNITS: usize = 200;

fn question(case: &Case<'_>) -> Question {
    let call = match case.argument() {
        Argument::Command => json!({"tool": case.tool, "arguments": {"command": case.subject}}),
        Argument::Url => json!({"tool": case.tool, "arguments": {"url": case.subject}}),
        Argument::Path => json!({"tool": case.tool, "arguments": {"file_path": case.subject}}),
        Argument::Subject => json!({"tool": case.tool, "subject": case.subject}),
    };
    Question::new(call, Value::Null)
}

fn case(text: &str) -> Option<(Case<'_>, Policy)> {
    if text.len() > UNITS {
        return None;
    }
    let case = Case::of(text, RULES);
    let policy = case.policy()?;
    Some((case, policy))
}

pub fn lint(text: &str) {
    let Some((case, policy)) = case(text) else { return };
    let found = findings::lint(&policy);
    if text.len().is_multiple_of(8) {
        assert_eq!(findings::lint(&policy), found, "found twice, two findings");
    }
    for finding in &found {
        super::is_known_code(finding["code"].as_str().expect("a code"));
        seen(&policy, &case.config, finding);
    }
    decides_alike(&case.config, &found, &[question(&case)]);
}

pub fn suggestions(text: &str) {
    let Some((case, policy)) = case(text) else { return };
    let question = question(&case);
    let suggest =
        || question.put(&policy, |call, state, grants| policy.suggest(call, state, grants.to_vec()));
    let suggestions = suggest();
    assert_eq!(suggestions, suggest(), "suggested twice, two suggestions");
    let rules: Vec<&str> = suggestions.iter().map(|one| one.rule.as_str()).collect();
    assert_eq!(dangerous(&rules, case.dialect, HOST), Vec::<&str>::new(), "a broad rule: {rules:?}");
    let with = |rules: &[&str]| {
        let mut config = case.config.clone();
        let allow = config["rules"]["allow"].as_array_mut().expect("a list");
        allow.extend(rules.iter().map(|rule| Value::from(*rule)));
        compile(&config)
    };
    for suggestion in &suggestions {
        let accepts = rule::parse(&suggestion.rule, case.dialect, HOST).expect("a rule");
        let covers = |subject: &String| accepts.content_accepts(subject, case.dialect);
        assert!(suggestion.also_covers.iter().all(covers), "{suggestion:?}");
        let policy = with(&[&suggestion.rule]);
        question.explain(&policy, |explanation| {
            let own = explanation.rules.iter().filter(|note| note.rule.rule == accepts);
            assert!(own.into_iter().any(|note| note.matched), "{suggestion:?} does not accept it");
        });
        if suggestion.rest.is_empty() {
            assert_eq!(
                question.decide(&policy).outcome.kind,
                Kind::Allow,
                "{suggestion:?} does not allow it"
            );
        }
    }
    // A line may have more commands than are given a rule.
    if suggestions.first().is_some_and(|first| !first.rest.contains("more of them")) {
        assert_eq!(question.decide(&with(&rules)).outcome.kind, Kind::Allow, "{rules:?}");
    }
    value(&json!(rules).to_string());
}
