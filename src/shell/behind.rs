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

use super::problem::ProblemCode;
use super::program::{Program, carried_text, program, span_over};
use super::reader::{Level, Read, Reader};
use super::reading::{Assignment, Context, Hang};
use super::source::Source;
use super::word::{Word, cut};
use super::wrapper::{Given, Manner, Options, Wrapper, row};
use crate::limits;
use crate::span::{Span, utf16_len};
use std::borrow::Cow;

/// Names of the shells whose texts are read.
pub(super) const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "mksh"];

impl<'t> Reader<'t, '_, '_> {
    /// Lists what command `index` runs.
    pub(super) fn behind(&mut self, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get(index) else { return Ok(()) };
        if command.words.len() < 2 && command.redirects.is_empty() && command.context != Context::Wrapper {
            return Ok(());
        }
        let Some(name) = command.name() else { return Ok(()) };
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

    fn behind_wrapper(&mut self, row: &'static Wrapper, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get_mut(index) else { return Ok(()) };
        // The words are lent out while the commands grow.
        let words = std::mem::take(&mut command.words);
        let reserved =
            command.context != Context::Wrapper && words.first().is_some_and(|name| !name.is_quoted());
        let done = self.run_wrapped(row, &words, reserved, index, depth);
        if let Some(command) = self.out.command(index) {
            command.words = words;
        }
        done
    }

    fn run_wrapped(
        &mut self,
        row: &Wrapper,
        words: &[Word<'t>],
        reserved: bool,
        index: usize,
        depth: usize,
    ) -> Read<()> {
        let manner = row.manner;
        if manner == Manner::Bare && words.get(1).is_some_and(|word| word.literal().starts_with('-')) {
            return Ok(());
        }
        let mut options = if manner == Manner::Bare {
            Options { next: 1, ..Options::default() }
        } else {
            row.options(words, 1)
        };
        let mut assigned = None;
        let assigns =
            matches!(manner, Manner::Env | Manner::Assigning) || (manner == Manner::Time && reserved);
        while assigns && words.get(options.next).is_some_and(|word| is_assignment(word)) {
            let first = *assigned.get_or_insert(options.next);
            let count = words
                .get(options.next..)
                .unwrap_or_default()
                .iter()
                .take_while(|word| is_assignment(word))
                .count();
            options.next = options.next.saturating_add(count);
            if manner == Manner::Assigning {
                let more = row.options(words, options.next);
                options.next = more.next;
                options.idle |= more.idle;
                options.unknown.extend(more.unknown);
                options.given.extend(more.given);
            }
            let _ = first;
        }
        for word in options.unknown.iter().filter_map(|at| words.get(*at)) {
            self.out.problem(ProblemCode::UnknownWrapperOption, word.span());
        }
        if options.idle {
            return Ok(());
        }
        for _ in 0..row.operands {
            // An operand that may come to no word, to an option or to several words.
            if let Some(word) = words.get(options.next)
                && word.is_open()
                && word.literal().is_empty()
                && !word.is_quoted()
            {
                self.out.problem(ProblemCode::UnknownWrapperOption, word.span());
            }
            options.next = options.next.saturating_add(1);
        }
        let first = options.next;
        let inner = words.get(first..).unwrap_or_default();
        match manner {
            Manner::Watch if options.last(&["x", "exec"]).is_none() => {
                return self.joined(inner, Context::ShellText, index, depth);
            }
            Manner::Flock
                if inner
                    .first()
                    .and_then(Word::value)
                    .is_some_and(|word| matches!(word, "-c" | "--command")) =>
            {
                let Some(text) = inner.get(1) else { return Ok(()) };
                return self.text(text.value_cow(), text.span(), Context::ShellText, index, depth);
            }
            Manner::Runuser => {
                if let Some(given) = options.last(&["c", "command", "session-command"]) {
                    return self.given_text(words, given, index, depth);
                }
                if options.last(&["u", "user"]).is_none() {
                    return Ok(());
                }
            }
            _ => {}
        }
        let split = match options.last(&["S", "split-string"]) {
            Some(given) if manner == Manner::Env => Some(given),
            _ => None,
        };
        let mut own: Vec<Word<'t>> = Vec::new();
        let mut from = first;
        if let Some(given) = split {
            let Some(carrier) = words.get(given.word) else { return Ok(()) };
            match split_text(carrier, given.from) {
                Some(parts) => own.extend(parts),
                None => {
                    self.out.problem(ProblemCode::DynamicCode, carrier.span());
                    return Ok(());
                }
            }
            // What is assigned after the text comes after the text's words.
            from = assigned.unwrap_or(first);
        }
        let leading = match split {
            Some(_) => own.iter().take_while(|word| is_assignment(word)).count(),
            None => first.saturating_sub(assigned.unwrap_or(first)),
        };
        own.extend(
            words
                .get(if split.is_some() { from } else { assigned.unwrap_or(first) }..)
                .unwrap_or_default()
                .iter()
                .cloned(),
        );
        let own = if manner == Manner::Assigning && assigned.is_some() {
            // Options may stand between the assignments and the command.
            let first_assigned = assigned.unwrap_or(first);
            let between = words.get(first_assigned..first).unwrap_or_default();
            between
                .iter()
                .filter(|word| is_assignment(word))
                .chain(words.get(first..).unwrap_or_default())
                .cloned()
                .collect()
        } else {
            own
        };
        let leading = if manner == Manner::Assigning {
            own.iter().take_while(|word| is_assignment(word)).count()
        } else {
            leading
        };
        let mut assignments = Vec::new();
        let mut rest = own;
        let tail = rest.split_off(leading.min(rest.len()));
        let span = span_over(rest.iter().chain(&tail));
        for word in rest {
            assignments.push(assignment_of(word));
        }
        let mut inner = tail;
        if inner.is_empty() {
            return Ok(());
        }
        let context = if manner == Manner::Xargs { Context::Xargs } else { Context::Wrapper };
        if manner == Manner::Xargs {
            self.fill_in(&mut inner, words, &options);
        }
        self.run(context, inner, assignments, span, index, depth)
    }

    /// What `xargs` puts into its command.
    fn fill_in(&mut self, inner: &mut Vec<Word<'t>>, words: &[Word<'t>], options: &Options<'_>) {
        let Some(given) = options.last(&["I", "J", "i", "replace"]) else {
            let end = inner.last().map(|word| word.span().end).unwrap_or_default();
            let mut added = Word::unknown(Span::new(end, end));
            added.written = Some("".into());
            inner.push(added);
            return;
        };
        let placeholder = words.get(given.word).filter(|_| given.valued);
        if placeholder.is_some_and(Word::is_open) {
            self.out
                .problem(ProblemCode::UnknownWrapperOption, placeholder.map(Word::span).unwrap_or_default());
        }
        let placeholder = placeholder
            .and_then(|word| word.literal().get(given.from..))
            .filter(|text| !text.is_empty())
            .unwrap_or("{}");
        for word in inner.iter_mut().filter(|word| word.literal().contains(placeholder)) {
            *word = forgotten_word(word);
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
            let found = |word: &Word<'t>| {
                if word.literal().contains("{}") { forgotten_word(word) } else { word.clone() }
            };
            let inner: Vec<_> = words.iter().take(count).map(found).collect();
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
        let Some(found) = carried_text(&command.words, values) else { return Ok(()) };
        let Some(word) = command.words.get(found.word) else { return Ok(()) };
        let (value, span) = (word.value_cow().map(|text| cut(&text, found.from, 0).1), word.span());
        self.text(value, span, Context::ShellText, index, depth)
    }

    fn given_text(&mut self, words: &[Word<'t>], given: Given<'_>, index: usize, depth: usize) -> Read<()> {
        let Some(word) = words.get(given.word) else { return Ok(()) };
        let value = word.value_cow().map(|text| cut(&text, given.from, 0).1);
        self.text(value, word.span(), Context::ShellText, index, depth)
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
    fn joined(&mut self, words: &[Word<'t>], context: Context, index: usize, depth: usize) -> Read<()> {
        if words.is_empty() {
            return Ok(());
        }
        let text = match words {
            [only] => only.value_cow(),
            _ => words
                .iter()
                .map(Word::value)
                .collect::<Option<Vec<_>>>()
                .map(|values| Cow::Owned(values.join(" "))),
        };
        self.text(text, span_over(words), context, index, depth)
    }

    /// Reads a text that command `index` runs.
    fn text(
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
        Reader::new(Source::carried(&text, span), self.out, level).read_text();
        Ok(())
    }

    /// Lists a command made of words of command `index`, and what that one runs.
    fn run(
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

/// `NAME=value`, of which at least the name is known.
fn is_assignment(word: &Word<'_>) -> bool {
    word.literal().find('=').is_some_and(|at| at > 0)
}

fn assignment_of<'t>(mut word: Word<'t>) -> Assignment<'t> {
    let at = word.text.find('=').unwrap_or_default();
    let (name, value) = cut(&word.text, at, 1);
    word.text = value;
    Assignment { name, value: word }
}

/// A placeholder: written as it is, known only at run time.
fn forgotten_word<'t>(word: &Word<'t>) -> Word<'t> {
    let mut forgotten = word.forgotten();
    if forgotten.written.is_none() && word.value().is_some() {
        forgotten.written = word.value().map(Into::into);
    }
    forgotten
}

/// The words of the text of `env -S`, which begins at `from` in its word; nothing where it is not plain.
fn split_text<'t>(carrier: &Word<'t>, from: usize) -> Option<Vec<Word<'t>>> {
    let text = carrier.value()?.get(from..)?;
    if text.contains(['$', '\\', '#']) {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_ascii_whitespace() || c == '\u{B}' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let made = |text: String| Word::known(Cow::Owned(text), carrier.span());
    quote.is_none().then(|| words.into_iter().map(made).collect())
}
