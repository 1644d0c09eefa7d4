//! The grammar in which every character stands for itself (claude-code.md section 2).
//!
//! ```text
//! rule    = blanks tool blanks | blanks tool "(" content ")" blanks
//! tool    = what stands before the first "("
//! content = everything up to the last character; "*" and nothing at all stand for the whole tool
//! ```
//!
//! What a content is depends on the tool: a command, a path with an anchor, `domain:` and a host, a name, or
//! `field:value`. A content that no table knows is kept as a command pattern, so that it is never taken for a rule
//! about the whole tool; whether it is consulted is the policy's business.

use super::domain::DomainPattern;
use super::matcher::{Anchor, Matcher, Parameter, Wildcard};
use super::parse::{Parsed, Shape, nameless, refuse, whole_tool};
use super::{ParsedRule, glob};
use crate::dialect::tiers::{ContentKind, ToolRow};
use crate::host::Host;
use crate::order::Gather as _;
use crate::span::Span;
use crate::text;

/// Parses one rule that is not too long.
pub(super) fn parse(rule: &str, tools: &'static [ToolRow], host: Host) -> Parsed {
    let (start, trimmed) = text::trim_at(rule);
    if trimmed.is_empty() {
        let hint = ["write `Tool` or `Tool(content)`"];
        return refuse("empty-rule", "a rule names a tool", Span::of(rule), &hint);
    }
    let end = start.saturating_add(trimmed.len());
    let Some((name, after)) = text::split_once(trimmed, "(") else {
        return whole_tool(trimmed, Shape::Bare);
    };
    let open = start.saturating_add(name.len());
    let inside = open.saturating_add(1);
    let Some(content) = after.strip_suffix(')') else {
        return match after.rsplit_once([')']) {
            None => {
                let message = "the parenthesis is never closed";
                refuse("unclosed-paren", message, Span::new(open, end), &[trimmed, ")"])
            }
            Some((content, rest)) => {
                let message = "nothing may follow the closing parenthesis";
                let span = Span::new(end.saturating_sub(rest.len()), end);
                refuse("content-after-paren", message, span, &[name, "(", content, ")"])
            }
        };
    };
    let name = text::trim(name);
    if name.is_empty() {
        return nameless(Span::new(start, inside));
    }
    let shape = match content {
        // An allow rule of this shape approves nothing: the empty content tells it from the tool's own name.
        "" => Shape::EmptyContent,
        "*" => return whole_tool(name, Shape::StarContent),
        _ => Shape::Content(Span::new(inside, inside.saturating_add(content.len()))),
    };
    let matcher = matcher(name, content, tools, host);
    let content = Some(content.into());
    Ok((ParsedRule { tool: name.into(), content, matcher, parameters: vec![] }, shape))
}

/// What a content accepts; none where it stands for the whole tool.
pub fn matcher(name: &str, content: &str, tools: &'static [ToolRow], host: Host) -> Option<Matcher> {
    if matches!(content, "" | "*") {
        return None;
    }
    let row = ToolRow::find(tools, name);
    let kind = row.map_or(ContentKind::Nothing, |row| row.content);
    if let Some(parameter) = parameter(name, content, tools) {
        return Some(Matcher::Parameter(parameter));
    }
    Some(match kind {
        ContentKind::Path | ContentKind::Directory => {
            let (anchor, glob) = anchored(content);
            Matcher::Path(anchor, glob)
        }
        ContentKind::Domain => match domain(content) {
            Some("*") => return None,
            Some(written) => Matcher::Domain(DomainPattern::below(written, host)),
            None => Matcher::Exact(content.into()),
        },
        ContentKind::Name => Matcher::Exact(content.into()),
        ContentKind::Command | ContentKind::Nothing => command(content),
    })
}

/// The matcher of a command.
pub fn command(content: &str) -> Matcher {
    if !text::has(content, b'*') {
        return Matcher::Exact(content.into());
    }
    let pattern = match content.strip_suffix(":*") {
        Some(before) => [before, " *"].concat(),
        None => content.into(),
    };
    Matcher::Wildcard(Wildcard::literal(&pattern, true))
}

/// `field:value`, where the tool has such a field, or it is one that its subject is taken from. A content that is a
/// command as well as a parameter is the command.
pub fn parameter(name: &str, content: &str, tools: &'static [ToolRow]) -> Option<Parameter> {
    let row = ToolRow::find(tools, name);
    if row.is_some_and(|row| row.content == ContentKind::Command) && content.ends_with(":*") {
        return None;
    }
    field_value(name, content, tools)
}

/// `field:value`, also where it is a command.
pub fn field_value(name: &str, content: &str, tools: &'static [ToolRow]) -> Option<Parameter> {
    let (field, value) = text::split_once(content, ":")?;
    let (field, value) = (text::trim(field), text::trim(value));
    let row = ToolRow::find(tools, name);
    let known = match row {
        Some(row) => row.has_field(field) || row.subject.first() == Some(field),
        None => name.starts_with("mcp__"),
    };
    let identifier = field.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && field.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (known && identifier).then(|| Parameter { name: field.into(), value: value.into() })
}

/// What follows `domain:` in any case.
pub fn domain(content: &str) -> Option<&str> {
    let (keyword, rest) = content.split_at_checked("domain:".len())?;
    keyword.eq_ignore_ascii_case("domain:").then_some(rest)
}

/// The anchor of a path content, and its pattern seen from there. Of a drive the letter is the first name.
pub fn anchored(content: &str) -> (Anchor, String) {
    if let [letter, b':', b'/' | b'\\', ..] = content.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        let letter = char::from(letter.to_ascii_lowercase());
        let mut glob = String::from(letter);
        glob.push('/');
        for c in content.get(2..).unwrap_or_default().trim_start_matches(['/', '\\']).chars() {
            glob.push(if c == '\\' { '/' } else { c });
        }
        return (Anchor::Root, glob);
    }
    let anchors = [("//", Anchor::Root), ("~/", Anchor::Home), ("/", Anchor::Project)];
    let found = anchors.into_iter().find_map(|(start, anchor)| Some((anchor, content.strip_prefix(start)?)));
    let (anchor, rest) = found.unwrap_or((Anchor::Cwd, content));
    (anchor, rest.into())
}

/// Whether a path content accepts a path that is written from its anchor.
pub(super) fn accepts_path(pattern: &str, path: &str) -> bool {
    let names: Vec<&str> = path.split(['/']).filter(|name| !matches!(*name, "" | ".")).gather();
    let glob = glob::Glob::read(pattern);
    glob.accepts(&names, glob.is_single(), glob::Reach::Whole, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;

    #[track_caller]
    fn check(rule: &str, content: Option<&str>, kind: &str) {
        let parsed = super::super::parse(rule, &CLAUDE_CODE_2_1, Host::ASCII).unwrap();
        let found = match &parsed.matcher {
            None => "whole".to_owned(),
            Some(Matcher::Exact(text)) => format!("exact {text}"),
            Some(Matcher::Wildcard(wildcard)) => format!("wildcard {}", wildcard.pattern()),
            Some(Matcher::Path(anchor, glob)) => format!("path {} {glob}", anchor.as_str()),
            Some(Matcher::Domain(domain)) => format!("domain {}", domain.hostname()),
            Some(Matcher::Parameter(Parameter { name, value })) => format!("parameter {name} {value}"),
            Some(Matcher::Prefix(prefix)) => format!("prefix {prefix}"),
        };
        assert_eq!((parsed.content.as_deref(), found.as_str()), (content, kind), "{rule}");
    }

    #[track_caller]
    fn refuse(rule: &str, code: &str, span: (usize, usize), hint: &str) {
        let error = super::super::parse(rule, &CLAUDE_CODE_2_1, Host::ASCII).unwrap_err();
        assert_eq!(
            (error.code, error.span, error.hint.as_deref()),
            (code, Span::new(span.0, span.1), Some(hint)),
            "{rule}"
        );
    }

    #[test]
    fn contents_are_read_by_tool() {
        check("Bash(print(1))", Some("print(1)"), "exact print(1)");
        check(" Bash(npm:*) ", Some("npm:*"), "wildcard npm *");
        check("Bash(timeout:*)", Some("timeout:*"), "wildcard timeout *");
        check("Bash(timeout:5)", Some("timeout:5"), "parameter timeout 5");
        check("Bash(docker:ps)", Some("docker:ps"), "exact docker:ps");
        check("Bash()", Some(""), "whole");
        check("Read(//etc/**)", Some("//etc/**"), "path root etc/**");
        check(r"Read(C:\a\**)", Some(r"C:\a\**"), "path root c/a/**");
        check("Read(~/x)", Some("~/x"), "path home x");
        check("Edit(/src/(a)/*)", Some("/src/(a)/*"), "path project src/(a)/*");
        check("Edit(offset:1)", Some("offset:1"), "path cwd offset:1");
        check("Read(offset:1)", Some("offset:1"), "parameter offset 1");
        check("WebFetch(domain:*)", Some("domain:*"), "whole");
        check("WebFetch(Domain:X.org.)", Some("Domain:X.org."), "domain x.org");
        check("Agent(model : opus)", Some("model : opus"), "parameter model opus");
        check("Skill(pdf:*)", Some("pdf:*"), "wildcard pdf *");
        check("mcp__a__b(c:d)", Some("c:d"), "parameter c d");
        check("Foo(a:b)", Some("a:b"), "exact a:b");
    }

    #[test]
    fn refuses() {
        refuse(" Bash(ls", "unclosed-paren", (5, 8), "Bash(ls)");
        refuse("Bash(ls) x", "content-after-paren", (8, 10), "Bash(ls)");
        refuse("(a)", "missing-tool-name", (0, 1), "write `Tool(content)`");
        refuse(" ", "empty-rule", (0, 1), "write `Tool` or `Tool(content)`");
    }
}
