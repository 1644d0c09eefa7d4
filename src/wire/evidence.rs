//! The evidence classifier as it crosses, and its functions.

use super::machine::Crosses;
use crate::evidence::{
    self, Ask, Classifier, ClassifierError, Diagnostic, Judgement, ModelCall, Outcome, SYSTEM, Start,
    write_tools, write_usage,
};
use crate::json::{self, Json, Writer};

/// `evidenceCandidates`; a JSON list.
pub fn evidence_candidates(command: &str) -> String {
    let mut to = Writer::default();
    to.open("[");
    for path in evidence::candidates(command) {
        to.string(&path);
    }
    to.close("]");
    to.text
}

/// `checkEvidencePath`; the code, where there is one.
pub fn check_evidence_path(path: &str) -> Option<String> {
    evidence::check_path(path).map(Into::into)
}

/// `containsSecret`
pub fn contains_secret(text: &str) -> bool {
    evidence::contains_secret(text)
}

/// `projectDiagnostic`; JSON text, where the value is a diagnostic.
pub fn project_diagnostic(value: &str) -> Option<String> {
    let diagnostic = json::read(value).ok().and_then(|value| Diagnostic::project(&value))?;
    let mut to = Writer::default();
    diagnostic.write(&mut to);
    Some(to.text)
}

impl Crosses for Classifier {
    fn read_start(text: &str) -> Option<Start> {
        let value = json::read(text).ok()?;
        let text = |name| value.get(name).and_then(Json::as_str).map(Into::into);
        let flag = |name| value.get(name) == Some(&Json::Bool(true));
        Some(Start {
            request: text("request"),
            refusal: value.get("refusal").and_then(Json::as_str).and_then(ClassifierError::parse),
            has_files: flag("hasFiles"),
            is_held: flag("isHeld"),
            nonce: text("nonce"),
        })
    }

    fn write_ask(ask: &Ask, to: &mut Writer) {
        match ask {
            Ask::Lease(request) => {
                to.string("lease");
                to.string_or_null(request.as_deref());
            }
            Ask::Size(path) => {
                to.string("size");
                to.string(path);
            }
            Ask::Identity => {
                to.string("identity");
                to.plain("null");
            }
            Ask::Model(call) => {
                to.string("model");
                write_call(call, to);
            }
            Ask::Inspection(path) => {
                to.string("inspection");
                to.string(path);
            }
            Ask::LateReceipt(usage, diagnostic) => {
                to.string("receipt");
                to.open("{");
                to.name("usage");
                write_usage(*usage, to);
                to.name("diagnostic");
                diagnostic.write(to);
                to.close("}");
            }
        }
    }

    fn write_result(result: &Outcome, to: &mut Writer) {
        to.open("{");
        let (kind, reason) = match &result.judgement {
            Judgement::Allow(reason) => ("allow", Some(reason)),
            Judgement::Deny(reason) => ("deny", Some(reason)),
            Judgement::Unavailable(_) => ("unavailable", None),
        };
        to.member("kind", kind);
        to.optional_member("reason", reason.map(String::as_str));
        if let Judgement::Unavailable(error) = result.judgement {
            to.member("error", error.as_str());
            to.member("message", &result.diagnostic.message(error));
        }
        to.name("usage");
        write_usage(result.usage, to);
        to.name("diagnostic");
        result.diagnostic.write(to);
        if let Some(memory) = result.memory {
            to.name("memoryContextAttached");
            to.flag(memory);
        }
        to.close("}");
    }
}

fn write_call(call: &ModelCall, to: &mut Writer) {
    to.open("{");
    to.name("round");
    to.number(call.round);
    to.member("system", SYSTEM);
    to.member("prompt", &call.prompt);
    to.name("tools");
    write_tools(&call.candidates, to);
    to.member("toolChoice", if call.candidates.is_empty() { "none" } else { "auto" });
    to.name("deadlineMs");
    to.count(call.deadline_ms.into());
    to.close("}");
}
