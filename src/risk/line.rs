//! A reading with all that its commands are judged by: places, directories, the protected list.

use crate::order::Gather as _;
use core::cell::OnceCell;

use super::directories::Directories;
use super::mark::{self, FUNCTIONS, Marks, TARGETS, WRITES};
use super::protected::Protected;
use super::target::{Target, targets};
use crate::dialect::tiers::Words;
use crate::limits::SHELL_COMMANDS;
use crate::path::{Lexical, Places, Root};
use crate::shell::{Command, Head, Reading, Word};
use crate::span::Span;
use crate::text::has;

/// A line under assessment. What few lines need is made where it is asked for.
pub(super) struct Line<'r, 't> {
    pub(super) reading: &'r Reading<'t>,
    pub(super) protected: &'r Protected,
    /// What its commands are marked with, and the marks of the line.
    pub(super) marks: Marks,
    /// Those of each command.
    each: [Marks; SHELL_COMMANDS],
    places: Places<'r>,
    home: OnceCell<Option<Lexical<'r>>>,
    directories: OnceCell<Directories<'r>>,
    targets: Vec<Target<'r>>,
}

impl<'r, 't: 'r> Line<'r, 't> {
    pub(super) fn new(reading: &'r Reading<'t>, places: Places<'r>, protected: &'r Protected) -> Self {
        let mut line = Self {
            reading,
            protected,
            marks: 0,
            each: [0; SHELL_COMMANDS],
            places,
            home: OnceCell::new(),
            directories: OnceCell::new(),
            targets: Vec::new(),
        };
        let mut writes = false;
        for (command, own) in reading.commands().iter().zip(&mut line.each) {
            *own = mark::of(command);
            line.marks |= *own;
            writes |= may_write(command, *own);
        }
        if writes {
            line.targets = targets(&line);
        }
        if !line.targets.is_empty() {
            line.marks |= TARGETS;
        }
        if !reading.functions().is_empty() {
            line.marks |= FUNCTIONS;
        }
        line
    }

    /// The home directory, where it is known.
    pub(super) fn home(&self) -> Option<&Lexical<'r>> {
        self.home.get_or_init(|| self.places.home()).as_ref()
    }

    fn directories(&self) -> &Directories<'r> {
        let read = || Directories::of(self.reading.commands(), self.places.cwd(), self.home());
        self.directories.get_or_init(read)
    }

    /// The place of the first command with one of `marks` that passes `test`, by its number.
    pub(super) fn first(&self, marks: Marks, test: &dyn Fn(usize, &'r Command<'t>) -> bool) -> Option<Span> {
        let mut marked = self.commands().zip(&self.each).filter(|(_, own)| *own & marks != 0);
        marked.find(|((index, command), _)| test(*index, command)).map(|((_, command), _)| command.span)
    }

    /// Where the first file is written that passes `test`.
    pub(super) fn first_target(&self, test: &dyn Fn(&Target<'r>) -> bool) -> Option<Span> {
        self.targets.iter().find(|target| test(target)).map(|target| target.span)
    }

    /// The commands with their numbers.
    pub(super) fn commands(&self) -> impl Iterator<Item = (usize, &'r Command<'t>)> {
        self.reading.commands().iter().enumerate()
    }

    /// Where `path` may lie when the command is reached, a `~` replaced where the home is known.
    pub(super) fn resolve(&self, path: &Lexical<'r>, command: usize) -> Vec<Lexical<'r>> {
        let path = self.home().map_or_else(|| path.clone(), |home| path.at_home(home));
        if path.root() != Root::Relative {
            return vec![path];
        }
        self.directories().at(command).iter().map(|base| path.from(base)).gather()
    }

    /// Whether relative paths of the command may lie elsewhere, too.
    pub(super) fn is_doubtful_at(&self, command: usize) -> bool {
        self.directories().is_doubtful_at(command)
    }

    /// Whether the path is a home directory.
    pub(super) fn is_home(&self, path: &Lexical<'r>) -> bool {
        match (path.root(), path.segments()) {
            // What lies above a home that is not known is taken for one.
            (Root::Home, [_, above @ ..]) => above.iter().all(|name| *name == ".."),
            (Root::Absolute, ["home" | "Users", _] | ["root"]) => true,
            _ => self.home() == Some(path),
        }
    }

    /// Whether the protected list covers the path, or its spelling from the home directory.
    pub(super) fn is_protected(&self, path: &Lexical<'r>) -> bool {
        let from_home = || {
            let rest = path.rest_under(self.home()?)?;
            Some(rest.iter().fold(Lexical::read("~"), |path, name| path.join(name)))
        };
        self.protected.covers_form(path) || from_home().is_some_and(|path| self.protected.covers_form(&path))
    }
}

/// Whether a command with these marks may have a [`Target`].
pub(super) fn may_write(command: &Command<'_>, marks: Marks) -> bool {
    marks & WRITES != 0 || command.redirects.iter().any(|redirect| redirect.operator.writes())
}

/// The name of a command: what follows the last `/` of its first word.
pub(super) fn name<'r>(command: &'r Command<'_>) -> Option<&'r str> {
    command.words.first()?.value().map(mark::last_name)
}

/// Whether `name` is one of the words of `list`, which stand one blank apart.
pub(super) fn is_one_of(list: &'static str, name: &str) -> bool {
    Words(list).has(name)
}

/// A word read as a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathWord<'r> {
    text: &'r str,
    from: From,
    open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// A leading `~` is a name.
    Text,
    /// A leading `~` is a home directory.
    Tilde,
    /// The text stands behind a home directory.
    Home,
}

impl<'r> PathWord<'r> {
    /// The word from byte `skip` of its literal on.
    pub(super) fn of(word: &'r Word<'r>, skip: usize) -> Self {
        let text = word.literal().get(skip..).unwrap_or("");
        let from = match word.head() {
            Head::Tilde if skip == 0 => From::Tilde,
            Head::Home if skip == 0 => From::Home,
            _ => From::Text,
        };
        // `${HOME}x` is beside the home directory: nothing of it is known.
        let beside = from == From::Home && !text.is_empty() && !text.starts_with('/');
        Self { text: if beside { "" } else { text }, from, open: word.is_open() || beside }
    }

    /// The known text, without a home directory in front that is not written as `~`.
    pub(super) fn text(&self) -> &'r str {
        self.text
    }

    /// The path, where all of the word is known.
    pub(super) fn known(&self) -> Option<Lexical<'r>> {
        (!self.open).then(|| self.read(self.text))
    }

    /// The path, or of a word that goes on at run time the directory that it begins with.
    pub(super) fn beginning(&self) -> Option<Lexical<'r>> {
        if !self.open {
            return self.known();
        }
        self.text.rsplit_once('/').map(|(directory, _)| match directory {
            "" if self.from != From::Home => self.read("/"),
            _ => self.read(directory),
        })
    }

    /// The path with backslashes read as slashes, where all of the word is known and that is another one.
    pub(super) fn slashed(&self) -> Option<Lexical<'r>> {
        let both = has(self.text, b'\\') && self.known().is_some_and(|path| !path.is_windows());
        both.then(|| Lexical::read_slashed(self.text))
    }

    /// Whether it goes on at run time.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The path without trailing names that only stand for all that lies in it.
    pub(super) fn without_globs(&self) -> Option<Lexical<'r>> {
        const ALL: &str = " * ?* .* .?* .[!.]* [!.]*";
        self.known()?;
        let mut text = self.text;
        loop {
            let (directory, last) = text.rsplit_once('/').unwrap_or(("", text));
            if text.is_empty() || !is_one_of(ALL, last) {
                break;
            }
            if directory.is_empty() && text.starts_with('/') && self.from != From::Home {
                return Some(self.read("/"));
            }
            text = directory;
        }
        Some(self.read(text))
    }

    fn read(&self, text: &'r str) -> Lexical<'r> {
        match self.from {
            From::Text if text.starts_with('~') => Lexical::read_plain(text),
            From::Text | From::Tilde => Lexical::read(text),
            From::Home => Lexical::read_below_home(text),
        }
    }
}
