//! Stories of the auto stage on a scripted host, in a time that only the test moves.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;
use toolgate::auto_stage::{Ask, Considered, Memory, Outcome, Payload, Proposed, Record, Stage, Start};
use toolgate::json::{Json, read};
use toolgate::machine::{Asked, Event, Machine, Misuse, Number, Scripted, Settlement};
use toolgate::vocabulary::{ClassifierFailure as Failure, Kind, PermissionMode, RiskLevel};

const ALLOW: &str = r#"{"verdict":"allow"}"#;
const ASK: &str = r#"{"verdict":"ask","reason":"a rule"}"#;
const ON: &str = r#"{"classifier":{"enabled":true,"timeoutMs":100}}"#;

/// What the fake host answers, and what it saw. Model calls stay open: the script settles them.
struct World {
    settings: &'static str,
    route: &'static str,
    history: &'static str,
    throws: &'static str,
    audits: Vec<(String, Record)>,
    warnings: usize,
    model_calls: Vec<(Number, String)>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            settings: ON,
            route: r#"{"provider":"p","model":"m"}"#,
            history: "[]",
            throws: "",
            audits: vec![],
            warnings: 0,
            model_calls: vec![],
        }
    }
}

impl World {
    fn answer(&mut self, asked: &Asked<Ask>) -> Option<Settlement> {
        let (name, answer) = match &asked.ask {
            Ask::Settings => ("settings", self.settings),
            Ask::Route { .. } => ("route", self.route),
            Ask::History { .. } => ("history", self.history),
            Ask::Audit { session, record } => {
                self.audits.push((session.clone(), record.clone()));
                ("audit", "null")
            }
            Ask::Warn { .. } => {
                self.warnings += 1;
                ("warn", "null")
            }
            Ask::Complete { prompt, .. } => {
                self.model_calls.push((asked.number.unwrap(), prompt.clone()));
                return None;
            }
        };
        if name == self.throws {
            return Some(Settlement::Threw);
        }
        Some(Settlement::Fulfilled(read(answer).unwrap()))
    }
}

type Host = Scripted<Stage, Box<dyn FnMut(&Asked<Ask>) -> Option<Settlement>>>;

fn host_of(stage: Stage, world: &Rc<RefCell<World>>) -> Host {
    let world = Rc::clone(world);
    Scripted::new(stage, Box::new(move |asked| world.borrow_mut().answer(asked)))
}

fn fresh() -> (Host, Rc<RefCell<World>>) {
    let world = Rc::new(RefCell::new(World::default()));
    (host_of(Stage::default(), &world), world)
}

fn proposed(session: &str, line: &str) -> Proposed {
    Proposed {
        session: session.into(),
        tool: "Bash".into(),
        payload: Payload::Command(line.into()),
        decision: Considered {
            mode: PermissionMode::Auto,
            level: RiskLevel::Low,
            kind: Kind::Passthrough,
            effective: Kind::Passthrough,
        },
        is_read_only: false,
    }
}

fn start(host: &mut Host, session: &str, line: &str) -> Number {
    host.start(Start::Call(Box::new(proposed(session, line))))
}

fn said(text: &str) -> Settlement {
    Settlement::Fulfilled(Json::Text(text.into()))
}

fn ask(reason: &str, failure: Option<Failure>) -> Outcome {
    Outcome::Ask { reason: reason.into(), failure }
}

/// The number of the model call that was made last.
fn last_model_call(world: &Rc<RefCell<World>>) -> Number {
    world.borrow().model_calls.last().unwrap().0
}

/// Starts a call and settles its model call.
fn answered(host: &mut Host, world: &Rc<RefCell<World>>, line: &str, settlement: Settlement) -> Outcome {
    let call = start(host, "s", line);
    host.settle(last_model_call(world), settlement).unwrap();
    host.returned[&call].clone().unwrap()
}

fn failures(world: &Rc<RefCell<World>>) -> Vec<Option<Failure>> {
    world.borrow().audits.iter().map(|(_, record)| record.failure).collect()
}

#[test]
fn a_model_that_never_answers_is_given_up_at_the_deadline() {
    let (mut host, world) = fresh();
    let call = start(&mut host, "s", "make");
    host.advance(99.0);
    assert!(host.returned.is_empty());
    host.advance(1.0);
    assert_eq!(host.returned[&call], Some(ask("classifier timed out", Some(Failure::Timeout))));
    let model = last_model_call(&world);
    assert!(host.open[&model], "its signal has fired");

    // What it says afterwards changes nothing.
    let before = host.machine.memory().clone();
    assert_eq!(host.settle(model, said(ALLOW)), Err(Misuse::Late));
    assert_eq!(host.machine.memory(), &before);
    assert_eq!(failures(&world), [Some(Failure::Timeout)]);
    assert_eq!(host.timers(), 0);
}

#[test]
fn a_second_answer_is_ignored() {
    let (mut host, world) = fresh();
    assert_eq!(answered(&mut host, &world, "make", said(ASK)), ask("a rule", None));
    assert_eq!(host.settle(last_model_call(&world), said(ALLOW)), Err(Misuse::Late));
    assert_eq!(host.settle(last_model_call(&world), Settlement::Rejected(Json::Null)), Err(Misuse::Late));
    assert_eq!(failures(&world), [None]);
}

#[test]
fn an_answer_that_comes_when_its_time_is_over_is_late_even_before_the_timer() {
    let timeout = || ask("classifier timed out", Some(Failure::Timeout));
    // A clock that gives no number is past every deadline.
    for (busy, expected) in
        [(99.9, Outcome::Allow), (100.0, timeout()), (1e9, timeout()), (f64::NAN, timeout())]
    {
        let (mut host, world) = fresh();
        let call = start(&mut host, "s", "make");
        host.stall(busy);
        host.settle(last_model_call(&world), said(ALLOW)).unwrap();
        assert_eq!(host.returned[&call], Some(expected), "{busy}");
        assert_eq!(host.timers(), 0);
    }
}

#[test]
fn whatever_is_no_verdict_asks() {
    let cases = [
        (Settlement::Threw, "classifier error", Failure::Error),
        (Settlement::Rejected(Json::Text("secret".into())), "classifier error", Failure::Error),
        (Settlement::Unreadable, "classifier error", Failure::Error),
        (Settlement::Fulfilled(Json::Null), "classifier error", Failure::Error),
        (Settlement::Fulfilled(Json::Bool(true)), "classifier error", Failure::Error),
        (Settlement::WithBytes(Json::Text(ALLOW.into()), vec![1]), "classifier error", Failure::Error),
        (Settlement::Fulfilled(read(ALLOW).unwrap()), "classifier error", Failure::Error),
        (said("sure, go ahead"), "classifier output unparseable", Failure::Malformed),
        (said(r#"{"verdict":"deny"}"#), "classifier output unparseable", Failure::Malformed),
    ];
    for (settlement, reason, failure) in cases {
        let (mut host, world) = fresh();
        let title = format!("{settlement:?}");
        assert_eq!(answered(&mut host, &world, "make", settlement), ask(reason, Some(failure)), "{title}");
        assert_eq!(failures(&world), [Some(failure)], "{title}");
    }
}

#[test]
fn a_caller_that_gives_up_is_answered_at_once_and_nothing_is_counted() {
    let (mut host, world) = fresh();
    for line in ["a", "b", "c", "d"] {
        let call = start(&mut host, "s", line);
        host.cancel(call).unwrap();
        let expected = ask("classification cancelled by caller", Some(Failure::Cancelled));
        assert_eq!(host.returned[&call], Some(expected));
        assert!(host.open[&last_model_call(&world)]);
        assert_eq!(host.cancel(call), Err(Misuse::Late));
    }
    assert_eq!(world.borrow().warnings, 0);
    assert_eq!(answered(&mut host, &world, "e", said(ALLOW)), Outcome::Allow);
}

#[test]
fn a_host_that_throws_ends_the_call_with_what_it_threw() {
    for throws in ["settings", "history", "audit"] {
        let (mut host, world) = fresh();
        world.borrow_mut().throws = throws;
        let call = start(&mut host, "s", "make");
        if throws == "audit" {
            host.settle(last_model_call(&world), said(ALLOW)).unwrap();
        }
        assert_eq!(host.returned[&call], None, "{throws}");
        // The session's log is still to be read.
        world.borrow_mut().throws = "";
        world.borrow_mut().history = r#"[{"provider":"p","model":"m","failure":"error"}]"#;
        start(&mut host, "s", "other");
        let seeded = host.machine.memory().snapshot(false).contains(r#""failures":{"p/m":1}"#);
        assert_eq!(seeded, throws != "audit", "{throws}");
    }
}

#[test]
fn a_host_that_throws_in_warn_or_has_no_route_is_unarmed_once() {
    let (mut host, world) = fresh();
    for (throws, route) in [
        ("route", "null"),
        ("warn", "null"),
        ("", r#"{"provider":"p"}"#),
        ("", r#"{"provider":"","model":"m"}"#),
        ("", r#"{"provider":1,"model":"m"}"#),
        ("", "\"p/m\""),
    ] {
        world.borrow_mut().throws = throws;
        world.borrow_mut().route = route;
        let call = start(&mut host, "s", "make");
        assert_eq!(host.returned[&call], Some(Outcome::NoOpinion));
    }
    assert_eq!(failures(&world), [Some(Failure::Unarmed)]);
    assert_eq!((world.borrow().warnings, world.borrow().model_calls.len()), (1, 0));
}

#[test]
fn calls_at_the_same_time_lose_no_count() {
    let (mut host, world) = fresh();
    let calls: Vec<Number> =
        (0..5).map(|n| start(&mut host, &format!("s{n}"), &format!("make {n}"))).collect();
    let models: Vec<Number> = world.borrow().model_calls.iter().map(|(number, _)| *number).collect();
    host.settle(models[4], said("?")).unwrap();
    host.settle(models[0], Settlement::Threw).unwrap();
    let snapshot = host.machine.memory().snapshot(false);
    assert!(snapshot.contains(r#""failures":{"p/m":2},"open":[]"#), "{snapshot}");
    host.advance(100.0);
    // The third opens the route, once; those that fail after it only fail.
    let failed: Vec<_> = failures(&world).into_iter().flatten().collect();
    assert_eq!(
        failed,
        [
            Failure::Malformed,
            Failure::Error,
            Failure::Breaker,
            Failure::Timeout,
            Failure::Timeout,
            Failure::Timeout
        ]
    );
    assert_eq!(world.borrow().warnings, 1);
    assert_eq!(world.borrow().audits[2].0, "s1");
    assert_eq!(host.returned.len(), calls.len());
    assert!(host.returned.values().all(|outcome| matches!(outcome, Some(Outcome::Ask { .. }))));
}

#[test]
fn a_verdict_that_comes_after_the_route_opened_counts_and_does_not_close_it() {
    let (mut host, world) = fresh();
    let slow = start(&mut host, "s", "slow");
    let model = last_model_call(&world);
    for line in ["a", "b", "c"] {
        answered(&mut host, &world, line, said("?"));
    }
    host.settle(model, said(ALLOW)).unwrap();
    assert_eq!(host.returned[&slow], Some(Outcome::Allow));
    let call = start(&mut host, "s", "d");
    assert_eq!(host.returned[&call], Some(Outcome::NoOpinion));
}

#[test]
fn settings_that_change_meanwhile_keep_the_verdict_out_of_the_cache() {
    let (mut host, world) = fresh();
    let call = start(&mut host, "s", "make");
    let model = last_model_call(&world);
    world.borrow_mut().settings = r#"{"classifier":{"enabled":true,"timeoutMs":101}}"#;
    answered(&mut host, &world, "other", said(ALLOW));
    host.settle(model, said(ALLOW)).unwrap();
    assert_eq!(host.returned[&call], Some(Outcome::Allow));
    assert_eq!(answered(&mut host, &world, "make", said(ASK)), ask("a rule", None));
    assert_eq!(world.borrow().model_calls.len(), 3);
}

#[test]
fn a_rebuild_meanwhile_keeps_the_verdict_out_of_the_cache_and_the_failure_in_the_count() {
    let (mut host, world) = fresh();
    let calls = [start(&mut host, "s", "a"), start(&mut host, "s", "b")];
    host.start(Start::Rebuild);
    let models: Vec<Number> = world.borrow().model_calls.iter().map(|(number, _)| *number).collect();
    host.settle(models[0], said(ALLOW)).unwrap();
    host.settle(models[1], said("?")).unwrap();
    assert_eq!(host.returned[&calls[0]], Some(Outcome::Allow));
    let snapshot = host.machine.memory().snapshot(true);
    assert!(snapshot.contains(r#""failures":{"p/m":1}"#) && snapshot.contains(r#""cache":[]"#), "{snapshot}");
}

#[test]
fn a_kept_verdict_asks_no_model_and_arms_no_timer() {
    let (mut host, world) = fresh();
    answered(&mut host, &world, "make", said(ASK));
    let call = start(&mut host, "t", "make");
    assert_eq!(host.returned[&call], Some(ask("a rule", None)));
    assert_eq!((world.borrow().model_calls.len(), host.timers(), host.open.len()), (1, 0, 0));
    let (session, record) = world.borrow().audits[1].clone();
    assert_eq!((session.as_str(), record.is_cache_hit, record.latency_ms), ("t", true, 0));
}

#[test]
fn only_an_open_question_is_asked() {
    use Kind::{Allow, Ask, Deny, Passthrough};
    let (mut host, world) = fresh();
    for mode in PermissionMode::ALL {
        for level in RiskLevel::ALL {
            for (kind, effective) in [Allow, Ask, Deny, Passthrough]
                .into_iter()
                .flat_map(|kind| Kind::ALL.iter().map(move |other| (kind, *other)))
            {
                for is_read_only in [false, true] {
                    let decision = Considered { mode: *mode, level: *level, kind, effective };
                    let before = world.borrow().model_calls.len();
                    let call = Proposed { decision, is_read_only, ..proposed("s", &format!("{before}")) };
                    let call = host.start(Start::Call(Box::new(call)));
                    let is_asked = world.borrow().model_calls.len() > before;
                    let is_open = *mode == PermissionMode::Auto
                        && *level == RiskLevel::Low
                        && !is_read_only
                        && (kind == Passthrough || (kind == Ask && effective == Allow));
                    assert_eq!(is_asked, is_open, "{decision:?} {is_read_only}");
                    if is_asked {
                        host.settle(last_model_call(&world), said(ALLOW)).unwrap();
                    } else {
                        assert_eq!(host.returned[&call], Some(Outcome::NoOpinion));
                    }
                }
            }
        }
    }
    assert_eq!(world.borrow().model_calls.len(), 5);
    assert_eq!(failures(&world), [None; 5]);
}

#[test]
fn a_log_is_read_record_by_record() {
    let (mut host, world) = fresh();
    world.borrow_mut().history = r#"[7,null,{"failure":"error"},{"provider":"p","model":"m","failure":"error"},
        {"provider":"p","model":"m","failure":5},{"provider":"p","model":"m","failure":"timeout"}]"#;
    start(&mut host, "s", "make");
    assert!(host.machine.memory().snapshot(false).contains(r#""failures":{"p/m":2}"#));
}

#[test]
fn what_must_not_be_lost_is_said_before_anything_is_done() {
    let (mut host, world) = fresh();
    for line in ["a", "b", "c"] {
        answered(&mut host, &world, line, said("?"));
        assert_eq!(host.kept, Some(host.machine.memory().snapshot(false)));
    }
    let kept = Memory::restore(&read(&host.kept.clone().unwrap()).unwrap()).unwrap();
    let mut other = host_of(Stage::new(kept, 1_000), &world);
    let call = start(&mut other, "s", "d");
    assert_eq!(other.returned[&call], Some(Outcome::NoOpinion));
    // Numbers of the lost machine are late here.
    assert_eq!(other.settle(Number(3), said(ALLOW)), Err(Misuse::Late));
    assert_eq!(other.settle(Number(2_000), said(ALLOW)), Err(Misuse::Unknown));
}

#[test]
fn a_call_number_that_is_in_use_starts_nothing() {
    let (mut host, _) = fresh();
    let call = start(&mut host, "s", "make");
    let again =
        Event::Start { call, start: Start::Call(Box::new(proposed("s", "other"))), is_cancelled: false };
    assert_eq!(host.send(again), Err(Misuse::InUse));
    assert_eq!(host.open.len(), 1);
}

/// What a generated host does next.
#[derive(Clone, Debug)]
enum Act {
    Call(u8, u8, bool),
    Settle(usize, u8),
    Cancel(usize),
    Advance(u8),
    Rebuild,
    Restore,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u8..3, 0u8..4, prop::bool::weighted(0.1)).prop_map(|(s, l, c)| Act::Call(s, l, c)),
        4 => (0usize..8, 0u8..5).prop_map(|(at, how)| Act::Settle(at, how)),
        1 => (0usize..8).prop_map(Act::Cancel),
        1 => (0u8..120).prop_map(Act::Advance),
        1 => Just(Act::Rebuild),
        1 => Just(Act::Restore),
    ]
}

proptest! {
    /// Whatever a host does: each call is answered once, at the latest at its deadline, and is allowed only where a model said
    /// so of the same line. A snapshot taken at rest is where another stage goes on.
    #[test]
    fn every_call_is_answered_once_and_nothing_is_allowed_unsaid(acts in prop::collection::vec(act(), 0..60)) {
        let (mut host, world) = fresh();
        let mut lines: BTreeMap<Number, String> = BTreeMap::new();
        let mut allowed: Vec<String> = vec![];
        let mut settled: Vec<Number> = vec![];
        for act in acts {
            match act {
                Act::Call(session, line, is_cancelled) => {
                    let line = format!("line {line}");
                    let start = Start::Call(Box::new(proposed(&session.to_string(), &line)));
                    lines.insert(host.start_with(start, is_cancelled), line);
                }
                Act::Settle(at, how) => {
                    let made = world.borrow().model_calls.clone();
                    let Some((number, prompt)) = made.get(made.len().saturating_sub(at + 1)) else { continue };
                    let settlement = match how {
                        0 | 1 => said(ALLOW),
                        2 => said(ASK),
                        3 => said("?"),
                        _ => Settlement::Threw,
                    };
                    let is_new = host.settle(*number, settlement).is_ok();
                    prop_assert!(!(is_new && settled.contains(number)), "settled twice");
                    settled.push(*number);
                    if is_new && how < 2 {
                        allowed.push(prompt.clone());
                    }
                }
                Act::Cancel(at) => {
                    if let Some(call) = lines.keys().rev().nth(at).copied() {
                        let was_open = !host.returned.contains_key(&call);
                        prop_assert_eq!(host.cancel(call).is_ok(), was_open);
                    }
                }
                Act::Advance(ms) => host.advance(ms.into()),
                Act::Rebuild => {
                    host.start(Start::Rebuild);
                }
                Act::Restore => {
                    let snapshot = host.machine.memory().snapshot(true);
                    let memory = Memory::restore(&read(&snapshot).unwrap()).unwrap();
                    prop_assert_eq!(&memory.snapshot(true), &snapshot);
                }
            }
            prop_assert!(host.machine.poll().is_none());
        }
        host.advance(100.0);
        prop_assert_eq!(host.timers(), 0);
        for (call, line) in &lines {
            let outcome = host.returned.get(call).unwrap().as_ref().unwrap();
            if *outcome == Outcome::Allow {
                prop_assert!(allowed.iter().any(|prompt| prompt.contains(line)), "{line} was never allowed");
            }
        }
    }
}
