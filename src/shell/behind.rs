//! The commands that a command runs: its own words again, or a text that it carries.
//!
//! | command | runs | context |
//! |---|---|---|
//! | a row of [`wrapper`](super::wrapper) | the words after its options and operands | `wrapper`, `xargs` |
//! | `watch` | its words, joined, as a text | `shell-text` |
//! | `find` | the words after `-exec` and its like | `find-exec` |
//! | a shell | the text after `-c`, or its heredocs and here strings | `shell-text`, `shell-input` |
//! | `su`, `script`, `flock`, `runuser` | the text after `-c` | `shell-text` |
//! | `eval`, `trap` | its words, joined; its first word | `eval` |
//!
//! A text is read as a line of its own. Invariants: each step opens a nest, so that the depth is bounded.

use super::forms::join;
use super::problem::ProblemCode;
use super::program::{Program, carried_text, program, span_over};
use super::reader::{Level, Read, Reader, WORDS};
use super::reading::{Assignment, Context, Hang};
use super::source::Source;
use super::word::{Word, cut};
use super::wrapper::{WRAPPERS, Wrapper, row};
use crate::limits;
use crate::span::{Span, utf16_len};
use crate::text::{Sieve, contains};
use std::borrow::Cow;

/// Names of the shells whose texts are read.
pub(super) const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "mksh"];

/// Words of a text that room is made for beforehand.
const MOST_WORDS: usize = 1_024;

/// Passes the names of all commands that run something, and few others.
const MARKED: Sieve = {
    let mut sieve = Sieve::EMPTY.with(&SHELLS).with(&["find", "eval", "trap", "su", "script"]);
    let mut rows: &[Wrapper] = &WRAPPERS;
    while let [first, rest @ ..] = rows {
        sieve = sieve.with(first.names);
        rows = rest;
    }
    sieve
};

impl<'t> Reader<'t, '_, '_> {
    /// Lists what command `index` runs.
    pub(super) fn behind(&mut self, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        if command.words.len() < 2 && command.redirects.is_empty() && command.context != Context::Wrapper {
            return Ok(());
        }
        let Some(name) = command.name() else { return Ok(()) };
        if !MARKED.admits(name) {
            return Ok(());
        }
        match name {
            "find" => self.behind_find(index, depth),
            "eval" => self.behind_eval(index, depth),
            "trap" => self.behind_trap(index, depth),
            "su" => self.behind_option(index, depth, "gGsTw"),
            "script" => self.behind_option(index, depth, "BEIOTmot"),
            _ if SHELLS.contains(&name) => self.behind_shell(index, depth),
            _ => match row(name) {
                Some(row) => self.behind_wrapper(row, index, depth),
                None => Ok(()),
            },
        }
    }

    fn behind_find(&mut self, index: usize, depth: usize) -> Read<()> {
        let mut at = 1usize;
        loop {
            let Some(command) = self.out.commands.get(index) else { return Ok(()) };
            let words = command.words.get(at..).unwrap_or_default();
            let is_exec =
                |word: &Word<'_>| matches!(word.value(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
            let Some(exec) = words.iter().position(is_exec) else { return Ok(()) };
            let words = words.get(exec.saturating_add(1)..).unwrap_or_default();
            let mut after_braces = false;
            let ends = |word: &Word<'_>| {
                let end = word.value() == Some(";") || (after_braces && word.value() == Some("+"));
                after_braces = word.value() == Some("{}");
                end
            };
            let count = words.iter().position(ends).unwrap_or(words.len());
            at = at.saturating_add(exec).saturating_add(count).saturating_add(1);
            let mut inner = words.get(..count).unwrap_or_default().to_vec();
            fill(&mut inner, "{}");
            if !inner.is_empty() {
                let span = span_over(&inner);
                self.run(Context::FindExec, inner, Vec::new(), span, index, depth)?;
            }
        }
    }

    fn behind_eval(&mut self, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.command(index) else { return Ok(()) };
        let words = std::mem::take(&mut command.words);
        let skip = if words.get(1).and_then(Word::value) == Some("--") { 2 } else { 1 };
        let done = self.joined(words.get(skip..).unwrap_or_default(), Context::Eval, index, depth);
        if let Some(command) = self.out.command(index) {
            command.words = words;
        }
        done
    }

    fn behind_trap(&mut self, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        let skip = if command.words.get(1).and_then(Word::value) == Some("--") { 2 } else { 1 };
        let (Some(text), Some(_)) = (command.words.get(skip), command.words.get(skip.saturating_add(1)))
        else {
            return Ok(());
        };
        let resets = |text: &str| {
            text == "-" || text.is_empty() || (skip == 1 && matches!(text, "-l" | "-p" | "-lp" | "-pl"))
        };
        if text.value().is_some_and(resets) {
            return Ok(());
        }
        let (value, span) = (text.value_cow(), text.span());
        self.text(value, span, Context::Eval, index, depth)
    }

    /// `-c TEXT` and `--command TEXT`, wherever they stand.
    fn behind_option(&mut self, index: usize, depth: usize, values: &str) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        let Some(found) = carried_text(&command.words, 1, values) else { return Ok(()) };
        let Some(word) = command.words.get(found.word) else { return Ok(()) };
        let (value, span) = (word.value_cow().map(|text| cut(&text, found.from, 0).1), word.span());
        self.text(value, span, Context::ShellText, index, depth)
    }

    fn behind_shell(&mut self, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        match program(&command.words) {
            Program::Text(at) => {
                let Some(text) = command.words.get(at) else { return Ok(()) };
                let (value, span) = (text.value_cow(), text.span());
                self.text(value, span, Context::ShellText, index, depth)
            }
            Program::Doubt(at) => {
                let span = command.words.get(at).map(Word::span).unwrap_or_default();
                self.out.problem(ProblemCode::DynamicCode, span);
                Ok(())
            }
            Program::Script(_) | Program::Nothing => Ok(()),
            Program::Input => {
                let mut owner = Some(index);
                while let Some(at) = owner {
                    let mut redirect = 0usize;
                    while let Some((value, span)) = self.input(at, redirect) {
                        if let Some(value) = value {
                            self.text(value, span, Context::ShellInput, index, depth)?;
                        }
                        redirect = redirect.saturating_add(1);
                    }
                    owner = self
                        .out
                        .commands
                        .get(at)
                        .filter(|c| c.context == Context::Wrapper && c.hang == Hang::Behind)
                        .and_then(|c| c.parent);
                }
                Ok(())
            }
        }
    }

    /// Redirect `redirect` of a command: its text, where it is one, and its span.
    #[allow(
        clippy::option_option,
        clippy::type_complexity,
        reason = "no such redirect, no text, no known text"
    )]
    fn input(&self, command: usize, redirect: usize) -> Option<(Option<Option<Cow<'t, str>>>, Span)> {
        let redirect = self.out.commands.get(command)?.redirects.get(redirect)?;
        Some((redirect.operator.is_text().then(|| redirect.target.value_cow()), redirect.span))
    }

    /// Words joined by a space, as a text.
    pub(super) fn joined(
        &mut self,
        words: &[Word<'t>],
        context: Context,
        index: usize,
        depth: usize,
    ) -> Read<()> {
        if words.is_empty() {
            return Ok(());
        }
        let text = match words {
            [only] => only.value_cow(),
            _ if words.iter().all(|word| word.value().is_some()) => Some(Cow::Owned(join(words, None, ""))),
            _ => None,
        };
        self.text(text, span_over(words), context, index, depth)
    }

    /// Reads a text that command `index` runs.
    pub(super) fn text(
        &mut self,
        text: Option<Cow<'t, str>>,
        span: Span,
        context: Context,
        index: usize,
        depth: usize,
    ) -> Read<()> {
        let Some(text) = text else {
            self.out.problem(ProblemCode::DynamicCode, span);
            return Ok(());
        };
        if text.len() > limits::SHELL_LINE_UNITS && utf16_len(&text) > limits::SHELL_LINE_UNITS {
            self.out.problem(ProblemCode::TooLong, span);
            return Ok(());
        }
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        let level = Level::of(command, index, Hang::Behind, depth).enter(context, self.out, span)?;
        self.out.characters(&text, Some(span));
        let mut reader = Reader::new(Source::carried(&text, span), self.out, level);
        // Long texts are mostly the words of one command, which may be read again level by level.
        let blanks = text.bytes().filter(|byte| *byte == b' ').count();
        reader.room = blanks.clamp(WORDS, MOST_WORDS);
        reader.read_text();
        Ok(())
    }

    /// Lists a command made of words of command `index`, and what that one runs.
    pub(super) fn run(
        &mut self,
        context: Context,
        words: Vec<Word<'t>>,
        assignments: Vec<Assignment<'t>>,
        span: Span,
        index: usize,
        depth: usize,
    ) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        let level = Level::of(command, index, Hang::Behind, depth).enter(context, self.out, span)?;
        let inner = self.out.begin(&level, span)?;
        if let Some(command) = self.out.command(inner) {
            command.words = words;
            command.assignments = assignments;
        }
        self.name_must_be_known(inner);
        self.behind(inner, level.depth)
    }
}

/// Makes a placeholder of each word with `mark` in it.
pub(super) fn fill(words: &mut [Word<'_>], mark: &str) {
    for word in words {
        if contains(word.literal(), mark) {
            *word = word.placeholder();
        }
    }
}
