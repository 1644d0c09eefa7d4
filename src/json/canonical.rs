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

/// Writes canonical JSON piece by piece, and the commas by itself.
#[derive(Debug)]
pub struct Canonical {
    /// What is kept; otherwise what is not yet hashed or counted.
    text: String,
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
const GATHERED: usize = 2_048;

impl Canonical {
    fn new(end: End) -> Self {
        Self { text: String::new(), before: 0, end, is_first: true }
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
        self.before.saturating_add(self.text.len())
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, if it was kept.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The digest of the text, as hex digits; of a writer that does not hash it is empty.
    pub fn into_digest(mut self) -> String {
        self.flush();
        match self.end {
            End::Hashed(hasher) => hasher.hex(),
            End::Kept | End::Counted => String::new(),
        }
    }

    /// Opens an object or a list.
    pub fn open(&mut self, bracket: char) {
        self.comma();
        self.text.push(bracket);
        self.is_first = true;
    }

    /// Closes it.
    pub fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.is_first = false;
    }

    /// The name of a member, whose value follows.
    pub fn name(&mut self, name: &str) {
        self.string(name);
        self.text.push(':');
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
            self.text.push('-');
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, number: u64) {
        if number > 9 {
            self.digits(number / 10);
        }
        self.text.extend(u32::try_from(number % 10).ok().and_then(|digit| char::from_digit(digit, 10)));
    }

    /// A string.
    pub fn string(&mut self, string: &str) {
        self.comma();
        self.text.push('"');
        let mut rest = string;
        while let Some((plain, mark)) = plain_run(rest) {
            self.put(rest.get(..plain).unwrap_or_default());
            rest = rest.get(plain..).unwrap_or_default();
            let taken = self.mark(mark, rest);
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.put(rest);
        self.text.push('"');
    }

    /// Writes the first character of `rest`, whose first byte is marked; gives its length.
    fn mark(&mut self, mark: u8, rest: &str) -> usize {
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return 0 };
        match mark {
            UNIT => {
                self.text.push_str("\\u00");
                self.hex(u32::from(c));
            }
            WIDE if c == '\u{2028}' || c == '\u{2029}' => {
                self.text.push_str("\\u20");
                self.hex(u32::from(c));
            }
            WIDE => self.text.push(c),
            letter => {
                self.text.push('\\');
                self.text.push(char::from(letter));
            }
        }
        c.len_utf8()
    }

    /// The two lowest hex digits.
    fn hex(&mut self, code: u32) {
        for digit in [code >> 4 & 15, code & 15] {
            self.text.extend(char::from_digit(digit, 16));
        }
    }

    fn comma(&mut self) {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
    }

    /// Text without marks; a long one is not copied on its way into the digest.
    fn put(&mut self, plain: &str) {
        if self.text.len().saturating_add(plain.len()) > GATHERED {
            self.flush();
        }
        match &mut self.end {
            End::Hashed(hasher) if plain.len() > GATHERED => {
                hasher.update(plain.as_bytes());
                self.before = self.before.saturating_add(plain.len());
            }
            End::Counted => self.before = self.before.saturating_add(plain.len()),
            _ => self.text.push_str(plain),
        }
    }

    fn flush(&mut self) {
        match &mut self.end {
            End::Kept => return,
            End::Hashed(hasher) => hasher.update(self.text.as_bytes()),
            End::Counted => {}
        }
        self.before = self.before.saturating_add(self.text.len());
        self.text.clear();
    }
}

/// Marks of bytes that are not simply copied; other marks are the letter after a backslash.
const UNIT: u8 = 1;
const WIDE: u8 = 2;

/// The mark of each byte.
const MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    let mut byte = 0u8;
    let mut rest = marks.as_mut_slice();
    while let Some((mark, others)) = rest.split_first_mut() {
        *mark = mark_of(byte);
        byte = byte.wrapping_add(1);
        rest = others;
    }
    marks
};

/// 0 of the plain ones. 0xE2 begins U+2028 and U+2029, and others.
const fn mark_of(byte: u8) -> u8 {
    match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x09 => b't',
        0x0A => b'n',
        0x0C => b'f',
        0x0D => b'r',
        0x00..=0x1F | b'<' | b'>' | b'&' => UNIT,
        0xE2 => WIDE,
        _ => 0,
    }
}

/// How many bytes come before the first mark, and the mark; `None` where there is none.
fn plain_run(text: &str) -> Option<(usize, u8)> {
    for (at, byte) in text.bytes().enumerate() {
        let mark = MARKS.get(usize::from(byte)).copied().unwrap_or(0);
        if mark != 0 {
            return Some((at, mark));
        }
    }
    None
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
        let written = r#""\"\\/\b\t\n\f\r\u0000\u001f\u003c\u003e\u0026\u2028\u2029"#.to_owned() + "\u{2027}\u{7f}é😀\"";
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
