//! Objects that JavaScript gets in several places; TypeScript's declarations are made from the types.

use crate::diagnostic::{Diagnostic, Path, Step};
use crate::json::{Json, Writer};
use crate::rule::{Matcher, Parameter, ParsedRule, PermissionRule};
use crate::vocabulary::Severity;

/// A half-open range of UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SpanShape {
    /// First unit.
    pub start: usize,
    /// One past the last unit.
    pub end: usize,
}

/// What a content rule accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), serde(tag = "kind", rename_all = "lowercase"))]
pub enum MatcherShape<'m> {
    /// One text.
    Exact {
        /// The text.
        text: &'m str,
    },
    /// Texts that start with a prefix.
    Prefix {
        /// The prefix.
        prefix: &'m str,
    },
    /// A pattern with stars, anchored at both ends.
    Wildcard {
        /// The pattern.
        pattern: &'m str,
    },
    /// Host names.
    Domain {
        /// The host, or a pattern of labels.
        hostname: &'m str,
    },
    /// Paths.
    Path {
        /// Where the pattern starts: `root`, `home`, `project` or `cwd`.
        anchor: &'static str,
        /// The pattern, seen from there.
        glob: &'m str,
    },
    /// A value of one argument.
    Parameter {
        /// The argument.
        name: &'m str,
        /// The value; a star is any text.
        value: &'m str,
    },
}

impl<'m> From<&'m Matcher> for MatcherShape<'m> {
    fn from(matcher: &'m Matcher) -> Self {
        match matcher {
            Matcher::Exact(text) => Self::Exact { text },
            Matcher::Prefix(prefix) => Self::Prefix { prefix },
            Matcher::Wildcard(wildcard) => Self::Wildcard { pattern: wildcard.pattern() },
            Matcher::Domain(domain) => Self::Domain { hostname: domain.hostname() },
            Matcher::Path(anchor, glob) => Self::Path { anchor: anchor.as_str(), glob },
            Matcher::Parameter(Parameter { name, value }) => Self::Parameter { name, value },
        }
    }
}

impl MatcherShape<'_> {
    fn write(self, to: &mut Writer) {
        let (kind, members) = match self {
            Self::Exact { text } => ("exact", [("text", text), NO_MEMBER]),
            Self::Prefix { prefix } => ("prefix", [("prefix", prefix), NO_MEMBER]),
            Self::Wildcard { pattern } => ("wildcard", [("pattern", pattern), NO_MEMBER]),
            Self::Domain { hostname } => ("domain", [("hostname", hostname), NO_MEMBER]),
            Self::Path { anchor, glob } => ("path", [("anchor", anchor), ("glob", glob)]),
            Self::Parameter { name, value } => ("parameter", [("name", name), ("value", value)]),
        };
        to.open("{");
        to.member("kind", kind);
        for (name, value) in members {
            if !name.is_empty() {
                to.member(name, value);
            }
        }
        to.close("}");
    }
}

const NO_MEMBER: (&str, &str) = ("", "");

/// Where a rule stands, and what is said of it there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'r> {
    pub(super) rule: &'r PermissionRule,
    /// As written.
    pub(super) text: &'r str,
    pub(super) path: &'r [Step],
}

/// A rule: `{toolName, content?, matcher?, parameters?}`, and where it is placed `{…, behavior, source, text, path}`. A
/// whole-tool rule has no content; `parameters` are all arguments that must hold, where these are several, or one beside
/// a text.
pub(super) fn write_rule(to: &mut Writer, rule: &ParsedRule, placed: Option<Placed<'_>>) {
    to.open("{");
    to.member("toolName", &rule.tool);
    to.optional_member("content", rule.content.as_deref());
    if rule.parameters.is_empty() {
        if let Some(matcher) = &rule.matcher {
            to.name("matcher");
            MatcherShape::from(matcher).write(to);
        }
    } else {
        to.name("parameters");
        to.open("[");
        if let Some(Matcher::Parameter(parameter)) = &rule.matcher {
            write_parameter(to, parameter);
        }
        for parameter in &rule.parameters {
            write_parameter(to, parameter);
        }
        to.close("]");
    }
    if let Some(Placed { rule, text, path }) = placed {
        to.member("behavior", rule.behavior.as_str());
        to.member("source", rule.source.as_str());
        to.member("text", text);
        to.path(path);
    }
    to.close("}");
}

fn write_parameter(to: &mut Writer, parameter: &Parameter) {
    to.open("{");
    to.member("name", &parameter.name);
    to.member("value", &parameter.value);
    to.close("}");
}

/// A finding about a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
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
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub span: Option<SpanShape>,
    /// What to write instead.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub hint: Option<String>,
}

/// A list of [`DiagnosticShape`]s of a configuration, whose texts their spans point into.
pub(super) fn write_diagnostics(to: &mut Writer, diagnostics: &[Diagnostic], config: &Json) {
    to.open("[");
    for diagnostic in diagnostics {
        let text = config.at(&diagnostic.path).and_then(Json::as_str).unwrap_or_default();
        to.open("{");
        to.member("severity", diagnostic.severity.as_str());
        to.member("code", diagnostic.code);
        to.member("message", diagnostic.message);
        to.path(&diagnostic.path);
        if let Some(span) = diagnostic.span {
            to.span("span", span.to_utf16(text));
        }
        to.optional_member("hint", diagnostic.hint.as_deref());
        to.close("}");
    }
    to.close("]");
}
