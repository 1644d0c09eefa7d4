//! What a text must be like: blank, normal, an id, a path, within a limit (review.md section 2).

use super::refusal::{Checked, Refusal, ensure};
use super::words::{Field, Reason};
use crate::json;

/// Characters with Unicode's White_Space: the list of the spec.
pub(super) fn is_white_space(c: char) -> bool {
    c.is_whitespace()
}

/// Empty, or white space only.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_white_space)
}

/// Not empty, no white space at either end, no U+0000.
pub(super) fn is_normal(text: &str) -> bool {
    !text.is_empty() && text.trim_matches(is_white_space).len() == text.len() && !has_nul(text)
}

/// Empty or normal.
pub(super) fn is_empty_or_normal(text: &str) -> bool {
    text.is_empty() || is_normal(text)
}

pub(super) fn has_nul(text: &str) -> bool {
    text.bytes().any(|byte| byte == 0)
}

/// `8-4-4-4-12` lower-case hex digits, not all of them zero.
pub(super) fn is_id(text: &str) -> bool {
    is_id_or_zero(text) && !is_zero(text)
}

fn is_id_or_zero(text: &str) -> bool {
    let fits = |(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => is_hex(byte),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0' | b'-'))
}

/// Refuses a missing id as `required`, and what is no id as `invalid`.
pub(super) fn check_id(text: &str, field: Field) -> Checked<()> {
    let missing = text.is_empty() || (is_id_or_zero(text) && is_zero(text));
    ensure(!missing, field, Reason::Required)?;
    ensure(is_id_or_zero(text), field, Reason::Invalid)
}

/// 64 lower-case hex digits.
pub(super) fn is_digest(text: &str) -> bool {
    json::is_hex(text, 64)
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// `/`, or components that are not empty, `.` or `..`.
pub(super) fn is_path(text: &str) -> bool {
    match text.as_bytes() {
        [b'/'] => true,
        [b'/', rest @ ..] => rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b"..")),
        _ => false,
    }
}

/// Whether a path is `root`, or longer than it by whole components.
pub(super) fn is_under(path: &str, root: &str) -> bool {
    match path.as_bytes().strip_prefix(root.as_bytes()) {
        None => false,
        Some(rest) => rest.is_empty() || root == "/" || rest.first() == Some(&b'/'),
    }
}

/// Refuses one of the texts that is empty.
pub(super) fn check_given(texts: &[&str], field: Field) -> Checked<()> {
    match texts.iter().find(|text| text.is_empty()) {
        None => Ok(()),
        Some(_) => Err(Refusal::new(field, Reason::Required)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_the_list_of_the_spec() {
        let listed = |c| {
            matches!(
                c,
                '\u{9}'..='\u{D}' | '\u{20}' | '\u{85}' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
            )
        };
        assert!(('\0'..=char::MAX).all(|c| is_white_space(c) == listed(c)));
    }

    #[test]
    fn texts() {
        assert!(is_blank("") && is_blank(" \u{85}\n") && !is_blank("\u{FEFF}"));
        assert!(is_normal("a b") && is_normal("\u{FEFF}"));
        for text in ["", " a", "a\u{2029}", "a\0b"] {
            assert!(!is_normal(text), "{text:?}");
        }
    }

    #[test]
    fn ids() {
        assert!(is_id("123e4567-e89b-12d3-a456-426614174109"));
        for text in [
            "",
            "123E4567-e89b-12d3-a456-426614174109",
            "123e4567e89b12d3a456426614174109",
            "00000000-0000-0000-0000-000000000000",
            "123e4567-e89b-12d3-a456-42661417410",
        ] {
            assert!(!is_id(text), "{text}");
        }
        let reason = |text| check_id(text, Field::Basis).map_err(|refusal| refusal.reason);
        assert_eq!(reason(""), Err(Reason::Required));
        assert_eq!(reason("00000000-0000-0000-0000-000000000000"), Err(Reason::Required));
        // Zeros without the right hyphens are no id, and not a missing one.
        assert_eq!(reason("0"), Err(Reason::Invalid));
        assert_eq!(reason("-"), Err(Reason::Invalid));
    }

    #[test]
    fn paths() {
        for path in ["/", "/a", "/a/..x", "/a b/ç"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", "a", "/a/", "//a", "/a/./b", "/a/..", "/."] {
            assert!(!is_path(path), "{path}");
        }
        assert!(
            is_under("/w", "/w") && is_under("/w/a", "/w") && is_under("/w/..x", "/w") && is_under("/a", "/")
        );
        assert!(!is_under("/w2", "/w") && !is_under("/", "/w"));
    }
}
