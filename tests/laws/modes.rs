//! Modes, risk, and the lock on bypass.

use proptest::prelude::*;
use toolgate::vocabulary::{Kind, PermissionMode, RiskLevel};

use super::common::{cases, compile, strictness};
use super::{DSH, STANDARD, case, case_but, quick, with};

proptest! {
    #![proptest_config(quick())]

    #[test]
    fn plan_allows_nothing_that_default_denies((config, question) in case(), grants in cases::grants()) {
        let policy = compile(&config);
        let mut question = question.granted(&grants);
        question.state["planActive"] = false.into();
        let default = question.in_mode(PermissionMode::Default).decide(&policy);
        let plan = question.in_mode(PermissionMode::Plan).decide(&policy);
        if default.outcome.kind == Kind::Deny {
            prop_assert!(plan.outcome.kind != Kind::Allow && plan.effective != Kind::Allow, "{default:?}\n{plan:?}");
        }
        question.state["planActive"] = true.into();
        let overlay = question.in_mode(PermissionMode::BypassPermissions).decide(&policy);
        prop_assert_eq!(plan, overlay);
    }

    /// Not `dsh-0.5`, where MEDIUM risk is answered before every rule (rules.md 11), and only where risk is assessed.
    #[test]
    fn risk_makes_nothing_weaker(
        (config, question) in case_but(&[DSH]), grants in cases::grants(),
    ) {
        let question = question.granted(&grants);
        let without = question.decide(&compile(&with(&config, "classifierEnabled", false)));
        let assessed = question.decide(&compile(&with(&config, "classifierEnabled", true)));
        prop_assert!(
            strictness(assessed.outcome.kind) >= strictness(without.outcome.kind), "{without:?}\n{assessed:?}"
        );
        if assessed.risk.level != RiskLevel::Low {
            prop_assert!(strictness(assessed.effective) >= strictness(without.effective), "{without:?}\n{assessed:?}");
        }
    }

    #[test]
    fn high_risk_is_denied_in_every_mode((config, question) in case(), grants in cases::grants()) {
        let policy = compile(&config);
        for mode in policy.config().dialect.modes {
            let decision = question.granted(&grants).in_mode(*mode).decide(&policy);
            let high = decision.risk.level == RiskLevel::High;
            // Elsewhere a level is the name of what was found: claude-code.md 15 asks for a critical removal.
            if high && [STANDARD, DSH].contains(&policy.config().dialect.name) {
                prop_assert_eq!((decision.outcome.kind, decision.effective), (Kind::Deny, Kind::Deny));
            }
        }
    }

    /// Not `dsh-0.5` under MEDIUM risk: it goes by the mode that was asked for, even when locked (rules.md 11).
    #[test]
    fn a_lock_makes_bypass_the_default((config, question) in case(), grants in cases::grants()) {
        let policy = compile(&with(&config, "disableBypassPermissionsMode", true));
        let question = question.granted(&grants);
        let default = question.in_mode(PermissionMode::Default).decide(&policy);
        let bypass = question.in_mode(PermissionMode::BypassPermissions).decide(&policy);
        if !(policy.config().dialect.name == DSH && default.risk.level == RiskLevel::Medium) {
            prop_assert_eq!(default, bypass);
        }
    }

    #[test]
    fn nothing_but_auto_lifts_an_ask((config, question) in case(), grants in cases::grants()) {
        let decision = question.granted(&grants).decide(&compile(&config));
        let (kind, effective) = (decision.outcome.kind, decision.effective);
        let lifted = decision.mode == PermissionMode::Auto && (kind, effective) == (Kind::Ask, Kind::Allow);
        prop_assert!(kind == effective || lifted, "{decision:?}");
    }
}
