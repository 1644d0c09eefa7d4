//! What to tell the author of a rule that parses: it does less, or other things, than it seems to say
//! (rules.md section 14, the warnings and infos).

use core::cmp::Ordering;

use super::segments;
use crate::diagnostic::Diagnostic;
use crate::dialect::{BypassImmune, Dialect, Grammar, Subjects, ToolNames};
use crate::engine::entry::Entry;
use crate::engine::kind::{Kinds, SubjectKind};
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

/// A rule, what is asked again and again about it, and where what is said of it goes.
struct Subject<'e> {
    entry: &'e Entry,
    /// The content as written, or what else of the rule's text is spoken of.
    span: Option<Span>,
    tool: &'e Tool,
    name: &'e str,
    content: &'e str,
    /// It is an allow rule of a shell.
    allows_commands: bool,
    diagnostics: &'e mut Vec<Diagnostic>,
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
        let name = parsed.tool.as_str();
        let content = parsed.content.as_deref().unwrap_or_default();
        let allows_commands = tool.kind == SubjectKind::Command && entry.rule.behavior == Behavior::Allow;
        let mut subject = Subject { entry, span: None, tool, name, content, allows_commands, diagnostics };
        subject.on_tool_name();
        match shape {
            Shape::Content(span) => {
                subject.span = Some(span);
                subject.on_content(self.dialect);
            }
            Shape::EmptyContent => subject.warn(
                "empty-content",
                "empty content stands for the whole tool",
                &["write `", name, "`"],
            ),
            Shape::Bare | Shape::StarContent => {}
        }
        subject.span = None;
        subject.on_dialect(self.dialect);
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
                    is_known: tool::known_names(self.dialect).contains(&name),
                    is_odd: !tool::is_mcp_server(name) && name.contains(odd),
                    missed: tool::missed_names(name, self.dialect, self.bash_tool),
                });
                self.tools.len().saturating_sub(1)
            },
            |place| place.saturating_add(last),
        )
    }
}

impl Subject<'_> {
    /// Says something of the rule; the parts of the hint follow one another.
    #[inline(never)]
    fn say(&mut self, severity: Severity, code: &'static str, message: &'static str, hint: &[&str]) {
        let mut said = Diagnostic::new(severity, code, message, self.entry.path()).hint(hint.concat());
        said.span = self.span;
        self.diagnostics.push(said);
    }

    fn warn(&mut self, code: &'static str, message: &'static str, hint: &[&str]) {
        self.say(Severity::Warning, code, message, hint);
    }

    /// The text of the rule with another content.
    #[inline(never)]
    fn with(&self, content: &[&str]) -> String {
        rule_string(self.name, Some(&content.concat()))
    }

    fn on_tool_name(&mut self) {
        if !self.tool.is_odd {
            return;
        }
        let start = text::find(&self.entry.text, self.name).unwrap_or(0);
        self.span = Some(Span::new(start, start.saturating_add(self.name.len())));
        self.warn(
            "tool-name-never-matches",
            "no call has such a tool name",
            &["write the tool's exact name, and what it may do in parentheses: `Tool(content)`"],
        );
        self.span = None;
    }

    fn on_content(&mut self, dialect: &Dialect) {
        let (name, content, kind) = (self.name, self.content, self.tool.kind);
        let matcher = self.entry.rule.rule.matcher.as_ref();
        let is_domain = matches!(matcher, Some(Matcher::Domain(_)));
        if kind == SubjectKind::Text && self.tool.is_known {
            self.warn(
                "content-never-consulted",
                "calls of this tool have no subject that a content could accept",
                &["write `", name, "`"],
            );
        }
        if let Some(before) = content.strip_suffix(":*").filter(|_| !is_domain) {
            let (star, space) = (self.with(&[before, " *"]), self.with(&[before, " "]));
            let hint: &[&str] = if before.is_empty() {
                &["write `", name, "` for the whole tool"]
            } else {
                &["write `", &space, "` or `", &star, "`"]
            };
            self.warn("prefix-ends-in-colon", "the colon is part of the prefix", hint);
        } else if matches!(matcher, Some(Matcher::Prefix(_)))
            && text::has(content, b'\\')
            && text::contains(content, r"\*")
        {
            self.say(
                Severity::Info,
                "escaped-star-in-prefix",
                "without another star the backslash is a character of the prefix",
                &["end the content in a star to escape another one"],
            );
        }
        if let (Some(bare), Some(Matcher::Wildcard(_))) = (content.strip_suffix(" *"), matcher) {
            let bare = self.with(&[bare]);
            self.say(
                Severity::Info,
                "wildcard-needs-space",
                "the command alone, without the space, is not accepted",
                &["`", &bare, "` accepts it, and longer words too"],
            );
        }
        if self.allows_commands && has_operator(content) {
            self.warn(
                "operator-in-pattern",
                "an allow rule is tried on one command at a time",
                &["write one rule for each command"],
            );
        }
        if self.allows_commands && content.starts_with(text::is_blank) {
            let trimmed = self.with(&[text::trim(content)]);
            let message = "the text of a command never starts with a blank";
            self.warn("leading-blank", message, &["write `", &trimmed, "`"]);
        }
        let by_form = dialect.subjects == Subjects::Read && self.entry.rule.behavior == Behavior::Allow;
        if kind == SubjectKind::Path && by_form && has_dots(content) {
            let normal = self.with(&[&without_dots(content)]);
            let message = "an allow rule is tried on normal paths only";
            self.warn(NEVER_MATCHES, message, &["write `", &normal, "`"]);
        }
        if kind == SubjectKind::Host && !is_domain {
            let odd = |c: char| matches!(c, '/' | ':') || text::is_blank(c) || c.is_uppercase();
            let hint = ["write `", name, "(domain:example.com)`"];
            if content.contains(odd) {
                self.warn(NEVER_MATCHES, "a host name has none of these characters", &hint);
            }
            let message = "without `domain:` the content is a prefix of the host name";
            self.warn("webfetch-without-domain", message, &hint);
        }
    }

    fn on_dialect(&mut self, dialect: &Dialect) {
        let entry = self.entry;
        let rule = &entry.rule.rule;
        if dialect.bypass_immune == BypassImmune::ConfigContent && entry.list == RuleList::BypassImmune {
            let message = if entry.rule.source != RuleSource::Config {
                "this dialect takes `bypassImmune` from the configuration's own rules only"
            } else if rule.is_whole_tool() {
                "this dialect ignores a whole tool in `bypassImmune`"
            } else {
                return;
            };
            return self.warn("inert-rule", message, &["write a deny rule"]);
        }
        if !matches!(dialect.tool_names, ToolNames::Aliases(_)) {
            return;
        }
        if tool::is_mcp_server(self.name) {
            let message = "this dialect has no rules for a whole server";
            return self.warn("inert-rule", message, &["name each tool: `mcp__SERVER__TOOL`"]);
        }
        let missed = &self.tool.missed;
        if entry.rule.behavior != Behavior::Allow && !missed.is_empty() {
            let message = "calls of the same tool under another name pass this rule by";
            self.warn("one-way-alias", message, &["add rules for ", &missed.join(", ")]);
        }
    }
}

const NEVER_MATCHES: &str = "content-never-matches";

/// Whether a path content has segments that no normal path has.
fn has_dots(content: &str) -> bool {
    content.starts_with("./") || ["//", "/./", "/../"].iter().any(|part| text::contains(content, part))
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
