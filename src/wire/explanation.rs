//! An explanation as JavaScript gets it.

use super::reading::write_reading;
use crate::diagnostic::Path;
use crate::dialect::Grammar;
use crate::host::Host;
use crate::json::Writer;
use crate::policy::{Explanation, Policy, RuleNote, RuleRef};
use crate::rule;
use crate::span::Span;

/// Everything that led to a decision: `{subject?, shell?, stages: [{stage, outcome, note}], rules}`; `grants` are the texts
/// of the session's grants.
pub fn explanation_text(
    explanation: &Explanation<'_>,
    policy: &Policy,
    grants: &[String],
    host: Host,
) -> String {
    let mut to = Writer::default();
    to.open("{");
    to.optional_member("subject", explanation.subject);
    if let Some(reading) = explanation.reading {
        to.name("shell");
        write_reading(&mut to, reading);
    }
    to.name("stages");
    to.open("[");
    for note in &explanation.stages {
        to.open("{");
        to.member("stage", note.stage.as_str());
        to.member("outcome", note.passage.as_str());
        to.member("note", note.note);
        to.close("}");
    }
    to.close("]");
    to.name("rules");
    to.open("[");
    for note in &explanation.rules {
        write_rule_note(&mut to, note, policy, grants, explanation.subject.unwrap_or_default(), host);
    }
    to.close("]");
    to.close("}");
    to.text
}

/// `{text, path, behavior, source, matched, decided, why?, subjectSpans, ruleSpan?}`; the behavior is the name of the
/// list for entries that hold in every mode, and the span of the rule what of its text accepted, or first refused.
fn write_rule_note(
    to: &mut Writer,
    note: &RuleNote<'_>,
    policy: &Policy,
    grants: &[String],
    subject: &str,
    host: Host,
) {
    let (text, path): (_, Path) = match note.at {
        RuleRef::Rule(rank) => {
            let Some(entry) = policy.config().entries.get(rank) else { return };
            (&entry.text, entry.path())
        }
        RuleRef::Grant(place) => {
            let Some(text) = grants.get(place) else { return };
            (text, vec!["grants".into(), place.into()])
        }
    };
    to.open("{");
    to.member("text", text);
    to.path(&path);
    to.member("behavior", note.list.as_str());
    to.member("source", note.rule.source.as_str());
    to.name("matched");
    to.flag(note.matched);
    to.name("decided");
    to.flag(note.decided);
    to.optional_member("why", note.why);
    to.name("subjectSpans");
    to.open("[");
    for span in &note.subject_spans {
        to.range(span.to_utf16(subject));
    }
    to.close("]");
    let dialect = policy.config().dialect;
    if let Ok((_, rule::Shape::Content(content))) = rule::parse_shape(text, dialect, host) {
        let written = content.slice(text).unwrap_or_default();
        let agreed = match dialect.grammar {
            _ if note.matched => 0,
            Grammar::Escaped => rule::written_length(written, note.agreement),
            Grammar::Literal(_) | Grammar::Verbatim(_) => note.agreement.min(written.len()),
        };
        let span = Span::new(content.start.saturating_add(agreed), content.end);
        to.span("ruleSpan", span.to_utf16(text));
    }
    to.close("}");
}
