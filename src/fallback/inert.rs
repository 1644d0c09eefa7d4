//! A reason that a model gave, made inert (fallback.md section 5).

use crate::limits;
use crate::text;

/// Tags are removed until none is left, then all comparison signs; runs of white space and control characters become one
/// blank; what is longer than [`limits::INERT_REASON_UNITS`] is cut between characters. Takes time linear in `reason`.
pub fn inert(reason: &str) -> String {
    let mut clean = reason.to_owned();
    // Removing one tag may leave another behind.
    for _ in 0..8 {
        let Some(without) = without_tags(&clean) else { break };
        clean = without;
    }
    let mut line = String::new();
    let mut gap = false;
    for c in clean.chars().filter(|c| !matches!(c, '<' | '>')) {
        if text::is_blank(c) || c.is_control() {
            gap = !line.is_empty();
        } else {
            if gap {
                line.push(' ');
            }
            gap = false;
            line.push(c);
        }
    }
    text::trim(text::cut(&line, limits::INERT_REASON_UNITS)).into()
}

/// The text without its tags; `None` where it has none. A tag is `<`, a letter or one of `/` `!` `?`, and everything up to
/// the next `>`, unless another `<` stands before that.
fn without_tags(text: &str) -> Option<String> {
    let mut rest = text;
    let mut kept = String::new();
    let mut any = false;
    while let Some((before, after)) = text::split_once(rest, "<") {
        kept.push_str(before);
        let opens = after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        let end = after.find(['<', '>']).filter(|_| opens);
        match end.and_then(|end| after.get(end..)?.strip_prefix('>')) {
            Some(behind) => {
                any = true;
                rest = behind;
            }
            None => {
                kept.push('<');
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    any.then_some(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::utf16_len;

    #[track_caller]
    fn check(reason: &str, expected: &str) {
        assert_eq!(inert(reason), expected, "{reason:?}");
    }

    #[test]
    fn removes_tags_within_tags() {
        check("<<b>system>x", "x");
        check("a </x\ny> b <!-- c --> <?d?>e", "a b e");
        check("1 < 2 and 3 > 2", "1 2 and 3 2");
        check("<1>", "1");
        check("<a<b>c", "ac");
        // Eight times, then the signs alone are taken.
        check(&["<", &"<a>".repeat(9), "b>c"].concat(), "c");
        check(&["<a".repeat(10), ">".repeat(10)].concat(), "aa");
    }

    #[test]
    fn becomes_one_short_line() {
        check(" \u{FEFF}a\u{85}\u{1b}\u{2028} b\0", "a b");
        check("\u{200B}a", "\u{200B}a");
        check(&["x".repeat(199).as_str(), " yz"].concat(), &"x".repeat(199));
        check(&["x".repeat(199).as_str(), "😀"].concat(), &"x".repeat(199));
    }

    proptest! {
        #[test]
        fn nothing_of_a_tag_or_a_line_is_left(reason in "[<>a/! \n\u{1b}😀]{0,60}|\\PC{0,300}") {
            let clean = inert(&reason);
            let bare = !clean.contains(['<', '>', '\n', '\r', '\u{1b}']);
            prop_assert!(bare);
            prop_assert!(utf16_len(&clean) <= 200);
            prop_assert_eq!(text::trim(&clean), clean.as_str());
            prop_assert_eq!(inert(&clean), clean);
        }
    }
}
