//! The risk vectors: every case of `corpus/vectors/risk.json`, compared as its header says.

use serde_json::{Value, json};
use toolgate::path::Places;
use toolgate::risk::{Assessment, DSH_0_5, RiskTable, STANDARD, Scope, assess_command};

fn table(name: &str) -> RiskTable {
    match name {
        "standard" => STANDARD,
        "dsh-0.5" => DSH_0_5,
        other => panic!("no table for {other}"),
    }
}

/// `null` is absent, `{"$repeat":[text,n]}` and `{"$concat":[…]}` are texts.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => match (map.get("$repeat"), map.get("$concat")) {
            (Some(Value::Array(parts)), _) => Some(text(&parts[0])?.repeat(parts[1].as_u64()? as usize)),
            (_, Some(Value::Array(parts))) => parts.iter().map(text).collect(),
            _ => None,
        },
        _ => None,
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

fn shown(risk: &Assessment, subject: &str) -> Value {
    let findings: Vec<Value> = risk
        .findings
        .iter()
        .map(|finding| {
            let span = finding.span.to_utf16(subject);
            json!({
                "code": finding.code,
                "level": finding.level.as_str(),
                "reason": finding.reason,
                "span": { "start": span.start, "end": span.end },
            })
        })
        .collect();
    let reasons: Vec<&str> = risk.reasons().collect();
    json!({ "risk": { "level": risk.level.as_str(), "reasons": reasons, "findings": findings } })
}

fn run(dialect: &str, input: &Value) -> Value {
    let table = table(dialect);
    if let Some(command) = text(&input["command"]) {
        let patterns = texts(&input["patterns"]).unwrap_or_default();
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        return match assess_command(&table, &command, &patterns) {
            Ok(risk) => shown(&risk, &command),
            Err((_, error)) => json!({ "throws": "PolicyError", "code": error.code() }),
        };
    }
    let path = text(&input["filePath"]).unwrap();
    let options = &input["options"];
    let (cwd, home) = (text(&options["cwd"]), text(&options["home"]));
    let additional = texts(&options["additionalDirectories"]).unwrap_or_default();
    let protected = texts(&options["protectedFiles"]);
    let protected = table.paths.protected(protected.as_ref().map(|list| list.iter().map(String::as_str)));
    let places = Places { cwd: cwd.as_deref(), home: home.as_deref() };
    let scope = Scope::new(places, additional.iter().map(String::as_str));
    shown(&table.paths.assess(&path, &scope, &protected), &path)
}

/// Members that are not expected are not compared; lists are compared whole.
fn agrees(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, value)| agrees(value, found.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| agrees(a, b))
        }
        _ => expected == found,
    }
}

#[test]
fn agrees_with_the_vectors() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("corpus/vectors/risk.json")).unwrap();
    let mut wrong = Vec::new();
    for vector in &vectors {
        let found = run(vector["dialect"].as_str().unwrap(), &vector["input"]);
        if !agrees(&vector["expect"], &found) {
            wrong.push(format!(
                "{} {}\n  expected {}\n  found    {found}",
                vector["id"], vector["input"], vector["expect"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), vectors.len(), wrong.join("\n"));
}
