//! Objects that JavaScript gets in several places.

use crate::diagnostic::{Diagnostic, Step};
use crate::json::{Json, Writer};
use crate::rule::{Matcher, Parameter, ParsedRule, PermissionRule};

/// What a content rule accepts: `{kind, …}`.
fn write_matcher(to: &mut Writer, matcher: &Matcher) {
    let (kind, members) = match matcher {
        Matcher::Exact(text) => ("exact", [("text", text.as_str()), NO_MEMBER]),
        Matcher::Prefix(prefix) => ("prefix", [("prefix", prefix.as_str()), NO_MEMBER]),
        Matcher::Wildcard(wildcard) => ("wildcard", [("pattern", wildcard.pattern()), NO_MEMBER]),
        Matcher::Domain(domain) => ("domain", [("hostname", domain.hostname()), NO_MEMBER]),
        Matcher::Path(anchor, glob) => ("path", [("anchor", anchor.as_str()), ("glob", glob.as_str())]),
        Matcher::Parameter(Parameter { name, value }) => {
            ("parameter", [("name", name.as_str()), ("value", value.as_str())])
        }
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
            write_matcher(to, matcher);
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

/// Findings about a configuration, whose texts their spans point into: a list of
/// `{severity, code, message, path, span?, hint?}`.
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
