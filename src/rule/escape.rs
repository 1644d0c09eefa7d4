//! Escapes of a rule's content (rules.md section 2): `\(` `\)` `\\`; a backslash before anything else is itself.

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
    let mut content = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let mut ahead = rest.clone();
        match (c, ahead.next()) {
            ('\\', Some(escaped @ ('\\' | '(' | ')'))) => {
                content.push(escaped);
                rest = ahead;
            }
            _ => content.push(c),
        }
    }
    content
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

    proptest! {
        #[test]
        fn unescape_undoes_escape(content in r"[\\()*a😀 ]{0,12}|\PC*") {
            prop_assert_eq!(unescape(&escape(&content)), content);
        }
    }
}
