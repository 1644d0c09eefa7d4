//! Which assessments may approve: `createReviewPolicy` (review.md section 5).

use super::assessment::categories;
use super::refusal::{Checked, Refusal, ensure};
use super::shape::{Part, record, with_defaults};
use super::text::is_blank;
use super::words::{Authorization, Category, Field, Reason, Risk, bits};
use crate::json::Canonical;
use crate::limits;

/// A review policy. There is no way to make one that does not keep the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewPolicy {
    given: Given,
    maximum_auto_risk: Risk,
    minimum_authorization: [Authorization; 3],
    absolute_human: Vec<Category>,
}

record! {
    /// A policy as it is written.
    Given {
        revision: String,
        maximum_auto_risk: String,
        minimum_authorization: Minimum,
        absolute_human: Vec<String>,
        material_truncation: i64,
    }
}

record! {
    /// The least authorization for each risk.
    Minimum {
        low: String,
        medium: String,
        high: String,
    }
}

impl ReviewPolicy {
    /// Checks a partial policy; what it leaves out takes its default. `None` leaves out everything.
    pub fn parse(text: Option<&str>) -> Checked<Self> {
        Self::check(with_defaults(DEFAULT, text, Field::Policy)?)
    }

    fn check(given: Given) -> Checked<Self> {
        let refuse = |reason| Refusal::new(Field::Policy, reason);
        ensure(!is_blank(&given.revision), Field::Policy, Reason::Required)?;
        let fits = given.revision.len() <= limits::REVIEW_NAME_BYTES;
        ensure(fits, Field::Policy, Reason::OutOfBounds)?;
        let maximum = Risk::parse(&given.maximum_auto_risk).filter(|risk| *risk != Risk::Critical);
        let maximum_auto_risk = maximum.ok_or(refuse(Reason::Unsupported))?;
        let Minimum { low, medium, high } = &given.minimum_authorization;
        let word = |text: &String| Authorization::parse(text).ok_or(refuse(Reason::Unsupported));
        let minimum_authorization = [word(low)?, word(medium)?, word(high)?];
        let rises = minimum_authorization.is_sorted() && minimum_authorization[2] >= Authorization::Medium;
        ensure(rises, Field::Policy, Reason::Invalid)?;
        let absolute_human = categories(&given.absolute_human)?;
        let is_mask = (0..=bits::ALL).contains(&given.material_truncation);
        ensure(is_mask, Field::Policy, Reason::OutOfBounds)?;
        Ok(Self { given, maximum_auto_risk, minimum_authorization, absolute_human })
    }

    /// Its name and version.
    pub fn revision(&self) -> &str {
        &self.given.revision
    }

    /// Whether a person is wanted because of what was shortened or left out.
    pub(super) fn wants_person_for(&self, applied: i64, material: i64) -> bool {
        material != 0 || applied & self.given.material_truncation != 0
    }

    /// Whether so much risk is more than it lets pass.
    pub(super) fn is_above(&self, risk: Risk) -> bool {
        risk > self.maximum_auto_risk
    }

    /// Whether one of the categories wants a person.
    pub(super) fn wants_person_of(&self, categories: &[Category]) -> bool {
        categories.iter().any(|category| self.absolute_human.contains(category))
    }

    /// Whether so much authorization is too little for the risk.
    pub(super) fn is_below(&self, authorization: Authorization, risk: Risk) -> bool {
        self.minimum_authorization.get(risk.index()).is_none_or(|least| authorization < *least)
    }

    /// Its JSON text, every member given.
    pub fn text(&self) -> String {
        let mut to = Canonical::kept();
        self.given.write(&mut to);
        to.into_text()
    }
}

const DEFAULT: &str = r#"{"revision":"toolgate-default-review-policy/v1","maximum_auto_risk":"high","minimum_authorization":{"low":"unknown","medium":"unknown","high":"medium"},"absolute_human":[],"material_truncation":0}"#;
