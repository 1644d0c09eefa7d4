//! The exports as the runtime sees them, in Node and in a headless browser: what only JavaScript can answer, and what
//! crosses the boundary. What needs no runtime is tested beside the code.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test stops where it fails")]

mod errors;
mod host;
mod policy;

/// A function that takes texts.
fn call(function: &str, texts: [Option<&str>; 3]) -> Result<String, String> {
    let [first, second, third] = texts.map(|text| text.map(Into::into));
    toolgate::wasm::call(function, first, second, third, None)
}

fn parse_rule_string(rule: &str, dialect: Option<&str>) -> Result<String, String> {
    call("parseRuleString", [Some(rule), dialect, None])
}

/// The JSON value of a text that came out.
fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
