//! Strict JSON: one value type that keeps the order of members, and the place of whatever is wrong; canonical text and digests.
//!
//! Every argument that is more than a plain string reaches the core as the text that `JSON.stringify` made of it, so
//! no getter, proxy or prototype comes along. Refused, each with its place: lone surrogates, members named twice,
//! nesting over [`INPUT_DEPTH`](crate::limits::INPUT_DEPTH). A number keeps the text that it has.
//!
//! ```
//! use toolgate::json::{Json, read};
//! let value = read(r#"{"rules":{"allow":["Bash"]}}"#).unwrap();
//! assert_eq!(value.get("rules").and_then(|rules| rules.get("allow")), Some(&Json::List(vec![Json::Text("Bash".into())])));
//! ```

mod canonical;
mod digest;
mod number;
mod read;
mod sorted;
mod write;

pub use canonical::Canonical;
pub use digest::{Hasher, is_hex, sha256_hex};
pub use number::LARGEST_SAFE_INTEGER;
pub use read::{JsonError, read, read_to_depth, read_with_problems};
pub use write::{Writer, write};

use crate::diagnostic::Step;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A string; always well formed.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its members in their order.
    Object(Vec<(String, Json)>),
}

/// Takes a member out of those of an object, whose last one takes its place.
#[inline(never)]
pub fn take_member(members: &mut Vec<(String, Json)>, name: &str) -> Option<Json> {
    let at = members.iter().position(|(key, _)| key == name)?;
    Some(members.swap_remove(at).1)
}

impl Json {
    /// The member of that name, of an object that has it. A member that is `null` counts as absent.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, value)| key == name && *value != Self::Null).map(|(_, value)| value)
    }

    /// The member of that name, `null` included.
    pub fn member(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Gives an object's member a value.
    pub fn set(&mut self, name: &str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => members.push((name.into(), value)),
        }
    }

    /// Takes an object's member out.
    pub fn take(&mut self, name: &str) -> Option<Self> {
        let Self::Object(members) = self else { return None };
        take_member(members, name)
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

    /// Its compact text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        write(self, &mut text);
        text
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
