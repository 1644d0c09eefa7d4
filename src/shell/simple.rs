//! Reads a simple command: assignments, words and redirects.
//!
//! Invariants: a command takes its number before anything inside it does, so numbers are in reading order but
//! for what heredoc bodies bring later.

use super::expansion::matching::Pair;
use super::problem::ProblemCode;
use super::reader::{Read, Reader, WORDS};
use super::reading::Assignment;
use super::source::joined;
use super::word::{Head, Word};
use super::word_reader::{Style, Value, is_plain};
use crate::limits;
use crate::span::Span;
use std::borrow::Cow;

/// Commands whose words may be arrays.
const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl<'t> Reader<'t, '_, '_> {
    /// A simple command, or the definition of a function, at this place; true for a construct without
    /// redirects.
    pub(super) fn simple_command(&mut self) -> Read<bool> {
        let start = self.pos;
        let index = self.begin(start)?;
        let outer = self.current.replace(index);
        let read = self.parts(index, start);
        self.current = outer;
        match read? {
            Shape::Function => self.function_after_name(index, start),
            Shape::Command { heredocs } => {
                self.name_must_be_known(index);
                if heredocs {
                    self.waiting.push(index);
                } else {
                    self.behind(index, self.level.depth)?;
                }
                Ok(false)
            }
        }
    }

    fn parts(&mut self, index: usize, start: usize) -> Read<Shape> {
        let mut end = start;
        let mut heredocs = false;
        let mut arrays = false;
        let mut words: Vec<Word<'t>> = Vec::with_capacity(std::mem::replace(&mut self.room, WORDS));
        let mut bare = true;
        let shape = loop {
            self.skip_blanks();
            let at = self.pos;
            let Some(byte) = self.byte() else { break Ok(Shape::Command { heredocs }) };
            match byte {
                b'\n' | b';' | b'|' | b')' => break Ok(Shape::Command { heredocs }),
                b'&' if self.byte_at(1) != Some(b'>') => break Ok(Shape::Command { heredocs }),
                b'(' if bare && words.len() == 1 && self.is_function_name(words.first(), start, end) => {
                    break Ok(Shape::Function);
                }
                b'(' => break Err(self.unexpected_here()),
                b'<' | b'>' | b'&' | b'{' | b'0'..=b'9' => {
                    if let Some(operator_at) = self.redirect_start() {
                        bare = false;
                        match self.redirect(index, operator_at) {
                            Ok(heredoc) => heredocs |= heredoc,
                            Err(stop) => break Err(stop),
                        }
                        end = self.pos;
                        continue;
                    }
                }
                _ => {}
            }
            if words.is_empty() || arrays {
                match self.assignment(index, words.is_empty()) {
                    Ok(None) => {}
                    Ok(Some(array)) => {
                        bare = false;
                        words.extend(array);
                        end = self.pos;
                        continue;
                    }
                    Err(stop) => break Err(stop),
                }
            }
            let first = words.is_empty();
            if let Err(stop) = self.words(&mut words) {
                break Err(stop);
            }
            end = self.pos;
            if first {
                arrays = words.first().and_then(Word::value).is_some_and(|name| DECLARING.contains(&name));
            }
            if end == at {
                // Nothing was read: an operator that no case above knows.
                break Err(self.unexpected_here());
            }
        };
        let span = self.src.span(start, end);
        if let Some(command) = self.out.command(index) {
            command.words = words;
            command.span = span;
        }
        shape
    }

    /// A word at this place, and what braces make of it.
    pub(super) fn words(&mut self, words: &mut Vec<Word<'t>>) -> Read<()> {
        if let Some(word) = self.plain_token() {
            words.push(word);
            return Ok(());
        }
        let start = self.pos;
        let base = self.holes.len();
        let read = self.token(Style::Shell);
        if let Ok((word, brace)) = read {
            if brace {
                self.expand_braces(start, base, word, words);
            } else {
                words.push(word);
            }
            self.holes.truncate(base);
            return Ok(());
        }
        self.holes.truncate(base);
        read.map(|_| ())
    }

    /// An assignment at this place goes to the command; an array after a declaring command comes back as a
    /// word.
    fn assignment(&mut self, index: usize, before_name: bool) -> Read<Option<Option<Word<'t>>>> {
        let start = self.pos;
        let Some((name_end, subscript)) = self.assigned_name(start) else { return Ok(None) };
        let mut at = name_end;
        let mut unknown_place = false;
        let first_nest = self.out.next_nest();
        let mut value = Value::default();
        if subscript {
            if !before_name {
                return Ok(None);
            }
            let Some(close) = self.matching(at.saturating_add(1), Pair::Bracket) else {
                return Err(self.fail(ProblemCode::UnterminatedSubstitution, at, at.saturating_add(1)));
            };
            if !self.is_assigned(close.saturating_add(1)) {
                // The shell takes what is between the brackets into the word, blanks and all.
                if self.src.slice(at, close).bytes().any(|b| !is_plain(b)) {
                    return Err(self.fail(ProblemCode::UnexpectedToken, at, at.saturating_add(1)));
                }
                return Ok(None);
            }
            let base = self.holes.len();
            self.pos = at.saturating_add(1);
            let mut inner = Value::ignored();
            self.inert(&mut inner, start, close)?;
            unknown_place = self.holes.len() > base;
            self.holes.truncate(base);
            value.runs.merge(inner.runs);
            at = close.saturating_add(1);
        }
        if self.src.byte(at) == Some(b'+') {
            at = at.saturating_add(1);
        }
        let value_start = at.saturating_add(1);
        let array = self.src.byte(value_start) == Some(b'(');
        if !before_name && !array {
            return Ok(None);
        }
        self.pos = value_start;
        if array {
            self.array(&mut value)?;
            value.open = true;
        } else {
            let base = self.holes.len();
            let outer = std::mem::take(&mut value);
            let read = self.token(Style::Shell);
            self.holes.truncate(base);
            let (mut word, _) = read?;
            word.runs.merge(outer.runs);
            word.inside.0 = first_nest;
            word.open |= unknown_place;
            word.span = self.src.span(start, self.pos);
            if (word.open || word.head == Head::Home) && !self.src.is_literal() {
                word.written = Some(self.src.slice(start, self.pos).into());
            }
            let name = self.without_continuations(start, name_end);
            return Ok(self.assign(index, name, word));
        }
        let word = self.finish(value, start, first_nest);
        if before_name {
            let name = self.without_continuations(start, name_end);
            return Ok(self.assign(index, name, word));
        }
        Ok(Some(Some(word)))
    }

    fn assign(&mut self, index: usize, name: Cow<'t, str>, value: Word<'t>) -> Option<Option<Word<'t>>> {
        if let Some(command) = self.out.command(index) {
            command.assignments.push(Assignment { name, value });
        }
        Some(None)
    }

    /// The end of a name that is assigned to, or that has a subscript, at this place.
    fn assigned_name(&self, start: usize) -> Option<(usize, bool)> {
        let mut at = start;
        loop {
            match self.src.byte(at)? {
                b if b.is_ascii_alphabetic() || b == b'_' || (b.is_ascii_digit() && at > start) => {
                    at = at.saturating_add(1)
                }
                b'\\' if self.src.byte(at.saturating_add(1)) == Some(b'\n') => at = at.saturating_add(2),
                b'[' if at > start => return Some((at, true)),
                _ => return (at > start && self.is_assigned(at)).then_some((at, false)),
            }
        }
    }

    /// `=` or `+=` at `at`.
    fn is_assigned(&self, at: usize) -> bool {
        match self.src.byte(at) {
            Some(b'=') => true,
            Some(b'+') => self.src.byte(at.saturating_add(1)) == Some(b'='),
            _ => false,
        }
    }

    fn without_continuations(&self, start: usize, end: usize) -> Cow<'t, str> {
        if self.src.slice(start, end).contains(['\\']) {
            Cow::Owned(joined(self.src.slice(start, end)))
        } else {
            self.src.keep(start, end)
        }
    }

    /// `(` words `)` at this place; only what runs in them matters.
    fn array(&mut self, value: &mut Value) -> Read<()> {
        let open = self.pos;
        self.bump(1);
        loop {
            self.skip_lines();
            match self.byte() {
                None => {
                    return Err(self.fail(ProblemCode::UnterminatedCompound, open, open.saturating_add(1)));
                }
                Some(b')') => {
                    self.bump(1);
                    break;
                }
                Some(b'<' | b'>') if self.byte_at(1) == Some(b'(') => {}
                Some(b';' | b'&' | b'|' | b'<' | b'>' | b'(') => return Err(self.unexpected_here()),
                Some(_) => {}
            }
            let word = self.whole_token(Style::Shell)?;
            value.runs.merge(word.runs);
        }
        match self.byte() {
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b')') => Ok(()),
            Some(b'\\') if self.byte_at(1) == Some(b'\n') => Ok(()),
            Some(_) => Err(self.unexpected_here()),
        }
    }

    /// A new command that begins at `start`.
    pub(super) fn begin(&mut self, start: usize) -> Read<usize> {
        let full = self.out.commands.len() >= limits::SHELL_COMMANDS;
        let at = if full { self.src.span(start, self.end_of_token(start)) } else { Span::default() };
        self.out.begin(&self.level, at)
    }

    /// The end of the token at `start`, without reading it: good enough for the place of a problem.
    fn end_of_token(&self, start: usize) -> usize {
        let rest = self.src.text.get(start..).unwrap_or_default();
        let len = rest
            .bytes()
            .position(|b| matches!(b, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')'))
            .unwrap_or(rest.len());
        start.saturating_add(len)
    }

    /// A name that is known only at run time is a doubt.
    pub(super) fn name_must_be_known(&mut self, index: usize) {
        let Some(command) = self.out.command(index) else { return };
        if let Some(name) = command.words.first()
            && name.value().is_none()
        {
            let span = name.span();
            self.out.problem(ProblemCode::DynamicCommand, span);
        }
    }
}

enum Shape {
    Function,
    Command { heredocs: bool },
}
