//! Strict JSON: one value type that keeps the order of members, and the place of whatever is wrong.
//!
//! Every argument that is more than a plain string reaches the core as the text that `JSON.stringify` made of it, so
//! no getter, proxy or prototype comes along. Refused, each with its place: lone surrogates, members named twice,
//! nesting over [`limits::INPUT_DEPTH`].
//!
//! ```
//! use toolgate::json::{Json, read};
//! let value = read(r#"{"rules":{"allow":["Bash"]}}"#).unwrap();
//! assert_eq!(value.get("rules").and_then(|rules| rules.get("allow")), Some(&Json::List(vec![Json::Text("Bash".into())])));
//! ```

use core::cell::RefCell;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::diagnostic::{Path, Step};
use crate::limits;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as JavaScript has it.
    Number(f64),
    /// A string; always well formed.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its members in their order.
    Object(Vec<(String, Json)>),
}

/// Why a text is no value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// `not-json`, `lone-surrogate`, `duplicate-member` or `too-deep`.
    pub code: &'static str,
    /// Where in the value.
    pub path: Path,
}

impl Json {
    /// The member of that name, of an object that has it. A member that is `null` counts as absent.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, value)| key == name && *value != Self::Null).map(|(_, value)| value)
    }

    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// What stands at `path`.
    pub fn at(&self, path: &[Step]) -> Option<&Self> {
        path.iter().try_fold(self, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.as_list()?.get(*index),
        })
    }
}

/// Reads one value that is the whole of `text`.
pub fn read(text: &str) -> Result<Json, JsonError> {
    let place = Place::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Seed(&place).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|_| {
        let Place { path, code } = place;
        // `JSON.stringify` writes a surrogate that stands alone as an escape, and nothing else of that shape.
        let fallback = if has_surrogate_escape(text) { "lone-surrogate" } else { "not-json" };
        JsonError { code: code.into_inner().unwrap_or(fallback), path: path.into_inner() }
    })
}

fn has_surrogate_escape(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.as_bytes().get(at.saturating_add(2)..at.saturating_add(4));
        matches!(digits, Some([b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F']))
    })
}

/// Where the reader stands, and what this module itself found wrong there.
#[derive(Default)]
struct Place {
    path: RefCell<Path>,
    code: RefCell<Option<&'static str>>,
}

impl Place {
    /// Reads an inner value one step further in. The step stays on the path where that fails.
    fn inside<T, E>(&self, step: Step, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.path.borrow_mut().push(step);
        let value = read()?;
        self.path.borrow_mut().pop();
        Ok(value)
    }

    fn refuse<E: serde::de::Error>(&self, code: &'static str) -> E {
        *self.code.borrow_mut() = Some(code);
        E::custom(code)
    }
}

#[derive(Clone, Copy)]
struct Seed<'p>(&'p Place);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        if self.0.path.borrow().len() > limits::INPUT_DEPTH {
            return Err(self.0.refuse("too-deep"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers are doubles")]
    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers are doubles")]
    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = self.0.inside(Step::Index(list.len()), || items.next_element_seed(self))? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object: Vec<(String, Json)> = Vec::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = self.0.inside(Step::Key(key.clone()), || members.next_value_seed(self))?;
            object.push((key, value));
        }
        let mut names: Vec<&str> = object.iter().map(|(key, _)| key.as_str()).collect();
        names.sort_unstable();
        if names.array_windows().any(|[a, b]| a == b) {
            return Err(self.0.refuse("duplicate-member"));
        }
        Ok(Json::Object(object))
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str, path: &[Step]) {
        assert_eq!(
            read(text).map_err(|error| (error.code, error.path)),
            Err((code, path.to_vec())),
            "{text}"
        );
    }

    #[test]
    fn reads_and_writes_back() {
        let text = r#"{"b":[1.5,null,true,"x\ny"],"a":{"__proto__":"toString"}}"#;
        assert_eq!(serde_json::to_string(&read(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn refuses_with_a_place() {
        check(r#"{"a":["x","\ud800"]}"#, "lone-surrogate", &["a".into(), 1.into()]);
        check(r#"{"a":{"b":"\udc00x"}}"#, "lone-surrogate", &["a".into(), "b".into()]);
        check(r#"[{"\ud83d":1}]"#, "lone-surrogate", &[0.into()]);
        check(r#"[{"a":1,"b":2,"a":3}]"#, "duplicate-member", &[0.into()]);
        check("[1,", "not-json", &[1.into()]);
        check("", "not-json", &[]);
        check("1 2", "not-json", &[]);
    }

    #[test]
    fn bounds_the_depth() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(read(&deep).unwrap_err().code, "too-deep");
        let fine = format!("{}{}", "[".repeat(90), "]".repeat(90));
        assert!(read(&fine).is_ok());
    }
}
