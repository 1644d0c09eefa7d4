//! White space as JavaScript has it, and search.

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

/// Where `needle` first stands in `text`. The one instance of the standard search: every other would be a kilobyte more.
#[inline(never)]
pub fn find(text: &str, needle: &str) -> Option<usize> {
    text.find(needle)
}

/// Whether `needle` stands in `text`.
pub fn contains(text: &str, needle: &str) -> bool {
    find(text, needle).is_some()
}

/// `text` before and after the first `needle`.
pub fn split_once<'t>(text: &'t str, needle: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text, needle)?;
    Some((text.get(..at)?, text.get(at.saturating_add(needle.len())..)?))
}
