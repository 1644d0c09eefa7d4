//! Review gates natively: the functions over JSON text, and the construction of sessions. Scripts are in `script`.

mod script;

use serde_json::{Map, Value, json};
use toolgate::dialect::Dialect;
use toolgate::review::ReviewSession;
use toolgate::wire;

pub(super) use script::script;

use super::crossing::text_of;
use super::notation::expand;

type Came = Option<Result<Value, Value>>;

/// `{call, …arguments by name}`
pub(super) fn call(input: &Value, _: &'static Dialect) -> Came {
    let input = expand(input);
    let text = |name: &str| input.get(name).map(text_of);
    let function = input["call"].as_str()?;
    // A text with half of a surrogate pair does not cross, nor does a policy that is not sealed.
    let model = input["text"].as_str();
    let sealed = input["policy"]
        .get("$policy")
        .and_then(|policy| review("createReviewPolicy", [Some(&text_of(policy)), None, None]).ok());
    let [a, b, c] = PARAMETERS.iter().find(|(name, _)| *name == function)?.1.map(text);
    let arguments = match function {
        "parseAssessment" => [model, b.as_deref(), None],
        "evaluateAssessment" | "combineAssessments" => [sealed.as_deref(), b.as_deref(), c.as_deref()],
        _ => [a.as_deref(), b.as_deref(), c.as_deref()],
    };
    let came = match function {
        "new ReviewSession" => session(&input["host"]).map(|_| json!({ "accepted": true })),
        _ => review(function, arguments).map(|text| match function {
            "subjectDigest" => json!({ "digest": text, "accepted": true }),
            "evaluateAssessment" | "combineAssessments" => {
                json!({ "decision": { "eligible": text == "eligible", "reason": text } })
            }
            _ => {
                let value: Value = serde_json::from_str(&text).unwrap_or_default();
                let digest = value["basis"]["subject_digest"].clone();
                json!({ "value": value, "digest": digest, "accepted": true })
            }
        }),
    };
    Some(Ok(came.unwrap_or_else(|text| {
        let mut refusal: Value = serde_json::from_str(&text).unwrap_or_default();
        json!({ "error": { "field": refusal["field"].take(), "reason": refusal["reason"].take() } })
    })))
}

/// Calls a function over texts; they cross as bytes.
fn review(function: &str, texts: [Option<&str>; 3]) -> Result<String, String> {
    let [first, second, third] = texts.map(|text| text.map(str::as_bytes));
    wire::review(function, first, second, third)
}

/// What each function takes, in order.
const PARAMETERS: &[(&str, [&str; 3])] = &[
    ("buildReviewContext", ["input", "policy", ""]),
    ("createReviewSubject", ["basis", "request", "context"]),
    ("subjectDigest", ["subject", "", ""]),
    ("createReviewPolicy", ["policy", "", ""]),
    ("evaluateAssessment", ["policy", "subject", "assessment"]),
    ("combineAssessments", ["policy", "classifiers", "outcomes"]),
    ("parseAssessment", ["text", "subject", ""]),
    ("new ReviewSession", ["", "", ""]),
];

/// Whether a call is about what only JavaScript has: callbacks that are missing.
pub(super) fn needs_javascript(input: &Value) -> bool {
    input["host"].get("missing").is_some_and(|missing| *missing != json!(["warn"]))
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
        Some(policy) => Some(review("createReviewPolicy", [Some(&text_of(policy)), None, None])?),
        None => None,
    };
    let setup = json!({
        "classifiers": text_of(&classifiers),
        "policy": policy,
        "limits": host.get("limits").map(text_of),
        "verifies": host.get("verify").is_some(),
        "readsBasis": host.get("currentBasis").is_some(),
    });
    wire::review_session(&setup.to_string(), None, 0)
}
