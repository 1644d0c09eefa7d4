//! Reads constructs: groups, conditions, loops, cases, functions, `[[ … ]]` and `(( … ))`.
//!
//! ```text
//! construct = "(" list ")" | "{" list "}" | "if" list "then" list { "elif" list "then" list } [ "else" list ] "fi"
//!           | ("while" | "until") list "do" list "done"
//!           | ("for" | "select") name [ "in" { word } ] (";" | newline) body | "for ((" text "))" [";"] body
//!           | "case" word "in" { [ "(" ] pattern { "|" pattern } ")" list break } "esac"
//!           | name "()" construct | "function" name [ "()" ] construct
//!           | "[[" { operand } "]]" | "((" text "))"
//! body      = "do" list "done" | "{" list "}"
//! ```

use super::problem::ProblemCode;
use super::reader::{Closer, Read, Reader};
use super::reading::{Context, Function};
use super::word::Word;
use super::word_reader::{Style, Value};
use std::borrow::Cow;

/// Variables that change how later commands run, exactly or by prefix.
const SENSITIVE: [&str; 20] = [
    "PATH",
    "IFS",
    "ENV",
    "BASH_ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "HOME",
    "GLOBIGNORE",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PERL5LIB",
    "PERL5OPT",
    "RUBYOPT",
    "EDITOR",
    "VISUAL",
    "PAGER",
];
const SENSITIVE_PREFIXES: [&str; 4] = ["LD_", "DYLD_", "GIT_", "BASH_FUNC_"];

/// Words that begin a construct, or that mean something else than a command where one may start.
const OPENERS: [&str; 11] =
    ["{", "if", "while", "until", "for", "select", "case", "function", "[[", "coproc", "!"];

impl<'t> Reader<'t, '_, '_> {
    /// A command at this place; true for a construct without redirects.
    pub(super) fn command(&mut self) -> Read<bool> {
        let start = self.pos;
        match self.byte() {
            None | Some(b';' | b'|' | b')') => return Err(self.unexpected_here()),
            Some(b'&') if self.byte_at(1) != Some(b'>') => return Err(self.unexpected_here()),
            Some(b'(') => match self.arithmetic_command(start)? {
                true => {}
                false => self.parentheses(start, Context::Subshell)?,
            },
            Some(
                b'{' | b'i' | b'w' | b'u' | b'f' | b's' | b'c' | b'[' | b'!' | b't' | b'd' | b'e' | b'}'
                | b']' | b'\\',
            ) => {
                let opener = self.plain_word();
                let word = opener.as_ref().map_or("", |(word, _)| word.as_ref());
                let end = opener.as_ref().map_or(start, |(_, end)| *end);
                if !self.construct(word, start, end)? {
                    return self.simple_command();
                }
            }
            Some(_) => return self.simple_command(),
        }
        self.trailing_redirects()
    }

    /// Something at this place begins a construct.
    pub(super) fn at_construct(&self) -> bool {
        self.byte() == Some(b'(')
            || self.plain_word().is_some_and(|(word, _)| OPENERS.contains(&word.as_ref()))
    }

    /// The construct that `word` begins, if it begins one.
    fn construct(&mut self, word: &str, start: usize, end: usize) -> Read<bool> {
        match word {
            "{" => self.braces(start, end, Context::Group)?,
            "if" => self.nest(Context::If, start, end, |reader| reader.conditions(start, end))?,
            "while" | "until" => self.nest(Context::Loop, start, end, |reader| {
                reader.list_to(start, end, &["do"])?;
                reader.list_to(start, end, &["done"]).map(|_| ())
            })?,
            "for" | "select" => self.loop_over(word, start, end)?,
            "case" => self.case(start, end)?,
            "function" => self.function(start, end)?,
            "[[" => self.conditional(start, end)?,
            "coproc" => return Err(self.fail(ProblemCode::UnsupportedSyntax, start, end)),
            "then" | "do" | "done" | "fi" | "elif" | "else" | "esac" | "}" | "!" | "in" | "]]" => {
                return Err(self.fail(ProblemCode::UnexpectedToken, start, end));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads something inside a nest of its own.
    fn nest<T>(
        &mut self,
        context: Context,
        start: usize,
        end: usize,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let outer = self.level;
        let at = self.src.span(start, end);
        self.level = outer.enter(context, self.out, at)?;
        self.pos = end;
        let done = read(self);
        self.level = outer;
        done
    }

    /// A list, up to one of `closers`; `start..end` is what opened the construct.
    fn list_to(&mut self, start: usize, end: usize, closers: &[&str]) -> Read<&'static str> {
        let closing = self.list()?;
        match closing.closer {
            Closer::Word(word) if !closing.empty && closers.contains(&word) => {
                self.pos = closing.end;
                Ok(word)
            }
            Closer::Text => Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
            Closer::Paren | Closer::Break | Closer::Word(_) => Err(self.unexpected(closing)),
        }
    }

    /// `( list )`
    fn parentheses(&mut self, start: usize, context: Context) -> Read<()> {
        let end = start.saturating_add(1);
        self.nest(context, start, end, |reader| {
            let closing = reader.list()?;
            match closing.closer {
                Closer::Paren if !closing.empty => {
                    reader.pos = closing.end;
                    Ok(())
                }
                Closer::Text => Err(reader.fail(ProblemCode::UnterminatedCompound, start, end)),
                Closer::Paren | Closer::Break | Closer::Word(_) => Err(reader.unexpected(closing)),
            }
        })
    }

    /// `{ list }`
    fn braces(&mut self, start: usize, end: usize, context: Context) -> Read<()> {
        self.nest(context, start, end, |reader| reader.list_to(start, end, &["}"]).map(|_| ()))
    }

    /// The rest of `if`.
    fn conditions(&mut self, start: usize, end: usize) -> Read<()> {
        loop {
            self.list_to(start, end, &["then"])?;
            match self.list_to(start, end, &["elif", "else", "fi"])? {
                "elif" => {}
                "else" => return self.list_to(start, end, &["fi"]).map(|_| ()),
                _ => return Ok(()),
            }
        }
    }

    /// `for` and `select`
    fn loop_over(&mut self, word: &str, start: usize, end: usize) -> Read<()> {
        self.pos = end;
        self.skip_blanks();
        let name_start = self.pos;
        if word == "for" && self.byte() == Some(b'(') && self.byte_at(1) == Some(b'(') {
            let Some(close) = self.arithmetic_end(name_start.saturating_add(1)) else {
                return Err(self.fail(ProblemCode::UnterminatedCompound, start, end));
            };
            self.bump(2);
            let base = self.holes.len();
            self.deeper(start, end, |reader| reader.inert(&mut Value::ignored(), name_start, close))?;
            self.holes.truncate(base);
            self.pos = close.saturating_add(2);
            self.skip_blanks();
            if self.byte() == Some(b';') {
                self.bump(1);
            }
            return self.loop_body(start, end);
        }
        self.loop_name(start, end)?;
        self.skip_lines();
        if self.keyword("in") {
            loop {
                self.skip_blanks();
                match self.byte() {
                    None => return Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
                    Some(b'\n' | b';') => break,
                    Some(b'&' | b'|' | b')' | b'(') => return Err(self.unexpected_here()),
                    Some(b'<' | b'>') if self.byte_at(1) != Some(b'(') => return Err(self.unexpected_here()),
                    Some(_) => self.whole_token(Style::Shell)?,
                };
            }
        }
        if self.byte() == Some(b';') {
            self.bump(1);
        }
        self.loop_body(start, end)
    }

    /// The variable of a loop.
    fn loop_name(&mut self, start: usize, end: usize) -> Read<()> {
        let name_start = self.pos;
        let Some((name, name_end)) = self.plain_word() else {
            return Err(match self.byte() {
                None => self.fail(ProblemCode::UnterminatedCompound, start, end),
                Some(_) => self.unexpected_here(),
            });
        };
        let is_name = name
            .bytes()
            .enumerate()
            .all(|(at, b)| b.is_ascii_alphabetic() || b == b'_' || (at > 0 && b.is_ascii_digit()));
        if !is_name {
            return Err(self.unexpected_here());
        }
        self.pos = name_end;
        if SENSITIVE.contains(&name.as_ref())
            || SENSITIVE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        {
            self.problem(ProblemCode::SensitiveLoopVariable, name_start, name_end);
        }
        Ok(())
    }

    /// `do … done` or `{ … }`
    fn loop_body(&mut self, start: usize, end: usize) -> Read<()> {
        self.skip_lines();
        let (closer, open) = match self.plain_word() {
            Some((word, open)) if word == "do" => ("done", open),
            Some((word, open)) if word == "{" => ("}", open),
            _ if self.byte().is_none() => {
                return Err(self.fail(ProblemCode::UnterminatedCompound, start, end));
            }
            _ => return Err(self.unexpected_here()),
        };
        self.nest(Context::Loop, start, end, |reader| {
            reader.pos = open;
            reader.list_to(start, end, &[closer]).map(|_| ())
        })
    }

    /// Passes `word`, where it stands here alone.
    fn keyword(&mut self, word: &str) -> bool {
        match self.plain_word() {
            Some((found, end)) if found == word => {
                self.pos = end;
                true
            }
            _ => false,
        }
    }

    /// The rest of `case`.
    fn case(&mut self, start: usize, end: usize) -> Read<()> {
        self.pos = end;
        self.skip_blanks();
        self.operand_word(start, end)?;
        self.skip_lines();
        if !self.keyword("in") {
            return Err(match self.byte() {
                None => self.fail(ProblemCode::UnterminatedCompound, start, end),
                Some(_) => self.unexpected_here(),
            });
        }
        let at = self.pos;
        self.nest(Context::Case, start, end, |reader| {
            reader.pos = at;
            loop {
                reader.skip_lines();
                if reader.keyword("esac") {
                    return Ok(());
                }
                reader.patterns(start, end)?;
                let closing = reader.list()?;
                match closing.closer {
                    Closer::Break => reader.pos = closing.end,
                    Closer::Word("esac") => {
                        reader.pos = closing.end;
                        return Ok(());
                    }
                    Closer::Text => return Err(reader.fail(ProblemCode::UnterminatedCompound, start, end)),
                    Closer::Paren | Closer::Word(_) => return Err(reader.unexpected(closing)),
                }
            }
        })
    }

    /// `[(] pattern { | pattern } )`. They belong to the construct around the case: nothing in them is in a branch.
    fn patterns(&mut self, start: usize, end: usize) -> Read<()> {
        if self.byte() == Some(b'(') {
            self.bump(1);
            self.skip_blanks();
        }
        loop {
            self.operand_word(start, end)?;
            self.skip_blanks();
            match self.byte() {
                Some(b'|') if !matches!(self.byte_at(1), Some(b'|' | b'&')) => {
                    self.bump(1);
                    self.skip_blanks();
                }
                Some(b')') => {
                    self.bump(1);
                    return Ok(());
                }
                None => return Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
                Some(_) => return Err(self.unexpected_here()),
            }
        }
    }

    /// A word that is only looked at for what runs in it.
    fn operand_word(&mut self, start: usize, end: usize) -> Read<()> {
        match self.byte() {
            None => Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
            Some(b'<' | b'>') if self.byte_at(1) == Some(b'(') => self.whole_token(Style::Shell).map(|_| ()),
            Some(b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')') => Err(self.unexpected_here()),
            Some(_) => self.whole_token(Style::Shell).map(|_| ()),
        }
    }

    /// `function NAME [()] construct`
    fn function(&mut self, start: usize, end: usize) -> Read<()> {
        self.pos = end;
        self.skip_blanks();
        let name_start = self.pos;
        let word = match self.byte() {
            None => return Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
            Some(b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')') => {
                return Err(self.unexpected_here());
            }
            Some(_) => self.whole_token(Style::Shell)?,
        };
        let name_end = self.pos;
        if !self.is_function_name(Some(&word), name_start, name_end) {
            return Err(self.fail(ProblemCode::UnexpectedToken, name_start, name_end));
        }
        self.skip_blanks();
        if self.byte() == Some(b'(') && self.byte_at(1) != Some(b'(') {
            let open = self.pos;
            self.bump(1);
            self.skip_blanks();
            // Without its partner the parenthesis begins a subshell, which is the body.
            if self.byte() == Some(b')') {
                self.bump(1);
            } else {
                self.pos = open;
            }
        }
        self.function_body(word.text, start, end)
    }

    /// `()` and the body after a name that was read as a command of its own.
    pub(super) fn function_after_name(&mut self, index: usize, start: usize) -> Read<bool> {
        let name_end = self.pos;
        let name = self
            .out
            .command(index)
            .and_then(|command| command.words.pop())
            .map(|word| word.text)
            .unwrap_or_default();
        self.out.commands.truncate(index);
        self.bump(1);
        self.skip_blanks();
        if self.byte() != Some(b')') {
            return Err(match self.byte() {
                None => self.fail(ProblemCode::UnterminatedCompound, name_end, name_end.saturating_add(1)),
                Some(_) => self.unexpected_here(),
            });
        }
        self.bump(1);
        let end = self.pos;
        self.function_body(name, start, end)?;
        self.trailing_redirects()
    }

    fn function_body(&mut self, name: Cow<'t, str>, start: usize, end: usize) -> Read<()> {
        self.skip_lines();
        let body = self.out.next_nest();
        let at = self.pos;
        let opener = self.plain_word();
        match (self.byte(), opener.as_ref().map(|(word, end)| (word.as_ref(), *end))) {
            (None, _) => return Err(self.fail(ProblemCode::UnterminatedCompound, start, end)),
            (Some(b'('), _)
                if self.byte_at(1) != Some(b'(') || self.arithmetic_end(at.saturating_add(1)).is_none() =>
            {
                self.parentheses(at, Context::Function)?;
            }
            (Some(b'('), _) => {
                self.nest(Context::Function, at, at, |reader| reader.arithmetic_command(at).map(|_| ()))?
            }
            (Some(_), Some(("{", open))) => self.braces(at, open, Context::Function)?,
            (Some(_), Some((word, open)))
                if OPENERS.contains(&word) && !matches!(word, "function" | "coproc" | "!") =>
            {
                self.nest(Context::Function, at, open, |reader| {
                    reader.construct(word, at, open).map(|_| ())
                })?;
            }
            (Some(_), _) => return Err(self.unexpected_here()),
        }
        self.out.functions.push(Function { name, body });
        Ok(())
    }

    /// A word that may name a function: known and written as it is.
    pub(super) fn is_function_name(&self, word: Option<&Word<'t>>, start: usize, end: usize) -> bool {
        word.is_some_and(|word| !word.quoted && word.value() == Some(self.src.slice(start, end)))
    }

    /// `[[ operands ]]` as one command.
    fn conditional(&mut self, start: usize, end: usize) -> Read<()> {
        let index = self.begin(start)?;
        let outer = self.current.replace(index);
        self.pos = end;
        let mut words = vec![Word::known(Cow::Borrowed("[["), self.src.span(start, end))];
        let read = self.operands(&mut words, start, end);
        self.current = outer;
        let span = self.span_from(start);
        if let Some(command) = self.out.command(index) {
            command.words = words;
            command.span = span;
        }
        read
    }

    fn operands(&mut self, words: &mut Vec<Word<'t>>, start: usize, end: usize) -> Read<()> {
        loop {
            self.skip_lines();
            if self.byte().is_none() {
                return Err(self.fail(ProblemCode::UnterminatedCompound, start, end));
            }
            if self.keyword("]]") {
                let close = self.pos.saturating_sub(2);
                words.push(Word::known(Cow::Borrowed("]]"), self.span_from(close)));
                return Ok(());
            }
            let word = self.whole_token(Style::Operand)?;
            words.push(word);
        }
    }

    /// `((text))` as one command; false where the parentheses are subshells.
    fn arithmetic_command(&mut self, start: usize) -> Read<bool> {
        if self.byte_at(1) != Some(b'(') {
            return Ok(false);
        }
        let Some(close) = self.arithmetic_end(start.saturating_add(1)) else { return Ok(false) };
        let text_start = start.saturating_add(2);
        let index = self.begin(start)?;
        let outer = self.current.replace(index);
        let base = self.holes.len();
        let first_nest = self.out.next_nest();
        self.pos = text_start;
        let mut value = Value::default();
        let read = self.deeper(start, text_start, |reader| reader.inert(&mut value, start, close));
        self.current = outer;
        let known = self.holes.len() == base;
        self.holes.truncate(base);
        self.pos = close;
        if known {
            value.run(&self.src, text_start, close);
        } else {
            value.open = true;
        }
        let text = self.finish(value, text_start, first_nest);
        let opening = Word::known(Cow::Borrowed("(("), self.src.span(start, text_start));
        self.pos = close.saturating_add(2);
        let closing = Word::known(Cow::Borrowed("))"), self.span_from(close));
        let span = self.span_from(start);
        if let Some(command) = self.out.command(index) {
            command.words = vec![opening, text, closing];
            command.span = span;
        }
        read.map(|()| true)
    }

    /// The redirects after a construct, as a command without words; true where there are none.
    fn trailing_redirects(&mut self) -> Read<bool> {
        self.skip_blanks();
        let start = self.pos;
        if !self.at_redirect() {
            return Ok(true);
        }
        let index = self.begin(start)?;
        let outer = self.current.replace(index);
        let read = self.redirects(index, start);
        self.current = outer;
        let Some(command) = self.out.command(index) else { return read.map(|()| false) };
        if command.redirects.is_empty() {
            // Copies of descriptors alone are nothing to list.
            self.out.commands.truncate(index);
        }
        read.map(|()| false)
    }

    fn redirects(&mut self, index: usize, start: usize) -> Read<()> {
        let mut end = start;
        loop {
            self.skip_blanks();
            let operator_at = if self.at_redirect() { self.redirect_start() } else { None };
            let Some(operator_at) = operator_at else { break };
            self.redirect(index, operator_at)?;
            end = self.pos;
        }
        let span = self.src.span(start, end);
        if let Some(command) = self.out.command(index) {
            command.of_construct = true;
            command.span = span;
        }
        Ok(())
    }

    fn at_redirect(&self) -> bool {
        matches!(self.byte(), Some(b'<' | b'>' | b'&' | b'{' | b'0'..=b'9'))
            && self.redirect_start().is_some()
    }
}
