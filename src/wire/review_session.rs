//! A review session as its façade sees it.
//!
//! A start is `{do, gate?, turn?, run?, text?, opening?}`, an opening `{isGate, basis?, request?, context?, actions?}` with the
//! JSON text of each member; that of the context comes beside it, as bytes. A reply is `null`, `{resolution}` or `{refused}`, which is the text of a [`Refusal`].
//!
//! | port | value |
//! |---|---|
//! | `applies` | `{gate, classifier, subject}` |
//! | `marshalInput` `validateResult` | `{gate, classifier}` |
//! | `run` | `{gate, classifier, run}` |
//! | `verify` | a list of observations |
//! | `live` | the gate; the answer is `{revision, basis}` |
//! | `append` `audit` `interrupt` | what the host's callback takes |
//! | `warn` | a text |
//! | `tripped` `idle` | `null` |
//!
//! [`Refusal`]: crate::review::Refusal

use super::machine::Crosses;
use super::review::{refusal_text, text_of};
use crate::json::{self, Json, Writer};
use crate::machine::Number;
use crate::review::{
    Ask, Audit, Callbacks, Opening, Part, Place, Remains, Reply, ReviewSession, Setup, Start, Warning,
};

/// Makes a session, or gives the JSON text of a refusal. The setup is `{classifiers, policy?, limits?, verifies, readsBasis, appends}`:
/// three JSON texts; which optional callbacks there are; and of gates how their appends ended that a lost machine did not
/// hear of, `{gate: true | false}`.
pub fn review_session(setup: &str, kept: Option<&str>, first: u32) -> Result<ReviewSession, String> {
    let given = json::read(setup).unwrap_or(Json::Null);
    let text = |name: &str| given.get(name).and_then(Json::as_str);
    let has = |name: &str| given.get(name) == Some(&Json::Bool(true));
    let setup = Setup {
        classifiers: text("classifiers").unwrap_or_default(),
        policy: text("policy"),
        limits: text("limits"),
        has: Callbacks { verifies: has("verifies"), reads_basis: has("readsBasis") },
    };
    let mut appends = vec![];
    for (gate, is_durable) in given.get("appends").map(Json::members).unwrap_or_default() {
        appends.push((gate.clone(), *is_durable == Json::Bool(true)));
    }
    ReviewSession::new(&setup, &Remains { kept, first, appends }).map_err(refusal_text)
}

impl Crosses for ReviewSession {
    fn read_start(text: &str) -> Option<Start> {
        let start = json::read(text).ok()?;
        let member = |name: &str| start.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        match start.get("do").and_then(Json::as_str)? {
            "open" => Some(Start::Open(opening(start.get("opening")?))),
            "begin" => Some(Start::Begin(member("gate"))),
            "respond" => Some(Start::Respond(member("gate"), member("text"))),
            "resolution" => Some(Start::Resolution(member("gate"))),
            "endTurn" => Some(Start::EndTurn(member("turn"))),
            "close" => Some(Start::Close),
            "observe" => {
                let Json::Number(run) = start.get("run")? else { return None };
                Some(Start::Observe(Number(run.parse().ok()?), member("text")))
            }
            _ => None,
        }
    }

    /// The context of an opening crosses as bytes.
    fn read_start_with(text: &str, beside: Vec<u8>) -> Option<Start> {
        let mut start = Self::read_start(text)?;
        if let Start::Open(opening) = &mut start {
            opening.context = Some(String::from_utf8(beside).unwrap_or_default());
        }
        Some(start)
    }

    fn write_ask(ask: &Ask, to: &mut Writer) {
        match ask {
            Ask::Applies(place, subject) => {
                write_place("applies", place, to);
                to.name("subject");
                to.plain(subject);
                to.close("}");
            }
            Ask::MarshalInput(place) => {
                write_place("marshalInput", place, to);
                to.close("}");
            }
            Ask::Run(place, run) => {
                write_place("run", place, to);
                to.name("run");
                to.number(usize::try_from(run.0).unwrap_or(usize::MAX));
                to.close("}");
            }
            Ask::ValidateResult(place) => {
                write_place("validateResult", place, to);
                to.close("}");
            }
            Ask::Verify(observations) => write_part("verify", observations, to),
            Ask::Live(gate) => {
                to.string("live");
                to.string(gate);
            }
            Ask::Append(resolution) => write_part("append", resolution, to),
            Ask::Audit(event) => {
                to.string("audit");
                write_audit(event, to);
            }
            Ask::Interrupt(coordinates) => write_part("interrupt", coordinates, to),
            Ask::Warn(warning) => {
                to.string("warn");
                to.string(&warning_text(*warning));
            }
            Ask::Tripped | Ask::Idle => {
                to.string(if *ask == Ask::Idle { "idle" } else { "tripped" });
                to.plain("null");
            }
        }
    }

    fn write_result(result: &Reply, to: &mut Writer) {
        match result {
            Reply::Done => to.plain("null"),
            Reply::Resolved(resolution) => {
                to.open("{");
                to.name("resolution");
                to.plain(&text_of(resolution));
                to.close("}");
            }
            Reply::Refused(refusal) => {
                to.open("{");
                to.member("refused", &refusal_text(*refusal));
                to.close("}");
            }
        }
    }

    fn snapshot(&self) -> String {
        self.kept()
    }
}

fn opening(value: &Json) -> Opening {
    let text = |name: &str| value.get(name).and_then(Json::as_str).map(Into::into);
    Opening {
        is_gate: value.get("isGate") == Some(&Json::Bool(true)),
        basis: text("basis"),
        request: text("request"),
        context: text("context"),
        actions: text("actions"),
    }
}

/// The port and the beginning of an object.
fn write_place(port: &str, place: &Place, to: &mut Writer) {
    to.string(port);
    to.open("{");
    to.member("gate", &place.gate);
    to.name("classifier");
    to.number(place.classifier);
}

fn write_part(port: &str, part: &impl Part, to: &mut Writer) {
    to.string(port);
    to.plain(&text_of(part));
}

/// `PermissionReviewStarted` or `PermissionReviewCompleted`.
fn write_audit(event: &Audit, to: &mut Writer) {
    to.open("{");
    let name = if event.end.is_some() { "PermissionReviewCompleted" } else { "PermissionReviewStarted" };
    to.member("type", name);
    to.name("v");
    to.number(1);
    to.member("gate_id", &event.gate_id);
    to.member("tool_execution_id", &event.tool_execution_id);
    to.member("classifier", &event.classifier.name);
    to.member("classifier_revision", &event.classifier.revision);
    if let Some(end) = &event.end {
        to.member("status", end.status.as_str());
        if let Some(rated) = &end.rated {
            to.member("risk", &rated.risk);
            to.member("authorization", &rated.authorization);
            to.name("categories");
            to.plain(&text_of(&rated.categories));
        }
        to.name("auto_approved");
        to.flag(end.status == crate::review::Status::Allowed);
    }
    to.close("}");
}

/// What a host is warned of, in words.
pub fn warning_text(warning: Warning) -> String {
    let mut to = Writer::default();
    to.text.push_str("permission review: ");
    let says = match warning {
        Warning::ContextMissing => "context missing",
        Warning::AppendFailed => "append failed",
        Warning::AuditFailed => "audit failed",
        Warning::TurnLimit => "turn limit reached",
        Warning::SessionLimit => "session limit reached",
        Warning::Threw(classifier, method) => {
            to.text.push_str("classifier ");
            to.digits(u64::try_from(classifier).unwrap_or(u64::MAX));
            to.text.push_str(" threw in ");
            method
        }
    };
    to.text.push_str(says);
    to.text
}
