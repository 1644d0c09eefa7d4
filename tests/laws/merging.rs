//! Order and repetition: of layers, of questions, of rule sets.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use toolgate::policy::Policy;
use toolgate::vocabulary::{Kind, PermissionMode, RuleList, RuleSource};
use toolgate::wire::merge_rule_sets;

use super::common::{cases, compile};
use super::{QWEN, Question, case, quick, with};

/// A decision without the ranks of rules, which another order may move.
fn said(policy: &Policy, question: &Question) -> (Kind, Kind, PermissionMode, Option<String>) {
    let decision = question.decide(policy);
    (decision.outcome.kind, decision.effective, decision.mode, policy.reason(&decision))
}

proptest! {
    #![proptest_config(quick())]

    /// In `qwen-code-0.24` the session's rules come first and the rest as they stand (qwen-code.md 3), so there another
    /// rule of the same list may be named.
    #[test]
    fn layers_of_different_sources_may_stand_in_any_order(
        ((config, question), shuffled) in case().prop_flat_map(|(config, question)| {
            let layers = config["layers"].as_array().unwrap().clone();
            (Just((config, question)), Just(layers).prop_shuffle())
        }),
        grants in cases::grants(),
    ) {
        // The configuration's own rules come after every layer, so a layer of their source is not among these.
        let other = |layers: &[Value]| -> Value {
            layers.iter().filter(|layer| layer["source"] != "config").cloned().collect()
        };
        let one = compile(&with(&config, "layers", other(config["layers"].as_array().unwrap())));
        let two = compile(&with(&config, "layers", other(&shuffled)));
        let question = question.granted(&grants);
        let (first, second) = (said(&one, &question), said(&two, &question));
        if one.config().dialect.name == QWEN {
            prop_assert_eq!((first.0, first.1, first.2), (second.0, second.1, second.2));
        } else {
            prop_assert_eq!(first, second);
            prop_assert_eq!(one.fingerprint(), two.fingerprint());
        }
    }

    #[test]
    fn the_same_question_has_the_same_answer((config, question) in case(), grants in cases::grants()) {
        let (one, two) = (compile(&config), compile(&config));
        let question = question.granted(&grants);
        prop_assert_eq!(question.decide(&one), question.decide(&two));
        prop_assert_eq!(question.decide(&one), question.decide(&one));
        prop_assert_eq!(one.fingerprint(), two.fingerprint());
    }

    #[test]
    fn a_rule_twice_is_the_rule_once((config, question) in case(), grants in cases::grants()) {
        let mut twice = config.clone();
        let holders = config["layers"].as_array().map_or(0, Vec::len);
        for holder in 0..=holders {
            let lists = if holder < holders { &mut twice["layers"][holder] } else { &mut twice["rules"] };
            for list in RuleList::ALL {
                let items = lists[list.as_str()].as_array_mut().unwrap();
                let again = items.clone();
                items.extend(again);
            }
        }
        let question = question.granted(&grants);
        prop_assert_eq!(said(&compile(&config), &question), said(&compile(&twice), &question));
    }

    #[test]
    fn merging_keeps_every_rule_and_is_stable(
        sets in prop::collection::vec(
            prop::collection::vec((0usize..4, prop::option::of(select(RuleSource::ALL))), 0..6), 0..5,
        ),
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
                let word = source.map_or("toString", RuleSource::as_str);
                lists[name].as_array_mut().unwrap().push(json!({ "toolName": "T", "source": word, "number": number }));
                expected[*list].push((source.map_or(usize::MAX, RuleSource::index), number));
                number += 1;
            }
            written.push(lists);
        }
        let merged: Value = serde_json::from_str(&merge_rule_sets(&json!(written).to_string()).unwrap()).unwrap();
        for (list, mut rules) in RuleList::ALL.iter().zip(expected) {
            // The standard sort is stable.
            rules.sort_by_key(|(priority, _)| *priority);
            let rules: Vec<u64> = rules.into_iter().map(|(_, number)| number.into()).collect();
            let came = merged[list.as_str()].as_array().unwrap().iter();
            let came: Vec<u64> = came.map(|rule| rule["number"].as_u64().unwrap()).collect();
            prop_assert_eq!(came, rules, "{}", list.as_str());
        }
    }
}
