//! What to tell the author of a rule that parses: it does less, or other things, than it seems to say
//! (rules.md section 14, the warnings and infos).

use std::collections::BTreeMap;

use super::config::Entry;
use super::kind::{SubjectKind, kind_of_rule};
use super::segments;
use crate::diagnostic::Diagnostic;
use crate::dialect::{BypassImmune, Dialect, Grammar, Subjects, ToolNames};
use crate::rule::{Matcher, Shape, rule_string, tool};
use crate::span::Span;
use crate::text;
use crate::vocabulary::{Behavior, RuleList, RuleSource, Severity};

/// Reads rules in order, and remembers those that it has seen.
pub(super) struct Advice<'c> {
    dialect: &'static Dialect,
    bash_tool: &'c str,
    /// Texts of the rules so far, with their list and source.
    seen: BTreeMap<String, usize>,
    /// The tool of the rule before; rules of one tool mostly stand together.
    tool: Option<Tool>,
}

/// What is asked again for every rule of a tool.
#[derive(Clone)]
struct Tool {
    name: String,
    kind: SubjectKind,
    /// The dialect's table has it.
    is_known: bool,
    missed: Vec<&'static str>,
}

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
        Self { dialect, bash_tool, seen: BTreeMap::new(), tool: None }
    }

    /// Appends what there is to say about one rule.
    pub(super) fn on(&mut self, entry: &Entry, shape: Shape, diagnostics: &mut Vec<Diagnostic>) {
        let parsed = &entry.rule.rule;
        let key = [entry.list.as_str(), entry.rule.source.as_str(), &parsed.text()].join(
            "
",
        );
        let duplicate = self.seen.insert(key, self.seen.len()).is_some().then(|| {
            warning(entry, "duplicate-rule", "the same rule stands earlier in the same source")
                .hint("remove it")
        });
        if matches!(self.dialect.grammar, Grammar::Verbatim(_)) {
            diagnostics.extend(duplicate);
            return segments::advice::on(entry, shape, self.dialect, diagnostics);
        }
        let tool = self.tool(&parsed.tool);
        let subject = Subject {
            entry,
            shape,
            tool: &tool,
            kind: tool.kind,
            content: parsed.content.as_deref().unwrap_or_default(),
        };
        diagnostics.extend(duplicate);
        diagnostics.extend(self.on_tool_name(&subject));
        diagnostics.extend(self.on_content(&subject));
        diagnostics.extend(self.on_dialect(&subject));
    }

    fn tool(&mut self, name: &str) -> Tool {
        match &self.tool {
            Some(tool) if tool.name == name => tool.clone(),
            _ => {
                let tool = Tool {
                    name: name.into(),
                    kind: kind_of_rule(name, self.dialect, self.bash_tool),
                    is_known: tool::known_names(self.dialect).any(|known| known == name),
                    missed: tool::missed_names(name, self.dialect, self.bash_tool),
                };
                self.tool = Some(tool.clone());
                tool
            }
        }
    }

    fn on_tool_name(&self, subject: &Subject<'_>) -> Option<Diagnostic> {
        let name = subject.entry.rule.rule.tool.as_str();
        let odd = |c: char| matches!(c, '*' | '(' | ')') || text::is_blank(c);
        if tool::is_mcp_server(name) || !name.contains(odd) {
            return None;
        }
        let start = text::find(&subject.entry.text, name).unwrap_or(0);
        let span = Span::new(start, start.saturating_add(name.len()));
        let hint = "write the tool's exact name, and what it may do in parentheses: `Tool(content)`";
        Some(
            warning(subject.entry, "tool-name-never-matches", "no call has such a tool name")
                .at(span)
                .hint(hint),
        )
    }

    fn on_content(&self, subject: &Subject<'_>) -> Vec<Diagnostic> {
        let Shape::Content(span) = subject.shape else {
            let empty = subject.shape == Shape::EmptyContent;
            let name = &subject.entry.rule.rule.tool;
            return Vec::from_iter(empty.then(|| {
                let message = "empty content stands for the whole tool";
                warning(subject.entry, "empty-content", message).hint(["write `", name, "`"].concat())
            }));
        };
        let found = [
            self.never_consulted(subject),
            prefix_ends_in_colon(subject),
            escaped_star(subject),
            wildcard_needs_space(subject),
            operator(subject),
            leading_blank(subject),
            self.never_matches(subject),
            without_domain(subject),
        ];
        found.into_iter().flatten().map(|diagnostic| diagnostic.at(span)).collect()
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
    (prefix && text::contains(subject.content, r"\*") && !subject.content.ends_with(":*")).then(|| {
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
    Diagnostic::new(Severity::Warning, code, message, entry.path.clone())
}

fn info(entry: &Entry, code: &'static str, message: &'static str) -> Diagnostic {
    Diagnostic::new(Severity::Info, code, message, entry.path.clone())
}

/// A path content without segments that say nothing, and with `..` taken back.
fn without_dots(content: &str) -> String {
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
    let mut quote = None;
    let mut depth = 0usize;
    let mut before = ' ';
    let mut rest = content.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') | (Some('`'), '`') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                rest.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') if matches!(before, '$' | '<' | '>') || depth > 0 => depth = depth.saturating_add(1),
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ';' | '\n') if depth == 0 => return true,
            (None, '&') if depth == 0 && !matches!(before, '<' | '>') && next != Some('>') => return true,
            (None, '|') if depth == 0 && before != '>' => return true,
            _ => {}
        }
        before = c;
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
