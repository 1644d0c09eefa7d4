//! A decision as a row: what is a closed word is its index, so that the façade builds the object from tables.
//!
//! ```text
//! decision  kind effective stage mode readOnly list index said reason? risk
//!           list: 0 none, 1 the policy's rules, 2 the grants
//!           said: 0 the reason follows, if there is one; n what is said of the rule, as `rule_reason` puts it
//! met       kind fell rules (list index said)*                          said: 1 matched, 2 decided, 3 both
//! ```

use super::reading::write_risk;
use crate::json::Writer;
use crate::policy::{Decision, Met, Reason, RuleRef};
use crate::row::Row;

/// Adds a decision; its risk is JSON text, where there is any.
pub(super) fn write_decision(row: &mut Row, decision: &Decision) {
    let outcome = &decision.outcome;
    row.push(outcome.kind.index());
    row.push(decision.effective.index());
    row.push(outcome.stage.index());
    row.push(decision.mode.index());
    row.push(usize::from(decision.read_only));
    write_rule_ref(row, outcome.rule);
    let (said, reason) = match &outcome.reason {
        None => (0, None),
        Some(Reason::OfRule(saying)) => ((*saying as usize).saturating_add(1), None),
        Some(Reason::Text(text)) => (0, Some(text.as_str())),
    };
    row.push(said);
    if said == 0 {
        row.push_text(reason);
    }
    if decision.risk.findings.is_empty() {
        return row.push_text(None);
    }
    let mut risk = Writer::default();
    write_risk(&mut risk, &decision.risk, decision.assessed.as_deref().unwrap_or_default());
    row.push_text(Some(&risk.text));
}

fn write_rule_ref(row: &mut Row, rule: Option<RuleRef>) {
    let (list, index) = match rule {
        None => (0, 0),
        Some(RuleRef::Rule(rank)) => (1, rank),
        Some(RuleRef::Grant(place)) => (2, place),
    };
    row.push(list);
    row.push(index);
}

/// Adds what a call met.
pub(super) fn write_met(row: &mut Row, met: &Met) {
    row.push(met.kind.index());
    row.push(usize::from(met.fell_through));
    row.push(met.rules.len());
    for rule in &met.rules {
        write_rule_ref(row, Some(rule.at));
        row.push(usize::from(rule.matched) | (usize::from(rule.decided) << 1));
    }
}
