//! A text that is read, and where its bytes stand in the line.
//!
//! Most texts are parts of the line. The text of backquotes has lost backslashes, a heredoc body tabs; the
//! text of `sh -c` has lost its quotes and stands nowhere, so that everything in it gets the span of the
//! words that carry it.

use crate::span::Span;
use crate::text::split_once;
use std::borrow::Cow;

/// A text and its place. `'t` is how long the line lives, `'a` how long the text does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'t, 'a> {
    pub(super) text: &'a str,
    /// The text once more, where it lives as long as the line: words can borrow from it.
    lasting: Option<&'t str>,
    place: Place<'a>,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// It is the line from this byte on.
    At(usize),
    /// Entry `i` is the byte of the line where byte `i` of the text was written; one more entry for the end.
    Mapped(&'a [usize]),
    /// It is carried by other tokens.
    Carried(Span),
}

impl<'t, 'a> Source<'t, 'a> {
    pub(super) const fn line(line: &'t str) -> Source<'t, 't> {
        Source { text: line, lasting: Some(line), place: Place::At(0) }
    }

    /// A text carried by the tokens of `span`.
    pub(super) fn carried(text: &'a Cow<'t, str>, span: Span) -> Self {
        let lasting = match text {
            Cow::Borrowed(text) => Some(*text),
            Cow::Owned(_) => None,
        };
        Self { text, lasting, place: Place::Carried(span) }
    }

    /// A text made from this one, with a map into the line.
    pub(super) const fn mapped<'b>(text: &'b str, map: &'b [usize]) -> Source<'t, 'b> {
        Source { text, lasting: None, place: Place::Mapped(map) }
    }

    /// A text made from this one, where this one is carried.
    pub(super) const fn remade<'b>(text: &'b str, span: Span) -> Source<'t, 'b> {
        Source { text, lasting: None, place: Place::Carried(span) }
    }

    /// The part `start..end` of the text.
    pub(super) fn part(&self, start: usize, end: usize) -> Self {
        let place = match self.place {
            Place::At(offset) => Place::At(offset.saturating_add(start)),
            Place::Mapped(map) => Place::Mapped(map.get(start..).unwrap_or_default()),
            Place::Carried(span) => Place::Carried(span),
        };
        Self {
            text: self.text.get(start..end).unwrap_or_default(),
            lasting: self.lasting.and_then(|text| text.get(start..end)),
            place,
        }
    }

    /// The text stands in the line as it is, so that a span says how something was written.
    pub(super) const fn is_literal(&self) -> bool {
        matches!(self.place, Place::At(_))
    }

    /// The span that carries the text, where it does not stand in the line.
    pub(super) const fn carrier(&self) -> Option<Span> {
        match self.place {
            Place::Carried(span) => Some(span),
            Place::At(_) | Place::Mapped(_) => None,
        }
    }

    /// The byte of the line for byte `at` of the text; of no use for a carried text.
    pub(super) fn in_line(&self, at: usize) -> usize {
        match self.place {
            Place::At(offset) => offset.saturating_add(at),
            Place::Mapped(map) => map.get(at).or(map.last()).copied().unwrap_or_default(),
            Place::Carried(span) => span.start,
        }
    }

    /// The span in the line of `start..end` of the text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match self.place {
            Place::Carried(span) => span,
            Place::At(offset) => {
                Span { start: offset.saturating_add(start), end: offset.saturating_add(end) }
            }
            Place::Mapped(_) => Span::new(self.in_line(start), self.in_line(end)),
        }
    }

    /// `start..end` of the text, borrowed from the line where it can be.
    pub(super) fn keep(&self, start: usize, end: usize) -> Cow<'t, str> {
        match self.lasting {
            Some(text) => Cow::Borrowed(text.get(start..end).unwrap_or_default()),
            None => Cow::Owned(self.slice(start, end).to_owned()),
        }
    }

    /// `start..end` of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The byte at `at`.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}

/// `text` with its continued lines joined.
pub(super) fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = split_once(rest, "\\\n") {
        joined.push_str(line);
        rest = after;
    }
    joined.push_str(rest);
    joined
}
