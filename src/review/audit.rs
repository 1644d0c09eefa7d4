//! What is told of reviews, and only that: who began, how it ended, and the closed words of the assessment
//! (review.md section 13).

use super::assessment::Assessment;
use super::basis::Basis;
use super::classifiers::Named;
use super::words::Status;

/// An event of an audit log. Nothing else of a review is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The gate.
    pub gate_id: String,
    /// The execution.
    pub tool_execution_id: String,
    /// The classifier.
    pub classifier: Named,
    /// How it ended; `None` where it begins.
    pub end: Option<End>,
}

/// How a classifier's part ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// In one word.
    pub status: Status,
    /// Its assessment's own words, where they were decided on.
    pub rated: Option<Rated>,
}

/// The closed words of an assessment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// `risk`
    pub risk: String,
    /// `authorization`
    pub authorization: String,
    /// `categories`
    pub categories: Vec<String>,
}

impl Audit {
    pub(super) fn started(basis: &Basis, classifier: &Named) -> Self {
        Self {
            gate_id: basis.gate_id.clone(),
            tool_execution_id: basis.tool_execution_id.clone(),
            classifier: classifier.clone(),
            end: None,
        }
    }

    pub(super) fn completed(
        basis: &Basis,
        classifier: &Named,
        status: Status,
        assessment: Option<&Assessment>,
    ) -> Self {
        let was_decided_on = matches!(status, Status::Allowed | Status::NeedsHuman);
        let rated = assessment.filter(|_| was_decided_on).map(|assessment| Rated {
            risk: assessment.risk.clone(),
            authorization: assessment.authorization.clone(),
            categories: assessment.categories.clone(),
        });
        Self { end: Some(End { status, rated }), ..Self::started(basis, classifier) }
    }
}
