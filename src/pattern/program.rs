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
    /// What the first characters of a match are, each from a set; none where a match may be empty.
    lead: Vec<Ascii>,
    /// What the place where a match begins has to be.
    start: Option<Assertion>,
    /// Every match has a character of each of these sets.
    needs: Vec<Ascii>,
    /// Every match has characters of these sets side by side.
    factor: Vec<Ascii>,
}

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ascii([u64; 2]);

impl Ascii {
    /// The ASCII characters of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut set = Self::default();
        for byte in text.bytes() {
            set.add(byte);
        }
        set
    }

    fn add(&mut self, byte: u8) {
        if let Some(half) = self.0.get_mut(usize::from(byte >> 6)) {
            *half |= 1 << (byte & 63);
        }
    }

    /// Whether it has the byte; every byte past ASCII counts as one that it has.
    fn may_have(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte >> 6)).is_none_or(|half| half >> (byte & 63) & 1 == 1)
    }

    /// How many characters it rules out.
    fn selects(&self) -> u32 {
        self.0.iter().fold(0, |sum, half| half.count_zeros().saturating_add(sum))
    }

    fn meets(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.0, other.0);
        (a & c) | (b & d) != 0
    }
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
        let mut program = Self {
            ops,
            sets,
            steps,
            states: states as usize,
            lead: Vec::new(),
            start: None,
            needs: Vec::new(),
            factor: Vec::new(),
        };
        program.lead = program.leading(0);
        if let Some(Op::Assert(assertion @ (Assertion::TextStart | Assertion::Boundary))) =
            program.ops.first()
        {
            program.start = Some(*assertion);
        }
        (program.needs, program.factor) = program.needed();
        program
    }

    #[cfg(test)]
    pub(super) fn without_shortcuts(&self) -> Self {
        Self { lead: Vec::new(), start: None, needs: Vec::new(), factor: Vec::new(), ..self.clone() }
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

    /// Whether a text with these characters can have a match.
    pub(super) fn fits(&self, text: &str, characters: &Ascii) -> bool {
        self.needs.iter().all(|need| need.meets(characters)) && self.has_factor(text.as_bytes())
    }

    fn has_factor(&self, bytes: &[u8]) -> bool {
        let Some(first) = self.factor.first() else { return true };
        let mut rest = bytes;
        while let Some(found) = rest.iter().position(|byte| first.may_have(*byte)) {
            rest = rest.get(found..).unwrap_or_default();
            if leads(&self.factor, rest) {
                return true;
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        false
    }

    /// The first place at or after `from` where a match could begin.
    pub(super) fn candidate(&self, text: &str, from: usize) -> Option<usize> {
        let Some(first) = self.lead.first() else { return Some(from) };
        if self.start == Some(Assertion::TextStart) && from > 0 {
            return None;
        }
        // A byte past ASCII is found where its character starts, as all before it is ASCII or skipped whole.
        let ahead = |byte: &u8| first.may_have(*byte);
        let mut at = from;
        loop {
            let found = text.as_bytes().get(at..)?.iter().position(ahead)?;
            at = at.saturating_add(found);
            if self.may_begin(text, at) {
                return Some(at);
            }
            at = at.saturating_add(1);
        }
    }

    /// Whether a match could begin at this place.
    pub(super) fn may_begin(&self, text: &str, at: usize) -> bool {
        if self.lead.is_empty() {
            return true;
        }
        let bytes = text.as_bytes();
        let rest = bytes.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
        let starts = match self.start {
            Some(Assertion::TextStart) => before.is_none(),
            Some(Assertion::Boundary) => {
                before.is_some_and(is_word) != rest.first().copied().is_some_and(is_word)
            }
            _ => true,
        };
        starts && leads(&self.lead, rest)
    }

    /// The sets of the steps that no way to the end leads past, and those that stand from one of them on. A way goes on
    /// step by step but where it jumps ahead, so these are the steps that no jump leads over.
    fn needed(&self) -> (Vec<Ascii>, Vec<Ascii>) {
        let mut needs = Vec::new();
        let (mut best, mut factor) = (0, Vec::new());
        let mut reached = 0usize;
        for (pc, op) in self.ops.iter().enumerate() {
            match *op {
                Op::Jump(distance) | Op::Fork { other: distance, .. } => {
                    reached = reached.max(target(pc, distance));
                }
                Op::Char(_) | Op::Set(_) if reached <= pc && needs.len() < NEEDS => {
                    let (ascii, only) = self.ascii_of(*op);
                    if only {
                        needs.push(ascii);
                        let here = self.leading(pc);
                        let mut selects = 0u32;
                        for set in &here {
                            selects = selects.saturating_add(set.selects());
                        }
                        if selects > best {
                            (best, factor) = (selects, here);
                        }
                    }
                }
                _ => {}
            }
        }
        (needs, factor)
    }

    /// The ASCII characters that a step takes, and whether these are all.
    fn ascii_of(&self, op: Op) -> (Ascii, bool) {
        let mut ascii = Ascii::default();
        let mut only = true;
        let mut add = |low: u32, high: u32| {
            only &= high < 128;
            for byte in 0..128u8 {
                if (low..=high).contains(&u32::from(byte)) {
                    ascii.add(byte);
                }
            }
        };
        match op {
            Op::Char(point) => add(point, point),
            Op::Set(number) => {
                let ranges = self.sets.get(usize::from(number)).map(Set::ranges).unwrap_or_default();
                for (low, high) in ranges {
                    add(*low, *high);
                }
            }
            _ => {}
        }
        (ascii, only)
    }

    /// The sets of the characters from the step `pc` on, as far as there are not too many ways.
    fn leading(&self, pc: usize) -> Vec<Ascii> {
        let mut lead = Vec::new();
        let mut open = vec![pc];
        while lead.len() < LEAD {
            let Some(waiting) = self.waiting(open) else { break };
            let mut set = Ascii::default();
            open = Vec::new();
            for (pc, op) in waiting {
                let (ascii, _) = self.ascii_of(op);
                set.0 = [set.0[0] | ascii.0[0], set.0[1] | ascii.0[1]];
                open.push(target(pc, 1));
            }
            lead.push(set);
        }
        lead
    }

    /// The steps that wait for a character behind `open`; none where one of the ways ends, or there are too many.
    fn waiting(&self, mut open: Vec<usize>) -> Option<Vec<(usize, Op)>> {
        let mut seen: Vec<usize> = Vec::new();
        let mut waiting = Vec::new();
        while let Some(pc) = open.pop() {
            if seen.contains(&pc) {
                continue;
            }
            seen.push(pc);
            match *self.ops.get(pc)? {
                Op::Match => return None,
                Op::Jump(distance) => open.push(target(pc, distance)),
                Op::Fork { other, .. } => {
                    open.push(target(pc, 1));
                    open.push(target(pc, other));
                }
                Op::Assert(_) | Op::Enter | Op::Leave => open.push(target(pc, 1)),
                op @ (Op::Char(_) | Op::Set(_)) => waiting.push((pc, op)),
            }
            if seen.len() > WAYS {
                return None;
            }
        }
        Some(waiting)
    }
}

/// Whether the sets have the bytes one by one, up to a byte past ASCII.
fn leads(sets: &[Ascii], bytes: &[u8]) -> bool {
    for (place, set) in sets.iter().enumerate() {
        match bytes.get(place) {
            Some(byte) if !byte.is_ascii() => return true,
            Some(byte) if set.may_have(*byte) => {}
            _ => return false,
        }
    }
    true
}

/// More leading sets rule out few places more.
const LEAD: usize = 5;

/// More steps are not followed to find a lead.
const WAYS: usize = 64;

/// More sets than these rule out few texts more.
const NEEDS: usize = 16;

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The step at `distance` from `pc`; a distance that leads nowhere gives a step that no program has.
pub(super) fn target(pc: usize, distance: i32) -> usize {
    pc.checked_add_signed(distance as isize).unwrap_or(usize::MAX)
}
