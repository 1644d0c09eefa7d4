//! The fingerprint of a policy (rules.md section 17).

use super::config::Config;
use crate::json::{Json, sha256_hex};
use crate::order::sort;
use crate::rule;
use crate::vocabulary::RuleList;

/// Hex SHA-256 of the compact JSON, keys sorted, of every setting and of the rules of each list as
/// `[source, text]`.
pub(super) fn of(config: &Config) -> String {
    let rules = RuleList::ALL.iter().map(|list| (list.as_str(), rules_of(config, *list)));
    let settings = [
        ("additionalDirectories", texts(&config.additional_directories)),
        ("bashToolName", text(&config.bash_tool)),
        ("classifierEnabled", Json::Bool(config.classifier)),
        ("dangerousPatterns", texts(&config.dangerous_patterns)),
        ("defaultMode", text(config.default_mode.as_str())),
        ("dialect", text(config.dialect.name)),
        ("disableBypassPermissionsMode", Json::Bool(config.bypass_disabled)),
        ("exemptSandboxedBashFromToolAsk", Json::Bool(config.exempt_sandboxed)),
        ("fileEditTools", texts(&config.file_edit_tools)),
        ("home", optional(config.home.as_deref().map(text))),
        ("projectRoot", optional(config.project_root.as_deref().map(text))),
        ("protectedFiles", optional(config.protected_files.as_deref().map(texts))),
        ("readOnlyTools", texts(&config.read_only_tools)),
        ("rules", object(rules)),
    ];
    sha256_hex(object(settings).text().as_bytes())
}

fn rules_of(config: &Config, list: RuleList) -> Json {
    let entries = config.entries.iter().filter(|entry| entry.list == list);
    let pair = |entry: &super::Entry| {
        Json::List(vec![
            text(entry.rule.source.as_str()),
            text(&rule::text_of(&entry.rule.rule.tool, entry.rule.rule.content.as_deref(), config.dialect)),
        ])
    };
    Json::List(entries.map(pair).collect())
}

/// An object, its members by name.
fn object<'n>(members: impl IntoIterator<Item = (&'n str, Json)>) -> Json {
    let members = members.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Json::Object(sort(members, |a: &(String, Json), b| a.0.cmp(&b.0)))
}

fn text(text: &str) -> Json {
    Json::Text(text.into())
}

fn texts(list: &[String]) -> Json {
    Json::List(list.iter().map(|item| text(item)).collect())
}

fn optional(value: Option<Json>) -> Json {
    value.unwrap_or(Json::Null)
}
