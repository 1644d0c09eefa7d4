//! Permission review over text: each refusal is a `ReviewError` with a field and a reason, and nothing of the value.

use super::error::Answer;
use crate::json::{Canonical, Writer};
use crate::limits;
use crate::review::{
    self, Checked, Context, Field, Part, Refusal, ReviewPolicy, ReviewSubject, Subject, parse,
};

/// What belongs to reviews among the words that the façade works with.
pub(super) fn write_words(to: &mut Writer) {
    for (name, number) in
        [("reviewThreshold", limits::REVIEW_BREAKER_THRESHOLD), ("answerUnits", limits::REVIEW_ANSWER_BYTES)]
    {
        to.name(name);
        to.number(number);
    }
}

/// `{name, message, field, reason}`
pub fn refusal_text(refusal: Refusal) -> String {
    let mut field = Writer::default();
    field.text.push_str(refusal.field.as_str());
    if let Some(index) = refusal.index() {
        field.text.push('[');
        field.digits(u64::try_from(index).unwrap_or(u64::MAX));
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

/// The functions about reviews, by name, over the JSON texts of their arguments; one that is `None` was not given.
///
/// | function | arguments | result |
/// |---|---|---|
/// | `buildReviewContext` | context, context policy | a context |
/// | `createReviewSubject` | basis, request, context | a subject |
/// | `subjectDigest` | subject | 64 hex digits, no JSON |
/// | `createReviewPolicy` | partial policy | a policy |
/// | `evaluateAssessment` | policy if it is sealed, subject, assessment | the reason of a decision, no JSON |
/// | `combineAssessments` | policy if it is sealed, names and revisions, outcomes | the same |
/// | `parseAssessment` | a model's text if it can cross, subject | an assessment |
pub fn review(function: &str, first: Option<&[u8]>, second: Option<&[u8]>, third: Option<&[u8]>) -> Answer {
    reviewed(function, text(first), text(second).unwrap_or_default(), text(third).unwrap_or_default())
        .map_err(refusal_text)
}

/// Bytes that are no text are no JSON either.
fn text(bytes: Option<&[u8]>) -> Option<&str> {
    bytes.map(|bytes| str::from_utf8(bytes).unwrap_or_default())
}

fn reviewed(function: &str, first: Option<&str>, b: &str, c: &str) -> Checked<String> {
    let a = first.unwrap_or_default();
    Ok(match function {
        "buildReviewContext" => {
            let context: Context = parse(a, Field::Context)?;
            text_of(&review::build_context(context, &parse(b, Field::ContextPolicy)?)?)
        }
        "createReviewSubject" => {
            let (basis, request) = (parse(a, Field::Basis)?, parse(b, Field::Request)?);
            Subject::new(basis, request, parse(c, Field::Context)?)?.text()
        }
        "subjectDigest" => parse::<ReviewSubject>(a, Field::Subject)?.digest()?,
        "createReviewPolicy" => ReviewPolicy::parse(first)?.text(),
        "evaluateAssessment" => review::evaluate_texts(first, b, c).as_str().into(),
        "combineAssessments" => review::combine_texts(first, b, c).as_str().into(),
        _ => review::parse_assessment(first, &Subject::parse(b)?)?.text(),
    })
}

/// The JSON text of a part.
pub(super) fn text_of(part: &impl Part) -> String {
    let mut to = Canonical::kept();
    part.write(&mut to);
    to.into_text()
}
