//! A confirmation as the Agent Client Protocol has it, and its answer (fallback.md section 9).

use crate::vocabulary::{ConfirmationOutcome, OptionKind};

/// Whether a client is shown an option of that kind: nothing lasting under a notice, or where it is hidden.
pub fn is_shown(kind: OptionKind, has_notice: bool, hide_always_allow: bool) -> bool {
    kind != OptionKind::AllowAlways || !(has_notice || hide_always_allow)
}

/// What a client answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection<'a> {
    /// The prompt was cancelled.
    Cancelled,
    /// An option, by its id.
    Selected(&'a str),
}

/// Why an answer is no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unselectable {
    /// No option of this id was shown.
    Unoffered,
    /// It was shown, and means nothing that is known.
    UnknownOutcome,
}

/// `fromAcpOutcome`: the choice that an answer is; `shown` are the ids of the options that the client was shown.
pub fn from_acp(selection: Selection<'_>, shown: &[&str]) -> Result<ConfirmationOutcome, Unselectable> {
    match selection {
        Selection::Cancelled => Ok(ConfirmationOutcome::Cancel),
        Selection::Selected(id) if shown.contains(&id) => {
            ConfirmationOutcome::parse(id).ok_or(Unselectable::UnknownOutcome)
        }
        Selection::Selected(_) => Err(Unselectable::Unoffered),
    }
}
