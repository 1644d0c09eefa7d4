//! Laws of rules and policies, on generated cases: what must hold whatever the rules are.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use toolgate::dialect::Dialect;
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Decision, Policy};
use toolgate::vocabulary::{Kind, PermissionMode, RuleList, RuleSource};
use toolgate::wire::merge_rule_sets;

/// The dialects that the laws are promised for.
const DIALECTS: &[&str] = &["standard", "dsh-0.5", "claude-code-2.1"];

/// Few tools and few words, so that rules and calls meet often.
const TOOLS: &[&str] = &["Bash", "bash", "Read", "read", "Edit", "edit", "MultiEdit", "mcp__a", "mcp__a__b"];
const RULE_CONTENTS: &[&str] =
    &["git ", "git *", "git push", "*", "rm ", "* push*", "npm:*", "src/", "src/*", "/etc"];
const SUBJECTS: &[&str] = &[
    "git push",
    "git status",
    "rm x",
    "npm test && rm x",
    "git push; ls",
    "src/a",
    "src/../a",
    "/etc/x",
    " git push",
];

fn rule() -> impl Strategy<Value = String> {
    (select(TOOLS), prop::option::weighted(0.7, select(RULE_CONTENTS))).prop_map(|(tool, content)| {
        match content {
            Some(content) => format!("{tool}({content})"),
            None => tool.to_owned(),
        }
    })
}

fn source() -> impl Strategy<Value = &'static str> {
    select(RuleSource::ALL).prop_map(RuleSource::as_str)
}

/// Four lists of rules, each short.
fn lists() -> impl Strategy<Value = Value> {
    let list = || prop::collection::vec(rule(), 0..3);
    (list(), list(), list(), list()).prop_map(|(allow, deny, ask, immune)| {
        json!({ "allow": allow, "deny": deny, "ask": ask, "bypassImmune": immune })
    })
}

/// Layers, each of a source of its own.
fn layers() -> impl Strategy<Value = Vec<Value>> {
    let sources = prop::sample::subsequence(RuleSource::ALL, 0..=4).prop_shuffle();
    (sources, prop::collection::vec(lists(), 4)).prop_map(|(sources, lists)| {
        let layer = |(source, mut lists): (RuleSource, Value)| {
            lists["source"] = source.as_str().into();
            lists
        };
        sources.into_iter().zip(lists).map(layer).collect()
    })
}

/// A configuration without its rules.
fn settings() -> impl Strategy<Value = Value> {
    let modes = select(vec!["default", "acceptEdits", "plan", "bypassPermissions", "auto"]);
    (select(DIALECTS), modes, any::<bool>(), any::<bool>()).prop_map(|(dialect, mode, locked, exempt)| {
        json!({
            "dialect": dialect,
            "defaultMode": mode,
            "disableBypassPermissionsMode": locked,
            "exemptSandboxedBashFromToolAsk": exempt,
        })
    })
}

/// What is asked about one call, owned.
#[derive(Clone, Debug)]
struct Question {
    tool: &'static str,
    subject: Option<&'static str>,
    plan_active: bool,
    grants: Vec<String>,
}

fn question() -> impl Strategy<Value = Question> {
    let subject = prop::option::weighted(0.9, select(SUBJECTS));
    (select(TOOLS), subject, prop::bool::weighted(0.1), prop::collection::vec(rule(), 0..2))
        .prop_map(|(tool, subject, plan_active, grants)| Question { tool, subject, plan_active, grants })
}

fn with(settings: &Value, layers: &[Value], rules: &Value) -> Policy {
    let mut config = settings.clone();
    config["layers"] = layers.into();
    config["rules"] = rules.clone();
    Policy::new(&config.to_string(), Host::ASCII).unwrap()
}

fn ask(policy: &Policy, question: &Question) -> Decision {
    let call = Call { tool: question.tool, subject: question.subject, ..Call::default() };
    let sandbox = Some(toolgate::vocabulary::SandboxMode::WorkspaceWrite);
    let state = CallState { plan_active: question.plan_active, sandbox, ..CallState::default() };
    let grants: Vec<_> = question.grants.iter().map(|text| policy.grant(text).unwrap()).collect();
    policy.decide(&call, &state, &grants)
}

/// A decision without the ranks of rules, which a rule more may move.
fn said(decision: Decision) -> (Kind, Kind, PermissionMode, Option<String>) {
    let Decision { outcome, effective, mode, .. } = decision;
    (outcome.kind, effective, mode, outcome.reason)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_deny_rule_more_never_lets_a_call_through(
        settings in settings(), layers in layers(), rules in lists(), question in question(),
        list in select(vec!["deny", "bypassImmune"]), added in rule(), at in any::<Index>(), into in any::<Index>(),
    ) {
        let before = ask(&with(&settings, &layers, &rules), &question);
        let (mut layers, mut rules) = (layers, rules);
        let place = into.index(layers.len() + 1);
        let lists = layers.get_mut(place).unwrap_or(&mut rules);
        let items = lists[list].as_array_mut().unwrap();
        items.insert(at.index(items.len() + 1), added.into());
        let after = ask(&with(&settings, &layers, &rules), &question);
        let restricts = |kind| matches!(kind, Kind::Deny | Kind::Ask);
        if restricts(before.outcome.kind) {
            prop_assert_ne!(after.outcome.kind, Kind::Allow);
        }
        if restricts(before.effective) {
            prop_assert_ne!(after.effective, Kind::Allow);
        }
    }

    #[test]
    fn layers_of_different_sources_may_stand_in_any_order(
        settings in settings(),
        (layers, shuffled) in layers().prop_flat_map(|layers| (Just(layers.clone()), Just(layers).prop_shuffle())),
        rules in lists(), question in question(),
    ) {
        // The configuration's own rules come after every layer, so a layer of their source is not among these.
        let other = |layers: Vec<Value>| -> Vec<Value> {
            layers.into_iter().filter(|layer| layer["source"] != "config").collect()
        };
        let (one, two) = (with(&settings, &other(layers), &rules), with(&settings, &other(shuffled), &rules));
        prop_assert_eq!(said(ask(&one, &question)), said(ask(&two, &question)));
        prop_assert_eq!(one.fingerprint(), two.fingerprint());
    }

    #[test]
    fn the_same_question_has_the_same_answer(
        settings in settings(), layers in layers(), rules in lists(), question in question(),
    ) {
        let (one, two) = (with(&settings, &layers, &rules), with(&settings, &layers, &rules));
        prop_assert_eq!(ask(&one, &question), ask(&two, &question));
        prop_assert_eq!(ask(&one, &question), ask(&one, &question));
    }

    #[test]
    fn merging_keeps_every_rule_and_is_stable(
        sets in prop::collection::vec(prop::collection::vec((0usize..4, prop::option::of(source())), 0..6), 0..5),
    ) {
        // Each rule is marked with its number, so that its way through the merge can be seen.
        let mut number = 0u32;
        let mut expected: Vec<Vec<(usize, u32)>> = vec![vec![]; RuleList::ALL.len()];
        let mut written = vec![];
        for set in &sets {
            let mut lists = json!({});
            for (list, source) in set {
                let name = RuleList::ALL[*list].as_str();
                if lists[name].is_null() {
                    lists[name] = json!([]);
                }
                let rule = json!({ "toolName": "T", "source": source.unwrap_or("toString"), "number": number });
                lists[name].as_array_mut().unwrap().push(rule);
                let priority = source.and_then(RuleSource::parse).map_or(usize::MAX, RuleSource::index);
                expected[*list].push((priority, number));
                number += 1;
            }
            written.push(lists);
        }
        let merged: Value = serde_json::from_str(&merge_rule_sets(&json!(written).to_string()).unwrap()).unwrap();
        for (list, mut rules) in RuleList::ALL.iter().zip(expected) {
            // The standard sort is stable.
            rules.sort_by_key(|(priority, _)| *priority);
            let rules: Vec<u32> = rules.into_iter().map(|(_, number)| number).collect();
            let came: Vec<u32> = merged[list.as_str()]
                .as_array()
                .unwrap()
                .iter()
                .map(|rule| u32::try_from(rule["number"].as_u64().unwrap()).unwrap())
                .collect();
            prop_assert_eq!(came, rules, "{}", list.as_str());
        }
    }
}

#[test]
fn the_laws_cover_dialects_that_exist() {
    for name in DIALECTS {
        assert!(Dialect::find(name).is_some(), "{name}");
    }
}
