//! Compiled rules by the calls that they may be about: by the names that they answer for, and rules about commands by
//! the text that their patterns begin with.

use super::rule::{Compiled, Test};
use super::tool::{Name, Tool};
use crate::dialect::Tiers;
use crate::dialect::tiers::CallKind;
use crate::engine::config::Config;
use crate::heads::Heads;
use crate::order;
use crate::order::{Gather as _, Grow as _};

/// The rules of a policy, compiled.
#[derive(Debug)]
pub(in crate::policy) struct Index {
    /// One for each entry.
    compiled: Vec<Compiled>,
    groups: Vec<Group>,
    /// The groups by what the names that they answer for begin with.
    names: Heads,
    /// Rules about files, which look at what lines and tools do to them.
    of_files: Vec<usize>,
}

/// Rules of one name.
#[derive(Debug)]
struct Group {
    rule: String,
    name: Name,
    /// Those that are nothing but a pattern of commands, by the text that it begins with.
    commands: Heads,
    /// The others.
    others: Vec<usize>,
    /// All of them.
    all: Vec<usize>,
}

/// Which rules a call may be about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sought<'t> {
    /// Those of its tool.
    All,
    /// Of those about commands the ones that may accept one of the texts.
    Accepting(&'t [&'t str]),
}

impl Index {
    pub(in crate::policy) fn new(config: &Config, tiers: &'static Tiers) -> Self {
        let mut compiled = vec![];
        for entry in &config.entries {
            compiled.push(Compiled::of(&entry.rule, entry.list, tiers, &config.bash_tool));
        }
        let mut index = Self { compiled, groups: vec![], names: Heads::default(), of_files: vec![] };
        for (rank, compiled) in index.compiled.iter().enumerate() {
            if matches!(compiled.kind, CallKind::Read | CallKind::Edit) {
                index.of_files.push(rank);
            }
        }
        // Of one name only stars are compared in two ways: some stand for nobody in allow rules.
        let key = |rank: usize| {
            let name = config.entries.get(rank).map(|entry| entry.rule.rule.tool.as_str());
            let nobody =
                index.compiled.get(rank).is_some_and(|compiled| matches!(compiled.name, Name::Nobody));
            (name.unwrap_or_default(), nobody)
        };
        let by_name = order::sorted(config.entries.len(), &mut |a, b| key(a).cmp(&key(b)));
        let mut groups = vec![];
        for ranks in by_name.chunk_by(|a, b| key(*a) == key(*b)) {
            groups.grow(index.group(key(ranks.first().copied().unwrap_or_default()).0, ranks));
        }
        let head = |group: &Group| group.rule.split(['*']).next().map_or(0, str::len);
        let heads = groups.iter().enumerate();
        let heads = heads.map(|(at, group)| (group.rule.get(..head(group)).unwrap_or_default(), at)).gather();
        index.names = Heads::of(heads);
        index.groups = groups;
        index
    }

    fn group(&self, rule: &str, ranks: &[usize]) -> Option<Group> {
        let name = self.compiled.get(*ranks.first()?)?.name.clone();
        let mut others = vec![];
        let mut commands = vec![];
        for rank in ranks {
            match self.compiled.get(*rank) {
                Some(Compiled { test: Test::Command(pattern), parameter: None, .. }) => {
                    commands.push((pattern.head(), *rank));
                }
                _ => others.push(*rank),
            }
        }
        let (rule, commands, all) = (rule.into(), Heads::of(commands), ranks.to_vec());
        Some(Group { rule, name, commands, others, all })
    }

    pub(super) fn compiled(&self, rank: usize) -> Option<&Compiled> {
        self.compiled.get(rank)
    }

    /// The rules that a call of the tool may be about, in consult order; each with whether it answers for the tool.
    pub(super) fn find(&self, tool: &Tool<'_>, sought: Sought<'_>) -> Vec<(usize, bool)> {
        let mut ranks = vec![];
        for group in self.groups_of(tool) {
            let Some(group) = self.groups.get(group) else { continue };
            if !tool.is_answered_by(&group.rule, &group.name) {
                continue;
            }
            match sought {
                Sought::All => ranks.extend_from_slice(&group.all),
                Sought::Accepting(texts) => {
                    ranks.extend_from_slice(&group.others);
                    for text in texts {
                        group.commands.find(text, &mut ranks);
                    }
                }
            }
        }
        let mut found: Vec<(usize, bool)> = ranks.into_iter().map(|rank| (rank, true)).gather();
        if matches!(tool.row.kind, CallKind::Shell | CallKind::Edit) {
            found.grow(self.of_files.iter().map(|rank| (*rank, false)));
        }
        // Of a rule that was found twice the one that answers stays.
        let mut found = order::sort(found, |a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        found.dedup_by_key(|found| found.0);
        found
    }

    /// The groups that may answer for a tool, each once.
    fn groups_of(&self, tool: &Tool<'_>) -> Vec<usize> {
        let mut groups = vec![];
        self.names.find(tool.name, &mut groups);
        for name in core::iter::once(tool.row.name).chain(tool.row.answered_by.iter()) {
            self.names.find(name, &mut groups);
        }
        order::ascending(groups)
    }
}
