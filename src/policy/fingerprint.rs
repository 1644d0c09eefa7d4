//! The fingerprint of a policy (rules.md section 17).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::config::Config;
use crate::vocabulary::RuleList;

/// Hex SHA-256 of the compact JSON, keys sorted, of every setting and of the rules of each list as
/// `[source, text]`.
pub(super) fn of(config: &Config) -> String {
    let list = |list: &RuleList| -> Value {
        let entries = config.entries.iter().filter(|entry| entry.list == *list);
        entries.map(|entry| json!([entry.rule.source, entry.rule.rule.text()])).collect()
    };
    let rules: BTreeMap<&str, Value> = RuleList::ALL.iter().map(|name| (name.as_str(), list(name))).collect();
    let settings: BTreeMap<&str, Value> = BTreeMap::from([
        ("additionalDirectories", json!(config.additional_directories)),
        ("bashToolName", json!(config.bash_tool)),
        ("classifierEnabled", json!(config.classifier)),
        ("dangerousPatterns", json!(config.dangerous_patterns)),
        ("defaultMode", json!(config.default_mode)),
        ("dialect", json!(config.dialect.name)),
        ("disableBypassPermissionsMode", json!(config.bypass_disabled)),
        ("exemptSandboxedBashFromToolAsk", json!(config.exempt_sandboxed)),
        ("fileEditTools", json!(config.file_edit_tools)),
        ("home", json!(config.home)),
        ("projectRoot", json!(config.project_root)),
        ("protectedFiles", json!(config.protected_files)),
        ("readOnlyTools", json!(config.read_only_tools)),
        ("rules", json!(rules)),
    ]);
    let text = json!(settings).to_string();
    Sha256::digest(text.as_bytes())
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(hex_digit)
        .collect()
}

fn hex_digit(digit: u8) -> Option<char> {
    char::from_digit(digit.into(), 16)
}
