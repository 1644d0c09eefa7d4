//! Counts what reviews come to, and stops them where they only cost: one scope for a turn, one for the session
//! (review.md section 12).

use super::classifiers::{ReviewLimits, Thresholds};
use super::request::Request;
use super::shape::record;
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

record! {
    /// What was counted since a scope began.
    pub(super) Scope {
        needs_human: i64,
        failed: i64,
        stale: i64,
        keys: Vec<Key>,
        has_tripped: bool,
    }
}

record! {
    /// How often equal requests were decided about.
    pub(super) Key {
        key: String,
        count: i64,
    }
}

record! {
    /// The scope of a turn.
    pub(super) Turn {
        turn: String,
        scope: Scope,
    }
}

record! {
    /// What was counted in a session.
    pub(super) Counts {
        session: Scope,
        turns: Vec<Turn>,
    }
}

/// The breaker of one session.
#[derive(Clone, Debug)]
pub(super) struct Breaker {
    limits: ReviewLimits,
    counts: Counts,
}

impl Breaker {
    /// A breaker that goes on with what was counted before.
    pub(super) fn new(limits: ReviewLimits, counts: Counts) -> Self {
        Self { limits, counts }
    }

    /// What was counted.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Whether the host is told to interrupt a turn that trips.
    pub(super) fn interrupts(&self) -> bool {
        self.limits.interrupts
    }

    /// Counts in both scopes. `key` is what requests are told apart by.
    pub(super) fn tell(&mut self, turn: &str, told: Told, key: &str) -> Trips {
        let Counts { session, turns } = &mut self.counts;
        let is_tracked = turns.iter().any(|other| other.turn == turn);
        if !is_tracked && told != Told::Eligible && turns.len() < limits::REVIEW_TURNS {
            turns.push(Turn { turn: turn.into(), scope: Scope::default() });
        }
        let tracked = turns.iter_mut().find(|other| other.turn == turn);
        Trips {
            turn: tracked.is_some_and(|turn| turn.scope.tell(told, key, &self.limits.turn)),
            session: session.tell(told, key, &self.limits.session),
        }
    }

    /// Whether the session scope has tripped.
    pub(super) fn has_tripped(&self) -> bool {
        self.counts.session.has_tripped
    }

    /// Whether the scope of a turn has tripped.
    pub(super) fn has_tripped_turn(&self, turn: &str) -> bool {
        self.counts.turns.iter().any(|other| other.turn == turn && other.scope.has_tripped)
    }

    /// Forgets a turn.
    pub(super) fn end(&mut self, turn: &str) {
        if let Some(place) = self.counts.turns.iter().position(|other| other.turn == turn) {
            self.counts.turns.remove(place);
        }
    }
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
            if self.keys.iter().all(|other| other.key != key) && self.keys.len() < limits::REVIEW_KEYS {
                self.keys.push(Key { key: key.into(), count: 0 });
            }
            if let Some(other) = self.keys.iter_mut().find(|other| other.key == key) {
                trips |= counts_to(&mut other.count, thresholds.identical);
            }
        }
        let now = trips && !self.has_tripped;
        self.has_tripped |= trips;
        now
    }
}

/// Counts one more; whether that reaches the threshold.
fn counts_to(count: &mut i64, most: i64) -> bool {
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
