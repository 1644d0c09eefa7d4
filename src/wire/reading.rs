//! What a line runs and how dangerous it is, as JavaScript gets it.

use serde::Serialize;

use super::shapes::SpanShape;
use crate::risk::{Assessment, Finding};
use crate::shell::{Command, Problem, Reading, Word};
use crate::span::Span;
use crate::vocabulary::RiskLevel;

/// How dangerous a call is, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RiskShape {
    /// The level of the findings.
    pub level: RiskLevel,
    /// One per finding.
    pub reasons: Vec<String>,
    /// What was seen, and where.
    pub findings: Vec<FindingShape>,
}

/// One finding of an assessment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingShape {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// How bad it is.
    pub level: RiskLevel,
    /// One clause.
    pub reason: String,
    /// In the command or path.
    pub span: SpanShape,
}

impl RiskShape {
    /// An assessment of `text`, which its spans point into.
    pub fn of(risk: &Assessment, text: &str) -> Self {
        let finding = |finding: &Finding| FindingShape {
            code: finding.code,
            level: finding.level,
            reason: finding.reason.to_string(),
            span: SpanShape::of(finding.span, text),
        };
        let reasons = risk.reasons().map(Into::into).collect();
        Self { level: risk.level, reasons, findings: risk.findings.iter().map(finding).collect() }
    }
}

/// What a command line runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingShape<'r> {
    /// Nothing stayed in doubt.
    pub complete: bool,
    /// What did.
    pub problems: Vec<ProblemShape>,
    /// In reading order.
    pub commands: Vec<CommandShape<'r>>,
}

/// A doubt about a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemShape {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// Where.
    pub span: SpanShape,
}

/// One command of a line. A word that is known only at run time is `null` here and `undefined` in the façade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommandShape<'r> {
    /// Name and arguments after quote removal.
    pub words: Vec<Option<&'r str>>,
    /// `NAME=value` in front.
    pub assignments: Vec<AssignmentShape<'r>>,
    /// Files and texts.
    pub redirects: Vec<RedirectShape<'r>>,
    /// The innermost construct around it.
    pub context: &'static str,
    /// From its first to its last token.
    pub span: SpanShape,
}

/// An assignment before a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AssignmentShape<'r> {
    /// The variable.
    pub name: &'r str,
    /// Its value, where it is known.
    pub value: Option<&'r str>,
}

/// A redirect of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RedirectShape<'r> {
    /// Without the descriptor.
    pub operator: &'static str,
    /// The file or text, where it is known.
    pub target: Option<&'r str>,
    /// From the descriptor to the end of the word.
    pub span: SpanShape,
}

impl<'r> ReadingShape<'r> {
    /// A reading, its places counted in UTF-16.
    pub fn of(reading: &'r Reading<'_>) -> Self {
        let units = Utf16::of(reading.line());
        let command = |command: &'r Command<'_>| CommandShape {
            words: command.words.iter().map(Word::value).collect(),
            assignments: command
                .assignments
                .iter()
                .map(|assignment| AssignmentShape { name: &assignment.name, value: assignment.value.value() })
                .collect(),
            redirects: command
                .redirects
                .iter()
                .map(|redirect| RedirectShape {
                    operator: redirect.operator.as_str(),
                    target: redirect.target.value(),
                    span: units.span(redirect.span),
                })
                .collect(),
            context: command.context.as_str(),
            span: units.span(command.span),
        };
        let problem =
            |problem: &Problem| ProblemShape { code: problem.code.as_str(), span: units.span(problem.span) };
        Self {
            complete: reading.is_complete(),
            problems: reading.problems().iter().map(problem).collect(),
            commands: reading.commands().iter().map(command).collect(),
        }
    }
}

/// Converts many spans of one text; of ASCII at no cost.
struct Utf16<'t> {
    text: &'t str,
    is_ascii: bool,
}

impl<'t> Utf16<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii() }
    }

    fn span(&self, span: Span) -> SpanShape {
        if self.is_ascii {
            SpanShape { start: span.start, end: span.end }
        } else {
            SpanShape::of(span, self.text)
        }
    }
}
