//! What a shell line runs, as rules see it (claude-code.md sections 7.1, 7.4 and 7.9).
//!
//! A *run* is one command with its words. A run that stands in the line itself is a *root*: an allow must cover it. A run
//! behind a wrapper belongs to the root that starts it; every rule, or only those that restrict, see it in the root's
//! place. Texts that a shell or `eval` would read are no runs.
//!
//! Every run knows the directories that it may run in: the working directory, moved by each `cd` before it that the
//! run is behind of. A directory that cannot be told is none.

use super::place::{Ground, Place};
use super::spelling::{Spelling, Variables, text_of};
use crate::dialect::Tiers;
use crate::dialect::tiers::{WrapperOptions, WrapperRow};
use crate::order::Gather as _;
use crate::shell::{Assignment, Command, Context, Hang, NestId, Reading, Redirect, Word};
use crate::text;

/// A read line.
#[derive(Debug)]
pub(super) struct Line<'r> {
    pub(super) reading: &'r Reading<'r>,
    pub(super) tiers: &'static Tiers,
    /// In reading order.
    pub(super) runs: Vec<Run<'r>>,
    /// The line defines functions: names may not be what they seem.
    pub(super) redefines: bool,
    /// Some command of the line may lead to another directory.
    pub(super) leaves: bool,
    home: Option<String>,
    pwd: Option<String>,
}

/// One command.
#[derive(Debug)]
pub(super) struct Run<'r> {
    /// Its number in the reading.
    pub(super) command: usize,
    /// Its name and arguments; none where it only redirects or assigns.
    pub(super) words: &'r [Word<'r>],
    pub(super) assignments: &'r [Assignment<'r>],
    pub(super) redirects: &'r [Redirect<'r>],
    /// The run that starts it, itself for a root.
    pub(super) root: usize,
    /// The run right before it on the way from its root.
    pub(super) outer: Option<usize>,
    /// Whether allow rules see it in the place of its root.
    pub(super) for_allow: bool,
    /// Where it may run; an unknown place is none.
    pub(super) directories: Vec<Option<Place>>,
    /// No `cd` stands before it.
    pub(super) at_start: bool,
}

/// Where a `cd` leads, and for whom.
struct Move {
    scope: NestId,
    to: Vec<Option<Place>>,
    /// It may not have been run.
    perhaps: bool,
}

/// More places than these are no longer told apart.
const PLACES: usize = 4;

impl<'r> Line<'r> {
    pub(super) fn new(reading: &'r Reading<'r>, tiers: &'static Tiers, ground: &Ground) -> Self {
        let assigned = |name: &str| {
            reading.commands().iter().any(|command| {
                command.assignments.iter().any(|assignment| assignment.name == name)
                    || command.words.iter().any(|word| {
                        word.literal().strip_prefix(name).is_some_and(|rest| rest.starts_with(['=']))
                    })
            })
        };
        let mut line = Self {
            reading,
            tiers,
            runs: vec![],
            redefines: !reading.functions().is_empty(),
            leaves: false,
            home: ground.home_text().filter(|_| !assigned("HOME")),
            pwd: text_of(ground.cwd.as_ref()).filter(|_| !assigned("PWD")),
        };
        let mut moves = vec![];
        for (index, command) in reading.commands().iter().enumerate() {
            line.add(index, command, ground, &mut moves);
        }
        line
    }

    fn add(&mut self, index: usize, command: &'r Command<'r>, ground: &Ground, moves: &mut Vec<Move>) {
        let Some(for_allow) = self.sight(command) else { return };
        let behind = command.hang == Hang::Behind;
        let outer = command
            .parent
            .filter(|_| behind)
            .and_then(|parent| self.runs.iter().position(|run| run.command == parent));
        if behind && outer.is_none() {
            return;
        }
        let here = self.runs.len();
        let root = outer.and_then(|outer| self.runs.get(outer)).map_or(here, |outer| outer.root);
        let (directories, at_start) = self.directories(command.nest, ground, moves);
        self.runs.push(Run {
            command: index,
            words: &command.words,
            assignments: &command.assignments,
            redirects: &command.redirects,
            root,
            outer,
            for_allow,
            directories,
            at_start,
        });
        self.follow(here, command, ground, moves);
        self.add_listed(here);
    }

    /// What a program runs that the shell reader does not list: the words behind one of its options.
    fn add_listed(&mut self, outer: usize) {
        let Some(run) = self.runs.get(outer) else { return };
        let name = run.words.first().and_then(Word::value).map(base).unwrap_or_default();
        let rows = self.tiers.never_approved.iter();
        let Some(row) = rows.filter(|row| !row.runs.is_empty()).find(|row| row.names.has(name)) else {
            return;
        };
        let runs = |word: &Word<'_>| word.value().is_some_and(|word| row.runs.has(word));
        let Some(at) = run.words.iter().position(runs) else { return };
        let words = run.words.get(at.saturating_add(1)..).unwrap_or_default();
        let end = words.iter().position(|word| word.value() == Some(";")).unwrap_or(words.len());
        let Some(words) = words.get(..end).filter(|words| !words.is_empty()) else { return };
        let (command, root) = (run.command, run.root);
        let (directories, at_start) = (run.directories.clone(), run.at_start);
        self.runs.push(Run {
            command,
            words,
            assignments: &[],
            redirects: &[],
            root,
            outer: Some(outer),
            for_allow: false,
            directories,
            at_start,
        });
    }

    /// Who sees a command: none for nobody, else whether allow rules do.
    fn sight(&self, command: &Command<'_>) -> Option<bool> {
        let mut for_allow = true;
        for (id, nest) in self.reading.nests_around(command.nest) {
            if !nest.context.is_indirect() {
                continue;
            }
            let owner = self.reading.commands().get(nest.owner?)?;
            let inner = self.reading.commands().iter().find(|inner| inner.nest == id)?;
            let row = owner.name().and_then(|name| self.wrapper(name));
            for_allow &= match (nest.context, row) {
                (Context::FindExec, _) => false,
                (Context::ShellText, Some(row)) if !row.for_allow => false,
                (Context::Wrapper | Context::Xargs, Some(row)) => {
                    let given = options(owner, inner, nest.context == Context::Xargs);
                    match row.options {
                        WrapperOptions::None if !given.is_empty() => return None,
                        WrapperOptions::AllowOnly(only) => {
                            let listed = |word: &Word<'_>| word.value().is_some_and(|word| only.has(word));
                            row.for_allow && given.iter().all(listed) && is_plain(owner, self.reading)
                        }
                        WrapperOptions::Own | WrapperOptions::None => {
                            row.for_allow && is_plain(owner, self.reading)
                        }
                    }
                }
                _ => return None,
            };
        }
        Some(for_allow)
    }

    /// The wrapper of that name.
    pub(super) fn wrapper(&self, name: &str) -> Option<&'static WrapperRow> {
        self.tiers.wrappers.iter().find(|row| row.name == name)
    }

    fn directories(&self, nest: NestId, ground: &Ground, moves: &[Move]) -> (Vec<Option<Place>>, bool) {
        let mut places = vec![ground.cwd.clone()];
        let mut at_start = true;
        for moved in moves {
            if !self.reading.nests_around(nest).any(|(id, _)| id == moved.scope) {
                continue;
            }
            at_start = false;
            if !moved.perhaps {
                places.clear();
            }
            for place in &moved.to {
                if !places.contains(place) {
                    places.push(place.clone());
                }
            }
            if places.len() > PLACES {
                places = vec![None];
            }
        }
        (places, at_start)
    }

    /// Remembers where a `cd` leads.
    fn follow(&mut self, at: usize, command: &Command<'_>, ground: &Ground, moves: &mut Vec<Move>) {
        let Some(name @ ("cd" | "pushd" | "popd")) = command.words.first().and_then(Word::value) else {
            return;
        };
        let Some(run) = self.runs.get(at) else { return };
        let mut perhaps = text::contains(self.reading.line(), "||");
        let mut scope = NestId::default();
        for (id, nest) in self.reading.nests_around(command.nest) {
            scope = id;
            match nest.context {
                Context::Group | Context::Wrapper if !self.has_siblings(nest.pipe) => {}
                Context::If | Context::Loop | Context::Case | Context::Function
                    if !self.has_siblings(nest.pipe) =>
                {
                    perhaps = true;
                }
                _ => break,
            }
        }
        let operands: Vec<&Word<'_>> = run
            .words
            .iter()
            .skip(1)
            .filter(|word| !matches!(word.value(), Some("--" | "-L" | "-P" | "-e" | "-@")))
            .gather();
        let to = match operands.as_slice() {
            [] if name == "cd" => vec![ground.home.clone()],
            [word] if name == "cd" => {
                let spelling = self.spelling(word, run);
                let lead = |from: &Option<Place>| {
                    ground.resolve(&spelling.text, from.as_ref()).filter(|_| {
                        spelling.known && !spelling.globs && !spelling.text.is_empty() && spelling.text != "-"
                    })
                };
                run.directories.iter().map(lead).gather()
            }
            _ => vec![None],
        };
        let here = |place: &Option<Place>| {
            place.as_ref().zip(ground.cwd.as_ref()).is_some_and(|(to, cwd)| to.is(cwd))
        };
        self.leaves |= !to.iter().all(here);
        // In a process of its own it moves nobody else.
        if !command.background && !self.has_siblings(command.pipe) {
            moves.push(Move { scope, to, perhaps });
        }
    }

    /// Whether a pipeline has other elements: each then runs in a process of its own.
    fn has_siblings(&self, pipe: crate::shell::Pipe) -> bool {
        let mut other =
            |own: crate::shell::Pipe| own.pipeline == pipe.pipeline && own.element != pipe.element;
        (0..self.reading.commands().len()).any(|index| self.reading.any_pipe(index, &mut other))
    }

    /// The spelling of a word of a run.
    pub(super) fn spelling(&self, word: &Word<'_>, run: &Run<'_>) -> Spelling {
        let pwd = self.pwd.as_deref().filter(|_| run.at_start);
        Spelling::of(word, self.reading, Variables { home: self.home.as_deref(), pwd })
    }

    /// The spellings of words of a run.
    pub(super) fn spellings(&self, words: &[Word<'_>], run: &Run<'_>) -> Vec<Spelling> {
        let mut spellings = vec![];
        for word in words {
            spellings.push(self.spelling(word, run));
        }
        spellings
    }

    /// The places that a rule that restricts tries for the text of a run; after a move that cannot be told the line is
    /// taken as if nothing had changed.
    pub(super) fn seen(&self, text: &str, run: &Run<'_>, ground: &Ground) -> Vec<Place> {
        let mut places = vec![];
        for directory in &run.directories {
            places.append(&mut ground.readings(text, directory.as_ref().or(ground.cwd.as_ref())));
        }
        places
    }

    /// The places that a text of a run certainly names; none where one of them is not known.
    pub(super) fn certain(&self, text: &str, run: &Run<'_>, ground: &Ground) -> Option<Vec<Place>> {
        let mut places = vec![];
        for base in &run.directories {
            places.push(ground.resolve(text, base.as_ref())?);
        }
        Some(places)
    }
}

impl Run<'_> {
    /// It stands in the line itself.
    pub(super) fn is_root(&self) -> bool {
        self.outer.is_none()
    }
}

/// What follows the last `/`.
pub(super) fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

/// The words between the name of a wrapper and the command that it runs.
fn options<'o, 'r>(owner: &'o Command<'r>, inner: &Command<'_>, placeholder: bool) -> &'o [Word<'r>] {
    let own =
        inner.words.len().saturating_sub(usize::from(placeholder)).saturating_add(inner.assignments.len());
    let end = owner.words.len().saturating_sub(own);
    owner.words.get(1..end).unwrap_or_default()
}

fn is_plain(command: &Command<'_>, reading: &Reading<'_>) -> bool {
    command.words.first().is_some_and(|name| Some(name.written(reading.line())) == name.value())
        && command.words.first().and_then(Word::value) == command.name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;
    use crate::shell;

    #[track_caller]
    fn check(line: &str, expected: &[(&str, bool, bool)]) {
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let place = |text: &str| Place::absolute(text);
        let ground = Ground { cwd: place("/r"), root: place("/r"), home: place("/h"), extra: vec![] };
        let reading = shell::read(line);
        let read = Line::new(&reading, tiers, &ground);
        let found: Vec<(String, bool, bool)> = read
            .runs
            .iter()
            .map(|run| {
                let words: Vec<&str> = run.words.iter().map(|word| word.value_or_written(line)).collect();
                (words.join(" "), run.for_allow, run.is_root())
            })
            .collect();
        let found: Vec<_> = found.iter().map(|(text, allow, root)| (text.as_str(), *allow, *root)).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn sees_what_rules_see() {
        check("timeout 5 ls a", &[("timeout 5 ls a", true, true), ("ls a", true, false)]);
        check("sudo rm x", &[("sudo rm x", true, true), ("rm x", false, false)]);
        check(
            "nohup nice -n 5 ls",
            &[("nohup nice -n 5 ls", true, true), ("nice -n 5 ls", true, false), ("ls", true, false)],
        );
        check("sh -c 'rm x'", &[("sh -c rm x", true, true)]);
        check("xargs -n1 rm", &[("xargs -n1 rm", true, true)]);
        check("xargs rm", &[("xargs rm", true, true), ("rm ", true, false)]);
        check("watch 'rm x'", &[("watch rm x", true, true), ("rm x", false, false)]);
        check("fd a -x rm b", &[("fd a -x rm b", true, true), ("rm b", false, false)]);
        check("echo $(rm x)", &[("echo $(rm x)", true, true), ("rm x", true, true)]);
        check("exec rm x", &[("exec rm x", true, true)]);
    }

    #[track_caller]
    fn runs_in(line: &str, last: &[Option<&str>]) {
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let place = |text: &str| Place::absolute(text);
        let ground = Ground { cwd: place("/r"), root: place("/r"), home: place("/h"), extra: vec![] };
        let reading = shell::read(line);
        let read = Line::new(&reading, tiers, &ground);
        let places: Vec<Option<String>> =
            read.runs.last().unwrap().directories.iter().map(|place| text_of(place.as_ref())).collect();
        let places: Vec<Option<&str>> = places.iter().map(Option::as_deref).collect();
        assert_eq!(places, last, "{line}");
    }

    #[test]
    fn follows_cd() {
        runs_in("ls", &[Some("/r")]);
        runs_in("cd a && ls", &[Some("/r/a")]);
        runs_in("cd a; cd ../b; ls", &[Some("/r/b")]);
        runs_in("(cd a); ls", &[Some("/r")]);
        runs_in("{ cd a; }; ls", &[Some("/r/a")]);
        runs_in("cd a | ls", &[Some("/r")]);
        runs_in("cd a || ls", &[Some("/r"), Some("/r/a")]);
        runs_in("if x; then cd a; fi; ls", &[Some("/r"), Some("/r/a")]);
        runs_in("cd; ls", &[Some("/h")]);
        runs_in("cd \"$D\" && ls", &[None]);
        runs_in("(cd a; ls)", &[Some("/r/a")]);
    }
}
