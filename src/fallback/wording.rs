//! What each reason for a prompt says, and what it lets a person choose (fallback.md sections 4 and 7).

use crate::vocabulary::FallbackReason;

/// What is known of a reason.
struct Row {
    reason: FallbackReason,
    /// The message, up to where a model's reason is named; empty for none.
    says: &'static str,
    /// What follows there.
    then: &'static str,
    /// The message is a notice of the prompt.
    notice: bool,
    /// Lasting approvals are not offered.
    hides_lasting: bool,
    /// The switch to the default mode is offered.
    offers_switch: bool,
}

const fn row(reason: FallbackReason, says: &'static str, then: &'static str) -> Row {
    Row { reason, says, then, notice: true, hides_lasting: true, offers_switch: false }
}

const fn silent(reason: FallbackReason, hides_lasting: bool) -> Row {
    Row { notice: false, hides_lasting, ..row(reason, "", "") }
}

const ROWS: &[Row] = &[
    Row {
        offers_switch: true,
        ..row(
            FallbackReason::ClassifierUnavailable,
            "Auto mode could not judge this action",
            ". Please decide yourself. If this keeps happening, switch to Default Mode.",
        )
    },
    Row {
        offers_switch: true,
        ..row(
            FallbackReason::ConsecutiveUnavailable,
            "Auto mode could not judge the last actions, so it was not asked about this one. Please decide yourself, or switch to Default Mode.",
            "",
        )
    },
    row(
        FallbackReason::ConsecutiveBlock,
        "Auto mode refused several actions in a row",
        ". Please decide about this one yourself.",
    ),
    row(
        FallbackReason::TotalDenial,
        "Auto mode reached its limit of refused or unjudged actions for this session. Please decide about this one yourself.",
        "",
    ),
    row(
        FallbackReason::ClassifierBlockedRetry,
        "Auto mode refused exactly this action before. Please decide yourself.",
        "",
    ),
    row(
        FallbackReason::ExternalWrite,
        "This action writes outside the workspace, which auto mode never approves. Please decide yourself.",
        "",
    ),
    // A stored allow would not outrank the rule that asks.
    silent(FallbackReason::AskRule, true),
    silent(FallbackReason::SafetyCheck, false),
    silent(FallbackReason::PlanModeFloor, false),
];

/// What stands behind the first line that an agent gets of a refused call.
pub(super) const BLOCKED: (&str, &str) = (
    "Refused by auto mode",
    "Do not try to reach the same result in another way. Sending exactly this call again asks a person. Unrelated safe work may go on.",
);

/// What stands behind the first line that an agent gets of a call that was stopped.
pub(super) const DESTRUCTIVE: (&str, &str) =
    ("Stopped as destructive", "Stop here and ask the person before going on.");

/// What a reason does to the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) notice: bool,
    pub(super) hides_lasting: bool,
    pub(super) offers_switch: bool,
}

pub(super) fn manner(reason: FallbackReason) -> Manner {
    let row = ROWS.iter().find(|row| row.reason == reason);
    // No reason is without a row; the strictest manner stands in for it.
    row.map_or(Manner { notice: true, hides_lasting: true, offers_switch: false }, |row| Manner {
        notice: row.notice,
        hides_lasting: row.hides_lasting,
        offers_switch: row.offers_switch,
    })
}

/// What a person is told, with a model's inert reason where there is one.
pub(super) fn message(reason: FallbackReason, because: &str) -> Option<String> {
    let row = ROWS.iter().find(|row| row.reason == reason && !row.says.is_empty())?;
    Some(if row.then.is_empty() || because.is_empty() {
        [row.says, row.then].concat()
    } else {
        [row.says, " (", because, ")", row.then].concat()
    })
}

/// The two lines that go back to the agent.
pub(super) fn lines((says, then): (&str, &str), because: &str) -> String {
    let (colon, because) = if because.is_empty() { (".", "") } else { (": ", because) };
    [says, colon, because, "\n", then].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_row() {
        for reason in FallbackReason::ALL {
            assert_eq!(ROWS.iter().filter(|row| row.reason == *reason).count(), 1, "{reason:?}");
            assert_eq!(message(*reason, "x").is_some(), manner(*reason).notice, "{reason:?}");
        }
    }
}
