//! Secrets that show by their own form, whatever stands before them: private keys, values of authentication headers, user
//! information in URLs, the tokens of vendors.

use super::value::is_made_of_references;
use super::{at_is, is_blank, is_quote, is_space, rest, run_end};

/// A vendor's token: one of `prefixes`, and then so many bytes of its alphabet.
struct Vendor {
    /// One blank apart.
    prefixes: &'static str,
    count: usize,
    alphabet: fn(u8) -> bool,
    /// No letter or digit follows the last of them.
    is_exact: bool,
}

const fn vendor(prefixes: &'static str, count: usize, alphabet: fn(u8) -> bool, is_exact: bool) -> Vendor {
    Vendor { prefixes, count, alphabet, is_exact }
}

const VENDORS: &[Vendor] = &[
    vendor("ghp_ gho_ ghu_ ghs_ ghr_", 20, is_alphanumeric, false),
    vendor("github_pat_", 20, |byte| is_alphanumeric(byte) || byte == b'_', false),
    vendor("glpat-", 16, is_url_safe, false),
    vendor("sk_live_ rk_live_", 16, is_alphanumeric, false),
    vendor("xoxa- xoxb- xoxp- xoxr- xoxs-", 10, |byte| is_alphanumeric(byte) || byte == b'-', false),
    vendor("npm_", 36, is_alphanumeric, true),
    vendor("AKIA ASIA", 16, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit(), true),
    vendor("AIza", 35, is_url_safe, false),
];

/// Whether a text begins as one of the prefixes does; most words do not.
fn may_begin_vendor(text: &[u8]) -> bool {
    matches!(
        text,
        [b'g', b'h' | b'i' | b'l', ..]
            | [b's' | b'r', b'k', ..]
            | [b'x', b'o', ..]
            | [b'n', b'p', ..]
            | [b'A', b'K' | b'S' | b'I', ..]
    )
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// The alphabet of web tokens and of keys that go into URLs.
fn is_url_safe(byte: u8) -> bool {
    is_alphanumeric(byte) || matches!(byte, b'_' | b'-')
}

/// Whether one of the forms occurs.
pub(super) fn occurs(bytes: &[u8]) -> bool {
    let mut is_boundary = true;
    // Up to here a run was passed that holds no token: what begins inside of it holds none either.
    let (mut keys_passed, mut parts_passed) = (0usize, 0usize);
    for (at, byte) in bytes.iter().enumerate() {
        let here = rest(bytes, at);
        let is_hit = match byte {
            b'-' => is_private_key(here),
            b':' => is_user_information(bytes, at),
            b'b' | b'B' if is_boundary => is_bearer(here) || is_basic(here),
            b's' if is_boundary && here.starts_with(b"sk-") && at >= keys_passed => {
                keys_passed = run_end(bytes, at, is_url_safe);
                let run = bytes.get(at.saturating_add(3)..keys_passed).unwrap_or_default();
                run.len() >= 16 && run.iter().any(u8::is_ascii_digit)
            }
            b'e' if is_boundary && here.starts_with(b"eyJ") && at >= parts_passed => {
                parts_passed = run_end(bytes, at, is_url_safe);
                is_web_token(bytes, at.saturating_add(3), parts_passed)
            }
            _ => false,
        };
        if is_hit
            || (is_boundary && may_begin_vendor(here) && VENDORS.iter().any(|vendor| vendor.begins(here)))
        {
            return true;
        }
        is_boundary = !byte.is_ascii_alphanumeric();
    }
    false
}

impl Vendor {
    fn begins(&self, text: &[u8]) -> bool {
        self.prefixes.split([' ']).any(|prefix| {
            text.strip_prefix(prefix.as_bytes()).is_some_and(|rest| {
                rest.get(..self.count).is_some_and(|key| key.iter().all(|byte| (self.alphabet)(*byte)))
                    && !(self.is_exact && at_is(rest, self.count, is_alphanumeric))
            })
        })
    }
}

/// `eyJ…`, `…`, `…`, each of five or more; the first part ends at `end`.
fn is_web_token(bytes: &[u8], start: usize, end: usize) -> bool {
    let (mut start, mut end) = (start, end);
    for part in 0..3 {
        if end.saturating_sub(start) < 5 {
            return false;
        }
        if part < 2 {
            if !at_is(bytes, end, |byte| byte == b'.') {
                return false;
            }
            start = end.saturating_add(1);
            end = run_end(bytes, start, is_url_safe);
        }
    }
    true
}

/// `-----BEGIN … PRIVATE KEY-----`
fn is_private_key(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"-----BEGIN ") else { return false };
    let end = run_end(rest, 0, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || is_blank(byte));
    let (name, after) = rest.split_at_checked(end).unwrap_or_default();
    let name = name.strip_suffix(b" BLOCK").unwrap_or(name);
    name.ends_with(b"PRIVATE KEY") && after.starts_with(b"-----")
}

/// What follows `word` and blanks; the word in any case.
fn behind_word<'t>(text: &'t [u8], word: &str) -> Option<&'t [u8]> {
    let (head, after) = text.split_at_checked(word.len())?;
    let value = run_end(after, 0, is_blank);
    (head.eq_ignore_ascii_case(word.as_bytes()) && value > 0).then(|| rest(after, value))
}

fn is_bearer(text: &[u8]) -> bool {
    behind_word(text, "bearer").is_some_and(|value| {
        let end = run_end(value, 0, |byte| is_alphanumeric(byte) || b"._~+/=-".contains(&byte));
        let run = value.get(..end).unwrap_or_default();
        run.len() >= 8 && run.iter().any(u8::is_ascii_digit)
    })
}

fn is_basic(text: &[u8]) -> bool {
    behind_word(text, "basic").is_some_and(|value| {
        let end = run_end(value, 0, |byte| is_alphanumeric(byte) || matches!(byte, b'+' | b'/'));
        let padded = run_end(value, end, |byte| byte == b'=');
        padded >= 8 && is_name_and_password(value.get(..end).unwrap_or_default())
    })
}

/// Whether base64 stands for printable ASCII with a colon.
fn is_name_and_password(digits: &[u8]) -> bool {
    let (mut bits, mut count, mut has_colon) = (0u32, 0u32, false);
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit.wrapping_sub(b'A'),
            b'a'..=b'z' => digit.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => digit.wrapping_sub(b'0').wrapping_add(52),
            b'+' => 62,
            _ => 63,
        };
        bits = (bits << 6 | u32::from(value)) & 0xFFFF;
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            let byte = bits.wrapping_shr(count) & 0xFF;
            if !(0x20..0x7F).contains(&byte) {
                return false;
            }
            has_colon |= byte == u32::from(b':');
        }
    }
    has_colon
}

/// `scheme://user:password@`, from the colon of the scheme on.
fn is_user_information(bytes: &[u8], colon: usize) -> bool {
    let is_scheme = colon.checked_sub(1).is_some_and(|before| {
        at_is(bytes, before, |byte| is_alphanumeric(byte) || matches!(byte, b'+' | b'.' | b'-'))
    });
    let Some(text) = rest(bytes, colon).strip_prefix(b"://") else { return false };
    let end = run_end(text, 0, |byte| {
        !is_space(byte) && !is_quote(byte) && !matches!(byte, b'/' | b'@' | b'<' | b'>')
    });
    let user = run_end(text, 0, |byte| byte != b':');
    let password = text.get(user.saturating_add(1)..end);
    is_scheme
        && at_is(text, end, |byte| byte == b'@')
        && password.is_some_and(|password| {
            !password.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'))
                && !is_made_of_references(password)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_looked_for() {
        for prefix in VENDORS.iter().flat_map(|vendor| vendor.prefixes.split(' ')) {
            assert!(may_begin_vendor(prefix.as_bytes()), "{prefix}");
        }
    }
}
