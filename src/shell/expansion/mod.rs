//! Run-time pieces of a word: `$name`, `${…}`, `$(…)`, backquotes, `$((…))`, `$[…]`; what runs inside them is
//! read.
//!
//! | text | is |
//! |---|---|
//! | `$name`, `$1`, `$@` and the other special parameters | a parameter |
//! | `${…}` | a parameter; ends at the first unquoted `}` |
//! | `$((…))` | arithmetic, where the parenthesis that matches the second is followed by another; else `$(` and a subshell |
//! | `$(…)` | a list of its own, with its own heredocs |
//! | `` `…` `` | a text of its own, which has lost a level of backslashes |
//! | `$[…]` | arithmetic |
//! | `$` before anything else | itself |

mod backquote;
pub(super) mod matching;
pub(super) mod quotes;

use super::problem::ProblemCode;
use super::reader::{Closer, Hole, Read, Reader};
use super::reading::Context;
use super::word_reader::Value;
use crate::text::contains;
use matching::Pair;

/// What is around an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Nothing.
    None,
    /// Double quotes.
    Double,
    /// A heredoc.
    Body,
}

impl Reader<'_, '_, '_> {
    /// A `$` or a backquote, and what belongs to it.
    pub(super) fn expansion(&mut self, value: &mut Value, quoting: Quoting) -> Read<()> {
        let start = self.pos;
        let base = self.holes.len();
        let home = match self.byte() {
            Some(b'`') => {
                value.runs.commands = true;
                self.backquotes(quoting)?;
                false
            }
            _ => match self.dollar(value, quoting)? {
                Some(home) => home,
                None => return Ok(()),
            },
        };
        self.holes.truncate(base);
        self.holes.push(Hole { start, end: self.pos, home });
        value.hole(home);
        Ok(())
    }

    /// A `$`: whether it is the home directory, or nothing where it is itself.
    fn dollar(&mut self, value: &mut Value, quoting: Quoting) -> Read<Option<bool>> {
        let start = self.pos;
        let after = self.continued(start.saturating_add(1));
        match self.src.byte(after) {
            Some(b'(') => {
                let second = self.continued(after.saturating_add(1));
                let arithmetic =
                    (self.src.byte(second) == Some(b'(')).then(|| self.arithmetic_end(second)).flatten();
                match arithmetic {
                    Some(end) => {
                        self.pos = second.saturating_add(1);
                        self.deeper(start, after.saturating_add(1), |reader| {
                            reader.inert(value, start, end)
                        })?;
                        self.pos = end.saturating_add(2);
                    }
                    None => {
                        value.runs.commands = true;
                        self.pos = after.saturating_sub(1);
                        self.nested_list(Context::Substitution)?;
                    }
                }
                Ok(Some(false))
            }
            Some(b'{') => {
                self.pos = after.saturating_add(1);
                self.deeper(start, self.pos, |reader| reader.parameter(value, start, quoting)).map(Some)
            }
            Some(b'[') => {
                let Some(end) = self.matching(after.saturating_add(1), Pair::Bracket) else {
                    return Err(self.fail(
                        ProblemCode::UnterminatedSubstitution,
                        start,
                        after.saturating_add(1),
                    ));
                };
                self.pos = after.saturating_add(1);
                self.deeper(start, self.pos, |reader| reader.inert(value, start, end))?;
                self.pos = end.saturating_add(1);
                Ok(Some(false))
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.pos = after.saturating_add(1);
                Ok(Some(false))
            }
            Some(b) if b.is_ascii_alphabetic() || b == b'_' => {
                self.pos = after;
                Ok(Some(self.name_is_home()))
            }
            _ => {
                self.bump(1);
                value.run(&self.src, start, self.pos);
                Ok(None)
            }
        }
    }

    /// Passes continued lines from `at` on.
    fn continued(&self, at: usize) -> usize {
        let mut at = at;
        while self.src.byte(at) == Some(b'\\') && self.src.byte(at.saturating_add(1)) == Some(b'\n') {
            at = at.saturating_add(2);
        }
        at
    }

    /// Passes a variable's name; true for `HOME`.
    fn name_is_home(&mut self) -> bool {
        let mut rest = "HOME".bytes();
        let mut same = true;
        loop {
            self.pos = self.continued(self.pos);
            match self.byte() {
                Some(b) if b.is_ascii_alphanumeric() || b == b'_' => {
                    same = rest.next() == Some(b) && same;
                    self.bump(1);
                }
                _ => return same && rest.next().is_none(),
            }
        }
    }

    /// Runs `read` one level deeper; `start..end` is what opened the level.
    pub(super) fn deeper<T>(
        &mut self,
        start: usize,
        end: usize,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let outer = self.level;
        let at = self.src.span(start, end);
        self.level = outer.deepen(self.out, at)?;
        let done = read(self);
        self.level = outer;
        done
    }

    /// `(` list `)` after a `$`, `<` or `>` at this place, as a nest of its own.
    pub(super) fn nested_list(&mut self, context: Context) -> Read<()> {
        let start = self.pos;
        let open = start.saturating_add(2);
        let at = self.src.span(start, open);
        let outer = self.level;
        let owned = super::reader::Level { owner: self.current.or(outer.owner), ..outer };
        let mut inner = owned.enter(context, self.out, at)?;
        if self.current.is_some() {
            inner.hang = super::reading::Hang::Inside;
        }
        self.level = inner;
        self.pos = open;
        self.skip_blanks();
        let fresh = std::mem::replace(&mut self.fresh, self.pos);
        let current = self.current.take();
        let pending = std::mem::take(&mut self.pending);
        let waiting = std::mem::take(&mut self.waiting);
        let outside = pending.len();
        let lines = self.list();
        self.fresh = fresh;
        self.level = outer;
        self.current = current;
        let inside = std::mem::replace(&mut self.pending, pending);
        let behind = std::mem::replace(&mut self.waiting, waiting);
        self.waiting.extend(behind);
        let closing = lines?;
        match closing.closer {
            Closer::Paren => {}
            Closer::Text => return Err(self.fail(ProblemCode::UnterminatedSubstitution, start, open)),
            Closer::Break | Closer::Word(_) => return Err(self.unexpected(closing)),
        }
        self.pos = closing.end;
        // Shells part here: some look for the bodies inside the parentheses, some after them.
        if outside > 0 && self.src.slice(open, closing.start).contains(['\n']) {
            self.doubt_pending();
        }
        if !inside.is_empty() {
            self.pending.extend(inside);
            self.doubt_pending();
        }
        Ok(())
    }

    /// The place of the `)` that matches the `(` at `open`, where another follows.
    pub(super) fn arithmetic_end(&self, open: usize) -> Option<usize> {
        let end = self.matching(open.saturating_add(1), Pair::Paren)?;
        (self.src.byte(end.saturating_add(1)) == Some(b')')).then_some(end)
    }

    /// Reads the expansions of a text that runs nothing itself, up to `end`; `start` is where it was opened.
    pub(super) fn inert(&mut self, value: &mut Value, start: usize, end: usize) -> Read<()> {
        let mut inner = Value::ignored();
        while self.pos < end {
            match self.byte() {
                Some(b'\\') => {
                    self.bump(1);
                    self.wide(true);
                }
                Some(b'$' | b'`') => self.expansion(&mut inner, Quoting::Double)?,
                Some(b) if b < 0x80 => self.bump(1),
                _ => self.wide(false),
            }
        }
        value.runs.merge(inner.runs);
        if self.pos > end {
            return Err(self.fail(ProblemCode::UnterminatedSubstitution, start, start.saturating_add(2)));
        }
        Ok(())
    }

    /// The rest of `${…}`: whether it is the home directory.
    fn parameter(&mut self, value: &mut Value, start: usize, quoting: Quoting) -> Read<bool> {
        let open = self.pos;
        // A command list in braces for some shells, an error for others.
        if matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return Err(self.fail(ProblemCode::UnsupportedSyntax, start, open));
        }
        let home = self.name_is_home();
        let rest = self.src.text.as_bytes().get(self.pos..).unwrap_or_default();
        let home = home && matches!(rest, [b'}' | b'?' | b'-', ..] | [b':', b'?' | b'-', ..]);
        let mut inner = Value::ignored();
        loop {
            let at = self.pos;
            match self.byte() {
                None => return Err(self.fail(ProblemCode::UnterminatedSubstitution, start, open)),
                Some(b'}') => break,
                Some(b'\\') => {
                    self.bump(1);
                    self.wide(true);
                }
                // Within double quotes single ones pair, but what is between them is expanded.
                Some(b'\'') if quoting != Quoting::None => {
                    let rest = self.src.text.as_bytes().get(at.saturating_add(1)..).unwrap_or_default();
                    let Some(len) = rest.iter().position(|b| *b == b'\'') else {
                        return Err(self.fail(ProblemCode::UnterminatedQuote, at, at.saturating_add(1)));
                    };
                    self.bump(1);
                    self.inert(&mut inner, start, at.saturating_add(1).saturating_add(len))?;
                    self.bump(1);
                }
                Some(b'\'') => self.single_quotes(&mut inner)?,
                Some(b'"') => self.double_quotes(&mut inner)?,
                Some(b'$') if self.byte_at(1) == Some(b'\'') => self.ansi_quotes(&mut inner)?,
                Some(b'$' | b'`') => self.expansion(&mut inner, quoting)?,
                Some(b'<' | b'>') if quoting == Quoting::None && self.byte_at(1) == Some(b'(') => {
                    self.process(&mut inner)?
                }
                Some(b) if b < 0x80 => self.bump(1),
                Some(_) => self.wide(quoting != Quoting::None),
            }
        }
        value.runs.merge(inner.runs);
        self.bump(1);
        if quoting == Quoting::Double {
            self.doubt_braces(start, self.pos);
        }
        Ok(home)
    }

    /// Notes a doubt about an expansion in double quotes that has quotes and braces of its own: brace
    /// expansion comes first, and takes the inner quotes for the end of the outer ones.
    fn doubt_braces(&mut self, start: usize, end: usize) {
        let text = self.src.slice(start, end);
        let braces = text.split_once('"').and_then(|(_, quoted)| quoted.split_once('{'));
        if braces
            .is_some_and(|(_, list)| list.contains(['}']) && (list.contains([',']) || contains(list, "..")))
        {
            self.problem(ProblemCode::ExpansionLimit, start, end);
        }
    }
}
