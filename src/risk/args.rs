//! The arguments of a command, told apart into options and operands by a small table.
//!
//! Letters may cluster; a letter with a value takes the rest of its cluster or the next word. Options and operands may
//! stand in any order, up to `--`. A word that begins with a run-time piece or a home directory is an operand.

use crate::order::{Gather as _, Grow as _};
use crate::shell::{Head, Word};

/// What has a value. An option that is not listed has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// Letters that take the rest of the cluster or the next word.
    pub(super) letters: &'static str,
    /// Letters that take the rest of the cluster, be it empty, and never the next word.
    pub(super) attached: &'static str,
    /// Long names, one blank apart, that take what follows `=` or the next word; they may be cut short.
    pub(super) long: &'static str,
}

/// One argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg<'r> {
    Letter(char, Option<Piece<'r>>),
    /// With its full name where it is one of the table's.
    Long(&'r str, Option<Piece<'r>>),
    Operand(&'r Word<'r>),
}

/// A word from some byte of its literal on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'r> {
    pub(super) word: &'r Word<'r>,
    pub(super) skip: usize,
}

impl<'r> Piece<'r> {
    pub(super) fn whole(word: &'r Word<'r>) -> Self {
        Self { word, skip: 0 }
    }

    /// The text that is known.
    pub(super) fn text(&self) -> &'r str {
        self.word.literal().get(self.skip..).unwrap_or("")
    }
}

/// The arguments among `words`, the name of the command left out.
pub(super) fn arguments<'r>(words: &'r [Word<'r>], options: Options) -> Vec<Arg<'r>> {
    let mut found = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.literal();
        let name = text.strip_prefix("--");
        match (name, text.strip_prefix('-')) {
            _ if word.head() != Head::Plain => found.push(Arg::Operand(word)),
            (Some(""), _) if !word.is_open() => {
                found.grow(rest.by_ref().map(Arg::Operand));
            }
            (Some(name), _) => {
                let (name, value) = match name.split_once('=') {
                    Some((name, _)) => (name, Some(Piece { word, skip: name.len().saturating_add(3) })),
                    None => (name, None),
                };
                let known = options.long.split(' ').find(|long| !name.is_empty() && long.starts_with(name));
                let value = value.or_else(|| known.and_then(|_| rest.next().map(Piece::whole)));
                found.push(Arg::Long(known.unwrap_or(name), value));
            }
            (None, Some(letters)) if !letters.is_empty() => {
                for (at, letter) in letters.char_indices() {
                    let after = at.saturating_add(letter.len_utf8());
                    let is_last = after == letters.len() && !word.is_open();
                    let inner = Piece { word, skip: after.saturating_add(1) };
                    if options.attached.contains([letter]) {
                        found.push(Arg::Letter(letter, Some(inner)));
                        break;
                    }
                    if options.letters.contains([letter]) {
                        let value = if is_last { rest.next().map(Piece::whole) } else { Some(inner) };
                        found.push(Arg::Letter(letter, value));
                        break;
                    }
                    found.push(Arg::Letter(letter, None));
                }
            }
            _ => found.push(Arg::Operand(word)),
        }
    }
    found
}

/// The operands among `arguments`.
pub(super) fn operands<'r>(arguments: &[Arg<'r>]) -> Vec<&'r Word<'r>> {
    let operand = |argument: &Arg<'r>| match argument {
        Arg::Operand(word) => Some(*word),
        _ => None,
    };
    arguments.iter().filter_map(operand).gather()
}
