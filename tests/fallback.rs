//! Laws of the denial counters, beside a model that is written down from the contract's tables alone, and of the prompt.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

#[path = "common/denials.rs"]
mod denials;

use denials::{Model, Step, play};
use proptest::prelude::*;
use proptest::sample::select;
use toolgate::fallback::{DenialState, Offer, Outcome, Verdict, confirmation, is_shown, normalize};
use toolgate::limits;
use toolgate::vocabulary::{ConfirmationOutcome, FallbackReason, OptionKind};

fn verdict() -> impl Strategy<Value = Verdict<'static>> {
    prop_oneof![
        2 => Just(Verdict::Allow),
        4 => Just(Verdict::Block("no")),
        3 => Just(Verdict::Unavailable("late")),
        2 => Just(Verdict::Destructive("rm")),
        1 => select(FallbackReason::ALL).prop_map(Verdict::Fallback),
        1 => Just(Verdict::Unknown),
    ]
}

fn fingerprint() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(select(&["a", "b"][..]))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (verdict(), fingerprint()).prop_map(|(verdict, call)| Step::Apply(verdict, call)),
        2 => select(ConfirmationOutcome::ALL).prop_map(Step::Resolve),
        1 => Just(Step::Reset),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_state_is_that_of_the_model(steps in steps()) {
        let (mut state, mut model) = (DenialState::default(), Model::default());
        for step in &steps {
            play(&mut state, step);
            model.play(step);
            prop_assert!(model.is(&state), "{step:?} {state:?}");
        }
    }

    /// Results that arrive in another order have been counted all the same.
    #[test]
    fn no_order_of_parallel_results_loses_a_count(
        (steps, shuffled) in prop::collection::vec((verdict(), fingerprint()), 0..19)
            .prop_flat_map(|steps| (Just(steps.clone()), Just(steps).prop_shuffle()))
    ) {
        let run = |steps: &[(Verdict<'static>, Option<&'static str>)]| {
            let mut state = DenialState::default();
            for (verdict, call) in steps {
                // Each asked before any result was there.
                let _ = state.should_fallback(*call);
                state.apply(verdict, *call);
            }
            (state.total_block, state.total_unavailable)
        };
        let count = |is: fn(&Verdict<'_>) -> bool| u64::try_from(steps.iter().filter(|(verdict, _)| is(verdict)).count()).unwrap();
        let expected = (
            count(|verdict| matches!(verdict, Verdict::Block(_) | Verdict::Destructive(_))),
            count(|verdict| matches!(verdict, Verdict::Unavailable(_))),
        );
        prop_assert_eq!(run(&steps), expected);
        prop_assert_eq!(run(&shuffled), expected);
    }

    #[test]
    fn only_an_allow_approves_and_what_destroys_is_never_a_prompt(steps in steps()) {
        let mut state = DenialState::default();
        for step in &steps {
            let before = state.clone();
            let outcome = play(&mut state, step);
            let Step::Apply(verdict, call) = step else { continue };
            let outcome = outcome.unwrap();
            prop_assert_eq!(outcome == Outcome::Approved, *verdict == Verdict::Allow);
            if let Verdict::Destructive(_) = verdict {
                let stopped = matches!(&outcome, Outcome::Blocked { permission_denied_hook: false, .. });
                prop_assert!(stopped);
            }
            // The hook runs for a no of the classifier in this very call, and for nothing else.
            let hook = match outcome {
                Outcome::Approved => false,
                Outcome::Blocked { permission_denied_hook, .. } | Outcome::Fallback { permission_denied_hook, .. } => permission_denied_hook,
            };
            prop_assert_eq!(hook, matches!(verdict, Verdict::Block(_)));
            if let Verdict::Fallback(_) | Verdict::Unknown = verdict {
                prop_assert_eq!(DenialState { mark: None, ..state.clone() }, DenialState { mark: None, ..before });
            }
            if state.mark.is_some() && state.mark.as_deref() == *call {
                let keeps = matches!(verdict, Verdict::Block(_) | Verdict::Unavailable(_) | Verdict::Destructive(_));
                prop_assert!(keeps);
            }
        }
    }

    #[test]
    fn counters_stop_at_the_largest_safe_integer(verdicts in prop::collection::vec(verdict(), 1..10)) {
        let most = limits::COUNT;
        let mut state = DenialState {
            consecutive_block: most - 1,
            consecutive_unavailable: most,
            total_block: most - 1,
            total_unavailable: most,
            mark: None,
        };
        for verdict in &verdicts {
            state.apply(verdict, None);
            let counters = [state.consecutive_block, state.consecutive_unavailable, state.total_block, state.total_unavailable];
            prop_assert!(counters.iter().all(|counter| *counter <= most));
            prop_assert_eq!(state.should_fallback(None), Some(FallbackReason::TotalDenial));
        }
    }

    /// What the person is offered under a fallback is never lasting, and the switch is there exactly where it may be.
    #[test]
    fn a_prompt_offers_what_it_may(
        reason in select(FallbackReason::ALL),
        given in prop::collection::vec(
            (select(&["proceed_once", "proceed_always", "proceed_once_and_switch_to_default", "cancel", "own"][..]), select(OptionKind::ALL)),
            0..6,
        ),
    ) {
        let made = confirmation(reason, None, Some(&given));
        let shown = |offer: &Offer| match offer {
            Offer::Own(own) => (own.id.as_str(), own.kind),
            Offer::Given(at) => given[*at],
        };
        let options: Vec<_> = made.options.iter().map(shown).collect();
        let switches = options.iter().filter(|(id, _)| *id == "proceed_once_and_switch_to_default").count();
        let unavailable = matches!(reason, FallbackReason::ClassifierUnavailable | FallbackReason::ConsecutiveUnavailable);
        prop_assert_eq!(switches, usize::from(unavailable));
        if made.hide_always_allow {
            prop_assert!(options.iter().all(|(_, kind)| *kind != OptionKind::AllowAlways));
        }
        // Whatever else was given is there still, in its order.
        let kept: Vec<_> = options.iter().filter(|(id, _)| *id != "proceed_once_and_switch_to_default").copied().collect();
        let expected: Vec<_> = given
            .iter()
            .filter(|(id, kind)| {
                *id != "proceed_once_and_switch_to_default" && !(made.hide_always_allow && *kind == OptionKind::AllowAlways)
            })
            .copied()
            .collect();
        prop_assert_eq!(kept, expected);
        prop_assert!(made.notice.is_none() || made.notice.is_some_and(|notice| !notice.message.is_empty()));
    }
}

#[test]
fn nothing_lasting_is_shown_to_a_client_under_a_notice() {
    for kind in OptionKind::ALL {
        let lasts = *kind == OptionKind::AllowAlways;
        for (notice, hides) in [(true, false), (false, true), (true, true)] {
            assert_eq!(is_shown(*kind, notice, hides), !lasts);
        }
        assert!(is_shown(*kind, false, false));
    }
}

#[test]
fn no_choice_but_the_switch_is_changed() {
    for choice in ConfirmationOutcome::ALL {
        let normalized = normalize(*choice);
        let switches = *choice == ConfirmationOutcome::ProceedOnceAndSwitchToDefault;
        assert_eq!(normalized.switch_mode_to.is_some(), switches);
        let expected = if switches { ConfirmationOutcome::ProceedOnce } else { *choice };
        assert_eq!(normalized.outcome, expected);
    }
}
