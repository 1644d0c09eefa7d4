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

/// Length of `text` in UTF-16 code units, as JavaScript's `length` has it.
pub fn utf16_len(text: &str) -> usize {
    // A byte that starts a character counts one unit; one that starts a four-byte character counts two.
    text.bytes().fold(0usize, |n, b| {
        n.saturating_add(usize::from(b & 0xC0 != 0x80)).saturating_add(usize::from(b >= 0xF0))
    })
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
