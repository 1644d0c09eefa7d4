//! Canonical JSON: no white space, one way to write each string, members in the order in which they are written.
//!
//! In strings `"` and `\` stand after a backslash; U+0008, 0009, 000A, 000C and 000D are `\b \t \n \f \r`; every other
//! character below U+0020, and `<` `>` `&` U+2028 U+2029, is `\u` and four lower-case hex digits; all else is itself
//! (review.md section 8). What is written is kept, hashed or only counted: a large value is hashed without a copy of it.
//!
//! ```
//! use toolgate::json::Canonical;
//! let mut to = Canonical::kept();
//! to.open('{');
//! to.member("a", "<\n>");
//! to.name("b");
//! to.number(-1);
//! to.close('}');
//! assert_eq!(to.into_text(), r#"{"a":"\u003c\n\u003e","b":-1}"#);
//! ```

use super::digest::Hasher;
use crate::escape;

/// Writes canonical JSON piece by piece, and the commas by itself.
#[derive(Debug)]
pub struct Canonical {
    /// What is kept; otherwise what is not yet hashed or counted. Always well-formed as a whole.
    bytes: Vec<u8>,
    before: usize,
    end: End,
    is_first: bool,
}

/// Where the text goes.
#[derive(Debug)]
enum End {
    Kept,
    Hashed(Hasher),
    Counted,
}

/// Pieces are gathered up to this many bytes before they go on.
const GATHERED: usize = 4_096;

impl Canonical {
    fn new(end: End) -> Self {
        Self { bytes: Vec::with_capacity(GATHERED), before: 0, end, is_first: true }
    }

    /// A writer that keeps the text.
    pub fn kept() -> Self {
        Self::new(End::Kept)
    }

    /// A writer that takes the digest of the text.
    pub fn hashed() -> Self {
        Self::new(End::Hashed(Hasher::default()))
    }

    /// A writer that counts the bytes of the text.
    pub fn counted() -> Self {
        Self::new(End::Counted)
    }

    /// How many bytes were written.
    pub fn len(&self) -> usize {
        self.before.saturating_add(self.bytes.len())
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, if it was kept.
    pub fn into_text(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_default()
    }

    /// The digest of the text, as hex digits; of a writer that does not hash it is empty.
    pub fn into_digest(self) -> String {
        match self.end {
            End::Hashed(mut hasher) => {
                hasher.update(&self.bytes);
                hasher.hex()
            }
            End::Kept | End::Counted => String::new(),
        }
    }

    /// Opens an object or a list.
    pub fn open(&mut self, bracket: char) {
        self.comma();
        self.put(if bracket == '{' { "{" } else { "[" });
        self.is_first = true;
    }

    /// Closes it.
    pub fn close(&mut self, bracket: char) {
        self.put(if bracket == '}' { "}" } else { "]" });
        self.is_first = false;
    }

    /// The name of a member, whose value follows.
    pub fn name(&mut self, name: &str) {
        self.string(name);
        self.put(":");
        self.is_first = true;
    }

    /// A member that is a string.
    pub fn member(&mut self, name: &str, string: &str) {
        self.name(name);
        self.string(string);
    }

    /// `true` or `false`.
    pub fn flag(&mut self, flag: bool) {
        self.comma();
        self.put(if flag { "true" } else { "false" });
    }

    /// `null`
    pub fn null(&mut self) {
        self.comma();
        self.put("null");
    }

    /// A number.
    pub fn number(&mut self, number: i64) {
        self.comma();
        if number < 0 {
            self.put("-");
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, number: u64) {
        if number > 9 {
            self.digits(number / 10);
        }
        let digit = u8::try_from(number % 10).unwrap_or(0).saturating_add(b'0');
        self.make_room(1);
        self.bytes.push(digit);
    }

    /// A string.
    pub fn string(&mut self, string: &str) {
        self.comma();
        self.put("\"");
        let mut rest = string.as_bytes();
        while !rest.is_empty() {
            self.make_room(escape::CANONICAL_ROOM);
            rest = escape::canonical(rest, &mut self.bytes);
        }
        self.put("\"");
    }

    fn comma(&mut self) {
        if !self.is_first {
            self.put(",");
        }
        self.is_first = false;
    }

    fn put(&mut self, plain: &str) {
        self.make_room(plain.len());
        self.bytes.extend_from_slice(plain.as_bytes());
    }

    /// Room for so many bytes more: what is not kept goes on, what is kept grows.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes.capacity().saturating_sub(self.bytes.len()) >= bytes {
            return;
        }
        match &mut self.end {
            End::Kept => return self.bytes.reserve(bytes),
            End::Hashed(hasher) => hasher.update(&self.bytes),
            End::Counted => {}
        }
        self.before = self.before.saturating_add(self.bytes.len());
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Json, read, sha256_hex};
    use super::*;

    fn string(text: &str) -> String {
        let mut to = Canonical::kept();
        to.string(text);
        to.into_text()
    }

    #[test]
    fn each_character_has_one_spelling() {
        let text = "\"\\/\u{8}\t\n\u{c}\r\0\u{1f}<>&\u{2028}\u{2029}\u{2027}\u{7f}é😀";
        let written = r#""\"\\/\b\t\n\f\r\u0000\u001f\u003c\u003e\u0026\u2028\u2029"#.to_owned()
            + "\u{2027}\u{7f}é😀\"";
        assert_eq!(string(text), written);
        assert_eq!(read(&written), Ok(Json::Text(text.into())));
    }

    #[test]
    fn kept_hashed_and_counted_are_of_one_text() {
        let long = "plain text ".repeat(1_000) + "\n<" + &"é".repeat(3_000);
        for text in ["", "a", "<\u{2028}>", &long] {
            let write = |mut to: Canonical| {
                to.open('{');
                to.name("a");
                to.open('[');
                for number in [0, -7, i64::MIN, 1_234_567_890] {
                    to.number(number);
                }
                to.flag(true);
                to.string(text);
                to.close(']');
                to.name("b");
                to.open('[');
                to.close(']');
                to.close('}');
                to
            };
            let kept = write(Canonical::kept());
            let (length, text) = (kept.len(), kept.into_text());
            assert_eq!(text.len(), length);
            assert!(text.starts_with(r#"{"a":[0,-7,-9223372036854775808,1234567890,true,""#), "{text}");
            assert!(text.ends_with(r#""],"b":[]}"#));
            assert_eq!(write(Canonical::counted()).len(), length);
            let hashed = write(Canonical::hashed());
            assert_eq!(hashed.len(), length);
            assert_eq!(hashed.into_digest(), sha256_hex(text.as_bytes()));
        }
    }
}
