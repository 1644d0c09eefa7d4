//! What a model's reply is worth (evidence.md section 8).

use super::prompt::TOOL;
use super::words::{ClassifierError, EvidenceLimit, ReturnPath};
use crate::dialect::tiers::Words;
use crate::json::{self, Json};
use crate::limits;
use crate::span::utf16_len;
use crate::text::on_one_line;

/// What the model wants or says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// To look at this candidate.
    Inspection(String),
    /// Its verdict.
    Verdict(Verdict),
}

/// A model's judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) allows: bool,
    /// On one line, never empty.
    pub(super) reason: String,
}

/// Why a classification ends without a verdict, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) error: ClassifierError,
    pub(super) limit: Option<EvidenceLimit>,
    pub(super) place: ReturnPath,
}

impl Fault {
    pub(super) const fn new(error: ClassifierError, place: ReturnPath) -> Self {
        Self { error, limit: None, place }
    }

    /// A fault of file evidence.
    pub(super) const fn evidence(error: ClassifierError) -> Self {
        Self::new(error, ReturnPath::Evidence)
    }

    /// A limit on file evidence.
    pub(super) const fn limit(limit: EvidenceLimit) -> Self {
        Self { limit: Some(limit), ..Self::evidence(ClassifierError::EvidenceLimit) }
    }
}

const USELESS: Fault = Fault::new(ClassifierError::InvalidResponse, ReturnPath::ProviderResult);

/// Stop reasons of a verdict.
const ENDS: &str = "stop end_turn stop_sequence";

/// More of them, of a request to inspect.
const CALLS: &str = "tool_use tool_calls";

/// What a reply can be measured by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer<'r> {
    pub(super) round: usize,
    pub(super) candidates: &'r [String],
    /// Paths that were looked at, in order.
    pub(super) inspected: &'r [String],
}

impl Offer<'_> {
    /// Reads a reply, or says what is wrong with it; one that is no object is useless.
    pub(super) fn worth(&self, reply: &Json) -> Result<Worth, Fault> {
        match reply.member("toolCalls") {
            None => verdict(reply).map(Worth::Verdict).ok_or(USELESS),
            Some(Json::List(calls)) if calls.is_empty() => verdict(reply).map(Worth::Verdict).ok_or(USELESS),
            Some(calls) => self.inspection(reply, calls).map(Worth::Inspection),
        }
    }

    fn inspection(&self, reply: &Json, calls: &Json) -> Result<String, Fault> {
        let offers = !self.candidates.is_empty();
        if offers && self.round >= limits::MODEL_CALLS {
            return Err(Fault::limit(EvidenceLimit::ProviderRounds));
        }
        let Some([call]) = calls.as_list() else { return Err(USELESS) };
        let arguments = call.member("arguments").map(Json::members);
        let (Some([(name, Json::Text(path))]), Some(tool)) =
            (arguments, call.member("name").and_then(Json::as_str))
        else {
            return Err(USELESS);
        };
        if !offers || tool != TOOL || name != "path" || !stops_by(reply, &[ENDS, CALLS]) {
            return Err(USELESS);
        }
        if self.inspected.len() >= limits::EVIDENCE_FILES {
            return Err(Fault::limit(EvidenceLimit::FileCount));
        }
        if self.inspected.contains(path) {
            return Err(Fault::limit(EvidenceLimit::DuplicateFile));
        }
        if !self.candidates.contains(path) {
            return Err(Fault::evidence(ClassifierError::EvidenceUnavailable));
        }
        Ok(path.clone())
    }
}

/// Whether a reply has no stop reason, or one of the words.
fn stops_by(reply: &Json, words: &[&'static str]) -> bool {
    reply.member("stopReason").is_none_or(|reason| {
        reason.as_str().is_some_and(|reason| words.iter().any(|words| Words(words).has(reason)))
    })
}

/// One JSON object alone, with exactly the members `decision` and `reason`. Nothing is repaired.
fn verdict(reply: &Json) -> Option<Verdict> {
    let text = reply.member("text")?.as_str()?;
    if text.len() > limits::VERDICT_BYTES || !stops_by(reply, &[ENDS]) {
        return None;
    }
    let value = json::read(text).ok()?;
    let (decision, reason) = (value.member("decision")?.as_str()?, value.member("reason")?.as_str()?);
    if value.members().len() != 2 || utf16_len(reason) > limits::VERDICT_REASON_UNITS {
        return None;
    }
    let allows = match decision {
        "allow" => true,
        "deny" => false,
        _ => return None,
    };
    let reason = on_one_line(&without_marks(reason));
    (!reason.is_empty()).then_some(Verdict { allows, reason })
}

/// A text without what turns the direction of others.
pub(super) fn without_marks(text: &str) -> String {
    let is_mark =
        |c: &char| matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|c| !is_mark(c)).collect()
}
