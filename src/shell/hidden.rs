//! Characters that stop a reading because a person would not see them, or would take them for something else.

use crate::span::Span;

/// A bidirectional control: it reorders what is shown, wherever it stands.
pub(super) const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Outside quotes: characters without a shape, and white space that is no blank to the shell.
pub(super) const fn is_hidden_unquoted(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
            | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// The first control character other than tab and newline, and the first bidirectional control.
pub(super) fn controls(text: &str) -> (Option<Span>, Option<Span>) {
    let suspect = |b: u8| b >= 0x7F || (b < 0x20 && b != b'\t' && b != b'\n');
    // No early end: this way the loop is one of vectors.
    if !text.bytes().fold(false, |seen, b| seen | suspect(b)) {
        return (None, None);
    }
    let first = |wanted: fn(char) -> bool| {
        let (at, c) = text.char_indices().find(|(_, c)| wanted(*c))?;
        Some(Span::new(at, at.saturating_add(c.len_utf8())))
    };
    (first(|c| c.is_control() && c != '\t' && c != '\n'), first(is_bidi))
}
