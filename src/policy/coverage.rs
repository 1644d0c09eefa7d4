//! Which rules a call meets (rules.md section 16): what a coverage is counted of.
//!
//! It is the explanation's own finding, of the same run, without what an explanation says of rules that miss. So counting
//! costs what deciding does, and the two cannot disagree.

use super::Policy;
use super::explain::Told;
use crate::engine::call::{Call, CallState};
use crate::engine::decide::RuleRef;
use crate::rule::PermissionRule;
use crate::vocabulary::Kind;

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
