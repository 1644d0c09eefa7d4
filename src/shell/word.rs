//! One word after quote removal, and what the risk stage must still know of how it was written.
//!
//! | written | value | head | literal |
//! |---|---|---|---|
//! | `a"b"` | `ab` | plain | `ab` |
//! | `~/x` | `~/x` | tilde | `~/x` |
//! | `"~/x"` | `~/x` | plain | `~/x` |
//! | `/etc/$N` | none | plain | `/etc/`, open |
//! | `"$HOME"/x` | none | home | `/x` |
//! | `${HOME:-/r}/$N` | none | home | `/`, open |
//!
//! ```
//! let reading = toolgate::shell::read("cp ~/a \"$HOME/b\" /etc/$N");
//! let words = &reading.commands()[0].words;
//! assert_eq!(words[1].value(), Some("~/a"));
//! assert_eq!(words[2].value(), None);
//! assert_eq!(words[2].literal(), "/b");
//! assert!(words[3].is_open());
//! ```

use super::reading::NestId;
use crate::span::Span;
use std::borrow::Cow;
use std::ops::Range;

/// A word of a command, a redirect's target or an assignment's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// What is known from the start of the word (after a home directory) up to its first run-time piece.
    pub(super) text: Cow<'t, str>,
    /// The source token.
    pub(super) span: Span,
    /// Nests opened inside the token.
    pub(super) inside: (NestId, NestId),
    /// The token as written, for a word that is not known and does not stand in the line itself.
    pub(super) written: Option<Box<str>>,
    pub(super) head: Head,
    pub(super) open: bool,
    pub(super) quoted: bool,
    pub(super) runs: Runs,
}

/// How a word begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// With text, or with a run-time piece.
    #[default]
    Plain,
    /// With an unquoted `~`, which is also the first character of the text.
    Tilde,
    /// With `$HOME`, `${HOME}`, `${HOME:?…}` or `${HOME:-…}`, which is not part of the text.
    Home,
}

/// The kinds of substitution in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// `$(…)` or backquotes, also inside `${…}` and the like.
    pub commands: bool,
    /// `<(…)` or `>(…)`
    pub processes: bool,
}

impl<'t> Word<'t> {
    /// A word that is known as it stands.
    pub(super) const fn known(text: Cow<'t, str>, span: Span) -> Self {
        Self {
            text,
            span,
            inside: (NestId(0), NestId(0)),
            written: None,
            head: Head::Plain,
            open: false,
            quoted: false,
            runs: Runs { commands: false, processes: false },
        }
    }

    /// A word of which nothing is known.
    pub(super) const fn unknown(span: Span) -> Self {
        let mut word = Self::known(Cow::Borrowed(""), span);
        word.open = true;
        word
    }

    /// The same token, its value no longer known (a placeholder, or too many words from braces).
    pub(super) fn forgotten(&self) -> Self {
        Self { text: Cow::Borrowed(""), head: Head::Plain, open: true, ..self.clone() }
    }

    /// A placeholder: written as it is, known only at run time.
    pub(super) fn placeholder(&self) -> Self {
        let mut word = self.forgotten();
        if word.written.is_none() {
            word.written = self.value().map(Into::into);
        }
        word
    }

    /// The word after quote removal; `None` where it is known only at run time.
    pub fn value(&self) -> Option<&str> {
        (!self.open && self.head != Head::Home).then_some(self.text.as_ref())
    }

    /// What is known from the start, or after a leading home directory, up to the first run-time piece.
    pub fn literal(&self) -> &str {
        &self.text
    }

    /// A run-time piece follows the literal.
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// How the word begins.
    pub const fn head(&self) -> Head {
        self.head
    }

    /// The token in the line, or the words that carry the text which the word is in. Words from one brace
    /// list share a token.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Some part of it is quoted.
    pub const fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Which kinds of substitution are in it.
    pub const fn runs(&self) -> Runs {
        self.runs
    }

    /// The nests that were opened inside it.
    pub const fn inside(&self) -> Range<NestId> {
        self.inside.0..self.inside.1
    }

    /// The token as written; empty for one that stands nowhere (what `xargs` adds).
    pub fn written<'w>(&'w self, line: &'w str) -> &'w str {
        self.written.as_deref().unwrap_or_else(|| self.span.slice(line).unwrap_or_default())
    }

    /// It was added by a command and stands in no text.
    pub fn is_nowhere(&self) -> bool {
        self.written.as_deref() == Some("")
    }

    /// The value, or the token as written.
    pub fn value_or_written<'w>(&'w self, line: &'w str) -> &'w str {
        self.value().unwrap_or_else(|| self.written(line))
    }

    /// The known value, lasting as long as the line, or a copy of it.
    pub(super) fn value_cow(&self) -> Option<Cow<'t, str>> {
        self.value()?;
        Some(self.text.clone())
    }
}

/// Cuts `text` at `at`; a borrowed text stays borrowed.
pub(super) fn cut<'t>(text: &Cow<'t, str>, at: usize, skip: usize) -> (Cow<'t, str>, Cow<'t, str>) {
    let rest = at.saturating_add(skip);
    match text {
        Cow::Borrowed(text) => (
            Cow::Borrowed(text.get(..at).unwrap_or_default()),
            Cow::Borrowed(text.get(rest..).unwrap_or_default()),
        ),
        Cow::Owned(text) => (
            Cow::Owned(text.get(..at).unwrap_or_default().to_owned()),
            Cow::Owned(text.get(rest..).unwrap_or_default().to_owned()),
        ),
    }
}

impl Runs {
    /// Adds what runs in a part.
    pub(super) const fn merge(&mut self, part: Self) {
        self.commands |= part.commands;
        self.processes |= part.processes;
    }
}

#[cfg(test)]
mod tests {
    use super::Head;
    use crate::shell::read;

    #[track_caller]
    fn check(written: &str, head: Head, literal: &str, open: bool) {
        let line = format!("x {written}");
        let reading = read(&line);
        let word = reading.commands().first().and_then(|command| command.words.get(1));
        let found = word.map(|word| (word.head(), word.literal(), word.is_open()));
        assert_eq!(found, Some((head, literal, open)), "{written:?}");
    }

    #[test]
    fn begins_with_a_home() {
        check("~", Head::Tilde, "~", false);
        check("~/a", Head::Tilde, "~/a", false);
        check("\"~\"/a", Head::Plain, "~/a", false);
        check("\\~", Head::Plain, "~", false);
        check("a~", Head::Plain, "a~", false);
        check("$HOME", Head::Home, "", false);
        check("\"$HOME/a\"/b", Head::Home, "/a/b", false);
        check("${HOME}/a$x/b", Head::Home, "/a", true);
        check("${HOME:-/r}", Head::Home, "", false);
        check("${HOME:?no $(x)}/*", Head::Home, "/*", false);
        check("${HOME%/}/a", Head::Plain, "", true);
        check("$HOMES", Head::Plain, "", true);
        check("$HO\\\nME/x", Head::Home, "/x", false);
        check("a$HOME", Head::Plain, "a", true);
        check("'$HOME'", Head::Plain, "$HOME", false);
        check("/etc/$x/y", Head::Plain, "/etc/", true);
        check("~$x", Head::Tilde, "~", true);
    }
}
