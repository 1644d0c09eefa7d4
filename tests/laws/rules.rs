//! One rule more, one grant more, one path more.

use proptest::prelude::*;
use proptest::sample::select;
use toolgate::vocabulary::{Kind, PermissionMode, RuleList};

use super::common::{cases, compile, strictness};
use super::{CLAUDE, DSH, QWEN, case, case_but, place, quick, with_rule};

proptest! {
    #![proptest_config(quick())]

    #[test]
    fn a_deny_rule_more_makes_nothing_weaker(
        (config, question) in case(), rule in cases::rule(), place in place(),
        list in select(vec!["deny", "bypassImmune"]), grants in cases::grants(),
    ) {
        let question = question.granted(&grants);
        let before = question.decide(&compile(&config));
        let after = question.decide(&compile(&with_rule(&config, list, &rule, &place)));
        prop_assert!(strictness(after.outcome.kind) >= strictness(before.outcome.kind), "{before:?}\n{after:?}");
        prop_assert!(strictness(after.effective) >= strictness(before.effective), "{before:?}\n{after:?}");
    }

    /// Not `dsh-0.5`: a whole-tool ask allows a sandboxed call before deny rules with content are asked (rules.md 11, step 4).
    #[test]
    fn an_ask_rule_more_never_turns_a_deny_into_an_allow(
        (config, question) in case_but(&[DSH]), rule in cases::rule(), place in place(), grants in cases::grants(),
    ) {
        let question = question.granted(&grants);
        let before = question.decide(&compile(&config));
        let after = question.decide(&compile(&with_rule(&config, "ask", &rule, &place)));
        if before.outcome.kind == Kind::Deny {
            prop_assert!(after.outcome.kind != Kind::Allow, "{before:?}\n{after:?}");
        }
    }

    #[test]
    fn an_allow_rule_more_leaves_what_is_allowed(
        (config, question) in case(), rule in cases::rule(), place in place(), grants in cases::grants(),
    ) {
        let question = question.granted(&grants);
        let before = question.decide(&compile(&config));
        let after = question.decide(&compile(&with_rule(&config, "allow", &rule, &place)));
        if before.outcome.kind == Kind::Allow {
            prop_assert!(after.outcome.kind == Kind::Allow, "{before:?}\n{after:?}");
        }
        if before.effective == Kind::Allow {
            prop_assert!(after.effective == Kind::Allow, "{before:?}\n{after:?}");
        }
    }

    /// An entry that holds in every mode and accepts the call denies it, whatever else is said.
    #[test]
    fn what_holds_in_every_mode_denies_in_every_mode(
        (config, question) in case(), rule in cases::rule(), place in place(), grants in cases::grants(),
    ) {
        let policy = compile(&with_rule(&config, "bypassImmune", &rule, &place));
        for mode in policy.config().dialect.modes {
            let question = question.in_mode(*mode).granted(&grants);
            question.explain(&policy, |explanation| {
                let in_force = |note: &&toolgate::policy::RuleNote<'_>| {
                    note.list == RuleList::BypassImmune && note.matched
                };
                if let Some(note) = explanation.rules.iter().find(in_force) {
                    let kinds = (explanation.decision.outcome.kind, explanation.decision.effective);
                    prop_assert_eq!(kinds, (Kind::Deny, Kind::Deny), "{:?}", note);
                }
                Ok(())
            })?;
        }
    }

    /// What a grant may lift is an ask that no rule gave, in `dontAsk` as a deny (claude-code.md 13), and in `auto` the
    /// destructive guard, which an allow passes by (qwen-code.md 13, `guard-passed-by`).
    #[test]
    fn a_grant_lifts_no_deny((config, question) in case(), grants in cases::grants()) {
        let policy = compile(&config);
        let before = question.granted(&[]).decide(&policy);
        let after = question.granted(&grants).decide(&policy);
        let name = policy.config().dialect.name;
        let no_rule_denies = before.outcome.rule.is_none()
            && ((name == CLAUDE && before.mode == PermissionMode::DontAsk)
                || (name == QWEN && before.mode == PermissionMode::Auto));
        if before.outcome.kind == Kind::Deny && !no_rule_denies {
            prop_assert!(after.outcome.kind == Kind::Deny, "{before:?}\n{after:?}");
        }
        let asked_by_rule = before.outcome.kind == Kind::Ask && before.outcome.rule.is_some();
        if asked_by_rule && name != DSH {
            prop_assert!(after.outcome.kind == Kind::Ask, "{before:?}\n{after:?}");
        }
    }

    /// A real path may bring a call to an ask rule of a higher source that stands before the deny rule of its written path
    /// (rules.md 8.1: the first that accepts one of the forms), so the law is about what is allowed.
    #[test]
    fn a_real_path_allows_nothing_more(
        (config, question) in case(), real in select(vec!["/etc/passwd", "/repo/src/a.ts", "/repo/.env", "/x"]),
        grants in cases::grants(),
    ) {
        let policy = compile(&config);
        let question = question.granted(&grants);
        let without = question.with("realPath", None).decide(&policy);
        let with = question.with("realPath", Some(real)).decide(&policy);
        if without.outcome.kind != Kind::Allow {
            prop_assert!(with.outcome.kind != Kind::Allow, "{without:?}\n{with:?}");
        }
    }
}
