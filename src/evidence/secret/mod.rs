//! Whether a text appears to hold a secret (evidence.md section 13).
//!
//! | what | where |
//! |---|---|
//! | a value under a key such as `api_key`, in the notations of settings, programs and JSON | [`assignment`], [`key`], [`value`] |
//! | what shows by its own form: private keys, headers, URLs, the tokens of vendors | [`shape`] |
//!
//! Only the boolean leaves: neither the hit nor its place. Time is linear: a value is looked at up to the length at
//! which it is a hit whatever it says, and runs are passed once.
//!
//! ```
//! use toolgate::evidence::contains_secret;
//! assert!(contains_secret("password: hunter2"));
//! assert!(!contains_secret("password: string"));
//! ```

mod assignment;
mod key;
mod shape;
mod value;

use crate::json::Json;
use key::Key;

/// Whether `text` appears to hold a secret; true on the first hit.
pub fn contains_secret(text: &str) -> bool {
    shape::occurs(text.as_bytes()) || assignment::occurs(text)
}

/// The same of a JSON value: of every name and text in it, and of members whose name is a credential key.
pub fn json_contains_secret(value: &Json) -> bool {
    match value {
        Json::Text(text) => contains_secret(text),
        Json::List(items) => items.iter().any(json_contains_secret),
        Json::Object(members) => members.iter().any(|(name, value)| {
            contains_secret(name) || is_secret_member(name, value) || json_contains_secret(value)
        }),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Judges a member as an assignment would be: its name by the word that it ends in.
fn is_secret_member(name: &str, value: &Json) -> bool {
    let (value, is_quoted) = match value {
        Json::Text(text) => (text, true),
        Json::Number(number) => (number, false),
        _ => return false,
    };
    let word = name.bytes().rev().take_while(|byte| is_word(*byte)).count();
    let word = name.get(name.len().saturating_sub(word)..).unwrap_or_default();
    Key::of(word).is_some_and(|key| value::is_secret(value, is_quoted, key))
}

/// What a word is made of.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// What stands between words of one line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// What ends a value that is not quoted.
fn is_space(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\n' | b'\r' | 0xB | 0xC)
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The bytes from `at` on.
fn rest(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..).unwrap_or_default()
}

/// The byte at `at`, if there is one that `fits`.
fn at_is(bytes: &[u8], at: usize, fits: impl Fn(u8) -> bool) -> bool {
    bytes.get(at).is_some_and(|byte| fits(*byte))
}

/// Where the run of bytes that fit ends, from `at` on.
fn run_end(bytes: &[u8], at: usize, fits: fn(u8) -> bool) -> usize {
    let run = rest(bytes, at).iter().take_while(|byte| fits(**byte)).count();
    at.saturating_add(run)
}
