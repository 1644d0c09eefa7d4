//! The course of one review: classifier after classifier, then a decision, then perhaps one answer (review.md sections
//! 11.3 and 11.4).
//!
//! ```text
//! ┌▶ Applying ─▶ Marshalling ─▶ Starting ─▶ Running ─▶ Validating ─┐
//! │      └──────────────┴───────── Completing ◀┴────────────┤      │ allowed
//! └─────────────────────────────────────┴───── next ◀──────────────┘
//!                                                │ all of them
//! decision ─ eligible ─▶ [Verifying] ─▶ Reading ─▶ Appending ─▶ Closing
//!     └──────── not eligible, stale, cancelled ────────────────────▲
//! ```
//!
//! A review waits for one callback at a time. Starting, Completing and Closing wait for `audit`. A cancelled review goes to
//! Closing from wherever it is, but for a pending audit, which it awaits, and a claim, which it does not undo.

use std::rc::Rc;

use super::assessment::{Assessment, Observation};
use super::audit::Audit;
use super::basis::Basis;
use super::breaker::{Told, content_key};
use super::classifiers::Named;
use super::context::{Context, Coordinates};
use super::decide::{Outcome, combine};
use super::gate::{Material, Resolution, Source, State};
use super::refusal::Checked;
use super::request::Request;
use super::session::{Ask, Place, ReviewSession, Waits, Warning};
use super::shape::{parse, part};
use super::subject::Subject;
use super::words::{Action, DecisionReason, Field, SourceKind, Status};
use crate::json::Json;
use crate::limits;
use crate::machine::{Effect, Number, Settlement};

/// A review under way.
#[derive(Clone, Debug)]
pub(super) struct Review {
    basis: Basis,
    turn: Option<String>,
    coordinates: Option<Coordinates>,
    request: Checked<Rc<Request>>,
    context: Checked<Rc<Context>>,
    /// What became of the classifiers so far, in order.
    judged: Vec<Judged>,
    step: Step,
    is_cancelled: bool,
    /// The callback that is waited for.
    call: Option<Number>,
    /// Its time limit, and when that is over.
    limit: Option<(Number, f64)>,
    /// The time of the event that is handled.
    pub(super) now_ms: f64,
}

/// What is waited for.
#[derive(Clone, Debug)]
enum Step {
    /// `applies`
    Applying(Subject),
    /// `marshalInput`
    Marshalling(Subject),
    /// The started event.
    Starting(Subject),
    /// `run`
    Running(Subject, Observed),
    /// `validateResult`
    Validating(Subject, Vec<Observation>),
    /// The completed event of the classifier that was judged last.
    Completing,
    /// `verifyObservations`
    Verifying,
    /// The live policy revision and basis.
    Reading,
    /// The approval becomes durable.
    Appending,
    /// A completed event; those that follow it, the last one first.
    Closing(Vec<(usize, Status)>),
    /// Nothing any more.
    Over,
}

/// What a run has reported.
#[derive(Clone, Debug, Default)]
struct Observed {
    observations: Vec<Observation>,
    /// There was an invalid one, or one too many.
    is_marked: bool,
}

/// What became of a classifier.
#[derive(Clone, Debug)]
struct Judged {
    /// `None`: none could be built.
    subject: Option<Subject>,
    status: Status,
    assessment: Option<Assessment>,
    observations: Vec<Observation>,
    is_completed: bool,
}

impl Review {
    /// A review that has not begun; `None` where the host could capture no context.
    pub(super) fn new(material: Material) -> Option<Self> {
        let Material { basis, turn, coordinates, request, context } = material;
        Some(Self {
            basis,
            turn,
            coordinates,
            request,
            context: context?,
            judged: vec![],
            step: Step::Completing,
            is_cancelled: false,
            call: None,
            limit: None,
            now_ms: f64::NAN,
        })
    }

    pub(super) fn gate(&self) -> &str {
        &self.basis.gate_id
    }

    pub(super) fn turn(&self) -> &Option<String> {
        &self.turn
    }

    /// Whether the claim on its gate is its own.
    pub(super) fn claims(&self) -> bool {
        matches!(self.step, Step::Appending)
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.step, Step::Over)
    }

    /// The subject for a classifier: the gate's basis with its revision, under a fresh digest.
    fn subject(&self, classifier: &Named) -> Checked<Subject> {
        let basis = self.basis.undigested(&classifier.revision);
        Subject::new(basis, self.request.clone()?, self.context.clone()?)
    }

    fn place(&self) -> Place {
        Place { gate: self.basis.gate_id.clone(), classifier: self.judged.len() }
    }
}

impl ReviewSession {
    /// The next classifier's turn, or the decision. A cancelled review asks nobody any more.
    pub(super) fn next_classifier(&mut self, review: &mut Review) {
        if review.is_cancelled {
            return self.close_cancelled(review);
        }
        let Some(classifier) = self.classifiers.get(review.judged.len()) else { return self.decide(review) };
        match review.subject(&classifier.named) {
            Err(_) => self.judge(review, None, Status::Failed),
            Ok(subject) => {
                self.ask(review, Ask::Applies(review.place(), subject.text()));
                review.step = Step::Applying(subject);
            }
        }
    }

    /// The callback that the review waited for has come to an end.
    pub(super) fn answered(&mut self, review: &mut Review, settlement: Settlement) {
        review.call = None;
        let is_late = self.disarm(review);
        match std::mem::replace(&mut review.step, Step::Over) {
            Step::Applying(subject) => match settlement {
                Settlement::Fulfilled(Json::Bool(true)) => {
                    self.ask(review, Ask::MarshalInput(review.place()));
                    review.step = Step::Marshalling(subject);
                }
                Settlement::Fulfilled(Json::Bool(false)) => {
                    self.judge(review, Some(subject), Status::NotApplicable);
                }
                settlement => self.failed(review, subject, &settlement, "applies"),
            },
            Step::Marshalling(subject) => match settlement {
                Settlement::Fulfilled(_) => {
                    if let Some(classifier) = self.classifiers.get(review.judged.len()) {
                        self.audit(review, Audit::started(&review.basis, &classifier.named));
                        review.step = Step::Starting(subject);
                    }
                }
                settlement => self.failed(review, subject, &settlement, "marshalInput"),
            },
            Step::Starting(subject) => {
                self.audited(&settlement, is_late);
                self.run(review, subject);
            }
            Step::Running(subject, observed) => match settlement {
                // A result that comes after its time is dropped, even where the timer has not said so yet.
                _ if is_late => self.judge(review, Some(subject), Status::TimedOut),
                Settlement::Threw | Settlement::Rejected(_) => {
                    self.failed(review, subject, &settlement, "run")
                }
                _ if observed.is_marked => self.judge(review, Some(subject), Status::Failed),
                _ => {
                    self.ask(review, Ask::ValidateResult(review.place()));
                    review.step = Step::Validating(subject, observed.observations);
                }
            },
            Step::Validating(subject, observations) => match settlement {
                Settlement::Fulfilled(value) => self.validate(review, subject, value, observations),
                settlement => self.failed(review, subject, &settlement, "validateResult"),
            },
            Step::Completing => {
                self.audited(&settlement, is_late);
                self.next_classifier(review);
            }
            Step::Verifying if settlement == Settlement::Fulfilled(Json::Bool(true)) && !is_late => {
                self.read_live(review);
            }
            Step::Verifying => self.stale(review),
            Step::Reading => self.respond_for(review, &settlement),
            Step::Closing(waiting) => {
                self.audited(&settlement, is_late);
                self.close_next(review, waiting);
            }
            step @ (Step::Appending | Step::Over) => review.step = step,
        }
    }

    /// The time limit of what the review waited for is over.
    pub(super) fn expired(&mut self, review: &mut Review) {
        review.limit = None;
        match std::mem::replace(&mut review.step, Step::Over) {
            Step::Running(subject, _) => {
                self.abort(review);
                self.judge(review, Some(subject), Status::TimedOut);
            }
            Step::Verifying => {
                self.abort(review);
                self.stale(review);
            }
            step => {
                // An audit: the review goes on as if it had succeeded.
                if let Some(number) = review.call.take() {
                    self.open.drop(number);
                }
                review.step = step;
                self.answered(review, Settlement::Rejected(Json::Null));
            }
        }
    }

    /// The review is not to go on. Whoever is asked at the moment is not waited for, but for an audit.
    pub(super) fn cancel(&mut self, review: &mut Review) {
        review.is_cancelled = true;
        match review.step {
            Step::Applying(_) | Step::Marshalling(_) | Step::Running(..) | Step::Validating(..) => {
                self.abort(review);
                self.close_cancelled(review);
            }
            Step::Verifying | Step::Reading => {
                self.abort(review);
                self.close_all(review, Status::Stale);
            }
            Step::Starting(_) | Step::Completing | Step::Appending | Step::Closing(_) | Step::Over => {}
        }
    }

    /// The approval of the review is durable, or could not be made so.
    pub(super) fn applied(&mut self, review: &mut Review, is_durable: bool) {
        if !is_durable {
            self.warn(Warning::AppendFailed);
        }
        self.close_all(review, if is_durable { Status::Allowed } else { Status::Stale });
    }

    /// A classifier reports what it looked at.
    pub(super) fn observe(&mut self, run: Number, text: &str) {
        let Some(review) = self.reviews.iter_mut().find(|review| review.call == Some(run)) else { return };
        let Step::Running(_, observed) = &mut review.step else { return };
        let observation: Checked<Observation> = parse(text, Field::Assessment);
        match observation {
            Ok(observation)
                if observation.is_valid() && observed.observations.len() < limits::REVIEW_OBSERVATIONS =>
            {
                observed.observations.push(observation);
            }
            _ => observed.is_marked = true,
        }
    }

    /// Asks the classifier's model, unless nobody wants to know any more.
    fn run(&mut self, review: &mut Review, subject: Subject) {
        if review.is_cancelled {
            return self.close_cancelled(review);
        }
        let timeout_ms =
            self.classifiers.get(review.judged.len()).map_or(0, |classifier| classifier.timeout_ms);
        let place = review.place();
        self.call(review, timeout_ms, |number| Ask::Run(place, number));
        review.step = Step::Running(subject, Observed::default());
    }

    /// What `validateResult` gave must be an assessment of this very subject.
    fn validate(
        &mut self,
        review: &mut Review,
        subject: Subject,
        value: Json,
        observations: Vec<Observation>,
    ) {
        let assessment: Checked<Assessment> = part(Some(value), Field::Assessment);
        let keeps_rules =
            |assessment: &Assessment| assessment.basis == *subject.basis() && assessment.rate().is_ok();
        match assessment.ok().filter(keeps_rules) {
            None => self.judge(review, Some(subject), Status::Failed),
            Some(assessment) => {
                review.judged.push(Judged {
                    subject: Some(subject),
                    status: Status::Allowed,
                    assessment: Some(assessment),
                    observations,
                    is_completed: false,
                });
                self.next_classifier(review);
            }
        }
    }

    /// A method threw, which the host is told, or gave something that is of no use.
    fn failed(
        &mut self,
        review: &mut Review,
        subject: Subject,
        settlement: &Settlement,
        method: &'static str,
    ) {
        if *settlement == Settlement::Threw {
            self.warn(Warning::Threw(review.judged.len(), method));
        }
        self.judge(review, Some(subject), Status::Failed);
    }

    /// A classifier's part is over without an assessment; that is told at once.
    fn judge(&mut self, review: &mut Review, subject: Option<Subject>, status: Status) {
        let at = review.judged.len();
        review.judged.push(Judged {
            subject,
            status,
            assessment: None,
            observations: vec![],
            is_completed: false,
        });
        self.complete(review, at, status);
        review.step = Step::Completing;
    }

    /// All have been asked.
    fn decide(&mut self, review: &mut Review) {
        let mut outcomes = vec![];
        let mut observed = vec![];
        for judged in &mut review.judged {
            observed.extend_from_slice(&judged.observations);
            outcomes.push(judged.outcome());
        }
        let reason = if outcomes.iter().any(Option::is_none) {
            DecisionReason::InvalidAssessment
        } else {
            let mut named = vec![];
            for classifier in &self.classifiers {
                named.push(classifier.named.clone());
            }
            combine(Some(&self.policy), &named, &outcomes)
        };
        if let Some(told) = Told::of(reason) {
            self.tell_breaker(review, told);
        }
        if reason != DecisionReason::Eligible {
            self.close_all(review, Status::NeedsHuman);
        } else if observed.is_empty() {
            self.read_live(review);
        } else if self.has.verifies {
            self.call(review, limits::REVIEW_CALL_MS, |_| Ask::Verify(observed));
            review.step = Step::Verifying;
        } else {
            self.stale(review);
        }
    }

    fn read_live(&mut self, review: &mut Review) {
        self.ask(review, Ask::Live(review.gate().into()));
        review.step = Step::Reading;
    }

    /// Claims the gate, if it is open and everything is as it was assessed. Nothing comes between reading and claiming.
    fn respond_for(&mut self, review: &mut Review, live: &Settlement) {
        let is_open = self.gate(review.gate()).is_some_and(|gate| gate.state == State::Open);
        if !is_open {
            return self.close_all(review, Status::Stale);
        }
        if !self.agrees(&review.basis, live) {
            return self.stale(review);
        }
        let mut reason = String::new();
        for (judged, classifier) in review.judged.iter().zip(&self.classifiers) {
            if judged.status == Status::Allowed {
                let separator = if reason.is_empty() { "" } else { ";" };
                for text in [separator, &classifier.named.name, "@", &classifier.named.revision] {
                    reason.push_str(text);
                }
            }
        }
        review.step = Step::Appending;
        let source = Source { kind: SourceKind::Classifier.as_str().into(), reason };
        let action = Action::Approve.as_str().into();
        self.claim(review.gate(), Resolution { gate_id: review.gate().into(), action, source });
    }

    /// Whether the host's policy, and what it says of the gate's basis, are those that were assessed.
    fn agrees(&self, assessed: &Basis, live: &Settlement) -> bool {
        let Settlement::Fulfilled(live) = live else { return false };
        let revision = live.get("revision").and_then(Json::as_str);
        if revision != Some(assessed.gate_policy_revision.as_str()) {
            return false;
        }
        if !self.has.reads_basis {
            return true;
        }
        let Some(basis) = live.get("basis") else { return false };
        let says =
            |name: &str, assessed: &String| basis.get(name).and_then(Json::as_str) == Some(assessed.as_str());
        basis.members().len() == 3
            && says("tool_execution_id", &assessed.tool_execution_id)
            && says("context_revision", &assessed.context_revision)
            && says("security_ceiling", &assessed.security_ceiling)
    }

    /// Eligible, and not applied. The breaker hears of it where the gate still waits for an answer.
    fn stale(&mut self, review: &mut Review) {
        if self.gate(review.gate()).is_some_and(|gate| gate.state == State::Open) {
            self.tell_breaker(review, Told::Stale);
        }
        self.close_all(review, Status::Stale);
    }

    fn tell_breaker(&mut self, review: &Review, told: Told) {
        let Some(turn) = &review.turn else { return };
        let had_tripped = self.has_tripped();
        let trips = self.breaker.tell(turn, told, &content_key(review.request.as_deref().ok()));
        self.is_changed = true;
        if self.has_tripped() && !had_tripped {
            self.tell(Ask::Tripped);
        }
        if trips.turn {
            self.warn(Warning::TurnLimit);
        }
        if trips.session {
            self.warn(Warning::SessionLimit);
        }
        if let (true, true, Some(coordinates)) = (trips.turn, self.breaker.interrupts(), &review.coordinates)
        {
            self.tell(Ask::Interrupt(coordinates.clone()));
        }
    }

    /// Every classifier that was not told of yet ends as cancelled, whether it was asked or not.
    fn close_cancelled(&mut self, review: &mut Review) {
        self.close_from(review, self.classifiers.len(), Status::Cancelled);
    }

    /// Every classifier that was not told of yet ends like this.
    fn close_all(&mut self, review: &mut Review, status: Status) {
        self.close_from(review, review.judged.len(), status);
    }

    fn close_from(&mut self, review: &mut Review, classifiers: usize, status: Status) {
        let mut waiting = vec![];
        for at in (0..classifiers).rev() {
            if !review.judged.get(at).is_some_and(|judged| judged.is_completed) {
                waiting.push((at, status));
            }
        }
        self.close_next(review, waiting);
    }

    fn close_next(&mut self, review: &mut Review, mut waiting: Vec<(usize, Status)>) {
        review.step = match waiting.pop() {
            None => Step::Over,
            Some((at, status)) => {
                self.complete(review, at, status);
                Step::Closing(waiting)
            }
        };
    }

    /// The completed event of a classifier.
    fn complete(&mut self, review: &mut Review, at: usize, status: Status) {
        let Some(classifier) = self.classifiers.get(at) else { return };
        let assessment = review.judged.get_mut(at).and_then(|judged| {
            judged.is_completed = true;
            judged.assessment.as_ref()
        });
        let event = Audit::completed(&review.basis, &classifier.named, status, assessment);
        self.audit(review, event);
    }

    fn audit(&mut self, review: &mut Review, event: Audit) {
        self.call(review, limits::REVIEW_CALL_MS, |_| Ask::Audit(event));
    }

    /// An audit was taken, or it was the first that was not.
    fn audited(&mut self, settlement: &Settlement, is_late: bool) {
        let failed = is_late || matches!(settlement, Settlement::Threw | Settlement::Rejected(_));
        if failed && !self.has_failed_audit {
            let had_tripped = self.has_tripped();
            self.has_failed_audit = true;
            self.is_changed = true;
            if !had_tripped {
                self.tell(Ask::Tripped);
            }
            self.warn(Warning::AuditFailed);
        }
    }

    fn ask(&mut self, review: &mut Review, ask: Ask) {
        let number = self.open.add(Waits::Answer(review.gate().into()));
        review.call = Some(number);
        self.effects.want(Effect::Ask { number, ask });
    }

    fn call(&mut self, review: &mut Review, within_ms: u32, ask: impl FnOnce(Number) -> Ask) {
        let number = self.open.add(Waits::Answer(review.gate().into()));
        let limit = self.open.add(Waits::Limit(review.gate().into()));
        review.call = Some(number);
        review.limit = Some((limit, review.now_ms + f64::from(within_ms)));
        self.effects.want(Effect::Call { number, ask: ask(number) });
        self.effects.want(Effect::Arm { number: limit, after_ms: within_ms });
    }

    /// Stops the time limit; whether it is over. A clock without numbers says that it is.
    fn disarm(&mut self, review: &mut Review) -> bool {
        let Some((number, until_ms)) = review.limit.take() else { return false };
        // The timer may have fired already.
        if self.open.drop(number).is_some() {
            self.effects.want(Effect::Disarm { number });
        }
        review.now_ms.partial_cmp(&until_ms) != Some(std::cmp::Ordering::Less)
    }

    /// Gives up what the review waits for.
    fn abort(&mut self, review: &mut Review) {
        if let Some(number) = review.call.take() {
            self.open.drop(number);
            self.effects.want(Effect::Abort { number });
        }
        self.disarm(review);
    }
}

impl Judged {
    /// As the combination takes it, which needs the subject last; `None` where there is none.
    fn outcome(&mut self) -> Option<Outcome> {
        let subject = self.subject.take()?;
        Some(Outcome {
            classifier_revision: subject.basis().classifier_revision.clone(),
            subject: Ok(subject),
            applicable: self.status != Status::NotApplicable,
            status: Some(self.status),
            assessment: self.assessment.clone().map(Ok),
            observations: self.assessment.as_ref().map(|_| Ok(std::mem::take(&mut self.observations))),
        })
    }
}
