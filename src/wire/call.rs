//! Functions that take and give a few texts, called by their name: one export for all of them, where an export of its own
//! costs each half a kilobyte of the module.

use super::error::{Answer, Failure, Fallible};
use super::{evidence, fallback, functions, session, stage};
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

/// Gives a text: a word, rule or hash as it is, anything else as JSON, an absent value as the empty text.
type Function<T> = fn(&Given<'_>) -> T;

/// Yes is a text, no is none.
fn flag(flag: bool) -> String {
    String::from(if flag { "true" } else { "" })
}

/// Functions that have a signature of their own, for whoever calls them natively.
const TEXTS: &[(&str, Function<Answer>)] = &[
    ("assessBashCommand", |given| {
        functions::assess_bash_command(given.text(0), given.optional(1), given.optional(2))
    }),
    ("assessFilePath", |given| functions::assess_file_path(given.text(0), given.text(1))),
    ("checkEvidencePath", |given| Ok(evidence::check_evidence_path(given.text(0)).unwrap_or_default())),
    ("checkPolicy", |given| Ok(functions::check_policy(given.text(0), given.host))),
    ("configFromSettings", |given| functions::config_from_settings(given.text(0), given.text(1))),
    ("containsSecret", |given| Ok(flag(evidence::contains_secret(given.text(0))))),
    ("contentMatches", |given| {
        let matches = functions::content_matches(given.text(0), given.text(1), given.optional(2))?;
        Ok(flag(matches))
    }),
    ("escapeRuleContent", |given| functions::escape_rule_content(given.text(0), given.optional(1))),
    ("evidenceCandidates", |given| Ok(evidence::evidence_candidates(given.text(0)))),
    ("expandSoftDeny", |given| stage::expand_soft_deny_rules(given.text(0))),
    ("mergeRuleSets", |given| functions::merge_rule_sets(given.text(0))),
    ("parseRuleString", |given| functions::parse_rule_string(given.text(0), given.optional(1), given.host)),
    ("parseVerdict", |given| Ok(stage::parse_verdict(given.text(0)))),
    ("projectDiagnostic", |given| Ok(evidence::project_diagnostic(given.text(0)).unwrap_or_default())),
    ("ruleString", |given| functions::rule_string(given.text(0), given.optional(1), given.optional(2))),
    ("trailingRouteFailureStreak", |given| {
        stage::failure_streak(given.text(0), given.text(1), given.text(2))
    }),
    ("unescapeRuleContent", |given| functions::unescape_rule_content(given.text(0), given.optional(1))),
];

const FUNCTIONS: &[(&str, Function<Fallible<String>>)] = &[
    ("approveSandboxEscalation", session::approve_sandbox_escalation),
    ("callFingerprint", fallback::call_fingerprint),
    ("checkModeEvents", session::check_mode_events),
    ("dangerousAllowRules", fallback::dangerous_allow_rules),
    ("denialStep", fallback::denial_step),
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

/// The names of all functions.
pub fn names() -> Vec<&'static str> {
    TEXTS.iter().map(|(name, _)| *name).chain(FUNCTIONS.iter().map(|(name, _)| *name)).collect()
}

/// Calls the function of that name.
pub fn call(function: &str, texts: &[Option<&str>], host: Host) -> Answer {
    let given = Given { texts, host };
    if let Some((_, function)) = TEXTS.iter().find(|(name, _)| *name == function) {
        return function(&given);
    }
    let answer = match FUNCTIONS.iter().find(|(name, _)| *name == function) {
        Some((_, function)) => function(&given),
        None => Err(Failure::argument("unknown-function", "the core has no such function", vec![])),
    };
    answer.map_err(|failure| failure.text())
}
