//! Byte spans into a text, and their conversion at the edge.
//!
//! The core counts bytes of UTF-8; JavaScript counts UTF-16 code units. A [`Span`] is converted exactly once, where
//! a value leaves for JavaScript, with the text that it points into.

/// A half-open range `start..end` of bytes in some text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; an end before the start gives the empty span at `start`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The whole of `text`.
    pub const fn of(text: &str) -> Self {
        Self { start: 0, end: text.len() }
    }

    /// The part of `text` that the span covers, where it lies on character boundaries inside it.
    pub fn slice<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.get(self.start..self.end)
    }

    /// The same place counted in UTF-16 code units of `text`.
    pub fn to_utf16(self, text: &str) -> Self {
        let start = utf16_len_of_prefix(text, self.start);
        let inside = text.get(self.start..self.end).map_or(0, utf16_len);
        Self { start, end: start.saturating_add(inside) }
    }
}

/// Converts many spans of one text: of ASCII at no cost, else by walking from the last place to the next.
#[derive(Clone, Copy, Debug)]
pub struct Utf16<'t> {
    text: &'t str,
    is_ascii: bool,
    bytes: usize,
    units: usize,
}

impl<'t> Utf16<'t> {
    /// Starts at the beginning of a text.
    pub fn of(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii(), bytes: 0, units: 0 }
    }

    /// The same place counted in UTF-16 code units.
    pub fn span(&mut self, span: Span) -> Span {
        if self.is_ascii {
            return span;
        }
        let start = self.place(span.start);
        Span { start, end: self.place(span.end) }
    }

    fn place(&mut self, bytes: usize) -> usize {
        let (from, to) = (self.bytes.min(bytes), self.bytes.max(bytes));
        if let Some(between) = self.text.get(from..to).map(utf16_len) {
            self.units = if bytes < self.bytes {
                self.units.saturating_sub(between)
            } else {
                self.units.saturating_add(between)
            };
            self.bytes = bytes;
        }
        self.units
    }
}

/// Length of `text` in UTF-16 code units, as JavaScript's `length` has it.
pub fn utf16_len(text: &str) -> usize {
    text.bytes().fold(0usize, |n, byte| n.saturating_add(units(byte)))
}

/// How many units a byte stands for: one that starts a character for one, of four bytes for two; the others for none.
fn units(byte: u8) -> usize {
    usize::from(byte & 0xC0 != 0x80).saturating_add(usize::from(byte >= 0xF0))
}

fn utf16_len_of_prefix(text: &str, bytes: usize) -> usize {
    text.get(..bytes).map_or_else(|| utf16_len(text), utf16_len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, span: Span, expected: (usize, usize)) {
        let Span { start, end } = span.to_utf16(text);
        assert_eq!((start, end), expected, "{text:?} {span:?}");
        let mut units = Utf16::of(text);
        for other in [span, Span::of(text), span] {
            assert_eq!(units.span(other), other.to_utf16(text), "{text:?} {other:?}");
        }
    }

    #[test]
    fn converts_to_utf16() {
        check("abc", Span::new(1, 2), (1, 2));
        check("é=x", Span::new(2, 4), (1, 3));
        check("日本 x", Span::new(6, 8), (2, 4));
        check("😀x", Span::new(4, 5), (2, 3));
        check("😀x", Span::new(0, 4), (0, 2));
        check("", Span::new(0, 0), (0, 0));
        check("ab", Span::new(2, 2), (2, 2));
    }

    #[test]
    fn counts_as_javascript_does() {
        for text in ["", "a", "é", "日", "😀", "a😀é\u{10FFFF}"] {
            assert_eq!(utf16_len(text), text.encode_utf16().count(), "{text:?}");
        }
    }
}
