//! Globs over the segments of a path, matched in one pass over the path.
//!
//! | piece | accepts |
//! |---|---|
//! | `*` · `?` | a run of characters, one character; never `/` |
//! | `[a-z]` `[!a]` `[^a]` | one character of the class, never `/`; an unclosed `[` is itself |
//! | `{a,b}` | one of the alternatives, nested too; an unclosed `{` is itself |
//! | `**` as a whole segment | any number of segments; `dir/**` takes `dir` as well |
//! | `\c` | c itself |
//!
//! A glob becomes a small program whose states are walked side by side, so no path makes it go back. Names that begin
//! with a dot are names like any other, and case counts.

use crate::order::Gather as _;

/// One instruction; the next one follows unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// One character.
    Char(char),
    /// One character that is no `/`.
    Any,
    /// One character of the class (or none of it), and no `/`.
    Class {
        /// It is one of those that the ranges do not hold.
        negated: bool,
        /// First and last characters.
        ranges: Vec<(char, char)>,
    },
    /// Any character, and this instruction again.
    Everything,
    /// Any character but `/`, and this instruction again.
    Run,
    /// Goes on here as well as at that place.
    Split(usize),
    /// Goes on at that place.
    Jump(usize),
}

/// Whether the whole of `path` is accepted.
pub fn accepts(glob: &str, path: &str) -> bool {
    run(&compile(glob), path)
}

/// Whether a program accepts the whole of a text.
pub fn run(program: &[Op], text: &str) -> bool {
    let mut states = States::new(program);
    states.enter(0);
    for c in text.chars() {
        if states.list.is_empty() {
            return false;
        }
        states.step(c);
    }
    states.list.contains(&program.len())
}

/// The states that a prefix of the path leads to.
struct States<'p> {
    program: &'p [Op],
    list: Vec<usize>,
    seen: Vec<bool>,
}

impl<'p> States<'p> {
    fn new(program: &'p [Op]) -> Self {
        Self { program, list: vec![], seen: vec![false; program.len().saturating_add(1)] }
    }

    /// Adds a state and those that it leads to without a character.
    fn enter(&mut self, state: usize) {
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let Some(seen) = self.seen.get_mut(state).filter(|seen| !**seen) else { continue };
            *seen = true;
            let next = state.saturating_add(1);
            match self.program.get(state) {
                Some(Op::Split(other)) => {
                    open.push(next);
                    open.push(*other);
                }
                Some(Op::Jump(other)) => open.push(*other),
                Some(Op::Everything | Op::Run) => {
                    self.list.push(state);
                    open.push(next);
                }
                _ => self.list.push(state),
            }
        }
    }

    fn step(&mut self, c: char) {
        let before = core::mem::take(&mut self.list);
        self.seen.fill(false);
        for state in before {
            if let Some(next) = self.program.get(state).and_then(|op| op.step(state, c)) {
                self.enter(next);
            }
        }
    }
}

impl Op {
    /// Where the instruction at `state` goes with a character, if it takes it.
    pub fn step(&self, state: usize, c: char) -> Option<usize> {
        let (accepted, stays) = match self {
            Self::Char(wanted) => (*wanted == c, false),
            Self::Any => (c != '/', false),
            Self::Class { negated, ranges } => {
                let inside = ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
                (c != '/' && inside != *negated, false)
            }
            Self::Everything => (true, true),
            Self::Run => (c != '/', true),
            Self::Split(_) | Self::Jump(_) => (false, false),
        };
        accepted.then(|| if stays { state } else { state.saturating_add(1) })
    }
}

/// An open `{`: where its current alternative began to split, and the jumps to its end.
struct Braces {
    split: usize,
    jumps: Vec<usize>,
}

/// The program of a glob.
pub fn compile(glob: &str) -> Vec<Op> {
    let chars = glob.chars().gather();
    let closes = closing_braces(&chars);
    let mut program: Vec<Op> = Vec::with_capacity(chars.len());
    let mut open: Vec<Braces> = vec![];
    let mut at = 0usize;
    while let Some(c) = chars.get(at).copied() {
        let rest = chars.get(at..).unwrap_or_default();
        let starts_segment = at == 0 || chars.get(at.wrapping_sub(1)) == Some(&'/');
        at = at.saturating_add(1);
        match (c, rest) {
            ('/', ['/', '*', '*']) => {
                // The directory itself, or anything below it.
                optional(&mut program, Op::Char('/'), Op::Everything);
                at = at.saturating_add(2);
            }
            ('*', ['*', '*', '/', ..]) if starts_segment => {
                optional(&mut program, Op::Everything, Op::Char('/'));
                at = at.saturating_add(2);
            }
            ('*', ['*', '*']) if starts_segment => {
                program.push(Op::Everything);
                at = at.saturating_add(1);
            }
            ('*', _) => {
                if !matches!(program.last(), Some(Op::Run)) {
                    program.push(Op::Run);
                }
            }
            ('?', _) => program.push(Op::Any),
            ('[', _) => match class(rest) {
                Some((class, length)) => {
                    program.push(class);
                    at = at.saturating_add(length).saturating_sub(1);
                }
                None => program.push(Op::Char('[')),
            },
            ('{', _) if closes.get(at.saturating_sub(1)) == Some(&true) => {
                open.push(Braces { split: program.len(), jumps: vec![] });
                program.push(Op::Split(0));
            }
            (',', _) if !open.is_empty() => {
                let jump = program.len();
                program.push(Op::Jump(0));
                program.push(Op::Split(0));
                let split = jump.saturating_add(1);
                if let Some(braces) = open.last_mut() {
                    patch(&mut program, braces.split, split);
                    braces.split = split;
                    braces.jumps.push(jump);
                }
            }
            ('}', _) if !open.is_empty() => {
                if let Some(braces) = open.pop() {
                    // The last alternative splits to nowhere: to itself.
                    patch(&mut program, braces.split, braces.split.saturating_add(1));
                    let end = program.len();
                    for jump in &braces.jumps {
                        patch(&mut program, *jump, end);
                    }
                }
            }
            ('\\', ['\\', escaped, ..]) => {
                program.push(Op::Char(*escaped));
                at = at.saturating_add(1);
            }
            _ => program.push(Op::Char(c)),
        }
    }
    program
}

/// Two instructions one behind the other, or none.
#[inline(never)]
pub(super) fn optional(program: &mut Vec<Op>, first: Op, second: Op) {
    program.push(Op::Split(program.len().saturating_add(3)));
    program.push(first);
    program.push(second);
}

fn patch(program: &mut [Op], at: usize, to: usize) {
    if let Some(Op::Split(place) | Op::Jump(place)) = program.get_mut(at) {
        *place = to;
    }
}

/// For each place, whether it is a `{` that a `}` closes.
fn closing_braces(chars: &[char]) -> Vec<bool> {
    let mut open: Vec<usize> = vec![];
    let mut closed = vec![false; chars.len()];
    let mut escaped = false;
    for (at, c) in chars.iter().enumerate() {
        match c {
            _ if escaped => {}
            '{' => open.push(at),
            '}' => {
                if let Some(closed) = open.pop().and_then(|at| closed.get_mut(at)) {
                    *closed = true;
                }
            }
            _ => {}
        }
        escaped = *c == '\\' && !escaped;
    }
    closed
}

/// The class that `rest` begins with, and how many characters it takes.
fn class(rest: &[char]) -> Option<(Op, usize)> {
    let negated = matches!(rest.get(1), Some('!' | '^'));
    let start = if negated { 2usize } else { 1 };
    let mut ranges = vec![];
    let mut at = start;
    loop {
        let first = *rest.get(at)?;
        if first == ']' && at > start {
            return Some((Op::Class { negated, ranges }, at.saturating_add(1)));
        }
        if first == '/' {
            return None;
        }
        match (rest.get(at.saturating_add(1)), rest.get(at.saturating_add(2))) {
            (Some('-'), Some(last)) if *last != ']' => {
                ranges.push((first, *last));
                at = at.saturating_add(3);
            }
            _ => {
                ranges.push((first, first));
                at = at.saturating_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(glob: &str, path: &str, expected: bool) {
        assert_eq!(accepts(glob, path), expected, "{glob:?} on {path:?}");
    }

    #[test]
    fn within_a_segment() {
        check("a*c", "abbc", true);
        check("a*c", "a/c", false);
        check("*.ts", ".ts", true);
        check("?.ts", "a.ts", true);
        check("?.ts", "/.ts", false);
        check("[a-c]x", "bx", true);
        check("[!a-c]x", "bx", false);
        check("[^a]x", "/x", false);
        check("[]]x", "]x", true);
        check("[ax", "[ax", true);
        check(r"\*", "*", true);
        check(r"\*", "a", false);
        check("A", "a", false);
        check("", "", true);
    }

    #[test]
    fn alternatives() {
        check("*.{js,ts}", "a.ts", true);
        check("*.{js,ts}", "a.tsx", false);
        check("{a,b{c,d}}x", "bdx", true);
        check("{a,b{c,d}}x", "bx", false);
        check("{a,}x", "x", true);
        check("{a}", "a", true);
        check("{a", "{a", true);
        check("a,b}", "a,b}", true);
    }

    #[test]
    fn across_segments() {
        check("**", "", true);
        check("**", "a/b", true);
        check("src/**", "src", true);
        check("src/**", "src/a/b", true);
        check("src/**", "srcs", false);
        check("**/.env", ".env", true);
        check("**/.env", "a/b/.env", true);
        check("**/.env", "a.env", false);
        check("src/**/*.ts", "src/a.ts", true);
        check("src/**/*.ts", "src/x/y/a.ts", true);
        check("src/**/*.ts", "srca.ts", false);
        check("a**b", "a/b", false);
        check("a**b", "axb", true);
    }

    proptest! {
        #[test]
        fn never_fails(glob in "[ab*?/{},!\\[\\]\\\\-]{0,30}", path in "[ab/.]{0,30}") {
            accepts(&glob, &path);
        }

        #[test]
        fn a_plain_path_accepts_itself(path in "[ab./-]{0,20}") {
            prop_assert!(accepts(&path, &path));
        }
    }
}
