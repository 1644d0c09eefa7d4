//! The counters of one session, and what follows from a result (fallback.md sections 2 and 3).
//!
//! | result | runs | totals | mark | outcome |
//! |---|---|---|---|---|
//! | allow | end | | used up | approved |
//! | block | of blocks, one more | blocks, one more | this call, or used up at a limit | blocked, at a limit a prompt |
//! | unavailable | of unavailable results, one more | unavailable, one more | kept | a prompt |
//! | destructive | of blocks, one more | blocks, one more | kept | blocked |
//! | a reason to ask, or anything else | | | used up | a prompt |
//!
//! State is read and written in one step, when the result is there: calls that were judged side by side never lose a
//! count.

use super::inert::inert;
use super::wording::{BLOCKED, DESTRUCTIVE, lines, message};
use crate::limits;
use crate::vocabulary::{ConfirmationOutcome, FallbackReason};

/// The counters, and the call that may be sent once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenialState {
    /// Length of the current run of blocks.
    pub consecutive_block: u64,
    /// Length of the current run of unavailable results.
    pub consecutive_unavailable: u64,
    /// All blocks.
    pub total_block: u64,
    /// All unavailable results.
    pub total_unavailable: u64,
    /// The fingerprint of the blocked call that opens a prompt when it is sent again.
    pub mark: Option<String>,
}

/// What a classifier, a guard or a rule came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// The action may go on.
    Allow,
    /// The classifier said no, and why.
    Block(&'a str),
    /// No verdict was reached, and why.
    Unavailable(&'a str),
    /// The guard stopped it, and why.
    Destructive(&'a str),
    /// A person is to be asked.
    Fallback(FallbackReason),
    /// Nothing that is known.
    Unknown,
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The call may run.
    Approved,
    /// The call is denied.
    Blocked {
        /// For the agent.
        message: String,
        /// The host's hook runs: the classifier said no, in this very call.
        permission_denied_hook: bool,
    },
    /// A person decides.
    Fallback {
        /// Why.
        reason: FallbackReason,
        /// For the person.
        message: Option<String>,
        /// The host's hook runs: the classifier said no, in this very call.
        permission_denied_hook: bool,
    },
}

impl DenialState {
    /// Why the classifier is not to be asked about a call; `None`: ask it.
    pub fn should_fallback(&self, fingerprint: Option<&str>) -> Option<FallbackReason> {
        if self.is_at_total() {
            Some(FallbackReason::TotalDenial)
        } else if self.consecutive_block >= limits::BLOCKS_IN_A_ROW {
            Some(FallbackReason::ConsecutiveBlock)
        } else if self.consecutive_unavailable >= limits::UNAVAILABLE_IN_A_ROW {
            Some(FallbackReason::ConsecutiveUnavailable)
        } else if self.is_marked(fingerprint) {
            Some(FallbackReason::ClassifierBlockedRetry)
        } else {
            None
        }
    }

    /// Counts a result, and says what follows from it.
    pub fn apply(&mut self, verdict: &Verdict<'_>, fingerprint: Option<&str>) -> Outcome {
        match verdict {
            Verdict::Allow => {
                self.end_runs();
                self.use_up(fingerprint);
                Outcome::Approved
            }
            Verdict::Block(reason) => {
                self.count_block();
                let because = inert(reason);
                let at_limit = if self.is_at_total() {
                    Some(FallbackReason::TotalDenial)
                } else {
                    (self.consecutive_block >= limits::BLOCKS_IN_A_ROW)
                        .then_some(FallbackReason::ConsecutiveBlock)
                };
                if let Some(reason) = at_limit {
                    self.use_up(fingerprint);
                    return prompt(reason, &because, true);
                }
                if let Some(fingerprint) = fingerprint {
                    self.mark = Some(fingerprint.into());
                }
                Outcome::Blocked { message: lines(BLOCKED, &because), permission_denied_hook: true }
            }
            Verdict::Unavailable(reason) => {
                count(&mut self.consecutive_unavailable);
                count(&mut self.total_unavailable);
                self.consecutive_block = 0;
                prompt(FallbackReason::ClassifierUnavailable, &inert(reason), false)
            }
            Verdict::Destructive(reason) => {
                self.count_block();
                Outcome::Blocked {
                    message: lines(DESTRUCTIVE, &inert(reason)),
                    permission_denied_hook: false,
                }
            }
            Verdict::Fallback(reason) => {
                self.use_up(fingerprint);
                prompt(*reason, "", false)
            }
            Verdict::Unknown => {
                self.use_up(fingerprint);
                prompt(FallbackReason::SafetyCheck, "", false)
            }
        }
    }

    /// Takes in what a person chose in a prompt that a fallback opened: an approval ends both runs, and clears the totals
    /// where they had reached their limit.
    pub fn resolve(&mut self, choice: ConfirmationOutcome) {
        if matches!(choice, ConfirmationOutcome::RestorePrevious | ConfirmationOutcome::Cancel) {
            return;
        }
        if self.is_at_total() {
            self.total_block = 0;
            self.total_unavailable = 0;
        }
        self.end_runs();
    }

    fn is_at_total(&self) -> bool {
        self.total_block.saturating_add(self.total_unavailable) >= limits::DENIALS
    }

    fn is_marked(&self, fingerprint: Option<&str>) -> bool {
        self.mark.is_some() && self.mark.as_deref() == fingerprint
    }

    fn use_up(&mut self, fingerprint: Option<&str>) {
        if self.is_marked(fingerprint) {
            self.mark = None;
        }
    }

    fn end_runs(&mut self) {
        self.consecutive_block = 0;
        self.consecutive_unavailable = 0;
    }

    fn count_block(&mut self) {
        count(&mut self.consecutive_block);
        count(&mut self.total_block);
        self.consecutive_unavailable = 0;
    }
}

fn count(counter: &mut u64) {
    *counter = counter.saturating_add(1).min(limits::COUNT);
}

fn prompt(reason: FallbackReason, because: &str, permission_denied_hook: bool) -> Outcome {
    Outcome::Fallback { reason, message: message(reason, because), permission_denied_hook }
}
