//! The escapes of JSON strings, both ways: the two loops that a long text goes through byte by byte.
//!
//! Eight bytes are looked at together, in one number; where nothing special is among them, they are copied with their
//! neighbours.

/// Appends the canonical spelling of `text` (review.md section 8) while `out` has room without growing; gives the rest.
///
/// ```
/// let mut out = Vec::with_capacity(64);
/// assert_eq!(toolgate::escape::canonical("a<b\n".as_bytes(), &mut out), b"");
/// assert_eq!(out, br"a\u003cb\n");
/// ```
pub fn canonical<'t>(text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
    let mut rest = text;
    loop {
        let room = out.capacity().saturating_sub(out.len());
        if rest.is_empty() || room < CANONICAL_ROOM {
            return rest;
        }
        let run = clean_run(rest.get(..room).unwrap_or(rest), [b'"', b'\\', b'<', b'>', b'&', 0xE2]);
        if let (true, Some((clean, behind))) = (run > 0, rest.split_at_checked(run)) {
            out.extend_from_slice(clean);
            rest = behind;
            continue;
        }
        for _ in 0..8 {
            let Some((byte, behind)) = rest.split_first() else { break };
            rest = behind;
            match SPELLINGS.get(usize::from(*byte)).copied().unwrap_or(PLAIN) {
                PLAIN => out.push(*byte),
                UNIT => push_unit([b'0', b'0', hex(byte >> 4), hex(byte & 15)], out),
                WIDE => match behind {
                    [0x80, last @ (0xA8 | 0xA9), behind @ ..] => {
                        push_unit([b'2', b'0', b'2', hex(last & 15)], out);
                        rest = behind;
                    }
                    _ => out.push(*byte),
                },
                letter => {
                    out.push(b'\\');
                    out.push(letter);
                }
            }
        }
    }
}

/// The room that [`canonical`] wants: for eight characters, each with the longest escape.
pub const CANONICAL_ROOM: usize = 48;

/// How bytes are spelled: as they are, as `\u00` and two digits, perhaps as `\u2028` or `\u2029`; else the letter behind a
/// backslash.
const PLAIN: u8 = 0;
const UNIT: u8 = 1;
const WIDE: u8 = 2;

const SPELLINGS: [u8; 256] = {
    let mut spellings = [PLAIN; 256];
    let mut byte = 0u8;
    let mut rest = spellings.as_mut_slice();
    while let Some((spelling, others)) = rest.split_first_mut() {
        *spelling = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x09 => b't',
            0x0A => b'n',
            0x0C => b'f',
            0x0D => b'r',
            0x00..=0x1F | b'<' | b'>' | b'&' => UNIT,
            0xE2 => WIDE,
            _ => PLAIN,
        };
        byte = byte.wrapping_add(1);
        rest = others;
    }
    spellings
};

fn push_unit(digits: [u8; 4], out: &mut Vec<u8>) {
    out.push(b'\\');
    out.push(b'u');
    for digit in digits {
        out.push(digit);
    }
}

fn hex(digit: u8) -> u8 {
    digit.saturating_add(if digit < 10 { b'0' } else { b'a'.saturating_sub(10) })
}

/// Appends what stands in a JSON string up to its end, or to the first thing that is more than a letter behind a backslash;
/// gives the rest, which begins with that.
///
/// ```
/// let mut out = vec![];
/// assert_eq!(toolgate::escape::unescape(br#"a\n\"b","#, &mut out), br#"","#);
/// assert_eq!(out, b"a\n\"b");
/// assert_eq!(toolgate::escape::unescape(br"\u0061", &mut out), br"\u0061");
/// ```
pub fn unescape<'t>(text: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
    let mut rest = text;
    loop {
        let run = clean_run(rest, [b'"', b'\\']);
        if let (true, Some((clean, behind))) = (run > 0, rest.split_at_checked(run)) {
            out.extend_from_slice(clean);
            rest = behind;
        }
        for _ in 0..8 {
            let (byte, behind) = match rest {
                [b'\\', letter, behind @ ..] => match letter {
                    b'"' | b'\\' | b'/' => (*letter, behind),
                    b'b' => (0x08, behind),
                    b'f' => (0x0C, behind),
                    b'n' => (b'\n', behind),
                    b'r' => (b'\r', behind),
                    b't' => (b'\t', behind),
                    _ => return rest,
                },
                [] | [b'"' | b'\\' | 0x00..=0x1F, ..] => return rest,
                [byte, behind @ ..] => (*byte, behind),
            };
            out.push(byte);
            rest = behind;
        }
    }
}

/// How many bytes come before the first that needs an escape: a quote, a backslash, a control character.
#[inline(never)]
pub fn plain_run(bytes: &[u8]) -> usize {
    let clean = clean_run(bytes, [b'"', b'\\']);
    let rest = bytes.get(clean..).unwrap_or_default().iter();
    clean.saturating_add(rest.take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..b' ')).count())
}

/// How many bytes are sure to come before a control character or one of `stops`: a multiple of eight.
#[inline(always)]
fn clean_run<const N: usize>(bytes: &[u8], stops: [u8; N]) -> usize {
    const ONES: u64 = u64::MAX / 0xFF;
    /// Has a bit where a byte is less than `than`.
    const fn less(word: u64, than: u64) -> u64 {
        word.wrapping_sub(ONES.wrapping_mul(than)) & !word & (ONES << 7)
    }
    let mut run = 0usize;
    let mut rest = bytes;
    while let Some((chunk, behind)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let mut found = less(word, 0x20);
        for stop in stops {
            found |= less(word ^ ONES.wrapping_mul(u64::from(stop)), 1);
        }
        if found != 0 {
            break;
        }
        run = run.saturating_add(8);
        rest = behind;
    }
    run
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One character after the other, by the words of the spec.
    fn spelled(text: &str) -> String {
        let mut spelled = String::new();
        for c in text.chars() {
            match c {
                '"' | '\\' => spelled.extend(['\\', c]),
                '\u{8}' => spelled.push_str("\\b"),
                '\t' => spelled.push_str("\\t"),
                '\n' => spelled.push_str("\\n"),
                '\u{C}' => spelled.push_str("\\f"),
                '\r' => spelled.push_str("\\r"),
                '\0'..'\u{20}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    spelled.push_str(&format!("\\u{:04x}", u32::from(c)));
                }
                _ => spelled.push(c),
            }
        }
        spelled
    }

    proptest! {
        #[test]
        fn both_ways(text in "[ -~\"\\\\<>&\u{0}-\u{1F}\u{7F}é\u{2027}-\u{202A}😀]{0,60}", room in 48usize..100) {
            let (mut all, mut out) = (vec![], Vec::with_capacity(room));
            let (capacity, mut rest) = (out.capacity(), text.as_bytes());
            while !rest.is_empty() {
                rest = canonical(rest, &mut out);
                prop_assert_eq!(out.capacity(), capacity);
                all.extend_from_slice(&out);
                out.clear();
            }
            let expected = spelled(&text);
            prop_assert_eq!(str::from_utf8(&all), Ok(expected.as_str()));

            all.push(b'"');
            let (mut read, mut rest) = (vec![], all.as_slice());
            loop {
                rest = unescape(rest, &mut read);
                let [b'\\', b'u', a, b, c, d, behind @ ..] = rest else { break };
                let digits = [*a, *b, *c, *d];
                let unit = u32::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap();
                read.extend_from_slice(char::from_u32(unit).unwrap().to_string().as_bytes());
                rest = behind;
            }
            prop_assert_eq!(rest, b"\"");
            prop_assert_eq!(read, text.as_bytes());
        }
    }
}
