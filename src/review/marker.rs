//! Shortening a text around a marker, and telling whether that was done (review.md section 6.2).

use super::refusal::{Checked, Refusal};
use super::words::{Field, Reason};
use crate::text::{contains, find};

/// What stands where text is missing.
pub const MARKER: &str = "\n…[review context truncated]…\n";

pub(super) fn has_marker(text: &str) -> bool {
    contains(text, MARKER)
}

/// The marker stands in it exactly once, with something before and something behind it.
pub(super) fn is_well_marked(text: &str) -> bool {
    let Some(at) = find(text, MARKER) else { return false };
    let behind = text.get(at.saturating_add(MARKER.len())..).unwrap_or_default();
    at > 0 && !behind.is_empty() && !has_marker(behind)
}

/// The first and last characters of `text` around the marker, at most `limit` bytes in all.
pub(super) fn shorten(text: &str, limit: usize) -> Checked<String> {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let last = text.chars().next_back().map_or(0, char::len_utf8);
    let room = limit.saturating_sub(MARKER.len());
    if room < first.saturating_add(last) {
        return Err(Refusal::new(Field::ContextPolicy, Reason::OutOfBounds));
    }
    let most = (room / 2).max(first).min(room.saturating_sub(last));
    let head = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
    let left = room.saturating_sub(head.len());
    let tail = text.get(text.ceil_char_boundary(text.len().saturating_sub(left))..).unwrap_or_default();
    let mut short = String::with_capacity(limit);
    short.push_str(head);
    short.push_str(MARKER);
    short.push_str(tail);
    Ok(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, limit: usize, expected: Option<(&str, &str)>) {
        let expected = expected.map(|(head, tail)| [head, MARKER, tail].concat());
        assert_eq!(shorten(text, limit).ok(), expected, "{text:?} to {limit}");
    }

    #[test]
    fn keeps_whole_characters_of_both_ends() {
        let long = "abcdefghij".repeat(10);
        check(&long, 36, Some(("a", "j")));
        check(&long, 35, None);
        check(&long, 41, Some(("abc", "ghij")));
        // The first character is longer than half the room, the last one leaves it less.
        check(&"😀b".repeat(20), 39, Some(("😀", "b")));
        check(&"a😀".repeat(20), 39, Some(("a", "😀")));
        check(&"😀".repeat(20), 41, None);
        check(&"é".repeat(30), 39, Some(("é", "é")));
        check(&"é".repeat(30), 41, Some(("é", "éé")));
    }

    #[test]
    fn tells_a_text_that_was_shortened() {
        for (text, is) in [
            (["a", MARKER, "b"].concat(), true),
            ([MARKER, "b"].concat(), false),
            (["a", MARKER].concat(), false),
            (["a", MARKER, "b", MARKER, "c"].concat(), false),
            // The second would share a line feed with the first; a scan without overlap does not see it.
            (["a", MARKER, MARKER.trim_start(), "c"].concat(), true),
            ("ab".to_owned(), false),
        ] {
            assert_eq!(is_well_marked(&text), is, "{text:?}");
        }
    }
}
