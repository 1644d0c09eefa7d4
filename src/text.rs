//! White space as JavaScript has it, measuring and cutting, and search.

/// ECMAScript white space and line terminators: what `String.prototype.trim` removes.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

/// The characters of [`is_blank`], as ranges.
pub const BLANKS: [(char, char); 10] = [
    ('\t', '\r'),
    (' ', ' '),
    ('\u{A0}', '\u{A0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200A}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202F}', '\u{202F}'),
    ('\u{205F}', '\u{205F}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{FEFF}', '\u{FEFF}'),
];

/// The parts of a text that each end in an ASCII byte; the last one may lack it. Bytes are quicker to go through than
/// characters.
///
/// ```
/// assert!(toolgate::text::parts("a  bc ", b' ').eq(["a", "", "bc"]));
/// assert_eq!(toolgate::text::parts("", b' ').next(), None);
/// ```
pub fn parts(text: &str, end: u8) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let at = rest.bytes().position(|byte| byte == end).unwrap_or(rest.len());
        let (part, behind) = rest.split_at_checked(at).filter(|_| !rest.is_empty())?;
        rest = behind.get(1..).unwrap_or_default();
        Some(part)
    })
}

/// Whether `part` is one of the [`parts`] of a text.
#[inline(never)]
pub fn has_part(text: &str, end: u8, part: &str) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let at = rest.iter().position(|byte| *byte == end).unwrap_or(rest.len());
        if at == part.len() && rest.starts_with(part.as_bytes()) {
            return true;
        }
        rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
    }
    false
}

/// `text` without blanks at either end.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// The text on one line: each run of white space and control characters becomes one blank, and none stays at the ends.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if !is_blank(c) && !matches!(c, '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}') {
            line.push(c);
        } else if !line.is_empty() && !line.ends_with([' ']) {
            line.push(' ');
        }
    }
    if line.ends_with([' ']) {
        line.pop();
    }
    line
}

/// The beginning of `text` that has at most so many UTF-16 units; a character that would pass them is left out whole.
pub fn cut(text: &str, units: usize) -> &str {
    // No text has more units than bytes.
    if text.len() <= units {
        return text;
    }
    let (mut at, mut left) = (0usize, units);
    for byte in text.as_bytes() {
        // The first byte of a character tells how many units it has.
        let needed = usize::from(byte & 0xC0 != 0x80).saturating_add(usize::from(*byte >= 0xF0));
        if needed > left {
            return text.get(..at).unwrap_or_default();
        }
        left = left.saturating_sub(needed);
        at = at.saturating_add(1);
    }
    text
}

/// The first word of `text`, and what follows the blanks behind it; blanks before it do not count.
#[inline(never)]
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_blank);
    let (word, rest) = text.split_at_checked(text.find(is_blank).unwrap_or(text.len())).unwrap_or((text, ""));
    (word, rest.trim_start_matches(is_blank))
}

/// `text` without blanks at either end, and where that starts in it.
pub fn trim_at(text: &str) -> (usize, &str) {
    let behind = text.trim_start_matches(is_blank);
    (text.len().saturating_sub(behind.len()), behind.trim_end_matches(is_blank))
}

/// Whether an ASCII character stands in `text`.
pub fn has(text: &str, ascii: u8) -> bool {
    text.as_bytes().contains(&ascii)
}

/// A needle of so many bytes is compared anew at each place where its first one stands.
const SHORT: usize = 16;

/// Where `needle` first stands in `text`, in time linear in both. The standard search brings tables of printable
/// characters along for a message that is never shown.
pub fn find(text: &str, needle: &str) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let Some(first) = needle.first() else { return Some(0) };
    if needle.len() > SHORT {
        return find_long(text, needle);
    }
    let mut at = 0usize;
    loop {
        at = at.saturating_add(text.get(at..)?.iter().position(|byte| byte == first)?);
        if text.get(at..)?.starts_with(needle) {
            return Some(at);
        }
        at = at.saturating_add(1);
    }
}

/// Knuth, Morris and Pratt.
fn find_long(text: &[u8], needle: &[u8]) -> Option<usize> {
    let borders = borders(needle);
    let mut matched = 0usize;
    for (at, byte) in text.iter().enumerate() {
        while matched > 0 && needle.get(matched) != Some(byte) {
            matched = borders.get(matched).copied().unwrap_or(0);
        }
        matched = matched.saturating_add(usize::from(needle.get(matched) == Some(byte)));
        if matched == needle.len() {
            return Some(at.saturating_add(1).saturating_sub(matched));
        }
    }
    None
}

/// For each length of a prefix of `needle`, the length of its longest proper prefix that is also its suffix.
fn borders(needle: &[u8]) -> Vec<usize> {
    let mut borders = vec![0, 0];
    let mut border = 0usize;
    for byte in needle.iter().skip(1) {
        while border > 0 && needle.get(border) != Some(byte) {
            border = borders.get(border).copied().unwrap_or(0);
        }
        border = border.saturating_add(usize::from(needle.get(border) == Some(byte)));
        borders.push(border);
    }
    borders
}

/// Tells most texts apart from all of some words by their ends and length, before they are compared.
#[derive(Clone, Copy, Debug)]
pub struct Sieve([u64; 4]);

impl Sieve {
    /// Passes nothing.
    pub const EMPTY: Self = Self([0; 4]);

    /// Passes these words as well.
    pub const fn with(mut self, mut words: &[&str]) -> Self {
        while let [word, rest @ ..] = words {
            let (place, bit) = Self::mark(word.as_bytes());
            if let Some((cell, _)) = self.0.split_at_mut(place).1.split_first_mut() {
                *cell |= bit;
            }
            words = rest;
        }
        self
    }

    /// Whether `text` may be one of the words.
    pub fn admits(&self, text: &str) -> bool {
        let (place, bit) = Self::mark(text.as_bytes());
        self.0.get(place).is_some_and(|cell| cell & bit != 0)
    }

    const fn mark(text: &[u8]) -> (usize, u64) {
        let ([first, ..], [.., last]) = (text, text) else { return (0, 1) };
        let (first, last, length) = (*first as usize, *last as usize, text.len());
        let mark =
            first.wrapping_mul(7).wrapping_add(last.wrapping_mul(3)).wrapping_add(length.wrapping_mul(29));
        (mark >> 6 & 3, 1 << (mark & 63))
    }
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

#[cfg(test)]
mod tests {
    #[test]
    fn blanks_are_those_of_the_ranges() {
        for c in '\0'..=char::MAX {
            let ranged = super::BLANKS.iter().any(|(first, last)| (*first..=*last).contains(&c));
            assert_eq!(super::is_blank(c), ranged, "{c:?}");
        }
    }

    #[test]
    fn a_sieve_passes_its_words() {
        const WORDS: &[&str] = &["env", "sudo", "caffeinate", "", "é"];
        const SIEVE: Sieve = Sieve::EMPTY.with(WORDS);
        assert!(WORDS.iter().all(|word| SIEVE.admits(word)));
        assert!(!Sieve::EMPTY.admits("env"));
        let others = ["ls", "npm", "git", "cat", "echo", "node", "sed", "grep", "cargo", "python"];
        assert!(others.iter().filter(|word| SIEVE.admits(word)).count() < 2);
    }

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn trims_as_javascript_does() {
        assert_eq!(trim("\u{FEFF}\u{A0} a\u{85}\n"), "a\u{85}");
        assert_eq!(trim_at("\u{A0} a\n"), (3, "a"));
        assert_eq!(trim_at(" "), (1, ""));
    }

    #[test]
    fn brings_text_on_one_line() {
        assert_eq!(on_one_line(" a\u{1B}[31m\n\t\u{85}\u{2028}b\u{3000}\u{7F} "), "a [31m b");
        assert_eq!(on_one_line("\n\u{FEFF}"), "");
    }

    #[test]
    fn cuts_between_characters() {
        assert_eq!(cut("abc", 2), "ab");
        assert_eq!(cut("a😀b", 2), "a");
        assert_eq!(cut("a😀b", 3), "a😀");
        assert_eq!(cut("é", 1), "é");
        assert_eq!(cut("é", 0), "");
    }

    #[test]
    fn splits_words_off() {
        assert_eq!(split_word(" a\t b "), ("a", "b "));
        assert_eq!(split_word("a"), ("a", ""));
        assert_eq!(split_word(" \n"), ("", ""));
    }

    proptest! {
        #[test]
        fn finds_what_the_standard_search_finds(text in "[abé]{0,20}|(ab){0,6}[abé]{0,20}", needle in "[abé]{0,5}|a?(ba){7,9}") {
            prop_assert_eq!(find(&text, &needle), text.find(&needle));
            prop_assert_eq!(find_long(text.as_bytes(), ["x", &needle].concat().as_bytes()), None);
            if !needle.is_empty() {
                prop_assert_eq!(find_long(text.as_bytes(), needle.as_bytes()), text.find(&needle));
            }
        }
    }
}
