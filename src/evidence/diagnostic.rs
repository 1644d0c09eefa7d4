//! What is known of a classification beside its result: five members of fixed vocabulary (evidence.md section 17).
//!
//! Invariant (inert): no prompt, content, path, size, credential or text of an error is in it.

use super::words::{ClassifierError, EvidenceLimit, ReturnPath};
use crate::json::{Json, Writer};
use crate::limits;
use crate::vocabulary::CLASSIFIER_DIAGNOSTICS as IMPLEMENTATION;

/// How a classification went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whole milliseconds since `classify`.
    pub elapsed_ms: u64,
    /// The configured deadline of one model call.
    pub deadline_ms: u32,
    /// Whether a timer's callback ran and ended the classification.
    pub timer_fired: bool,
    /// Where it ended.
    pub return_path: ReturnPath,
    /// Which limit was reached, exactly with the error `evidence-limit`.
    pub limit: Option<EvidenceLimit>,
}

impl Diagnostic {
    /// Takes a diagnostic out of a value that came from elsewhere: none, unless all members are of their vocabulary; an
    /// unknown limit is dropped alone, and so is everything that no diagnostic has.
    pub fn project(value: &Json) -> Option<Self> {
        let text = |name| value.member(name).and_then(Json::as_str);
        if text("implementation") != Some(IMPLEMENTATION) {
            return None;
        }
        let deadline_ms = value.member("deadlineMs")?.as_safe_integer()?;
        let Some(Json::Bool(timer_fired)) = value.member("timerFired") else { return None };
        Some(Self {
            elapsed_ms: value.member("elapsedMs")?.as_safe_integer()?,
            deadline_ms: u32::try_from(deadline_ms)
                .ok()
                .filter(|ms| (1..=limits::MODEL_CALL_MS).contains(ms))?,
            timer_fired: *timer_fired,
            return_path: text("returnPath").and_then(ReturnPath::parse)?,
            limit: text("evidenceLimit").and_then(EvidenceLimit::parse),
        })
    }

    /// What a person reads of an error.
    pub fn message(&self, error: ClassifierError) -> String {
        let mut to = Writer::default();
        to.text.push_str(error.sentence());
        if error.shows_diagnostic() {
            to.text.push_str(" [");
            self.each(&mut |name, value| {
                if name != "implementation" {
                    to.text.push(' ');
                }
                to.text.push_str(name);
                to.text.push('=');
                match value {
                    Member::Word(word) => to.text.push_str(word),
                    Member::Flag(flag) => to.text.push_str(if flag { "true" } else { "false" }),
                    Member::Count(count) => to.digits(count),
                }
            });
            to.text.push(']');
        }
        to.text
    }

    /// Writes the object, its members in the order of the type.
    pub fn write(&self, to: &mut Writer) {
        to.open("{");
        self.each(&mut |name, value| {
            to.name(name);
            match value {
                Member::Word(word) => to.string(word),
                Member::Flag(flag) => to.flag(flag),
                Member::Count(count) => to.count(count),
            }
        });
        to.close("}");
    }

    fn each(&self, put: &mut dyn FnMut(&'static str, Member)) {
        put("implementation", Member::Word(IMPLEMENTATION));
        put("elapsedMs", Member::Count(self.elapsed_ms));
        put("deadlineMs", Member::Count(self.deadline_ms.into()));
        put("timerFired", Member::Flag(self.timer_fired));
        put("returnPath", Member::Word(self.return_path.as_str()));
        if let Some(limit) = self.limit {
            put("evidenceLimit", Member::Word(limit.as_str()));
        }
    }
}

enum Member {
    Word(&'static str),
    Flag(bool),
    Count(u64),
}
