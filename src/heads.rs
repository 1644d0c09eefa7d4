//! Things by the literal text that they begin with, their head: the cost of finding all whose head a text begins with does
//! not follow their number.
//!
//! Heads stand sorted, each with the longest other head that it begins with. All heads that a text begins with are then
//! the ones on one chain: that of the last head that does not come after the text.
//!
//! ```
//! use toolgate::heads::Heads;
//!
//! let mut found = vec![];
//! Heads::of(vec![("git ", 0), ("git p", 1), ("ls", 2), ("", 3)]).find("git push", &mut found);
//! assert_eq!(found, [1, 0, 3]);
//! ```

use core::cmp::Ordering;

use crate::order;
use crate::span::Span;

/// Numbers of things by head.
#[derive(Debug, Default)]
pub struct Heads {
    /// Every head, one behind the other.
    texts: String,
    heads: Vec<Head>,
    /// The numbers of every head, one head behind the other; of one head in the order in which they came.
    numbers: Vec<usize>,
}

#[derive(Debug)]
struct Head {
    /// What tells most heads apart without a look at their texts.
    key: u64,
    text: Span,
    /// Where its numbers stand.
    numbers: Span,
    /// The place of the longest shorter head that this one begins with.
    shorter: Option<usize>,
}

impl Heads {
    /// Sorts numbers by their heads.
    pub fn of(numbered: Vec<(&str, usize)>) -> Self {
        let mut made = Self::default();
        let mut last = None;
        for (text, number) in order::sort(numbered, |a, b| a.0.cmp(b.0)) {
            if last != Some(text) {
                let mut shorter = made.heads.len().checked_sub(1);
                while let Some(head) = shorter.and_then(|place| made.heads.get(place))
                    && !head.text.slice(&made.texts).is_some_and(|head| text.starts_with(head))
                {
                    shorter = head.shorter;
                }
                let (start, numbers) = (made.texts.len(), made.numbers.len());
                made.texts.push_str(text);
                let (key, text) = (order::key(text.as_bytes()), Span::new(start, made.texts.len()));
                made.heads.push(Head { key, text, numbers: Span::new(numbers, numbers), shorter });
            }
            last = Some(text);
            made.numbers.push(number);
            if let Some(head) = made.heads.last_mut() {
                head.numbers.end = made.numbers.len();
            }
        }
        made
    }

    /// Appends the numbers of every head that `text` begins with.
    pub fn find(&self, text: &str, numbers: &mut Vec<usize>) {
        self.each(text, &mut |own| numbers.extend_from_slice(own));
    }

    /// The smallest number under `below` that passes, among those of every head that `text` begins with. Those of one head
    /// have to stand in order.
    pub fn least(&self, text: &str, below: usize, passes: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let mut least = None;
        self.each(text, &mut |own| {
            let found = own
                .iter()
                .take_while(|number| **number < least.unwrap_or(below))
                .find(|number| passes(**number));
            least = found.copied().or(least);
        });
        least
    }

    /// Shows the numbers of every head that `text` begins with, those of the longest first.
    fn each(&self, text: &str, show: &mut dyn FnMut(&[usize])) {
        let (mut next, common) = self.last_before(text.as_bytes());
        while let Some(head) = next.and_then(|place| self.heads.get(place)) {
            // The text has this much of the last head, and so of all on its chain.
            if head.text.end.saturating_sub(head.text.start) <= common {
                show(self.numbers.get(head.numbers.start..head.numbers.end).unwrap_or_default());
            }
            next = head.shorter;
        }
    }

    /// The last head that does not come after the text, and how many bytes the two have in common.
    fn last_before(&self, text: &[u8]) -> (Option<usize>, usize) {
        let key = order::key(text);
        let comes_after = |head: &Head| match head.key.cmp(&key) {
            Ordering::Equal => self.text(head) > text,
            unlike => unlike == Ordering::Greater,
        };
        let last = self.heads.partition_point(|head| !comes_after(head)).checked_sub(1);
        let head = last.and_then(|place| self.heads.get(place)).map(|head| self.text(head));
        let common = head.unwrap_or_default().iter().zip(text).take_while(|(a, b)| a == b).count();
        (last, common)
    }

    fn text(&self, head: &Head) -> &[u8] {
        self.texts.as_bytes().get(head.text.start..head.text.end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbered(heads: &[String]) -> Vec<(&str, usize)> {
        heads.iter().enumerate().map(|(number, head)| (head.as_str(), number)).collect()
    }

    proptest! {
        #[test]
        fn every_head_that_a_text_begins_with_is_found(
            heads in proptest::collection::vec("[ab\\x00]{0,11}", 0..40),
            text in "[ab\\x00]{0,12}",
        ) {
            let mut found = vec![];
            Heads::of(numbered(&heads)).find(&text, &mut found);
            found.sort_unstable();
            let expected: Vec<usize> = (0..heads.len()).filter(|at| text.starts_with(&heads[*at])).collect();
            prop_assert_eq!(&found, &expected);
            let even = expected.iter().copied().find(|number| number % 2 == 0 && *number < 9);
            prop_assert_eq!(Heads::of(numbered(&heads)).least(&text, 9, &mut |number| number % 2 == 0), even);
        }
    }
}
