//! What stands for values that JSON cannot say shortly, or at all.
//!
//! | notation | value |
//! |---|---|
//! | `{"$repeat":[text,n]}` | the text, n times |
//! | `{"$concat":[…]}` | texts joined |
//! | `{"$times":[v,n]}` in a list | n copies of v |
//! | `{"$utf16":[units]}` | the text of these UTF-16 code units; stays as it is where it is not well-formed |
//! | `{"$number":"NaN"}` | that number; stays as it is |

use serde_json::{Map, Value, json};

/// The value with every notation expanded that has a value in JSON.
pub(crate) fn expand(value: &Value) -> Value {
    if let Some(units) = text(value) {
        return String::from_utf16(&units).map_or_else(|_| json!({ "$utf16": units }), Value::String);
    }
    match value {
        Value::Array(items) => Value::Array(items.iter().flat_map(copies).collect()),
        Value::Object(members) => Value::Object(
            members.iter().map(|(key, value)| (key.clone(), expand(value))).collect::<Map<_, _>>(),
        ),
        plain => plain.clone(),
    }
}

/// The value without members that are `null`: as an input, such a member is absent.
pub(crate) fn without_absent(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_absent).collect(),
        Value::Object(members) => {
            let present = members.iter().filter(|(_, member)| !member.is_null());
            Value::Object(present.map(|(key, member)| (key.clone(), without_absent(member))).collect())
        }
        plain => plain.clone(),
    }
}

/// Whether some part has no value in JSON: a lone surrogate, a number that is none.
pub(crate) fn is_beyond_json(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_beyond_json),
        Value::Object(members) => {
            only_member(value).is_some_and(|(key, _)| key == "$utf16" || key == "$number")
                || members.values().any(is_beyond_json)
        }
        _ => false,
    }
}

/// The code units of what is no well-formed text, as [`expand`] leaves it.
pub(crate) fn units_of(value: &Value) -> Option<Vec<u16>> {
    only_member(value).filter(|(key, _)| *key == "$utf16").and_then(|_| text(value))
}

/// Whether it stands for a number that JSON does not have.
pub(crate) fn is_no_number(value: &Value) -> bool {
    only_member(value).is_some_and(|(key, _)| key == "$number")
}

fn copies(item: &Value) -> Vec<Value> {
    match only_member(item) {
        Some(("$times", Value::Array(of))) if of.len() == 2 => {
            vec![expand(&of[0]); count(&of[1])]
        }
        _ => vec![expand(item)],
    }
}

/// The code units of a text, plain or in notation.
fn text(value: &Value) -> Option<Vec<u16>> {
    if let Value::String(text) = value {
        return Some(text.encode_utf16().collect());
    }
    let (key, Value::Array(of)) = only_member(value)? else { return None };
    match key {
        "$repeat" if of.len() == 2 => Some(text(&of[0])?.repeat(count(&of[1]))),
        "$concat" => of.iter().map(text).collect::<Option<Vec<_>>>().map(|parts| parts.concat()),
        "$utf16" => of.iter().map(|unit| u16::try_from(unit.as_u64()?).ok()).collect(),
        _ => None,
    }
}

fn only_member(value: &Value) -> Option<(&str, &Value)> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.iter().next().map(|(key, value)| (key.as_str(), value))
}

fn count(value: &Value) -> usize {
    value.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: Value, expected: Value) {
        assert_eq!(expand(&value), expected, "{value}");
    }

    #[test]
    fn expands() {
        check(json!({"a": [{"$repeat": ["ab", 2]}]}), json!({"a": ["abab"]}));
        check(json!({"$concat": ["a", {"$repeat": ["b", 3]}]}), json!("abbb"));
        check(json!([{"$times": [{"x": 1}, 2]}, 3]), json!([{"x": 1}, {"x": 1}, 3]));
        check(json!({"$utf16": [55357, 56832]}), json!("😀"));
        check(json!({"$concat": [{"$utf16": [55357]}, {"$utf16": [56832]}]}), json!("😀"));
        check(json!({"$utf16": [55357]}), json!({"$utf16": [55357]}));
    }

    #[test]
    fn drops_what_is_absent() {
        assert_eq!(without_absent(&json!({"a": null, "b": [null, {"c": null}]})), json!({"b": [null, {}]}));
    }

    #[test]
    fn knows_what_json_cannot_say() {
        assert!(is_beyond_json(&expand(&json!({"a": [{"$utf16": [55357]}]}))));
        assert!(is_beyond_json(&json!([{"$number": "NaN"}])));
        assert!(!is_beyond_json(&expand(&json!({"a": {"$utf16": [65]}}))));
    }
}
