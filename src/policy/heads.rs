//! Content rules by the literal text that they begin with, so that the cost of a call does not follow their number.
//!
//! Heads stand sorted, each with the longest other head that it begins with. All heads that a text begins with are then
//! the ones on one chain: that of the last head that does not come after the text.

use super::lists::Entry;
use crate::order;
use crate::rule::Matcher;
use crate::span::Span;

/// Books with fewer content rules are gone through one by one.
const WORTHWHILE: usize = 16;

/// Numbers of things by head.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// Every head, one behind the other.
    texts: String,
    heads: Vec<Head>,
    /// The numbers of every head, one head behind the other; of one head in the order in which they came.
    numbers: Vec<usize>,
}

#[derive(Debug)]
struct Head {
    text: Span,
    /// Where its numbers stand.
    numbers: Span,
    /// The place of the longest shorter head that this one begins with.
    shorter: Option<usize>,
}

impl Heads {
    /// Sorts the rules of `ranks` by their heads; `None` where that is not worthwhile.
    pub(super) fn new(ranks: &[usize], entries: &[Entry]) -> Option<Self> {
        if ranks.len() < WORTHWHILE {
            return None;
        }
        let head = |rank: &usize| {
            entries.get(*rank).and_then(|entry| entry.rule.rule.matcher.as_ref()).map_or("", Matcher::head)
        };
        let mut numbered = vec![];
        for rank in ranks {
            numbered.push((head(rank), *rank));
        }
        Some(Self::of(numbered))
    }

    /// Sorts numbers by their heads.
    pub(super) fn of(numbered: Vec<(&str, usize)>) -> Self {
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
                let text = Span::new(start, made.texts.len());
                made.heads.push(Head { text, numbers: Span::new(numbers, numbers), shorter });
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
    pub(super) fn find(&self, text: &str, numbers: &mut Vec<usize>) {
        let (mut next, common) = self.last_before(text.as_bytes());
        while let Some(head) = next.and_then(|place| self.heads.get(place)) {
            // The text has this much of the last head, and so of all on its chain.
            if head.text.end.saturating_sub(head.text.start) <= common {
                numbers.extend_from_slice(
                    self.numbers.get(head.numbers.start..head.numbers.end).unwrap_or_default(),
                );
            }
            next = head.shorter;
        }
    }

    /// The last head that does not come after the text, and how many bytes the two have in common. Both ends of what is
    /// left to look through share a beginning with the text, and so does all between them: it is not compared again.
    fn last_before(&self, text: &[u8]) -> (Option<usize>, usize) {
        let (mut low, mut high) = (0usize, self.heads.len());
        let (mut of_low, mut of_high) = (0usize, 0usize);
        while low < high {
            let middle = low.midpoint(high);
            let span = self.heads.get(middle).map(|head| head.text).unwrap_or_default();
            let head = self.texts.as_bytes().get(span.start..span.end).unwrap_or_default();
            let mut common = of_low.min(of_high);
            while let (Some(a), Some(b)) = (head.get(common), text.get(common))
                && a == b
            {
                common = common.saturating_add(1);
            }
            if head.get(common) <= text.get(common) {
                (low, of_low) = (middle.saturating_add(1), common);
            } else {
                (high, of_high) = (middle, common);
            }
        }
        (low.checked_sub(1), of_low)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::{ParsedRule, PermissionRule};
    use crate::vocabulary::{Behavior, RuleList, RuleSource};

    fn entry(content: &str) -> Entry {
        let matcher = Some(Matcher::of_content(content));
        let rule =
            ParsedRule { tool: "Bash".into(), content: Some(content.into()), matcher, parameters: vec![] };
        let rule = PermissionRule { rule, behavior: Behavior::Allow, source: RuleSource::Config };
        Entry { list: RuleList::Allow, rule, text: String::new(), index: 0, layer: None, directory: None }
    }

    proptest! {
        #[test]
        fn every_rule_that_accepts_is_found(contents in proptest::collection::vec("[ab*]{1,5}", 16..40), text in "[ab]{0,6}") {
            let entries: Vec<Entry> = contents.iter().map(|content| entry(content)).collect();
            let ranks: Vec<usize> = (0..entries.len()).collect();
            let mut found = vec![];
            Heads::new(&ranks, &entries).unwrap().find(&text, &mut found);
            for (rank, entry) in entries.iter().enumerate() {
                prop_assert!(!entry.rule.rule.accepts(&text) || found.contains(&rank), "{:?} {text:?}", contents[rank]);
            }
            let once = found.len();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found.len(), once);
        }
    }
}
