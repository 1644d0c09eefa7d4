//! The classifier against a model of its table: a hundred thousand hosts, each made of a seed.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod host;
mod model;
mod plan;

use std::collections::BTreeMap;

use host::{check, inert, start};
use plan::{Plan, Random};
use toolgate::evidence::Classifier;
use toolgate::json::Json;
use toolgate::machine::{Event, Machine, Number, Settlement};

const SCRIPTS: u64 = 100_000;
const THREADS: u64 = 2;

#[test]
fn a_hundred_thousand_hosts() {
    let part = |thread: u64| {
        let mut ends: BTreeMap<(String, &'static str, Option<&'static str>), u64> = BTreeMap::new();
        for seed in (0..SCRIPTS).filter(|seed| seed % THREADS == thread) {
            let story = check(&Plan::of(&mut Random::of(seed)));
            if story.said == "allow" {
                let checks = [3, 7, 11][story.inspected.len()];
                assert_eq!(story.identity_checks, checks, "seed {seed}");
            }
            *ends.entry((story.said, story.place, story.limit)).or_default() += 1;
        }
        ends
    };
    let mut ends: BTreeMap<_, u64> = BTreeMap::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || part(thread))).collect();
        for thread in threads {
            for (end, count) in thread.join().unwrap() {
                *ends.entry(end).or_default() += count;
            }
        }
    });
    // Seeds that never got anywhere would prove nothing.
    let reached = |said: &str, place: &str| ends.keys().any(|(a, b, _)| a == said && *b == place);
    for place in ["preflight", "provider", "provider-result", "evidence", "verdict"] {
        for said in ["cancelled", "stale", "timeout"] {
            assert!(reached(said, place), "no {said} at {place}: {ends:#?}");
        }
    }
    for limit in [
        "path-count",
        "provider-rounds",
        "duplicate-file",
        "context-bytes",
        "file-stat-bytes",
        "file-read-bytes",
    ] {
        assert!(ends.keys().any(|(_, _, of)| *of == Some(limit)), "no {limit}");
    }
    for said in [
        "allow",
        "deny",
        "invalid-response",
        "provider-error",
        "context-overflow",
        "redacted-context",
        "evidence-unavailable",
    ] {
        assert!(ends.keys().any(|(of, _, _)| of == said), "no {said}");
    }
}

#[test]
fn events_in_any_order_stop_nothing() {
    for seed in 0..2_000 {
        let mut random = Random::of(seed);
        let plan = Plan::of(&mut Random::of(seed));
        let mut machine = Classifier::starting_at(0);
        let mut returned = BTreeMap::new();
        let mut starts = 0;
        for step in 0..60 {
            let number = Number(u32::try_from(random.below(20)).unwrap());
            let settlement = match random.below(6) {
                0 => plan.files[0].answer.settlement(),
                1 => plan.replies[0].answer.settlement(Some(1)),
                2 => Settlement::Rejected(Json::Null),
                _ => Settlement::Fulfilled(Json::Bool(true)),
            };
            let event = match random.below(12) {
                0 => {
                    starts += 1;
                    Event::Start { call: Number(1_000 + starts), start: start(&plan), is_cancelled: false }
                }
                1 => Event::Cancel { call: Number(1_000 + starts) },
                2 => Event::TimerFired { number },
                _ => Event::Settled { number, settlement },
            };
            // A clock that stands, leaps, goes back or gives no number.
            let now = random.pick(&[0.0, f64::from(step), 1e9, -5.0, f64::NAN]);
            let before = machine.is_leased();
            let handled = machine.handle(event, now);
            let mut effects = 0;
            while let Some(effect) = machine.poll() {
                effects += 1;
                if let toolgate::machine::Effect::Return { call, result } = effect {
                    inert(&result);
                    assert!(returned.insert(call, ()).is_none(), "seed {seed}: a second return");
                }
            }
            assert!(handled.is_ok() || (effects == 0 && machine.is_leased() == before), "seed {seed}");
        }
    }
}
