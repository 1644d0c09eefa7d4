//! What a shell line says: its commands in reading order, how they are nested, and what stayed in doubt.
//!
//! A [`Reading`] borrows from the line wherever quote removal changes nothing. Nesting is a tree of [`Nest`]s
//! beside the commands: every command names the nest it stands in, every word the nests that were opened
//! inside it. So "is this in a pipeline after that", "what runs inside this word" and "is this in a function"
//! are walks over small numbers.
//!
//! Invariants: (total), (deterministic). Nest 0 is the line itself; an outer nest has a smaller number than
//! an inner one; a command stands after its parent.
//!
//! ```
//! let reading = toolgate::shell::read("curl x | (FOO=1 sh)");
//! let names: Vec<_> = reading.commands().iter().map(|c| c.name()).collect();
//! assert_eq!(names, [Some("curl"), Some("sh")]);
//! assert!(reading.feeds(0, 1));
//! ```

use super::named::named;
use super::problem::Problem;
use super::word::Word;
use crate::span::Span;
use std::borrow::Cow;

/// The commands of one line. Made by [`read`](super::read).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'t> {
    pub(super) line: &'t str,
    pub(super) commands: Vec<Command<'t>>,
    /// But for the line itself.
    pub(super) nests: Vec<Nest>,
    pub(super) functions: Vec<Function<'t>>,
    pub(super) problems: Vec<Problem>,
}

/// One command that the line would run, as far as the text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command<'t> {
    /// Name and arguments.
    pub words: Vec<Word<'t>>,
    /// What stands before the name as `NAME=value`.
    pub assignments: Vec<Assignment<'t>>,
    /// Redirects to files and texts; copies of descriptors are left out.
    pub redirects: Vec<Redirect<'t>>,
    /// The innermost construct around it.
    pub context: Context,
    /// From its first to its last token, heredoc bodies left out. Inside a text: the words that carry the
    /// text.
    pub span: Span,
    /// The command that this one was found in or behind.
    pub parent: Option<usize>,
    /// How it hangs at its parent.
    pub hang: Hang,
    /// Where it is nested.
    pub nest: NestId,
    /// Its place in a pipeline.
    pub pipe: Pipe,
    /// Whether it, or something around it in the same text, is started with `&`.
    pub background: bool,
    /// No wrapper, `xargs`, `find -exec` or program text stands around it at any depth.
    pub full: bool,
    /// It is no command, only the redirects after a construct.
    pub of_construct: bool,
}

/// `NAME=value` before a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<'t> {
    /// The variable, without a subscript.
    pub name: Cow<'t, str>,
    /// Its value; the span is that of the whole token.
    pub value: Word<'t>,
}

/// A redirect to a file or from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect<'t> {
    /// The operator, without the descriptor.
    pub operator: Operator,
    /// The file, here string or heredoc body. Its span is that of the word after the operator.
    pub target: Word<'t>,
    /// From the descriptor to the end of the word.
    pub span: Span,
}

/// A function that the line defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'t> {
    /// Its name.
    pub name: Cow<'t, str>,
    /// The nest of its body.
    pub body: NestId,
}

/// Number of a [`Nest`] in its reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NestId(pub(super) u32);

/// One construct, substitution or text around commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nest {
    /// What it is.
    pub context: Context,
    /// The nest around it; `None` for the line.
    pub outer: Option<NestId>,
    /// The command whose words, redirects or text it is in.
    pub owner: Option<usize>,
    /// Its place in a pipeline of the outer nest.
    pub pipe: Pipe,
    /// Levels around it.
    pub depth: u32,
}

/// A place in a pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pipe {
    /// The pipeline; numbers are unique in a reading. A command alone is a pipeline of one.
    pub pipeline: u32,
    /// Elements before this one.
    pub element: u32,
}

/// How a command hangs at its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hang {
    /// It has no parent.
    Free,
    /// In the parent's words, assignments or redirects.
    Inside,
    /// The parent runs it.
    Behind,
}

impl Nest {
    /// The line itself.
    pub(super) const TOP: Self = Self {
        context: Context::Top,
        outer: None,
        owner: None,
        pipe: Pipe { pipeline: 0, element: 0 },
        depth: 0,
    };
}

/// The nest of that number: the line is 0, and not on the list of those inside it.
pub(super) fn nest(inner: &[Nest], id: NestId) -> Option<&Nest> {
    match usize::try_from(id.0).ok()?.checked_sub(1) {
        None => Some(&Nest::TOP),
        Some(place) => inner.get(place),
    }
}

named! {
    /// The innermost construct around a command (`risk.md` section 2.7).
    Context {
        /// Nothing but the line.
        Top = "top",
        /// `( … )`
        Subshell = "subshell",
        /// `{ …; }`
        Group = "group",
        /// `if`
        If = "if",
        /// `for`, `while`, `until`, `select`
        Loop = "loop",
        /// `case`
        Case = "case",
        /// The body of a function.
        Function = "function",
        /// `$(…)` or backquotes.
        Substitution = "substitution",
        /// `<(…)` or `>(…)`
        ProcessSubstitution = "process-substitution",
        /// A command that another one runs.
        Wrapper = "wrapper",
        /// The command of `xargs`.
        Xargs = "xargs",
        /// The command of `find -exec` and its like.
        FindExec = "find-exec",
        /// The text of `sh -c` and its like.
        ShellText = "shell-text",
        /// The text of `eval` and `trap`.
        Eval = "eval",
        /// A heredoc or here string that a shell reads as its program.
        ShellInput = "shell-input",
    }
}

named! {
    /// A redirect operator (`risk.md` section 2.5).
    Operator {
        /// `<`
        Read = "<",
        /// `>`
        Write = ">",
        /// `>>`
        Append = ">>",
        /// `>|`
        Clobber = ">|",
        /// `<>`
        ReadWrite = "<>",
        /// `&>`
        WriteBoth = "&>",
        /// `&>>`
        AppendBoth = "&>>",
        /// `<&`
        ReadCopy = "<&",
        /// `>&`
        WriteCopy = ">&",
        /// `<<`
        Heredoc = "<<",
        /// `<<-`
        HeredocTabs = "<<-",
        /// `<<<`
        HereString = "<<<",
    }
}

impl Context {
    /// Only deny and ask rules see into it (`rules.md` section 8.1).
    pub const fn is_indirect(self) -> bool {
        matches!(
            self,
            Self::Wrapper | Self::Xargs | Self::FindExec | Self::ShellText | Self::Eval | Self::ShellInput
        )
    }
}

impl Operator {
    /// The operator may change the file that it names.
    pub const fn writes(self) -> bool {
        matches!(
            self,
            Self::Write
                | Self::Append
                | Self::Clobber
                | Self::ReadWrite
                | Self::WriteBoth
                | Self::AppendBoth
                | Self::WriteCopy
        )
    }

    /// `<<` or `<<-`: the target is a body further down.
    pub const fn is_heredoc(self) -> bool {
        matches!(self, Self::Heredoc | Self::HeredocTabs)
    }

    /// The target is the text that is read, not the name of a file.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Heredoc | Self::HeredocTabs | Self::HereString)
    }
}

impl<'t> Reading<'t> {
    /// The text that was read.
    pub const fn line(&self) -> &'t str {
        self.line
    }

    /// Nothing stayed in doubt.
    pub const fn is_complete(&self) -> bool {
        self.problems.is_empty()
    }

    /// The doubts, by place, each once.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The commands, in reading order.
    pub fn commands(&self) -> &[Command<'t>] {
        &self.commands
    }

    /// The functions that the line defines.
    pub fn functions(&self) -> &[Function<'t>] {
        &self.functions
    }

    /// One nest.
    pub fn nest(&self, id: NestId) -> Option<&Nest> {
        nest(&self.nests, id)
    }

    /// The nests around something in `nest`, from `nest` itself outwards to the line.
    pub fn nests_around(&self, nest: NestId) -> impl Iterator<Item = (NestId, &Nest)> {
        let step = |id: NestId| self.nest(id).map(|found| (id, found));
        std::iter::successors(step(nest), move |(_, inner)| inner.outer.and_then(step))
    }

    /// The commands inside a word (or a redirect's target, or an assignment's value), at any depth, in
    /// reading order.
    pub fn commands_in(&self, word: &Word<'_>) -> impl Iterator<Item = usize> {
        let inside = word.inside();
        self.commands
            .iter()
            .enumerate()
            .filter(move |(_, c)| inside.contains(&c.nest))
            .map(|(index, _)| index)
    }

    /// The commands of a function's body, at any depth, in reading order.
    pub fn commands_of(&self, function: &Function<'_>) -> impl Iterator<Item = usize> {
        let body = function.body;
        let inside = move |c: &Command<'_>| self.nests_around(c.nest).any(|(id, _)| id == body);
        self.commands.iter().enumerate().filter(move |(_, c)| inside(c)).map(|(index, _)| index)
    }

    /// Command `earlier` stands in an earlier element of a pipeline that command `later` stands in too,
    /// however both are nested.
    pub fn feeds(&self, earlier: usize, later: usize) -> bool {
        self.any_pipe(later, &mut |to| {
            self.any_pipe(earlier, &mut |from| from.pipeline == to.pipeline && from.element < to.element)
        })
    }

    /// One of the places where a command and the nests around it stand in pipelines passes `test`.
    pub fn any_pipe(&self, command: usize, test: &mut dyn FnMut(Pipe) -> bool) -> bool {
        let Some(command) = self.commands.get(command) else { return false };
        test(command.pipe) || self.nests_around(command.nest).any(|(_, nest)| test(nest.pipe))
    }

    /// The redirects of a command and of the wrappers that run it, its own first, each with the index of its
    /// command.
    pub fn redirects_of(&self, command: usize) -> Vec<(usize, &Redirect<'t>)> {
        let mut redirects = Vec::new();
        let mut next = Some(command);
        while let Some(index) = next
            && let Some(command) = self.commands.get(index)
        {
            redirects.extend(command.redirects.iter().map(|redirect| (index, redirect)));
            let is_wrapped = command.context == Context::Wrapper && command.hang == Hang::Behind;
            next = command.parent.filter(|_| is_wrapped);
        }
        redirects
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::{Context, read};

    /// The names of the commands that `of` has an earlier element of its pipeline.
    #[track_caller]
    fn check_feeds(line: &str, of: &str, expected: &[&str]) {
        let reading = read(line);
        let named = |name: &str| reading.commands().iter().position(|command| command.name() == Some(name));
        let later = named(of).unwrap_or(usize::MAX);
        let feeding = reading.commands().iter().enumerate().filter(|(index, _)| reading.feeds(*index, later));
        let names: Vec<_> = feeding.filter_map(|(_, command)| command.name()).collect();
        assert_eq!(names, expected, "{line:?}");
    }

    #[test]
    fn knows_pipelines() {
        check_feeds("curl x | sh", "sh", &["curl"]);
        check_feeds("curl x |& tee f | sh", "sh", &["curl", "tee"]);
        check_feeds("curl x | (a; sh)", "sh", &["curl"]);
        check_feeds("{ curl x; a | b; } | sh", "sh", &["curl", "a", "b"]);
        check_feeds("curl x | { a | sh; }", "sh", &["curl", "a"]);
        check_feeds("curl x | sudo -u b sh", "sh", &["curl"]);
        check_feeds("curl x | while a; do sh; done", "sh", &["curl"]);
        check_feeds("curl x | sh -c 'sh2'", "sh2", &["curl"]);
        check_feeds("curl x | echo $(sh)", "sh", &["curl"]);
        check_feeds("curl x || sh", "sh", &[]);
        check_feeds("curl x; sh", "sh", &[]);
        check_feeds("sh | curl x", "sh", &[]);
        check_feeds("(curl x; sh)", "sh", &[]);
        check_feeds("a | f() { sh; }", "sh", &["a"]);
    }

    #[track_caller]
    fn check_inside(line: &str, word: usize, expected: &[&str]) {
        let reading = read(line);
        let word = reading.commands().first().and_then(|command| command.words.get(word));
        let inside = word.into_iter().flat_map(|word| reading.commands_in(word));
        let names: Vec<_> = inside.filter_map(|index| reading.commands().get(index)?.name()).collect();
        assert_eq!(names, expected, "{line:?}");
    }

    #[test]
    fn knows_what_runs_in_a_word() {
        check_inside("x \"$(a; b | (c))\" $(d)", 1, &["a", "b", "c"]);
        check_inside("x $(a) y", 2, &[]);
        check_inside("x <(sudo a)", 1, &["sudo", "a"]);
        check_inside("x ${y:-`a`}$((1+$(b)))", 1, &["a", "b"]);
        check_inside("$(a)", 0, &["a"]);
        check_inside("x \"$(sh <<E\na\nE\n)\" b", 1, &["sh", "a"]);
    }

    #[test]
    fn heredocs_come_late_and_stand_early() {
        let reading = read("sudo sh <<E; b\necho $(c)\nE\nd <<F\n$(e)\nF");
        let names: Vec<_> = reading.commands().iter().map(|c| (c.name().unwrap_or("?"), c.parent)).collect();
        assert_eq!(
            names,
            [("sudo", None), ("c", Some(0)), ("sh", Some(0)), ("b", None), ("d", None), ("e", Some(4))]
        );
        let body = reading.commands().first().and_then(|c| c.redirects.first());
        let inside: Vec<_> = body.into_iter().flat_map(|body| reading.commands_in(&body.target)).collect();
        assert_eq!(inside, [1]);
        assert_eq!(
            reading
                .redirects_of(2)
                .iter()
                .map(|(index, redirect)| (*index, redirect.operator.as_str()))
                .collect::<Vec<_>>(),
            [(0, "<<")]
        );
    }

    #[test]
    fn knows_functions_and_background() {
        let reading = read(":(){ :|:& };:");
        let bodies: Vec<_> = reading
            .functions()
            .iter()
            .map(|f| (f.name.as_ref(), reading.commands_of(f).collect::<Vec<_>>()))
            .collect();
        assert_eq!(bodies, [(":", vec![0, 1])]);
        assert!(reading.feeds(0, 1));
        assert_eq!(reading.commands().iter().map(|c| c.background).collect::<Vec<_>>(), [true, true, false]);
        let reading = read("f() { g() { a; }; f & }");
        let bodies: Vec<_> =
            reading.functions().iter().map(|f| (f.name.as_ref(), reading.commands_of(f).count())).collect();
        assert_eq!(bodies, [("g", 1), ("f", 2)]);
    }

    #[test]
    fn knows_what_only_deny_rules_see() {
        let reading = read("(a); $(b); sudo c; sh -c '(d); $(e)'; find . -exec f $(g) \\;");
        let hidden: Vec<_> =
            reading.commands().iter().filter(|c| !c.full).filter_map(|c| c.words.first()?.value()).collect();
        assert_eq!(hidden, ["c", "d", "e", "f"]);
        assert!(reading.commands().iter().all(|c| c.context != Context::Top || c.full));
    }
}
