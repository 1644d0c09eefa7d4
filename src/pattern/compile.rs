//! Source to program, in one pass and without recursion.
//!
//! Steps are written as the source is read. A group remembers where its steps begin; what stands after a piece
//! (`|`, a repeat) moves or copies the steps of that piece, which works because all jumps are relative.
//!
//! | source | steps |
//! |---|---|
//! | `a\|b` | fork +1 or B; a; jump END; B: b; END: |
//! | `a*` | L: fork +1 or END; a; jump L; END: |
//! | `a+` | a; fork back to a or +1, and where a may be empty: a, then `a*` |
//! | `a?` | fork +1 or END; a; END: |
//! | `a{2,4}` | a; a; fork +1 or END; a; fork +1 or END; a; END: |
//!
//! A piece that may be empty stands between an enter and a leave where it is repeated past the minimum.
//!
//! What parses but has no linear-time reading is remembered, and reported only when the rest parses too.

use super::program::{Assertion, Op, Program};
use super::set::{Range, Set};
use super::{PatternError, PatternFault};
use crate::limits::{PATTERN_PROGRAM_BYTES, PATTERN_REPEAT, PATTERN_UNITS};
use crate::order::Grow as _;
use crate::span::{Span, utf16_len};
use crate::text;

type Outcome<T> = Result<T, PatternError>;

pub(super) fn compile(source: &str) -> Outcome<Program> {
    if utf16_len(source) > PATTERN_UNITS {
        return Err(PatternError { fault: PatternFault::TooLarge, span: Span::of(source) });
    }
    if source.is_empty() {
        return Err(PatternError { fault: PatternFault::Invalid, span: Span::of(source) });
    }
    let mut compiler = Compiler::new(source);
    while let Some(c) = compiler.bump() {
        compiler.read(c)?;
    }
    compiler.finish()
}

/// A piece that a repeat can follow.
#[derive(Clone, Copy)]
struct Atom {
    start: usize,
    may_be_empty: bool,
}

/// An open group, or the whole expression.
struct Group {
    /// Where it opens in the source.
    open: usize,
    start: usize,
    /// Where the current branch begins.
    branch: usize,
    /// The jumps that end the branches before.
    exits: Vec<usize>,
    /// Whether a branch before may be empty.
    may_be_empty: bool,
    /// Whether the current branch before `last` may be empty.
    branch_may_be_empty: bool,
    last: Option<Atom>,
    /// A look-behind takes no repeat.
    repeatable: bool,
}

impl Group {
    fn new(open: usize, start: usize, repeatable: bool) -> Self {
        Self {
            open,
            start,
            branch: start,
            exits: Vec::new(),
            may_be_empty: false,
            branch_may_be_empty: true,
            last: None,
            repeatable,
        }
    }

    fn push(&mut self, atom: Option<Atom>) {
        if let Some(last) = self.last {
            self.branch_may_be_empty &= last.may_be_empty;
        }
        self.last = atom;
    }

    fn end_branch(&mut self) {
        self.push(None);
        self.may_be_empty |= self.branch_may_be_empty;
        self.branch_may_be_empty = true;
    }
}

/// One member of a class: a character, or what an escape like `\d` stands for.
enum Member {
    One(u32),
    Many(Vec<Range>),
}

struct Compiler<'s> {
    source: &'s str,
    at: usize,
    ops: Vec<Op>,
    sets: Vec<Set>,
    set_bytes: usize,
    names: Vec<&'s str>,
    group: Group,
    outer: Vec<Group>,
    unsupported: Option<Span>,
}

impl<'s> Compiler<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            ops: Vec::new(),
            sets: Vec::new(),
            set_bytes: 0,
            names: Vec::new(),
            group: Group::new(0, 0, true),
            outer: Vec::new(),
            unsupported: None,
        }
    }

    // ── reading ──

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or("")
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at = self.at.saturating_add(c.len_utf8());
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at = self.at.saturating_add(text.len());
        }
        found
    }

    fn invalid<T>(&self, start: usize) -> Outcome<T> {
        Err(PatternError { fault: PatternFault::Invalid, span: Span::new(start, self.at) })
    }

    fn unsupported(&mut self, start: usize) {
        self.unsupported.get_or_insert(Span::new(start, self.at));
    }

    fn read(&mut self, c: char) -> Outcome<()> {
        let start = self.at.saturating_sub(c.len_utf8());
        match c {
            '|' => self.alternative(),
            '(' => self.open(start),
            ')' => self.close(start),
            '^' => self.assertion(Assertion::TextStart),
            '$' => self.assertion(Assertion::TextEnd),
            '.' => self.set(Set::dot()),
            '[' => self.class(start),
            '\\' => self.escape(start),
            '*' => self.repeat(start, 0, None),
            '+' => self.repeat(start, 1, None),
            '?' => self.repeat(start, 0, Some(1)),
            '{' => match self.braces() {
                Some((least, most)) => self.repeat(start, least, most),
                None => self.character(u32::from(c)),
            },
            _ => self.character(u32::from(c)),
        }
    }

    fn finish(mut self) -> Outcome<Program> {
        if !self.outer.is_empty() {
            self.at = self.source.len();
            return self.invalid(self.group.open);
        }
        self.end_branches();
        self.emit(Op::Match)?;
        match self.unsupported {
            Some(span) => Err(PatternError { fault: PatternFault::Unsupported, span }),
            None => {
                let program = Program::new(self.ops, self.sets);
                if program.size() > PATTERN_PROGRAM_BYTES {
                    return Err(PatternError { fault: PatternFault::TooLarge, span: Span::of(self.source) });
                }
                Ok(program)
            }
        }
    }

    // ── groups ──

    fn open(&mut self, start: usize) -> Outcome<()> {
        let mut repeatable = true;
        if self.eat("?") {
            if self.eat("<=") || self.eat("<!") {
                repeatable = false;
                self.unsupported(start);
            } else if self.eat("=") || self.eat("!") {
                self.unsupported(start);
            } else if self.eat("<") {
                self.name(start)?;
            } else {
                let letters = self.rest().find(|c: char| !matches!(c, 'i' | 'm' | 's' | '-'));
                self.at = self.at.saturating_add(letters.unwrap_or(0));
                let flags = letters.is_some_and(|n| n > 0);
                if !self.eat(":") {
                    self.bump();
                    return self.invalid(start);
                }
                if flags {
                    self.unsupported(start);
                }
            }
        }
        let group = Group::new(start, self.ops.len(), repeatable);
        self.outer.push(std::mem::replace(&mut self.group, group));
        Ok(())
    }

    fn name(&mut self, start: usize) -> Outcome<()> {
        let Some(length) = self.rest().find(['>']) else { return self.invalid(start) };
        let name = self.rest().get(..length).unwrap_or("");
        self.at = self.at.saturating_add(length).saturating_add(1);
        // Names have no effect here, so that a sign that no letter table has is let through.
        let letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '$' | '_' | '\\') || !c.is_ascii();
        let inner = |c: char| letter(c) || c.is_ascii_digit() || matches!(c, '{' | '}');
        if !name.starts_with(letter) || !name.chars().all(inner) || self.names.contains(&name) {
            return self.invalid(start);
        }
        self.names.push(name);
        Ok(())
    }

    fn close(&mut self, start: usize) -> Outcome<()> {
        let Some(outer) = self.outer.pop() else { return self.invalid(start) };
        self.end_branches();
        let inner = std::mem::replace(&mut self.group, outer);
        let atom = Atom { start: inner.start, may_be_empty: inner.may_be_empty };
        self.group.push(None);
        if inner.repeatable {
            self.group.push(Some(atom));
        } else {
            self.group.branch_may_be_empty &= inner.may_be_empty;
        }
        Ok(())
    }

    fn alternative(&mut self) -> Outcome<()> {
        self.group.end_branch();
        self.room(2, 1)?;
        let branch = self.group.branch;
        let length = self.ops.len().saturating_sub(branch);
        self.ops.insert(branch, fork(length.saturating_add(2), true));
        self.group.exits.push(self.ops.len());
        self.ops.push(Op::Jump(0));
        self.group.branch = self.ops.len();
        Ok(())
    }

    fn end_branches(&mut self) {
        self.group.end_branch();
        let end = self.ops.len();
        for &exit in &self.group.exits {
            if let Some(op) = self.ops.get_mut(exit) {
                *op = Op::Jump(distance(end.saturating_sub(exit)));
            }
        }
    }

    // ── pieces ──

    /// Makes sure that `count` pieces of `each` steps still fit.
    fn room(&self, count: usize, each: usize) -> Outcome<()> {
        let ops = self.ops.len().saturating_add(count.saturating_mul(each)).saturating_mul(size_of::<Op>());
        if ops.saturating_add(self.set_bytes) > PATTERN_PROGRAM_BYTES {
            return Err(PatternError { fault: PatternFault::TooLarge, span: Span::of(self.source) });
        }
        Ok(())
    }

    fn emit(&mut self, op: Op) -> Outcome<()> {
        self.room(1, 1)?;
        self.ops.push(op);
        Ok(())
    }

    fn atom(&mut self, op: Op) -> Outcome<()> {
        self.group.push(Some(Atom { start: self.ops.len(), may_be_empty: false }));
        self.emit(op)
    }

    fn character(&mut self, point: u32) -> Outcome<()> {
        self.atom(Op::Char(point))
    }

    fn set(&mut self, set: Set) -> Outcome<()> {
        self.set_bytes = self.set_bytes.saturating_add(set.size());
        let number = u16::try_from(self.sets.len()).unwrap_or(u16::MAX);
        self.sets.push(set);
        self.atom(Op::Set(number))
    }

    fn assertion(&mut self, assertion: Assertion) -> Outcome<()> {
        self.group.push(None);
        self.emit(Op::Assert(assertion))
    }

    // ── repeats ──

    /// What stands after a `{` that opens a repeat; nothing is read where it opens none.
    fn braces(&mut self) -> Option<(u32, Option<u32>)> {
        let (inner, _) = text::split_once(self.rest(), "}")?;
        let (least, most) =
            text::split_once(inner, ",").map_or((inner, None), |(least, most)| (least, Some(most)));
        let least = number(least)?;
        let most = match most {
            None => Some(least),
            Some("") => None,
            Some(most) => Some(number(most)?),
        };
        self.at = self.at.saturating_add(inner.len()).saturating_add(1);
        Some((least, most))
    }

    fn repeat(&mut self, start: usize, least: u32, most: Option<u32>) -> Outcome<()> {
        let greedy = !self.eat("?");
        let Some(atom) = self.group.last.take() else { return self.invalid(start) };
        if most.is_some_and(|most| most < least) {
            return self.invalid(start);
        }
        self.group.branch_may_be_empty &= atom.may_be_empty || least == 0;
        if most.unwrap_or(least) > PATTERN_REPEAT {
            self.unsupported(start);
            return Ok(());
        }
        let least = least as usize;
        let extra = most.map(|most| (most as usize).saturating_sub(least));
        let length = self.ops.len().saturating_sub(atom.start);
        // The most steps that a copy can need: its own, a fork, an enter, a leave and a jump.
        self.room(least.saturating_add(extra.unwrap_or(1)), length.saturating_add(4))?;
        let piece = self.ops.get(atom.start..).unwrap_or_default().to_vec();
        self.ops.truncate(atom.start);
        for _ in 0..least {
            self.ops.extend_from_slice(&piece);
        }
        // Past the minimum a repetition that takes nothing does not count.
        let guard = usize::from(atom.may_be_empty);
        let guarded = length.saturating_add(guard).saturating_add(guard);
        match extra {
            Some(extra) => {
                let mut left = extra;
                while left > 0 {
                    self.ops.push(fork(guarded.saturating_add(1).saturating_mul(left), greedy));
                    self.guarded(&piece, atom);
                    left = left.saturating_sub(1);
                }
            }
            None if least > 0 && !atom.may_be_empty => {
                self.ops.push(Op::Fork { other: distance(length).saturating_neg(), next_first: !greedy });
            }
            None => {
                self.ops.push(fork(guarded.saturating_add(2), greedy));
                self.guarded(&piece, atom);
                self.ops.push(Op::Jump(distance(guarded.saturating_add(1)).saturating_neg()));
            }
        }
        Ok(())
    }

    fn guarded(&mut self, piece: &[Op], atom: Atom) {
        if atom.may_be_empty {
            self.ops.push(Op::Enter);
        }
        self.ops.extend_from_slice(piece);
        if atom.may_be_empty {
            self.ops.push(Op::Leave);
        }
    }

    // ── escapes and classes ──

    fn escape(&mut self, start: usize) -> Outcome<()> {
        match self.rest().chars().next() {
            None => return self.invalid(start),
            Some('b') => {
                self.bump();
                return self.assertion(Assertion::Boundary);
            }
            Some('B') => {
                self.bump();
                return self.assertion(Assertion::NoBoundary);
            }
            _ => {}
        }
        match self.member(start)? {
            Member::One(point) => self.character(point),
            Member::Many(ranges) => self.set(Set::new(&ranges, false)),
        }
    }

    /// What stands after a backslash, in a class or outside.
    fn member(&mut self, start: usize) -> Outcome<Member> {
        let before = self.at;
        let Some(c) = self.bump() else { return self.invalid(start) };
        if let Some(ranges) = Set::shorthand(c) {
            return Ok(Member::Many(ranges));
        }
        Ok(Member::One(match c {
            't' => 0x09,
            'n' => 0x0A,
            'v' => 0x0B,
            'f' => 0x0C,
            'r' => 0x0D,
            '0' if !self.rest().starts_with(|c: char| c.is_ascii_digit()) => 0,
            // Back-references, the octal escapes that look like them, and properties.
            '0'..='9' | 'k' | 'p' | 'P' => {
                self.unsupported(start);
                0
            }
            'c' => match self.rest().chars().next().filter(char::is_ascii_alphabetic) {
                Some(letter) => {
                    self.bump();
                    u32::from(letter) & 31
                }
                None => {
                    // The backslash stands for itself, and the `c` is read again.
                    self.at = before;
                    u32::from('\\')
                }
            },
            'x' => self.hex(2).unwrap_or(u32::from(c)),
            'u' => match self.hex(4) {
                Some(high @ 0xD800..0xDC00) => self.low_surrogate(high).unwrap_or(high),
                Some(point) => point,
                None => u32::from(c),
            },
            _ => u32::from(c),
        }))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.rest().get(..digits)?;
        let mut point = 0u32;
        for c in text.chars() {
            point = point.wrapping_mul(16).wrapping_add(c.to_digit(16)?);
        }
        self.at = self.at.saturating_add(digits);
        Some(point)
    }

    fn low_surrogate(&mut self, high: u32) -> Option<u32> {
        let before = self.at;
        if self.eat("\\u")
            && let Some(low @ 0xDC00..0xE000) = self.hex(4)
        {
            return Some(((high & 0x3FF) << 10 | (low & 0x3FF)).saturating_add(0x1_0000));
        }
        self.at = before;
        None
    }

    fn class(&mut self, start: usize) -> Outcome<()> {
        let negated = self.eat("^");
        let mut ranges: Vec<Range> = Vec::new();
        loop {
            if self.eat("]") {
                return self.set(Set::new(&ranges, negated));
            }
            let from = self.at;
            let first = self.class_member(start)?;
            let is_range = self.rest().starts_with(['-']) && !self.rest().starts_with("-]");
            if !is_range {
                add(&mut ranges, first);
                continue;
            }
            self.bump();
            match (first, self.class_member(start)?) {
                (Member::One(low), Member::One(high)) if low <= high => ranges.push((low, high)),
                (Member::One(_), Member::One(_)) => return self.invalid(from),
                (first, second) => {
                    // A range with `\d` or its like at one end is none.
                    add(&mut ranges, first);
                    add(&mut ranges, Member::One(u32::from('-')));
                    add(&mut ranges, second);
                }
            }
        }
    }

    fn class_member(&mut self, class: usize) -> Outcome<Member> {
        let start = self.at;
        match self.bump() {
            None => self.invalid(class),
            Some('\\') if self.eat("b") => Ok(Member::One(0x08)),
            Some('\\') => {
                let digit = |c: char| c.is_ascii_digit() || c == '_';
                if self.rest().starts_with(['c'])
                    && self.rest().get(1..).is_some_and(|rest| rest.starts_with(digit))
                {
                    self.bump();
                    let c = self.bump().unwrap_or('\0');
                    return Ok(Member::One(u32::from(c) & 31));
                }
                self.member(start)
            }
            Some(c) => Ok(Member::One(u32::from(c))),
        }
    }
}

fn add(ranges: &mut Vec<Range>, member: Member) {
    match member {
        Member::One(point) => ranges.push((point, point)),
        Member::Many(more) => ranges.grow(more),
    }
}

/// Decimal digits and nothing else; a number too large to matter is the largest.
fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = text.bytes().map(|byte| u32::from(byte.saturating_sub(b'0')));
    Some(digits.fold(0, |number, digit| number.saturating_mul(10).saturating_add(digit)))
}

fn fork(other: usize, next_first: bool) -> Op {
    Op::Fork { other: distance(other), next_first }
}

/// A length of steps as a jump; the limit of the program keeps it small.
fn distance(steps: usize) -> i32 {
    i32::try_from(steps).unwrap_or(i32::MAX)
}
