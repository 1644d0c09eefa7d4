//! Content rules by the literal text that they begin with, so that the cost of a call does not follow their number.
//!
//! Heads stand sorted, each with the longest other head that it begins with. All heads that a text begins with are then
//! the ones on one chain: that of the last head that does not come after the text.

use super::config::Entry;
use crate::order;
use crate::rule::Matcher;

/// Books with fewer content rules are gone through one by one.
const WORTHWHILE: usize = 16;

/// Ranks of rules by head.
#[derive(Debug, Default)]
pub(super) struct Heads {
    heads: Vec<Head>,
}

#[derive(Debug)]
struct Head {
    text: String,
    /// The place of the longest shorter head that this one begins with.
    shorter: Option<usize>,
    ranks: Vec<usize>,
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
        let by_head =
            order::sort(ranks.iter().map(|rank| (head(rank), *rank)).collect(), |a, b| a.0.cmp(b.0));
        let mut heads: Vec<Head> = vec![];
        for (text, rank) in by_head {
            match heads.last_mut() {
                Some(last) if last.text == text => last.ranks.push(rank),
                _ => {
                    let mut shorter = heads.len().checked_sub(1);
                    while let Some(head) = shorter.and_then(|place| heads.get(place))
                        && !text.starts_with(&head.text)
                    {
                        shorter = head.shorter;
                    }
                    heads.push(Head { text: text.into(), shorter, ranks: vec![rank] });
                }
            }
        }
        Some(Self { heads })
    }

    /// Appends the ranks of all rules whose head `text` begins with.
    pub(super) fn find(&self, text: &str, ranks: &mut Vec<usize>) {
        let (mut place, common) = self.last_before(text.as_bytes());
        while let Some(head) = place.and_then(|place| self.heads.get(place)) {
            // The text has this much of the last head, and so of all on its chain.
            if head.text.len() <= common {
                ranks.extend_from_slice(&head.ranks);
            }
            place = head.shorter;
        }
    }

    /// The last head that does not come after the text, and how many bytes the two have in common. Both ends of what is
    /// left to look through share a beginning with the text, and so does all between them: it is not compared again.
    fn last_before(&self, text: &[u8]) -> (Option<usize>, usize) {
        let (mut low, mut high) = (0usize, self.heads.len());
        let (mut of_low, mut of_high) = (0usize, 0usize);
        while low < high {
            let middle = low.midpoint(high);
            let head = self.heads.get(middle).map_or(&[][..], |head| head.text.as_bytes());
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
        Entry { list: RuleList::Allow, rule, text: String::new(), path: vec![], directory: None }
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
