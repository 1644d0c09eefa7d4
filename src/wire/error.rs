//! What goes wrong at the boundary, as the façade reads it to make a real `Error`.

use serde::Serialize;

use super::shapes::{DiagnosticShape, SpanShape};
use crate::diagnostic::{Diagnostic, Path};
use crate::json::Json;
use crate::rule::RuleError;

/// The JSON text of a result, or of a [`Failure`].
pub type Answer = Result<String, String>;

/// A value, or why there is none.
pub type Fallible<T> = Result<T, Box<Failure>>;

/// An error on its way out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// `RuleError`, `PolicyError`, `LimitError` or `TypeError`.
    pub name: &'static str,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence, without any text of the input.
    pub message: &'static str,
    /// Where in the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    /// The rule that does not parse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where in the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<SpanShape>,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Everything that is wrong with a configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Vec<DiagnosticShape>>,
    /// The limit that was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl Failure {
    fn new(name: &'static str, code: &'static str, message: &'static str) -> Self {
        Self {
            name,
            code,
            message,
            path: None,
            rule: None,
            span: None,
            hint: None,
            diagnostics: None,
            limit: None,
        }
    }

    /// An argument of the wrong shape.
    pub fn argument(code: &'static str, message: &'static str, path: Path) -> Box<Self> {
        Box::new(Self { path: Some(path), ..Self::new("TypeError", code, message) })
    }

    /// An input over a limit.
    pub fn limit(code: &'static str, message: &'static str, limit: usize) -> Box<Self> {
        Box::new(Self { limit: Some(limit), ..Self::new("LimitError", code, message) })
    }

    /// A rule that does not parse.
    pub fn rule(error: RuleError, rule: &str) -> Box<Self> {
        let span = Some(SpanShape::of(error.span, rule));
        let failure = Self::new("RuleError", error.code, error.message);
        Box::new(Self { rule: Some(rule.into()), span, hint: error.hint, ..failure })
    }

    /// A configuration that does not compile.
    pub fn policy(diagnostics: &[Diagnostic], config: &Json) -> Box<Self> {
        let code = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.is_error())
            .map_or("invalid-policy", |first| first.code);
        let shapes = DiagnosticShape::all(diagnostics, config);
        let failure = Self::new("PolicyError", code, "the configuration does not compile");
        Box::new(Self { diagnostics: Some(shapes), ..failure })
    }

    /// The same with a place in the arguments.
    pub fn at(mut self: Box<Self>, path: Path) -> Box<Self> {
        self.path = Some(path);
        self
    }

    /// Its JSON text.
    pub fn text(&self) -> String {
        super::functions::encode(self)
    }
}
