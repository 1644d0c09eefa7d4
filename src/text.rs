//! White space as JavaScript has it.

/// ECMAScript white space and line terminators: what `String.prototype.trim` removes.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

/// `text` without blanks at either end.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}
