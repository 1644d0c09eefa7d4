//! The fingerprint of a policy (rules.md section 17).

use crate::engine::config::Config;
use crate::json::{Json, sha256_hex};
use crate::order::{Gather as _, Grow as _};
use crate::rule::{self, PermissionRule};
use crate::vocabulary::RuleList;

/// Hex SHA-256 of the compact JSON, keys sorted, of every setting and of the rules of each list as
/// `[source, text]`, where a layer's directory anchors paths `[source, text, directory]`.
pub(super) fn of(config: &Config) -> String {
    let mut rules = vec![];
    for list in RuleList::ALL {
        set(&mut rules, list.as_str(), rules_of(config, *list));
    }
    let mut settings = vec![];
    let mut set = |name, value| set(&mut settings, name, value);
    set("additionalDirectories", texts(&config.additional_directories));
    set("bashToolName", text(&config.bash_tool));
    set("classifierEnabled", Json::Bool(config.classifier));
    set("dangerousPatterns", texts(&config.dangerous_patterns));
    set("defaultMode", text(config.default_mode.as_str()));
    set("dialect", text(config.dialect.name));
    set("disableBypassPermissionsMode", Json::Bool(config.bypass_disabled));
    set("exemptSandboxedBashFromToolAsk", Json::Bool(config.exempt_sandboxed));
    set("fileEditTools", texts(&config.file_edit_tools));
    set("home", optional(config.home.as_deref().map(text)));
    set("projectRoot", optional(config.project_root.as_deref().map(text)));
    set("protectedFiles", optional(config.protected_files.as_deref().map(texts)));
    set("readOnlyTools", texts(&config.read_only_tools));
    set("rules", Json::Object(rules));
    sha256_hex(Json::Object(settings).canonical().as_bytes())
}

fn rules_of(config: &Config, list: RuleList) -> Json {
    let mut rules = vec![];
    for super::Entry { rule: PermissionRule { rule, source, .. }, directory, .. } in
        config.entries.iter().filter(|entry| entry.list == list)
    {
        let written = rule::text_of(&rule.tool, rule.content.as_deref(), config.dialect);
        let mut parts = vec![text(source.as_str()), text(&written)];
        parts.grow(directory.as_deref().map(text));
        rules.push(Json::List(parts));
    }
    Json::List(rules)
}

#[inline(never)]
fn set(members: &mut Vec<(String, Json)>, name: &str, value: Json) {
    members.push((name.into(), value));
}

fn text(text: &str) -> Json {
    Json::Text(text.into())
}

fn texts(list: &[String]) -> Json {
    Json::List(list.iter().map(|item| text(item)).gather())
}

fn optional(value: Option<Json>) -> Json {
    value.unwrap_or(Json::Null)
}

#[cfg(test)]
mod tests {
    use crate::host::Host;
    use crate::policy::Policy;

    fn of(layer: &str) -> String {
        let config = [
            r#"{"dialect":"claude-code-2.1","layers":[{"source":"userSettings","deny":["Read(/x)"]"#,
            layer,
            "}]}",
        ];
        Policy::new(&config.concat(), Host::ASCII).unwrap().fingerprint()
    }

    #[test]
    fn a_layer_s_directory_counts() {
        let (without, one, other) = (of(""), of(r#","directory":"/a""#), of(r#","directory":"/b""#));
        assert!(without != one && one != other);
        assert_eq!(one, of(r#","directory":"/a""#));
    }
}
