//! An explanation as JavaScript gets it.

use serde::Serialize;

use super::reading::ReadingShape;
use super::row::decision_row;
use super::shapes::SpanShape;
use crate::diagnostic::Path;
use crate::dialect::Grammar;
use crate::host::Host;
use crate::policy::{Explanation, Policy, RuleNote, RuleRef};
use crate::rule;
use crate::span::Span;
use crate::vocabulary::{RuleList, RuleSource, Stage};

/// Everything that led to a decision; the decision itself as its row.
#[derive(Debug, Serialize)]
pub struct ExplanationShape<'e> {
    /// The JSON text of the decision's row.
    pub row: String,
    /// What the call is matched by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<&'e str>,
    /// What the line runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<ReadingShape<'e>>,
    /// All nine stages.
    pub stages: Vec<StageShape>,
    /// Every rule that answers for the tool.
    pub rules: Vec<RuleNoteShape<'e>>,
}

/// One stage.
#[derive(Debug, Serialize)]
pub struct StageShape {
    /// Which.
    pub stage: Stage,
    /// `decided`, `passed` or `skipped`.
    pub outcome: &'static str,
    /// One sentence.
    pub note: &'static str,
}

/// One rule.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleNoteShape<'e> {
    /// As written.
    pub text: &'e str,
    /// Where it stands.
    pub path: Path,
    /// What it says; the name of its list for entries that hold in every mode.
    pub behavior: RuleList,
    /// Where it comes from.
    pub source: RuleSource,
    /// It accepts something of the call.
    pub matched: bool,
    /// It decided.
    pub decided: bool,
    /// Why it did not match or decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// What it accepts.
    pub subject_spans: Vec<SpanShape>,
    /// What of its text accepted, or first refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_span: Option<SpanShape>,
}

impl<'e> ExplanationShape<'e> {
    /// The shape of an explanation; `grants` are the texts of the session's grants.
    pub fn of(
        explanation: &'e Explanation<'_>,
        policy: &'e Policy,
        grants: &'e [String],
        host: Host,
    ) -> Self {
        let stage = |note: &crate::policy::StageNote| StageShape {
            stage: note.stage,
            outcome: note.passage.as_str(),
            note: note.note,
        };
        let subject = explanation.subject.unwrap_or_default();
        let rules =
            explanation.rules.iter().filter_map(|note| rule_note(note, policy, grants, subject, host));
        Self {
            row: decision_row(&explanation.decision),
            subject: explanation.subject,
            shell: explanation.reading.map(ReadingShape::of),
            stages: explanation.stages.iter().map(stage).collect(),
            rules: rules.collect(),
        }
    }
}

fn rule_note<'e>(
    note: &RuleNote<'_>,
    policy: &'e Policy,
    grants: &'e [String],
    subject: &str,
    host: Host,
) -> Option<RuleNoteShape<'e>> {
    let (text, path): (&'e str, Path) = match note.at {
        RuleRef::Rule(rank) => {
            let entry = policy.config().entries.get(rank)?;
            (&entry.text, entry.path.clone())
        }
        RuleRef::Grant(place) => (grants.get(place)?, vec!["grants".into(), place.into()]),
    };
    let dialect = policy.config().dialect;
    let shape = rule::parse_shape(text, dialect, host).ok().map(|(_, shape)| shape);
    let rule_span = match shape {
        Some(rule::Shape::Content(content)) if note.matched => Some(content),
        Some(rule::Shape::Content(content)) => {
            let written = content.slice(text).unwrap_or_default();
            let agreed = match dialect.grammar {
                Grammar::Escaped => rule::written_length(written, note.agreement),
                Grammar::Literal(_) | Grammar::Verbatim(_) => note.agreement.min(written.len()),
            };
            Some(Span::new(content.start.saturating_add(agreed), content.end))
        }
        _ => None,
    };
    Some(RuleNoteShape {
        text,
        path,
        behavior: note.list,
        source: note.rule.source,
        matched: note.matched,
        decided: note.decided,
        why: note.why,
        subject_spans: note.subject_spans.iter().map(|span| SpanShape::of(*span, subject)).collect(),
        rule_span: rule_span.map(|span| SpanShape::of(span, text)),
    })
}
