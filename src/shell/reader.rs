//! Reads lists, pipelines and commands: the skeleton of a line.
//!
//! ```text
//! list     = and-or { (";" | "&" | newline) and-or } [";" | "&" | newline]
//! and-or   = pipeline { ("&&" | "||") newlines pipeline }
//! pipeline = { "!" } command { ("|" | "|&") newlines command }
//! command  = construct { redirect } | simple
//! simple   = { assignment | redirect } { word | redirect }
//! ```
//!
//! One [`Reader`] reads one text; all readers of a line write to one [`Out`]. A problem that ends a text
//! travels up as [`Stop`]; what was read before stays. Invariants: (total); every level of recursion opens a
//! level of nesting, which is bounded; no byte is read more than a bounded number of times.

use super::problem::{Problem, ProblemCode};
use super::reading::{Command, Context, Function, Hang, Nest, NestId, Pipe};
use super::redirect::Pending;
use super::source::Source;
use crate::limits;
use crate::span::Span;
use std::borrow::Cow;

/// The text cannot be read on.
#[derive(Debug)]
pub(super) struct Stop;

/// A step that may end the text.
pub(super) type Read<T> = Result<T, Stop>;

/// What all readers of a line write.
#[derive(Debug)]
pub(super) struct Out<'t> {
    pub(super) commands: Vec<Command<'t>>,
    pub(super) nests: Vec<Nest>,
    pub(super) functions: Vec<Function<'t>>,
    pub(super) problems: Vec<Problem>,
    pub(super) pipelines: u32,
    /// Words that brace expansion has made.
    pub(super) braced: usize,
    /// Some command was added after a later one, because a heredoc body comes late.
    pub(super) unordered: bool,
}

/// Where a reader is nested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) nest: NestId,
    pub(super) context: Context,
    pub(super) owner: Option<usize>,
    pub(super) hang: Hang,
    pub(super) pipe: Pipe,
    pub(super) depth: usize,
    pub(super) full: bool,
    pub(super) background: bool,
}

/// Reads one text.
#[derive(Debug)]
pub(super) struct Reader<'t, 'a, 'o> {
    pub(super) src: Source<'t, 'a>,
    pub(super) pos: usize,
    pub(super) out: &'o mut Out<'t>,
    pub(super) level: Level,
    /// The command whose words are being read.
    pub(super) current: Option<usize>,
    /// Heredocs whose bodies have not come yet.
    pub(super) pending: Vec<Pending<'a>>,
    /// Commands whose followers wait for heredoc bodies.
    pub(super) waiting: Vec<usize>,
    /// Run-time pieces of the words under way, innermost word last.
    pub(super) holes: Vec<Hole>,
    /// Where the innermost substitution's list begins; there `time` is no reserved word before a construct.
    pub(super) fresh: usize,
    /// A hidden character outside quotes has been found.
    pub(super) hidden: bool,
    /// How many words to make room for in the next command.
    pub(super) room: usize,
}

/// Source of a run-time piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) home: bool,
}

/// What a list came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    /// The end of the text.
    Text,
    /// `)`
    Paren,
    /// `;;`, `;&` or `;;&`
    Break,
    /// A reserved word that closes or continues a construct.
    Word(&'static str),
}

/// A closer and its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub(super) closer: Closer,
    pub(super) start: usize,
    pub(super) end: usize,
    /// No command stood before it.
    pub(super) empty: bool,
}

/// Words that most commands have at most.
pub(super) const WORDS: usize = 8;

/// Reserved words that end a list.
const CLOSERS: [&str; 8] = ["then", "do", "done", "fi", "elif", "else", "esac", "}"];

impl<'t> Out<'t> {
    pub(super) fn new() -> Self {
        Self {
            commands: Vec::new(),
            nests: Vec::new(),
            functions: Vec::new(),
            problems: Vec::new(),
            pipelines: 0,
            braced: 0,
            unordered: false,
        }
    }

    pub(super) fn problem(&mut self, code: ProblemCode, span: Span) {
        self.problems.push(Problem { span, code });
    }

    pub(super) fn command(&mut self, index: usize) -> Option<&mut Command<'t>> {
        self.commands.get_mut(index)
    }

    pub(super) fn next_nest(&self) -> NestId {
        NestId(u32::try_from(self.nests.len()).unwrap_or(u32::MAX).saturating_add(1))
    }

    /// A new, empty command at `level`; a stop past the limit.
    pub(super) fn begin(&mut self, level: &Level, span: Span) -> Read<usize> {
        let index = self.commands.len();
        if index >= limits::SHELL_COMMANDS {
            self.problem(ProblemCode::TooManyCommands, span);
            return Err(Stop);
        }
        if index == 0 {
            self.commands.reserve(2);
        }
        self.commands.push(Command {
            words: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            context: level.context,
            span,
            parent: level.owner,
            hang: if level.owner.is_some() { level.hang } else { Hang::Free },
            nest: level.nest,
            pipe: level.pipe,
            background: level.background,
            full: level.full,
            of_construct: false,
        });
        Ok(index)
    }
}

impl Level {
    pub(super) const TOP: Self = Self {
        nest: NestId(0),
        context: Context::Top,
        owner: None,
        hang: Hang::Free,
        pipe: Pipe { pipeline: 0, element: 0 },
        depth: 0,
        full: true,
        background: false,
    };

    /// The level of things behind or inside a command that was read before.
    pub(super) const fn of(command: &Command<'_>, index: usize, hang: Hang, depth: usize) -> Self {
        Self {
            nest: command.nest,
            context: command.context,
            owner: Some(index),
            hang,
            pipe: command.pipe,
            depth,
            full: command.full,
            background: command.background,
        }
    }

    /// One level deeper, in a new nest; a stop past the limit.
    pub(super) fn enter(&self, context: Context, out: &mut Out<'_>, at: Span) -> Read<Self> {
        let deeper = self.deepen(out, at)?;
        let nest = out.next_nest();
        out.nests.push(Nest {
            context,
            outer: Some(self.nest),
            owner: self.owner,
            pipe: self.pipe,
            depth: u32::try_from(deeper.depth).unwrap_or(u32::MAX),
        });
        Ok(Self { nest, context, full: self.full && !context.is_indirect(), ..deeper })
    }

    /// One level deeper, without a nest.
    pub(super) fn deepen(&self, out: &mut Out<'_>, at: Span) -> Read<Self> {
        if self.depth >= limits::SHELL_DEPTH {
            out.problem(ProblemCode::TooDeep, at);
            return Err(Stop);
        }
        Ok(Self { depth: self.depth.saturating_add(1), ..*self })
    }
}

impl<'t, 'a, 'o> Reader<'t, 'a, 'o> {
    pub(super) fn new(src: Source<'t, 'a>, out: &'o mut Out<'t>, level: Level) -> Self {
        Self {
            src,
            pos: 0,
            out,
            level,
            current: None,
            pending: Vec::new(),
            waiting: Vec::new(),
            holes: Vec::new(),
            fresh: usize::MAX,
            hidden: false,
            room: WORDS,
        }
    }

    /// Reads the whole text as a list. Where it stops, what was read before is finished.
    pub(super) fn read_text(&mut self) {
        let whole = match self.list() {
            Ok(end) if end.closer == Closer::Text => true,
            Ok(end) => {
                let _ = self.unexpected(end);
                false
            }
            Err(Stop) => false,
        };
        if !whole {
            // Where the bodies begin is not known any more.
            self.pending.clear();
        }
        self.bodies();
    }

    /// A list, up to what ends it.
    pub(super) fn list(&mut self) -> Read<Closing> {
        let mut empty = true;
        loop {
            self.skip_lines();
            if let Some((closer, end)) = self.closer() {
                return Ok(Closing { closer, start: self.pos, end, empty });
            }
            empty = false;
            let first = self.out.commands.len();
            let construct = self.and_or()?;
            self.skip_blanks();
            match self.byte() {
                Some(b'\n') => self.newline(),
                Some(b';') if !matches!(self.byte_at(1), Some(b';' | b'&')) => self.bump(1),
                Some(b'&') => {
                    self.bump(1);
                    self.out.commands.iter_mut().skip(first).for_each(|command| command.background = true);
                }
                _ => {
                    if let Some((closer, end)) = self.closer()
                        && (construct || !matches!(closer, Closer::Word(_)))
                    {
                        return Ok(Closing { closer, start: self.pos, end, empty });
                    }
                    return Err(self.unexpected_here());
                }
            }
        }
    }

    /// Pipelines joined by `&&` and `||`; true where the last command is a construct without redirects.
    fn and_or(&mut self) -> Read<bool> {
        loop {
            let construct = self.pipeline()?;
            self.skip_blanks();
            match (self.byte(), self.byte_at(1)) {
                (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|')) => self.joint(2)?,
                _ => return Ok(construct),
            }
        }
    }

    fn pipeline(&mut self) -> Read<bool> {
        let outer = self.level.pipe;
        self.out.pipelines = self.out.pipelines.saturating_add(1);
        let pipeline = self.out.pipelines;
        let mut element = 0u32;
        self.skip_prefixes()?;
        loop {
            self.level.pipe = Pipe { pipeline, element };
            let construct = self.command()?;
            self.skip_blanks();
            match (self.byte(), self.byte_at(1)) {
                (Some(b'|'), Some(b'&')) => self.joint(2)?,
                (Some(b'|'), next) if next != Some(b'|') => self.joint(1)?,
                _ => {
                    self.level.pipe = outer;
                    return Ok(construct);
                }
            }
            element = element.saturating_add(1);
        }
    }

    /// Passes an operator of `len` bytes after which a command must follow.
    fn joint(&mut self, len: usize) -> Read<()> {
        let start = self.pos;
        self.bump(len);
        self.skip_lines();
        match self.closer() {
            None => Ok(()),
            Some((Closer::Text, _)) => {
                Err(self.fail(ProblemCode::MissingCommand, start, start.saturating_add(len)))
            }
            Some((closer, end)) => {
                Err(self.unexpected(Closing { closer, start: self.pos, end, empty: true }))
            }
        }
    }

    /// `!`, and `time` before a construct.
    fn skip_prefixes(&mut self) -> Read<()> {
        loop {
            let start = self.pos;
            if !matches!(self.byte(), Some(b'!' | b't' | b'\\')) {
                return Ok(());
            }
            match self.plain_word() {
                Some((word, end)) if word == "!" => {
                    self.pos = end;
                    self.skip_blanks();
                    if self.closer().is_some() || matches!(self.byte(), Some(b'\n' | b';')) {
                        return Err(self.fail(ProblemCode::MissingCommand, start, end));
                    }
                }
                Some((word, end)) if word == "time" => {
                    self.pos = end;
                    self.skip_blanks();
                    if let Some((option, end)) = self.plain_word()
                        && option == "-p"
                    {
                        self.pos = end;
                        self.skip_blanks();
                    }
                    if !self.at_construct() {
                        self.pos = start;
                        return Ok(());
                    }
                    if start == self.fresh {
                        return Err(self.unexpected_here());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// The closer at this place, where a command could start, and its end.
    pub(super) fn closer(&self) -> Option<(Closer, usize)> {
        match self.byte() {
            None => Some((Closer::Text, self.pos)),
            Some(b')') => Some((Closer::Paren, self.pos.saturating_add(1))),
            Some(b';') => match (self.byte_at(1), self.byte_at(2)) {
                (Some(b';'), Some(b'&')) => Some((Closer::Break, self.pos.saturating_add(3))),
                (Some(b';' | b'&'), _) => Some((Closer::Break, self.pos.saturating_add(2))),
                _ => None,
            },
            Some(b't' | b'd' | b'f' | b'e' | b'}') => {
                let (word, end) = self.plain_word()?;
                let closer = CLOSERS.iter().find(|closer| **closer == word)?;
                Some((Closer::Word(closer), end))
            }
            Some(_) => None,
        }
    }

    /// The problem of a closer that closes nothing.
    pub(super) fn unexpected(&mut self, closing: Closing) -> Stop {
        let code = match closing.closer {
            Closer::Break => ProblemCode::UnexpectedOperator,
            Closer::Text | Closer::Paren | Closer::Word(_) => ProblemCode::UnexpectedToken,
        };
        self.fail(code, closing.start, closing.end)
    }

    /// The problem of an operator, a parenthesis or a word at this place.
    pub(super) fn unexpected_here(&mut self) -> Stop {
        let start = self.pos;
        let rest = self.src.text.get(start..).unwrap_or_default();
        let operator = [";;&", ";;", ";&", "&&", "||", "|&", ";", "&", "|"]
            .into_iter()
            .find(|operator| rest.starts_with(operator));
        match operator {
            Some(operator) => {
                self.fail(ProblemCode::UnexpectedOperator, start, start.saturating_add(operator.len()))
            }
            None => {
                let len = rest.chars().next().map_or(0, char::len_utf8);
                self.fail(ProblemCode::UnexpectedToken, start, start.saturating_add(len))
            }
        }
    }

    /// Notes a problem that ends the text.
    pub(super) fn fail(&mut self, code: ProblemCode, start: usize, end: usize) -> Stop {
        self.problem(code, start, end);
        Stop
    }

    /// Notes a problem.
    pub(super) fn problem(&mut self, code: ProblemCode, start: usize, end: usize) {
        let span = self.src.span(start, end);
        self.out.problem(code, span);
    }

    #[inline(always)]
    pub(super) fn byte(&self) -> Option<u8> {
        self.src.byte(self.pos)
    }

    #[inline(always)]
    pub(super) fn byte_at(&self, ahead: usize) -> Option<u8> {
        self.src.byte(self.pos.saturating_add(ahead))
    }

    #[inline(always)]
    pub(super) const fn bump(&mut self, bytes: usize) {
        self.pos = self.pos.saturating_add(bytes);
    }

    /// Passes blanks, continued lines and a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte() {
                Some(b' ' | b'\t') => self.bump(1),
                Some(b'\\') if self.byte_at(1) == Some(b'\n') => self.bump(2),
                Some(b'#') => {
                    let rest = self.src.text.get(self.pos..).unwrap_or_default();
                    let len = rest.bytes().position(|b| b == b'\n').unwrap_or(rest.len());
                    self.bump(len);
                    return;
                }
                _ => return,
            }
        }
    }

    /// Passes blanks, comments and newlines, with the heredoc bodies after them.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.byte() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    /// Passes a newline and the heredoc bodies that begin after it.
    pub(super) fn newline(&mut self) {
        self.bump(1);
        if !self.pending.is_empty() || !self.waiting.is_empty() {
            self.bodies();
        }
    }

    /// The word at this place, where it is written without quotes or expansions, and its end.
    pub(super) fn plain_word(&self) -> Option<(Cow<'a, str>, usize)> {
        let mut word: Cow<'a, str> = Cow::Borrowed("");
        let mut from = self.pos;
        let mut at = from;
        loop {
            match self.src.byte(at) {
                Some(b) if super::word_reader::is_plain(b) || b == b'{' => at = at.saturating_add(1),
                Some(b'\\') if self.src.byte(at.saturating_add(1)) == Some(b'\n') => {
                    word.to_mut().push_str(self.src.slice(from, at));
                    at = at.saturating_add(2);
                    from = at;
                }
                None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')') => break,
                Some(_) => return None,
            }
        }
        let rest = self.src.slice(from, at);
        if word.is_empty() {
            word = Cow::Borrowed(rest);
        } else {
            word.to_mut().push_str(rest);
        }
        (!word.is_empty()).then_some((word, at))
    }
}
