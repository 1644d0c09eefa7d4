//! Review gates natively: the functions over JSON text, and the construction of sessions. Scripts are in `script`.

mod script;

use serde_json::{Map, Value, json};
use toolgate::dialect::Dialect;
use toolgate::review::{Callbacks, ReviewSession, Setup};
use toolgate::wire;

pub(super) use script::script;

use super::notation::expand;

type Came = Option<Result<Value, Value>>;

/// `{call, …arguments by name}`
pub(super) fn call(input: &Value, _: &'static Dialect) -> Came {
    let input = expand(input);
    let text = |name: &str| input.get(name).map(text_of);
    let given = |name: &str| text(name).unwrap_or_else(|| "null".to_owned());
    let answer = match input["call"].as_str()? {
        "buildReviewContext" => wire::build_review_context(&given("input"), &given("policy")),
        "createReviewSubject" => {
            wire::create_review_subject(&given("basis"), &given("request"), &given("context"))
        }
        "subjectDigest" => {
            let digest = wire::subject_digest(&given("subject"));
            return Some(Ok(refused_or(digest, |digest| json!({ "digest": digest, "accepted": true }))));
        }
        "createReviewPolicy" => wire::create_review_policy(text("policy").as_deref()),
        "evaluateAssessment" => {
            let policy = sealed(&input["policy"]);
            let (subject, assessment) = (given("subject"), given("assessment"));
            return Some(Ok(decision(wire::evaluate_assessment(policy.as_deref(), &subject, &assessment))));
        }
        "combineAssessments" => {
            let policy = sealed(&input["policy"]);
            let (classifiers, outcomes) = (given("classifiers"), given("outcomes"));
            return Some(Ok(decision(wire::combine_assessments(policy.as_deref(), &classifiers, &outcomes))));
        }
        // A text with half of a surrogate pair does not cross.
        "parseAssessment" => wire::parse_assessment(input["text"].as_str(), &given("subject")),
        "new ReviewSession" => {
            if input["host"].get("missing").is_some_and(|missing| *missing != json!(["warn"])) {
                return None;
            }
            let made = session(&input["host"]).map(|_| "null".to_owned());
            return Some(Ok(refused_or(made, |_| json!({ "accepted": true }))));
        }
        _ => return None,
    };
    Some(Ok(refused_or(answer, |text| {
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let digest = value["basis"]["subject_digest"].clone();
        json!({ "value": value, "digest": digest, "accepted": true })
    })))
}

/// Whether a call is about what only JavaScript has: callbacks that are missing.
pub(super) fn needs_javascript(input: &Value) -> bool {
    input["host"].get("missing").is_some_and(|missing| *missing != json!(["warn"]))
}

fn refused_or<T>(answer: Result<T, String>, came: impl FnOnce(T) -> Value) -> Value {
    match answer {
        Ok(value) => came(value),
        Err(text) => {
            let mut refusal: Value = serde_json::from_str(&text).unwrap_or_default();
            json!({ "error": { "field": refusal["field"].take(), "reason": refusal["reason"].take() } })
        }
    }
}

fn decision(reason: &str) -> Value {
    json!({ "decision": { "eligible": reason == "eligible", "reason": reason } })
}

/// The text of a sealed policy. One without the mark was never sealed.
fn sealed(policy: &Value) -> Option<String> {
    wire::create_review_policy(Some(&text_of(policy.get("$policy")?))).ok()
}

/// A session as the façade would make it of a fake host.
fn session(host: &Value) -> Result<ReviewSession, String> {
    let row = |classifier: &Value| {
        let mut row = Map::new();
        row.insert("complete".to_owned(), classifier.get("missing").is_none().into());
        for name in ["name", "revision", "timeoutMs", "definition"] {
            if let Some(value) = classifier.get(name) {
                row.insert(name.to_owned(), value.clone());
            }
        }
        Value::Object(row)
    };
    let classifiers = match &host["classifiers"] {
        Value::Array(items) => items.iter().map(row).collect(),
        other => other.clone(),
    };
    let policy = match host.get("policy") {
        Some(policy) => Some(wire::create_review_policy(Some(&text_of(policy)))?),
        None => None,
    };
    let limits = host.get("limits").map(text_of);
    let setup = Setup {
        classifiers: &text_of(&classifiers),
        policy: policy.as_deref(),
        limits: limits.as_deref(),
        has: Callbacks {
            verifies: host.get("verify").is_some(),
            reads_basis: host.get("currentBasis").is_some(),
        },
    };
    wire::review_session(&setup, None, 0, "{}")
}

/// JSON text, in which half of a surrogate pair is what `JSON.stringify` makes of it.
fn text_of(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(text_of).collect::<Vec<_>>().join(",")),
        Value::Object(members) => match members.get("$utf16").and_then(Value::as_array) {
            Some(units) if members.len() == 1 => {
                let unit = |unit: &Value| format!("\\u{:04x}", unit.as_u64().unwrap_or(0));
                format!("\"{}\"", units.iter().map(unit).collect::<String>())
            }
            _ => {
                let member = |(name, value): (&String, &Value)| format!("{}:{}", json!(name), text_of(value));
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
            }
        },
        plain => plain.to_string(),
    }
}
