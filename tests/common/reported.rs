//! What `check` says of any text.
#![allow(dead_code, unreachable_pub, reason = "no test needs all of this")]

use super::question::{HOST, Question};
use serde_json::Value;
use toolgate::diagnostic::Diagnostic;
use toolgate::json::Json;
use toolgate::policy::{Checked, Policy, check};
use toolgate::wire;

/// Members that mean something in a configuration or in settings.
pub const MEMBERS: &[&str] = &[
    "dialect",
    "rules",
    "layers",
    "defaultMode",
    "disableBypassPermissionsMode",
    "bashToolName",
    "fileEditTools",
    "readOnlyTools",
    "exemptSandboxedBashFromToolAsk",
    "classifierEnabled",
    "additionalDirectories",
    "protectedFiles",
    "dangerousPatterns",
    "home",
    "projectRoot",
    "allow",
    "deny",
    "ask",
    "bypassImmune",
    "source",
    "directory",
    "autoMode",
];

/// A member that is named twice is no place that one value stands at.
pub fn is_ambiguous(all: &[Diagnostic], one: &Diagnostic) -> bool {
    all.iter().any(|other| other.code == "duplicate-member" && one.path.starts_with(&other.path))
}

/// Each diagnostic has its place and words.
pub fn is_placed(checked: &Checked) {
    let Checked { json, diagnostics, .. } = checked;
    assert!(diagnostics.is_sorted_by(|a, b| a.path <= b.path), "{diagnostics:?}");
    // A text that cannot be read to its end has no value: what was found before tells its place in the text alone.
    let is_read = !diagnostics.iter().any(|found| matches!(found.code, "not-json" | "too-deep"));
    for diagnostic in diagnostics {
        let written = json.at(&diagnostic.path);
        // A member that is missing has a place in the object that misses it.
        let place = written.or_else(|| json.at(diagnostic.path.split_last()?.1));
        let is_value = is_read && !is_ambiguous(diagnostics, diagnostic);
        assert!(place.is_some() || !is_value, "no such place: {diagnostic:?}");
        if let Some(span) = diagnostic.span.filter(|_| is_value) {
            let text = written.and_then(Json::as_str).unwrap_or_default();
            assert!(span.slice(text).is_some(), "off its text: {diagnostic:?}");
        }
        assert!(!diagnostic.code.is_empty() && !diagnostic.message.is_empty(), "{diagnostic:?}");
    }
}

/// What was checked compiles exactly where it has no error.
pub fn is_refused_or_compiles(checked: &Checked, text: &str) -> Option<Policy> {
    let diagnostics = &checked.diagnostics;
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    match Policy::new(text, HOST) {
        Err(checked) => {
            assert!(refused && checked.diagnostics == *diagnostics, "{diagnostics:?}");
            None
        }
        Ok(policy) => {
            assert!(!refused, "{diagnostics:?}");
            Some(policy)
        }
    }
}

/// All of it, and a question to what compiles.
pub fn is_reported(text: &str) {
    let checked = check(text, HOST);
    is_placed(&checked);
    if let Some(policy) = is_refused_or_compiles(&checked, text) {
        assert_eq!(policy.fingerprint().len(), 64);
        let question = Question::line("git push; é😀");
        let decision = question.decide(&policy);
        let explained = question.explain(&policy, |explanation| explanation.decision.clone());
        assert_eq!(explained, decision);
    }
    assert!(serde_json::from_str::<Value>(&wire::check_policy(text, HOST)).is_ok());
}
