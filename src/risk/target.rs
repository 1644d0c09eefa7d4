//! The files that a command writes, as far as its words tell.
//!
//! | command | files |
//! |---|---|
//! | any | the words of `>` `>>` `>\|` `&>` `&>>` `>&` `<>` |
//! | `tee`, `truncate` | operands |
//! | `cp`, `mv`, `install`, `ln` | the destination, and in a directory also the names that arrive there |
//! | `dd` | `of=` |
//! | `sed -i` | operands after the script |
//! | `curl -o`, `wget -O` | the value of the option |
//! | `shred`, `wipefs`, `blkdiscard` | operands, of interest only where they are devices |

use core::cell::OnceCell;

use super::args::{Arg, Options, Piece, arguments, operands};
use super::line::{Line, PathWord, is_one_of, name};
use super::mark::{self, WRITES};
use crate::path::{Lexical, Root};
use crate::shell::{Command, Word};
use crate::span::Span;

/// One file that is written.
#[derive(Clone, Debug)]
pub(super) struct Target<'r> {
    pub(super) word: PathWord<'r>,
    /// The name in the directory `word`.
    inner: Option<&'r str>,
    /// The number of the command.
    pub(super) command: usize,
    /// Of the redirect or the command.
    pub(super) span: Span,
    pub(super) kind: Kind,
    /// Where the file may lie, read once for all rows; the places with backslashes read as slashes stand behind the
    /// others, from that number on.
    places: OnceCell<(Vec<Lexical<'r>>, usize)>,
}

/// What writes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Redirect,
    Command,
    /// A command that is watched for devices alone.
    Eraser,
}

/// Which paths of a word count.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    /// Its path, where all of it is known.
    Whole,
    /// The same, and once more with backslashes read as slashes.
    AllReadings,
    /// The same as the first; of a word that goes on at run time the directory that it begins with.
    Beginning,
}

/// How a command names its files.
#[derive(Clone, Copy, Debug)]
enum Files {
    Operands,
    Destination,
    /// Operands that begin so.
    Prefixed(&'static str),
    /// Operands but for the script, where there is this option.
    InPlace,
    /// The value of this option.
    Output(char, &'static str),
}

struct Writer {
    /// One blank apart.
    names: &'static str,
    options: Options,
    files: Files,
    kind: Kind,
}

const WRITERS: &[Writer] = &[
    Writer {
        names: "tee",
        options: Options { letters: "", attached: "", long: "" },
        files: Files::Operands,
        kind: Kind::Command,
    },
    Writer {
        names: "truncate",
        options: Options { letters: "sr", attached: "", long: "size reference" },
        files: Files::Operands,
        kind: Kind::Command,
    },
    Writer {
        names: "cp mv ln",
        options: Options { letters: "St", attached: "", long: "suffix target-directory" },
        files: Files::Destination,
        kind: Kind::Command,
    },
    Writer {
        names: "install",
        options: Options { letters: "gmoSt", attached: "", long: "group mode owner suffix target-directory" },
        files: Files::Destination,
        kind: Kind::Command,
    },
    Writer {
        names: "dd",
        options: Options { letters: "", attached: "", long: "" },
        files: Files::Prefixed("of="),
        kind: Kind::Command,
    },
    Writer {
        names: "sed",
        options: Options { letters: "efl", attached: "i", long: "expression file line-length" },
        files: Files::InPlace,
        kind: Kind::Command,
    },
    Writer {
        names: "curl",
        options: Options { letters: "AbcCdDeEFHKmoPQrtTuUwxXyYz", attached: "", long: "output" },
        files: Files::Output('o', "output"),
        kind: Kind::Command,
    },
    Writer {
        names: "wget",
        options: Options { letters: "aABDeiIloOPQRtTUwX", attached: "n", long: "output-document" },
        files: Files::Output('O', "output-document"),
        kind: Kind::Command,
    },
    Writer {
        names: "shred wipefs blkdiscard",
        options: Options { letters: "", attached: "", long: "" },
        files: Files::Operands,
        kind: Kind::Eraser,
    },
];

impl<'r> Target<'r> {
    /// Whether one of the places where the file may lie passes `test`; harmless devices never do.
    pub(super) fn lies(&self, line: &Line<'r, '_>, view: View, test: &dyn Fn(&Lexical<'r>) -> bool) -> bool {
        if let View::Beginning = view
            && self.word.is_open()
        {
            let mut places = Vec::new();
            self.place(line, self.word.beginning(), &mut places);
            return places.iter().any(test);
        }
        let (places, slashed) = self.places.get_or_init(|| {
            let mut places = Vec::new();
            self.place(line, self.word.known(), &mut places);
            let slashed = places.len();
            self.place(line, self.word.slashed(), &mut places);
            (places, slashed)
        });
        let count = if let View::AllReadings = view { places.len() } else { *slashed };
        places.iter().take(count).any(test)
    }

    /// Adds the places where a reading of the file may lie.
    fn place(&self, line: &Line<'r, '_>, path: Option<Lexical<'r>>, places: &mut Vec<Lexical<'r>>) {
        let Some(mut path) = path else { return };
        if let Some(inner) = self.inner {
            path = path.join(inner);
        }
        for place in line.resolve(&path, self.command) {
            if !is_harmless(&place) {
                places.push(place);
            }
        }
    }
}

/// The files found so far, and the command that is looked at.
struct Found<'r> {
    targets: Vec<Target<'r>>,
    command: usize,
    span: Span,
    kind: Kind,
}

impl<'r> Found<'r> {
    fn add(&mut self, piece: Piece<'r>, inner: Option<&'r str>) {
        let word = PathWord::of(piece.word, piece.skip);
        let Self { command, span, kind, .. } = *self;
        self.targets.push(Target { word, inner, command, span, kind, places: OnceCell::new() });
    }

    fn add_all(&mut self, words: &[&'r Word<'r>]) {
        for word in words {
            self.add(Piece::whole(word), None);
        }
    }
}

/// The files that the line writes, command by command: of each those of its words, then those of its redirects.
pub(super) fn targets<'r>(line: &Line<'r, '_>) -> Vec<Target<'r>> {
    let mut found = Found { targets: Vec::new(), command: 0, span: Span::default(), kind: Kind::Command };
    for (index, command) in line.commands() {
        found.command = index;
        if let Some(writer) = writer(command) {
            found.span = command.span;
            found.kind = writer.kind;
            let arguments = arguments(&command.words, writer.options);
            let operands = operands(&arguments);
            match writer.files {
                Files::Operands => found.add_all(&operands),
                Files::Destination => destination(line, &arguments, operands, &mut found),
                Files::Prefixed(prefix) => {
                    for word in operands {
                        if word.literal().starts_with(prefix) {
                            found.add(Piece { word, skip: prefix.len() }, None);
                        }
                    }
                }
                Files::InPlace => in_place(&arguments, operands, &mut found),
                Files::Output(letter, long) => {
                    for argument in &arguments {
                        if let Some(value) = value(argument, letter, long)
                            && (value.text() != "-" || value.word.is_open())
                        {
                            found.add(value, None);
                        }
                    }
                }
            }
        }
        for redirect in &command.redirects {
            if redirect.operator.writes() {
                found.span = redirect.span;
                found.kind = Kind::Redirect;
                found.add(Piece::whole(&redirect.target), None);
            }
        }
    }
    found.targets
}

/// The value of the option, where the argument is that option.
fn value<'r>(argument: &Arg<'r>, letter: char, long: &str) -> Option<Piece<'r>> {
    match *argument {
        Arg::Letter(own, value) if own == letter => value,
        Arg::Long(own, value) if own == long => value,
        _ => None,
    }
}

fn writer(command: &Command<'_>) -> Option<&'static Writer> {
    let name = name(command).filter(|_| mark::of(command) & WRITES != 0)?;
    WRITERS.iter().find(|writer| is_one_of(writer.names, name))
}

fn destination<'r>(
    line: &Line<'r, '_>,
    arguments: &[Arg<'r>],
    mut sources: Vec<&'r Word<'r>>,
    found: &mut Found<'r>,
) {
    let given = arguments.iter().find_map(|argument| value(argument, 't', "target-directory"));
    let (target, is_directory) = match given {
        Some(target) => (target, true),
        None => {
            let Some(last) = sources.pop().filter(|_| !sources.is_empty()) else { return };
            (Piece::whole(last), sources.len() > 1 || is_plainly_a_directory(line, last))
        }
    };
    found.add(target, None);
    if is_directory {
        for source in sources {
            let last = source.literal().trim_end_matches('/').rsplit('/').next().unwrap_or("");
            if !source.is_open() && !matches!(last, "" | "." | ".." | "~") {
                found.add(target, Some(last));
            }
        }
    }
}

fn is_plainly_a_directory<'r>(line: &Line<'r, '_>, word: &'r Word<'r>) -> bool {
    let path = PathWord::of(word, 0);
    let text = path.text();
    text.ends_with('/')
        || matches!(text.rsplit('/').next(), Some("." | ".."))
        || path.known().is_some_and(|path| line.is_home(&path))
}

fn in_place<'r>(arguments: &[Arg<'r>], mut files: Vec<&'r Word<'r>>, found: &mut Found<'r>) {
    let has = |letter: char, long: &str| {
        arguments.iter().any(|argument| match *argument {
            Arg::Letter(own, _) => own == letter,
            // The whole name, or what is left of it.
            Arg::Long(own, _) => !own.is_empty() && long.starts_with(own),
            Arg::Operand(_) => false,
        })
    };
    if !has('i', "in-place") {
        return;
    }
    // Elsewhere the suffix of the copy is a word of its own, and mostly empty.
    if files.len() > 1 && files.first().is_some_and(|word| word.value() == Some("")) {
        files.remove(0);
    }
    let script = usize::from(!has('e', "expression") && !has('f', "file"));
    found.add_all(files.get(script..).unwrap_or_default());
}

/// Devices and descriptors that take what is written and change nothing.
fn is_harmless(path: &Lexical<'_>) -> bool {
    const SINKS: &str = "null zero full random urandom stdin stdout stderr tty ptmx";
    if path.root() != Root::Absolute {
        return false;
    }
    match path.segments() {
        ["dev", name] if is_one_of(SINKS, name) => true,
        ["dev", "fd" | "pts" | "shm", ..] => true,
        ["proc", "self", "fd", number] => number.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}
