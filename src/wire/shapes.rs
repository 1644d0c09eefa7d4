//! The objects that JavaScript gets, as types; TypeScript's declarations are made from them.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Path};
use crate::json::Json;
use crate::policy::Outcome;
use crate::rule::{self, Matcher, Parameter};
use crate::span::Span;
use crate::vocabulary::{Behavior, Kind, RuleSource, Severity};

/// A half-open range of UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SpanShape {
    /// First unit.
    pub start: usize,
    /// One past the last unit.
    pub end: usize,
}

impl SpanShape {
    /// A span of bytes of `text`.
    pub fn of(span: Span, text: &str) -> Self {
        let Span { start, end } = span.to_utf16(text);
        Self { start, end }
    }
}

/// What a content rule accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum MatcherShape {
    /// One text.
    Exact {
        /// The text.
        text: String,
    },
    /// Texts that start with a prefix.
    Prefix {
        /// The prefix.
        prefix: String,
    },
    /// A pattern with stars, anchored at both ends.
    Wildcard {
        /// The pattern.
        pattern: String,
    },
    /// Host names.
    Domain {
        /// The host, or a pattern of labels.
        hostname: String,
    },
    /// Paths.
    Path {
        /// Where the pattern starts: `root`, `home`, `project` or `cwd`.
        anchor: &'static str,
        /// The pattern, seen from there.
        glob: String,
    },
    /// A value of one argument.
    Parameter {
        /// The argument.
        name: String,
        /// The value; a star is any text.
        value: String,
    },
}

impl From<&Matcher> for MatcherShape {
    fn from(matcher: &Matcher) -> Self {
        match matcher {
            Matcher::Exact(text) => Self::Exact { text: text.clone() },
            Matcher::Prefix(prefix) => Self::Prefix { prefix: prefix.clone() },
            Matcher::Wildcard(wildcard) => Self::Wildcard { pattern: wildcard.pattern().into() },
            Matcher::Domain(domain) => Self::Domain { hostname: domain.hostname().into() },
            Matcher::Path(anchor, glob) => Self::Path { anchor: anchor.as_str(), glob: glob.clone() },
            Matcher::Parameter(Parameter { name, value }) => {
                Self::Parameter { name: name.clone(), value: value.clone() }
            }
        }
    }
}

/// An argument that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterShape<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its value; a star is any text.
    pub value: &'r str,
}

/// A rule: as parsed, with what it says and where it comes from, or with its place as well. One shape for all three,
/// since every further one brings its own encoder into the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleShape<'r> {
    /// The tool's name, trimmed.
    pub tool_name: &'r str,
    /// The unescaped content; a whole-tool rule has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<&'r str>,
    /// What the content accepts; a whole-tool rule has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<MatcherShape>,
    /// Every argument that must hold, where these are several, or one beside a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<ParameterShape<'r>>>,
    /// What it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior: Option<Behavior>,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// As written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'r str>,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
}

impl<'r> RuleShape<'r> {
    /// A parsed rule.
    pub fn parsed(rule: &'r rule::ParsedRule) -> Self {
        let mut shape = Self { tool_name: &rule.tool, content: rule.content.as_deref(), ..Self::default() };
        if rule.parameters.is_empty() {
            shape.matcher = rule.matcher.as_ref().map(MatcherShape::from);
        } else {
            let first = match &rule.matcher {
                Some(Matcher::Parameter(parameter)) => Some(parameter),
                _ => None,
            };
            let all = first.into_iter().chain(&rule.parameters);
            let shapes = all.map(|Parameter { name, value }| ParameterShape { name, value });
            shape.parameters = Some(shapes.collect());
        }
        shape
    }

    /// A rule with what it says and where it comes from.
    pub fn permission(rule: &'r rule::PermissionRule) -> Self {
        Self { behavior: Some(rule.behavior), source: Some(rule.source), ..Self::parsed(&rule.rule) }
    }

    /// A rule with its text and place.
    pub fn placed(rule: &'r rule::PermissionRule, text: &'r str, path: Path) -> Self {
        Self { text: Some(text), path: Some(path), ..Self::permission(rule) }
    }
}

/// A finding about a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticShape {
    /// Errors stop construction.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"error\" | \"warning\" | \"info\""))]
    pub severity: Severity,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence.
    pub message: &'static str,
    /// Where in the configuration, e.g. `["layers", 1, "allow", 3]`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly (string | number)[]"))]
    pub path: Path,
    /// Within the text at `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<SpanShape>,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl DiagnosticShape {
    /// Diagnostics of a configuration, whose texts their spans point into.
    pub fn all(diagnostics: &[Diagnostic], config: &Json) -> Vec<Self> {
        let shape = |diagnostic: &Diagnostic| {
            let text = config.at(&diagnostic.path).and_then(Json::as_str).unwrap_or_default();
            let Diagnostic { severity, code, message, path, span, hint } = diagnostic.clone();
            Self { severity, code, message, path, span: span.map(|span| SpanShape::of(span, text)), hint }
        };
        diagnostics.iter().map(shape).collect()
    }
}

/// What the fold over one call says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PermissionDecisionShape {
    /// What was decided.
    pub kind: Kind,
    /// Why, for deny and ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<Outcome> for PermissionDecisionShape {
    fn from(outcome: Outcome) -> Self {
        Self { kind: outcome.kind, reason: outcome.reason }
    }
}
