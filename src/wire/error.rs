//! What goes wrong at the boundary, as the façade reads it to make a real `Error`.

use super::shapes::write_diagnostics;
use crate::diagnostic::{Diagnostic, Path};
use crate::json::{Json, Writer};
use crate::rule::RuleError;
use crate::span::Span;

/// The JSON text of a result, or of a [`Failure`].
pub type Answer = Result<String, String>;

/// A value, or why there is none.
pub type Fallible<T> = Result<T, Box<Failure>>;

/// An error on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// `RuleError`, `PolicyError`, `LimitError` or `TypeError`.
    pub name: &'static str,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence, without any text of the input.
    pub message: &'static str,
    /// Where in the arguments.
    pub path: Option<Path>,
    /// The rule that does not parse.
    pub rule: Option<String>,
    /// Where in the rule, in UTF-16 units.
    pub span: Option<Span>,
    /// What to write instead.
    pub hint: Option<String>,
    /// The JSON text of everything that is wrong with a configuration.
    pub diagnostics: Option<String>,
    /// The limit that was passed.
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
    #[inline(never)]
    pub fn argument(code: &'static str, message: &'static str, path: Path) -> Box<Self> {
        Box::new(Self { path: Some(path), ..Self::new("TypeError", code, message) })
    }

    /// An input over a limit.
    pub fn limit(code: &'static str, message: &'static str, limit: usize) -> Box<Self> {
        Box::new(Self { limit: Some(limit), ..Self::new("LimitError", code, message) })
    }

    /// A rule that does not parse.
    pub fn rule(error: RuleError, rule: &str) -> Box<Self> {
        let span = Some(error.span.to_utf16(rule));
        let failure = Self::new("RuleError", error.code, error.message);
        Box::new(Self { rule: Some(rule.into()), span, hint: error.hint, ..failure })
    }

    /// A configuration that does not compile.
    pub fn policy(diagnostics: &[Diagnostic], config: &Json) -> Box<Self> {
        let code = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.is_error())
            .map_or("invalid-policy", |first| first.code);
        let mut to = Writer::default();
        write_diagnostics(&mut to, diagnostics, config);
        let failure = Self::new("PolicyError", code, "the configuration does not compile");
        Box::new(Self { diagnostics: Some(to.text), ..failure })
    }

    /// The same with a place in the arguments.
    pub fn at(mut self: Box<Self>, path: Path) -> Box<Self> {
        self.path = Some(path);
        self
    }

    /// Its JSON text.
    pub fn text(&self) -> String {
        let mut to = Writer::default();
        to.open("{");
        to.member("name", self.name);
        to.member("code", self.code);
        to.member("message", self.message);
        if let Some(path) = &self.path {
            to.path(path);
        }
        to.optional_member("rule", self.rule.as_deref());
        if let Some(span) = self.span {
            to.span("span", span);
        }
        to.optional_member("hint", self.hint.as_deref());
        if let Some(diagnostics) = &self.diagnostics {
            to.name("diagnostics");
            to.plain(diagnostics);
        }
        if let Some(limit) = self.limit {
            to.name("limit");
            to.number(limit);
        }
        to.close("}");
        to.text
    }
}
