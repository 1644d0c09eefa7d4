//! The stage of auto mode, and what belongs to it, over text.

use super::decode::{self, place};
use super::error::{Answer, Failure, Fallible};
use super::machine::{self, Crosses, Driven};
use crate::auto_stage::{
    Ask, BREAKER_THRESHOLD, Considered, Memory, Outcome, Past, Payload, Proposed, Record, Stage, Start,
    expand_soft_deny, trailing_route_failure_streak,
};
use crate::json::{self, Json, Writer};
use crate::limits::SHOWN_UNITS;
use crate::verdict::{self, word};
use crate::vocabulary::{ClassifierFailure, EventKind, Kind, PermissionMode, RiskLevel};

/// What belongs to the stage among the words that the façade works with.
pub(super) fn write_words(to: &mut Writer) {
    to.name("breakerThreshold");
    to.number(BREAKER_THRESHOLD);
    to.member("classifierEvent", EventKind::Classifier.as_str());
    to.name("shownUnits");
    to.number(SHOWN_UNITS);
}

/// `parseVerdict`; the JSON text of its result. Never an error.
pub fn parse_verdict(text: &str) -> String {
    let mut to = Writer::default();
    to.open("{");
    to.name("ok");
    match verdict::parse(text) {
        Some(verdict) => {
            to.plain("true");
            to.name("value");
            to.open("{");
            to.member("verdict", word(verdict.allows));
            to.member("reason", &verdict.reason);
            to.close("}");
        }
        None => {
            to.plain("false");
            to.member("error", ClassifierFailure::Malformed.as_str());
            write_outcome_reason(&Outcome::of_failure(ClassifierFailure::Malformed), &mut to);
        }
    }
    to.close("}");
    to.text
}

/// `expandSoftDeny`, over the JSON text of a list of rules, or of `null`.
pub fn expand_soft_deny_rules(entries: &str) -> Answer {
    let expand = || {
        let path = place(&["entries"]);
        let entries = decode::value(entries, path.clone())?;
        let listed = if entries == Json::Null { None } else { Some(decode::texts(&entries, &path)?) };
        let mut to = Writer::default();
        to.open("[");
        for rule in expand_soft_deny(listed.as_deref()) {
            to.string(rule);
        }
        to.close("]");
        Ok(to.text)
    };
    expand().map_err(|failure: Box<Failure>| failure.text())
}

/// `trailingRouteFailureStreak`, over the JSON text of a list of records and of a count; a number.
pub fn failure_streak(records: &str, route: &str, threshold: &str) -> Answer {
    let records = decode::value(records, place(&["events"])).map_err(|failure| failure.text())?;
    let mut past = vec![];
    for record in records.as_list().unwrap_or_default() {
        past.push(Past::of(record));
    }
    // The façade gives a count that fits.
    let threshold = threshold.parse::<u32>().ok().and_then(|threshold| usize::try_from(threshold).ok());
    let mut to = Writer::default();
    to.number(trailing_route_failure_streak(&past, route, threshold.unwrap_or(0)));
    Ok(to.text)
}

/// `new AutoStage` and `AutoStage.restore`, over the JSON text of a snapshot; numbers begin at `first`.
pub fn stage(snapshot: Option<&str>, first: u32) -> Result<Box<dyn Driven>, String> {
    let memory = snapshot.map_or(Ok(Memory::default()), restored).map_err(|failure| failure.text())?;
    Ok(Box::new(Stage::new(memory, first)))
}

fn restored(snapshot: &str) -> Fallible<Memory> {
    let value = decode::value(snapshot, place(&["snapshot"]))?;
    Memory::restore(&value).map_err(|path| {
        let message = "this is no snapshot of this version";
        Failure::argument("invalid-snapshot", message, decode::behind(place(&["snapshot"]), path))
    })
}

impl Crosses for Stage {
    /// `[session, tool, arguments, mode, level, kind, effective, readOnly]`; or `"rebuild"`. For `arguments` an object
    /// of them; or the word `command` or `arguments`, and beside the row the line, or the JSON text of all.
    fn read_start(text: &str) -> Option<Start> {
        Self::read_start_with(text, vec![])
    }

    fn read_start_with(text: &str, beside: Vec<u8>) -> Option<Start> {
        let value = json::read(text).ok()?;
        let Some(row) = value.as_list() else {
            return (value.as_str() == Some("rebuild")).then_some(Start::Rebuild);
        };
        let word = |place: usize| row.get(place).and_then(Json::as_str);
        let own = |place: usize| word(place).map(String::from);
        Some(Start::Call(Box::new(Proposed {
            session: own(0)?,
            tool: own(1)?,
            payload: match row.get(2)? {
                Json::Text(what) if what == "command" => Payload::Command(String::from_utf8(beside).ok()?),
                Json::Text(_) => Payload::Arguments(String::from_utf8(beside).ok()?),
                some => Payload::of(some),
            },
            decision: considered(word(3), word(4), word(5), word(6)).unwrap_or(NOTHING_TO_SAY),
            is_read_only: row.get(7) == Some(&Json::Bool(true)),
        })))
    }

    fn write_ask(ask: &Ask, to: &mut Writer) {
        match ask {
            Ask::Settings => {
                to.string("settings");
                to.plain("null");
            }
            Ask::Route { call, alias } => {
                to.string("route");
                to.open("{");
                to.name("call");
                machine::write_number(call.0, to);
                to.member("alias", alias);
                to.close("}");
            }
            Ask::History { session } => {
                to.string("history");
                to.string(session);
            }
            Ask::Complete { route, system, prompt, max_tokens } => {
                to.string("complete");
                to.open("{");
                to.member("provider", &route.provider);
                to.member("model", &route.model);
                to.member("system", system);
                to.member("prompt", prompt);
                to.name("maxTokens");
                to.number(*max_tokens);
                to.close("}");
            }
            Ask::Audit { session, record } => {
                to.string("audit");
                to.open("[");
                to.string(session);
                write_record(record, to);
                to.close("]");
            }
            Ask::Warn { message } => {
                to.string("warn");
                to.string(message);
            }
        }
    }

    /// `null`, `"allow"` or `{kind: "ask", reason, failure?}`
    fn write_result(result: &Outcome, to: &mut Writer) {
        match result {
            Outcome::NoOpinion => to.plain("null"),
            Outcome::Allow => to.string(word(true)),
            Outcome::Ask { failure, .. } => {
                to.open("{");
                to.member("kind", word(false));
                write_outcome_reason(result, to);
                to.optional_member("failure", failure.map(ClassifierFailure::as_str));
                to.close("}");
            }
        }
    }

    fn snapshot(&self) -> String {
        self.memory().snapshot(true)
    }
}

fn write_outcome_reason(outcome: &Outcome, to: &mut Writer) {
    if let Outcome::Ask { reason, .. } = outcome {
        to.member("reason", reason);
    }
}

/// `ClassifierAudit`
fn write_record(record: &Record, to: &mut Writer) {
    to.open("{");
    to.member("tool", &record.tool);
    to.optional_member("digest", record.digest.as_deref());
    to.member("verdict", word(record.allows));
    to.optional_member("failure", record.failure.map(ClassifierFailure::as_str));
    if let Some(route) = &record.route {
        to.member("route", &route.key());
        to.member("provider", &route.provider);
        to.member("model", &route.model);
    }
    to.name("latencyMs");
    to.number(record.latency_ms);
    to.name("cacheHit");
    to.flag(record.is_cache_hit);
    to.close("}");
}

/// A decision that the stage leaves alone; it stands for one with a word that nobody knows.
const NOTHING_TO_SAY: Considered = Considered {
    mode: PermissionMode::Default,
    level: RiskLevel::High,
    kind: Kind::Deny,
    effective: Kind::Deny,
};

fn considered(
    mode: Option<&str>,
    level: Option<&str>,
    kind: Option<&str>,
    effective: Option<&str>,
) -> Option<Considered> {
    Some(Considered {
        mode: PermissionMode::parse(mode?)?,
        level: RiskLevel::parse(level?)?,
        kind: Kind::parse(kind?)?,
        effective: Kind::parse(effective?)?,
    })
}
