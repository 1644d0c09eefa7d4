//! Rules by the calls that they answer for, found in one look-up.
//!
//! Rules stand in one list in consult order, so that a rule's index is its rank. A *book* holds the indexes of the rules
//! that answer for one tool name, by what they are. Books of all names that rules or the dialect's table spell are made
//! once; a call of any other name can only be a tool of an MCP server, or be answered by nothing.

use std::borrow::Cow;
use std::rc::Rc;

use super::config::Config;
use super::entry::Entry;
use super::kind::{Facts, Kinds};
use super::subject::Seen;
use crate::dialect::{BypassImmune, Consult, Dialect};
use crate::heads::Heads;
use crate::order;
use crate::rule::{Matcher, tool};
use crate::vocabulary::{Behavior, RuleList, RuleSource};

/// The rules that answer for one tool name, and what is known of the tool.
#[derive(Debug)]
pub struct Book {
    /// What is known of the tool.
    pub facts: Facts,
    /// Shared by all names that the same rules answer for.
    rules: Rc<Rules>,
}

/// Indexes of rules, each list in consult order.
#[derive(Debug, Default)]
pub struct Rules {
    /// Those that deny in every mode.
    pub bypass_immune: Vec<usize>,
    /// Those that deny every call.
    pub whole_deny: Vec<usize>,
    /// Those that ask about every call.
    pub whole_ask: Vec<usize>,
    /// Those that allow every call.
    pub whole_allow: Vec<usize>,
    /// Those that look at the subject.
    pub content: Vec<usize>,
    /// Entries that the dialect never consults.
    pub inert: Vec<usize>,
    /// The content rules by their heads, where that is worthwhile.
    heads: Option<Heads>,
}

/// Every book of a policy.
#[derive(Debug)]
pub struct Index {
    kinds: Kinds,
    /// By name, each behind the key of its name.
    books: Vec<(u64, String, Rc<Book>)>,
    /// The rules of each token, by token; those of one token may stand in several rows.
    by_token: Vec<(String, Vec<usize>)>,
    /// Rules that answer for every call whose name begins so.
    by_prefix: Heads,
}

/// How often a rule may stand in books, on average.
const ROOM: usize = 16;

/// Books with fewer content rules are gone through one by one.
const WORTHWHILE: usize = 16;

/// Brings rules into consult order: by source, highest priority first, within a source by behavior, within a list as
/// they stand.
pub fn sort(entries: Vec<Entry>, dialect: &Dialect) -> Vec<Entry> {
    let rank = |behavior: Behavior| dialect.within_source.iter().position(|b| *b == behavior);
    let by_source = |entry: &Entry| (entry.rule.source.index(), rank(entry.rule.behavior));
    let by_behavior = |entry: &Entry| {
        let immune = entry.list == RuleList::BypassImmune;
        let behavior = rank(entry.rule.behavior).filter(|_| !immune);
        (
            behavior.map_or(0, |rank| rank.saturating_add(1)),
            Some(usize::from(entry.rule.source != RuleSource::Session)),
        )
    };
    let key: &dyn Fn(&Entry) -> (usize, Option<usize>) = match dialect.consult {
        Consult::BySource => &by_source,
        Consult::ByBehavior => &by_behavior,
    };
    order::sort(entries, |a, b| key(a).cmp(&key(b)))
}

impl Index {
    /// Indexes entries that are in consult order.
    pub fn new(config: &Config) -> Self {
        let Config { dialect, bash_tool, entries, .. } = config;
        let kinds = Kinds::of(dialect, bash_tool, &config.file_edit_tools, &config.read_only_tools);
        let mut index = Self { kinds, books: vec![], by_token: vec![], by_prefix: Heads::default() };
        let mut names: Vec<&str> = tool::known_names(dialect);
        names.push(bash_tool);
        let name = |rank: usize| entries.get(rank).map_or("", |entry| entry.rule.rule.tool.as_str());
        let mut prefixes = vec![];
        let by_name = order::sorted(entries.len(), &mut |a, b| name(a).cmp(name(b)));
        for ranks in by_name.chunk_by(|a, b| name(*a) == name(*b)) {
            let own = ranks.first().map_or("", |rank| name(*rank));
            names.push(own);
            if let Some(prefix) = tool::star_prefix(own, dialect) {
                for rank in ranks {
                    prefixes.push((prefix, *rank));
                }
            }
            for token in tool::rule_tokens(own, dialect, bash_tool) {
                index.by_token.push((token.into_owned(), ranks.to_vec()));
            }
        }
        index.by_prefix = Heads::of(prefixes);
        index.by_token = order::sort(index.by_token, |a, b| a.0.cmp(&b.0));
        index.books = index.books_of(names, config);
        index
    }

    /// The books of these names, by name. Where many names have many rules in common, the last names have none: theirs
    /// are made when they are asked for.
    fn books_of(&self, names: Vec<&str>, config: &Config) -> Vec<(u64, String, Rc<Book>)> {
        let mut names = order::sort(names, Ord::cmp);
        names.dedup();
        let mut answered = vec![];
        let mut room = config.entries.len().saturating_mul(ROOM);
        for name in names {
            let tokens = tool::call_tokens(name, config.dialect, &config.bash_tool);
            let found = self.found(name, &tokens);
            let Some(left) = room.checked_sub(found.len()) else { break };
            room = left;
            answered.push((found, self.kinds.facts(name, &tokens), name));
        }
        // Names that the same rules answer for stand side by side.
        let mut books: Vec<(u64, String, Rc<Book>)> = vec![];
        for same in order::sort(answered, |a, b| a.0.cmp(&b.0)).chunk_by(|a, b| a.0 == b.0) {
            let found = same.first().map(|(found, ..)| found.as_slice()).unwrap_or_default();
            let rules = Rc::new(self.rules(found, config));
            for (_, facts, name) in same {
                let book = Book { facts: *facts, rules: Rc::clone(&rules) };
                books.push((order::key(name.as_bytes()), (*name).into(), Rc::new(book)));
            }
        }
        order::sort(books, |a, b| a.1.cmp(&b.1))
    }

    /// The book of a call's tool name.
    pub fn book(&self, call: &str, config: &Config) -> Rc<Book> {
        let sought = order::key(call.as_bytes());
        let found = self
            .books
            .binary_search_by(|(key, name, _)| key.cmp(&sought).then_with(|| name.as_str().cmp(call)));
        if let Some((.., book)) = found.ok().and_then(|place| self.books.get(place)) {
            return Rc::clone(book);
        }
        let tokens = tool::call_tokens(call, config.dialect, &config.bash_tool);
        let rules = Rc::new(self.rules(&self.found(call, &tokens), config));
        Rc::new(Book { facts: self.kinds.facts(call, &tokens), rules })
    }

    /// The rules that answer for calls of that name with these tokens, in consult order.
    fn found(&self, call: &str, tokens: &[Cow<'_, str>]) -> Vec<usize> {
        let mut found: Vec<usize> = vec![];
        self.by_prefix.find(call, &mut found);
        for token in tokens {
            let from = self.by_token.partition_point(|(own, _)| own.as_str() < token.as_ref());
            for (own, ranks) in self.by_token.get(from..).unwrap_or_default() {
                if own != token {
                    break;
                }
                found.extend_from_slice(ranks);
            }
        }
        // A rule with two tokens may have been found twice.
        order::ascending(found)
    }

    /// Sorts rules into their lists.
    fn rules(&self, found: &[usize], config: &Config) -> Rules {
        let entry = |index: &usize| config.entries.get(*index).map(|entry| (*index, entry));
        let mut rules = Rules::new(&mut found.iter().filter_map(entry), config.dialect);
        rules.heads = heads(&rules.content, &config.entries);
        rules
    }
}

impl core::ops::Deref for Book {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        &self.rules
    }
}

impl Book {
    /// The book of rules that answer for one call.
    pub fn new(facts: Facts, entries: &mut dyn Iterator<Item = (usize, &Entry)>, dialect: &Dialect) -> Self {
        Self { facts, rules: Rc::new(Rules::new(entries, dialect)) }
    }
}

impl Rules {
    /// The content rules that may accept one of the forms, in consult order.
    pub fn candidates(&self, forms: &Seen<'_>) -> Cow<'_, [usize]> {
        let Some(heads) = &self.heads else { return Cow::Borrowed(&self.content) };
        let mut ranks = Vec::with_capacity(8);
        for form in forms.iter() {
            heads.find(form, &mut ranks);
        }
        Cow::Owned(order::ascending(ranks))
    }

    /// The first content rule that passes, among those that may accept one of the forms.
    pub fn first(&self, forms: &Seen<'_>, passes: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let Some(heads) = &self.heads else { return self.content.iter().copied().find(|rank| passes(*rank)) };
        let mut first = None;
        for form in forms.iter() {
            first = heads.least(form, first.unwrap_or(usize::MAX), passes).or(first);
        }
        first
    }

    /// Sorts rules that answer for one call into their lists.
    fn new(entries: &mut dyn Iterator<Item = (usize, &Entry)>, dialect: &Dialect) -> Self {
        let mut rules = Self::default();
        for (index, Entry { list, rule, .. }) in entries {
            let content = !rule.rule.is_whole_tool();
            let list = match (list, rule.behavior) {
                (RuleList::BypassImmune, _) => {
                    let in_force = match dialect.bypass_immune {
                        BypassImmune::Everywhere => true,
                        BypassImmune::ConfigContent => content && rule.source == RuleSource::Config,
                    };
                    if in_force { &mut rules.bypass_immune } else { &mut rules.inert }
                }
                _ if content => &mut rules.content,
                (_, Behavior::Deny) => &mut rules.whole_deny,
                (_, Behavior::Ask) => &mut rules.whole_ask,
                (_, Behavior::Allow) => &mut rules.whole_allow,
            };
            list.push(index);
        }
        rules
    }
}

/// The rules of `ranks` by what their contents begin with.
fn heads(ranks: &[usize], entries: &[Entry]) -> Option<Heads> {
    if ranks.len() < WORTHWHILE {
        return None;
    }
    let matcher = |rank: &usize| entries.get(*rank)?.rule.rule.matcher.as_ref();
    let mut numbered = vec![];
    for rank in ranks {
        numbered.push((matcher(rank).map_or("", Matcher::head), *rank));
    }
    Some(Heads::of(numbered))
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
            heads(&ranks, &entries).unwrap().find(&text, &mut found);
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
