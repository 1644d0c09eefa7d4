//! The states of a classification, one struct each, consumed on transition (evidence.md sections 7 to 12).
//!
//! | state | open callback | place of what goes wrong |
//! |---|---|---|
//! | [`Size`] | the size of a file | `preflight` |
//! | [`Check`] | identity, before or after something | of what comes [`Next`] |
//! | [`Model`] | a model call | `provider` |
//! | [`Inspect`] | an inspection | `evidence` |
//! | [`Draining`] | what was open when the result was returned | |

use super::classifier::{Ask, Desk, Judgement, ModelCall, Outcome};
use super::inspection;
use super::prompt::{Prompt, Unfit};
use super::reply::{Fault, Offer, Verdict, Worth, without_marks};
use super::request::{Facts, Request};
use super::usage::Usage;
use super::words::{ClassifierError, EvidenceLimit, ReturnPath};
use crate::json::Json;
use crate::limits;
use crate::machine::{Number, Settlement};
use crate::text::on_one_line;

/// Where a classification stands.
#[derive(Debug)]
pub(super) enum State {
    Idle,
    Size(Size),
    Check(Check),
    Model(Model),
    Inspect(Inspect),
    Draining(Draining),
}

/// What all states of one classification share.
#[derive(Debug)]
pub(super) struct Run {
    call: Number,
    facts: Facts,
    started_ms: f64,
    overall_ms: u32,
    overall: Number,
    /// Calls that were made.
    round: usize,
    usage: Option<Usage>,
    prompt: Prompt,
    /// Whether a person asked for anything.
    has_request: bool,
}

#[derive(Debug)]
pub(super) struct Size {
    run: Box<Run>,
    callback: Number,
    path: String,
    /// Those that are still to be measured, the next one last.
    later: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Check {
    run: Box<Run>,
    callback: Number,
    next: Next,
}

/// What follows once identity is confirmed.
#[derive(Debug)]
enum Next {
    Call,
    Reply(Json),
    File(String),
    Read(String, Settlement),
    Verdict(Verdict),
}

#[derive(Debug)]
pub(super) struct Model {
    run: Box<Run>,
    callback: Number,
    timer: Number,
}

#[derive(Debug)]
pub(super) struct Inspect {
    run: Box<Run>,
    callback: Number,
    path: String,
}

#[derive(Debug)]
pub(super) struct Draining {
    facts: Facts,
    started_ms: f64,
    timer_fired: bool,
    is_model: bool,
}

/// Measures the paths, each once, and goes on to the first call.
pub(super) fn begin(run: Box<Run>, paths: Vec<String>, desk: &mut Desk) -> State {
    let mut later: Vec<String> = vec![];
    for path in paths {
        if !later.contains(&path) {
            later.push(path);
        }
    }
    later.reverse();
    measure(run, later, desk)
}

fn measure(run: Box<Run>, mut later: Vec<String>, desk: &mut Desk) -> State {
    match later.pop() {
        Some(path) => {
            let callback = desk.call(Ask::Size(path.clone()));
            State::Size(Size { run, callback, path, later })
        }
        None => check(run, Next::Call, desk),
    }
}

fn check(run: Box<Run>, next: Next, desk: &mut Desk) -> State {
    let callback = desk.call(Ask::Identity);
    State::Check(Check { run, callback, next })
}

fn elapsed(started_ms: f64, now_ms: f64) -> u64 {
    // The cast cuts off the fraction; what is below zero, or no number, becomes zero.
    (now_ms - started_ms) as u64
}

impl Run {
    pub(super) fn new(
        call: Number,
        facts: Facts,
        request: &Request,
        prompt: Prompt,
        now_ms: f64,
        desk: &mut Desk,
    ) -> Box<Self> {
        let is_request = |text: &String| !on_one_line(&without_marks(text)).is_empty();
        Box::new(Self {
            call,
            facts,
            started_ms: now_ms,
            overall_ms: request.overall_ms,
            overall: desk.arm(request.overall_ms),
            round: 0,
            usage: Some(Usage::ZERO),
            prompt,
            has_request: request.human_requests.iter().any(is_request),
        })
    }

    /// Whole milliseconds that are left; none where not even one is, or where the clock gives no number.
    fn left(&self, now_ms: f64) -> Option<u32> {
        let left = f64::from(self.overall_ms) - (now_ms - self.started_ms);
        (left >= 1.0).then_some(left as u32)
    }

    fn offer(&self) -> Offer<'_> {
        Offer { round: self.round, candidates: self.prompt.candidates(), inspected: self.prompt.inspected() }
    }

    /// Ends the classification, and with it the lease.
    fn end(&self, judgement: Judgement, diagnostic: super::Diagnostic, desk: &mut Desk) -> State {
        desk.disarm(self.overall);
        let result = Outcome { judgement, usage: self.usage, diagnostic, memory: self.facts.memory };
        desk.end(self.call, result);
        desk.tell(Ask::Lease(None));
        State::Idle
    }

    fn fail(&self, fault: Fault, now_ms: f64, desk: &mut Desk) -> State {
        let diagnostic = fault.diagnostic(self.facts, elapsed(self.started_ms, now_ms), false);
        self.end(Judgement::Unavailable(fault.error), diagnostic, desk)
    }

    fn judge(&self, verdict: Verdict, now_ms: f64, desk: &mut Desk) -> State {
        let diagnostic = super::Diagnostic {
            elapsed_ms: elapsed(self.started_ms, now_ms),
            deadline_ms: self.facts.deadline_ms,
            timer_fired: false,
            return_path: ReturnPath::Verdict,
            limit: None,
        };
        let judgement = match verdict.allows {
            true if self.has_request => Judgement::Allow(verdict.reason),
            true => Judgement::Deny(NO_REQUEST.into()),
            false => Judgement::Deny(verdict.reason),
        };
        self.end(judgement, diagnostic, desk)
    }
}

/// What is said where a model allows what nobody asked for.
const NO_REQUEST: &str = "No human request covers this action.";

impl State {
    /// Who waits for the result.
    pub(super) fn caller(&self) -> Option<Number> {
        match self {
            Self::Idle | Self::Draining(_) => None,
            Self::Size(Size { run, .. })
            | Self::Check(Check { run, .. })
            | Self::Model(Model { run, .. })
            | Self::Inspect(Inspect { run, .. }) => Some(run.call),
        }
    }

    /// The open callback has settled.
    pub(super) fn settled(self, settlement: Settlement, now_ms: f64, desk: &mut Desk) -> Self {
        match self {
            Self::Idle => Self::Idle,
            Self::Size(size) => size.settled(&settlement, desk),
            Self::Check(check) => check.settled(&settlement, now_ms, desk),
            Self::Model(model) => model.settled(settlement, now_ms, desk),
            Self::Inspect(Inspect { run, path, .. }) => check(run, Next::Read(path, settlement), desk),
            Self::Draining(draining) => draining.settled(&settlement, now_ms, desk),
        }
    }

    /// A timer fired, or the caller gave up: the result is returned at once, and the lease stays until the open callback
    /// settles.
    pub(super) fn stopped(self, error: ClassifierError, now_ms: f64, desk: &mut Desk) -> Self {
        let (run, callback, place, timer) = match self {
            Self::Idle | Self::Draining(_) => return self,
            Self::Size(size) => (size.run, size.callback, ReturnPath::Preflight, None),
            Self::Check(check) => {
                let place = check.place();
                (check.run, check.callback, place, None)
            }
            Self::Model(model) => (model.run, model.callback, ReturnPath::Provider, Some(model.timer)),
            Self::Inspect(inspect) => (inspect.run, inspect.callback, ReturnPath::Evidence, None),
        };
        if let Some(timer) = timer {
            desk.disarm(timer);
        }
        desk.disarm(run.overall);
        desk.abort(callback);
        let timer_fired = error == ClassifierError::Timeout;
        let fault = Fault::new(error, place);
        let (facts, started_ms) = (run.facts, run.started_ms);
        let result = Outcome {
            judgement: Judgement::Unavailable(error),
            usage: run.usage,
            diagnostic: fault.diagnostic(facts, elapsed(started_ms, now_ms), timer_fired),
            memory: facts.memory,
        };
        desk.end(run.call, result);
        Self::Draining(Draining { facts, started_ms, timer_fired, is_model: timer.is_some() })
    }
}

impl Size {
    /// A file that does not exist stays on offer; one that is too large, or of which nobody knows, does not.
    fn settled(self, settlement: &Settlement, desk: &mut Desk) -> State {
        let Self { mut run, path, later, .. } = self;
        let is_candidate = match settlement {
            Settlement::Fulfilled(Json::Null) => true,
            Settlement::Fulfilled(stat) => {
                let size = stat.member("size").and_then(Json::as_safe_integer).map(usize::try_from);
                matches!(size, Some(Ok(size)) if size <= limits::EVIDENCE_FILE_BYTES)
            }
            _ => false,
        };
        if is_candidate {
            run.prompt.offer(path);
        }
        measure(run, later, desk)
    }
}

impl Check {
    fn place(&self) -> ReturnPath {
        match self.next {
            Next::Call if self.run.round == 0 => ReturnPath::Preflight,
            Next::Call => ReturnPath::Provider,
            Next::Reply(_) => ReturnPath::ProviderResult,
            Next::File(_) | Next::Read(..) => ReturnPath::Evidence,
            Next::Verdict(_) => ReturnPath::Verdict,
        }
    }

    fn settled(self, settlement: &Settlement, now_ms: f64, desk: &mut Desk) -> State {
        let place = self.place();
        let Self { mut run, next, .. } = self;
        let fault = |error| Fault::new(error, place);
        if *settlement != Settlement::Fulfilled(Json::Bool(true)) {
            return run.fail(fault(ClassifierError::Stale), now_ms, desk);
        }
        match next {
            Next::Call => match run.left(now_ms) {
                None => run.fail(fault(ClassifierError::Timeout), now_ms, desk),
                Some(left) => call(run, left, desk),
            },
            Next::Reply(reply) => match run.offer().worth(&reply) {
                Err(fault) => run.fail(fault, now_ms, desk),
                Ok(Worth::Inspection(path)) => check(run, Next::File(path), desk),
                Ok(Worth::Verdict(verdict)) => check(run, Next::Verdict(verdict), desk),
            },
            Next::File(path) => match run.left(now_ms) {
                None => run.fail(fault(ClassifierError::Timeout), now_ms, desk),
                Some(_) => {
                    let callback = desk.call(Ask::Inspection(path.clone()));
                    State::Inspect(Inspect { run, callback, path })
                }
            },
            Next::Read(path, inspection) => {
                let content = inspection::content(inspection);
                let added = content.and_then(|content| {
                    run.prompt.add(path, content).map_err(|unfit| match unfit {
                        Unfit::HasNonce => fault(ClassifierError::EvidenceUnavailable),
                        Unfit::TooLarge => Fault::limit(EvidenceLimit::ContextBytes),
                    })
                });
                match added {
                    Err(fault) => run.fail(fault, now_ms, desk),
                    Ok(()) => check(run, Next::Call, desk),
                }
            }
            Next::Verdict(verdict) => run.judge(verdict, now_ms, desk),
        }
    }
}

/// The next call; the last one has no tool.
fn call(mut run: Box<Run>, left: u32, desk: &mut Desk) -> State {
    run.round = run.round.saturating_add(1);
    let deadline_ms = run.facts.deadline_ms.min(left);
    let candidates = if run.round < limits::MODEL_CALLS { run.prompt.candidates().to_vec() } else { vec![] };
    let prompt = run.prompt.text(!candidates.is_empty());
    let timer = desk.arm(deadline_ms);
    let callback = desk.call(Ask::Model(ModelCall { round: run.round, prompt, candidates, deadline_ms }));
    State::Model(Model { run, callback, timer })
}

impl Model {
    fn settled(self, settlement: Settlement, now_ms: f64, desk: &mut Desk) -> State {
        let Self { mut run, timer, .. } = self;
        desk.disarm(timer);
        run.usage = add(run.usage, &settlement);
        match settlement {
            Settlement::Fulfilled(reply) => check(run, Next::Reply(reply), desk),
            // What cannot be read is a useless reply all the same.
            Settlement::WithBytes(..) | Settlement::Unreadable => check(run, Next::Reply(Json::Null), desk),
            Settlement::Threw => run.fail(rejected(&Json::Null), now_ms, desk),
            Settlement::Rejected(reason) => run.fail(rejected(&reason), now_ms, desk),
        }
    }
}

fn add(usage: Option<Usage>, settlement: &Settlement) -> Option<Usage> {
    let Settlement::Fulfilled(reply) = settlement else { return None };
    usage?.plus(Usage::read(reply)?)
}

/// What a rejected call means, by the two words that are known of its reason.
fn rejected(reason: &Json) -> Fault {
    let is = |name, word| reason.member(name).and_then(Json::as_str) == Some(word);
    let error = if is("name", "TimeoutError") {
        ClassifierError::Timeout
    } else if is("code", "context-overflow") {
        ClassifierError::ContextOverflow
    } else {
        ClassifierError::ProviderError
    };
    Fault::new(error, ReturnPath::Provider)
}

impl Draining {
    fn settled(self, settlement: &Settlement, now_ms: f64, desk: &mut Desk) -> State {
        if self.is_model {
            let usage = add(Some(Usage::ZERO), settlement);
            let diagnostic = super::Diagnostic {
                elapsed_ms: elapsed(self.started_ms, now_ms),
                deadline_ms: self.facts.deadline_ms,
                timer_fired: self.timer_fired,
                return_path: ReturnPath::LateSettlement,
                limit: None,
            };
            desk.tell(Ask::LateReceipt(usage, diagnostic));
        }
        desk.tell(Ask::Lease(None));
        State::Idle
    }
}
