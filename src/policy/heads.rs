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
                    let shorter = Self::chain(&heads, heads.len().checked_sub(1))
                        .find(|(_, head)| text.starts_with(&head.text));
                    heads.push(Head {
                        text: text.into(),
                        shorter: shorter.map(|(place, _)| place),
                        ranks: vec![rank],
                    });
                }
            }
        }
        Some(Self { heads })
    }

    /// A head and the shorter ones that it begins with, longest first.
    fn chain(heads: &[Head], from: Option<usize>) -> impl Iterator<Item = (usize, &Head)> {
        let step = |place: usize| heads.get(place).map(|head| (place, head));
        core::iter::successors(from.and_then(step), move |(_, head)| head.shorter.and_then(step))
    }

    /// Appends the ranks of all rules whose head `text` begins with.
    pub(super) fn find(&self, text: &str, ranks: &mut Vec<usize>) {
        let last = self.heads.partition_point(|head| head.text.as_str() <= text).checked_sub(1);
        for (_, head) in Self::chain(&self.heads, last).filter(|(_, head)| text.starts_with(&head.text)) {
            ranks.extend(&head.ranks);
        }
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
