//! A session on a host whose every move is chosen from outside. It can be cloned, so that all moves can be tried.

use std::collections::{BTreeMap, VecDeque};

use toolgate::json::{Json, read};
use toolgate::machine::{Effect, Event, Machine, Misuse, Number, Settlement};
use toolgate::review::{
    Ask, Assessment, Audit, Basis, Callbacks, Field, Opening, Remains, Reply, Resolution, ReviewPolicy,
    ReviewSession, Setup, Start, Subject, Warning, parse,
};

use super::samples::{basis, context, request};

/// How the host behaves where no move is needed.
#[derive(Clone, Default)]
pub(crate) struct Plan {
    /// Audits stay open until a move settles them.
    pub(crate) has_slow_audits: bool,
    /// Runs report what they looked at, and the host verifies it.
    pub(crate) observes: bool,
    /// How runs can end.
    pub(crate) runs: &'static [Run],
}

pub(crate) const CLASSIFIERS: usize = 2;

/// Something that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The run that is open comes to an end.
    Run(Run),
    /// The append that is open.
    Append(bool),
    /// The oldest audit that is open.
    Audit(bool),
    /// The verification that is open.
    Verify(bool),
    /// The next timer is due.
    Timer,
    /// The person answers.
    Person(&'static str),
    /// Somebody answers in the name of a classifier.
    Forged,
    /// The policy has another revision from now on.
    Drift,
    EndTurn,
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    Allows,
    WantsPerson,
    /// It answers for another subject.
    Strays,
    Rejects,
}

/// A callback that has not come to its end.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    Run(usize),
    Verify,
    Append(Resolution),
    Audit,
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) session: ReviewSession,
    pub(crate) revision: &'static str,
    queue: VecDeque<Effect<Ask, Reply>>,
    now_ms: f64,
    timers: BTreeMap<Number, f64>,
    pub(crate) pending: BTreeMap<Number, Pending>,
    /// The basis of the subject that each classifier was shown, and how its run ended.
    shown: Vec<Basis>,
    pub(crate) ended: Vec<Option<Run>>,
    /// What the last event that was taken settled.
    last: Option<Number>,
    pub(crate) callers: BTreeMap<Number, Caller>,
    next_call: u32,
    pub(crate) seen: Seen,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Caller {
    Waits,
    Got(Reply),
}

/// What the host saw.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Classifier code that was called, in order: `run 0`.
    pub(crate) called: Vec<String>,
    pub(crate) audits: Vec<Audit>,
    pub(crate) warnings: Vec<Warning>,
    /// Resolutions that the host made durable.
    pub(crate) durable: Vec<Resolution>,
    /// Of each append: the revision at that time, and whether nobody had given up before.
    pub(crate) claims: Vec<(Resolution, &'static str)>,
    /// Nobody is to call classifiers any more.
    pub(crate) is_over: bool,
    /// Code of classifiers that was called all the same.
    pub(crate) called_late: Vec<String>,
}

impl Seen {
    fn call(&mut self, what: &str, classifier: usize) {
        let called = format!("{what} {classifier}");
        if self.is_over {
            self.called_late.push(called.clone());
        }
        self.called.push(called);
    }
}

pub(crate) const POLICY: &str = "gate-policy-v1";

impl World {
    pub(crate) fn new(plan: Plan) -> Self {
        let session = made(&Remains::default());
        let mut world = Self {
            plan,
            session,
            revision: POLICY,
            queue: VecDeque::new(),
            now_ms: 0.0,
            timers: BTreeMap::new(),
            pending: BTreeMap::new(),
            shown: vec![],
            ended: vec![None; CLASSIFIERS],
            last: None,
            callers: BTreeMap::new(),
            next_call: 0,
            seen: Seen::default(),
        };
        let opening = Opening {
            is_gate: true,
            basis: Some(text(&basis())),
            request: Some(text(&*request())),
            context: Some(text(&context())),
            actions: None,
        };
        world.start(Start::Open(opening));
        world.start(Start::Resolution(basis().gate_id));
        world.start(Start::Begin(basis().gate_id));
        world
    }

    /// What can happen now.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = vec![];
        for pending in self.pending.values() {
            moves.extend(match pending {
                Pending::Run(_) => self.plan.runs.iter().copied().map(Move::Run).collect(),
                Pending::Append(_) => vec![Move::Append(true), Move::Append(false)],
                Pending::Verify => vec![Move::Verify(true), Move::Verify(false)],
                Pending::Audit => vec![Move::Audit(true), Move::Audit(false)],
            });
        }
        if !self.timers.is_empty() {
            moves.push(Move::Timer);
        }
        moves
    }

    pub(crate) fn play(&mut self, chosen: Move) {
        match chosen {
            Move::Run(run) => {
                let Some((number, Pending::Run(at))) = self.take(|p| matches!(p, Pending::Run(_))) else {
                    return;
                };
                if self.plan.observes {
                    let observation = r#"{"target":"/workspace/a","token":"1"}"#;
                    self.start(Start::Observe(number, observation.into()));
                }
                self.ended[at] = Some(run);
                self.settle(number, run != Run::Rejects, Json::Null);
            }
            Move::Append(is_durable) => {
                let taken = self.take(|pending| matches!(pending, Pending::Append(_)));
                let Some((number, Pending::Append(resolution))) = taken else { return };
                if is_durable {
                    self.seen.is_over = true;
                    self.seen.durable.push(resolution);
                }
                self.settle(number, is_durable, Json::Null);
            }
            Move::Audit(is_taken) => {
                let Some((number, _)) = self.take(|p| matches!(p, Pending::Audit)) else { return };
                self.settle(number, is_taken, Json::Null);
            }
            Move::Verify(holds) => {
                let Some((number, _)) = self.take(|p| matches!(p, Pending::Verify)) else { return };
                self.settle(number, true, Json::Bool(holds));
            }
            Move::Timer => {
                let next = self.timers.iter().min_by(|a, b| a.1.total_cmp(b.1)).map(|(n, due)| (*n, *due));
                let Some((number, due)) = next else { return };
                self.timers.remove(&number);
                self.now_ms = due;
                self.last = Some(number);
                self.send(Event::TimerFired { number });
            }
            Move::Person(action) => self.answer(action, "user"),
            Move::Forged => self.answer("Approve", "classifier"),
            Move::Drift => self.revision = "gate-policy-v2",
            Move::EndTurn => {
                self.seen.is_over = true;
                self.start(Start::EndTurn(context().coordinates.turn_id));
            }
            Move::Close => {
                self.seen.is_over = true;
                self.start(Start::Close);
            }
        }
    }

    fn answer(&mut self, action: &str, kind: &str) {
        let answer = format!(r#"{{"action":"{action}","source":{{"kind":"{kind}","reason":""}}}}"#);
        self.start(Start::Respond(basis().gate_id, answer));
    }

    fn take(&mut self, is_meant: impl Fn(&Pending) -> bool) -> Option<(Number, Pending)> {
        let number = self.pending.iter().find(|(_, pending)| is_meant(pending)).map(|(number, _)| *number)?;
        self.pending.remove(&number).map(|pending| (number, pending))
    }

    fn settle(&mut self, number: Number, is_fulfilled: bool, value: Json) {
        self.last = Some(number);
        let settlement =
            if is_fulfilled { Settlement::Fulfilled(value) } else { Settlement::Rejected(Json::Null) };
        self.send(Event::Settled { number, settlement });
    }

    /// What was settled last is settled again.
    pub(crate) fn repeat(&mut self) -> Option<Result<(), Misuse>> {
        let number = self.last?;
        let event = Event::Settled { number, settlement: Settlement::Fulfilled(Json::Bool(true)) };
        Some(self.session.handle(event, self.now_ms))
    }

    pub(crate) fn start(&mut self, start: Start) {
        let call = Number(self.next_call);
        self.next_call += 1;
        self.callers.insert(call, Caller::Waits);
        self.send(Event::Start { call, start, is_cancelled: false });
    }

    /// Hands an event in, and does everything that comes of it at once.
    fn send(&mut self, event: Event<Start>) {
        self.handle(event);
        while let Some(effect) = self.queue.pop_front() {
            match effect {
                Effect::Ask { number, ask } => {
                    let settlement = self.asked(&ask);
                    self.handle(Event::Settled { number, settlement });
                }
                Effect::Call { number, ask } => self.called(number, ask),
                Effect::Tell { ask: Ask::Warn(warning) } => self.seen.warnings.push(warning),
                Effect::Tell { .. } | Effect::Keep { .. } => {}
                // A host may settle what was given up; the model tries that by `repeat`.
                Effect::Abort { number } => drop(self.pending.remove(&number)),
                Effect::Arm { number, after_ms } => {
                    self.timers.insert(number, self.now_ms + f64::from(after_ms));
                }
                Effect::Disarm { number } => drop(self.timers.remove(&number)),
                Effect::Return { call, result } => {
                    let before = self.callers.insert(call, Caller::Got(result));
                    assert_eq!(before, Some(Caller::Waits), "two replies to one call");
                }
                Effect::Rethrow { .. } => panic!("a session rethrows nothing"),
            }
        }
    }

    fn handle(&mut self, event: Event<Start>) {
        // Misuse changes nothing.
        let _ = self.session.handle(event, self.now_ms);
        while let Some(effect) = self.session.poll() {
            self.queue.push_back(effect);
        }
    }

    fn asked(&mut self, ask: &Ask) -> Settlement {
        match ask {
            Ask::Applies(place, subject) => {
                self.seen.call("applies", place.classifier);
                let subject = Subject::parse(subject).unwrap();
                self.shown.truncate(place.classifier);
                self.shown.push(subject.basis().clone());
                Settlement::Fulfilled(Json::Bool(true))
            }
            Ask::MarshalInput(place) => {
                self.seen.call("marshalInput", place.classifier);
                Settlement::Fulfilled(Json::Null)
            }
            Ask::ValidateResult(place) => {
                self.seen.call("validateResult", place.classifier);
                let at = place.classifier;
                let mut basis = self.shown[at].clone();
                if self.ended[at] == Some(Run::Strays) {
                    basis.tool_execution_id = basis.gate_id.clone();
                }
                let recommendation =
                    if self.ended[at] == Some(Run::WantsPerson) { "needs_human" } else { "allow" };
                let assessment = Assessment {
                    basis,
                    risk: "low".into(),
                    authorization: "unknown".into(),
                    recommendation: recommendation.into(),
                    ..Assessment::default()
                };
                Settlement::Fulfilled(read(&assessment.text()).unwrap())
            }
            Ask::Live(_) => {
                Settlement::Fulfilled(read(&format!(r#"{{"revision":"{}"}}"#, self.revision)).unwrap())
            }
            other => panic!("{other:?} is not answered at once"),
        }
    }

    fn called(&mut self, number: Number, ask: Ask) {
        let pending = match ask {
            Ask::Run(place, run) => {
                assert_eq!(run, number, "observations repeat the number of the run");
                self.seen.call("run", place.classifier);
                Pending::Run(place.classifier)
            }
            Ask::Verify(_) => Pending::Verify,
            Ask::Append(resolution) => {
                self.seen.claims.push((resolution.clone(), self.revision));
                Pending::Append(resolution)
            }
            Ask::Audit(event) => {
                self.seen.audits.push(event);
                if !self.plan.has_slow_audits {
                    let settlement = Settlement::Fulfilled(Json::Null);
                    return self.handle(Event::Settled { number, settlement });
                }
                Pending::Audit
            }
            other => panic!("{other:?} is no call"),
        };
        self.pending.insert(number, pending);
    }
}

/// A session with two classifiers, on what is left of another one.
pub(crate) fn made(remains: &Remains<'_>) -> ReviewSession {
    let classifiers: Vec<String> = (0..CLASSIFIERS)
        .map(|n| format!(r#"{{"complete":true,"name":"c{n}","revision":"r{n}","timeoutMs":1000}}"#))
        .collect();
    let policy = ReviewPolicy::parse(Some(&format!(r#"{{"revision":"{POLICY}"}}"#))).unwrap();
    let setup = Setup {
        classifiers: &format!("[{}]", classifiers.join(",")),
        policy: Some(&policy.text()),
        limits: None,
        has: Callbacks { verifies: true, reads_basis: false },
    };
    ReviewSession::new(&setup, remains).unwrap()
}

/// The JSON text of a record, which reads back as the same.
fn text<T: toolgate::review::Part + PartialEq + std::fmt::Debug>(part: &T) -> String {
    let mut to = toolgate::json::Canonical::kept();
    part.write(&mut to);
    let text = to.into_text();
    assert_eq!(parse::<T>(&text, Field::Gate).as_ref(), Ok(part));
    text
}
