//! The parser of one rule string (rules.md section 1): the table's steps, in its order.

use super::domain::DomainPattern;
use super::{Matcher, ParsedRule, escape, unescape, verbatim};
use crate::dialect::{Dialect, Grammar};
use crate::host::Host;
use crate::limits;
use crate::span::{Span, utf16_len};
use crate::text;

/// Why a text is no rule. `span` counts bytes of the rule's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence, without the text.
    pub message: &'static str,
    /// Where in the rule's text.
    pub span: Span,
    /// What to write instead, where a repair is evident.
    pub hint: Option<String>,
}

/// A rule and how it was written, or why the text is none.
pub(super) type Parsed = Result<(ParsedRule, Shape), RuleError>;

/// How the text of a rule that parses was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Tool`
    Bare,
    /// `Tool()`
    EmptyContent,
    /// `Tool(*)`
    StarContent,
    /// `Tool(content)`, and where the content stands in the text.
    Content(Span),
}

/// Parses one rule. The dialect says how domain labels are read; `host` is the URL parser for those that are not ASCII.
pub fn parse(rule: &str, dialect: &Dialect, host: Host) -> Result<ParsedRule, RuleError> {
    parse_shape(rule, dialect, host).map(|(parsed, _)| parsed)
}

/// [`parse`], and how the rule was written.
pub fn parse_shape(rule: &str, dialect: &Dialect, host: Host) -> Parsed {
    let whole = Span::of(rule);
    if rule.len() > limits::RULE_UNITS && utf16_len(rule) > limits::RULE_UNITS {
        let message = "a rule is at most 4096 characters long";
        return Err(RuleError { code: "rule-too-long", message, span: whole, hint: None });
    }
    if let Grammar::Literal(tools) = dialect.grammar {
        return super::literal::parse(rule, tools, host);
    }
    if text::trim(rule).is_empty() {
        return refuse("empty-rule", "a rule names a tool", whole, &["write `Tool` or `Tool(content)`"]);
    }
    if let Grammar::Verbatim(kinds) = dialect.grammar {
        return verbatim::parse(rule, dialect, kinds);
    }
    let (open, close) = parentheses(rule);
    let Some(open) = open else {
        return whole_tool(rule, Shape::Bare);
    };
    let after_open = open.saturating_add(1);
    let Some(close) = close else {
        let content = rule.get(after_open..).unwrap_or_default();
        let message = "the parenthesis is never closed";
        let hint = closed(rule, open, content);
        return refuse("unclosed-paren", message, Span::new(open, rule.len()), &[&hint]);
    };
    let after_close = close.saturating_add(1);
    if after_close < rule.len() {
        let hint = rule.get(..after_close).map(text::trim).unwrap_or_default();
        let message = "nothing may follow the closing parenthesis";
        return refuse("content-after-paren", message, Span::new(after_close, rule.len()), &[hint]);
    }
    let tool = text::trim(rule.get(..open).unwrap_or_default());
    if tool.is_empty() {
        return nameless(Span::new(0, after_open));
    }
    let inside = Span::new(after_open, close);
    let content = unescape(inside.slice(rule).unwrap_or_default());
    match content.as_str() {
        "" => return whole_tool(tool, Shape::EmptyContent),
        "*" => return whole_tool(tool, Shape::StarContent),
        _ => {}
    }
    let matcher = match domain_part(tool, &content) {
        Some(written) => match DomainPattern::read(written, dialect.domain_labels, host) {
            Ok(pattern) => Matcher::Domain(pattern),
            Err(message) => {
                let hint = bare_host(written, host).map(|bare| [tool, "(domain:", &bare, ")"].concat());
                return Err(RuleError { code: "invalid-domain", message, span: inside, hint });
            }
        },
        None => Matcher::of_content(&content),
    };
    let (tool, content, matcher) = (tool.into(), Some(content), Some(matcher));
    Ok((ParsedRule { tool, content, matcher, parameters: vec![] }, Shape::Content(inside)))
}

/// What follows `domain:` in the content of a fetch rule.
pub(super) fn domain_part<'c>(tool: &str, content: &'c str) -> Option<&'c str> {
    if !matches!(tool, "WebFetch" | "web_fetch") {
        return None;
    }
    let (keyword, rest) = content.split_at_checked("domain:".len())?;
    keyword.eq_ignore_ascii_case("domain:").then_some(rest)
}

#[inline(never)]
pub(super) fn whole_tool(tool: &str, shape: Shape) -> Parsed {
    let tool = text::trim(tool).into();
    Ok((ParsedRule { tool, content: None, matcher: None, parameters: vec![] }, shape))
}

/// The first `(` and the last `)` behind it, of those that an even number of backslashes stands before.
fn parentheses(rule: &str) -> (Option<usize>, Option<usize>) {
    if !text::has(rule, b'\\') {
        let open = rule.bytes().position(|byte| byte == b'(');
        return (open, rule.bytes().rposition(|byte| byte == b')').filter(|close| Some(*close) > open));
    }
    let (mut open, mut close) = (None, None);
    let mut escaped = false;
    for (at, byte) in rule.bytes().enumerate() {
        match byte {
            _ if escaped => {}
            b'(' => open = open.or(Some(at)),
            b')' if open.is_some() => close = Some(at),
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    (open, close)
}

/// The rule with its content escaped and its parenthesis closed: what the author most likely meant.
fn closed(rule: &str, open: usize, content: &str) -> String {
    let tool = rule.get(..open).map(text::trim).filter(|tool| !tool.is_empty()).unwrap_or("Tool");
    let content = content.strip_suffix(r"\)").or(content.strip_suffix(')')).unwrap_or(content);
    [tool, "(", &escape(&unescape(content)), ")"].concat()
}

/// The host name inside what somebody wrote after `domain:`.
fn bare_host(written: &str, host: Host) -> Option<String> {
    let written = text::trim(written);
    let url = if text::contains(written, "://") { written.into() } else { ["http://", written].concat() };
    host.of_url(&url).filter(|name| !name.contains(['*']))
}

/// Refuses a rule; the parts of the hint follow one another.
#[inline(never)]
pub(super) fn refuse(code: &'static str, message: &'static str, span: Span, hint: &[&str]) -> Parsed {
    Err(RuleError { code, message, span, hint: Some(hint.concat()) })
}

/// Refuses a rule that has nothing before its parenthesis.
pub(super) fn nameless(span: Span) -> Parsed {
    let message = "a tool's name is missing before the parenthesis";
    refuse("missing-tool-name", message, span, &["write `Tool(content)`"])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dialect::STANDARD;

    #[track_caller]
    fn check(rule: &str, tool: &str, content: Option<&str>) {
        let parsed = parse(rule, &STANDARD, Host::ASCII).unwrap();
        assert_eq!((parsed.tool.as_str(), parsed.content.as_deref()), (tool, content), "{rule:?}");
        assert_eq!(parsed.matcher.is_some(), content.is_some(), "{rule:?}");
    }

    #[track_caller]
    fn refuse(rule: &str, code: &str, span: (usize, usize)) {
        let error = parse(rule, &STANDARD, Host::ASCII).unwrap_err();
        assert_eq!((error.code, error.span), (code, Span::new(span.0, span.1)), "{rule:?}");
    }

    #[test]
    fn parses() {
        check(" Bash ", "Bash", None);
        check("Bash)", "Bash)", None);
        check("Bash()", "Bash", None);
        check("Bash(*)", "Bash", None);
        check(" Bash (ls)", "Bash", Some("ls"));
        check("Bash( ls )", "Bash", Some(" ls "));
        check("Bash(a)(b)", "Bash", Some("a)(b"));
        check(r"Bash\(foo\)", r"Bash\(foo\)", None);
        check(r#"Bash(python -c "print\(1\)")"#, "Bash", Some(r#"python -c "print(1)""#));
        check("toString(x)", "toString", Some("x"));
    }

    #[test]
    fn refuses() {
        refuse("", "empty-rule", (0, 0));
        refuse(" \t", "empty-rule", (0, 2));
        refuse("Bash(ls", "unclosed-paren", (4, 7));
        refuse(r"Bash(foo\)", "unclosed-paren", (4, 10));
        refuse("foo)(bar", "unclosed-paren", (4, 8));
        refuse("Bash(ls) ", "content-after-paren", (8, 9));
        refuse(" (foo)", "missing-tool-name", (0, 2));
        refuse("WebFetch(domain:a..b)", "invalid-domain", (9, 20));
        refuse(&"B".repeat(4_097), "rule-too-long", (0, 4_097));
    }

    #[track_caller]
    fn hint(rule: &str, expected: &str) {
        let host =
            Host { url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(Into::into), ..Host::ASCII };
        assert_eq!(parse(rule, &STANDARD, host).unwrap_err().hint.as_deref(), Some(expected), "{rule:?}");
    }

    #[test]
    fn hints_what_to_write() {
        hint("Bash(ls", "Bash(ls)");
        hint("(ls", "Tool(ls)");
        hint(r"Bash(foo\)", "Bash(foo)");
        hint("Bash(ls) ", "Bash(ls)");
        hint("WebFetch(domain:https://example.com/a)", "WebFetch(domain:example.com)");
        hint("WebFetch(domain:x.org:443)", "WebFetch(domain:x.org)");
    }

    proptest! {
        #[test]
        fn rendering_parses_back(tool in "[A-Za-z_]{1,8}|WebFetch", content in r"[\\()*: a😀]{1,12}|domain:[a-z.*]{1,9}") {
            let text = super::super::rule_string(&tool, Some(&content));
            if let Ok(rule) = parse(&text, &STANDARD, Host::ASCII) {
                prop_assert_eq!(parse(&rule.text(), &STANDARD, Host::ASCII), Ok(rule));
            }
        }

        #[test]
        fn never_panics(rule in r"[\\()*: a😀]{0,20}|\PC*") {
            if let Err(error) = parse(&rule, &STANDARD, Host::ASCII) {
                prop_assert!(error.span.slice(&rule).is_some());
            }
        }
    }
}
