//! A decision as one small row: what is a closed word is its index, so that the façade builds the object from tables.
//!
//! `[kind, effective, stage, mode, readOnly, rule, reason, risk]`; `risk` is `null` where nothing was found, `rule` is `-1` for none, the rank of a policy's rule, or
//! `-2 - place` for a session grant. Building the object there costs a fraction of decoding it member by member.

use super::functions::encode;
use super::reading::RiskShape;
use crate::policy::{Decision, RuleRef};

/// The JSON text of a decision's row.
pub fn decision_row(decision: &Decision) -> String {
    let outcome = &decision.outcome;
    let rule = match outcome.rule {
        None => -1,
        Some(RuleRef::Rule(rank)) => signed(rank),
        Some(RuleRef::Grant(place)) => signed(place).saturating_add(2).saturating_neg(),
    };
    let text = decision.assessed.as_deref().unwrap_or_default();
    let risk = (!decision.risk.findings.is_empty()).then(|| RiskShape::of(&decision.risk, text));
    encode(&(
        outcome.kind.index(),
        decision.effective.index(),
        outcome.stage.index(),
        decision.mode.index(),
        usize::from(decision.read_only),
        rule,
        &outcome.reason,
        risk,
    ))
}

fn signed(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
