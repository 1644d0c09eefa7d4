//! Looks through one wrapper to the command in its words.
//!
//! The table of [`wrapper`](super::wrapper) says where that command begins; what is particular about a few of
//! them is here.

use super::behind::fill;
use super::problem::ProblemCode;
use super::program::{carried_text, span_over};
use super::reader::{Read, Reader};
use super::reading::{Assignment, Context};
use super::word::{Word, cut};
use super::wrapper::{Given, Manner, Options, Wrapper};
use crate::span::Span;
use std::borrow::Cow;

impl<'t> Reader<'t, '_, '_> {
    /// Lists the command that command `index`, a wrapper, runs.
    pub(super) fn behind_wrapper(&mut self, row: &'static Wrapper, index: usize, depth: usize) -> Read<()> {
        let Some(command) = self.out.commands.get_mut(index) else { return Ok(()) };
        // The words are lent out while the commands grow.
        let words = std::mem::take(&mut command.words);
        let reserved =
            command.context != Context::Wrapper && words.first().is_some_and(|name| !name.is_quoted());
        let done = self.look_through(row, words.get(1..).unwrap_or_default(), reserved, index, depth);
        if let Some(command) = self.out.command(index) {
            command.words = words;
        }
        done
    }

    fn look_through(
        &mut self,
        row: &Wrapper,
        words: &[Word<'t>],
        reserved: bool,
        index: usize,
        depth: usize,
    ) -> Read<()> {
        if row.manner == Manner::Bare && words.first().is_some_and(|word| word.literal().starts_with('-')) {
            return Ok(());
        }
        let mut words = Cow::Borrowed(words);
        if row.manner == Manner::Env {
            match self.with_split_text(row, &words) {
                Some(Some(split)) => words = Cow::Owned(split),
                Some(None) => {}
                None => return Ok(()),
            }
        }
        let mut assigned = Vec::new();
        let options = read_head(row, &words, reserved, &mut assigned);
        for word in options.unknown.iter().filter_map(|at| words.get(*at)) {
            self.out.problem(ProblemCode::UnknownWrapperOption, word.span());
        }
        if options.idle {
            return Ok(());
        }
        let after = words.get(options.next..).unwrap_or_default();
        let (operands, inner) = after.split_at(row.operands.min(after.len()));
        for word in
            operands.iter().filter(|word| word.is_open() && word.literal().is_empty() && !word.is_quoted())
        {
            // It may come to no word, to several, or to an option.
            self.out.problem(ProblemCode::UnknownWrapperOption, word.span());
        }
        match row.manner {
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
                    return self.given_text(&words, given, index, depth);
                }
                if options.last(&["u", "user"]).is_none() {
                    // As with `su`, options may follow the user.
                    return match carried_text(&words, options.next, "ugGsTw") {
                        Some(given) => self.given_text(&words, given, index, depth),
                        None => Ok(()),
                    };
                }
            }
            _ => {}
        }
        if inner.is_empty() {
            return Ok(());
        }
        let mut span = span_over(inner);
        let mut assignments = Vec::with_capacity(assigned.len());
        for word in assigned.iter().filter_map(|at| words.get(*at)) {
            span = Span::new(span.start.min(word.span().start), span.end.max(word.span().end));
            assignments.push(assignment_of(word.clone()));
        }
        let mut inner = inner.to_vec();
        if row.manner == Manner::Xargs {
            self.fill_in(&mut inner, &words, &options);
            return self.run(Context::Xargs, inner, assignments, span, index, depth);
        }
        self.run(Context::Wrapper, inner, assignments, span, index, depth)
    }

    /// The words of `env` with the text of `-S` split and put before what follows: nothing new without such a
    /// text, nothing at all where it is not plain.
    #[allow(clippy::option_option, reason = "no text is not the same as a text in doubt")]
    fn with_split_text(&mut self, row: &Wrapper, words: &[Word<'t>]) -> Option<Option<Vec<Word<'t>>>> {
        let options = row.options(words, 0);
        let Some(given) = options.last(&["S", "split-string"]) else { return Some(None) };
        let Some(carrier) = words.get(given.word) else { return Some(None) };
        let split = split_text(carrier, given.from).map(|mut split| {
            split.extend(words.get(options.next..).unwrap_or_default().iter().cloned());
            split
        });
        // A text in the text, or options before it that run nothing, are not worth following.
        let plain = split.filter(|split| row.options(split, 0).last(&["S", "split-string"]).is_none());
        if plain.is_none() {
            self.out.problem(ProblemCode::DynamicCode, carrier.span());
        }
        for word in options.unknown.iter().filter_map(|at| words.get(*at)) {
            self.out.problem(ProblemCode::UnknownWrapperOption, word.span());
        }
        plain.map(Some)
    }

    fn given_text(&mut self, words: &[Word<'t>], given: Given<'_>, index: usize, depth: usize) -> Read<()> {
        let Some(word) = words.get(given.word) else { return Ok(()) };
        let value = word.value_cow().map(|text| cut(&text, given.from, 0).1);
        self.text(value, word.span(), Context::ShellText, index, depth)
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
        if let Some(open) = placeholder.filter(|word| word.value().is_none()) {
            self.out.problem(ProblemCode::UnknownWrapperOption, open.span());
        }
        let placeholder = placeholder
            .and_then(|word| word.literal().get(given.from..))
            .filter(|text| !text.is_empty())
            .unwrap_or("{}");
        fill(inner, placeholder);
    }
}

/// Reads what stands before the operands: options, and the numbers of the words that assign.
fn read_head<'w>(
    row: &Wrapper,
    words: &'w [Word<'_>],
    reserved: bool,
    assigned: &mut Vec<usize>,
) -> Options<'w> {
    let mut options = match row.manner {
        Manner::Bare => Options::default(),
        _ => row.options(words, 0),
    };
    let assigns = match row.manner {
        Manner::Env | Manner::Assigning => true,
        Manner::Time => reserved,
        _ => false,
    };
    if !assigns {
        return options;
    }
    while words.get(options.next).is_some_and(is_assignment) {
        assigned.push(options.next);
        options.next = options.next.saturating_add(1);
        if row.manner == Manner::Assigning {
            options.merge(row.options(words, options.next));
        }
    }
    options
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

/// The words of the text of `env -S`, which begins at `from` in its word; nothing where it is not plain.
fn split_text<'t>(carrier: &Word<'t>, from: usize) -> Option<Vec<Word<'t>>> {
    let text = carrier.value()?.get(from..)?;
    if text.contains(['$', '\\', '#']) {
        return None;
    }
    let mut words: Vec<Word<'t>> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut end = |word: Option<String>| {
        if let Some(text) = word {
            words.push(Word::known(Cow::Owned(text), carrier.span()));
        }
    };
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_ascii_whitespace() || c == '\u{B}' => end(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    end(word);
    quote.is_none().then_some(words)
}
