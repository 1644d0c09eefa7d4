//! Runs a program over a text: all readings at once, in order of preference.
//!
//! A thread is a step that waits for a character, and the place where its match began. The list of threads is kept
//! in order of preference; a state that is reached twice at one place is followed once, by the preferred thread, so
//! that the work at one place is bounded by the number of states.
//!
//! A state is a step and a level: how many of the repeated pieces around it, counted from outside, were entered
//! further left. The others were entered at this very place, and cannot be left here, as ECMAScript has it. (A piece
//! inside another is never entered before it, so that one number tells all of them.) Taking a character moves to the
//! right of where all pieces were entered, so that waiting steps need no level.

use super::program::{Assertion, Op, Program, target};
use crate::span::Span;

pub(super) fn find(program: &Program, text: &str) -> Option<Span> {
    let mut at = program.candidate(text, 0)?;
    let mut walk = Walk::new(program);
    let mut here: Vec<Thread> = Vec::new();
    let mut next: Vec<Thread> = Vec::new();
    let mut found = None;
    loop {
        if here.is_empty() {
            if found.is_some() {
                return found;
            }
            at = program.candidate(text, at)?;
            walk.mark = walk.mark.saturating_add(1);
        }
        let place = Place::of(text, at);
        if found.is_none() && program.may_begin(text, at) {
            walk.follow(0, at, &place, &mut here);
        }
        walk.mark = walk.mark.saturating_add(1);
        let after = place.next.map(|c| (c, at.saturating_add(c.len_utf8())));
        let ahead = after.map(|(_, to)| Place::of(text, to));
        for thread in &here {
            let Some(&op) = program.ops.get(thread.pc) else { continue };
            if op == Op::Match {
                // All that follows in the list is less preferred, and all that begins later is further right.
                found = Some(Span::new(thread.start, at));
                break;
            }
            if let (Some((c, _)), Some(ahead)) = (after, &ahead)
                && program.takes(op, u32::from(c))
            {
                walk.follow(target(thread.pc, 1), thread.start, ahead, &mut next);
            }
        }
        let Some((_, to)) = after else { return found };
        here.clear();
        std::mem::swap(&mut here, &mut next);
        at = to;
    }
}

struct Thread {
    pc: usize,
    start: usize,
}

/// A place between two characters.
struct Place {
    prev: Option<char>,
    next: Option<char>,
}

impl Place {
    fn of(text: &str, at: usize) -> Self {
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        Self { prev: before.chars().next_back(), next: after.chars().next() }
    }

    fn holds(&self, assertion: Assertion) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let boundary = is_word(self.prev) != is_word(self.next);
        match assertion {
            Assertion::TextStart => self.prev.is_none(),
            Assertion::TextEnd => self.next.is_none(),
            Assertion::Boundary => boundary,
            Assertion::NoBoundary => !boundary,
        }
    }
}

/// Follows the steps that take no character.
struct Walk<'p> {
    program: &'p Program,
    /// For each state the mark of the place where it was last followed.
    seen: Vec<u32>,
    mark: u32,
    todo: Vec<(usize, u32)>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        Self { program, seen: vec![0; program.states], mark: 0, todo: Vec::new() }
    }

    fn follow(&mut self, pc: usize, start: usize, place: &Place, list: &mut Vec<Thread>) {
        self.todo.push((pc, self.program.depth(pc)));
        while let Some((pc, level)) = self.todo.pop() {
            self.chain(pc, level, start, place, list);
        }
    }

    /// One way to its end; what branches off is put on the list of things to do.
    fn chain(&mut self, mut pc: usize, mut level: u32, start: usize, place: &Place, list: &mut Vec<Thread>) {
        while let Some(&op) = self.program.ops.get(pc) {
            let waits = matches!(op, Op::Char(_) | Op::Set(_) | Op::Match);
            let state = self.program.state(pc, if waits { 0 } else { level });
            let Some(seen) = self.seen.get_mut(state) else { return };
            if std::mem::replace(seen, self.mark) == self.mark {
                return;
            }
            let next = target(pc, 1);
            pc = match op {
                _ if waits => return list.push(Thread { pc, start }),
                Op::Jump(distance) => target(pc, distance),
                Op::Fork { other, next_first } => {
                    let other = target(pc, other);
                    let (preferred, second) = if next_first { (next, other) } else { (other, next) };
                    self.todo.push((second, level));
                    preferred
                }
                Op::Assert(assertion) if !place.holds(assertion) => return,
                Op::Leave => {
                    let outside = self.program.depth(pc).saturating_sub(1);
                    if level <= outside {
                        return;
                    }
                    level = outside;
                    next
                }
                _ => next,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::compile::compile;
    use super::*;

    proptest! {
        #[test]
        fn what_is_ruled_out_does_not_match(source in r"[ab]?(?:\\b|\^|\\B|\$|)(?:a|b|é|\.|\[ab\]|\(a\|b\)|\(\?:ab\|b\)\*|a\?|\\w\+|\\s|-|\|){1,6}", text in "[abé -]{0,12}") {
            if let Ok(program) = compile(&source) {
                let slowly = find(&program.without_shortcuts(), &text);
                let fits = program.fits(&text, &super::super::program::Ascii::of(&text));
                prop_assert_eq!(if fits { find(&program, &text) } else { None }, slowly, "{} {}", source, text);
            }
        }
    }
}
