//! The machine: who may start, and what crosses to the host (evidence.md sections 4, 7 and 10).

use std::mem;

use super::confinement::check_path;
use super::diagnostic::Diagnostic;
use super::prompt::Prompt;
use super::reply::Fault;
use super::request::{self, Facts, Refusal, Request};
use super::rounds::{Run, State, begin};
use super::usage::Usage;
use super::words::{ClassifierError, EvidenceLimit, ReturnPath};
use crate::limits;
use crate::machine::{Effect, Effects, Event, Machine, Misuse, Number, Open};

/// What a caller hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The JSON text of the request; none where it has none.
    pub request: Option<String>,
    /// What was found wrong before: the request is too large to be handed over whole, so that `request` tells its facts alone, or
    /// something beside it has another shape.
    pub refusal: Option<ClassifierError>,
    /// Whether the host can tell sizes and read files.
    pub has_files: bool,
    /// Whether a callback is open, be it of this machine or of a lost one.
    pub is_held: bool,
    /// Thirty-two lower-case hex digits; none where there is no randomness.
    pub nonce: Option<String>,
}

/// What the machine wants of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The lease is taken for the request with this text; without one it is released.
    Lease(Option<String>),
    /// The size of a file.
    Size(String),
    /// Whether the request is still the current one.
    Identity,
    /// A model's reply.
    Model(ModelCall),
    /// The content of a file, [`EVIDENCE_FILE_BYTES`](limits::EVIDENCE_FILE_BYTES) and one more.
    Inspection(String),
    /// A model call settled after the result: what it took.
    LateReceipt(Option<Usage>, Diagnostic),
}

/// One call of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// From 1.
    pub round: usize,
    /// What is asked; [`SYSTEM`](super::SYSTEM) goes with it.
    pub prompt: String,
    /// The files that the tool offers; without any there is no tool.
    pub candidates: Vec<String>,
    /// Milliseconds until the call is given up.
    pub deadline_ms: u32,
}

/// What a caller gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict, or why there is none.
    pub judgement: Judgement,
    /// Tokens of all calls that settled; none where they are unknown.
    pub usage: Option<Usage>,
    /// How it went.
    pub diagnostic: Diagnostic,
    /// Whether a memory context came with an action that writes to a memory; none for other actions.
    pub memory: Option<bool>,
}

/// A verdict, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The action may run.
    Allow(String),
    /// It may not.
    Deny(String),
    /// Nobody knows.
    Unavailable(ClassifierError),
}

/// What a number is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Callback,
    Timer,
}

/// What is open, and what is to be done.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    open: Open<Item>,
    effects: Effects<Ask, Outcome>,
}

impl Desk {
    pub(super) fn call(&mut self, ask: Ask) -> Number {
        let number = self.open.add(Item::Callback);
        self.effects.want(Effect::Call { number, ask });
        number
    }

    pub(super) fn tell(&mut self, ask: Ask) {
        self.effects.want(Effect::Tell { ask });
    }

    pub(super) fn arm(&mut self, after_ms: u32) -> Number {
        let number = self.open.add(Item::Timer);
        self.effects.want(Effect::Arm { number, after_ms });
        number
    }

    /// Stops a timer that runs.
    pub(super) fn disarm(&mut self, number: Number) {
        if self.open.drop(number).is_some() {
            self.effects.want(Effect::Disarm { number });
        }
    }

    pub(super) fn abort(&mut self, number: Number) {
        self.effects.want(Effect::Abort { number });
    }

    pub(super) fn end(&mut self, call: Number, result: Outcome) {
        self.effects.want(Effect::Return { call, result });
    }
}

/// The evidence classifier of one host.
#[derive(Debug)]
pub struct Classifier {
    desk: Desk,
    state: State,
}

impl Classifier {
    /// A classifier whose lease is free. Numbers begin at `first`.
    pub fn starting_at(first: u32) -> Self {
        Self {
            desk: Desk { open: Open::starting_at(first), effects: Effects::default() },
            state: State::Idle,
        }
    }

    /// Whether a classification runs, or its last callback has not settled yet.
    pub fn is_leased(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn start(&mut self, call: Number, start: &Start, is_cancelled: bool, now_ms: f64) {
        let text = start.request.as_deref().unwrap_or("null");
        let (facts, request) = request::read(text);
        let ready = if is_cancelled {
            Err((ClassifierError::Cancelled, None))
        } else if start.is_held || self.is_leased() {
            Err((ClassifierError::Busy, None))
        } else if let Some(error) = start.refusal {
            Err((error, None))
        } else {
            request.and_then(|request| {
                let prompt = preflight(&request, start.nonce.as_deref())?;
                Ok((request, prompt))
            })
        };
        match ready {
            Ok((request, prompt)) => {
                self.desk.tell(Ask::Lease(Some(text.into())));
                let run = Run::new(call, facts, &request, prompt, now_ms, &mut self.desk);
                let paths = if start.has_files { request.evidence_paths } else { vec![] };
                self.state = begin(run, paths, &mut self.desk);
            }
            Err(refusal) => self.desk.end(call, refused(refusal, facts)),
        }
    }
}

/// Steps 4 to 9; the earlier ones are those of the machine and of the request's shape.
fn preflight(request: &Request, nonce: Option<&str>) -> Result<Prompt, Refusal> {
    if request.evidence_paths.len() > limits::EVIDENCE_PATHS {
        return Err((ClassifierError::EvidenceLimit, Some(EvidenceLimit::PathCount)));
    }
    if request.byte_budget.is_none() {
        return Err((ClassifierError::EvidenceLimit, Some(EvidenceLimit::InvalidByteBudget)));
    }
    if request.evidence_paths.iter().any(|path| check_path(path).is_some()) {
        return Err((ClassifierError::EvidenceUnavailable, None));
    }
    Prompt::of(request, nonce)
}

/// The result of what ended before anything was asked.
fn refused((error, limit): Refusal, facts: Facts) -> Outcome {
    let fault = Fault { error, limit, place: ReturnPath::Preflight };
    Outcome {
        judgement: Judgement::Unavailable(error),
        usage: Some(Usage::ZERO),
        diagnostic: fault.diagnostic(facts, 0, false),
        memory: facts.memory,
    }
}

impl Fault {
    pub(super) fn diagnostic(&self, facts: Facts, elapsed_ms: u64, timer_fired: bool) -> Diagnostic {
        Diagnostic {
            elapsed_ms,
            deadline_ms: facts.deadline_ms,
            timer_fired,
            return_path: self.place,
            limit: self.limit,
        }
    }
}

impl Machine for Classifier {
    type Start = Start;
    type Ask = Ask;
    type Result = Outcome;

    fn handle(&mut self, event: Event<Start>, now_ms: f64) -> Result<(), Misuse> {
        match event {
            Event::Start { call, start, is_cancelled } => self.start(call, &start, is_cancelled, now_ms),
            Event::Cancel { call } => {
                if self.state.caller() != Some(call) {
                    return Err(Misuse::Late);
                }
                self.stop(ClassifierError::Cancelled, now_ms);
            }
            Event::TimerFired { number } => {
                self.desk.open.take(number, |item| *item == Item::Timer)?;
                self.stop(ClassifierError::Timeout, now_ms);
            }
            Event::Settled { number, settlement } => {
                self.desk.open.take(number, |item| *item == Item::Callback)?;
                let state = mem::replace(&mut self.state, State::Idle);
                self.state = state.settled(settlement, now_ms, &mut self.desk);
            }
        }
        Ok(())
    }

    fn poll(&mut self) -> Option<Effect<Ask, Outcome>> {
        self.desk.effects.poll()
    }
}

impl Classifier {
    fn stop(&mut self, error: ClassifierError, now_ms: f64) {
        let state = mem::replace(&mut self.state, State::Idle);
        self.state = state.stopped(error, now_ms, &mut self.desk);
    }
}
