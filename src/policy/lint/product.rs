//! The shortest text that some programs accept and others do not: a walk through the product of their states.
//!
//! A program is in a set of states at once, one bit each, so the product is deterministic; it is walked in breadth over the
//! characters that occur in the programs, and one for all others. The first text that is found is therefore the shortest,
//! and of those the first by character: a to z, 0 to 9, then by code point.
//!
//! Limits: `limits::LINT_STATES` states of one product, and what is left of `limits::LINT_WORK` for all of them.

use super::texts::Texts;
use crate::limits;
use crate::order::{self, Gather as _};
use crate::rule::language::Op;

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The shortest text.
    Text(String),
    /// There is none.
    Nothing,
    /// A limit came first.
    TooLarge,
}

/// A program, and whether it has to accept the text.
pub(super) type Part<'l> = (&'l [Op], bool);

/// Finds the shortest text of `texts` that every part accepts or refuses as it has to. `work` is what is left to be done.
pub(super) fn shortest(parts: &[Part<'_>], texts: Texts, work: &mut usize) -> Found {
    let alphabet = alphabet(parts, texts);
    let mut offsets = vec![];
    let mut stride = 1usize;
    for (ops, _) in parts {
        offsets.push(stride);
        // One bit for each instruction, and one for the end.
        stride = stride.saturating_add((ops.len() >> 6).saturating_add(1));
    }
    let mut walk = Walk { parts, offsets, texts, rows: vec![], stride, slots: vec![NONE; 64], from: vec![] };
    let mut row = walk.start();
    // What all texts begin with is gone through once, without trying other characters.
    let mut head = String::new();
    if let Some((ops, true)) = parts.first() {
        for op in *ops {
            let Op::Char(c) = op else { break };
            row = walk.step(&row, *c);
            head.push(*c);
            *work = work.saturating_sub(stride);
            if states_of(&row) == 0 {
                return Found::Nothing;
            }
        }
    }
    if !walk.is_alive(&row) {
        return Found::Nothing;
    }
    if walk.accepts(&row) {
        return Found::Text(head);
    }
    walk.add(&row, (NONE, '\0'));
    let mut at = 0usize;
    while at < walk.from.len() {
        let row = walk.row(at).to_vec();
        for c in &alphabet {
            let Some(left) = work.checked_sub(stride) else { return Found::TooLarge };
            *work = left;
            let next = walk.step(&row, *c);
            if walk.is_alive(&next) && walk.add(&next, (at, *c)) && walk.accepts(&next) {
                let mut tail = vec![];
                let mut last = walk.from.last().copied();
                while let Some((before, c)) = last.filter(|(before, _)| *before != NONE) {
                    tail.push(c);
                    last = walk.from.get(before).copied();
                }
                for c in tail.into_iter().rev() {
                    head.push(c);
                }
                return Found::Text(head);
            }
        }
        if walk.from.len() > limits::LINT_STATES {
            return Found::TooLarge;
        }
        at = at.saturating_add(1);
    }
    Found::Nothing
}

const NONE: usize = usize::MAX;

/// What has been reached.
struct Walk<'w> {
    parts: &'w [Part<'w>],
    /// Where the bits of each part begin in a row.
    offsets: Vec<usize>,
    texts: Texts,
    /// Every row that was reached, one behind the other: the states of the texts, then of each part.
    rows: Vec<u64>,
    stride: usize,
    /// Places of rows by their digest; the next free one where it is taken.
    slots: Vec<usize>,
    /// From which row, by which character.
    from: Vec<(usize, char)>,
}

impl Walk<'_> {
    fn start(&self) -> Vec<u64> {
        let mut row = vec![0; self.stride];
        if let Some(states) = row.first_mut() {
            *states = Texts::START.into();
        }
        for ((ops, _), offset) in self.parts.iter().zip(&self.offsets) {
            enter(ops, &mut row, *offset, 0);
        }
        row
    }

    fn row(&self, at: usize) -> &[u64] {
        let start = at.saturating_mul(self.stride);
        self.rows.get(start..start.saturating_add(self.stride)).unwrap_or_default()
    }

    fn step(&self, row: &[u64], c: char) -> Vec<u64> {
        let mut next = vec![0; self.stride];
        if let Some(states) = next.first_mut() {
            *states = self.texts.step(states_of(row), c).into();
        }
        for ((ops, _), offset) in self.parts.iter().zip(&self.offsets) {
            for (word, bits) in row.get(*offset..).unwrap_or_default().iter().take((ops.len() >> 6).saturating_add(1)).enumerate() {
                let mut left = *bits;
                while left != 0 {
                    let state = (word << 6) | usize::try_from(left.trailing_zeros()).unwrap_or_default();
                    left &= left.wrapping_sub(1);
                    if let Some(to) = ops.get(state).and_then(|op| op.step(state, c)) {
                        enter(ops, &mut next, *offset, to);
                    }
                }
            }
        }
        next
    }

    /// Whether a text that goes on from here may be one that is sought.
    fn is_alive(&self, row: &[u64]) -> bool {
        let alive = |((ops, wanted), offset): (&Part<'_>, &usize)| {
            let last = ops.len().saturating_sub(1);
            if *wanted {
                let words = row.get(*offset..).unwrap_or_default().iter().take((ops.len() >> 6).saturating_add(1));
                words.copied().any(|word| word != 0)
            } else {
                // Behind it everything is accepted.
                !(ops.last() == Some(&Op::Everything) && has(row, *offset, last))
            }
        };
        states_of(row) != 0 && self.parts.iter().zip(&self.offsets).all(alive)
    }

    fn accepts(&self, row: &[u64]) -> bool {
        self.texts.ends(states_of(row))
            && self.parts.iter().zip(&self.offsets).all(|((ops, wanted), offset)| has(row, *offset, ops.len()) == *wanted)
    }

    /// Adds a row; whether it is new.
    fn add(&mut self, row: &[u64], from: (usize, char)) -> bool {
        if self.from.len().saturating_mul(2) >= self.slots.len() {
            let slots = vec![NONE; self.slots.len().saturating_mul(4)];
            self.slots = slots;
            for at in 0..self.from.len() {
                let slot = self.slot(self.row(at));
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = at;
                }
            }
        }
        let slot = self.slot(row);
        let Some(slot) = self.slots.get_mut(slot).filter(|slot| **slot == NONE) else { return false };
        *slot = self.from.len();
        self.rows.extend_from_slice(row);
        self.from.push(from);
        true
    }

    /// The slot that a row stands in, or would.
    fn slot(&self, row: &[u64]) -> usize {
        let mask = self.slots.len().saturating_sub(1);
        let mut digest = 0u64;
        for word in row {
            digest = (digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        let mut slot = usize::try_from(digest & 0xFFFF_FFFF).unwrap_or_default() & mask;
        while let Some(at) = self.slots.get(slot).filter(|at| **at != NONE)
            && self.row(*at) != row
        {
            slot = slot.wrapping_add(1) & mask;
        }
        slot
    }
}

fn states_of(row: &[u64]) -> u32 {
    row.first().and_then(|states| u32::try_from(*states).ok()).unwrap_or_default()
}

fn has(row: &[u64], offset: usize, state: usize) -> bool {
    row.get(offset.saturating_add(state >> 6)).is_some_and(|word| word >> (state & 63) & 1 == 1)
}

/// Enters a state, and those that it leads to without a character.
fn enter(ops: &[Op], row: &mut [u64], offset: usize, state: usize) {
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        if has(row, offset, state) {
            continue;
        }
        if let Some(word) = row.get_mut(offset.saturating_add(state >> 6)) {
            *word |= 1 << (state & 63);
        }
        let next = state.saturating_add(1);
        match ops.get(state) {
            Some(Op::Split(other)) => open.extend([next, *other]),
            Some(Op::Jump(other)) => open.push(*other),
            Some(Op::Everything | Op::Run) => open.push(next),
            _ => {}
        }
    }
}

/// The characters that the parts and texts tell apart, and one that stands for all others, in the order in which they are
/// tried.
fn alphabet(parts: &[Part<'_>], texts: Texts) -> Vec<char> {
    let mut occurring = texts.characters().chars().gather();
    let mut ranges: Vec<(char, char)> = vec![];
    for (ops, _) in parts {
        for op in *ops {
            match op {
                Op::Char(c) => occurring.push(*c),
                Op::Any | Op::Run => occurring.push('/'),
                Op::Class { ranges: own, .. } => {
                    occurring.push('/');
                    ranges.extend_from_slice(own);
                }
                Op::Everything | Op::Split(_) | Op::Jump(_) => {}
            }
        }
    }
    let mut occurring = order::sort(occurring, |a, b| rank(*a).cmp(&rank(*b)));
    occurring.dedup();
    let mut all = occurring.clone();
    // Where a range begins or has ended, the first character from there on that does not occur by itself.
    for (first, last) in &ranges {
        for start in [Some(*first), after(*last)] {
            let mut at = start;
            while let Some(c) = at.filter(|c| occurring.contains(c)) {
                at = after(c);
            }
            if let Some(c) = at {
                all.push(c);
            }
        }
    }
    let free = |c: &char| !occurring.contains(c) && !ranges.iter().any(|(first, last)| (*first..=*last).contains(c));
    let others = ('a'..='z').chain('0'..='9').chain('!'..=char::MAX);
    all.extend({ others }.find(free));
    let mut all = order::sort(all, |a, b| rank(*a).cmp(&rank(*b)));
    all.dedup();
    all
}

fn after(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}

/// The place of a character among others.
fn rank(c: char) -> (u8, char) {
    let group = match c {
        'a'..='z' => 0,
        '0'..='9' => 1,
        _ => 2,
    };
    (group, c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::language::Language;
    use crate::rule::{Matcher, brace_glob};

    fn of(content: &str) -> Language {
        Language::of(&Matcher::of_content(content), false).unwrap()
    }

    #[track_caller]
    fn check(yes: &[&str], no: &[&str], texts: Texts, expected: Option<&str>) {
        let languages: Vec<(Language, bool)> =
            yes.iter().map(|rule| (of(rule), true)).chain(no.iter().map(|rule| (of(rule), false))).collect();
        let parts: Vec<Part<'_>> = languages.iter().map(|(language, wanted)| (language.ops.as_slice(), *wanted)).collect();
        let expected = expected.map_or(Found::Nothing, |text| Found::Text(text.into()));
        assert_eq!(shortest(&parts, texts, &mut 1_000_000), expected, "{yes:?} {no:?}");
    }

    #[test]
    fn finds_the_first_of_the_shortest() {
        check(&["rm "], &[], Texts::Command, Some("rm a"));
        check(&["git log -p"], &[], Texts::Any, Some("git log -p"));
        check(&["git log"], &["git log -p"], Texts::Any, Some("git log"));
        check(&["git log -p"], &["git log"], Texts::Any, None);
        check(&["a * b"], &["a ** b"], Texts::Any, None);
        check(&["* --force", "git "], &[], Texts::Command, Some("git --force"));
        check(&["*aa*", "*b"], &[], Texts::Any, Some("aab"));
        check(&["npm run * --watch"], &["npm run "], Texts::Any, None);
        check(&["ab", "b"], &[], Texts::Any, None);
        check(&["a"], &["a", "b"], Texts::Any, None);
        check(&["npm ci && npm test"], &[], Texts::Command, None);
        check(&["curl * | sh"], &[], Texts::Command, None);
        check(&["echo * && ls *"], &[], Texts::Command, Some("echo \" && ls \""));
        check(&["grep \"a|b\" "], &[], Texts::Command, Some("grep \"a|b\" a"));
        check(&[" ls"], &[], Texts::Command, None);
        check(&["secret/x/"], &[], Texts::Path, Some("secret/x/a"));
    }

    #[test]
    fn gives_up() {
        let (a, b) = (of("*a*a*a*a*a*a*a*"), of("*b*b*b*b*b*b*b*"));
        assert_eq!(shortest(&[(&a.ops, true), (&b.ops, true)], Texts::Any, &mut 50), Found::TooLarge);
    }

    /// All texts over four characters, one of which stands for all that do not occur, the shorter first.
    fn all() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..6 {
            last = last.iter().flat_map(|text| ["a", "b", "c", "/"].map(|c| [text.as_str(), c].concat())).collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// What is found is the first text of a list of all; where nothing is, none of the list is one.
        #[test]
        fn is_what_trying_every_text_gives(yes in "[ab*/]{0,4}", no in "[ab*/]{0,4}", globs in proptest::collection::vec("(a|b|/|\\*|\\*\\*/|/\\*\\*|\\?|\\[ab\\]|\\[!a\\]|\\{a,b/\\}){0,4}", 2)) {
            let both = |a: &[Op], b: &[Op], accepts: &dyn Fn(&str) -> bool, refuses: &dyn Fn(&str) -> bool| {
                let found = shortest(&[(a, true), (b, false)], Texts::Any, &mut 10_000_000);
                let tried = all().into_iter().find(|text| accepts(text) && !refuses(text));
                match (&found, tried) {
                    (Found::Text(text), Some(tried)) => assert_eq!(*text, tried),
                    (Found::Text(text), None) => assert!(text.chars().count() > 6 && accepts(text) && !refuses(text), "{text:?}"),
                    (Found::Nothing, tried) => assert_eq!(tried, None),
                    (Found::TooLarge, _) => panic!("{a:?} {b:?}"),
                }
            };
            let (a, b) = (Matcher::of_content(&yes), Matcher::of_content(&no));
            both(&of(&yes).ops, &of(&no).ops, &|text| a.accepts(text), &|text| b.accepts(text));
            let [a, b] = [globs[0].as_str(), globs[1].as_str()];
            both(&brace_glob::compile(a), &brace_glob::compile(b), &|text| brace_glob::accepts(a, text), &|text| brace_glob::accepts(b, text));
        }
    }
}
