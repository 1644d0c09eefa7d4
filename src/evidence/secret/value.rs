//! What a credential key is given, and whether that could be the credential itself.

use super::key::Key;
use super::{at_is, is_blank, is_quote, is_space, is_word, rest, run_end};
use crate::dialect::tiers::Words;
use crate::limits;
use crate::span::utf16_len;

/// Words before the credential itself, in any case.
const SCHEMES: &str = "bearer basic token digest";

/// Words before a value that stand in code.
const BEFORE_VALUE: &str = "await new";

const TYPES: &str = "string number boolean bool any unknown never void object bigint symbol str String bytes int float \
    char Option Optional Array Promise Record Uint8Array Buffer";

/// Values that say that there is none, in any case.
const NOTHING: &str = "null undefined none nil true false redacted [redacted]";

/// Words of code that begin no value.
const KEYWORDS: &str = "return break continue throw function async class typeof delete yield";

/// A value as it stands in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'t> {
    text: &'t str,
    is_quoted: bool,
    /// Where it begins, with its quote.
    start: usize,
    /// One past its last byte, without the quote.
    end: usize,
}

impl<'t> Value<'t> {
    /// Whether the value at `at`, or the one that it announces, is a secret.
    pub(super) fn is_secret_at(text: &str, at: usize, key: Key) -> bool {
        let value = Value::read(text, at);
        match value.type_end() {
            None => is_secret(value.text, value.is_quoted, key),
            Some(end) => {
                // A type harms nobody; what the line goes on to assign may.
                let assigned = behind_annotation(text.as_bytes(), end).map(|at| Value::read(text, at));
                assigned.is_some_and(|value| {
                    value.type_end().is_none() && is_secret(value.text, value.is_quoted, key)
                })
            }
        }
    }

    /// The value behind blanks, and behind words that announce one on the same line.
    fn read(text: &'t str, at: usize) -> Self {
        let mut value = Self::plain(text, at);
        while !value.is_quoted && is_before_value(value.text) {
            let next = Self::plain(text, value.end);
            if next.end == next.start {
                break;
            }
            value = next;
        }
        value
    }

    fn plain(text: &'t str, at: usize) -> Self {
        let bytes = text.as_bytes();
        let start = run_end(bytes, at, is_blank);
        let (is_quoted, inside, end) = match quote(bytes, start) {
            Some((inside, escaped)) => (true, inside, closing(bytes, inside, escaped)),
            None => (false, start, run_end(bytes, start, |byte| !ends_value(byte))),
        };
        Self { text: text.get(inside..end).unwrap_or_default(), is_quoted, start, end }
    }

    /// Where the name of a type ends that the value is.
    fn type_end(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let name = run_end(bytes, 0, |byte| matches!(byte, b'&' | b'*' | b'?'));
        let end = run_end(bytes, name, is_identifier);
        let is_type = !self.is_quoted
            && !is_too_long(self.text)
            && Words(TYPES).has(self.text.get(name..end)?)
            && matches!(rest(bytes, end), [] | [b'[' | b'<' | b'|' | b'?' | b'&' | b'!', ..]);
        is_type.then(|| self.start.saturating_add(end))
    }
}

fn is_before_value(word: &str) -> bool {
    Words(BEFORE_VALUE).has(word) || (word.len() <= 6 && Words(SCHEMES).has(&word.to_ascii_lowercase()))
}

fn ends_value(byte: u8) -> bool {
    is_space(byte) || is_quote(byte) || matches!(byte, b',' | b';' | b')' | b']' | b'}')
}

/// Where the inside of a quoted value begins, and whether its quotes have a backslash in front.
fn quote(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let prefix = run_end(bytes, start, |byte| matches!(byte.to_ascii_lowercase(), b'b' | b'r' | b'f' | b'u'));
    if prefix.saturating_sub(start) > 2 {
        return None;
    }
    let escaped = at_is(bytes, prefix, |byte| byte == b'\\');
    let at = prefix.saturating_add(usize::from(escaped));
    at_is(bytes, at, is_quote).then(|| (at.saturating_add(1), escaped))
}

/// Where the value ends whose inside begins at `inside`: at the quote before it, written the same way, or with the line.
fn closing(bytes: &[u8], inside: usize, escaped: bool) -> usize {
    let quote = inside.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b'"');
    let mut at = inside;
    while let Some(byte) = bytes.get(at) {
        let step = match byte {
            b'\\' if escaped && at_is(bytes, at.saturating_add(1), |byte| byte == quote) => break,
            b'\\' => 2,
            b'\n' if quote != b'`' => break,
            byte if *byte == quote && !escaped => break,
            _ => 1,
        };
        at = at.saturating_add(step);
    }
    at.min(bytes.len())
}

/// Where a value begins that is assigned behind a type that ends at `at`: on the line, within reach, in the same item.
fn behind_annotation(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut at, mut units) = (at, 0usize);
    while units <= limits::SECRET_ANNOTATION_UNITS {
        let byte = *bytes.get(at)?;
        let next = at.saturating_add(1);
        let step = match byte {
            b'\n' | b'\r' | b',' | b';' | b')' | b'{' | b'}' => return None,
            b'=' if at_is(bytes, next, |byte| byte == b'>') => 2,
            b'=' => run_end(bytes, at, |byte| byte == b'=').saturating_sub(at),
            _ => 1,
        };
        if byte == b'=' && step == 1 {
            return Some(next);
        }
        // Bytes that begin a character count one unit, those that begin one of four bytes two.
        units = units
            .saturating_add(if byte == b'=' { step } else { usize::from(byte & 0xC0 != 0x80) })
            .saturating_add(usize::from(byte >= 0xF0));
        at = at.saturating_add(step);
    }
    None
}

/// Whether the value of a credential key is a secret.
pub(super) fn is_secret(value: &str, is_quoted: bool, key: Key) -> bool {
    is_too_long(value) || !is_harmless(without_scheme(value), is_quoted, key)
}

fn is_too_long(value: &str) -> bool {
    value.len() > limits::SECRET_VALUE_UNITS && utf16_len(value) > limits::SECRET_VALUE_UNITS
}

/// The value without white space at its ends and the word of a scheme in front.
fn without_scheme(value: &str) -> &str {
    let value = value.trim_ascii();
    let word = run_end(value.as_bytes(), 0, is_word);
    match value.split_at_checked(word) {
        Some((word, rest)) if Words(SCHEMES).has(&word.to_ascii_lowercase()) => rest.trim_ascii(),
        _ => value,
    }
}

fn is_harmless(value: &str, is_quoted: bool, key: Key) -> bool {
    let bytes = value.as_bytes();
    value.chars().all(|c| matches!(c, '*' | '.' | 'x' | 'X' | '•' | '_' | '-'))
        || Words(NOTHING).has(&value.to_ascii_lowercase())
        || matches!(bytes, [b'<', .., b'>'])
        || is_made_of_references(bytes)
        || (bytes
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || is_blank(*byte) || matches!(byte, b'_' | b'-'))
            && Key::of(value).is_some())
        || (!is_quoted && is_code(value, key))
}

/// Whether an unquoted value is a count, or code that would give a value.
fn is_code(value: &str, key: Key) -> bool {
    let bytes = value.as_bytes();
    let name = if at_is(bytes, 0, begins_identifier) { run_end(bytes, 0, is_identifier) } else { 0 };
    let is_expression = match rest(bytes, name) {
        [b'[' | b'(', ..] => true,
        [b'{', ..] => name == 0,
        [b'!', b'(', ..] => name > 0,
        [b'.', after, ..] | [b'?', b'.', after, ..] | [b':', b':', after, ..] => {
            name > 0 && begins_identifier(*after)
        }
        _ => false,
    };
    is_expression || Words(KEYWORDS).has(value) || (key.is_token && is_number(bytes))
}

fn begins_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// `-1_000.5e+3`, `0x1F`, `10n`
fn is_number(bytes: &[u8]) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let bytes = bytes.strip_prefix(b"+").or(bytes.strip_prefix(b"-")).unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"n").unwrap_or(bytes);
    if let [b'0', b'x' | b'X', digits @ ..] = bytes {
        return !digits.is_empty() && digits.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'_');
    }
    let mut at = run_end(bytes, 0, is_digit);
    if at_is(bytes, at, |byte| byte == b'.') {
        at = run_end(bytes, at.saturating_add(1), is_digit);
    }
    let has_digits = bytes.get(..at).unwrap_or_default().iter().any(u8::is_ascii_digit);
    if at_is(bytes, at, |byte| matches!(byte, b'e' | b'E')) {
        let signed = usize::from(at_is(bytes, at.saturating_add(1), |byte| matches!(byte, b'+' | b'-')));
        let digits = at.saturating_add(1).saturating_add(signed);
        at = run_end(bytes, digits, is_digit);
        if at == digits {
            return false;
        }
    }
    has_digits && bytes.first() != Some(&b'_') && at == bytes.len()
}

/// Whether a value has references such as `${NAME}`, and no letter or digit outside of them. Linear: a brace that nothing
/// closes is looked for once.
pub(super) fn is_made_of_references(bytes: &[u8]) -> bool {
    let (mut at, mut found, mut may_close) = (0usize, false, true);
    while let Some(byte) = bytes.get(at) {
        let inside = at.saturating_add(2);
        let end = match rest(bytes, at) {
            [b'$' | b'#', b'{', ..] => Some(behind(bytes, inside, b"}").unwrap_or(bytes.len())),
            [b'$', b'(', ..] => Some(behind(bytes, inside, b")").unwrap_or(bytes.len())),
            [b'$', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => Some(run_end(bytes, inside, is_name)),
            [b'{', b'{', ..] if may_close => {
                let end = behind(bytes, inside, b"}}");
                may_close = end.is_some();
                end
            }
            [b'%', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                let end = run_end(bytes, inside, is_name);
                at_is(bytes, end, |byte| byte == b'%').then(|| end.saturating_add(1))
            }
            _ => None,
        };
        if end.is_none() && byte.is_ascii_alphanumeric() {
            return false;
        }
        found |= end.is_some();
        at = end.unwrap_or(at.saturating_add(1));
    }
    found
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where the first `mark` ends, from `at` on.
fn behind(bytes: &[u8], at: usize, mark: &[u8]) -> Option<usize> {
    let found = rest(bytes, at).windows(mark.len()).position(|window| window == mark)?;
    Some(at.saturating_add(found).saturating_add(mark.len()))
}
