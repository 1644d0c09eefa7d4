//! Rules whose content stands as it is, without escapes (`qwen-code.md` sections 2, 7 and 8).
//!
//! ```text
//! rule    = blanks tool blanks                    whole-tool rule
//!         | blanks tool "(" content ")" blanks    from the first "(" to the last character, which is a ")"
//! ```
//!
//! | content of | matcher |
//! |---|---|
//! | a shell tool | wildcard where it has a `*`, every `:*` written ` *`; else prefix |
//! | a file tool | path: `//` the root, `~/` home, `/` the project, anything else the working directory |
//! | a fetch tool | domain, `domain:` before it or not |
//! | an MCP tool | exact |
//! | any other | what stands before, between and behind the parameters `key:value`, split at `,`; each of those |
//!
//! The tool's name is the canonical one.

use super::domain::DomainPattern;
use super::matcher::{Anchor, Parameter};
use super::parse::{Parsed, Shape, nameless, refuse, whole_tool};
use super::{Matcher, ParsedRule, Wildcard, brace_glob, retokenise, spaced, tool};
use crate::dialect::tiers::Words;
use crate::dialect::{ContentKind, Dialect, DomainLabels};
use crate::span::Span;
use crate::text;

/// Kinds of content by canonical name.
type Kinds = &'static [(Words, ContentKind)];

pub(super) fn parse(rule: &str, dialect: &Dialect, kinds: Kinds) -> Parsed {
    let (start, trimmed) = text::trim_at(rule);
    let Some((name, behind)) = text::split_once(trimmed, "(") else {
        return whole_tool(tool::canonical(trimmed, dialect), Shape::Bare);
    };
    let open = start.saturating_add(name.len());
    let inside = open.saturating_add(1);
    let Some(content) = behind.strip_suffix(')') else {
        let span = Span::new(open, start.saturating_add(trimmed.len()));
        let message = "the last character of the rule does not close the parenthesis";
        return refuse("unclosed-paren", message, span, &[trimmed, ")"]);
    };
    let name = text::trim(name);
    if name.is_empty() {
        return nameless(Span::new(start, inside));
    }
    let name = tool::canonical(name, dialect);
    match content {
        "" => return whole_tool(name, Shape::EmptyContent),
        "*" => return whole_tool(name, Shape::StarContent),
        _ => {}
    }
    let (matcher, parameters) = compile(content_kind(name, kinds), content);
    let span = Span::new(inside, inside.saturating_add(content.len()));
    let parsed =
        ParsedRule { tool: name.into(), content: Some(content.into()), matcher: Some(matcher), parameters };
    Ok((parsed, Shape::Content(span)))
}

/// The kind of content that rules of a canonical name have.
pub fn content_kind(name: &str, kinds: Kinds) -> ContentKind {
    let row = kinds.iter().find(|(known, _)| known.has(name));
    row.map_or(
        if name.starts_with("mcp__") { ContentKind::Text } else { ContentKind::Literal },
        |(_, kind)| *kind,
    )
}

/// The matcher of a content, and the parameters beside it.
pub(super) fn compile(kind: ContentKind, content: &str) -> (Matcher, Vec<Parameter>) {
    let matcher = match kind {
        ContentKind::Command if content.contains(['*']) => {
            Matcher::Wildcard(Wildcard::literal(&spaced_stars(content), false))
        }
        ContentKind::Command => Matcher::Prefix(content.into()),
        ContentKind::Path => path(content),
        ContentKind::Host => Matcher::Domain(DomainPattern::as_it_stands(
            content.strip_prefix("domain:").unwrap_or(content),
            DomainLabels::AsWritten,
        )),
        ContentKind::Text => Matcher::Exact(content.into()),
        ContentKind::Literal => return literal(content),
    };
    (matcher, vec![])
}

/// Every `:*` written ` *`.
fn spaced_stars(content: &str) -> String {
    let mut pattern = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = text::split_once(rest, ":*") {
        pattern.push_str(before);
        pattern.push_str(" *");
        rest = after;
    }
    pattern.push_str(rest);
    pattern
}

fn path(content: &str) -> Matcher {
    let anchors = [("//", Anchor::Root), ("~/", Anchor::Home), ("/", Anchor::Project)];
    let anchored = anchors.iter().find_map(|(start, anchor)| Some((content.strip_prefix(start)?, *anchor)));
    let (glob, anchor) = anchored.unwrap_or((content, Anchor::Cwd));
    Matcher::Path(anchor, glob.into())
}

fn literal(content: &str) -> (Matcher, Vec<Parameter>) {
    let mut parameters = vec![];
    let mut rest = vec![];
    for part in content.split([',']) {
        match parameter(part) {
            Some((name, value)) => {
                parameters.push(Parameter { name: name.into(), value: value.into() });
            }
            None => rest.push(part),
        }
    }
    if parameters.is_empty() {
        return (Matcher::Exact(content.into()), vec![]);
    }
    let rest = rest.join(",");
    let matcher = if text::trim(&rest).is_empty() {
        Matcher::Parameter(parameters.remove(0))
    } else {
        Matcher::Exact(text::trim(&rest).into())
    };
    (matcher, parameters)
}

/// `key:value`
fn parameter(part: &str) -> Option<(&str, &str)> {
    let (key, value) = text::split_once(text::trim(part), ":")?;
    let is_key = !key.starts_with(|c: char| c.is_ascii_digit())
        && !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_key.then_some((key, value))
}

/// Whether a command's text, put together again, is accepted.
pub fn accepts_line(matcher: &Matcher, retokenised: &str) -> bool {
    match matcher {
        Matcher::Exact(pattern) | Matcher::Prefix(pattern) => spaced::accepts(pattern, retokenised),
        Matcher::Wildcard(wildcard) => spaced::accepts(wildcard.pattern(), retokenised),
        _ => false,
    }
}

/// Whether a host in lower case is that of the matcher, or below it.
pub fn accepts_host(matcher: &Matcher, host: &str) -> bool {
    let Matcher::Domain(domain) = matcher else { return false };
    let wanted = text::trim(domain.hostname()).to_ascii_lowercase();
    let above = host.strip_suffix(wanted.as_str());
    !wanted.is_empty() && above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
}

/// Whether an argument's text is the value of a parameter: without case, a star is any text.
pub fn accepts_parameter(value: &str, argument: &str) -> bool {
    let pattern = Wildcard::literal(&value.to_ascii_lowercase(), false);
    pattern.accepts(&argument.to_ascii_lowercase())
}

/// Whether `subject` alone meets a rule's content.
pub(super) fn accepts(rule: &ParsedRule, subject: &str, kinds: Kinds) -> bool {
    let Some(matcher) = &rule.matcher else { return rule.content.is_none() };
    match content_kind(&rule.tool, kinds) {
        ContentKind::Command => accepts_line(matcher, &retokenise(subject)),
        ContentKind::Host => accepts_host(matcher, &subject.to_ascii_lowercase()),
        ContentKind::Path | ContentKind::Text | ContentKind::Literal => {
            let accepted = match matcher {
                Matcher::Path(_, glob) => brace_glob::accepts(glob, subject),
                Matcher::Parameter(parameter) => accepts_parameter(&parameter.value, subject),
                matcher => matcher.accepts(subject),
            };
            rule.parameters.is_empty() && accepted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::QWEN_CODE_0_24;
    use crate::host::Host;

    #[track_caller]
    fn check(
        rule: &str,
        name: &str,
        content: Option<&str>,
        matcher: Option<Matcher>,
        parameters: &[(&str, &str)],
    ) {
        let parsed = crate::rule::parse(rule, &QWEN_CODE_0_24, Host::ASCII).unwrap();
        let expected = ParsedRule {
            tool: name.into(),
            content: content.map(Into::into),
            matcher,
            parameters: parameters
                .iter()
                .map(|(name, value)| Parameter { name: (*name).into(), value: (*value).into() })
                .collect(),
        };
        assert_eq!(parsed, expected, "{rule:?}");
    }

    #[test]
    fn contents_stand_as_they_are() {
        let line = |pattern: &str| Some(Matcher::Wildcard(Wildcard::literal(pattern, false)));
        check(" Bash(npm:* x:*) ", "run_shell_command", Some("npm:* x:*"), line("npm * x *"), &[]);
        check(
            "Bash(a\\(b)c)",
            "run_shell_command",
            Some("a\\(b)c"),
            Some(Matcher::Prefix("a\\(b)c".into())),
            &[],
        );
        check("X()", "X", None, None, &[]);
        check("X(*)", "X", None, None, &[]);
        let path = |anchor, glob: &str| Some(Matcher::Path(anchor, glob.into()));
        check("Read(//)", "read_file", Some("//"), path(Anchor::Root, ""), &[]);
        check("Edit(~x)", "edit", Some("~x"), path(Anchor::Cwd, "~x"), &[]);
    }

    #[test]
    fn parameters_stand_beside_literals() {
        let exact = |text: &str| Some(Matcher::Exact(text.into()));
        let one = Matcher::Parameter(Parameter { name: "model".into(), value: "opus".into() });
        check("Agent(model:opus)", "agent", Some("model:opus"), Some(one.clone()), &[]);
        check("Agent(model:opus,n:1)", "agent", Some("model:opus,n:1"), Some(one), &[("n", "1")]);
        check("Agent(coder,model:o)", "agent", Some("coder,model:o"), exact("coder"), &[("model", "o")]);
        check("Agent(bad-key:1)", "agent", Some("bad-key:1"), exact("bad-key:1"), &[]);
        check("mcp__a__b(k:v)", "mcp__a__b", Some("k:v"), exact("k:v"), &[]);
    }

    #[test]
    fn refuses_what_is_not_closed() {
        let code = |rule: &str| crate::rule::parse(rule, &QWEN_CODE_0_24, Host::ASCII).unwrap_err().code;
        assert_eq!(code("Bash(x"), "unclosed-paren");
        assert_eq!(code("Bash(x) y"), "unclosed-paren");
        assert_eq!(code("(x)"), "missing-tool-name");
        assert_eq!(code(" "), "empty-rule");
    }

    #[test]
    fn hosts_and_values() {
        let host = |content: &str| compile(ContentKind::Host, content).0;
        assert!(accepts_host(&host("domain:Example.com"), "api.example.com"));
        assert!(!accepts_host(&host("example.com"), "notexample.com"));
        assert!(!accepts_host(&host("domain:"), "x"));
        assert!(!accepts_host(&host("*.example.com"), "a.example.com"));
        assert!(accepts_parameter("op*", "OPUS"));
        assert!(!accepts_parameter("", "x"));
        assert!(accepts_parameter(r"a\b", r"a\b"));
    }
}
