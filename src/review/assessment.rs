//! What a classifier says of a subject, and what its model wrote of it (review.md sections 5 and 10).

use super::basis::Basis;
use super::refusal::{Checked, Refusal, ensure};
use super::shape::{Part, part, record};
use super::subject::Subject;
use super::text::is_blank;
use super::words::{Authorization, Category, Field, Reason, Recommendation, Risk};
use crate::json::{self, Canonical, Json, take_member};
use crate::limits;

record! {
    /// An assessment of the right shape; whether it keeps the rules is told by [`Assessment::rate`].
    pub Assessment {
        /// What it is of.
        basis: Basis,
        /// How bad the call could be.
        risk: String,
        /// How clearly it was asked for.
        authorization: String,
        /// What kinds of harm were seen.
        categories: Vec<String>,
        /// What to do.
        recommendation: String,
        /// Why; for diagnosis alone.
        rationale: String,
    }
}

/// The words of an assessment that keeps the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// How bad the call could be.
    pub risk: Risk,
    /// How clearly it was asked for.
    pub authorization: Authorization,
    /// What kinds of harm were seen.
    pub categories: Vec<Category>,
    /// What to do.
    pub recommendation: Recommendation,
}

impl Assessment {
    /// The assessment rules, in their order.
    pub fn rate(&self) -> Checked<Rating> {
        let unsupported = |field| Refusal::new(field, Reason::Unsupported);
        let risk = Risk::parse(&self.risk).ok_or(unsupported(Field::Risk))?;
        let authorization =
            Authorization::parse(&self.authorization).ok_or(unsupported(Field::Authorization))?;
        let recommendation =
            Recommendation::parse(&self.recommendation).ok_or(unsupported(Field::Recommendation))?;
        let categories = categories(&self.categories)?;
        let fits = self.rationale.len() <= limits::REVIEW_RATIONALE_BYTES;
        ensure(fits, Field::Rationale, Reason::OutOfBounds)?;
        let says_why = risk == Risk::Low || !is_blank(&self.rationale);
        ensure(says_why, Field::Rationale, Reason::Required)?;
        Ok(Rating { risk, authorization, categories, recommendation })
    }

    /// Its JSON text.
    pub fn text(&self) -> String {
        let mut to = Canonical::kept();
        self.write(&mut to);
        to.into_text()
    }
}

/// A category list.
pub(super) fn categories(names: &[String]) -> Checked<Vec<Category>> {
    let refuse = |reason| Refusal::new(Field::Categories, reason);
    if names.len() > Category::ALL.len() {
        return Err(refuse(Reason::TooMany));
    }
    let mut categories = vec![];
    for name in names {
        let category = Category::parse(name).ok_or(refuse(Reason::Unsupported))?;
        if categories.contains(&category) {
            return Err(refuse(Reason::Duplicate));
        }
        categories.push(category);
    }
    Ok(categories)
}

/// The version of what a model answers.
const VERSION: &str = "command_safety_output.v1";

/// A model's answer; `None` stands for a text that JavaScript could not hand over whole.
pub fn parse_assessment(text: Option<&str>, subject: &Subject) -> Checked<Assessment> {
    let fits = |text: &&str| !text.is_empty() && text.len() <= limits::REVIEW_ANSWER_BYTES && *text != "null";
    let text = text.filter(fits).ok_or(Refusal::new(Field::Wire, Reason::OutOfBounds))?;
    let value = json::read(text).map_err(|_| INVALID)?;
    let answer = read_answer(value)?;
    ensure(!answer.lacks_basis, Field::Basis, Reason::Invalid)?;
    ensure(!answer.lacks_category, Field::Categories, Reason::Invalid)?;
    ensure(answer.version == VERSION, Field::Wire, Reason::Unsupported)?;
    ensure(answer.assessment.basis == *subject.basis(), Field::Basis, Reason::Mismatch)?;
    answer.assessment.rate()?;
    Ok(answer.assessment)
}

const INVALID: Refusal = Refusal::new(Field::Wire, Reason::Invalid);

/// An answer of the right shape.
struct ModelAnswer {
    version: String,
    assessment: Assessment,
    /// A member of the basis is missing or `null`.
    lacks_basis: bool,
    /// An item of the categories is `null`.
    lacks_category: bool,
}

/// A `null` inside of basis and categories is told apart from what has the wrong type. So the nulls are counted, and
/// empty texts are read in their places.
fn read_answer(value: Json) -> Checked<ModelAnswer> {
    let Json::Object(mut members) = value else { return Err(INVALID) };
    let mut lacks = [false; 2];
    for (name, value) in &mut members {
        match (name.as_str(), value) {
            ("basis", basis) if basis.is_object() => {
                for name in Basis::MEMBERS {
                    // To `get`, `null` is absent.
                    if basis.get(name).is_none() {
                        lacks[0] = true;
                        basis.set(name, Json::Text(String::new()));
                    }
                }
            }
            ("categories", Json::List(items)) => {
                for item in items.iter_mut().filter(|item| **item == Json::Null) {
                    lacks[1] = true;
                    *item = Json::Text(String::new());
                }
            }
            _ => {}
        }
    }
    let Some(Json::Text(version)) = take_member(&mut members, "version") else { return Err(INVALID) };
    let assessment = part(Some(Json::Object(members)), Field::Wire)?;
    let [lacks_basis, lacks_category] = lacks;
    Ok(ModelAnswer { version, assessment, lacks_basis, lacks_category })
}

record! {
    /// Something that a classifier looked at, in the host's own terms; rechecked before the gate is claimed.
    pub Observation {
        /// What was looked at.
        target: String,
        /// What it was like.
        token: String,
    }
}

impl Observation {
    /// Both texts are given, without U+0000, within limits.
    pub fn is_valid(&self) -> bool {
        [&self.target, &self.token].into_iter().all(|text| {
            !text.is_empty() && text.len() <= limits::REVIEW_OBSERVATION_BYTES && !super::text::has_nul(text)
        })
    }
}
