//! Functions that take and give a few texts, called by their name: one export for all of them, where an export of its own
//! costs each half a kilobyte of the module.

use super::error::{Answer, Failure, Fallible};
use super::{fallback, session};
use crate::host::Host;

/// What such a function is handed: up to four texts, as the façade lists them, and what the runtime knows of names.
pub(super) struct Given<'a> {
    texts: &'a [Option<&'a str>],
    pub(super) host: Host,
}

impl<'a> Given<'a> {
    /// The text at a place, or none.
    pub(super) fn optional(&self, at: usize) -> Option<&'a str> {
        self.texts.get(at).copied().flatten()
    }

    /// The text at a place that always has one.
    pub(super) fn text(&self, at: usize) -> &'a str {
        self.optional(at).unwrap_or_default()
    }
}

/// Gives a text: a word or hash as it is, anything else as JSON, an absent value as the empty text.
type Function = fn(&Given<'_>) -> Fallible<String>;

const FUNCTIONS: &[(&str, Function)] = &[
    ("approveSandboxEscalation", session::approve_sandbox_escalation),
    ("callFingerprint", fallback::call_fingerprint),
    ("checkModeEvents", session::check_mode_events),
    ("dangerousAllowRules", fallback::dangerous_allow_rules),
    ("denialApply", fallback::denial_apply),
    ("denialResolve", fallback::denial_resolve),
    ("denialShouldFallback", fallback::denial_should_fallback),
    ("denialState", fallback::denial_state),
    ("deriveGrant", session::derive_grant),
    ("fallbackConfirmation", fallback::fallback_confirmation),
    ("foldClassifiers", session::fold_classifiers),
    ("foldPermissionMode", session::fold_permission_mode),
    ("foldResumeSandbox", session::fold_resume_sandbox),
    ("foldSessionAllow", session::fold_session_allow),
    ("fromAcpOutcome", fallback::from_acp_outcome),
    ("isSandboxEscalation", session::is_sandbox_escalation),
    ("normalizeConfirmation", fallback::normalize_confirmation),
    ("sessionAllowEvent", session::session_allow_event),
    ("setPermissionMode", session::set_permission_mode),
    ("toAcpPermissionRequest", fallback::to_acp_permission_request),
];

/// Calls the function of that name.
pub fn call(function: &str, texts: &[Option<&str>], host: Host) -> Answer {
    let row = FUNCTIONS.iter().find(|(name, _)| *name == function);
    let answer = match row {
        Some((_, function)) => function(&Given { texts, host }),
        None => Err(Failure::argument("unknown-function", "the core has no such function", vec![])),
    };
    answer.map_err(|failure| failure.text())
}
