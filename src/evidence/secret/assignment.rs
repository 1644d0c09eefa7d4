//! Values under a credential key: `key: value`, `key = value` and their kin.
//!
//! ```text
//! word [quote] ["]"] blanks operator blanks value
//! ```

use super::key::Key;
use super::value::Value;
use super::{at_is, is_blank, is_quote, is_word, rest, run_end};

/// Whether a credential key has a value that is a secret.
pub(super) fn occurs(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0usize;
    while at < bytes.len() {
        let end = run_end(bytes, at, is_word);
        if end > at && is_secret_at(text, at, end) {
            return true;
        }
        at = end.max(at.saturating_add(1));
    }
    false
}

/// Judges the value of the word `start..end`.
fn is_secret_at(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(at) = behind_operator(bytes, end) else { return false };
    if bytes.get(..start).is_some_and(|before| before.ends_with(b"${")) {
        return false;
    }
    let key = text.get(start..end).and_then(Key::of);
    key.is_some_and(|key| Value::is_secret_at(text, at, key))
}

/// Where the operator behind a word ends that ends at `at`.
fn behind_operator(bytes: &[u8], at: usize) -> Option<usize> {
    let escaped = usize::from(at_is(bytes, at, |byte| byte == b'\\'));
    let has_quote = at_is(bytes, at.saturating_add(escaped), is_quote);
    let mut at = if has_quote { at.saturating_add(escaped).saturating_add(1) } else { at };
    if at_is(bytes, at, |byte| byte == b']') {
        at = at.saturating_add(1);
    }
    let at = run_end(bytes, at, is_blank);
    let length = match rest(bytes, at) {
        [b':' | b'?', b'=', ..] => 2,
        [b':', after @ ..] if is_colon(after) => 1,
        [b'?' | b'!', b':', after @ ..] if is_colon(after) => 2,
        [b'=', b'>', ..] if has_quote => 2,
        [b'=', b'=' | b'>' | b'~', ..] => return None,
        [b'=', ..] => 1,
        _ => return None,
    };
    Some(at.saturating_add(length))
}

/// Whether a colon before `after` assigns: it begins neither `::` nor `://`.
fn is_colon(after: &[u8]) -> bool {
    !matches!(after, [b':', ..] | [b'/', b'/', ..])
}
