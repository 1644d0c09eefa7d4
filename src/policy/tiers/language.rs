//! What `lint` compares rules of this engine by: their texts, the names that they answer for, and the calls that show them.

use super::place::Ground;
use super::rule::Test;
use super::tool::{Name, Tool};
use super::{Origin, Rules};
use crate::dialect::tiers::CallKind;
use crate::engine::kind::SubjectKind;
use crate::rule::Matcher;
use crate::rule::language::Language;
use crate::vocabulary::{Behavior, RuleList};

impl Rules<'_> {
    /// The texts that a rule with content accepts. None for what is no single text, and for what is never consulted.
    pub(in crate::policy) fn language(&self, rank: usize) -> Option<Language> {
        let compiled = self.index.compiled(rank).filter(|compiled| compiled.parameter.is_none())?;
        let entry = self.config.entries.get(rank)?;
        let allows = entry.list.behavior() == Behavior::Allow;
        match &compiled.test {
            Test::Command(pattern) => pattern.language(allows),
            Test::Path(pattern) => {
                let origin = Origin { source: entry.rule.source, directory: entry.directory.as_deref() };
                pattern.language(
                    &Ground::new(self.config, &crate::policy::CallState::default()),
                    origin,
                    allows,
                )
            }
            Test::Domain(domain) => {
                Language::of(&Matcher::Domain(domain.clone()), false).filter(|_| !domain.is_no_host())
            }
            Test::Name(name) => Language::of(&Matcher::Exact(name.clone()), false),
            Test::Whole | Test::Nothing | Test::Directory(_) => None,
        }
    }

    /// Whether a rule stands for the whole tool.
    pub(in crate::policy) fn is_whole(&self, rank: usize) -> bool {
        self.index.compiled(rank).is_some_and(|compiled| matches!(compiled.test, Test::Whole))
    }

    /// Whether a rule is set aside where a classifier stands in.
    pub(in crate::policy) fn is_broad(&self, rank: usize) -> bool {
        self.index.compiled(rank).is_some_and(|compiled| compiled.broad)
    }

    /// What calls of a tool are matched by, and the argument that holds it; none where only the host names it.
    pub(in crate::policy) fn subject_of(&self, tool: &str) -> (SubjectKind, Option<&'static str>) {
        let row = Tool::of(tool, self.tiers, self.config).row;
        let kind = match row.kind {
            CallKind::Shell | CallKind::ForeignShell => SubjectKind::Command,
            CallKind::Read | CallKind::Edit | CallKind::Directory => SubjectKind::Path,
            CallKind::Fetch => SubjectKind::Host,
            _ => SubjectKind::Text,
        };
        (kind, row.subject.first())
    }

    /// Whether a rule of that name and list answers for calls of a tool.
    pub(in crate::policy) fn answers(&self, rule: &str, list: RuleList, tool: &str) -> bool {
        let name = Name::of(rule, list.behavior() == Behavior::Allow);
        Tool::of(tool, self.tiers, self.config).is_answered_by(rule, &name)
    }

    /// The rules that answer for calls of a tool, in consult order.
    pub(in crate::policy) fn answering(&self, tool: &str) -> Vec<usize> {
        let found = self.index.find(&Tool::of(tool, self.tiers, self.config), super::Sought::All);
        let mut ranks = vec![];
        for (rank, own) in found {
            if own {
                ranks.push(rank);
            }
        }
        ranks
    }
}
