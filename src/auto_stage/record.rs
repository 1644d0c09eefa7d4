//! What the stage writes down of a call, and what it says of it (auto-stage.md sections 6 and 9).

use crate::vocabulary::ClassifierFailure;

/// The model that a call of a session goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Not empty.
    pub provider: String,
    /// Not empty.
    pub model: String,
}

impl Route {
    /// What failures are counted by: `provider/model`.
    pub fn key(&self) -> String {
        [self.provider.as_str(), "/", &self.model].concat()
    }
}

/// An audit record: nothing of the call but its tool and digest, nothing of what a model said but the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The tool's name.
    pub tool: String,
    /// Of what a model was shown, or would have been.
    pub digest: Option<String>,
    /// Whether the verdict is `allow`; else it is `ask`.
    pub allows: bool,
    /// Why there was no verdict.
    pub failure: Option<ClassifierFailure>,
    /// Where there was one.
    pub route: Option<Route>,
    /// Whole milliseconds from the start of the call.
    pub latency_ms: usize,
    /// Whether the verdict was given before.
    pub is_cache_hit: bool,
}

/// What the stage says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The host goes on with what was decided.
    NoOpinion,
    /// The call may run.
    Allow,
    /// A person is asked.
    Ask {
        /// Fit to be shown.
        reason: String,
        /// Why no model gave the answer; `None` where one did.
        failure: Option<ClassifierFailure>,
    },
}

impl Outcome {
    /// The ask that comes of a failure.
    pub fn of_failure(failure: ClassifierFailure) -> Self {
        let reason = match failure {
            ClassifierFailure::Cancelled => "classification cancelled by caller",
            ClassifierFailure::Timeout => "classifier timed out",
            ClassifierFailure::Malformed => "classifier output unparseable",
            ClassifierFailure::Error | ClassifierFailure::Unarmed | ClassifierFailure::Breaker => {
                "classifier error"
            }
        };
        Self::Ask { reason: reason.into(), failure: Some(failure) }
    }
}
