//! The escapes of `$'…'`.
//!
//! | escape | character |
//! |---|---|
//! | `\a \b \e \E \f \n \r \t \v` | control characters |
//! | `\\ \' \" \?` | themselves |
//! | `\nnn`, `\xHH` | a byte |
//! | `\uHHHH`, `\UHHHHHHHH` | a code point |
//! | `\cX` | control-X |
//!
//! Any other backslash is kept. NUL ends the value. What gives no Unicode text is not known.

/// Reads up to the closing quote: the value, where it is text, and the place after the quote.
pub(in super::super) fn ansi_c(source: &str, start: usize) -> Option<(Option<String>, usize)> {
    let bytes = source.as_bytes();
    let mut out: Vec<u8> = Vec::new();
    let mut known = true;
    let mut ended = false;
    let mut at = start;
    loop {
        let byte = *bytes.get(at)?;
        at = at.saturating_add(1);
        let mut piece = Piece::Byte(byte);
        match byte {
            b'\'' => break,
            b'\\' => {
                let escape = *bytes.get(at)?;
                at = at.saturating_add(1);
                (piece, at) = unescape(bytes, escape, at);
            }
            _ => {}
        }
        if ended {
            continue;
        }
        match piece {
            Piece::Byte(0) => ended = true,
            Piece::Byte(byte) => out.push(byte),
            Piece::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Piece::Kept(escape) => out.extend([b'\\', escape]),
            Piece::Unknown => known = false,
        }
    }
    let text = if known { String::from_utf8(out).ok() } else { None };
    Some((text, at))
}

#[derive(Clone, Copy)]
enum Piece {
    Byte(u8),
    Char(char),
    /// The backslash and the byte after it.
    Kept(u8),
    Unknown,
}

/// What `\` and `escape` stand for, with what follows from `at` on.
fn unescape(bytes: &[u8], escape: u8, at: usize) -> (Piece, usize) {
    let simple = match escape {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        b'f' => 12,
        b'n' => 10,
        b'r' => 13,
        b't' => 9,
        b'v' => 11,
        b'\\' | b'\'' | b'"' | b'?' => escape,
        b'0'..=b'7' => {
            let (value, end) = digits(bytes, at.saturating_sub(1), 3, 8);
            return (Piece::Byte(u8::try_from(value & 0xFF).unwrap_or_default()), end);
        }
        b'x' if bytes.get(at) == Some(&b'{') => return (Piece::Unknown, at),
        b'x' => {
            let (value, end) = digits(bytes, at, 2, 16);
            let piece = if end == at {
                Piece::Kept(escape)
            } else {
                Piece::Byte(u8::try_from(value).unwrap_or_default())
            };
            return (piece, end);
        }
        b'u' | b'U' => {
            let (value, end) = digits(bytes, at, if escape == b'u' { 4 } else { 8 }, 16);
            let piece = match char::from_u32(value) {
                _ if end == at => Piece::Kept(escape),
                Some('\0') => Piece::Byte(0),
                Some(c) => Piece::Char(c),
                None => Piece::Unknown,
            };
            return (piece, end);
        }
        b'c' => {
            return match bytes.get(at) {
                Some(b'?') => (Piece::Byte(0x7F), at.saturating_add(1)),
                Some(b'\\') if bytes.get(at.saturating_add(1)) == Some(&b'\\') => {
                    (Piece::Byte(0x1C), at.saturating_add(2))
                }
                Some(x) if x.is_ascii() && !matches!(x, b'\'' | b'\\') => {
                    (Piece::Byte(x.to_ascii_uppercase() & 0x1F), at.saturating_add(1))
                }
                _ => (Piece::Unknown, at),
            };
        }
        _ => return (Piece::Kept(escape), at),
    };
    (Piece::Byte(simple), at)
}

/// Up to `count` digits from `at` on: their value and where they end.
fn digits(bytes: &[u8], at: usize, count: usize, radix: u32) -> (u32, usize) {
    let mut value = 0u32;
    let mut end = at;
    while end < at.saturating_add(count)
        && let Some(digit) = bytes.get(end).and_then(|b| char::from(*b).to_digit(radix))
    {
        value = value.saturating_mul(radix).saturating_add(digit);
        end = end.saturating_add(1);
    }
    (value, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let (value, end) = ansi_c(text, 0).unwrap_or_else(|| unreachable_end(text));
        assert_eq!((value.as_deref(), end), (expected, text.len()), "{text:?}");
    }

    fn unreachable_end(text: &str) -> (Option<String>, usize) {
        (Some(format!("{text:?} does not end")), 0)
    }

    #[test]
    fn decodes() {
        check(r"a\tb'", Some("a\tb"));
        check(r"\x41\x4'", Some("A\u{4}"));
        check(r"\101\0'", Some("A"));
        check(r"a\0b'", Some("a"));
        check(r"\q\xg'", Some(r"\q\xg"));
        check(r"\xc3\xa9'", Some("é"));
        check(r"\xc3'", None);
        check(r"\ud800'", None);
        check(r"\U1F600'", Some("😀"));
        check(r"\cA\c?'", Some("\u{1}\u{7F}"));
        check(r"it\'s'", Some("it's"));
        check("é'", Some("é"));
    }
}
