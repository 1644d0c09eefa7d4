//! A rule, compiled for its list: what of a call it looks at, and what it accepts there.

use super::path_rule::{Origin, PathPattern};
use super::tool::Name;
use crate::dialect::Tiers;
use crate::dialect::tiers::{CallKind, ContentKind, ToolRow};
use crate::engine::decide::RuleRef;
use crate::rule::domain::DomainPattern;
use crate::rule::language::{Language, Op};
use crate::rule::{Matcher, Parameter, ParsedRule, PermissionRule, literal};
use crate::vocabulary::{Behavior, RuleList, RuleSource};

/// A compiled rule.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) name: Name,
    pub(super) test: Test,
    /// An argument that a restricting rule looks at, beside or instead of the test.
    pub(super) parameter: Option<Parameter>,
    /// What calls of the tool that it names do.
    pub(super) kind: CallKind,
    /// It is of the tool whose paths stand for all tools that do the same.
    pub(super) of_files: bool,
    /// It is as good as no rule, and set aside where a classifier stands in.
    pub(super) broad: bool,
}

/// What a rule accepts.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// Every call.
    Whole,
    /// Nothing: it is never consulted.
    Nothing,
    Command(CommandPattern),
    Path(PathPattern),
    Directory(PathPattern),
    Domain(DomainPattern),
    Name(String),
}

/// A rule that is consulted for a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'e> {
    pub(super) at: RuleRef,
    pub(super) list: RuleList,
    pub(super) rule: &'e PermissionRule,
    pub(super) compiled: &'e Compiled,
    pub(super) origin: Origin<'e>,
    /// It answers for the tool of the call; others are about files that the call touches.
    pub(super) own: bool,
}

/// A command pattern.
#[derive(Clone, Debug)]
pub(super) struct CommandPattern {
    matcher: Matcher,
    /// A star and a trailing `:*`: what stands before the colon, taken literally.
    literal: Option<String>,
    /// Nothing stands before a trailing `:*`.
    empty: bool,
}

impl CommandPattern {
    pub(super) fn read(content: &str) -> Self {
        let before = content.strip_suffix(":*");
        Self {
            matcher: literal::command(content),
            literal: before.filter(|before| before.contains(['*'])).map(Into::into),
            empty: before == Some(""),
        }
    }

    /// What every accepted text begins with, of whatever list the rule is.
    pub(super) fn head(&self) -> &str {
        self.matcher.head()
    }

    /// It has no star.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.matcher, Matcher::Exact(_))
    }

    /// Whether an allow rule accepts a text.
    pub(super) fn allows(&self, text: &str) -> bool {
        if self.empty {
            return false;
        }
        match &self.literal {
            Some(literal) => {
                let rest = text.strip_prefix(literal.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            }
            None => self.matcher.accepts(text),
        }
    }

    /// Whether a rule that restricts accepts a text.
    pub(super) fn restricts(&self, text: &str) -> bool {
        self.empty
            || self.matcher.accepts(text)
            || self.literal.as_ref().is_some_and(|literal| text.starts_with(literal.as_str()))
    }

    /// The texts that an allow rule accepts, or one that restricts.
    pub(super) fn language(&self, allows: bool) -> Option<Language> {
        let mut made = Language::default();
        match (&self.literal, allows) {
            _ if self.empty && allows => return None,
            _ if self.empty => made.everything(),
            (Some(literal), true) => {
                made.text(literal);
                made.behind_blank(Op::Char(' '));
            }
            (Some(literal), false) => {
                made.text(literal);
                made.everything();
                return Some(made.or(&Language::of(&self.matcher, false)?));
            }
            (None, _) => return Language::of(&self.matcher, false),
        }
        Some(made)
    }

    /// The same without regard to case.
    pub(super) fn folded(content: &str) -> Self {
        Self::read(&content.to_ascii_lowercase())
    }
}

impl Compiled {
    /// Compiles one rule of a list.
    pub(super) fn of(rule: &PermissionRule, list: RuleList, tiers: &'static Tiers, bash_tool: &str) -> Self {
        let parsed = &rule.rule;
        let allows = list.behavior() == Behavior::Allow;
        let name = Name::of(&parsed.tool, allows);
        let row = ToolRow::find(tiers.tools, &parsed.tool);
        let content = parsed.content.as_deref().unwrap_or_default();
        let (test, parameter) = Self::test(parsed, content, list, rule.source, row, tiers, bash_tool);
        let broad = allows && super::broad::is_broad(parsed, tiers.broad);
        let of_files = row.is_some_and(|row| row.content == ContentKind::Path);
        Self { name, test, parameter, kind: row.map_or(CallKind::Other, |row| row.kind), of_files, broad }
    }

    fn test(
        parsed: &ParsedRule,
        content: &str,
        list: RuleList,
        source: RuleSource,
        row: Option<&ToolRow>,
        tiers: &'static Tiers,
        bash_tool: &str,
    ) -> (Test, Option<Parameter>) {
        let allows = list.behavior() == Behavior::Allow;
        let nothing = (Test::Nothing, None);
        let Some(matcher) = &parsed.matcher else {
            // Empty content of an allow rule approves nothing.
            let inert = allows && parsed.content.as_deref() == Some("");
            return if inert { nothing } else { (Test::Whole, None) };
        };
        if parsed.tool.contains(['*']) {
            return nothing;
        }
        if let Matcher::Parameter(parameter) = matcher {
            let primary = row.is_some_and(|row| row.subject.first() == Some(parameter.name.as_str()));
            let for_server =
                row.is_none() && !(list.behavior() == Behavior::Deny && source == RuleSource::CliArg);
            let inert = allows || primary || for_server;
            return if inert { nothing } else { (Test::Nothing, Some(parameter.clone())) };
        }
        let kind = match row {
            Some(row) => row.content,
            // The host's shell under its own name; only what restricts is taken from it.
            None if parsed.tool == bash_tool && !allows => ContentKind::Command,
            None => ContentKind::Nothing,
        };
        match (kind, matcher) {
            (ContentKind::Command, _) => {
                let field = literal::field_value(&parsed.tool, content, tiers.tools);
                let primary = |parameter: &Parameter| {
                    row.is_some_and(|row| row.subject.first() == Some(parameter.name.as_str()))
                };
                let parameter = field.filter(|parameter| !allows && !primary(parameter));
                (Test::Command(CommandPattern::read(content)), parameter)
            }
            (ContentKind::Path, _) => (Test::Path(PathPattern::read(content, false)), None),
            (ContentKind::Directory, _) => (Test::Directory(PathPattern::read(content, true)), None),
            (ContentKind::Domain, Matcher::Domain(domain)) => (Test::Domain(domain.clone()), None),
            (ContentKind::Name, _) => (Test::Name(content.into()), None),
            _ => nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, text: &str, allows: bool, restricts: bool) {
        let pattern = CommandPattern::read(content);
        assert_eq!(
            (pattern.allows(text), pattern.restricts(text)),
            (allows, restricts),
            "{content} on {text}"
        );
    }

    #[test]
    fn tiers_read_patterns_differently() {
        check("npm test", "npm test", true, true);
        check("npm *", "npm", true, true);
        check("npm *", "npmx", false, false);
        check(":*", "x", false, true);
        check("npm *:*", "npm x y", false, true);
        check("npm *:*", "npm * y", true, true);
        check("* --help *", "npm --help", false, false);
    }
}
