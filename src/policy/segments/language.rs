//! What `lint` compares rules of this engine by: their texts, and the calls that show them.

use super::rules::Places;
use crate::dialect::{ContentKind, Grammar, Segments};
use crate::engine::config::Config;
use crate::engine::kind::SubjectKind;
use crate::rule::language::Language;
use crate::rule::{self, Matcher, ParsedRule, tool};

/// The texts that a rule with content accepts. None for what is no single text, and for what accepts nothing.
pub(in crate::policy) fn of(rule: &ParsedRule, config: &Config) -> Option<Language> {
    let matcher = rule.matcher.as_ref().filter(|_| rule.parameters.is_empty())?;
    match matcher {
        Matcher::Path(anchor, glob) => {
            Places::new(config, config.project_root.as_deref()).language(*anchor, glob)
        }
        Matcher::Domain(domain) if domain.is_no_host() || domain.hostname().contains(['*']) => None,
        matcher => Language::of(matcher, true),
    }
}

/// What calls of a tool are matched by, and the argument that holds it; none where only the host names it.
pub(in crate::policy) fn subject_of(
    tool: &str,
    config: &Config,
    tables: &Segments,
) -> (SubjectKind, Option<&'static str>) {
    let Grammar::Verbatim(kinds) = config.dialect.grammar else { return (SubjectKind::Text, None) };
    let name = tool::canonical_call(tool, config.dialect, &config.bash_tool);
    match rule::content_kind(name, kinds) {
        ContentKind::Command => (SubjectKind::Command, Some("command")),
        ContentKind::Path => (SubjectKind::Path, Some("file_path")),
        ContentKind::Host => (SubjectKind::Host, Some("url")),
        ContentKind::Text => (SubjectKind::Text, None),
        ContentKind::Literal => {
            let row = tables.literals.iter().find(|(known, _)| *known == name);
            (SubjectKind::Text, row.map(|(_, argument)| *argument))
        }
    }
}
