//! Every order of events of a small session, up to a bound, with what must hold asserted after every step.
//!
//! Two classifiers, a person, the time limits, an append that may fail, a policy that changes, a turn that ends and a session that
//! closes. Whatever can happen is tried in every order; states that were met before are not tried again.

use std::collections::BTreeSet;

use toolgate::json::sha256_hex;
use toolgate::review::Start;

use super::checks::check;
use super::play::{Move, Plan, Run, World};
use super::samples::basis;

/// What was tried.
#[derive(Debug, Default)]
struct Explored {
    steps: usize,
    states: usize,
    resolved: usize,
    approved: usize,
}

/// Tries every order of up to `most` moves, breadth first: a state that is met again was met with as many moves to go. Gives the
/// number of states from which it could go on.
#[track_caller]
fn explore(plan: Plan, budget: &[(Move, usize)], most: usize) -> usize {
    let mut explored = Explored::default();
    let mut met = BTreeSet::new();
    let mut frontier = vec![(World::new(plan), budget.to_vec())];
    for _ in 0..most {
        let mut further = vec![];
        for (world, budget) in &frontier {
            let from_outside = budget.iter().filter(|(_, left)| *left > 0).map(|(of, _)| *of);
            for chosen in world.moves().into_iter().chain(from_outside) {
                let (mut next, mut left) = (world.clone(), budget.clone());
                for (of, times) in &mut left {
                    *times -= usize::from(*of == chosen);
                }
                next.play(chosen);
                explored.steps += 1;
                let state = format!(
                    "{:?} {:?} {:?} {:?} {left:?}",
                    next.session, next.pending, next.seen, next.revision
                );
                if met.insert(sha256_hex(state.as_bytes())) {
                    check(&next);
                    let durable = next.seen.durable.first();
                    explored.states += 1;
                    explored.resolved += usize::from(durable.is_some());
                    explored.approved +=
                        usize::from(durable.is_some_and(|of| of.source.kind == "classifier"));
                    further.push((next, left));
                }
            }
        }
        frontier = further;
    }
    println!("{explored:?}, {} left to go on from", frontier.len());
    assert!(explored.resolved > 0 && explored.approved > 0, "{explored:?}");
    frontier.len()
}

const END: [(Move, usize); 2] = [(Move::EndTurn, 1), (Move::Close, 1)];

#[test]
fn two_classifiers_and_a_person_in_every_order() {
    let runs = &[Run::Allows, Run::WantsPerson, Run::Rejects];
    let plan = Plan { runs, ..Plan::default() };
    let budget = [&[(Move::Person("Deny"), 2), (Move::Drift, 1)][..], &END].concat();
    assert_eq!(explore(plan, &budget, 14), 0, "there are longer orders");
}

#[test]
fn a_classifier_that_answers_for_another_subject_in_every_order() {
    let plan = Plan { runs: &[Run::Allows, Run::Strays], ..Plan::default() };
    assert_eq!(explore(plan, &[(Move::Person("Approve"), 1), (Move::Drift, 1)], 14), 0);
}

#[test]
fn audits_that_wait_or_fail_in_every_order() {
    let plan = Plan { has_slow_audits: true, runs: &[Run::Allows, Run::Rejects], ..Plan::default() };
    // Longer ones are many, and wait for nothing new.
    assert!(explore(plan, &[&[(Move::Person("Deny"), 1)][..], &END].concat(), 7) > 0);
}

#[test]
fn observations_are_verified_in_every_order() {
    let plan = Plan { observes: true, runs: &[Run::Allows], ..Plan::default() };
    let person = Move::Person("Approve always for this workspace");
    assert_eq!(explore(plan, &[&[(person, 1), (Move::Drift, 1)][..], &END].concat(), 14), 0);
}

#[test]
fn nothing_is_called_of_a_classifier_once_a_review_is_given_up() {
    for chosen in [Move::EndTurn, Move::Close] {
        let mut world = World::new(Plan::default());
        let before = world.seen.called.clone();
        world.play(chosen);
        world.start(Start::Begin(basis().gate_id));
        assert_eq!(world.seen.called, before, "{chosen:?}");
        assert_eq!(world.moves(), [], "{chosen:?}");
    }
}
