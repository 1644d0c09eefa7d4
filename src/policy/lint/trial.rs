//! Whether a call shows what a finding says: it goes through the policy's own explanation.

use super::{Lint, written_tool};
use crate::json::Json;
use crate::policy::{Call, CallState, RuleRef};
use crate::policy::kind::SubjectKind;
use crate::rule::tool;
use crate::vocabulary::{Behavior, Kind, PermissionMode};

/// A call that shows a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The tool.
    pub tool: String,
    /// The argument that the text is of; none where the host names the subject itself.
    pub argument: Option<&'static str>,
    /// The text.
    pub text: String,
}

/// What an explanation says of a call, and of some rules.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) kind: Kind,
    /// The rule that decided.
    pub(super) rule: Option<usize>,
    /// Rules that matched, and whether each decided.
    matched: Vec<(usize, bool)>,
}

impl Shown {
    pub(super) fn has_matched(&self, rank: usize) -> bool {
        self.matched.iter().any(|(own, _)| *own == rank)
    }

    pub(super) fn has_decided(&self, rank: usize) -> bool {
        self.matched.contains(&(rank, true))
    }

    /// The rule accepts the call, and no other rule settles it.
    pub(super) fn is_up_to(&self, rank: usize) -> bool {
        self.has_matched(rank) && (self.has_decided(rank) || self.rule.is_none())
    }
}

impl Lint<'_> {
    /// The call of a rule's tool that is matched by a text.
    pub(super) fn call(&self, rank: usize, text: &str) -> Witness {
        let name = self.entry(rank).map(written_tool).unwrap_or_default();
        let tool = if tool::is_mcp_server(name) {
            [name.strip_suffix("__*").unwrap_or(name), "__x"].concat()
        } else {
            name.replace(['*'], "x")
        };
        let fact = self.facts.get(rank);
        let argument = fact.and_then(|fact| fact.argument);
        let text = match fact.map(|fact| fact.kind) {
            Some(SubjectKind::Host) if argument.is_some() => ["https://", text, "/"].concat(),
            _ => text.into(),
        };
        Witness { tool, argument, text }
    }

    /// What becomes of a call, and which of some rules, or of all where none are named, match it. None where there were too
    /// many calls; one in which all rules are tried counts as several.
    pub(super) fn show(&mut self, witness: &Witness, mode: Option<PermissionMode>, ranks: &[usize]) -> Option<Shown> {
        let tried = if ranks.is_empty() { self.facts.len() >> 6 } else { 0 };
        let Some(left) = self.calls.checked_sub(tried.saturating_add(1)) else {
            self.calls = 0;
            self.limited(ranks.first().copied().unwrap_or_default(), None);
            return None;
        };
        self.calls = left;
        let named = |name: &str| (witness.argument == Some(name)).then_some(witness.text.as_str());
        let member = |name: &&str| vec![(String::from(*name), Json::Text(witness.text.clone()))];
        let arguments = Json::Object(witness.argument.as_ref().map(member).unwrap_or_default());
        let call = Call {
            tool: &witness.tool,
            subject: Some(witness.text.as_str()).filter(|_| witness.argument.is_none()),
            command: named("command"),
            file_path: named("file_path"),
            notebook_path: None,
            path: named("path"),
            url: named("url"),
            arguments: Some(&arguments).filter(|_| self.policy.config.dialect.looks_at_arguments),
        };
        let state = CallState { mode, ..CallState::default() };
        let mut shown = None;
        let only = Some(ranks).filter(|ranks| !ranks.is_empty());
        self.policy.explain_to(&call, &state, &[], only, &mut |explanation| {
            let outcome = &explanation.decision.outcome;
            let rank = |at: RuleRef| match at {
                RuleRef::Rule(rank) => Some(rank),
                RuleRef::Grant(_) => None,
            };
            let mut matched = vec![];
            for note in explanation.rules.iter().filter(|note| note.matched) {
                if let Some(rank) = rank(note.at) {
                    matched.push((rank, note.decided));
                }
            }
            shown = Some(Shown { kind: outcome.kind, rule: outcome.rule.and_then(rank), matched });
        });
        shown
    }

    /// What becomes of the call of a rule's tool that is matched by a text, where the rule alone is asked about.
    pub(super) fn try_text(&mut self, rank: usize, text: &str) -> Option<(Witness, Shown)> {
        let witness = self.call(rank, text);
        let shown = self.show(&witness, None, &[rank])?;
        Some((witness, shown))
    }

    /// Whether a rule denied the call or asked for it.
    pub(super) fn is_restricted(&self, shown: &Shown) -> bool {
        let restricts = |rank: usize| self.entry(rank).is_some_and(|entry| entry.rule.behavior != Behavior::Allow);
        shown.rule.is_some_and(restricts)
    }
}
