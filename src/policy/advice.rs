//! What to tell the author of a rule that parses: it does less, or other things, than it seems to say
//! (rules.md section 14, the warnings and infos).

use crate::order::Grow as _;
use core::cmp::Ordering;

use super::kind::{Kinds, SubjectKind};
use super::lists::Entry;
use super::segments;
use crate::diagnostic::Diagnostic;
use crate::dialect::{BypassImmune, Dialect, Grammar, Subjects, ToolNames};
use crate::order;
use crate::rule::{Matcher, PermissionRule, Shape, rule_string, tool};
use crate::span::Span;
use crate::text;
use crate::vocabulary::{Behavior, RuleList, RuleSource, Severity};

/// What there is to say about rules, one after the other.
pub(super) struct Advice<'c> {
    dialect: &'static Dialect,
    bash_tool: &'c str,
    kinds: Kinds,
    /// The tools of the rules so far.
    tools: Vec<Tool>,
}

/// What is asked again for every rule of a tool.
struct Tool {
    name: String,
    kind: SubjectKind,
    /// The dialect's table has it.
    is_known: bool,
    /// No call has such a name.
    is_odd: bool,
    missed: Vec<&'static str>,
}

/// So many tools that came last are remembered; rules of one tool mostly stand together.
const REMEMBERED: usize = 8;

/// A rule, and what is asked again and again about it.
struct Subject<'e> {
    entry: &'e Entry,
    shape: Shape,
    tool: &'e Tool,
    kind: SubjectKind,
    content: &'e str,
}

impl<'c> Advice<'c> {
    pub(super) fn new(dialect: &'static Dialect, bash_tool: &'c str) -> Self {
        Self { dialect, bash_tool, kinds: Kinds::of(dialect, bash_tool, &[], &[]), tools: vec![] }
    }

    /// Appends what there is to say about one rule.
    pub(super) fn on(&mut self, entry: &Entry, shape: Shape, diagnostics: &mut Vec<Diagnostic>) {
        if matches!(self.dialect.grammar, Grammar::Verbatim(_)) {
            return segments::advice::on(entry, shape, self.dialect, diagnostics);
        }
        let parsed = &entry.rule.rule;
        let place = self.tool(&parsed.tool);
        let Some(tool) = self.tools.get(place) else { return };
        let content = parsed.content.as_deref().unwrap_or_default();
        let subject = Subject { entry, shape, tool, kind: tool.kind, content };
        diagnostics.grow(on_tool_name(&subject));
        self.on_content(&subject, diagnostics);
        diagnostics.grow(self.on_dialect(&subject));
    }

    /// The place of what is known of a tool.
    fn tool(&mut self, name: &str) -> usize {
        let last = self.tools.len().saturating_sub(REMEMBERED);
        let known = self.tools.iter().skip(last).position(|tool| tool.name == name);
        known.map_or_else(
            || {
                let tokens = tool::call_tokens(name, self.dialect, self.bash_tool);
                let odd = |c: char| matches!(c, '*' | '(' | ')') || text::is_blank(c);
                self.tools.push(Tool {
                    name: name.into(),
                    kind: self.kinds.kind(&tokens),
                    is_known: tool::known_names(self.dialect).any(|known| known == name),
                    is_odd: !tool::is_mcp_server(name) && name.contains(odd),
                    missed: tool::missed_names(name, self.dialect, self.bash_tool),
                });
                self.tools.len().saturating_sub(1)
            },
            |place| place.saturating_add(last),
        )
    }

    fn on_content(&self, subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let Shape::Content(span) = subject.shape else {
            if subject.shape == Shape::EmptyContent {
                let name = &subject.entry.rule.rule.tool;
                let message = "empty content stands for the whole tool";
                let empty = warning(subject.entry, "empty-content", message);
                diagnostics.push(empty.hint(["write `", name, "`"].concat()));
            }
            return;
        };
        let mut say = |found: Option<Diagnostic>| diagnostics.grow(found.map(|found| found.at(span)));
        say(self.never_consulted(subject));
        say(prefix_ends_in_colon(subject));
        say(escaped_star(subject));
        say(wildcard_needs_space(subject));
        say(operator(subject));
        say(leading_blank(subject));
        say(self.never_matches(subject));
        say(without_domain(subject));
    }

    fn never_consulted(&self, subject: &Subject<'_>) -> Option<Diagnostic> {
        let name = subject.entry.rule.rule.tool.as_str();
        (subject.kind == SubjectKind::Text && subject.tool.is_known).then(|| {
            let message = "calls of this tool have no subject that a content could accept";
            warning(subject.entry, "content-never-consulted", message).hint(["write `", name, "`"].concat())
        })
    }

    fn never_matches(&self, subject: &Subject<'_>) -> Option<Diagnostic> {
        let Subject { entry, kind, content, .. } = subject;
        let tool = &entry.rule.rule.tool;
        let code = "content-never-matches";
        match kind {
            SubjectKind::Path
                if self.dialect.subjects == Subjects::Read && entry.rule.behavior == Behavior::Allow =>
            {
                let odd = content.starts_with("./")
                    || ["//", "/./", "/../"].iter().any(|part| text::contains(content, part));
                odd.then(|| {
                    let normal = rule_string(tool, Some(&without_dots(content)));
                    warning(entry, code, "an allow rule is tried on normal paths only")
                        .hint(["write `", &normal, "`"].concat())
                })
            }
            SubjectKind::Host if !is_domain(entry) => {
                let odd = |c: char| matches!(c, '/' | ':') || text::is_blank(c) || c.is_uppercase();
                content.contains(odd).then(|| {
                    warning(entry, code, "a host name has none of these characters")
                        .hint(["write `", tool, "(domain:example.com)`"].concat())
                })
            }
            _ => None,
        }
    }

    fn on_dialect(&self, subject: &Subject<'_>) -> Option<Diagnostic> {
        let entry = subject.entry;
        let rule = &entry.rule.rule;
        if self.dialect.bypass_immune == BypassImmune::ConfigContent && entry.list == RuleList::BypassImmune {
            let message = if entry.rule.source != RuleSource::Config {
                "this dialect takes `bypassImmune` from the configuration's own rules only"
            } else if rule.is_whole_tool() {
                "this dialect ignores a whole tool in `bypassImmune`"
            } else {
                return None;
            };
            return Some(warning(entry, "inert-rule", message).hint("write a deny rule"));
        }
        if !matches!(self.dialect.tool_names, ToolNames::Aliases(_)) {
            return None;
        }
        if tool::is_mcp_server(&rule.tool) {
            let message = "this dialect has no rules for a whole server";
            return Some(warning(entry, "inert-rule", message).hint("name each tool: `mcp__SERVER__TOOL`"));
        }
        let missed = &subject.tool.missed;
        (entry.rule.behavior != Behavior::Allow && !missed.is_empty()).then(|| {
            let message = "calls of the same tool under another name pass this rule by";
            warning(entry, "one-way-alias", message).hint(["add rules for ", &missed.join(", ")].concat())
        })
    }
}

/// For each entry, whether the same rule stands earlier in the same list of the same source.
pub(super) fn repeated(entries: &[Entry]) -> Vec<bool> {
    let mut digests = Vec::with_capacity(entries.len());
    for entry in entries {
        let rule = &entry.rule.rule;
        digests.push(digest(digest(0, &rule.tool), rule.content.as_deref().unwrap_or_default()));
    }
    let whole = |at: usize| {
        entries.get(at).map(|Entry { list, rule: PermissionRule { rule, source, .. }, .. }| {
            (list, source, &rule.tool, rule.content.as_deref().unwrap_or_default())
        })
    };
    // Few rules have the digest of another one.
    let compare =
        |a: usize, b: usize| digests.get(a).cmp(&digests.get(b)).then_with(|| whole(a).cmp(&whole(b)));
    let mut repeated = vec![false; entries.len()];
    for [before, at] in order::sorted(entries.len(), &mut { compare }).array_windows() {
        if compare(*before, *at) == Ordering::Equal
            && let Some(repeated) = repeated.get_mut(*at)
        {
            *repeated = true;
        }
    }
    repeated
}

/// A number of a text and the number before it.
fn digest(before: u64, text: &str) -> u64 {
    let mut digest = before ^ 0x9E37_79B9_7F4A_7C15;
    let mut rest = text.as_bytes();
    while let Some((word, after)) = rest.split_first_chunk() {
        digest = (digest ^ u64::from_le_bytes(*word)).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(29);
        rest = after;
    }
    for byte in rest {
        digest = (digest ^ u64::from(*byte)).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(29);
    }
    digest
}

fn on_tool_name(subject: &Subject<'_>) -> Option<Diagnostic> {
    if !subject.tool.is_odd {
        return None;
    }
    let name = subject.entry.rule.rule.tool.as_str();
    let start = text::find(&subject.entry.text, name).unwrap_or(0);
    let span = Span::new(start, start.saturating_add(name.len()));
    let hint = "write the tool's exact name, and what it may do in parentheses: `Tool(content)`";
    let never = warning(subject.entry, "tool-name-never-matches", "no call has such a tool name");
    Some(never.at(span).hint(hint))
}

fn prefix_ends_in_colon(subject: &Subject<'_>) -> Option<Diagnostic> {
    let before = subject.content.strip_suffix(":*").filter(|_| !is_domain(subject.entry))?;
    let tool = &subject.entry.rule.rule.tool;
    let hint = if before.is_empty() {
        ["write `", tool, "` for the whole tool"].concat()
    } else {
        let star = rule_string(tool, Some(&[before, " *"].concat()));
        let space = rule_string(tool, Some(&[before, " "].concat()));
        ["write `", &space, "` or `", &star, "`"].concat()
    };
    Some(warning(subject.entry, "prefix-ends-in-colon", "the colon is part of the prefix").hint(hint))
}

fn escaped_star(subject: &Subject<'_>) -> Option<Diagnostic> {
    let prefix = matches!(subject.entry.rule.rule.matcher, Some(Matcher::Prefix(_)));
    (prefix
        && text::has(subject.content, b'\\')
        && text::contains(subject.content, r"\*")
        && !subject.content.ends_with(":*"))
    .then(|| {
        let message = "without another star the backslash is a character of the prefix";
        info(subject.entry, "escaped-star-in-prefix", message)
            .hint("end the content in a star to escape another one")
    })
}

fn wildcard_needs_space(subject: &Subject<'_>) -> Option<Diagnostic> {
    let wildcard = matches!(subject.entry.rule.rule.matcher, Some(Matcher::Wildcard(_)));
    let bare = subject.content.strip_suffix(" *").filter(|_| wildcard)?;
    let bare = rule_string(&subject.entry.rule.rule.tool, Some(bare));
    let message = "the command alone, without the space, is not accepted";
    Some(
        info(subject.entry, "wildcard-needs-space", message)
            .hint(["`", &bare, "` accepts it, and longer words too"].concat()),
    )
}

fn operator(subject: &Subject<'_>) -> Option<Diagnostic> {
    let allows = subject.kind == SubjectKind::Command && subject.entry.rule.behavior == Behavior::Allow;
    (allows && has_operator(subject.content)).then(|| {
        let message = "an allow rule is tried on one command at a time";
        warning(subject.entry, "operator-in-pattern", message).hint("write one rule for each command")
    })
}

fn leading_blank(subject: &Subject<'_>) -> Option<Diagnostic> {
    let allows = subject.kind == SubjectKind::Command && subject.entry.rule.behavior == Behavior::Allow;
    (allows && subject.content.starts_with(text::is_blank)).then(|| {
        let trimmed = rule_string(&subject.entry.rule.rule.tool, Some(text::trim(subject.content)));
        let message = "the text of a command never starts with a blank";
        warning(subject.entry, "leading-blank", message).hint(["write `", &trimmed, "`"].concat())
    })
}

fn without_domain(subject: &Subject<'_>) -> Option<Diagnostic> {
    (subject.kind == SubjectKind::Host && !is_domain(subject.entry)).then(|| {
        let tool = &subject.entry.rule.rule.tool;
        let message = "without `domain:` the content is a prefix of the host name";
        warning(subject.entry, "webfetch-without-domain", message)
            .hint(["write `", tool, "(domain:example.com)`"].concat())
    })
}

fn is_domain(entry: &Entry) -> bool {
    matches!(entry.rule.rule.matcher, Some(Matcher::Domain(_)))
}

fn warning(entry: &Entry, code: &'static str, message: &'static str) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, message, entry.path())
}

fn info(entry: &Entry, code: &'static str, message: &'static str) -> Diagnostic {
    Diagnostic::new(Severity::Info, code, message, entry.path())
}

/// A path content without segments that say nothing, and with `..` taken back.
pub(super) fn without_dots(content: &str) -> String {
    let mut segments: Vec<&str> = vec![];
    for segment in content.split('/') {
        match segment {
            "." | "" if !segments.is_empty() || segment == "." => {}
            ".." if segments.last().is_some_and(|last| !last.is_empty() && *last != "..") => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    let trailing = if content.ends_with('/') && !segments.is_empty() { "/" } else { "" };
    [&segments.join("/"), trailing].concat()
}

/// Whether a content has an operator that ends a simple command: `;` `&` `|` or a newline, outside quotes, redirects
/// and substitutions.
pub(super) fn has_operator(content: &str) -> bool {
    if !content.bytes().any(|byte| matches!(byte, b';' | b'&' | b'|' | b'\n')) {
        return false;
    }
    let mut quote = None;
    let mut depth = 0usize;
    let mut before = b' ';
    let mut rest = content.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(b'\''), _) => {}
            (_, b'\\') => {
                rest.next();
            }
            (Some(_), _) => {}
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (None, b'(') if matches!(before, b'$' | b'<' | b'>') || depth > 0 => {
                depth = depth.saturating_add(1);
            }
            (None, b')') => depth = depth.saturating_sub(1),
            (None, b';' | b'\n') if depth == 0 => return true,
            (None, b'&')
                if depth == 0 && !matches!(before, b'<' | b'>') && !rest.as_slice().starts_with(b">") =>
            {
                return true;
            }
            (None, b'|') if depth == 0 && before != b'>' => return true,
            _ => {}
        }
        before = byte;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, expected: bool) {
        assert_eq!(has_operator(content), expected, "{content:?}");
    }

    #[test]
    fn finds_operators() {
        for content in ["a && b", "a; b", "a | b", "a &", "a\nb", "a |& b", "curl * | sh", "a \"b\" | c"] {
            check(content, true);
        }
        for content in [
            "a",
            "a 2>&1",
            "a &> f",
            "a >| f",
            "grep 'a|b' ",
            "grep \"a;b\"",
            r"a \; b",
            "echo $(a; b)",
            "`a|b`",
        ] {
            check(content, false);
        }
    }

    #[test]
    fn takes_dots_out() {
        assert_eq!(without_dots("./src/*"), "src/*");
        assert_eq!(without_dots("src//a"), "src/a");
        assert_eq!(without_dots("/a/./b/../c/"), "/a/c/");
        assert_eq!(without_dots("a/../../b"), "../b");
    }
}
