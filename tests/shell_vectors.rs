//! The shared vectors of the shell reader, `corpus/vectors/shell.json`.
//!
//! What `expect` does not name is not compared; lists are compared whole. `null` stands for an unknown value,
//! `{"$repeat": [text, n]}` and `{"$concat": […]}` for long texts.

#![cfg(all(unix, not(target_arch = "wasm32")))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

use serde_json::{Map, Value, json};
use toolgate::shell::{Command, Reading, read};
use toolgate::span::Span;

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(object) => match (object.get("$repeat"), object.get("$concat")) {
            (Some(Value::Array(repeat)), _) => text(&repeat[0]).repeat(repeat[1].as_u64().unwrap() as usize),
            (_, Some(Value::Array(parts))) => parts.iter().map(text).collect(),
            _ => panic!("no text: {value}"),
        },
        _ => panic!("no text: {value}"),
    }
}

fn span(span: Span, line: &str) -> Value {
    let span = span.to_utf16(line);
    json!({"start": span.start, "end": span.end})
}

fn command(command: &Command<'_>, line: &str) -> Value {
    let words: Vec<_> = command.words.iter().map(|word| word.value()).collect();
    let assignments: Vec<_> = command
        .assignments
        .iter()
        .map(|assigned| json!({"name": assigned.name, "value": assigned.value.value()}))
        .collect();
    let redirects: Vec<_> = command
        .redirects
        .iter()
        .map(|redirect| {
            json!({"operator": redirect.operator.as_str(), "target": redirect.target.value(), "span": span(redirect.span, line)})
        })
        .collect();
    json!({
        "words": words, "assignments": assignments, "redirects": redirects,
        "context": command.context.as_str(), "span": span(command.span, line),
    })
}

fn shown(reading: &Reading<'_>) -> Value {
    let line = reading.line();
    let problems: Vec<_> = reading
        .problems()
        .iter()
        .map(|problem| json!({"code": problem.code.as_str(), "span": span(problem.span, line)}))
        .collect();
    let commands: Vec<_> = reading.commands().iter().map(|c| command(c, line)).collect();
    json!({"complete": reading.is_complete(), "problems": problems, "commands": commands})
}

/// What `expected` names is in `actual` as it says.
fn agrees(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            expected.iter().all(|(key, value)| named(actual, key, value))
        }
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(expected, actual)| agrees(expected, actual))
        }
        _ => expected == actual,
    }
}

fn named(actual: &Map<String, Value>, key: &str, expected: &Value) -> bool {
    actual.get(key).map_or(expected.is_null(), |actual| agrees(expected, actual))
}

#[test]
fn vectors() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("corpus/vectors/shell.json")).unwrap();
    let mut failures = Vec::new();
    for vector in &vectors {
        let line = text(&vector["input"]["command"]);
        let reading = read(&line);
        let actual = shown(&reading);
        let count = vector["expect"]
            .get("commandCount")
            .is_none_or(|count| count.as_u64() == Some(reading.commands().len() as u64));
        if !agrees(&vector["expect"]["reading"], &actual) || !count {
            let shown: String = actual.to_string().chars().take(1500).collect();
            failures.push(format!(
                "{}\n  expected {}\n  actual   {shown}",
                vector["id"], vector["expect"]["reading"]
            ));
        }
    }
    println!("{} of {} vectors", vectors.len() - failures.len(), vectors.len());
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
