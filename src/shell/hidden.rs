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
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    if eights.iter().all(|eight| is_plain(*eight) || !eight.iter().any(suspect)) && !rest.iter().any(suspect)
    {
        return (None, None);
    }
    let first = |wanted: fn(char) -> bool| {
        let (at, c) = text.char_indices().find(|(_, c)| wanted(*c))?;
        Some(Span::new(at, at.saturating_add(c.len_utf8())))
    };
    (first(|c| c.is_control() && c != '\t' && c != '\n'), first(is_bidi))
}

fn suspect(byte: &u8) -> bool {
    *byte >= 0x7F || (*byte < 0x20 && *byte != b'\t' && *byte != b'\n')
}

/// Eight bytes at once are printable ASCII. The additions carry into the highest bit of a byte, and no further, once that
/// bit is known to be clear.
const fn is_plain(eight: [u8; 8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let bytes = u64::from_ne_bytes(eight);
    let below = bytes & !HIGH;
    // At least 0x20 everywhere, and nowhere 0x7F.
    let printable = below.wrapping_add(0x6060_6060_6060_6060);
    let deletes = below.wrapping_add(0x0101_0101_0101_0101);
    bytes & HIGH == 0 && printable & HIGH == HIGH && deletes & HIGH == 0
}

#[cfg(test)]
mod tests {
    use super::{is_plain, suspect};

    #[test]
    fn eight_at_once_are_what_each_of_them_is() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut eight = [b'a'; 8];
                if let Some(cell) = eight.get_mut(place) {
                    *cell = byte;
                }
                let plain = !suspect(&byte) && byte != b'\t' && byte != b'\n';
                assert_eq!(is_plain(eight), plain, "{byte:#04X} at {place}");
            }
        }
    }
}
