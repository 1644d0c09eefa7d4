//! Approvals: rules that a person granted for the session, and calls that may leave the sandbox once.

use super::log::{Event, Log};
use crate::dialect::Dialect;
use crate::host::Host;
use crate::json::Json;
use crate::limits;
use crate::rule;
use crate::text;
use crate::vocabulary::{EventKind, GrantScope, PermissionMode};

impl Log {
    /// `foldSessionAllow`: the rules that are granted, each once, in the order in which they were. One that does not parse
    /// is skipped, and so are those over the limit of a decision: an old log must not break every one.
    pub fn session_allow(&self, dialect: &Dialect, host: Host) -> Vec<&str> {
        let mut rules: Vec<&str> = vec![];
        for event in &self.events {
            if event.kind != EventKind::SessionAllow {
                continue;
            }
            if event.data.get("cleared") == Some(&Json::Bool(true)) {
                rules.clear();
            } else if let Some(rule) = event.granted()
                && rules.len() < limits::RULES
                && !rules.contains(&rule)
                && rule::parse(rule, dialect, host).is_ok()
            {
                rules.push(rule);
            }
        }
        rules
    }
}

impl Event {
    /// The rule of a record that has all that such a record has.
    fn granted(&self) -> Option<&str> {
        let in_session = self.text("scope") == Some(GrantScope::Session.as_str());
        let stamped = matches!(self.data.get("timestamp"), Some(Json::Number(_)));
        self.text("rule").filter(|_| self.sound && in_session && stamped && self.text("toolName").is_some())
    }
}

/// `isSandboxEscalation`: whether the sandbox runtime's reason speaks of the sandbox.
pub fn is_sandbox_escalation(reason: &str) -> bool {
    text::contains(&reason.to_ascii_lowercase(), "sandbox")
}

/// Whether a call may leave the sandbox once without a person: in `auto`, in a workspace, for a reason that the sandbox
/// runtime gave. A host must not let the model write that reason.
pub fn approves_sandbox_escalation(
    reason: Option<&str>,
    mode: Option<PermissionMode>,
    workspace: Option<&str>,
) -> bool {
    mode == Some(PermissionMode::Auto)
        && workspace.is_some_and(|workspace| !workspace.is_empty())
        && reason.is_some_and(is_sandbox_escalation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::STANDARD;

    #[track_caller]
    fn check(data: &[&str], expected: &[&str]) {
        let lines: Vec<String> = data
            .iter()
            .map(|data| format!(r#"{{"type":"permission/session-allow","data":{data}}}"#))
            .collect();
        assert_eq!(Log::read(&lines.join("\n")).session_allow(&STANDARD, Host::ASCII), expected, "{data:?}");
    }

    const LS: &str = r#"{"scope":"session","toolName":"Bash","timestamp":1,"rule":"Bash(ls)"}"#;

    #[test]
    fn a_record_of_another_shape_grants_nothing() {
        check(&[LS, LS], &["Bash(ls)"]);
        for data in [
            r#"{"scope":"sandbox-auto","toolName":"Bash","timestamp":1,"rule":"Bash"}"#,
            r#"{"scope":"forever","toolName":"Bash","timestamp":1,"rule":"Bash"}"#,
            r#"{"toolName":"Bash","timestamp":1,"rule":"Bash"}"#,
            r#"{"scope":"session","timestamp":1,"rule":"Bash"}"#,
            r#"{"scope":"session","toolName":"Bash","timestamp":"1","rule":"Bash"}"#,
            r#"{"scope":"session","toolName":"Bash","timestamp":1,"rule":""}"#,
            r#"{"scope":"session","toolName":"Bash","timestamp":1,"rule":"Bash(x\ud800)"}"#,
            r#"{"scope":"session","toolName":"Bash","timestamp":1,"rule":"Bash","rule":"Read"}"#,
            r#"["Bash"]"#,
            "{",
        ] {
            check(&[data, LS], &["Bash(ls)"]);
        }
    }

    #[test]
    fn clearing_counts_whatever_stands_beside_it() {
        for data in [
            r#"{"cleared":true}"#,
            r#"{"scope":7,"reason":"\ud800","cleared":true}"#,
            r#"{"scope":"session","toolName":"Bash","timestamp":1,"rule":"Bash","cleared":true}"#,
        ] {
            check(&[LS, data], &[]);
        }
    }
}
