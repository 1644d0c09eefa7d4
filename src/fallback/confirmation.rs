//! The prompt that a fallback opens, and what a choice in it means (fallback.md sections 7 and 8).

use super::wording::{manner, message};
use crate::vocabulary::{ConfirmationOutcome, FallbackReason, OptionKind, PermissionMode, Telemetry};

/// What a prompt is decorated with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// Approvals that last are not offered.
    pub hide_always_allow: bool,
    /// What comes before the details.
    pub notice: Option<Notice>,
    /// The options, in order.
    pub options: Vec<Offer>,
}

/// Why a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// As a word.
    pub reason: FallbackReason,
    /// As a sentence.
    pub message: String,
}

/// An option of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// One of the package's own.
    Own(&'static ConfirmationOption),
    /// The caller's option at that place.
    Given(usize),
}

/// One of the package's own options.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfirmationOption {
    /// What choosing it means.
    pub id: ConfirmationOutcome,
    /// What it is called.
    pub label: &'static str,
    /// What it means to a client of the Agent Client Protocol.
    pub kind: OptionKind,
}

static ONCE: ConfirmationOption = ConfirmationOption {
    id: ConfirmationOutcome::ProceedOnce,
    label: "Allow once",
    kind: OptionKind::AllowOnce,
};
static SWITCH: ConfirmationOption = ConfirmationOption {
    id: ConfirmationOutcome::ProceedOnceAndSwitchToDefault,
    label: "Switch to Default Mode and allow once",
    kind: OptionKind::AllowOnce,
};
static REJECT: ConfirmationOption =
    ConfirmationOption { id: ConfirmationOutcome::Cancel, label: "Reject", kind: OptionKind::RejectOnce };

/// `fallbackConfirmation`: the decoration of a prompt. `told` is the message of the outcome, `given` the id and kind of
/// each of the caller's options; without them a prompt allows once or rejects.
pub fn confirmation(
    reason: FallbackReason,
    told: Option<&str>,
    given: Option<&[(&str, OptionKind)]>,
) -> Confirmation {
    let manner = manner(reason);
    let mut options = vec![];
    let mut rejects_at = None;
    match given {
        None => {
            options = vec![Offer::Own(&ONCE), Offer::Own(&REJECT)];
            rejects_at = Some(1);
        }
        Some(given) => {
            for (at, (id, kind)) in given.iter().enumerate() {
                let lasts = manner.hides_lasting && *kind == OptionKind::AllowAlways;
                if lasts || *id == SWITCH.id.as_str() {
                    continue;
                }
                if *kind == OptionKind::RejectOnce && rejects_at.is_none() {
                    rejects_at = Some(options.len());
                }
                options.push(Offer::Given(at));
            }
        }
    }
    if manner.offers_switch {
        options.insert(rejects_at.unwrap_or(options.len()), Offer::Own(&SWITCH));
    }
    let message = || told.map(Into::into).or_else(|| message(reason, "")).unwrap_or_default();
    Confirmation {
        hide_always_allow: manner.hides_lasting,
        notice: manner.notice.then(|| Notice { reason, message: message() }),
        options,
    }
}

/// What is carried out for a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalized {
    /// The choice, also in every record of it.
    pub outcome: ConfirmationOutcome,
    /// The mode that is switched to before the call runs, for this session only.
    pub switch_mode_to: Option<PermissionMode>,
    /// What it counts as.
    pub telemetry: Telemetry,
}

/// `normalizeConfirmation`: the switch becomes an approval of this call and a change of mode.
pub fn normalize(choice: ConfirmationOutcome) -> Normalized {
    use ConfirmationOutcome::{
        Cancel, ModifyWithEditor, ProceedOnce, ProceedOnceAndSwitchToDefault, RestorePrevious,
    };
    let switches = choice == ProceedOnceAndSwitchToDefault;
    Normalized {
        outcome: if switches { ProceedOnce } else { choice },
        switch_mode_to: switches.then_some(PermissionMode::Default),
        telemetry: match choice {
            ProceedOnce | ProceedOnceAndSwitchToDefault | RestorePrevious => Telemetry::Accept,
            ModifyWithEditor => Telemetry::Modify,
            Cancel => Telemetry::Reject,
            _ => Telemetry::AutoAccept,
        },
    }
}
