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

use super::args::{Arg, Options, Piece, arguments, operands};
use super::line::{Line, PathWord, is_one_of, name};
use crate::path::{Lexical, Root};
use crate::shell::{Command, Word};
use crate::span::Span;

/// One file that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'r> {
    pub(super) word: PathWord<'r>,
    /// The name in the directory `word`.
    inner: Option<&'r str>,
    /// The number of the command.
    pub(super) command: usize,
    /// Of the redirect or the command.
    pub(super) span: Span,
    pub(super) is_redirect: bool,
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
}

const WRITERS: &[Writer] = &[
    Writer { names: "tee", options: Options { letters: "", attached: "", long: "" }, files: Files::Operands },
    Writer {
        names: "truncate",
        options: Options { letters: "sr", attached: "", long: "size reference" },
        files: Files::Operands,
    },
    Writer {
        names: "cp mv ln",
        options: Options { letters: "St", attached: "", long: "suffix target-directory" },
        files: Files::Destination,
    },
    Writer {
        names: "install",
        options: Options { letters: "gmoSt", attached: "", long: "group mode owner suffix target-directory" },
        files: Files::Destination,
    },
    Writer {
        names: "dd",
        options: Options { letters: "", attached: "", long: "" },
        files: Files::Prefixed("of="),
    },
    Writer {
        names: "sed",
        options: Options { letters: "efl", attached: "i", long: "expression file line-length" },
        files: Files::InPlace,
    },
    Writer {
        names: "curl",
        options: Options { letters: "AbcCdDeEFHKmoPQrtTuUwxXyYz", attached: "", long: "output" },
        files: Files::Output('o', "output"),
    },
    Writer {
        names: "wget",
        options: Options { letters: "aABDeiIloOPQRtTUwX", attached: "n", long: "output-document" },
        files: Files::Output('O', "output-document"),
    },
];

impl<'r> Target<'r> {
    /// The places of the file, where its name is known whole.
    pub(super) fn places(&self, line: &Line<'r, '_>) -> Vec<Lexical<'r>> {
        let readings = self.word.known();
        self.seen(readings, line)
    }

    /// As [`Self::places`], with backslashes also read as slashes.
    pub(super) fn places_of_all_readings(&self, line: &Line<'r, '_>) -> Vec<Lexical<'r>> {
        self.seen(self.word.readings(), line)
    }

    /// As [`Self::places`]; of a name that goes on at run time the directory it begins with.
    pub(super) fn beginnings(&self, line: &Line<'r, '_>) -> Vec<Lexical<'r>> {
        self.seen(self.word.beginning(), line)
    }

    fn seen(&self, paths: impl IntoIterator<Item = Lexical<'r>>, line: &Line<'r, '_>) -> Vec<Lexical<'r>> {
        let places = paths.into_iter().flat_map(|path| {
            let path = match self.inner {
                Some(inner) => path.join(inner),
                None => path,
            };
            line.resolve(&path, self.command)
        });
        places.filter(|place| !is_harmless(place)).collect()
    }
}

/// The files that the line writes, command by command: of each those of its words, then those of its redirects.
pub(super) fn targets<'r>(line: &Line<'r, '_>) -> Vec<Target<'r>> {
    let mut found = Vec::new();
    for (index, command) in line.commands() {
        let mut add = |piece: Piece<'r>, inner: Option<&'r str>| {
            let word = PathWord::of(piece.word, piece.skip);
            found.push(Target { word, inner, command: index, span: command.span, is_redirect: false });
        };
        if let Some(writer) = writer(command) {
            let arguments = arguments(&command.words, writer.options);
            match writer.files {
                Files::Operands => {
                    operands(&arguments).into_iter().for_each(|word| add(Piece::whole(word), None))
                }
                Files::Destination => destination(line, &arguments, &mut add),
                Files::Prefixed(prefix) => {
                    for word in operands(&arguments) {
                        if word.literal().starts_with(prefix) {
                            add(Piece { word, skip: prefix.len() }, None);
                        }
                    }
                }
                Files::InPlace => in_place(&arguments, &mut add),
                Files::Output(letter, long) => {
                    for argument in &arguments {
                        let value = match *argument {
                            Arg::Letter(own, value) if own == letter => value,
                            Arg::Long(own, value) if own == long => value,
                            _ => None,
                        };
                        if let Some(value) = value.filter(|value| value.text() != "-" || value.word.is_open())
                        {
                            add(value, None);
                        }
                    }
                }
            }
        }
        let written = command.redirects.iter().filter(|redirect| redirect.operator.writes());
        found.extend(written.map(|redirect| Target {
            word: PathWord::of(&redirect.target, 0),
            inner: None,
            command: index,
            span: redirect.span,
            is_redirect: true,
        }));
    }
    found
}

fn writer(command: &Command<'_>) -> Option<&'static Writer> {
    let name = name(command)?;
    WRITERS.iter().find(|writer| is_one_of(writer.names, name))
}

fn destination<'r>(
    line: &Line<'r, '_>,
    arguments: &[Arg<'r>],
    add: &mut impl FnMut(Piece<'r>, Option<&'r str>),
) {
    let given = arguments.iter().find_map(|argument| match *argument {
        Arg::Letter('t', value) | Arg::Long("target-directory", value) => value,
        _ => None,
    });
    let mut sources = operands(arguments);
    let (target, is_directory) = match given {
        Some(target) => (target, true),
        None => {
            let Some(last) = sources.pop().filter(|_| !sources.is_empty()) else { return };
            (Piece::whole(last), sources.len() > 1 || is_plainly_a_directory(line, last))
        }
    };
    add(target, None);
    if is_directory {
        for source in sources {
            let last = source.literal().trim_end_matches('/').rsplit('/').next().unwrap_or("");
            if !source.is_open() && !matches!(last, "" | "." | ".." | "~") {
                add(target, Some(last));
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

fn in_place<'r>(arguments: &[Arg<'r>], add: &mut impl FnMut(Piece<'r>, Option<&'r str>)) {
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
    let mut files = operands(arguments);
    // Elsewhere the suffix of the copy is a word of its own, and mostly empty.
    if files.len() > 1 && files.first().is_some_and(|word| word.value() == Some("")) {
        files.remove(0);
    }
    let script = usize::from(!has('e', "expression") && !has('f', "file"));
    files.into_iter().skip(script).for_each(|word| add(Piece::whole(word), None));
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
