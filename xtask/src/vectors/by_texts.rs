//! The native side of functions that the core has by name, over texts (`toolgate::wire::call`): what the façade makes of
//! their arguments, in Rust.

use serde_json::{Value, json};
use toolgate::dialect::Dialect;
use toolgate::wire;

use super::native::{Came, HOST, Run, argument, json_of, value};

type Texts = [Option<String>];

/// Functions of the shape `call`.
pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("foldPermissionMode", |input, _| Some(returns(word("foldPermissionMode", &[log(&input["args"][0])])))),
    ("foldResumeSandbox", |input, _| Some(returns(word("foldResumeSandbox", &[log(&input["args"][0])])))),
    ("foldSessionAllow", |input, _| Some(returns(json("foldSessionAllow", &[log(&input["args"][0])])))),
    ("foldClassifiers", |input, _| Some(returns(json("foldClassifiers", &[log(&input["args"][0])])))),
    ("checkModeEvents", |input, _| Some(returns(json("checkModeEvents", &[log(&input["args"][0])])))),
    ("setPermissionMode", |input, _| {
        let mut current = input["args"][0].as_object()?.clone();
        let events = current.remove("events")?;
        let texts = [log(&events), text(&Value::Object(current)), string(input, 1)];
        Some(returns(json("setPermissionMode", &texts)))
    }),
    ("sessionAllowEvent", |input, _| {
        let stamp = json!({ "toolName": input["args"][1], "timestamp": input["args"][2] });
        Some(returns(json("sessionAllowEvent", &[string(input, 0), text(&stamp)])))
    }),
    ("isSandboxEscalation", |input, _| {
        let came = word("isSandboxEscalation", &[string(input, 0)]);
        Some(returns(came.map(|said| json!(said == "true"))))
    }),
    ("approveSandboxEscalation", |input, _| {
        Some(returns(json("approveSandboxEscalation", &[text(&input["args"][0])])))
    }),
    ("callFingerprint", |input, _| {
        let params = ecmascript(&input["args"][2]);
        Some(returns(word("callFingerprint", &[string(input, 0), string(input, 1), Some(params)])))
    }),
    ("dangerousAllowRules", |input, _| {
        Some(returns(json("dangerousAllowRules", &[text(&input["args"][0]), string(input, 1)])))
    }),
    ("fallbackConfirmation", |input, _| {
        let options = input["args"].get(1).map(Value::to_string);
        Some(returns(json("fallbackConfirmation", &[text(&input["args"][0]), options])))
    }),
    ("normalizeConfirmation", |input, _| Some(returns(json("normalizeConfirmation", &[string(input, 0)])))),
    ("toAcpPermissionRequest", |input, _| {
        let mut came = json("toAcpPermissionRequest", &[text(&input["args"][0])]);
        if let (Ok(request), Some(Value::Array(content))) = (&mut came, input["args"].get(1)) {
            request["content"].as_array_mut()?.extend(content.iter().cloned());
        }
        Some(returns(came))
    }),
    ("fromAcpOutcome", |input, _| {
        let outcome = &input["args"][1];
        let part = |name: &str| outcome[name].as_str().map(str::to_owned);
        let texts = [text(&input["args"][0]), part("outcome"), part("optionId")];
        Some(returns(word("fromAcpOutcome", &texts)))
    }),
];

/// What a call's grant is.
pub(super) fn grant(input: &Value, dialect: &'static Dialect) -> Came {
    let call = &input["grant"];
    let texts = [
        call["tool"].as_str().map(str::to_owned),
        call["subject"].as_str().map(str::to_owned),
        Some(call.get("arguments").map_or_else(|| "{}".to_owned(), Value::to_string)),
        Some(dialect.name.to_owned()),
    ];
    Some(word("deriveGrant", &texts).map(|rule| json!({ "grant": rule })))
}

/// What each step of a tracker returned, and its state at the end.
pub(super) fn tracker(input: &Value, _: &'static Dialect) -> Came {
    let first = step(input.get("state").map(Value::to_string), "state", None, None);
    let (mut state, _) = match first {
        Ok(first) => first,
        Err(failure) => return Some(Err(failure)),
    };
    let mut came = vec![];
    for played in input["steps"].as_array()? {
        let part = |name: &str| played[name].as_str().map(str::to_owned);
        let decision = &played["apply"];
        let done = if let Some(kind) = decision["kind"].as_str() {
            let reason = decision["reason"].as_str().map(str::to_owned);
            step(Some(state), &format!("apply {kind}"), reason, part("fingerprint"))
        } else if let Some(choice) = played["resolve"].as_str() {
            step(Some(state), &format!("resolve {choice}"), None, None)
        } else if played["reset"] == true {
            step(None, "state", None, None)
        } else {
            // A `shouldFallback` of no fingerprint is an empty step here.
            step(Some(state), "shouldFallback", None, part("shouldFallback"))
        };
        let (next, gave) = match done {
            Ok(done) => done,
            Err(failure) => return Some(Err(failure)),
        };
        state = next;
        came.push(match gave.as_str() {
            "" => Value::Null,
            word => serde_json::from_str(word).unwrap_or_else(|_| json!(word)),
        });
    }
    Some(Ok(json!({ "steps": came, "state": value(&state) })))
}

/// The state that follows a step, and what came of it.
fn step(
    state: Option<String>,
    step: &str,
    reason: Option<String>,
    fingerprint: Option<String>,
) -> Result<(String, String), Value> {
    let texts = [state, Some(step.to_owned()), reason, fingerprint];
    let came = called("denialStep", &texts).map_err(|failure| value(&failure))?;
    let (state, came) = came.split_once('\n').ok_or(Value::Null)?;
    Ok((state.to_owned(), came.to_owned()))
}

fn called(function: &str, texts: &Texts) -> wire::Answer {
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    wire::call(function, &texts, HOST)
}

/// An answer that is JSON; nothing is `null`.
pub(super) fn json(function: &str, texts: &Texts) -> Result<Value, Value> {
    json_of(called(function, texts).map(|text| if text.is_empty() { "null".to_owned() } else { text }))
}

/// An answer that is a word; nothing is `null`.
fn word(function: &str, texts: &Texts) -> Result<Value, Value> {
    called(function, texts)
        .map(|text| if text.is_empty() { Value::Null } else { Value::String(text) })
        .map_err(|failure| value(&failure))
}

fn returns(came: Result<Value, Value>) -> Result<Value, Value> {
    came.map(|returns| json!({ "returns": returns }))
}

fn text(value: &Value) -> Option<String> {
    Some(value.to_string())
}

fn string(input: &Value, n: usize) -> Option<String> {
    argument(input, n).map(str::to_owned)
}

/// An event a line.
fn log(events: &Value) -> Option<String> {
    let lines: Vec<String> = events.as_array()?.iter().map(Value::to_string).collect();
    Some(lines.join("\n"))
}

/// The text of a value as `JSON.stringify` writes it: numbers in the form of ECMAScript.
fn ecmascript(value: &Value) -> String {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float_text(float),
            _ => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(ecmascript).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}:{}", json!(name), ecmascript(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        plain => plain.to_string(),
    }
}

fn float_text(float: f64) -> String {
    let size = float.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return format!("{float}").replace("-0", "0");
    }
    let text = format!("{float:e}");
    match text.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_as_ecmascript_does() {
        let value: Value =
            serde_json::from_str("[1e21,1e-7,0.000001,100000000000000000000,1.50,-0.0,3]").unwrap();
        assert_eq!(ecmascript(&value), "[1e+21,1e-7,0.000001,100000000000000000000,1.5,0,3]");
    }
}
