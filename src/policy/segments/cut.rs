//! A line cut into segments, the way the product does it: by operators alone (`qwen-code.md` section 5).
//!
//! Operators are `&&` `||` `;;` `|&` `|` `;` `&` and newlines, outside quotes, escapes and `((…))`; an `&` beside `>` or
//! `<` is none. A backslash escapes inside single quotes too, which a shell does not do. A physical line in which a `#`
//! begins a word before any operator goes on to its end. What is empty is left out.

use crate::span::Span;
use crate::text;

/// The segments of a line, without the blanks around them; what follows the first `most` is one more.
pub(super) fn cut(line: &str, most: usize) -> Vec<Span> {
    let bytes = line.as_bytes();
    let arithmetic = Arithmetic::of(line);
    let mut spans = vec![];
    let mut start = 0usize;
    let mut quote = None;
    let mut at = 0usize;
    // Whether a comment may begin: there was no operator on this physical line.
    let mut plain = true;
    while let Some(byte) = bytes.get(at).copied() {
        let next = at.saturating_add(1);
        let before = at.checked_sub(1).and_then(|before| bytes.get(before)).copied();
        match (quote, byte) {
            (_, b'\\') => {
                at = at.saturating_add(2);
                continue;
            }
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(') => {
                if let Some(end) = arithmetic.end(at) {
                    at = end;
                    continue;
                }
            }
            (None, b'#') if plain && matches!(before, None | Some(b' ' | b'\t' | b'\n' | b'\r')) => {
                let rest = bytes.get(at..).unwrap_or_default();
                at = at.saturating_add(rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()));
                continue;
            }
            (None, b'&')
                if matches!(before, Some(b'<' | b'>'))
                    || bytes.get(next) == Some(&b'>')
                    || bytes.get(next) == Some(&b'<') => {}
            (None, b'&' | b'|' | b';' | b'\n') if spans.len() < most => {
                push(&mut spans, line, start, at);
                start = next;
                plain = byte == b'\n';
            }
            _ => {}
        }
        at = next;
    }
    push(&mut spans, line, start, line.len());
    spans
}

fn push(spans: &mut Vec<Span>, line: &str, start: usize, end: usize) {
    let text = line.get(start..end).unwrap_or_default();
    let trimmed = text::trim(text);
    if !trimmed.is_empty() {
        let start =
            start.saturating_add(text.len().saturating_sub(text.trim_start_matches(text::is_blank).len()));
        spans.push(Span::new(start, start.saturating_add(trimmed.len())));
    }
}

/// Where `((…))` stand: two parentheses that two others close side by side.
struct Arithmetic {
    /// First parenthesis, and what follows the last one; by place.
    spans: Vec<(usize, usize)>,
}

impl Arithmetic {
    fn of(line: &str) -> Self {
        let mut open: Vec<usize> = vec![];
        let mut spans = vec![];
        let mut inner: Option<(usize, usize)> = None;
        let mut escaped = false;
        let mut quote = None;
        for (at, byte) in line.bytes().enumerate() {
            match (quote, byte) {
                _ if escaped => {}
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(') => open.push(at),
                (None, b')') => {
                    let start = open.pop();
                    if let (Some(start), Some((from, to))) = (start, inner)
                        && from == start.saturating_add(1)
                        && to.saturating_add(1) == at
                    {
                        spans.push((start, at.saturating_add(1)));
                    }
                    inner = start.map(|start| (start, at));
                }
                _ => {}
            }
            escaped = byte == b'\\' && !escaped;
        }
        Self { spans: crate::order::sort(spans, Ord::cmp) }
    }

    fn end(&self, start: usize) -> Option<usize> {
        let place = self.spans.binary_search_by(|span| span.0.cmp(&start)).ok()?;
        self.spans.get(place).map(|(_, end)| *end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let found: Vec<&str> = cut(line, 99).iter().map(|span| span.slice(line).unwrap()).collect();
        assert_eq!(found, expected, "{line:?}");
    }

    #[test]
    fn cuts_at_operators() {
        check(
            "a && b || c;; d |& e | f ; g & h\ni\r\nj",
            &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
        );
        check("a && && b;", &["a", "b"]);
        check("a 2>&1 &> f <&3", &["a 2>&1 &> f <&3"]);
        check("$(true && git push x)", &["$(true", "git push x)"]);
        check("", &[]);
        assert_eq!(cut("a;b;c;d", 2).last().unwrap().slice("a;b;c;d"), Some("c;d"));
    }

    #[test]
    fn looks_past_quotes() {
        check("echo \"a && b\" 'c;d' e\\;f", &["echo \"a && b\" 'c;d' e\\;f"]);
        check("echo 'a\\' ; touch x'; b", &["echo 'a\\' ; touch x'", "b"]);
        check("echo \"a;b", &["echo \"a;b"]);
    }

    #[test]
    fn arithmetic_and_comments() {
        check("((x & 1)) && y", &["((x & 1))", "y"]);
        check("((a); (b; c))", &["((a)", "(b", "c))"]);
        check("(a; b)", &["(a", "b)"]);
        check("echo a # c && d\ne # f;g", &["echo a # c && d", "e # f;g"]);
        check("a; b # c; d", &["a", "b # c", "d"]);
        check("a#b;c", &["a#b", "c"]);
    }

    proptest! {
        #[test]
        fn never_fails(line in "[ab ;&|()<>'\"\\\\#\n]{0,40}") {
            for span in cut(&line, 5) {
                prop_assert!(span.slice(&line).is_some());
            }
        }
    }
}
