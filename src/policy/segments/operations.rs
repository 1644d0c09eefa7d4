//! The file and network operations that a line stands for (`qwen-code.md` section 10).
//!
//! The reader's commands are gone through in their order, with the directory that they run in; the dialect's table says
//! what a program does with its operands and options. What is known at run time only is no operation, with two
//! exceptions that tighten: a path behind an unknown directory is kept as *unsure*, and a line with more operations
//! than are looked at says so.

use crate::order::Gather as _;
use std::borrow::Cow;

use crate::dialect::Segments;
use crate::dialect::segments::{Does, Given, Program};
use crate::host::Host;
use crate::path::{Lexical, Root};
use crate::shell::{self, Command, Context, Hang, Head, NestId, Operator, Reading, Word};
use crate::span::Span;
use crate::text;

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    /// The canonical name of the tool that it stands for.
    pub(super) tool: &'static str,
    /// What it is about.
    pub(super) target: Target,
    /// The part of the line.
    pub(super) span: Span,
}

/// What an operation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A path, in normal form.
    Path {
        /// From the root, where the directory is known at all.
        path: String,
        /// It does not depend on a directory that is known at run time only.
        sure: bool,
    },
    /// A host name.
    Host(String),
}

/// The operations of a line.
#[derive(Debug, Default)]
pub(super) struct Operations {
    pub(super) list: Vec<Operation>,
    /// There were more than are looked at.
    pub(super) overflow: bool,
}

/// Where paths start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'s> {
    pub(super) cwd: Option<&'s str>,
    pub(super) home: Option<&'s str>,
    pub(super) host: Host,
}

/// Reads the operations of a line.
pub(super) fn of(reading: &Reading<'_>, start: Start<'_>, tables: &'static Segments) -> Operations {
    let directory = Directory { path: start.cwd.unwrap_or_default().into(), known: start.cwd.is_some() };
    let mut walk = Walk {
        start,
        tables,
        scopes: vec![(None, directory)],
        programs_left: tables.most_programs,
        found: Operations::default(),
    };
    for (index, command) in reading.commands().iter().enumerate() {
        if is_seen(reading, index, tables) {
            walk.command(reading, command);
        }
    }
    walk.found
}

/// Whether the command is looked at: nothing stands before it but what is looked past.
fn is_seen(reading: &Reading<'_>, index: usize, tables: &Segments) -> bool {
    let mut texts = 0usize;
    let mut at = index;
    while let Some(command) = reading.commands().get(at) {
        let Some(parent) = command.parent else { return true };
        let name = reading.commands().get(parent).and_then(Command::name).unwrap_or_default();
        let past = match (command.hang, command.context) {
            (Hang::Behind, Context::Wrapper) => tables.looked_past.has(name),
            (Hang::Behind, Context::ShellText) => {
                texts = texts.saturating_add(1);
                shell::is_shell(name) && texts <= tables.text_depth
            }
            (Hang::Behind, _) => false,
            (Hang::Inside | Hang::Free, _) => true,
        };
        if !past || parent >= at {
            return past;
        }
        at = parent;
    }
    true
}

#[derive(Clone, Debug)]
struct Directory {
    path: String,
    /// Otherwise it is the last one that was known.
    known: bool,
}

/// An argument of a program.
#[derive(Clone, Debug)]
struct Argument<'w> {
    /// None where it is known at run time only.
    text: Option<Cow<'w, str>>,
    /// It begins with an unquoted `~`.
    tilde: bool,
    span: Span,
}

impl<'w> Argument<'w> {
    fn of(word: &'w Word<'_>) -> Self {
        Self { text: word.value().map(Cow::Borrowed), tilde: word.head() == Head::Tilde, span: word.span() }
    }

    fn part<'p>(&self, text: &'p str) -> Argument<'p> {
        Argument { text: Some(Cow::Borrowed(text)), tilde: text.starts_with('~'), span: self.span }
    }

    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

struct Walk<'s> {
    start: Start<'s>,
    tables: &'static Segments,
    /// The directory in the line and in each nest that has its own.
    scopes: Vec<(Option<NestId>, Directory)>,
    programs_left: usize,
    found: Operations,
}

impl Walk<'_> {
    fn command(&mut self, reading: &Reading<'_>, command: &Command<'_>) {
        let scope = scope(reading, command.nest);
        let directory = self.directory(reading, scope);
        let arguments: Vec<Argument<'_>> = command.words.iter().map(Argument::of).gather();
        let name = command.name().unwrap_or_default();
        if self.tables.movers.has(name) && command.hang != Hang::Behind {
            let alone = !reading.commands().iter().any(|other| {
                other.pipe.pipeline == command.pipe.pipeline && other.pipe.element != command.pipe.element
            });
            if alone && !command.background {
                self.move_to(arguments.get(1..).unwrap_or_default(), scope, name);
            }
        } else {
            self.program(&arguments, &directory, 0);
        }
        for redirect in &command.redirects {
            let file = Argument::of(&redirect.target);
            let Argument { span, .. } = file;
            if matches!(redirect.operator, Operator::Read | Operator::ReadWrite | Operator::ReadCopy) {
                self.push(self.tables.virtual_tools.read, &file, &directory, span);
            }
            if redirect.operator.writes() {
                self.push(self.tables.virtual_tools.write, &file, &directory, span);
            }
        }
    }

    /// The directory of a nest; a nest starts in that of the nest around it.
    fn directory(&mut self, reading: &Reading<'_>, nest: Option<NestId>) -> Directory {
        if let Some((_, own)) = self.scopes.iter().find(|(known, _)| *known == nest) {
            return own.clone();
        }
        let outer = nest.and_then(|nest| reading.nest(nest)?.outer).and_then(|outer| scope(reading, outer));
        let directory = self.directory(reading, outer.filter(|outer| Some(*outer) != nest));
        self.scopes.push((nest, directory.clone()));
        directory
    }

    /// `cd` and `pushd`.
    fn move_to(&mut self, arguments: &[Argument<'_>], scope: Option<NestId>, name: &str) {
        let is_option = |text: &str| {
            text.len() > 1 && text.starts_with('-') && !text.contains(|c: char| c.is_ascii_digit())
        };
        let operand = arguments.iter().find(|argument| !is_option(argument.text()));
        let home = || Argument { text: Some("~".into()), tilde: true, span: Span::new(0, 0) };
        let to = match operand {
            None if name == "cd" => self.resolve(&home(), &Directory { path: String::new(), known: false }),
            None => None,
            Some(operand) if operand.text().starts_with(['-', '+']) => None,
            Some(operand) => {
                let Some((_, from)) = self.scopes.iter().find(|(known, _)| *known == scope) else { return };
                let from = from.clone();
                self.resolve(operand, &from)
            }
        };
        let Some((_, directory)) = self.scopes.iter_mut().find(|(known, _)| *known == scope) else { return };
        match to {
            Some((path, true)) => *directory = Directory { path, known: true },
            _ => directory.known = false,
        }
    }

    /// The path that an argument names, and whether it is sure; none where it is known at run time only.
    fn resolve(&self, argument: &Argument<'_>, directory: &Directory) -> Option<(String, bool)> {
        let text = argument.text.as_deref().filter(|text| !text.is_empty())?;
        let written = if text.starts_with('~') && !argument.tilde {
            Lexical::read_plain(text)
        } else {
            Lexical::read(text)
        };
        match written.root() {
            Root::Relative => {
                let from = Lexical::read(&directory.path);
                Some((written.from(&from).text(), directory.known))
            }
            Root::Home => {
                let home = Lexical::read(self.start.home.filter(|home| !home.is_empty())?);
                let path = written.at_home(&home);
                (path.root() != Root::Home).then(|| (path.text(), true))
            }
            Root::Absolute | Root::Drive | Root::Share => Some((written.text(), true)),
        }
    }

    fn push(&mut self, tool: &'static str, argument: &Argument<'_>, directory: &Directory, span: Span) {
        let text = argument.text();
        if text.bytes().all(|byte| byte.is_ascii_digit()) || text == "-" {
            return;
        }
        let Some((path, sure)) = self.resolve(argument, directory) else { return };
        let is_none = |none: &&str| path == *none || (none.ends_with('/') && path.starts_with(none));
        if !self.tables.no_files.iter().any(is_none) {
            self.add(Operation { tool, target: Target::Path { path, sure }, span });
        }
    }

    fn fetch(&mut self, argument: &Argument<'_>) {
        let text = argument.text();
        let scheme = text::split_once(text, "://").map(|(scheme, _)| scheme);
        let known = scheme.is_some_and(|scheme| {
            !scheme.is_empty()
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        });
        if let Some(host) = self.start.host.of_url(text).filter(|_| known) {
            let tool = self.tables.virtual_tools.fetch;
            self.add(Operation { tool, target: Target::Host(host), span: argument.span });
        }
    }

    fn add(&mut self, operation: Operation) {
        let same = |own: &Operation| own.tool == operation.tool && own.target == operation.target;
        if self.found.list.len() >= self.tables.most_operations {
            self.found.overflow = true;
        } else if !self.found.list.iter().any(same) {
            self.found.list.push(operation);
        }
    }

    /// What a command does, `depth` commands of `find` deep.
    fn program(&mut self, words: &[Argument<'_>], directory: &Directory, depth: usize) {
        let Some((name, arguments)) = words.split_first() else { return };
        let Some(left) = self.programs_left.checked_sub(1) else {
            self.found.overflow = true;
            return;
        };
        self.programs_left = left;
        let name = name.text().rsplit('/').next().unwrap_or_default();
        if self.tables.shifted.has(name) && depth < self.tables.text_depth {
            let skipped = arguments.iter().take_while(|argument| argument.text().starts_with('-')).count();
            let rest = arguments.get(skipped..).unwrap_or_default();
            return self.program(rest, directory, depth.saturating_add(1));
        }
        let programs = self.tables.programs;
        let Some(program) = programs.iter().find(|program| program.names.has(name)) else { return };
        if program.does == Does::Finds {
            return self.find(arguments, directory, depth);
        }
        let taken = self.take_options(program, arguments, directory);
        self.operands(program, &taken, directory);
    }

    fn take_options<'w>(
        &mut self,
        program: &Program,
        arguments: &'w [Argument<'w>],
        directory: &Directory,
    ) -> Taken<'w> {
        let mut taken = Taken::default();
        let mut rest = arguments.iter();
        let mut options_end = false;
        while let Some(argument) = rest.next() {
            let text = argument.text();
            if options_end || text.len() < 2 || !text.starts_with('-') {
                taken.operands.push(argument.clone());
            } else if text == "--" {
                options_end = true;
            } else if text.starts_with("--") {
                let (name, value) =
                    text.split_once(['=']).map_or((text, None), |(name, value)| (name, Some(value)));
                if let Some(given) = given(program, name) {
                    let value = match value {
                        Some(value) => Some(argument.part(value)),
                        None if given.takes_value() => rest.next().cloned(),
                        None => None,
                    };
                    self.option(given, value, &mut taken, directory);
                }
            } else {
                for (at, letter) in text.char_indices().skip(1) {
                    let Some(given) = given_letter(program, letter) else { continue };
                    let behind = text.get(at.saturating_add(letter.len_utf8())..).unwrap_or_default();
                    let value = match behind {
                        _ if !given.takes_value() => None,
                        "" => rest.next().cloned(),
                        behind => Some(argument.part(behind)),
                    };
                    self.option(given, value, &mut taken, directory);
                    if given != Given::Recursive {
                        break;
                    }
                }
            }
        }
        taken
    }

    fn option<'w>(
        &mut self,
        given: Given,
        value: Option<Argument<'w>>,
        taken: &mut Taken<'w>,
        directory: &Directory,
    ) {
        let tools = &self.tables.virtual_tools;
        match (given, value) {
            (Given::InPlace, _) => taken.in_place = true,
            (Given::Recursive, _) => taken.recursive = true,
            (Given::Script, _) => taken.script = true,
            (Given::Target, value) => taken.target = value,
            (Given::Read, Some(file)) => self.push(tools.read, &file, directory, file.span),
            (Given::ScriptFile, file) => {
                taken.script = true;
                if let Some(file) = file {
                    self.push(tools.read, &file, directory, file.span);
                }
            }
            (Given::Written, Some(file)) => self.push(tools.write, &file, directory, file.span),
            (Given::Url, Some(url)) => self.fetch(&url),
            (Given::Value | Given::Read | Given::Written | Given::Url, _) => {}
        }
    }

    fn operands(&mut self, program: &Program, taken: &Taken<'_>, directory: &Directory) {
        let tools = &self.tables.virtual_tools;
        let operands = taken.operands.as_slice();
        let behind_first = operands.get(usize::from(!taken.script)..).unwrap_or_default();
        let (tool, files) = match program.does {
            Does::Reads => (tools.read, operands),
            Does::ReadsBehindFirst if taken.in_place => (tools.edit, behind_first),
            Does::ReadsBehindFirst if taken.recursive => (tools.list, behind_first),
            Does::ReadsBehindFirst => (tools.read, behind_first),
            Does::Lists => (tools.list, operands),
            Does::Edits => (tools.edit, operands),
            Does::EditsBehindFirst => (tools.edit, operands.get(1..).unwrap_or_default()),
            Does::Writes => (tools.write, operands),
            Does::Copies => return self.put(tools.read, taken, directory),
            Does::Moves => return self.put(tools.edit, taken, directory),
            Does::Fetches => return operands.iter().for_each(|operand| self.fetch(operand)),
            Does::Pairs => {
                for operand in operands {
                    let pair = [("if=", tools.read), ("of=", tools.write)];
                    for (name, tool) in pair {
                        if let Some(file) = operand.text().strip_prefix(name) {
                            self.push(tool, &operand.part(file), directory, operand.span);
                        }
                    }
                }
                return;
            }
            Does::Finds => return,
        };
        if tool == tools.list && files.is_empty() {
            self.here(directory, Span::new(0, 0));
        }
        for file in files {
            self.push(tool, file, directory, file.span);
        }
    }

    /// Lists the directory itself.
    fn here(&mut self, directory: &Directory, span: Span) {
        let here = Argument { text: Some(".".into()), tilde: false, span };
        self.push(self.tables.virtual_tools.list, &here, directory, span);
    }

    /// Sources and where they are put.
    fn put(&mut self, source_tool: &'static str, taken: &Taken<'_>, directory: &Directory) {
        let write = self.tables.virtual_tools.write;
        let (target, sources) = match (&taken.target, taken.operands.split_last()) {
            (Some(target), _) => (target, taken.operands.as_slice()),
            (None, Some((target, sources))) if !sources.is_empty() => (target, sources),
            _ => return,
        };
        for source in sources {
            self.push(source_tool, source, directory, source.span);
        }
        let inside = taken.target.is_some()
            || sources.len() > 1
            || target.text().ends_with('/')
            || matches!(target.text(), "." | "..");
        if !inside {
            return self.push(write, target, directory, target.span);
        }
        for source in sources {
            let name = source.text().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            if let Some(directory_text) = target.text.as_deref().filter(|_| !name.is_empty()) {
                let path =
                    Argument { text: Some([directory_text, "/", name].concat().into()), ..target.clone() };
                self.push(write, &path, directory, target.span);
            }
        }
    }

    fn find(&mut self, arguments: &[Argument<'_>], directory: &Directory, depth: usize) {
        /// Starting points that a command is tried below.
        const MOST: usize = 16;
        let is_follow = |argument: &&Argument<'_>| matches!(argument.text(), "-H" | "-L" | "-P");
        let skipped = arguments.iter().take_while(is_follow).count();
        let rest = arguments.get(skipped..).unwrap_or_default();
        let is_start = |argument: &&Argument<'_>| !argument.text().starts_with(['-', '(', '!', ')']);
        let count = rest.iter().take_while(is_start).count();
        let (starts, expressions) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        if starts.is_empty() {
            self.here(directory, Span::new(0, 0));
        }
        for start in starts {
            self.push(self.tables.virtual_tools.list, start, directory, start.span);
        }
        let names: Vec<String> =
            starts.iter().filter_map(|start| start.text.as_deref().map(Into::into)).gather();
        let names = if starts.is_empty() { vec![".".into()] } else { names };
        self.found.overflow |= names.len() > MOST;
        let mut rest = expressions;
        while let Some(place) = rest.iter().position(|argument| RUNS.contains(&argument.text())) {
            let behind = rest.get(place.saturating_add(1)..).unwrap_or_default();
            let ends = |argument: &Argument<'_>| matches!(argument.text(), ";" | "+");
            let length = behind.iter().position(ends).unwrap_or(behind.len());
            let (command, after) = behind.split_at_checked(length).unwrap_or((behind, &[]));
            rest = after;
            if depth >= self.tables.text_depth {
                self.found.overflow = true;
                return;
            }
            for name in names.iter().take(MOST) {
                if self.found.overflow && self.programs_left == 0 {
                    return;
                }
                let below: Vec<Argument<'_>> = command.iter().map(|argument| below(argument, name)).gather();
                self.program(&below, directory, depth.saturating_add(1));
            }
        }
    }
}

/// Expressions of `find` that run a command.
const RUNS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// An argument in which `{}` stands for something below a starting point.
fn below<'w>(argument: &Argument<'w>, start: &str) -> Argument<'w> {
    match argument.text.as_deref().and_then(|text| text::split_once(text, "{}")) {
        Some((before, after)) => {
            let tilde = before.is_empty() && start.starts_with('~');
            let text = [before, start, "/{}", after].concat();
            Argument { text: Some(text.into()), tilde, span: argument.span }
        }
        None => argument.clone(),
    }
}

/// What the options of a program left.
#[derive(Default)]
struct Taken<'w> {
    operands: Vec<Argument<'w>>,
    target: Option<Argument<'w>>,
    /// A script was given by an option.
    script: bool,
    in_place: bool,
    recursive: bool,
}

fn given(program: &Program, name: &str) -> Option<Given> {
    program.options.iter().find(|(options, _)| options.has(name)).map(|(_, given)| *given)
}

fn given_letter(program: &Program, letter: char) -> Option<Given> {
    let mut name = String::from("-");
    name.push(letter);
    given(program, &name)
}

/// The innermost nest that has a directory of its own; none for that of the line.
fn scope(reading: &Reading<'_>, nest: NestId) -> Option<NestId> {
    let own = |context: Context| {
        matches!(
            context,
            Context::Subshell | Context::Substitution | Context::ProcessSubstitution | Context::ShellText
        )
    };
    reading.nests_around(nest).find(|(_, nest)| own(nest.context)).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Engine, QWEN_CODE_0_24};

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let Engine::Segments(tables) = QWEN_CODE_0_24.engine else { panic!("another engine") };
        let host = Host { url_hostname: |url| Some(url.split('/').nth(2)?.into()), ..Host::ASCII };
        let start = Start { cwd: Some("/w"), home: Some("/home/u"), host };
        let found = of(&shell::read(line), start, tables);
        let short = |operation: &Operation| match &operation.target {
            Target::Path { path, sure } => {
                [operation.tool, " ", path, if *sure { "" } else { " ?" }].concat()
            }
            Target::Host(host) => [operation.tool, " ", host].concat(),
        };
        assert_eq!(found.list.iter().map(short).collect::<Vec<_>>(), expected, "{line:?}");
    }

    #[test]
    fn programs() {
        check("cat a -n 5 - /dev/null", &["read_file /w/a"]);
        check("sed -i.bak s/a/b/ f", &["edit /w/f"]);
        check("sed -n -e p f", &["read_file /w/f"]);
        check("grep p f", &["read_file /w/f"]);
        check("grep -f q f", &["read_file /w/q", "read_file /w/f"]);
        check("grep -rn p", &["list_directory /w"]);
        check("ls", &["list_directory /w"]);
        check("cp a b", &["read_file /w/a", "write_file /w/b"]);
        check("cp -t d x/a", &["read_file /w/x/a", "write_file /w/d/a"]);
        check("mv a b d", &["edit /w/a", "edit /w/b", "write_file /w/d/a", "write_file /w/d/b"]);
        check("dd if=a of=b", &["read_file /w/a", "write_file /w/b"]);
        check("chmod 644 a", &["edit /w/a"]);
        check("sort -o o i", &["write_file /w/o", "read_file /w/i"]);
        check("curl -of https://h.com/x", &["write_file /w/f", "web_fetch h.com"]);
        check("curl h.com", &[]);
        check("tar xf a; xargs cat; git diff; eval 'cat a'", &[]);
    }

    #[test]
    fn redirects_and_wrappers() {
        check("x < a >> b 2> c", &["read_file /w/a", "write_file /w/b", "write_file /w/c"]);
        check("x > /dev/tcp/h/1 2>&1", &[]);
        check("sudo -u bob cat a", &["read_file /w/a"]);
        check("unbuffer -p cat a", &["read_file /w/a"]);
        check("bash -lc 'cat a'", &["read_file /w/a"]);
        check("cat <<E\ncat a\nE", &[]);
        check("cat $X ~/x '~/y'", &["read_file /home/u/x", "read_file /w/~/y"]);
        check("find src -exec cat {} \\;", &["list_directory /w/src", "read_file /w/src/{}"]);
    }

    #[test]
    fn directories() {
        check("cd d && cat a", &["read_file /w/d/a"]);
        check("(cd d; cat a); cat b", &["read_file /w/d/a", "read_file /w/b"]);
        check("cd d & cat a", &["read_file /w/a"]);
        check("cd d | cat a", &["read_file /w/a"]);
        check("cd \"$X\"; cat a /b", &["read_file /w/a ?", "read_file /b"]);
        check("cd $X; cd /d; cat a", &["read_file /d/a"]);
        check("cd; cat a", &["read_file /home/u/a"]);
        check("pushd d; cat a", &["read_file /w/d/a"]);
    }
}
