//! Which rules a call meets (rules.md section 16): what a coverage is counted of.
//!
//! It is the explanation's own finding, of the same run, without what an explanation says of rules that miss. So counting
//! costs what deciding does, and the two cannot disagree.

use super::call::{Call, CallState};
use super::decide::RuleRef;
use super::explain::Told;
use super::{Decision, Policy};
use crate::rule::PermissionRule;
use crate::vocabulary::{Kind, RiskLevel, Stage};

/// What a call met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// What was decided.
    pub kind: Kind,
    /// No rule and no mode settled the call.
    pub fell_through: bool,
    /// The rules and grants that matched or decided, in the order in which they are consulted.
    pub rules: Vec<MetRule>,
}

/// A rule that a call met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetRule {
    /// Which one.
    pub at: RuleRef,
    /// It accepts a part of the call.
    pub matched: bool,
    /// It decided the call, or settled one of its commands.
    pub decided: bool,
}

impl Policy {
    /// What a call meets.
    pub fn meets(&self, call: &Call<'_>, state: &CallState<'_>, grants: &[PermissionRule]) -> Met {
        let mut met = Met { kind: Kind::Passthrough, fell_through: false, rules: vec![] };
        self.tell(call, state, grants, Told::Matches, &mut |explanation| {
            met.kind = explanation.decision.outcome.kind;
            met.fell_through = explanation.decision.fell_through();
            for note in &explanation.rules {
                met.rules.push(MetRule { at: note.at, matched: note.matched, decided: note.decided });
            }
        });
        met
    }
}

impl Decision {
    /// Whether no rule and no mode settled the call, whatever a plan made of it. In dialects that end without passthrough
    /// it is what ends at `no-match` and is not allowed.
    pub fn fell_through(&self) -> bool {
        match self.outcome.stage {
            Stage::NoMatch => self.outcome.kind != Kind::Allow,
            // A floor under the call would have asked before the plan denied.
            Stage::PlanWrap => {
                matches!(self.outcome.settled_at, None | Some(Stage::NoMatch))
                    && self.risk.level == RiskLevel::Low
            }
            _ => false,
        }
    }
}
