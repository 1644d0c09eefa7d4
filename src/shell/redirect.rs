//! Redirects, and the heredoc bodies that follow their line.
//!
//! ```text
//! redirect = [ digits | "{" name "}" ] operator word
//! ```
//!
//! Bodies begin after the next newline that is a token, one after the other. A body with an unquoted
//! delimiter joins continued lines before it looks for the delimiter.

use super::expansion::Quoting;
use super::expansion::matching::Pair;
use super::problem::ProblemCode;
use super::reader::{Level, Read, Reader};
use super::reading::{Hang, Operator, Redirect};
use super::source::{Source, joined};
use super::word::Word;
use super::word_reader::{Style, Value, is_plain};
use crate::text::contains;
use std::borrow::Cow;

/// Longest first, so that the first that fits is the one.
const OPERATORS: [Operator; 12] = [
    Operator::HereString,
    Operator::HeredocTabs,
    Operator::AppendBoth,
    Operator::Heredoc,
    Operator::Append,
    Operator::Clobber,
    Operator::ReadWrite,
    Operator::WriteBoth,
    Operator::ReadCopy,
    Operator::WriteCopy,
    Operator::Read,
    Operator::Write,
];

/// A heredoc whose body has not come yet.
#[derive(Debug)]
pub(super) struct Pending<'a> {
    command: usize,
    redirect: usize,
    delimiter: Cow<'a, str>,
    literal: bool,
    tabs: bool,
    /// Place of `<<` in the text.
    at: usize,
    depth: usize,
}

impl<'t, 'a> Reader<'t, 'a, '_> {
    /// The place of a redirect's operator, where a redirect begins here.
    pub(super) fn redirect_start(&self) -> Option<usize> {
        let mut at = self.pos;
        match self.byte()? {
            b'0'..=b'9' => {
                at = self.skip_while(at, |b| b.is_ascii_digit());
                i32::try_from(joined(self.src.slice(self.pos, at)).parse::<i64>().ok()?).ok()?;
            }
            b'{' => {
                at = self.skip_while(at.saturating_add(1), |b| b.is_ascii_alphanumeric() || b == b'_');
                if self.byte_at(1).is_none_or(|b| b.is_ascii_digit() || b == b'}')
                    || self.src.byte(at) != Some(b'}')
                {
                    return None;
                }
                at = at.saturating_add(1);
            }
            b'&' => return (self.byte_at(1) == Some(b'>')).then_some(at),
            _ => {}
        }
        let is_redirect = matches!(self.src.byte(at), Some(b'<' | b'>'))
            && self.src.byte(at.saturating_add(1)) != Some(b'(');
        is_redirect.then_some(at)
    }

    fn skip_while(&self, from: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let mut at = from;
        loop {
            match self.src.byte(at) {
                Some(b) if wanted(b) => at = at.saturating_add(1),
                Some(b'\\') if self.src.byte(at.saturating_add(1)) == Some(b'\n') => {
                    at = at.saturating_add(2)
                }
                _ => return at,
            }
        }
    }

    /// Reads a redirect of command `index`; true for a heredoc.
    pub(super) fn redirect(&mut self, index: usize, operator_at: usize) -> Read<bool> {
        let start = self.pos;
        let rest = self.src.text.as_bytes().get(operator_at..).unwrap_or_default();
        let found = OPERATORS.into_iter().find(|operator| rest.starts_with(operator.as_str().as_bytes()));
        let operator = found.unwrap_or(Operator::Read);
        let operator_end = operator_at.saturating_add(operator.as_str().len());
        self.pos = operator_end;
        self.skip_blanks();
        let missing = match self.byte() {
            None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')') => true,
            Some(b'<' | b'>') => self.byte_at(1) != Some(b'('),
            Some(_) => false,
        };
        if missing {
            return Err(self.fail(ProblemCode::MissingRedirectTarget, operator_at, operator_end));
        }
        let target = match operator {
            Operator::Heredoc | Operator::HeredocTabs => self.delimiter(index, operator, operator_at)?,
            Operator::HereString => self.whole_token(Style::Shell)?,
            _ => self.file()?,
        };
        let copies = matches!(operator, Operator::ReadCopy | Operator::WriteCopy);
        if copies && target.value().is_some_and(is_descriptor) {
            return Ok(false);
        }
        let span = self.span_from(start);
        if let Some(command) = self.out.command(index) {
            command.redirects.push(Redirect { operator, target, span });
        }
        Ok(operator.is_heredoc())
    }

    /// A target that must be one word.
    fn file(&mut self) -> Read<Word<'t>> {
        let start = self.pos;
        let mut words = Vec::new();
        self.words(&mut words)?;
        let one = words.len() == 1;
        match words.pop() {
            Some(word) if one => Ok(word),
            _ => {
                let at = self.span_from(start);
                self.out.problem(ProblemCode::AmbiguousRedirect, at);
                let mut word = Word::unknown(at);
                if !self.src.is_literal() {
                    word.written = Some(self.src.slice(start, self.pos).into());
                }
                Ok(word)
            }
        }
    }

    /// The word after `<<`: it is not expanded, but any quote in it makes the body literal.
    fn delimiter(&mut self, index: usize, operator: Operator, at: usize) -> Read<Word<'t>> {
        let start = self.pos;
        let mut value = Value::default();
        loop {
            let at = self.pos;
            match (self.byte(), self.byte_at(1)) {
                (Some(b'\\'), Some(b'\n')) => self.bump(2),
                (Some(b'\\'), Some(_)) => {
                    self.bump(1);
                    let from = self.pos;
                    self.wide(true);
                    value.quoted = true;
                    value.run(&self.src, from, self.pos);
                }
                (Some(b'\''), _) => self.single_quotes(&mut value)?,
                (Some(b'$'), Some(b'\'')) => self.ansi_quotes(&mut value)?,
                (Some(b'"'), _) => self.double_quoted_delimiter(&mut value)?,
                (Some(b'$'), Some(b'"')) => {
                    self.bump(1);
                    self.double_quoted_delimiter(&mut value)?;
                }
                // Whether these nest here is a question that shells answer differently.
                (Some(b'`'), _) | (Some(b'$'), Some(b'(' | b'{' | b'[')) => {
                    return Err(self.fail(ProblemCode::UnexpectedToken, at, at.saturating_add(1)));
                }
                (Some(b), _) if is_plain(b) || matches!(b, b'$' | b'{' | b'\\') => {
                    self.bump(1);
                    value.run(&self.src, at, self.pos);
                }
                (Some(b), _) if b >= 0x80 => {
                    self.wide(false);
                    value.run(&self.src, at, self.pos);
                }
                _ => break,
            }
        }
        let literal = value.quoted;
        let tabs = operator == Operator::HeredocTabs;
        let nest = self.out.next_nest();
        let text: String = value.into_text(&self.src).into_owned();
        let delimiter = if tabs { text.trim_start_matches('\t').to_owned() } else { text };
        let redirect = self.out.command(index).map_or(0, |command| command.redirects.len());
        let depth = self.level.depth;
        self.pending.push(Pending {
            command: index,
            redirect,
            delimiter: delimiter.into(),
            literal,
            tabs,
            at,
            depth,
        });
        let mut word = Word::known(Cow::Borrowed(""), self.span_from(start));
        word.quoted = literal;
        word.inside = (nest, nest);
        Ok(word)
    }

    fn double_quoted_delimiter(&mut self, value: &mut Value) -> Read<()> {
        let open = self.pos;
        let Some(end) = self.matching(open.saturating_add(1), Pair::Quotes) else {
            return Err(self.fail(ProblemCode::UnterminatedQuote, open, open.saturating_add(1)));
        };
        let inner = self.src.slice(open.saturating_add(1), end);
        if inner.contains(['\\', '`']) || contains(inner, "$(") || contains(inner, "${") {
            return Err(self.fail(ProblemCode::UnexpectedToken, open, open.saturating_add(1)));
        }
        value.quoted = true;
        value.run(&self.src, open.saturating_add(1), end);
        self.pos = end.saturating_add(1);
        Ok(())
    }

    /// Notes that it is not certain where the bodies of the pending heredocs are.
    pub(super) fn doubt_pending(&mut self) {
        for pending in &self.pending {
            let span = self.src.span(pending.at, pending.at.saturating_add(2));
            self.out.problem(ProblemCode::UnterminatedHeredoc, span);
        }
    }

    /// Reads the bodies of the pending heredocs, from here on, and then what had to wait for them.
    pub(super) fn bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.out.unordered = true;
            self.body(&pending);
        }
        for index in std::mem::take(&mut self.waiting) {
            self.out.unordered = true;
            let depth =
                self.out.command(index).map(|command| command.nest).and_then(|nest| self.depth_of(nest));
            let _ = self.behind(index, depth.unwrap_or(self.level.depth));
        }
    }

    fn depth_of(&self, nest: super::reading::NestId) -> Option<usize> {
        let nest = super::reading::nest(&self.out.nests, nest)?;
        usize::try_from(nest.depth).ok()
    }

    fn body(&mut self, pending: &Pending<'a>) {
        let start = self.pos;
        let (end, after) = match self.delimiter_line(pending) {
            Some(found) => found,
            None => {
                self.problem(ProblemCode::UnterminatedHeredoc, pending.at, pending.at.saturating_add(2));
                (self.src.text.len(), self.src.text.len())
            }
        };
        let text = self.src.slice(start, end);
        let tabs = pending.tabs && (text.starts_with('\t') || contains(text, "\n\t"));
        let nest = self.out.next_nest();
        let mut value = Value::default();
        let text = if !tabs && pending.literal {
            self.src.keep(start, end)
        } else if !tabs {
            self.expand_body(self.src.part(start, end), pending, &mut value)
        } else {
            let (text, map) = without_tabs(text, |at| self.src.in_line(start.saturating_add(at)));
            if pending.literal {
                Cow::Owned(text)
            } else {
                let source = match self.src.carrier() {
                    Some(span) => Source::remade(&text, span),
                    None => Source::mapped(&text, &map),
                };
                self.expand_body(source, pending, &mut value)
            }
        };
        self.pos = after;
        let next = self.out.next_nest();
        let redirect =
            self.out.command(pending.command).and_then(|command| command.redirects.get_mut(pending.redirect));
        if let Some(redirect) = redirect {
            redirect.target.text = text;
            redirect.target.open = value.open;
            redirect.target.runs = value.runs;
            redirect.target.inside = (nest, next);
        }
    }

    /// Resolves what an unquoted delimiter lets be resolved.
    fn expand_body(
        &mut self,
        source: Source<'t, '_>,
        pending: &Pending<'a>,
        value: &mut Value,
    ) -> Cow<'t, str> {
        let level = match self.out.command(pending.command) {
            Some(command) => Level::of(command, pending.command, Hang::Inside, pending.depth),
            None => self.level,
        };
        let mut reader = Reader::new(source, self.out, level);
        reader.current = Some(pending.command);
        // A stop ends the body alone: its extent is known.
        let _ = reader.body_pieces(value);
        std::mem::take(value).into_body(value, &source)
    }

    fn body_pieces(&mut self, value: &mut Value) -> Read<()> {
        loop {
            let start = self.pos;
            let rest = self.src.text.as_bytes().get(start..).unwrap_or_default();
            self.bump(rest.iter().position(|b| matches!(b, b'\\' | b'$' | b'`')).unwrap_or(rest.len()));
            value.run(&self.src, start, self.pos);
            let at = self.pos;
            match (self.byte(), self.byte_at(1)) {
                (None, _) => return Ok(()),
                (Some(b'\\'), Some(b'\n')) => self.bump(2),
                (Some(b'\\'), Some(b'$' | b'`' | b'\\')) => {
                    self.bump(2);
                    value.run(&self.src, at.saturating_add(1), self.pos);
                }
                (Some(b'\\'), _) => {
                    self.bump(1);
                    value.run(&self.src, at, self.pos);
                }
                (Some(_), _) => {
                    self.expansion(value, Quoting::Body)?;
                    self.holes.clear();
                }
            }
        }
    }

    /// Where the body that begins here ends, and where the text goes on after the delimiter.
    fn delimiter_line(&self, pending: &Pending<'a>) -> Option<(usize, usize)> {
        let mut line_start = self.pos;
        while line_start < self.src.text.len() {
            let mut joined: Cow<'_, str> = Cow::Borrowed("");
            let mut at = line_start;
            let next = loop {
                let rest = self.src.text.get(at..).unwrap_or_default();
                let len = rest.bytes().position(|b| b == b'\n').unwrap_or(rest.len());
                let line = rest.get(..len).unwrap_or_default();
                let after = at.saturating_add(len).saturating_add(1);
                if !pending.literal && len < rest.len() && ends_continued(line) {
                    joined.to_mut().push_str(line.get(..len.saturating_sub(1)).unwrap_or_default());
                    at = after;
                    continue;
                }
                if joined.is_empty() {
                    joined = Cow::Borrowed(line);
                } else {
                    joined.to_mut().push_str(line);
                }
                break after;
            };
            let bare = if pending.tabs { joined.trim_start_matches('\t') } else { &joined };
            if bare == pending.delimiter {
                return Some((line_start, next.min(self.src.text.len())));
            }
            line_start = next;
        }
        None
    }
}

/// An odd number of backslashes at the end.
fn ends_continued(line: &str) -> bool {
    line.bytes().rev().take_while(|b| *b == b'\\').count() & 1 == 1
}

/// Digits, digits and `-`, or `-`: a descriptor to copy, move or close.
fn is_descriptor(target: &str) -> bool {
    let digits = target.strip_suffix('-').unwrap_or(target);
    !target.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The text without tabs at the start of its lines, and where each byte (and the end) was written.
fn without_tabs(text: &str, place: impl Fn(usize) -> usize) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut map = Vec::with_capacity(text.len().saturating_add(1));
    let mut line_start = true;
    for (at, c) in text.char_indices() {
        if line_start && c == '\t' {
            continue;
        }
        line_start = c == '\n';
        out.push(c);
        map.extend((0..c.len_utf8()).map(|byte| place(at.saturating_add(byte))));
    }
    map.push(place(text.len()));
    (out, map)
}
