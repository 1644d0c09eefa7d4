//! Escapes of a rule's content (rules.md section 2): `\(` `\)` `\\`; a backslash before anything else is itself.

use crate::text::has;

/// `content` as a rule's text has it between its parentheses. Stars are left alone.
pub fn escape(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for c in content.chars() {
        if matches!(c, '\\' | '(' | ')') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// The inverse, left to right.
pub fn unescape(text: &str) -> String {
    if !has(text, b'\\') {
        return text.into();
    }
    let mut content = String::with_capacity(text.len());
    let (mut from, mut at) = (0usize, 0usize);
    while let Some(slash) =
        text.as_bytes().get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\'))
    {
        at = at.saturating_add(slash);
        let next = at.saturating_add(1);
        if matches!(text.as_bytes().get(next), Some(b'\\' | b'(' | b')')) {
            content.push_str(text.get(from..at).unwrap_or_default());
            (from, at) = (next, next);
        }
        at = at.saturating_add(1);
    }
    content.push_str(text.get(from..).unwrap_or_default());
    content
}

/// How many bytes of the escaped `text` stand for the first `unescaped` bytes of its content.
pub fn written_length(text: &str, unescaped: usize) -> usize {
    let mut content = 0usize;
    let mut at = 0usize;
    while content < unescaped {
        let rest = text.get(at..).unwrap_or_default();
        let escapes = matches!(rest.as_bytes(), [b'\\', b'\\' | b'(' | b')', ..]);
        let Some(c) = rest.chars().nth(usize::from(escapes)) else { break };
        content = content.saturating_add(c.len_utf8());
        at = at.saturating_add(c.len_utf8()).saturating_add(usize::from(escapes));
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(content: &str, text: &str) {
        assert_eq!(escape(content), text);
        assert_eq!(unescape(text), content);
    }

    #[test]
    fn escapes_three_characters() {
        check("", "");
        check("print(1)", r"print\(1\)");
        check(r"a\", r"a\\");
        check(r"a\(", r"a\\\(");
        check(r"x\*y", r"x\\*y");
        check("日(本", r"日\(本");
        assert_eq!(unescape(r"a\b\"), r"a\b\");
    }

    #[test]
    fn counts_what_is_written() {
        assert_eq!(written_length(r"a\(b\)c", 2), 3);
        assert_eq!(written_length(r"a\(b\)c", 4), 6);
        assert_eq!(written_length("é(x", 2), 2);
        assert_eq!(written_length("ab", 9), 2);
    }

    proptest! {
        #[test]
        fn unescape_undoes_escape(content in r"[\\()*a😀 ]{0,12}|\PC*") {
            prop_assert_eq!(unescape(&escape(&content)), content);
        }
    }
}
