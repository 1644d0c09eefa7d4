//! The machine of review gates: gates that a person can answer at any moment, and reviews beside them (review.md section 11).
//!
//! ```text
//! Open ──▶ open ──claim──▶ claimed ──append succeeds──▶ resolved
//!           ▲                 │
//!           └──append fails───┘
//! ```
//!
//! A claim is the one door: whoever comes first, person or review, goes through; the other changes nothing. What a review does
//! step by step stands in `course`.
//!
//! Invariants, asserted after every step by `tests/review_model.rs`: a gate is resolved at most once; a review leads to
//! `Approve` or to nothing, and to nothing once the policy or the gate's basis has changed; each classifier of a review is
//! told of once in a started event at most, and once in a completed one.

use super::assessment::Observation;
use super::audit::Audit;
use super::breaker::{Breaker, Counts};
use super::classifiers::{Classifier, ReviewLimits, parse_classifiers};
use super::context::Coordinates;
use super::course::Review;
use super::gate::{Answer, Gate, Opening, Resolution, State, refuse};
use super::kept::{Kept, KeptGate};
use super::policy::ReviewPolicy;
use super::refusal::{Checked, Refusal, ensure};
use super::words::{Action, Field, Reason};
use crate::machine::{Effect, Effects, Event, Machine, Misuse, Number, Open, Settlement};

/// What a caller wants of a session. Gates are named by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// `openGate`
    Open(Opening),
    /// The opening is known to the caller: the review may begin.
    Begin(String),
    /// `respond`, with the JSON text of the answer.
    Respond(String, String),
    /// `resolution`
    Resolution(String),
    /// `endTurn`
    EndTurn(String),
    /// `close`
    Close,
    /// A classifier reports what it looked at: the number of its run, and the JSON text.
    Observe(Number, String),
}

/// What a caller gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done.
    Done,
    /// The gate is resolved.
    Resolved(Resolution),
    /// It is refused.
    Refused(Refusal),
}

/// What a session wants of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `applies`, with the JSON text of the subject, which the next three are about as well.
    Applies(Place, String),
    /// `marshalInput`
    MarshalInput(Place),
    /// `run`, with the number that observations repeat.
    Run(Place, Number),
    /// `validateResult` of what the run gave.
    ValidateResult(Place),
    /// `verifyObservations`
    Verify(Vec<Observation>),
    /// `currentPolicyRevision`, and then `currentBasis` of that gate where there is one: `{revision, basis}`.
    Live(String),
    /// `appendResolution`
    Append(Resolution),
    /// `audit`
    Audit(Audit),
    /// `interrupt`
    Interrupt(Coordinates),
    /// `warn`
    Warn(Warning),
    /// No further review begins.
    Tripped,
    /// The session is closed, and nothing of it is under way any more.
    Idle,
}

/// A classifier in the review of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The gate.
    pub gate: String,
    /// The classifier, counted from 0.
    pub classifier: usize,
}

/// What a host is warned of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The host could capture no context.
    ContextMissing,
    /// The approval of a review could not be made durable.
    AppendFailed,
    /// An audit event was not taken.
    AuditFailed,
    /// A turn's breaker tripped.
    TurnLimit,
    /// The session's breaker tripped.
    SessionLimit,
    /// A classifier threw in one of its methods.
    Threw(usize, &'static str),
}

/// What a number is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// The one callback that the review of a gate waits for.
    Answer(String),
    /// The time limit of that.
    Limit(String),
    /// The resolution of a gate is being made durable.
    Append(String),
}

/// Who waits for something of a gate.
#[derive(Clone, Debug)]
struct Caller {
    call: Number,
    gate: String,
    /// The one who answered, or one who waits for the resolution.
    answered: bool,
}

/// A session.
#[derive(Clone, Debug)]
pub struct ReviewSession {
    pub(super) policy: ReviewPolicy,
    pub(super) classifiers: Vec<Classifier>,
    /// Which optional callbacks the host has.
    pub(super) has: Callbacks,
    /// In order of opening, those that are resolved too.
    gates: Vec<Gate>,
    /// In order of opening.
    pub(super) reviews: Vec<Review>,
    pub(super) breaker: Breaker,
    pub(super) has_failed_audit: bool,
    is_closed: bool,
    is_idle: bool,
    callers: Vec<Caller>,
    pub(super) open: Open<Waits>,
    pub(super) effects: Effects<Ask, Reply>,
    /// Something changed that outlives a stop.
    pub(super) is_changed: bool,
}

/// Callbacks that a host may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Callbacks {
    /// `verifyObservations`
    pub verifies: bool,
    /// `currentBasis`
    pub reads_basis: bool,
}

/// What a session is made of: the JSON texts that the façade made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'s> {
    /// See [`parse_classifiers`].
    pub classifiers: &'s str,
    /// `None`: it is not sealed.
    pub policy: Option<&'s str>,
    /// `None`: not given.
    pub limits: Option<&'s str>,
    /// Which optional callbacks there are.
    pub has: Callbacks,
}

/// What is left of a session whose machine was lost.
#[derive(Clone, Debug, Default)]
pub struct Remains<'s> {
    /// What it kept last.
    pub kept: Option<&'s str>,
    /// Where the numbers begin.
    pub first: u32,
    /// How appends ended that it did not hear of.
    pub appends: Vec<(String, bool)>,
}

impl ReviewSession {
    /// Checks what a host hands over (section 11.1, from step 2 on).
    pub fn new(setup: &Setup<'_>, remains: &Remains<'_>) -> Checked<Self> {
        let classifiers = parse_classifiers(setup.classifiers)?;
        let policy = setup.policy.ok_or(Refusal::new(Field::Policy, Reason::Invalid))?;
        let policy = ReviewPolicy::parse(Some(policy))?;
        let limits = ReviewLimits::parse(setup.limits)?;
        let kept = match remains.kept {
            None => Kept::default(),
            // What cannot be read back is a session that takes no gates (invariant "tightening").
            Some(text) => Kept::parse(text).unwrap_or(Kept { is_closed: true, ..Kept::default() }),
        };
        let mut session = Self {
            policy,
            classifiers,
            has: setup.has,
            gates: vec![],
            reviews: vec![],
            breaker: Breaker::new(limits, kept.counts.clone()),
            has_failed_audit: kept.has_failed_audit,
            is_closed: kept.is_closed,
            is_idle: false,
            callers: vec![],
            open: Open::starting_at(remains.first),
            effects: Effects::default(),
            is_changed: false,
        };
        let (gates, pending) = kept.gates(&remains.appends);
        session.gates = gates;
        for (number, gate) in pending {
            session.open.restore(Number(u32::try_from(number).unwrap_or(u32::MAX)), Waits::Append(gate));
        }
        Ok(session)
    }

    /// Whether no further review begins: the session's breaker tripped, or an audit failed.
    pub fn has_tripped(&self) -> bool {
        self.has_failed_audit || self.breaker.has_tripped()
    }

    /// How a gate was resolved, if it was.
    pub fn resolution(&self, gate: &str) -> Option<&Resolution> {
        match &self.gate(gate)?.state {
            State::Resolved(resolution) => Some(resolution),
            State::Open | State::Claimed(_) => None,
        }
    }

    /// The gate of that id.
    pub(super) fn gate(&self, id: &str) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.id == id)
    }

    fn gate_mut(&mut self, id: &str) -> Option<&mut Gate> {
        self.gates.iter_mut().find(|gate| gate.id == id)
    }

    fn start(&mut self, call: Number, start: Start, now_ms: f64) {
        let reply = match start {
            Start::Open(opening) => self.open_gate(&opening).map(|()| Reply::Done),
            Start::Begin(gate) => {
                self.reply(call, Reply::Done);
                return self.begin(&gate, now_ms);
            }
            Start::Respond(gate, answer) => match self.respond(&gate, &answer) {
                // The reply comes with the end of the append.
                Ok(resolution) => {
                    self.callers.push(Caller { call, gate: gate.clone(), answered: true });
                    return self.claim(&gate, resolution);
                }
                Err(refusal) => Err(refusal),
            },
            Start::Resolution(gate) => match self.gate(&gate).map(|gate| &gate.state) {
                None => Err(refuse(Reason::NotFound)),
                Some(State::Resolved(resolution)) => Ok(Reply::Resolved(resolution.clone())),
                Some(State::Open | State::Claimed(_)) => {
                    return self.callers.push(Caller { call, gate, answered: false });
                }
            },
            Start::EndTurn(turn) => {
                self.reply(call, Reply::Done);
                return self.end_turn(&turn, now_ms);
            }
            Start::Close => {
                self.reply(call, Reply::Done);
                return self.close(now_ms);
            }
            Start::Observe(run, text) => {
                self.observe(run, &text);
                Ok(Reply::Done)
            }
        };
        self.reply(call, reply.unwrap_or_else(Reply::Refused));
    }

    fn open_gate(&mut self, opening: &Opening) -> Checked<()> {
        ensure(!self.is_closed, Field::Gate, Reason::NotReady)?;
        let gate = Gate::open(opening, !self.classifiers.is_empty())?;
        ensure(self.gate(&gate.id).is_none(), Field::Gate, Reason::Duplicate)?;
        self.gates.push(gate);
        self.is_changed = true;
        Ok(())
    }

    /// The review of a gate begins, unless something speaks against it.
    fn begin(&mut self, id: &str, now_ms: f64) {
        let has_tripped = self.has_tripped();
        let Some(gate) = self.gate_mut(id) else { return };
        let Some(material) = gate.material.take() else { return };
        let is_open = gate.state == State::Open;
        let has_tripped_turn = material.turn.as_ref().is_some_and(|turn| self.breaker.has_tripped_turn(turn));
        if !is_open || has_tripped || has_tripped_turn {
            return;
        }
        match Review::new(material) {
            None => self.warn(Warning::ContextMissing),
            Some(review) => {
                self.reviews.push(review);
                self.with_review(id, |session, review| session.next_classifier(review), now_ms);
            }
        }
    }

    /// An answer from outside that may claim the gate.
    fn respond(&self, id: &str, answer: &str) -> Checked<Resolution> {
        let Answer { action, source } = Answer::read(answer)?;
        let gate = self.gate(id).filter(|_| !self.is_closed).ok_or(refuse(Reason::NotFound))?;
        match gate.state {
            State::Resolved(_) => Err(refuse(Reason::NotFound)),
            State::Claimed(_) => Err(refuse(Reason::NotReady)),
            State::Open => {
                let offers = Action::parse(&action).is_some_and(|action| gate.actions.contains(&action));
                ensure(offers, Field::Gate, Reason::ActionInvalid)?;
                Ok(Resolution { gate_id: id.into(), action, source })
            }
        }
    }

    /// Claims an open gate. From here on nobody else can.
    pub(super) fn claim(&mut self, id: &str, resolution: Resolution) {
        let Some(gate) = self.gate_mut(id) else { return };
        gate.state = State::Claimed(resolution.clone());
        self.is_changed = true;
        let number = self.open.add(Waits::Append(id.into()));
        self.effects.want(Effect::Call { number, ask: Ask::Append(resolution) });
    }

    /// The host made a resolution durable, or could not.
    fn appended(&mut self, id: &str, is_durable: bool, now_ms: f64) {
        let Some(gate) = self.gate_mut(id) else { return };
        let State::Claimed(resolution) = &gate.state else { return };
        let resolution = resolution.clone();
        gate.state = if is_durable { State::Resolved(resolution.clone()) } else { State::Open };
        self.is_changed = true;
        if !is_durable && self.is_closed {
            self.forget(id);
        }
        for caller in self.callers_of(id, is_durable || self.is_closed) {
            let reply = match (caller.answered, is_durable) {
                (true, true) => Reply::Done,
                (false, true) => Reply::Resolved(resolution.clone()),
                (true, false) => Reply::Refused(refuse(Reason::AppendFailed)),
                (false, false) => Reply::Refused(refuse(Reason::NotFound)),
            };
            self.reply(caller.call, reply);
        }
        self.with_review(
            id,
            |session, review| {
                if review.claims() {
                    session.applied(review, is_durable);
                } else if is_durable {
                    session.cancel(review);
                }
            },
            now_ms,
        );
    }

    fn forget(&mut self, id: &str) {
        if let Some(place) = self.gates.iter().position(|gate| gate.id == id) {
            self.gates.remove(place);
        }
    }

    /// Takes out those who wait for a gate: the one who answered, and all others where it is over with the gate.
    fn callers_of(&mut self, id: &str, is_over: bool) -> Vec<Caller> {
        let (mut of_gate, mut others) = (vec![], vec![]);
        for caller in std::mem::take(&mut self.callers) {
            let is_meant = caller.gate == id && (caller.answered || is_over);
            if is_meant { &mut of_gate } else { &mut others }.push(caller);
        }
        self.callers = others;
        of_gate
    }

    fn end_turn(&mut self, turn: &str, now_ms: f64) {
        self.breaker.end(turn);
        self.is_changed = true;
        let is_of_turn = |other: &Option<String>| other.as_deref() == Some(turn);
        for gate in &mut self.gates {
            if gate.material.as_ref().is_some_and(|material| is_of_turn(&material.turn)) {
                gate.material = None;
            }
        }
        self.cancel_all(|review| is_of_turn(review.turn()), now_ms);
    }

    fn close(&mut self, now_ms: f64) {
        self.is_closed = true;
        self.is_changed = true;
        self.cancel_all(|_| true, now_ms);
        let mut forgotten = vec![];
        for gate in &self.gates {
            if gate.state == State::Open {
                forgotten.push(gate.id.clone());
            }
        }
        for id in forgotten {
            self.forget(&id);
            for caller in self.callers_of(&id, true) {
                self.reply(caller.call, Reply::Refused(refuse(Reason::NotFound)));
            }
        }
    }

    fn cancel_all(&mut self, is_meant: impl Fn(&Review) -> bool, now_ms: f64) {
        let mut meant = vec![];
        for review in &self.reviews {
            if is_meant(review) {
                meant.push(review.gate().to_owned());
            }
        }
        for id in meant {
            self.with_review(&id, Self::cancel, now_ms);
        }
    }

    /// Goes on with the review of a gate, if there is one, and lets go of it when it is over.
    pub(super) fn with_review(&mut self, id: &str, go_on: impl FnOnce(&mut Self, &mut Review), now_ms: f64) {
        if let Some((place, mut review)) = self.take_review(id) {
            review.now_ms = now_ms;
            go_on(self, &mut review);
            self.put_back(place, review);
        }
    }

    #[inline(never)]
    fn take_review(&mut self, id: &str) -> Option<(usize, Review)> {
        let place = self.reviews.iter().position(|review| review.gate() == id)?;
        Some((place, self.reviews.remove(place)))
    }

    #[inline(never)]
    fn put_back(&mut self, place: usize, review: Review) {
        if !review.is_over() {
            self.reviews.insert(place, review);
        }
    }

    fn reply(&mut self, call: Number, result: Reply) {
        self.effects.want(Effect::Return { call, result });
    }

    pub(super) fn tell(&mut self, ask: Ask) {
        self.effects.want(Effect::Tell { ask });
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        self.tell(Ask::Warn(warning));
    }

    /// What outlives a stop of the core.
    pub fn kept(&self) -> String {
        let append_of = |id: &str| {
            let is_its = |item: &(Number, &Waits)| *item.1 == Waits::Append(id.into());
            self.open.iter().find(is_its).map(|(number, _)| number.0)
        };
        let mut gates = vec![];
        for gate in &self.gates {
            let append = if matches!(gate.state, State::Claimed(_)) { append_of(&gate.id) } else { None };
            gates.push(KeptGate::of(gate, append));
        }
        let counts: Counts = self.breaker.counts().clone();
        let (is_closed, has_failed_audit) = (self.is_closed, self.has_failed_audit);
        Kept { is_closed, has_failed_audit, counts, gates }.text()
    }

    /// What is said once an event was handled: what to keep, and that a closed session has come to rest.
    fn settle_down(&mut self) {
        let rests = self.is_closed && self.reviews.is_empty() && self.open.iter().next().is_none();
        if rests && !self.is_idle {
            self.is_idle = true;
            self.tell(Ask::Idle);
        }
        if std::mem::take(&mut self.is_changed) {
            self.effects.want_first(Effect::Keep { snapshot: self.kept() });
        }
    }
}

impl Machine for ReviewSession {
    type Start = Start;
    type Ask = Ask;
    type Result = Reply;

    fn handle(&mut self, event: Event<Start>, now_ms: f64) -> Result<(), Misuse> {
        match event {
            Event::Start { call, .. } if self.callers.iter().any(|caller| caller.call == call) => {
                return Err(Misuse::InUse);
            }
            Event::Start { call, start, .. } => self.start(call, start, now_ms),
            // No caller of a session has a signal.
            Event::Cancel { .. } => return Err(Misuse::Unknown),
            Event::Settled { number, settlement } => {
                match self.open.take(number, |item| !matches!(item, Waits::Limit(_)))? {
                    Waits::Append(gate) => {
                        let failed = matches!(settlement, Settlement::Threw | Settlement::Rejected(_));
                        self.appended(&gate, !failed, now_ms);
                    }
                    Waits::Answer(gate) | Waits::Limit(gate) => {
                        let go_on =
                            |session: &mut Self, review: &mut Review| session.answered(review, settlement);
                        self.with_review(&gate, go_on, now_ms);
                    }
                }
            }
            Event::TimerFired { number } => {
                let (Waits::Limit(gate) | Waits::Answer(gate) | Waits::Append(gate)) =
                    self.open.take(number, |item| matches!(item, Waits::Limit(_)))?;
                self.with_review(&gate, Self::expired, now_ms);
            }
        }
        self.settle_down();
        Ok(())
    }

    fn poll(&mut self) -> Option<Effect<Ask, Reply>> {
        self.effects.poll()
    }
}
