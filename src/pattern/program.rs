//! The compiled form of an expression: a list of small steps, all jumps relative, so that a piece can be copied.

use super::set::Set;

/// One step. The next step is the one that follows, unless the step says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Takes this code point.
    Char(u32),
    /// Takes a character of the set with this number.
    Set(u16),
    /// Goes on only where the assertion holds.
    Assert(Assertion),
    /// Goes on at this distance.
    Jump(i32),
    /// Goes on both at the next step and at `other`; `next_first` tells which is preferred.
    Fork { other: i32, next_first: bool },
    /// Enters a repeated piece that could match nothing.
    Enter,
    /// Leaves that piece, but not where it was entered: a repetition past the minimum must take something.
    Leave,
    /// The whole expression has matched.
    Match,
}

/// A condition on a place between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    TextStart,
    TextEnd,
    Boundary,
    NoBoundary,
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) sets: Vec<Set>,
    /// For each step how many pieces of `Enter` and `Leave` it stands in, and the number of its first state: a step
    /// in `n` pieces has a state for each number of them, counted from outside, that were entered further left.
    steps: Vec<(u32, u32)>,
    /// The number of all states.
    pub(super) states: usize,
    /// Which ASCII characters a match can begin with (every other character may); none where it may be empty.
    first: Option<[bool; 128]>,
}

impl Program {
    pub(super) fn new(ops: Vec<Op>, sets: Vec<Set>) -> Self {
        let mut steps = Vec::with_capacity(ops.len());
        let mut states = 0u32;
        let mut depth = 0u32;
        for op in &ops {
            // An `Enter` stands outside of its piece, a `Leave` inside.
            steps.push((depth, states));
            states = states.saturating_add(depth).saturating_add(1);
            match op {
                Op::Enter => depth = depth.saturating_add(1),
                Op::Leave => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let mut program = Self { ops, sets, steps, states: states as usize, first: None };
        program.first = program.first_characters();
        program
    }

    /// Bytes that the program and its states take.
    pub(super) fn size(&self) -> usize {
        let sets = self.sets.iter().fold(0usize, |sum, set| sum.saturating_add(set.size()));
        let ops = self.ops.len().saturating_mul(size_of::<Op>());
        ops.saturating_add(sets).saturating_add(self.states.saturating_mul(size_of::<u32>()))
    }

    /// In how many pieces that could match nothing the step stands.
    pub(super) fn depth(&self, pc: usize) -> u32 {
        self.steps.get(pc).map_or(0, |step| step.0)
    }

    /// The number of the step's state in which the outer `level` pieces were entered further left.
    pub(super) fn state(&self, pc: usize, level: u32) -> usize {
        self.steps.get(pc).map_or(usize::MAX, |step| step.1.saturating_add(level) as usize)
    }

    /// Whether the step takes `point`.
    pub(super) fn takes(&self, op: Op, point: u32) -> bool {
        match op {
            Op::Char(own) => own == point,
            Op::Set(number) => self.sets.get(usize::from(number)).is_some_and(|set| set.contains(point)),
            _ => false,
        }
    }

    /// The first place at or after `from` where a match could begin.
    pub(super) fn candidate(&self, text: &str, from: usize) -> Option<usize> {
        let Some(first) = &self.first else { return Some(from) };
        let rest = text.as_bytes().get(from..)?;
        // A byte past ASCII is found where its character starts, as all before it is ASCII or a skipped whole.
        let ahead = rest.iter().position(|&byte| first.get(usize::from(byte)).is_none_or(|may| *may))?;
        from.checked_add(ahead)
    }

    fn first_characters(&self) -> Option<[bool; 128]> {
        let mut first = [false; 128];
        let mut seen = vec![false; self.ops.len()];
        let mut open = vec![0usize];
        while let Some(pc) = open.pop() {
            let (Some(op), Some(seen)) = (self.ops.get(pc), seen.get_mut(pc)) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            match *op {
                Op::Match => return None,
                Op::Jump(distance) => open.push(target(pc, distance)),
                Op::Fork { other, .. } => open.extend([target(pc, 1), target(pc, other)]),
                Op::Assert(_) | Op::Enter | Op::Leave => open.push(target(pc, 1)),
                Op::Char(_) | Op::Set(_) => {
                    for (point, slot) in (0u32..).zip(first.iter_mut()) {
                        *slot |= self.takes(*op, point);
                    }
                }
            }
        }
        Some(first)
    }
}

/// The step at `distance` from `pc`; a distance that leads nowhere gives a step that no program has.
pub(super) fn target(pc: usize, distance: i32) -> usize {
    pc.checked_add_signed(distance as isize).unwrap_or(usize::MAX)
}
