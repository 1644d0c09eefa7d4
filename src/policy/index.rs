//! Rules by the calls that they answer for, found in one look-up.
//!
//! Rules stand in one list in consult order, so that a rule's index is its rank. A *book* holds the indexes of the rules
//! that answer for one tool name, by what they are. Books of all names that rules or the dialect's table spell are made
//! once; a call of any other name can only be a tool of an MCP server, or be answered by nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::config::{Config, Entry};
use crate::dialect::{BypassImmune, Dialect};
use crate::rule::tool;
use crate::vocabulary::{Behavior, RuleList, RuleSource};

/// Indexes of the rules that answer for one tool name, each list in consult order.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    pub(super) bypass_immune: Vec<usize>,
    pub(super) whole_deny: Vec<usize>,
    pub(super) whole_ask: Vec<usize>,
    pub(super) whole_allow: Vec<usize>,
    pub(super) content: Vec<usize>,
}

/// Every book of a policy.
#[derive(Debug)]
pub(super) struct Index {
    books: BTreeMap<String, Rc<Book>>,
    by_token: BTreeMap<String, Vec<usize>>,
}

/// Brings rules into consult order: by source, highest priority first, within a source by behavior, within a list as
/// they stand.
pub(super) fn sort(entries: &mut [Entry], dialect: &Dialect) {
    let rank = |behavior: Behavior| dialect.within_source.iter().position(|b| *b == behavior);
    entries.sort_by_key(|entry| (entry.rule.source, rank(entry.rule.behavior)));
}

impl Index {
    /// Indexes entries that are in consult order.
    pub(super) fn new(config: &Config) -> Self {
        let Config { dialect, bash_tool, entries, .. } = config;
        let mut by_token: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            for token in tool::rule_tokens(&entry.rule.rule.tool, dialect, bash_tool) {
                by_token.entry(token.into_owned()).or_default().push(index);
            }
        }
        let mut index = Self { books: BTreeMap::new(), by_token };
        let rule_names = entries.iter().map(|entry| entry.rule.rule.tool.as_str());
        let mut names: Vec<&str> = tool::known_names(dialect).collect();
        names.push(bash_tool);
        names.extend(rule_names);
        for name in names {
            if !index.books.contains_key(name) {
                let book = index.compile(name, config);
                index.books.insert(name.into(), Rc::new(book));
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
            tokens.iter().filter_map(|token| self.by_token.get(token.as_ref())).flatten().copied().collect();
        // A rule with two tokens may have been found twice.
        found.sort_unstable();
        found.dedup();
        let entry = |index: &usize| config.entries.get(*index).map(|entry| (*index, entry));
        Book::new(found.iter().filter_map(entry), config.dialect)
    }
}

impl Book {
    /// Sorts rules that answer for one call into their lists.
    pub(super) fn new<'e>(entries: impl Iterator<Item = (usize, &'e Entry)>, dialect: &Dialect) -> Self {
        let mut book = Self::default();
        for (index, Entry { list, rule, .. }) in entries {
            let content = !rule.rule.is_whole_tool();
            let list = match (list, rule.behavior) {
                (RuleList::BypassImmune, _) => {
                    let in_force = match dialect.bypass_immune {
                        BypassImmune::Everywhere => true,
                        BypassImmune::ConfigContent => content && rule.source == RuleSource::Config,
                    };
                    if !in_force {
                        continue;
                    }
                    &mut book.bypass_immune
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
