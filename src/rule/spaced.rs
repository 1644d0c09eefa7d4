//! Patterns in which a star behind a blank takes the blank along (`qwen-code.md` section 4).
//!
//! | pattern | accepts |
//! |---|---|
//! | `*` | everything |
//! | no `*` | itself, and itself before a blank and more |
//! | ` *` | a blank and any text, or nothing |
//! | any other `*` | any text |
//!
//! A pattern with stars is anchored at both ends. The places that a beginning of the pattern may reach are single places
//! and everything from one place on, so each piece is looked for once from left to right.

use crate::text;

/// Whether `text` is accepted.
pub(super) fn accepts(pattern: &str, text: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    if !pattern.contains(['*']) {
        return text
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(text::is_blank));
    }
    let mut pieces = pattern.split(['*']).peekable();
    let mut reached = Reached { places: vec![0], from: None };
    while let Some(piece) = pieces.next() {
        let last = pieces.peek().is_none();
        let (literal, takes_blank) = match piece.strip_suffix(' ').filter(|_| !last) {
            Some(literal) => (literal, true),
            None => (piece, false),
        };
        if last {
            let start = text.len().checked_sub(literal.len());
            return text.ends_with(literal) && start.is_some_and(|start| reached.has(start));
        }
        reached = reached.behind(literal, text);
        if takes_blank {
            reached.behind_blank(text);
        } else {
            reached.open();
        }
        if reached.is_empty() {
            return false;
        }
    }
    true
}

fn earlier(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Places in a text.
struct Reached {
    /// In order.
    places: Vec<usize>,
    /// This place and all that follow.
    from: Option<usize>,
}

impl Reached {
    fn is_empty(&self) -> bool {
        self.places.is_empty() && self.from.is_none()
    }

    fn has(&self, place: usize) -> bool {
        self.from.is_some_and(|from| place >= from) || self.places.binary_search(&place).is_ok()
    }

    /// The places behind `literal`, where it stands at one of these.
    fn behind(&self, literal: &str, text: &str) -> Self {
        if literal.is_empty() {
            return Self { places: self.places.clone(), from: self.from };
        }
        let stands = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with(literal));
        // The single places from `from` on are among the places that are gone through there.
        let before = |place: &&usize| self.from.is_none_or(|from| **place < from);
        let mut places = vec![];
        for place in self.places.iter().filter(before) {
            if stands(place) {
                places.push(*place);
            }
        }
        let mut at = self.from;
        while let Some(start) = at {
            let found = text.get(start..).and_then(|rest| text::find(rest, literal));
            at = found.map(|found| start.saturating_add(found));
            if let Some(place) = at {
                places.push(place);
                let step = text.get(place..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                at = place.checked_add(step).filter(|next| *next <= text.len());
            }
        }
        for place in &mut places {
            *place = place.saturating_add(literal.len());
        }
        Self { places, from: None }
    }

    /// Adds what a blank and any text lead to.
    fn behind_blank(&mut self, text: &str) {
        let blank = |at: &usize| text.as_bytes().get(*at) == Some(&b' ');
        let single = self.places.iter().copied().find(blank);
        let run = self.from.and_then(|from| {
            let found = text.get(from..).and_then(|rest| text::find(rest, " "))?;
            Some(from.saturating_add(found))
        });
        let first = earlier(single, run).map(|place| place.saturating_add(1));
        self.from = earlier(self.from, first);
    }

    /// Adds what any text leads to.
    fn open(&mut self) {
        self.from = earlier(self.places.first().copied(), self.from);
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: bool) {
        assert_eq!(accepts(pattern, text), expected, "{pattern:?} on {text:?}");
    }

    #[test]
    fn without_stars() {
        check("npm test", "npm test", true);
        check("npm test", "npm test -- x", true);
        check("npm test", "npm testing", false);
    }

    #[test]
    fn a_star_takes_the_blank_before_it() {
        check("git *", "git", true);
        check("git *", "git push", true);
        check("git *", "gitk", false);
        check("git*", "gitk", true);
        check("git * main", "git main", true);
        check("git * main", "git checkout main", true);
        check("git * main", "git checkout main x", false);
        check("a * b * c", "a b c", true);
        check("git * main *", "git mainx main", true);
        check("git * main *", "git mainx main y", true);
        check("git * main *", "git mainx mainy", false);
        check("* --version", "node --version", true);
        check("* x", " x", true);
        check("a *b", "ab", true);
        check("a *b", "a xb", true);
        check("a *b", "axb", false);
        check("a **", "a", true);
        check("*", "", true);
        check("*  *  *", "  a  a", true);
    }

    /// The definition, spelled out.
    fn slowly(pattern: &[u8], text: &[u8]) -> bool {
        match pattern {
            [] => text.is_empty(),
            [b' ', b'*', rest @ ..] => {
                slowly(rest, text)
                    || (text.first() == Some(&b' ') && (1..=text.len()).any(|at| slowly(rest, &text[at..])))
            }
            [b'*', rest @ ..] => (0..=text.len()).any(|at| slowly(rest, &text[at..])),
            [c, rest @ ..] => text.first() == Some(c) && slowly(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn does_what_the_definition_says(pattern in "[ab *]{0,10}[*][ab *]{0,6}", text in "[ab ]{0,12}") {
            prop_assert_eq!(accepts(&pattern, &text), slowly(pattern.as_bytes(), text.as_bytes()));
        }
    }
}
