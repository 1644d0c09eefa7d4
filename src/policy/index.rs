//! Rules by the calls that they answer for, found in one look-up.
//!
//! Rules stand in one list in consult order, so that a rule's index is its rank. A *book* holds the indexes of the rules
//! that answer for one tool name, by what they are. Books of all names that rules or the dialect's table spell are made
//! once; a call of any other name can only be a tool of an MCP server, or be answered by nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::config::{Config, Entry};
use super::heads::Heads;
use super::kind::Facts;
use super::subject::Seen;
use crate::dialect::{BypassImmune, Consult, Dialect};
use crate::order;
use crate::rule::tool;
use crate::vocabulary::{Behavior, RuleList, RuleSource};

/// Indexes of the rules that answer for one tool name, each list in consult order.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) facts: Facts,
    pub(super) bypass_immune: Vec<usize>,
    pub(super) whole_deny: Vec<usize>,
    pub(super) whole_ask: Vec<usize>,
    pub(super) whole_allow: Vec<usize>,
    pub(super) content: Vec<usize>,
    /// Entries that the dialect never consults.
    pub(super) inert: Vec<usize>,
    heads: Option<Heads>,
}

/// Every book of a policy.
#[derive(Debug)]
pub(super) struct Index {
    books: Table<Rc<Book>>,
    by_token: Table<Vec<usize>>,
    /// Rules that answer for every call whose name begins so.
    by_prefix: Vec<(String, usize)>,
}

/// Values by name. The map holds places only, so that all tables share one instance of it.
#[derive(Debug)]
struct Table<T> {
    places: BTreeMap<String, usize>,
    values: Vec<T>,
}

impl<T> Table<T> {
    const fn new() -> Self {
        Self { places: BTreeMap::new(), values: vec![] }
    }

    fn get(&self, name: &str) -> Option<&T> {
        self.places.get(name).and_then(|place| self.values.get(*place))
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.places.get(name).and_then(|place| self.values.get_mut(*place))
    }

    fn insert(&mut self, name: &str, value: T) {
        self.places.insert(name.into(), self.values.len());
        self.values.push(value);
    }
}

/// Brings rules into consult order: by source, highest priority first, within a source by behavior, within a list as
/// they stand.
pub(super) fn sort(entries: Vec<Entry>, dialect: &Dialect) -> Vec<Entry> {
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
    pub(super) fn new(config: &Config) -> Self {
        let Config { dialect, bash_tool, entries, .. } = config;
        let mut by_token: Table<Vec<usize>> = Table::new();
        let mut by_prefix = vec![];
        for (index, entry) in entries.iter().enumerate() {
            if let Some(prefix) = tool::star_prefix(&entry.rule.rule.tool, dialect) {
                by_prefix.push((prefix.into(), index));
            }
            for token in tool::rule_tokens(&entry.rule.rule.tool, dialect, bash_tool) {
                match by_token.get_mut(&token) {
                    Some(rules) => rules.push(index),
                    None => by_token.insert(&token, vec![index]),
                }
            }
        }
        let mut index = Self { books: Table::new(), by_token, by_prefix };
        let rule_names = entries.iter().map(|entry| entry.rule.rule.tool.as_str());
        let mut names: Vec<&str> = tool::known_names(dialect).collect();
        names.push(bash_tool);
        names.extend(rule_names);
        for name in names {
            if index.books.get(name).is_none() {
                let book = index.compile(name, config);
                index.books.insert(name, Rc::new(book));
            }
        }
        index
    }

    /// The book of a call's tool name.
    pub(super) fn book(&self, call: &str, config: &Config) -> Rc<Book> {
        self.books.get(call).map_or_else(|| Rc::new(self.compile(call, config)), Rc::clone)
    }

    fn compile(&self, call: &str, config: &Config) -> Book {
        let tokens: Vec<Cow<'_, str>> = tool::call_tokens(call, config.dialect, &config.bash_tool);
        let mut found: Vec<usize> =
            tokens.iter().filter_map(|token| self.by_token.get(token)).flatten().copied().collect();
        let prefixed = self.by_prefix.iter().filter(|(prefix, _)| call.starts_with(prefix.as_str()));
        found.extend(prefixed.map(|(_, index)| *index));
        // A rule with two tokens may have been found twice.
        found = order::sort(found, usize::cmp);
        found.dedup();
        let entry = |index: &usize| config.entries.get(*index).map(|entry| (*index, entry));
        let mut book = Book::new(Facts::of(call, config), found.iter().filter_map(entry), config.dialect);
        book.heads = Heads::new(&book.content, &config.entries);
        book
    }
}

impl Book {
    /// The content rules that may accept one of the forms, in consult order.
    pub(super) fn candidates(&self, forms: &Seen<'_>) -> Cow<'_, [usize]> {
        let Some(heads) = &self.heads else { return Cow::Borrowed(&self.content) };
        let mut ranks = vec![];
        for form in forms.iter() {
            heads.find(form, &mut ranks);
        }
        let mut ranks = order::sort(ranks, usize::cmp);
        ranks.dedup();
        Cow::Owned(ranks)
    }

    /// Sorts rules that answer for one call into their lists.
    pub(super) fn new<'e>(
        facts: Facts,
        entries: impl Iterator<Item = (usize, &'e Entry)>,
        dialect: &Dialect,
    ) -> Self {
        let mut book = Self {
            facts,
            bypass_immune: vec![],
            whole_deny: vec![],
            whole_ask: vec![],
            whole_allow: vec![],
            content: vec![],
            inert: vec![],
            heads: None,
        };
        for (index, Entry { list, rule, .. }) in entries {
            let content = !rule.rule.is_whole_tool();
            let list = match (list, rule.behavior) {
                (RuleList::BypassImmune, _) => {
                    let in_force = match dialect.bypass_immune {
                        BypassImmune::Everywhere => true,
                        BypassImmune::ConfigContent => content && rule.source == RuleSource::Config,
                    };
                    if in_force { &mut book.bypass_immune } else { &mut book.inert }
                }
                _ if content => &mut book.content,
                (_, Behavior::Deny) => &mut book.whole_deny,
                (_, Behavior::Ask) => &mut book.whole_ask,
                (_, Behavior::Allow) => &mut book.whole_allow,
            };
            list.push(index);
        }
        book
    }
}
