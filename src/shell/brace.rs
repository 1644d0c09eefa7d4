//! Brace expansion of one word.
//!
//! ```text
//! list     = "{" alternative { "," alternative } "}"      at least one comma
//! sequence = "{" x ".." y [ ".." step ] "}"               two integers, or two ASCII letters
//! ```
//!
//! The word is written anew as a [`Coded`] text, in which what is quoted and what is known only at run time
//! is marked; the text is expanded as the shell does it, and each result is read back. A brace that begins
//! nothing is itself.
//!
//! Invariants: the work is bounded by a multiple of the word's length; results are bounded by
//! `limits::BRACE_WORDS`.

use super::problem::ProblemCode;
use super::reader::Reader;
use super::word::{Head, Word};
use crate::limits;
use crate::text::{contains, split_once};
use std::borrow::Cow;

/// Marks of a coded text; none is a byte of UTF-8.
const QUOTED: u8 = 0xFF;
const HOLE: u8 = 0xFE;
const HOME: u8 = 0xFD;
/// Quotes around nothing.
const NOTHING: u8 = 0xFC;

/// Words that braces may make on one line: 256 from each of many words would be out of proportion to the
/// line.
const LINE_WORDS: usize = 4_096;

impl<'t> Reader<'t, '_, '_> {
    /// Adds what braces make of `word`, whose source begins at `start`; `base` is its first hole.
    pub(super) fn expand_braces(
        &mut self,
        start: usize,
        base: usize,
        word: Word<'t>,
        words: &mut Vec<Word<'t>>,
    ) {
        let source = self.src.slice(start, self.pos);
        if !source.contains(['}']) || !(source.contains([',']) || contains(source, "..")) {
            words.push(word);
            return;
        }
        let coded = self.coded(start, base);
        let mut budget = Budget { steps: coded.len().saturating_add(64).saturating_mul(64) };
        let certain = self.out.braced <= LINE_WORDS && self.holes_are_whole(base);
        let expanded = if certain { budget.expand(&coded, 0) } else { None };
        let made = expanded.as_ref().map_or(0, Vec::len);
        self.out.braced = self.out.braced.saturating_add(if made > 1 { made } else { 0 });
        match expanded {
            Some(same) if same.first() == Some(&coded) => words.push(word),
            Some(expanded) if made <= limits::BRACE_WORDS && self.out.braced <= LINE_WORDS => {
                for coded in &expanded {
                    if let Some(made) = read_back(coded, &word) {
                        words.push(self.with_source(made, start));
                    }
                }
            }
            _ => {
                self.problem(ProblemCode::ExpansionLimit, start, self.pos);
                words.push(self.with_source(word.forgotten(), start));
            }
        }
    }

    /// A word that is not known says how it was written, where its span does not.
    fn with_source(&self, mut word: Word<'t>, start: usize) -> Word<'t> {
        if word.value().is_none() && word.written.is_none() && !self.src.is_literal() {
            word.written = Some(self.src.slice(start, self.pos).into());
        }
        word
    }

    /// No brace stands inside `${…}`: brace expansion counts it, while the end of `${…}` is the first closing
    /// one.
    fn holes_are_whole(&self, base: usize) -> bool {
        let holes = self.holes.get(base..).unwrap_or_default();
        holes.iter().all(|hole| {
            let text = self.src.slice(hole.start, hole.end);
            text.strip_prefix("${").is_none_or(|rest| !rest.contains(['{']))
        })
    }

    /// The token from `start` to here, coded.
    fn coded(&self, start: usize, base: usize) -> Vec<u8> {
        let bytes = self.src.text.as_bytes().get(..self.pos).unwrap_or_default();
        let mut holes = self.holes.get(base..).unwrap_or_default().iter().peekable();
        let mut out = Vec::with_capacity(self.pos.saturating_sub(start));
        let mut at = start;
        let mut quote = None;
        let mut quote_start = 0usize;
        while let Some(byte) = bytes.get(at).copied() {
            if let Some(hole) = holes.next_if(|hole| hole.start == at) {
                out.push(if hole.home { HOME } else { HOLE });
                at = hole.end;
                continue;
            }
            at = at.saturating_add(1);
            let next = bytes.get(at).copied();
            match (quote, byte) {
                (None, b'$') if next == Some(b'\'') => {
                    if let Some((Some(text), end)) =
                        super::expansion::quotes::ansi_c(self.src.text, at.saturating_add(1))
                    {
                        out.push(NOTHING);
                        for byte in text.bytes() {
                            out.extend([QUOTED, byte]);
                        }
                        at = end;
                    }
                }
                (None, b'$') if next == Some(b'"') => {}
                (None, b'\'' | b'"') => {
                    quote = Some(byte);
                    quote_start = out.len();
                }
                (Some(open), _) if open == byte => {
                    quote = None;
                    if out.len() == quote_start {
                        out.push(NOTHING);
                    }
                }
                (None | Some(b'"'), b'\\') if next == Some(b'\n') => at = at.saturating_add(1),
                (None, b'\\') | (Some(b'"'), b'\\')
                    if quote.is_none() || matches!(next, Some(b'$' | b'`' | b'"' | b'\\')) =>
                {
                    // A character of several bytes: the rest of it follows as it is.
                    out.extend([QUOTED, next.unwrap_or(b'\\')]);
                    at = at.saturating_add(1);
                }
                (Some(_), _) => out.extend([QUOTED, byte]),
                (None, _) => out.push(byte),
            }
        }
        out
    }
}

/// The word of a coded text; nothing for an empty one without quotes.
fn read_back<'t>(coded: &[u8], token: &Word<'t>) -> Option<Word<'t>> {
    if coded.is_empty() {
        return None;
    }
    let mut text = Vec::with_capacity(coded.len());
    let mut word = Word { head: Head::Plain, open: false, ..token.clone() };
    if coded.first() == Some(&b'~') {
        word.head = Head::Tilde;
    }
    let mut bytes = coded.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            QUOTED => text.extend(bytes.next()),
            HOME if text.is_empty() && word.head == Head::Plain => word.head = Head::Home,
            HOLE | HOME => {
                word.open = true;
                break;
            }
            NOTHING => {}
            _ => text.push(byte),
        }
    }
    match String::from_utf8(text) {
        Ok(text) => word.text = Cow::Owned(text),
        Err(_) => word.open = true,
    }
    Some(word)
}

/// The work that is left.
struct Budget {
    steps: usize,
}

impl Budget {
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(steps)?;
        Some(())
    }

    /// The words of a coded text, with empty ones; nothing past a limit.
    fn expand(&mut self, text: &[u8], depth: usize) -> Option<Vec<Vec<u8>>> {
        if depth > limits::SHELL_DEPTH {
            return None;
        }
        let mut done = vec![Vec::new()];
        let mut rest = text;
        loop {
            let Some((open, close)) = self.first_braces(rest)? else {
                return concat(done, &[rest.to_vec()]);
            };
            let before = rest.get(..open).unwrap_or_default();
            let inner = rest.get(open.saturating_add(1)..close).unwrap_or_default();
            let whole = rest.get(open..=close).unwrap_or_default();
            let tack = if find(inner, b',').is_some() {
                self.alternatives(inner, depth)?
            } else {
                match sequence(inner)? {
                    Some(words) => words,
                    None => vec![whole.to_vec()],
                }
            };
            done = concat(concat(done, &[before.to_vec()])?, &tack)?;
            rest = rest.get(close.saturating_add(1)..).unwrap_or_default();
        }
    }

    /// The parts between commas that stand in no inner braces, each expanded.
    fn alternatives(&mut self, inner: &[u8], depth: usize) -> Option<Vec<Vec<u8>>> {
        let mut words = Vec::new();
        let mut level = 0usize;
        let mut from = 0usize;
        for (at, byte) in marks(inner).chain([(inner.len(), b',')]) {
            match byte {
                b'{' => level = level.saturating_add(1),
                b'}' => level = level.saturating_sub(1),
                b',' if level == 0 || at == inner.len() => {
                    let part = inner.get(from..at).unwrap_or_default();
                    self.spend(part.len().saturating_add(1))?;
                    words.extend(self.expand(part, depth.saturating_add(1))?);
                    if words.len() > limits::BRACE_WORDS {
                        return None;
                    }
                    from = at.saturating_add(1);
                }
                _ => {}
            }
        }
        Some(words)
    }

    /// The first pair of braces that may begin a list or a sequence.
    fn first_braces(&mut self, text: &[u8]) -> Option<Option<(usize, usize)>> {
        for (open, _) in marks(text).filter(|(_, byte)| *byte == b'{') {
            self.spend(1)?;
            let after = text.get(open.saturating_add(1));
            if open == 0 && (after.is_none() || after == Some(&b'}')) {
                continue;
            }
            if let Some(close) = self.close(text, open)? {
                return Some(Some((open, close)));
            }
        }
        Some(None)
    }

    /// The brace that closes the one at `open`: outside inner braces, after a comma or `..`.
    fn close(&mut self, text: &[u8], open: usize) -> Option<Option<usize>> {
        let start = open.saturating_add(1);
        let rest = text.get(start..).unwrap_or_default();
        let mut level = 0usize;
        let mut parts = false;
        let mut spent = 0usize;
        for (at, byte) in marks(rest) {
            self.spend(at.saturating_sub(spent).saturating_add(1))?;
            spent = at;
            match byte {
                b'}' if level == 0 && parts => return Some(Some(start.saturating_add(at))),
                b'}' => level = level.saturating_sub(1),
                b'{' => level = level.saturating_add(1),
                b',' if level == 0 => parts = true,
                b'.' if level == 0 => {
                    let two = rest.get(at..at.saturating_add(3)).unwrap_or_default();
                    parts |= matches!(two, [b'.', b'.'] | [b'.', b'.', ..]) && two.get(2) != Some(&b'}');
                }
                _ => {}
            }
        }
        Some(None)
    }
}

/// The bytes that are not quoted, with their places.
fn marks(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut quoted = false;
    text.iter().copied().enumerate().filter(move |(_, byte)| {
        let plain = !quoted && *byte != QUOTED;
        quoted = !quoted && *byte == QUOTED;
        plain
    })
}

fn find(text: &[u8], wanted: u8) -> Option<usize> {
    marks(text).find(|(_, byte)| *byte == wanted).map(|(at, _)| at)
}

/// Every text of the one with every text of the other; nothing past the limit.
fn concat(left: Vec<Vec<u8>>, right: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    if left.len().saturating_mul(right.len()) > limits::BRACE_WORDS {
        return None;
    }
    if let [only] = right {
        let mut left = left;
        left.iter_mut().for_each(|text| text.extend_from_slice(only));
        return Some(left);
    }
    let mut joined = Vec::with_capacity(left.len().saturating_mul(right.len()));
    for left in &left {
        for right in right {
            joined.push([left.as_slice(), right].concat());
        }
    }
    Some(joined)
}

/// The words of `x..y` or `x..y..step`, where it is one; the outer nothing is too many words.
#[allow(clippy::option_option, reason = "no sequence is not the same as too long a sequence")]
fn sequence(inner: &[u8]) -> Option<Option<Vec<Vec<u8>>>> {
    let parsed = std::str::from_utf8(inner).ok().and_then(|text| {
        let (from, rest) = split_once(text, "..")?;
        let (to, step) = match split_once(rest, "..") {
            Some((to, step)) => (to, integer(step)?),
            None => (rest, 0),
        };
        Some((from, to, step))
    });
    let Some((from, to, step)) = parsed else { return Some(None) };
    let (first, last, width, letters) = match (integer(from), integer(to)) {
        (Some(first), Some(last)) => (first, last, width(from, to), false),
        _ => match (from.as_bytes(), to.as_bytes()) {
            ([first], [last]) if first.is_ascii_alphabetic() && last.is_ascii_alphabetic() => {
                (i64::from(*first), i64::from(*last), 0, true)
            }
            _ => return Some(None),
        },
    };
    let step = if step == 0 { 1 } else { step.unsigned_abs() };
    let count = first.abs_diff(last).checked_div(step)?.checked_add(1)?;
    if count > u64::try_from(limits::BRACE_WORDS).ok()? {
        return None;
    }
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    let step = if first <= last { step } else { step.saturating_neg() };
    let mut words = Vec::new();
    let mut value = first;
    for _ in 0..count {
        words.push(match u8::try_from(value) {
            // The characters between the cases: the shell reads them again, as quotes.
            Ok(b'\\') if letters => vec![NOTHING],
            Ok(byte) if letters => vec![QUOTED, byte],
            _ => padded(value, width),
        });
        value = value.saturating_add(step);
    }
    Some(Some(words))
}

/// An integer as the shell takes it here.
fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The width that numbers are padded to: that of the longer, where one has a zero in front.
fn width(from: &str, to: &str) -> usize {
    let padded = |text: &str| {
        let digits = text.trim_start_matches(['-', '+']);
        digits.len() > 1 && digits.starts_with('0')
    };
    if padded(from) || padded(to) { from.len().max(to.len()) } else { 0 }
}

/// The number in decimal, with zeros behind its sign until it is `width` bytes long.
fn padded(value: i64, width: usize) -> Vec<u8> {
    let mut left = value.unsigned_abs();
    let mut digits = vec![];
    // The last digit first.
    while left > 0 || digits.is_empty() {
        digits.push(b'0'.saturating_add((left % 10).try_into().unwrap_or_default()));
        left /= 10;
    }
    let sign = usize::from(value < 0);
    while digits.len().saturating_add(sign) < width {
        digits.push(b'0');
    }
    if sign > 0 {
        digits.push(b'-');
    }
    digits.reverse();
    digits
}

#[cfg(test)]
mod tests {
    use crate::shell::read;

    #[test]
    fn pads_as_the_standard_format_does() {
        for value in [0, 1, 9, 10, -1, -10, 123, -123, i64::MAX, i64::MIN] {
            for width in 0..24 {
                assert_eq!(super::padded(value, width), format!("{value:0width$}").into_bytes());
            }
        }
    }

    #[track_caller]
    fn check(written: &str, expected: &[&str]) {
        let line = format!("x {written}");
        let reading = read(&line);
        let words = reading.commands().first().map(|command| command.words.as_slice()).unwrap_or_default();
        let shown: Vec<_> = words.iter().skip(1).map(|word| word.value().unwrap_or("?")).collect();
        assert_eq!(shown, expected, "{written:?}");
    }

    #[test]
    fn expands_lists() {
        check("{a,b}", &["a", "b"]);
        check("p{a,b{c,d}}s", &["pas", "pbcs", "pbds"]);
        check("{a,b}{c,d}", &["ac", "ad", "bc", "bd"]);
        check("{a}{b,c} {a}b,c}", &["{a}b", "{a}c", "a}b", "c"]);
        check(
            "{a,b} {a,b {'a,b'} {a\\,b} \\{a,b} {} {a}",
            &["a", "b", "{a,b", "{a,b}", "{a,b}", "{a,b}", "{}", "{a}"],
        );
        check("{,a} {'',b} \"\"{,c}", &["a", "", "b", "", "c"]);
        check("{$x,b} {a,$(c)}d", &["?", "b", "ad", "?"]);
        check("{a..{b,c}} x{a,b{c,d}", &["a..b", "a..c", "x{a,bc", "x{a,bd"]);
        check("{a,b${v:-{c,d}}", &["?"]);
    }

    #[test]
    fn expands_sequences() {
        check(
            "{1..3} {3..1} {1..5..2} {01..3} {-1..1}",
            &["1", "2", "3", "3", "2", "1", "1", "3", "5", "01", "02", "03", "-1", "0", "1"],
        );
        check("{a..c} {c..a..2} {1..3..0}", &["a", "b", "c", "c", "a", "1", "2", "3"]);
        check(
            "{1..a} {1.5..2} {..} {1..} {1..2..x} {'1'..2}",
            &["{1..a}", "{1.5..2}", "{..}", "{1..}", "{1..2..x}", "{1..2}"],
        );
        check("{1..300} {1..99999999999999999999}", &["?", "{1..99999999999999999999}"]);
    }
}
