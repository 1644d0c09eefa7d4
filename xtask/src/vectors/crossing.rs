//! Values as the façade hands them over, and what the core writes for it.

use serde_json::{Value, json};
use toolgate::json::{self, Json, Writer};

use super::notation::{is_no_number, units_of};

/// What `JSON.stringify` writes: half of a surrogate pair as an escape, what is no number as `null`.
pub(crate) fn text_of(value: &Value) -> String {
    if let Some(units) = units_of(value) {
        return format!("\"{}\"", units.iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>());
    }
    if is_no_number(value) {
        return "null".to_owned();
    }
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(text_of).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}:{}", json!(name), text_of(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

/// The same where the core has read it; `null` where it refuses to.
pub(crate) fn json_of(value: &Value) -> Json {
    json::read(&text_of(value)).unwrap_or(Json::Null)
}

/// What is written as it crosses, as a list.
pub(crate) fn crossed(write: impl FnOnce(&mut Writer)) -> Value {
    let mut to = Writer::default();
    to.open("[");
    write(&mut to);
    to.close("]");
    serde_json::from_str(&to.text).unwrap_or_default()
}
