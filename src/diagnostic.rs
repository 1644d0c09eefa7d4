//! Findings about an input: a stable code, a place and a hint. Data, never rendering.
//!
//! No message repeats the text that it is about (invariant "inert"): the place says where to look.

use std::borrow::Cow;

use crate::span::Span;
use crate::vocabulary::Severity;

/// One step of a place inside a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// An element of a list.
    Index(usize),
    /// A member of an object.
    Key(Cow<'static, str>),
}

impl Step {
    /// A member whose name is not one of ours.
    pub fn named(key: &str) -> Self {
        Self::Key(Cow::Owned(key.into()))
    }
}

impl From<&'static str> for Step {
    fn from(key: &'static str) -> Self {
        Self::Key(Cow::Borrowed(key))
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A place inside a JSON value, from the outside in.
pub type Path = Vec<Step>;

/// `path` with one more step.
pub fn join(path: &[Step], step: impl Into<Step>) -> Path {
    longer(path, step.into())
}

#[inline(never)]
fn longer(path: &[Step], step: Step) -> Path {
    let mut longer = Vec::with_capacity(path.len().saturating_add(1));
    longer.extend_from_slice(path);
    longer.push(step);
    longer
}

/// Diagnostics in the order of their paths; those of one path in the order in which they were found.
pub fn in_order(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    crate::order::sort(diagnostics, |a, b| a.path.cmp(&b.path))
}

/// A finding about a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the configuration can be used.
    pub severity: Severity,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence.
    pub message: &'static str,
    /// Where in the configuration.
    pub path: Path,
    /// Bytes within the text at `path`.
    pub span: Option<Span>,
    /// What to write instead.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a span or hint.
    #[inline(never)]
    pub fn new(severity: Severity, code: &'static str, message: &'static str, path: Path) -> Self {
        Self { severity, code, message, path, span: None, hint: None }
    }

    /// An error.
    pub fn error(code: &'static str, message: &'static str, path: Path) -> Self {
        Self::new(Severity::Error, code, message, path)
    }

    /// The same with a span in the text at its path.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a hint where there is one.
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Whether it stops construction.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
