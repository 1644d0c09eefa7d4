//! Backquotes: a text of its own, without the backslashes that its nesting cost.

use super::super::problem::ProblemCode;
use super::super::reader::{Level, Read, Reader};
use super::super::reading::{Context, Hang};
use super::super::source::Source;
use super::Quoting;

impl Reader<'_, '_, '_> {
    /// Reads `` `…` `` at this place. What is wrong inside ends that text alone.
    pub(super) fn backquotes(&mut self, quoting: Quoting) -> Read<()> {
        let open = self.pos;
        let start = open.saturating_add(1);
        let Some(after) = self.past(start, b'`') else {
            return Err(self.fail(ProblemCode::UnterminatedSubstitution, open, start));
        };
        let end = after.saturating_sub(1);
        let at = self.src.span(open, start);
        let owned = Level { owner: self.current.or(self.level.owner), ..self.level };
        let mut level = owned.enter(Context::Substitution, self.out, at)?;
        if self.current.is_some() {
            level.hang = Hang::Inside;
        }
        let inner = self.src.slice(start, end);
        if quoting == Quoting::Double {
            self.doubt_braces(open, after);
        }
        let escaped =
            |next: u8| matches!(next, b'`' | b'\\' | b'$') || (quoting == Quoting::Double && next == b'"');
        if inner.bytes().zip(inner.bytes().skip(1)).any(|(b, next)| b == b'\\' && escaped(next)) {
            let (text, map) =
                without_backslashes(inner, |at| self.src.in_line(start.saturating_add(at)), escaped);
            let source = match self.src.carrier() {
                Some(span) => Source::remade(&text, span),
                None => Source::mapped(&text, &map),
            };
            Reader::new(source, self.out, level).read_text();
        } else {
            Reader::new(self.src.part(start, end), self.out, level).read_text();
        }
        self.pos = after;
        Ok(())
    }
}

/// The text without the backslashes before `escaped` characters, and where each byte (and the end) was
/// written.
fn without_backslashes(
    text: &str,
    place: impl Fn(usize) -> usize,
    escaped: impl Fn(u8) -> bool,
) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut map = Vec::with_capacity(text.len().saturating_add(1));
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let follower = chars.peek().map(|(_, next)| *next);
        let kept = match follower {
            Some(next) if c == '\\' && u8::try_from(next).is_ok_and(&escaped) => {
                chars.next();
                next
            }
            _ => c,
        };
        out.push(kept);
        map.extend((0..kept.len_utf8()).map(|byte| place(at.saturating_add(byte))));
    }
    map.push(place(text.len()));
    (out, map)
}
