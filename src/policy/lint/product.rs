//! The shortest text that some programs accept and others do not: a walk through the product of their states.
//!
//! A program is in a set of states at once, so the product is deterministic; it is walked in breadth over the
//! characters that occur in the programs, and one for all others. The first text that is found is therefore the shortest,
//! and of those the first by character: a to z, 0 to 9, then by code point.
//!
//! Limits: `limits::LINT_STATES` states and `limits::LINT_SEARCH` steps of one search, and what is left of
//! `limits::LINT_WORK` for all of them.

use super::texts::Texts;
use crate::limits;
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
    let size = parts.iter().fold(0usize, |size, (ops, _)| size.saturating_add(ops.len()).saturating_add(1));
    let budget = limits::LINT_SEARCH.min(*work);
    let mut walk = Walk {
        parts,
        texts,
        seen: vec![false; size],
        rows: vec![],
        ends: vec![],
        from: vec![],
        slots: vec![NONE; 64],
        work: budget,
    };
    let found = walk.search();
    *work = work.saturating_sub(budget.saturating_sub(walk.work));
    found
}

const NONE: usize = usize::MAX;

/// What a step costs beside the states that it leads to.
const STEP: usize = 8;

/// What has been reached. A row is a list of numbers: the states of the texts, then those of each part in their order, each
/// part's numbers behind those of the parts before.
struct Walk<'w> {
    parts: &'w [Part<'w>],
    texts: Texts,
    /// Which numbers are in the row that is being made.
    seen: Vec<bool>,
    /// Every row that was reached, one behind the other, and where each ends.
    rows: Vec<u32>,
    ends: Vec<usize>,
    /// From which row each was reached, by which character.
    from: Vec<(usize, char)>,
    /// Places of rows by their digest; the next free one where it is taken.
    slots: Vec<usize>,
    /// What is left of the steps.
    work: usize,
}

impl Walk<'_> {
    /// Walks in breadth.
    fn search(&mut self) -> Found {
        let mut row = self.row(Texts::START, &mut |walk, row| {
            let mut offset = 0usize;
            for (ops, _) in walk.parts {
                walk.enter(ops, row, offset, 0);
                offset = offset.saturating_add(ops.len()).saturating_add(1);
            }
        });
        // What all texts begin with is gone through once, without trying other characters.
        let mut text = String::new();
        if let Some((ops, true)) = self.parts.first() {
            for op in *ops {
                let Op::Char(c) = op else { break };
                row = self.step(&row, *c);
                text.push(*c);
                if !self.is_alive(&row) {
                    return Found::Nothing;
                }
            }
        }
        if self.accepts(&row) {
            return Found::Text(text);
        }
        self.add(&row, (NONE, '\0'));
        let alphabet = alphabet(self.parts, self.texts);
        let mut at = 0usize;
        while at < self.ends.len() {
            let row = self.row_at(at).to_vec();
            // Of the characters that all lead to the same the first is tried.
            let mut alike = false;
            for c in &alphabet {
                if !self.tells(&row, *c) && core::mem::replace(&mut alike, true) {
                    continue;
                }
                let next = self.step(&row, *c);
                if self.is_alive(&next) && self.add(&next, (at, *c)) && self.accepts(&next) {
                    let begins = text.len();
                    let mut last = self.from.last();
                    while let Some((before, c)) = last.filter(|(before, _)| *before != NONE) {
                        text.insert(begins, *c);
                        last = self.from.get(*before);
                    }
                    return Found::Text(text);
                }
            }
            if self.ends.len() > limits::LINT_STATES || self.work == 0 {
                return Found::TooLarge;
            }
            at = at.saturating_add(1);
        }
        Found::Nothing
    }

    /// Makes a row.
    fn row(&mut self, texts: u32, fill: &mut dyn FnMut(&mut Self, &mut Vec<u32>)) -> Vec<u32> {
        let mut row = vec![];
        fill(self, &mut row);
        for number in &row {
            if let Some(seen) = self.seen.get_mut(place(*number)) {
                *seen = false;
            }
        }
        self.work = self.work.saturating_sub(row.len().saturating_add(STEP));
        // Few numbers: each is brought to its place.
        for end in 1..row.len() {
            let mut at = end;
            while let Some(before) = at.checked_sub(1)
                && row.get(before) > row.get(at)
            {
                row.swap(before, at);
                at = before;
            }
        }
        row.insert(0, texts);
        row
    }

    fn row_at(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.rows.get(start..self.ends.get(at).copied().unwrap_or_default()).unwrap_or_default()
    }

    #[inline(never)]
    fn step(&mut self, row: &[u32], c: char) -> Vec<u32> {
        let (texts, states) = split(row);
        self.row(self.texts.step(texts, c), &mut |walk, next| {
            let mut parts = walk.parts.iter();
            let mut ops: &[Op] = &[];
            let (mut offset, mut end) = (0usize, 0usize);
            for number in states {
                while place(*number) >= end
                    && let Some((own, _)) = parts.next()
                {
                    ops = own;
                    offset = end;
                    end = offset.saturating_add(ops.len()).saturating_add(1);
                }
                let state = place(*number).saturating_sub(offset);
                if let Some(to) = ops.get(state).and_then(|op| op.step(state, c)) {
                    walk.enter(ops, next, offset, to);
                }
            }
        })
    }

    /// Whether a character may lead elsewhere than those do that nothing here knows.
    fn tells(&self, row: &[u32], c: char) -> bool {
        if self.texts.characters().contains([c]) {
            return true;
        }
        let (_, states) = split(row);
        let (mut parts, mut ops, mut offset, mut end) = (self.parts.iter(), &[][..], 0usize, 0usize);
        states.iter().any(|number| {
            while place(*number) >= end
                && let Some((own, _)) = parts.next()
            {
                ops = own;
                offset = end;
                end = offset.saturating_add(ops.len()).saturating_add(1);
            }
            match ops.get(place(*number).saturating_sub(offset)) {
                Some(Op::Char(own)) => *own == c,
                Some(Op::Any | Op::Run) => c == '/',
                Some(Op::Class { .. }) => true,
                _ => false,
            }
        })
    }

    /// Enters a state, and those that it leads to without a character.
    fn enter(&mut self, ops: &[Op], row: &mut Vec<u32>, offset: usize, state: usize) {
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let number = offset.saturating_add(state);
            let Some(seen) = self.seen.get_mut(number).filter(|seen| !**seen) else { continue };
            *seen = true;
            row.push(u32::try_from(number).unwrap_or_default());
            let next = state.saturating_add(1);
            match ops.get(state) {
                Some(Op::Split(other)) => open.extend_from_slice(&[next, *other]),
                Some(Op::Jump(other)) => open.push(*other),
                Some(Op::Everything | Op::Run) => open.push(next),
                _ => {}
            }
        }
    }

    /// Asks of each part whether it is at its end, whether it is anywhere, and whether everything is accepted behind it.
    fn all(&self, row: &[u32], test: &dyn Fn(bool, bool, bool, bool) -> bool) -> bool {
        let (_, states) = split(row);
        let mut offset = 0usize;
        self.parts.iter().all(|(ops, wanted)| {
            let end = offset.saturating_add(ops.len());
            let has = |at: usize| states.iter().any(|number| place(*number) == at);
            let anywhere = states.iter().any(|number| (offset..=end).contains(&place(*number)));
            let open = matches!(ops.last(), Some(Op::Everything)) && has(end.saturating_sub(1));
            offset = end.saturating_add(1);
            test(*wanted, has(end), anywhere, open)
        })
    }

    /// Whether a text that goes on from here may be one that is sought.
    fn is_alive(&self, row: &[u32]) -> bool {
        split(row).0 != 0 && self.all(row, &|wanted, _, anywhere, open| if wanted { anywhere } else { !open })
    }

    fn accepts(&self, row: &[u32]) -> bool {
        self.texts.ends(split(row).0) && self.all(row, &|wanted, at_end, _, _| wanted == at_end)
    }

    /// Adds a row; whether it is new.
    fn add(&mut self, row: &[u32], from: (usize, char)) -> bool {
        if self.ends.len().saturating_mul(2) >= self.slots.len() {
            self.slots = vec![NONE; self.slots.len().saturating_mul(4)];
            for at in 0..self.ends.len() {
                let slot = self.slot(self.row_at(at));
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = at;
                }
            }
        }
        let slot = self.slot(row);
        let Some(slot) = self.slots.get_mut(slot).filter(|slot| **slot == NONE) else { return false };
        *slot = self.ends.len();
        self.rows.extend_from_slice(row);
        self.ends.push(self.rows.len());
        self.from.push(from);
        true
    }

    /// The slot that a row stands in, or would.
    fn slot(&self, row: &[u32]) -> usize {
        let mask = self.slots.len().saturating_sub(1);
        let mut digest = 0u32;
        for number in row {
            digest = (digest ^ number).wrapping_mul(0x9E37_79B9).rotate_left(15);
        }
        let mut slot = place(digest) & mask;
        while let Some(at) = self.slots.get(slot).filter(|at| **at != NONE)
            && self.row_at(*at) != row
        {
            slot = slot.wrapping_add(1) & mask;
        }
        slot
    }
}

/// The states of the texts, and those of the parts.
fn split(row: &[u32]) -> (u32, &[u32]) {
    row.split_first().map_or((0, &[]), |(texts, states)| (*texts, states))
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// The characters that the parts and texts tell apart, and one that stands for all others, in the order in which they are
/// tried.
fn alphabet(parts: &[Part<'_>], texts: Texts) -> Vec<char> {
    let mut all = vec![];
    for c in texts.characters().chars() {
        add(&mut all, c);
    }
    let mut ranges: Vec<(char, char)> = vec![];
    for (ops, _) in parts {
        for op in *ops {
            match op {
                Op::Char(c) => add(&mut all, *c),
                Op::Class { ranges: own, .. } => ranges.extend_from_slice(own),
                Op::Any | Op::Run | Op::Everything | Op::Split(_) | Op::Jump(_) => {}
            }
        }
    }
    add(&mut all, '/');
    let known = all.clone();
    // Where a range begins or has ended, the first character from there on that does not occur by itself.
    for (first, last) in &ranges {
        for start in [Some(*first), after(*last)] {
            let mut at = start;
            while let Some(c) = at.filter(|c| known.contains(c)) {
                at = after(c);
            }
            if let Some(c) = at {
                add(&mut all, c);
            }
        }
    }
    // One that is in no range stands for all others.
    let mut other = 'a';
    while all.contains(&other) || ranges.iter().any(|(first, last)| (*first..=*last).contains(&other)) {
        other = match other {
            'z' => '0',
            '9' => '!',
            c => match after(c) {
                Some(next) => next,
                None => break,
            },
        };
    }
    add(&mut all, other);
    all
}

/// Brings a character to its place: a to z, 0 to 9, then by code point.
fn add(all: &mut Vec<char>, c: char) {
    let rank = |c: char| {
        u32::from(c).wrapping_add(match c {
            'a'..='z' => 0,
            '0'..='9' => 0x100,
            _ => 0x200,
        })
    };
    let at = all.partition_point(|own| rank(*own) < rank(c));
    if all.get(at) != Some(&c) {
        all.insert(at, c);
    }
}

/// The next character.
fn after(c: char) -> Option<char> {
    let next = u32::from(c).saturating_add(1);
    char::from_u32(if next == 0xD800 { 0xE000 } else { next })
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
        let parts: Vec<Part<'_>> =
            languages.iter().map(|(language, wanted)| (language.ops.as_slice(), *wanted)).collect();
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
        assert_eq!(shortest(&[(&a.ops, true), (&b.ops, true)], Texts::Any, &mut 500), Found::TooLarge);
    }

    /// All texts over four characters, one of which stands for all that do not occur, the shorter first.
    fn all() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..6 {
            last = last
                .iter()
                .flat_map(|text| ["a", "b", "c", "/"].map(|c| [text.as_str(), c].concat()))
                .collect();
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
