//! The inputs of the vector files about policies.

use super::{Question, files};
use serde_json::Value;

/// Every input of every file that has configurations, in order of file name.
pub fn inputs() -> Vec<Value> {
    let mut paths: Vec<_> =
        std::fs::read_dir(files::own("vectors")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let inputs = |path: &std::path::PathBuf| -> Vec<Value> {
        let vectors: Vec<Value> = serde_json::from_str(&files::text(path)).unwrap();
        let has_config = |input: &&Value| input["config"].is_object() || input["compare"].is_object();
        vectors.iter().map(|vector| &vector["input"]).filter(has_config).map(expand).collect()
    };
    paths.iter().flat_map(inputs).collect()
}

/// The questions of a vector: its own call, the calls of a list, the one that it has explained.
pub fn questions(input: &Value) -> Vec<Question> {
    let calls = [&input["call"], &input["explain"], &input["suggest"], &input["coverage"], &input["calls"]];
    let calls = calls.into_iter().flat_map(|call| match call {
        Value::Array(calls) => calls.clone(),
        Value::Object(_) => vec![call.clone()],
        _ => vec![],
    });
    calls
        .filter(|call| call["tool"].is_string())
        .map(|call| Question::new(call, input["state"].clone()))
        .collect()
}

/// A text that vectors write shortly.
fn expand(value: &Value) -> Value {
    match value {
        Value::Object(members) => match (members.get("$repeat"), members.get("$concat")) {
            (Some(of), _) => {
                of[0].as_str().unwrap().repeat(of[1].as_u64().unwrap().try_into().unwrap()).into()
            }
            (_, Some(of)) => {
                let parts = of.as_array().unwrap().iter().map(expand);
                parts.map(|part| part.as_str().unwrap().to_owned()).collect::<String>().into()
            }
            _ => Value::Object(members.iter().map(|(key, value)| (key.clone(), expand(value))).collect()),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        plain => plain.clone(),
    }
}
