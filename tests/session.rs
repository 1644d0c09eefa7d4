//! Laws of event logs: what is switched to is what is found again, and nothing in a log does harm.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use toolgate::dialect::STANDARD;
use toolgate::host::Host;
use toolgate::session::{Change, Current, Log, set_permission_mode};
use toolgate::vocabulary::{PermissionMode, SandboxMode};

const MODES: &[&str] = &["default", "acceptEdits", "bypassPermissions", "auto"];

fn mode_event() -> impl Strategy<Value = Value> {
    let mode = select(vec![
        json!("default"),
        json!("auto"),
        json!("bypassPermissions"),
        json!("plan"),
        json!("x"),
        json!(7),
    ]);
    let resume = select(vec![
        Value::Null,
        json!("read-only"),
        json!("workspace-write"),
        json!("danger-full-access"),
        json!("x"),
    ]);
    (mode, resume).prop_map(|(mode, resume)| {
        let mut data = json!({ "mode": mode });
        if !resume.is_null() {
            data["resumeSandbox"] = resume;
        }
        json!({ "type": "permission/mode", "data": data })
    })
}

fn event() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => mode_event().prop_map(|event| event.to_string()),
        2 => select(SandboxMode::ALL).prop_map(|mode| json!({ "type": "sandbox/mode", "data": { "mode": mode.as_str() } }).to_string()),
        2 => (select(&["Bash", "Bash(ls)", "Bash(", "Read"][..]), prop::bool::weighted(0.2)).prop_map(|(rule, cleared)| {
            json!({ "type": "permission/session-allow", "data": { "scope": "session", "toolName": "Bash", "timestamp": 1, "rule": rule, "cleared": cleared } }).to_string()
        }),
        1 => Just(r#"{"type":"permission/mode","data":"#.to_owned()),
        1 => Just(r#"{"type":"x","data":{"mode":"auto"}}"#.to_owned()),
        1 => "[^\n]{0,20}",
    ]
}

fn log() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(event(), 0..12)
}

fn read(lines: &[String]) -> Log {
    Log::read(&lines.join("\n"))
}

fn sandbox() -> impl Strategy<Value = Option<SandboxMode>> {
    prop::option::of(select(SandboxMode::ALL))
}

fn lines_of(changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| {
        match change {
        Change::Mode(mode, resume) => {
            json!({ "type": "permission/mode", "data": { "mode": mode.as_str(), "resumeSandbox": resume.map(SandboxMode::as_str) } }).to_string()
        }
        Change::Sandbox(mode) => json!({ "type": "sandbox/mode", "data": { "mode": mode.as_str() } }).to_string(),
    }
    };
    changes.iter().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_mode_that_was_switched_to_is_found_again(
        lines in log(), mode in select(MODES), sandbox in sandbox(), shell_sandbox in sandbox()
    ) {
        let current = Current { sandbox, shell_sandbox, ..Current::default() };
        let changes = set_permission_mode(&read(&lines), &current, mode).unwrap();
        let after = [lines.clone(), lines_of(&changes)].concat();
        let recorded = read(&after).permission_mode().unwrap_or(PermissionMode::Default);
        prop_assert_eq!(recorded.as_str(), mode);
        // Nothing that a switch writes breaks the invariant, and doing it again does nothing.
        prop_assert_eq!(read(&lines_of(&changes)).mode_violations(), []);
        prop_assert_eq!(set_permission_mode(&read(&after), &current, mode).unwrap(), []);
    }

    /// Into bypass and out again: the sandbox is the one before, unless it was not known.
    #[test]
    fn leaving_bypass_restores_the_sandbox(lines in log(), shell_sandbox in sandbox(), back in select(&["default", "auto"][..])) {
        let current = Current { shell_sandbox, ..Current::default() };
        let before = read(&lines);
        prop_assume!(before.permission_mode() != Some(PermissionMode::BypassPermissions));
        let into = set_permission_mode(&before, &current, "bypassPermissions").unwrap();
        let inside = [lines, lines_of(&into)].concat();
        let out = set_permission_mode(&read(&inside), &current, back).unwrap();
        let Some(Change::Mode(_, Some(pinned))) = into.first().copied() else { return Ok(()) };
        prop_assert_eq!(read(&inside).resume_sandbox(), Some(pinned));
        let restored = out.iter().find_map(|change| match change {
            Change::Sandbox(mode) => Some(*mode),
            Change::Mode(..) => None,
        });
        prop_assert_eq!(restored.unwrap_or(SandboxMode::DangerFullAccess), pinned);
    }

    /// A bad event more changes nothing.
    #[test]
    fn a_bad_event_never_costs_the_others(lines in log(), bad in "[^\n]{0,40}", at in any::<prop::sample::Index>()) {
        prop_assume!(serde_json::from_str::<Value>(&bad).is_err());
        let mut more = lines.clone();
        more.insert(at.index(lines.len() + 1), bad);
        let all = |lines: &[String]| {
            let log = read(lines);
            let rules: Vec<String> = log.session_allow(&STANDARD, Host::ASCII).into_iter().map(Into::into).collect();
            (log.permission_mode(), log.resume_sandbox(), rules, log.mode_violations().len(), log.classifiers().len())
        };
        prop_assert_eq!(all(&more), all(&lines));
    }

    #[test]
    fn whatever_stands_in_a_log_is_read(lines in "(?s).{0,200}|(\\{\"type\":\"permission/mode\",\"data\":[{\\[\"a-z:}0-9]{0,12}\n?){0,4}") {
        let log = Log::read(&lines);
        let _ = (log.permission_mode(), log.resume_sandbox(), log.session_allow(&STANDARD, Host::ASCII), log.classifiers());
        let count = lines.split('\n').count();
        prop_assert!(log.mode_violations().iter().all(|(at, _)| *at < count));
    }
}
