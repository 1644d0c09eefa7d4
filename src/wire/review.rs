//! Permission review over text: each refusal is a `ReviewError` with a field and a reason, and nothing of the value.

use super::error::Answer;
use crate::json::{Canonical, Writer};
use crate::limits;
use crate::review::{
    self, Checked, Context, ContextPolicy, Field, Part, Refusal, ReviewPolicy, ReviewSubject, Subject, parse,
};

/// What belongs to reviews among the words that the façade works with.
pub(super) fn write_words(to: &mut Writer) {
    for (name, number) in [
        ("reviewThreshold", usize::try_from(limits::REVIEW_BREAKER_THRESHOLD).unwrap_or(0)),
        ("answerUnits", limits::REVIEW_ANSWER_BYTES),
    ] {
        to.name(name);
        to.number(number);
    }
}

/// A result, or the JSON text of a refusal.
pub(super) fn answer(result: Checked<String>) -> Answer {
    result.map_err(refusal_text)
}

/// `{name, message, field, reason}`
pub fn refusal_text(refusal: Refusal) -> String {
    let mut field = Writer::default();
    field.text.push_str(refusal.field.as_str());
    if let Some(index) = refusal.index {
        field.text.push('[');
        field.digits(index);
        field.text.push(']');
    }
    let (field, reason) = (field.text, refusal.reason.as_str());
    let mut to = Writer::default();
    to.open("{");
    to.member("name", "ReviewError");
    to.member("message", &["permission review refused ", &field, ": ", reason].concat());
    to.member("field", &field);
    to.member("reason", reason);
    to.close("}");
    to.text
}

/// `buildReviewContext`
pub fn build_review_context(input: &str, policy: &str) -> Answer {
    let build = || {
        let context: Context = parse(input, Field::Context)?;
        let policy: ContextPolicy = parse(policy, Field::ContextPolicy)?;
        let mut to = Canonical::kept();
        review::build_context(context, &policy)?.write(&mut to);
        Ok(to.into_text())
    };
    answer(build())
}

/// `createReviewSubject`
pub fn create_review_subject(basis: &str, request: &str, context: &str) -> Answer {
    let create = || {
        let basis = parse(basis, Field::Basis)?;
        let request = parse(request, Field::Request)?;
        let context = parse(context, Field::Context)?;
        Ok(Subject::new(basis, request, context)?.text())
    };
    answer(create())
}

/// `subjectDigest`; a plain text.
pub fn subject_digest(subject: &str) -> Answer {
    answer(parse(subject, Field::Subject).and_then(|subject: ReviewSubject| subject.digest()))
}

/// `createReviewPolicy`
pub fn create_review_policy(policy: Option<&str>) -> Answer {
    answer(ReviewPolicy::parse(policy).map(|policy| policy.text()))
}

/// `evaluateAssessment`; the reason of the decision. `None` stands for a policy that is not sealed.
pub fn evaluate_assessment(policy: Option<&str>, subject: &str, assessment: &str) -> &'static str {
    review::evaluate_texts(policy, subject, assessment).as_str()
}

/// `combineAssessments`; the reason of the decision. `None` stands for a policy that is not sealed.
pub fn combine_assessments(policy: Option<&str>, classifiers: &str, outcomes: &str) -> &'static str {
    review::combine_texts(policy, classifiers, outcomes).as_str()
}

/// `parseAssessment`; `None` stands for a text that cannot cross.
pub fn parse_assessment(text: Option<&str>, subject: &str) -> Answer {
    let parse = || Ok(review::parse_assessment(text, &Subject::parse(subject)?)?.text());
    answer(parse())
}
