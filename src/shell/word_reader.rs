//! Reads one word: its pieces, joined after quote removal.
//!
//! ```text
//! piece = plain | "\" char | "'" … "'" | '"' … '"' | "$'" … "'" | '$"' … '"' | expansion | "<(" list ")" | ">(" list ")"
//! ```
//!
//! A word that is one run of the text is borrowed; any other is put together in a [`Value`].

use super::expansion::Quoting;
use super::expansion::quotes::ansi_c;
use super::problem::ProblemCode;
use super::reader::{Hole, Read, Reader};
use super::reading::{Context, NestId};
use super::source::Source;
use super::word::{Head, Runs, Word};
use crate::span::Span;
use std::borrow::Cow;

/// Bytes that stand for themselves in an unquoted word and end nothing. `{` is left out: it may begin a brace
/// list. Control characters have their own problem but end no word.
const PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 0x80 {
        let special = matches!(
            byte,
            b'\t'
                | b'\n'
                | b' '
                | b'\\'
                | b'\''
                | b'"'
                | b'$'
                | b'`'
                | b'<'
                | b'>'
                | b';'
                | b'&'
                | b'|'
                | b'('
                | b')'
                | b'{'
        );
        #[allow(
            clippy::indexing_slicing,
            clippy::arithmetic_side_effects,
            reason = "in bounds, at compile time"
        )]
        {
            table[byte as usize] = !special;
            byte += 1;
        }
    }
    table
};

/// The byte stands for itself in an unquoted word.
#[inline(always)]
pub(super) fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).copied().unwrap_or(false)
}

/// What ends a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Blanks, newlines and operator characters.
    Shell,
    /// Blanks and newlines (operands of `[[ … ]]`).
    Operand,
}

/// A word under way.
#[derive(Debug, Default)]
pub(super) struct Value {
    run: (usize, usize),
    owned: Option<String>,
    /// A run-time piece came; what follows is not of the literal any more.
    pub(super) open: bool,
    pub(super) quoted: bool,
    pub(super) head: Head,
    pub(super) runs: Runs,
}

impl Value {
    /// A value that nobody wants.
    pub(super) fn ignored() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// Adds `start..end` of the text.
    pub(super) fn run(&mut self, src: &Source<'_, '_>, start: usize, end: usize) {
        if self.open || start == end {
            return;
        }
        match &mut self.owned {
            Some(text) => text.push_str(src.slice(start, end)),
            None if self.run.0 == self.run.1 => self.run = (start, end),
            None if self.run.1 == start => self.run.1 = end,
            None => {
                let mut text = String::from(src.slice(self.run.0, self.run.1));
                text.push_str(src.slice(start, end));
                self.owned = Some(text);
            }
        }
    }

    /// Adds a text that does not stand in the source.
    pub(super) fn text(&mut self, src: &Source<'_, '_>, text: &str) {
        if self.open {
            return;
        }
        match &mut self.owned {
            Some(owned) => owned.push_str(text),
            None => self.owned = Some([src.slice(self.run.0, self.run.1), text].concat()),
        }
    }

    /// Adds a run-time piece.
    pub(super) fn hole(&mut self, home: bool) {
        if home && self.is_empty() && !self.open && self.head == Head::Plain {
            self.head = Head::Home;
        } else {
            self.open = true;
        }
    }

    fn is_empty(&self) -> bool {
        self.run.0 == self.run.1 && self.owned.as_ref().is_none_or(String::is_empty)
    }

    /// The text of a body; what else is known of it goes to `rest`.
    pub(super) fn into_body<'t>(self, rest: &mut Self, src: &Source<'t, '_>) -> Cow<'t, str> {
        // In a body a home directory is a run-time piece like any other.
        *rest = Self { open: self.open || self.head == Head::Home, runs: self.runs, ..Self::default() };
        self.into_text(src)
    }

    pub(super) fn into_text<'t>(self, src: &Source<'t, '_>) -> Cow<'t, str> {
        match self.owned {
            Some(text) => Cow::Owned(text),
            None => src.keep(self.run.0, self.run.1),
        }
    }
}

impl<'t> Reader<'t, '_, '_> {
    /// Reads a word at this place; an empty token gives an empty word. The flag says that an unquoted `{` was
    /// met; the word's run-time pieces are then those of `holes` from `base` on.
    pub(super) fn token(&mut self, style: Style) -> Read<(Word<'t>, bool)> {
        let start = self.pos;
        let first_nest = self.out.next_nest();
        let mut value = Value::default();
        if self.byte() == Some(b'~') {
            value.head = Head::Tilde;
        }
        let brace = self.pieces(style, &mut value)?;
        Ok((self.finish(value, start, first_nest), brace))
    }

    /// Reads a word of bytes that all stand for themselves, as most are; anything else stays unread.
    #[inline(always)]
    pub(super) fn plain_token(&mut self) -> Option<Word<'t>> {
        let start = self.pos;
        let mut end = start;
        let next = loop {
            match self.src.byte(end) {
                Some(byte) if is_plain(byte) => end = end.saturating_add(1),
                next => break next,
            }
        };
        if end == start || !matches!(next, None | Some(b' ' | b'\t' | b'\n')) || self.byte() == Some(b'~') {
            return None;
        }
        self.pos = end;
        Some(Word::known(self.src.keep(start, end), self.src.span(start, end)))
    }

    /// Reads a word that braces do not expand.
    pub(super) fn whole_token(&mut self, style: Style) -> Read<Word<'t>> {
        let base = self.holes.len();
        let read = self.token(style);
        self.holes.truncate(base);
        read.map(|(word, _)| word)
    }

    /// The word that `value` has become; it began at `start`.
    pub(super) fn finish(&self, value: Value, start: usize, first_nest: NestId) -> Word<'t> {
        let (head, open, quoted, runs) = (value.head, value.open, value.quoted, value.runs);
        let known = !open && head != Head::Home;
        Word {
            text: value.into_text(&self.src),
            span: self.src.span(start, self.pos),
            inside: (first_nest, self.out.next_nest()),
            written: (!known && !self.src.is_literal()).then(|| self.src.slice(start, self.pos).into()),
            head,
            open,
            quoted,
            runs,
        }
    }

    fn pieces(&mut self, style: Style, value: &mut Value) -> Read<bool> {
        let mut brace = false;
        loop {
            let start = self.pos;
            let run = self.src.text.as_bytes().get(start..).unwrap_or_default();
            self.bump(run.iter().position(|b| !is_plain(*b)).unwrap_or(run.len()));
            value.run(&self.src, start, self.pos);
            let at = self.pos;
            let Some(byte) = self.byte() else { return Ok(brace) };
            match byte {
                b' ' | b'\t' | b'\n' => return Ok(brace),
                b'\\' => self.escape(value),
                b'\'' => self.single_quotes(value)?,
                b'"' => self.double_quotes(value)?,
                b'$' if self.byte_at(1) == Some(b'\'') => self.ansi_quotes(value)?,
                b'$' if self.byte_at(1) == Some(b'"') => {
                    self.bump(1);
                    self.double_quotes(value)?;
                }
                b'$' | b'`' => self.expansion(value, Quoting::None)?,
                b'<' | b'>' if self.byte_at(1) == Some(b'(') => self.process(value)?,
                b'{' => {
                    brace = true;
                    self.bump(1);
                    value.run(&self.src, at, self.pos);
                }
                b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => {
                    if style == Style::Shell {
                        return Ok(brace);
                    }
                    self.bump(1);
                    value.run(&self.src, at, self.pos);
                }
                _ => {
                    self.wide(false);
                    value.run(&self.src, at, self.pos);
                }
            }
        }
    }

    /// Passes a character of more than one byte (or a stray byte), which may be a hidden one.
    pub(super) fn wide(&mut self, quoted: bool) {
        let at = self.pos;
        let next = self.src.text.get(at..).and_then(|rest| rest.chars().next());
        // Behind the end there is nothing to pass.
        self.bump(next.map_or(usize::from(self.byte().is_some()), char::len_utf8));
        if !quoted && !self.hidden && next.is_some_and(super::hidden::is_hidden_unquoted) {
            self.hidden = true;
            self.problem(ProblemCode::HiddenCharacter, at, self.pos);
        }
    }

    /// `\c` outside quotes.
    fn escape(&mut self, value: &mut Value) {
        let at = self.pos;
        self.bump(1);
        match self.byte() {
            Some(b'\n') => self.bump(1),
            None => value.run(&self.src, at, self.pos),
            Some(_) => {
                let start = self.pos;
                self.wide(true);
                value.quoted = true;
                value.run(&self.src, start, self.pos);
            }
        }
    }

    /// `'…'`
    pub(super) fn single_quotes(&mut self, value: &mut Value) -> Read<()> {
        let open = self.pos;
        self.bump(1);
        let start = self.pos;
        let rest = self.src.text.as_bytes().get(start..).unwrap_or_default();
        let Some(len) = rest.iter().position(|b| *b == b'\'') else {
            return Err(self.fail(ProblemCode::UnterminatedQuote, open, start));
        };
        self.bump(len);
        value.quoted = true;
        value.run(&self.src, start, self.pos);
        self.bump(1);
        Ok(())
    }

    /// `$'…'`
    pub(super) fn ansi_quotes(&mut self, value: &mut Value) -> Read<()> {
        let open = self.pos;
        let start = open.saturating_add(2);
        let Some((text, end)) = ansi_c(self.src.text, start) else {
            return Err(self.fail(ProblemCode::UnterminatedQuote, open, start));
        };
        value.quoted = true;
        self.pos = end;
        match text {
            Some(text) => value.text(&self.src, &text),
            None => {
                self.holes.push(Hole { start: open, end, home: false });
                value.hole(false);
            }
        }
        Ok(())
    }

    /// `"…"`
    pub(super) fn double_quotes(&mut self, value: &mut Value) -> Read<()> {
        let open = self.pos;
        self.bump(1);
        value.quoted = true;
        loop {
            let start = self.pos;
            let rest = self.src.text.as_bytes().get(start..).unwrap_or_default();
            let len = rest.iter().position(|b| matches!(b, b'"' | b'\\' | b'$' | b'`')).unwrap_or(rest.len());
            self.bump(len);
            value.run(&self.src, start, self.pos);
            let at = self.pos;
            match (self.byte(), self.byte_at(1)) {
                (None, _) => {
                    return Err(self.fail(ProblemCode::UnterminatedQuote, open, open.saturating_add(1)));
                }
                (Some(b'"'), _) => {
                    self.bump(1);
                    return Ok(());
                }
                (Some(b'\\'), Some(b'\n')) => self.bump(2),
                (Some(b'\\'), Some(b'$' | b'`' | b'"' | b'\\')) => {
                    self.bump(2);
                    value.run(&self.src, at.saturating_add(1), self.pos);
                }
                (Some(b'\\'), _) => {
                    self.bump(1);
                    value.run(&self.src, at, self.pos);
                }
                (Some(_), _) => self.expansion(value, Quoting::Double)?,
            }
        }
    }

    /// `<(…)` or `>(…)`
    pub(super) fn process(&mut self, value: &mut Value) -> Read<()> {
        let start = self.pos;
        value.runs.processes = true;
        self.nested_list(Context::ProcessSubstitution)?;
        self.holes.push(Hole { start, end: self.pos, home: false });
        value.hole(false);
        Ok(())
    }

    /// The span of what is read from `start` to here.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.src.span(start, self.pos)
    }
}
