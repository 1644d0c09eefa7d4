//! Whether a call shows what a finding says: it goes through the policy's own explanation.

use super::{Lint, written_tool};
use crate::engine::kind::SubjectKind;
use crate::json::Json;
use crate::policy::explain::Told;
use crate::policy::{Call, CallState, RuleRef};
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

/// The last call that was tried, and what its explanation says.
#[derive(Debug, Default)]
pub(super) struct Trial {
    pub(super) witness: Option<Witness>,
    pub(super) allowed: bool,
    /// The rule that decided.
    pub(super) rule: Option<usize>,
    /// Rules that matched, and whether each decided.
    matched: Vec<(usize, bool)>,
}

impl Trial {
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
    /// Tries the call of a rule's tool that is matched by a text. False where there were too many calls.
    #[inline(never)]
    pub(super) fn try_text(&mut self, rank: usize, text: &str) -> bool {
        self.try_in(rank, text, None)
    }

    /// The same in a mode.
    pub(super) fn try_in(&mut self, rank: usize, text: &str, mode: Option<PermissionMode>) -> bool {
        let name = self.entry(rank).map(written_tool).unwrap_or_default();
        let mut tool = String::from(name.strip_suffix("__*").unwrap_or(name));
        if tool::is_mcp_server(name) {
            tool.push_str("__x");
        }
        let fact = self.facts.get(rank);
        let argument = fact.and_then(|fact| fact.argument);
        let is_url = argument == Some("url") && fact.is_some_and(|fact| fact.kind == SubjectKind::Host);
        let (before, behind) = if is_url { ("https://", "/") } else { ("", "") };
        let text = [before, text, behind].concat();
        self.try_call(rank, Witness { tool, argument, text }, mode)
    }

    /// Tries a call for the sake of a rule.
    #[inline(never)]
    pub(super) fn try_call(&mut self, rank: usize, witness: Witness, mode: Option<PermissionMode>) -> bool {
        self.trial.matched.clear();
        let Some(left) = self.calls.checked_sub(self.call_cost) else {
            self.limited(
                rank,
                None,
                "there is too much to try: this rule and others were not looked at in full",
            );
            return false;
        };
        self.calls = left;
        let mut call = Call { tool: &witness.tool, ..Call::default() };
        let text = Some(witness.text.as_str());
        let name = witness.argument.unwrap_or_default();
        match name {
            "" => call.subject = text,
            "command" => call.command = text,
            "file_path" => call.file_path = text,
            "path" => call.path = text,
            "url" => call.url = text,
            _ => {}
        }
        let arguments = Json::Object(vec![(name.into(), Json::Text(witness.text.clone()))]);
        if !name.is_empty() && self.policy.config.dialect.looks_at_arguments {
            call.arguments = Some(&arguments);
        }
        let state = CallState { mode, ..CallState::default() };
        let trial = &mut self.trial;
        self.policy.tell(&call, &state, &[], Told::Matches, &mut |explanation| {
            let outcome = &explanation.decision.outcome;
            trial.allowed = outcome.kind == Kind::Allow;
            trial.rule = outcome.rule.map(rank_of);
            for note in &explanation.rules {
                if note.matched {
                    trial.matched.push((rank_of(note.at), note.decided));
                }
            }
        });
        // Each rule that matched was explained.
        self.calls = self.calls.saturating_sub(self.trial.matched.len() / MATCHED);
        self.trial.witness = Some(witness);
        true
    }

    /// Whether a rule that denies or asks matched the call.
    pub(super) fn is_restricted(&self) -> bool {
        let restricts = |(rank, _): &(usize, bool)| {
            self.entry(*rank).is_some_and(|entry| entry.rule.behavior != Behavior::Allow)
        };
        self.trial.matched.iter().any(restricts)
    }
}

/// So many rules that match a call cost as much as another call.
const MATCHED: usize = 32;

/// The rank of a rule; there are no grants.
const fn rank_of(at: RuleRef) -> usize {
    let (RuleRef::Rule(rank) | RuleRef::Grant(rank)) = at;
    rank
}
