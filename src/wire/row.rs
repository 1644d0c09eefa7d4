//! A decision as one small row: what is a closed word is its index, so that the façade builds the object from tables.
//!
//! `[kind, effective, stage, mode, readOnly, rule, reason, risk]`; `risk` is `null` where nothing was found, `rule` is `-1` for none, the rank of a policy's rule, or
//! `-2 - place` for a session grant. Building the object there costs a fraction of decoding it member by member.

use super::reading::write_risk;
use crate::json::Writer;
use crate::policy::{Decision, RuleRef};

/// The JSON text of a decision's row.
pub fn decision_row(decision: &Decision) -> String {
    let outcome = &decision.outcome;
    let mut to = Writer::default();
    to.open("[");
    to.number(outcome.kind.index());
    to.number(decision.effective.index());
    to.number(outcome.stage.index());
    to.number(decision.mode.index());
    to.number(usize::from(decision.read_only));
    match outcome.rule {
        None => to.plain("-1"),
        Some(RuleRef::Rule(rank)) => to.number(rank),
        Some(RuleRef::Grant(place)) => {
            to.plain("-");
            to.digits(u64::try_from(place).unwrap_or(u64::MAX).saturating_add(2));
        }
    }
    to.string_or_null(outcome.reason.as_deref());
    if decision.risk.findings.is_empty() {
        to.plain("null");
    } else {
        write_risk(&mut to, &decision.risk, decision.assessed.as_deref().unwrap_or_default());
    }
    to.close("]");
    to.text
}
