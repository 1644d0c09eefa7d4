//! Counts what reviews come to, and stops them where they only cost: one scope for a turn, one for the session
//! (review.md section 12).

use super::classifiers::{ReviewLimits, Thresholds};
use super::request::Request;
use super::words::DecisionReason;
use crate::json::Canonical;
use crate::limits;

/// What a review came to, for the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The decision wants a person.
    NeedsHuman,
    /// There was no decision.
    Failed,
    /// The decision approves.
    Eligible,
    /// The approval came too late.
    Stale,
}

impl Told {
    /// What a decision is for the breaker, if it is anything.
    pub(super) const fn of(reason: DecisionReason) -> Option<Self> {
        match reason {
            DecisionReason::Eligible => Some(Self::Eligible),
            DecisionReason::Recommendation
            | DecisionReason::RiskCeiling
            | DecisionReason::Authorization
            | DecisionReason::AbsoluteHuman
            | DecisionReason::MaterialTruncation => Some(Self::NeedsHuman),
            DecisionReason::ClassifierStatus
            | DecisionReason::InvalidAssessment
            | DecisionReason::InvalidPolicy
            | DecisionReason::BasisMismatch => Some(Self::Failed),
            DecisionReason::NoApplicableClassifier => None,
        }
    }
}

/// Which scopes tripped just now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trips {
    pub(super) turn: bool,
    pub(super) session: bool,
}

/// The breaker of one session.
#[derive(Clone, Debug)]
pub(super) struct Breaker {
    limits: ReviewLimits,
    session: Scope,
    turns: Vec<(String, Scope)>,
}

impl Breaker {
    pub(super) fn new(limits: ReviewLimits) -> Self {
        Self { limits, session: Scope::default(), turns: vec![] }
    }

    /// Counts in both scopes. `key` is what requests are told apart by.
    pub(super) fn tell(&mut self, turn: &str, told: Told, key: &str) -> Trips {
        let tracked = self.turns.iter().position(|(id, _)| id == turn);
        if tracked.is_none() && told != Told::Eligible && self.turns.len() < limits::REVIEW_TURNS {
            self.turns.push((turn.into(), Scope::default()));
        }
        let tracked = self.turns.iter_mut().find(|(id, _)| id == turn);
        Trips {
            turn: tracked.is_some_and(|(_, scope)| scope.tell(told, key, &self.limits.turn)),
            session: self.session.tell(told, key, &self.limits.session),
        }
    }

    /// Whether the session scope has tripped.
    pub(super) fn has_tripped(&self) -> bool {
        self.session.has_tripped
    }

    /// Whether the scope of a turn has tripped.
    pub(super) fn has_tripped_turn(&self, turn: &str) -> bool {
        self.turns.iter().any(|(id, scope)| id == turn && scope.has_tripped)
    }

    /// Forgets a turn.
    pub(super) fn end(&mut self, turn: &str) {
        self.turns.retain(|(id, _)| id != turn);
    }
}

/// What was counted since the scope began.
#[derive(Clone, Debug, Default)]
struct Scope {
    needs_human: u64,
    failed: u64,
    stale: u64,
    keys: Vec<(String, u64)>,
    has_tripped: bool,
}

impl Scope {
    /// Whether it trips now.
    fn tell(&mut self, told: Told, key: &str, thresholds: &Thresholds) -> bool {
        let (count, most) = match told {
            Told::NeedsHuman => (&mut self.needs_human, thresholds.needs_human),
            Told::Failed => (&mut self.failed, thresholds.failed),
            Told::Stale => (&mut self.stale, thresholds.stale),
            Told::Eligible => {
                self.needs_human = 0;
                self.failed = 0;
                return false;
            }
        };
        let mut trips = counts_to(count, most);
        if told != Told::Stale {
            if self.keys.iter().all(|(known, _)| known != key) && self.keys.len() < limits::REVIEW_KEYS {
                self.keys.push((key.into(), 0));
            }
            if let Some((_, count)) = self.keys.iter_mut().find(|(known, _)| known == key) {
                trips |= counts_to(count, thresholds.identical);
            }
        }
        let now = trips && !self.has_tripped;
        self.has_tripped |= trips;
        now
    }
}

/// Counts one more; whether that reaches the threshold.
fn counts_to(count: &mut u64, most: u64) -> bool {
    *count = count.saturating_add(1);
    most > 0 && *count >= most
}

/// What requests are told apart by: the tool, and what is needed in words. Requests of the wrong shape share one key.
pub fn content_key(request: Option<&Request>) -> String {
    let Some(request) = request else { return String::new() };
    let mut to = Canonical::hashed();
    to.open('{');
    to.member("tool_name", &request.tool_name);
    to.name("requirements");
    if request.requirements.is_empty() {
        to.null();
    } else {
        to.open('[');
        for requirement in &request.requirements {
            to.open('{');
            to.member("description", &requirement.description);
            to.close('}');
        }
        to.close(']');
    }
    to.close('}');
    to.into_digest()
}
