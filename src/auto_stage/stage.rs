//! The machine of the stage: section 3, check by check.

use super::BREAKER_THRESHOLD;
use super::memory::{Mark, Memory};
use super::prompt::{MAX_TOKENS, Payload, Rendered, cache_key, render, system};
use super::record::{Outcome, Record, Route};
use super::settings::Settings;
use super::soft_deny::expand_soft_deny;
use super::streak::{Past, counts, trailing_route_failure_streak};
use crate::json::Json;
use crate::machine::{Effect, Effects, Event, Machine, Misuse, Number, Open, Settlement};
use crate::order::Gather as _;
use crate::verdict::{self, Verdict};
use crate::vocabulary::{ClassifierFailure, Kind, PermissionMode, RiskLevel};

/// What of a decision the stage looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Considered {
    /// The mode in force.
    pub mode: PermissionMode,
    /// The level of its risk.
    pub level: RiskLevel,
    /// What rules, risk and mode say.
    pub kind: Kind,
    /// `kind` after the risk proxy of auto mode.
    pub effective: Kind,
}

impl Considered {
    /// Whether the stage may speak (check 2, but for reading).
    fn is_open_question(self) -> bool {
        self.mode == PermissionMode::Auto
            && self.level == RiskLevel::Low
            && match self.kind {
                Kind::Passthrough => true,
                Kind::Ask => self.effective == Kind::Allow,
                Kind::Allow | Kind::Deny => false,
            }
    }
}

/// A call that was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Whose call it is.
    pub session: String,
    /// The tool's name.
    pub tool: String,
    /// What it is called with.
    pub payload: Payload,
    /// What was decided.
    pub decision: Considered,
    /// Whether decision or caller say that it only reads.
    pub is_read_only: bool,
}

/// What the stage is started for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A call that was decided. Its result is the stage's opinion.
    Call(Box<Proposed>),
    /// The settings have changed (section 8).
    Rebuild,
}

/// What the stage wants of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The settings, as [`Settings::read`] takes them.
    Settings,
    /// `{provider, model}` for an alias, or anything else where there is no model to ask.
    Route {
        /// The caller's number.
        call: Number,
        /// As the settings name it.
        alias: String,
    },
    /// Earlier audit records, as a list of `{provider?, model?, failure?}`.
    History {
        /// Of this session.
        session: String,
    },
    /// One completion: its text.
    Complete {
        /// By which model.
        route: Route,
        /// The system prompt.
        system: String,
        /// What is shown of the call.
        prompt: String,
        /// The most that may be answered.
        max_tokens: usize,
    },
    /// Write a record down; what is given is not looked at.
    Audit {
        /// In the log of this session.
        session: String,
        /// The record.
        record: Record,
    },
    /// Tell whoever runs the host.
    Warn {
        /// A sentence.
        message: &'static str,
    },
}

/// A call on its way.
#[derive(Debug)]
struct Pending {
    call: Number,
    proposed: Proposed,
    is_cancelled: bool,
    started_ms: f64,
}

/// A call that is for this stage to judge.
#[derive(Debug)]
struct Eligible {
    pending: Pending,
    settings: Settings,
}

/// A call with a model that can judge it.
#[derive(Debug)]
struct Armed {
    pending: Pending,
    settings: Settings,
    route: Route,
}

/// A call that a model is asked about, or would have been.
#[derive(Debug)]
struct Shown {
    pending: Pending,
    route: Route,
    digest: String,
}

/// A call that a model judges.
#[derive(Debug)]
struct Judged {
    shown: Shown,
    key: String,
    most: usize,
    epoch: usize,
    timer: Number,
    deadline_ms: f64,
}

/// A call whose result is known.
#[derive(Debug)]
struct Ending {
    call: Number,
    session: String,
    records: Vec<Record>,
    outcome: Outcome,
}

/// What a number belongs to.
#[derive(Debug)]
enum Step {
    Settings(Box<Pending>),
    Route(Box<Eligible>),
    History(Box<Armed>),
    Model(Box<Judged>),
    /// Of the model call for that caller.
    Deadline(Number),
    Audit(Box<Ending>),
}

impl Step {
    fn call(&self) -> Option<Number> {
        match self {
            Self::Settings(pending) => Some(pending.call),
            Self::Route(eligible) => Some(eligible.pending.call),
            Self::History(armed) => Some(armed.pending.call),
            Self::Model(judged) => Some(judged.shown.pending.call),
            Self::Audit(ending) => Some(ending.call),
            Self::Deadline(_) => None,
        }
    }
}

/// The stage of one host, for all of its sessions.
#[derive(Debug)]
pub struct Stage {
    memory: Memory,
    open: Open<Step>,
    effects: Effects<Ask, Outcome>,
}

impl Default for Stage {
    fn default() -> Self {
        Self::new(Memory::default(), 0)
    }
}

impl Machine for Stage {
    type Start = Start;
    type Ask = Ask;
    type Result = Outcome;

    fn handle(&mut self, event: Event<Start>, now_ms: f64) -> Result<(), Misuse> {
        match event {
            Event::Start { call, start, is_cancelled } => self.start(call, start, is_cancelled, now_ms)?,
            Event::Cancel { call } => self.cancel(call, now_ms)?,
            Event::TimerFired { number } => {
                let step = self.open.take(number, |step| matches!(step, Step::Deadline(_)))?;
                if let Step::Deadline(call) = step {
                    self.give_up(call, ClassifierFailure::Timeout, now_ms);
                }
            }
            Event::Settled { number, settlement } => {
                let step = self.open.take(number, |step| !matches!(step, Step::Deadline(_)))?;
                self.settled(step, settlement, now_ms);
            }
        }
        if self.memory.take_change() {
            self.effects.want_first(Effect::Keep { snapshot: self.memory.snapshot(false) });
        }
        Ok(())
    }

    fn poll(&mut self) -> Option<Effect<Ask, Outcome>> {
        self.effects.poll()
    }
}

impl Stage {
    /// A stage that goes on with what another one remembered; its numbers begin at `first`.
    pub fn new(memory: Memory, first: u32) -> Self {
        Self { memory, open: Open::starting_at(first), effects: Effects::default() }
    }

    /// What it remembers. Calls in flight are no part of it.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    fn start(&mut self, call: Number, start: Start, is_cancelled: bool, now_ms: f64) -> Result<(), Misuse> {
        if self.open.iter().any(|(_, step)| step.call() == Some(call)) {
            return Err(Misuse::InUse);
        }
        match start {
            Start::Call(proposed) => {
                let pending = Pending { call, proposed: *proposed, is_cancelled, started_ms: now_ms };
                self.ask(Step::Settings(Box::new(pending)), Ask::Settings);
            }
            Start::Rebuild => {
                self.memory.rebuild();
                self.give(call, Outcome::NoOpinion);
            }
        }
        Ok(())
    }

    fn cancel(&mut self, call: Number, now_ms: f64) -> Result<(), Misuse> {
        let place = self.open.iter_mut().find(|(_, step)| step.call() == Some(call));
        match place.ok_or(Misuse::Late)?.1 {
            Step::Settings(pending) => pending.is_cancelled = true,
            Step::Route(eligible) => eligible.pending.is_cancelled = true,
            Step::History(armed) => armed.pending.is_cancelled = true,
            Step::Model(_) => self.give_up(call, ClassifierFailure::Cancelled, now_ms),
            Step::Audit(_) | Step::Deadline(_) => {}
        }
        Ok(())
    }

    fn settled(&mut self, step: Step, settlement: Settlement, now_ms: f64) {
        let has_failed = matches!(settlement, Settlement::Threw | Settlement::Rejected(_));
        let value = match settlement {
            Settlement::Fulfilled(value) => Some(value),
            _ => None,
        };
        match (step, value) {
            (Step::Settings(pending), Some(settings)) => self.settings(*pending, &settings),
            (Step::Settings(pending), None) => self.rethrow(pending.call),
            (Step::Route(eligible), route) => {
                self.route(*eligible, route.as_ref().and_then(read_route), now_ms);
            }
            (Step::History(armed), Some(history)) => self.history(*armed, &history, now_ms),
            (Step::History(armed), None) => self.rethrow(armed.pending.call),
            (Step::Model(judged), answer) => self.answered(*judged, answer.as_ref(), now_ms),
            (Step::Audit(ending), _) if has_failed => self.rethrow(ending.call),
            (Step::Audit(ending), _) => self.end(*ending),
            // Only numbers of the other kinds are taken.
            (Step::Deadline(_), _) => {}
        }
    }

    /// Checks 1 and 2.
    fn settings(&mut self, pending: Pending, settings: &Json) {
        let is_ours = pending.proposed.decision.is_open_question() && !pending.proposed.is_read_only;
        let Some(settings) = Settings::read(settings).filter(|_| is_ours) else {
            return self.give(pending.call, Outcome::NoOpinion);
        };
        let ask = Ask::Route { call: pending.call, alias: settings.route.clone() };
        self.ask(Step::Route(Box::new(Eligible { pending, settings })), ask);
    }

    /// Check 3.
    fn route(&mut self, eligible: Eligible, route: Option<Route>, now_ms: f64) {
        let Eligible { pending, settings } = eligible;
        let Some(route) = route else { return self.unarmed(pending) };
        let armed = Armed { pending, settings, route };
        if self.memory.has(&armed.pending.proposed.session, Mark::Seeded) {
            return self.armed(armed, vec![], now_ms);
        }
        let ask = Ask::History { session: armed.pending.proposed.session.clone() };
        self.ask(Step::History(Box::new(armed)), ask);
    }

    fn unarmed(&mut self, pending: Pending) {
        if self.memory.warns_of_missing_model() {
            let message = "auto mode: the classifier is switched on, but there is no model to ask";
            self.effects.want(Effect::Tell { ask: Ask::Warn { message } });
        }
        let mut records = vec![];
        if self.memory.mark(&pending.proposed.session, Mark::UnarmedAudited) {
            records.push(note(&pending, Some(ClassifierFailure::Unarmed), None));
        }
        self.finish(pending, records, Outcome::NoOpinion);
    }

    /// Check 4: what the session's log says of the route.
    fn history(&mut self, armed: Armed, history: &Json, now_ms: f64) {
        let session = &armed.pending.proposed.session;
        let mut records = vec![];
        if self.memory.mark(session, Mark::Seeded) {
            let mut past = vec![];
            for record in history.as_list().unwrap_or_default() {
                past.push(Past::of(record));
            }
            let breaker = Some(ClassifierFailure::Breaker.as_str());
            if past.iter().any(|record| record.failure == breaker) {
                self.memory.mark(session, Mark::BreakerAudited);
            }
            let key = armed.route.key();
            let streak = trailing_route_failure_streak(&past, &key, BREAKER_THRESHOLD);
            if self.memory.failures(&key) == 0 && streak > 0 {
                records = self.count(&armed.pending, &armed.route, streak);
            }
        }
        self.armed(armed, records, now_ms);
    }

    /// Checks 5 to 8. `records` were made on the way here.
    fn armed(&mut self, armed: Armed, mut records: Vec<Record>, now_ms: f64) {
        let Armed { pending, settings, route } = armed;
        let key = route.key();
        if self.memory.is_open(&key) {
            if self.memory.mark(&pending.proposed.session, Mark::BreakerAudited) {
                records.push(note(&pending, Some(ClassifierFailure::Breaker), Some(&route)));
            }
            return self.finish(pending, records, Outcome::NoOpinion);
        }
        let Proposed { tool, payload, .. } = &pending.proposed;
        let Rendered { prompt, digest } = render(tool, payload);
        let listed: Option<Vec<&str>> =
            settings.soft_deny.as_ref().map(|rules| rules.iter().map(String::as_str).gather());
        let rules = expand_soft_deny(listed.as_deref());
        let most = settings.cache_max_entries;
        let key = cache_key(&key, tool, &prompt, &rules);
        self.memory.cache.belongs_to(&settings.slice);
        let hit = if most == 0 { None } else { self.memory.cache.hit(&key) };
        let shown = Shown { pending, route, digest };
        if let Some(verdict) = hit {
            return self.verdict(shown, verdict, true, now_ms);
        }
        if shown.pending.is_cancelled {
            return self.failed(shown, ClassifierFailure::Cancelled, now_ms);
        }
        let ask = Ask::Complete {
            route: shown.route.clone(),
            system: system(&rules),
            prompt,
            max_tokens: MAX_TOKENS,
        };
        self.judge(shown, key, &settings, ask, now_ms);
    }

    fn judge(&mut self, shown: Shown, key: String, settings: &Settings, ask: Ask, now_ms: f64) {
        // The clock runs before the host is called: what it does at once takes time as well.
        let timer = self.open.add(Step::Deadline(shown.pending.call));
        self.effects.want(Effect::Arm { number: timer, after_ms: settings.timeout_ms });
        let number = self.open.add(Step::Model(Box::new(Judged {
            shown,
            key,
            most: settings.cache_max_entries,
            epoch: self.memory.cache.epoch(),
            timer,
            deadline_ms: now_ms + f64::from(settings.timeout_ms),
        })));
        self.effects.want(Effect::Call { number, ask });
    }

    fn answered(&mut self, judged: Judged, answer: Option<&Json>, now_ms: f64) {
        self.disarm(judged.timer);
        let Judged { shown, key, most, epoch, deadline_ms, .. } = judged;
        // A clock that gives no number is past every deadline.
        let is_in_time = now_ms < deadline_ms;
        let text = answer.and_then(Json::as_str);
        match text.map(verdict::parse) {
            _ if !is_in_time => self.failed(shown, ClassifierFailure::Timeout, now_ms),
            None => self.failed(shown, ClassifierFailure::Error, now_ms),
            Some(None) => self.failed(shown, ClassifierFailure::Malformed, now_ms),
            Some(Some(Verdict { allows, reason })) => {
                // Of what a model said nothing is kept that nobody will be shown.
                let reason = if allows { String::new() } else { verdict::shown(&reason) };
                let verdict = Verdict { allows, reason };
                if most > 0 {
                    self.memory.cache.keep(key, verdict.clone(), most, epoch);
                }
                self.verdict(shown, verdict, false, now_ms);
            }
        }
    }

    /// Stops waiting for a model.
    fn give_up(&mut self, call: Number, failure: ClassifierFailure, now_ms: f64) {
        let is_asked = |step: &Step| matches!(step, Step::Model(judged) if judged.shown.pending.call == call);
        let Some(number) = self.open.iter().find(|(_, step)| is_asked(step)).map(|(number, _)| number) else {
            return;
        };
        if let Some(Step::Model(judged)) = self.open.drop(number) {
            self.disarm(judged.timer);
            self.effects.want(Effect::Abort { number });
            self.failed(judged.shown, failure, now_ms);
        }
    }

    /// Stops a timer, unless it has fired.
    fn disarm(&mut self, timer: Number) {
        if self.open.drop(timer).is_some() {
            self.effects.want(Effect::Disarm { number: timer });
        }
    }

    fn verdict(&mut self, shown: Shown, verdict: Verdict, is_cache_hit: bool, now_ms: f64) {
        self.memory.succeed(&shown.route.key());
        let record = Record { allows: verdict.allows, is_cache_hit, ..shown.record(None, now_ms) };
        let outcome = if verdict.allows {
            Outcome::Allow
        } else {
            // What a snapshot brought is no more fit to be shown than what a model said.
            Outcome::Ask { reason: verdict::shown(&verdict.reason), failure: None }
        };
        self.finish(shown.pending, vec![record], outcome);
    }

    fn failed(&mut self, shown: Shown, failure: ClassifierFailure, now_ms: f64) {
        let mut records = vec![];
        if counts(failure) {
            let failures = self.memory.failures(&shown.route.key()).saturating_add(1);
            records = self.count(&shown.pending, &shown.route, failures);
        }
        records.push(shown.record(Some(failure), now_ms));
        self.finish(shown.pending, records, Outcome::of_failure(failure));
    }

    /// The route has failed so often; what is to be written down if it opens by it.
    fn count(&mut self, pending: &Pending, route: &Route, failures: usize) -> Vec<Record> {
        let mut records = vec![];
        if self.memory.count(&route.key(), failures) {
            if self.memory.warns_of_breaker() {
                let message =
                    "auto mode: the classifier failed several times in a row and is not asked any more";
                self.effects.want(Effect::Tell { ask: Ask::Warn { message } });
            }
            if self.memory.mark(&pending.proposed.session, Mark::BreakerAudited) {
                records.push(note(pending, Some(ClassifierFailure::Breaker), Some(route)));
            }
        }
        records
    }

    fn finish(&mut self, pending: Pending, records: Vec<Record>, outcome: Outcome) {
        let Pending { call, proposed: Proposed { session, .. }, .. } = pending;
        self.end(Ending { call, session, records, outcome });
    }

    /// Writes the next record, or gives the result once all are written.
    fn end(&mut self, mut ending: Ending) {
        if ending.records.is_empty() {
            return self.give(ending.call, ending.outcome);
        }
        let ask = Ask::Audit { session: ending.session.clone(), record: ending.records.remove(0) };
        self.ask(Step::Audit(Box::new(ending)), ask);
    }

    fn ask(&mut self, step: Step, ask: Ask) {
        let number = self.open.add(step);
        self.effects.want(Effect::Ask { number, ask });
    }

    fn give(&mut self, call: Number, result: Outcome) {
        self.effects.want(Effect::Return { call, result });
    }

    fn rethrow(&mut self, call: Number) {
        self.effects.want(Effect::Rethrow { call });
    }
}

impl Shown {
    fn record(&self, failure: Option<ClassifierFailure>, now_ms: f64) -> Record {
        let elapsed = (now_ms - self.pending.started_ms).max(0.0);
        Record {
            digest: Some(self.digest.clone()),
            latency_ms: elapsed as usize,
            ..note(&self.pending, failure, Some(&self.route))
        }
    }
}

/// The record of a call that no model was asked about.
fn note(pending: &Pending, failure: Option<ClassifierFailure>, route: Option<&Route>) -> Record {
    Record {
        tool: pending.proposed.tool.clone(),
        digest: None,
        allows: false,
        failure,
        route: route.cloned(),
        latency_ms: 0,
        is_cache_hit: false,
    }
}

fn read_route(value: &Json) -> Option<Route> {
    let text =
        |name| value.get(name).and_then(Json::as_str).filter(|text| !text.is_empty()).map(String::from);
    Some(Route { provider: text("provider")?, model: text("model")? })
}
