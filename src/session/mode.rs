//! Modes: the one in force, the sandbox to come back to, and the events of a switch.

use super::log::{Event, Log};
use crate::order::Grow as _;
use crate::vocabulary::{EventKind, PermissionMode, SandboxMode};

/// The mode of that name, where a session can be switched to it: `plan` is an overlay, `dontAsk` is for configurations.
fn switchable(name: &str) -> Option<PermissionMode> {
    let mode = PermissionMode::parse(name)?;
    (!matches!(mode, PermissionMode::Plan | PermissionMode::DontAsk)).then_some(mode)
}

impl Event {
    /// The mode that it switches to.
    fn mode(&self) -> Option<PermissionMode> {
        if self.kind == EventKind::Mode { switchable(self.text("mode")?) } else { None }
    }
}

impl Log {
    /// `foldPermissionMode`: the mode of the last switch.
    pub fn permission_mode(&self) -> Option<PermissionMode> {
        let mut mode = None;
        for event in &self.events {
            mode = event.mode().or(mode);
        }
        mode
    }

    /// `foldResumeSandbox`: the sandbox that the last switch into `bypassPermissions` which names one came from,
    /// whatever follows it.
    pub fn resume_sandbox(&self) -> Option<SandboxMode> {
        let mut sandbox = None;
        for event in &self.events {
            if event.mode() == Some(PermissionMode::BypassPermissions) {
                sandbox = event.text("resumeSandbox").and_then(SandboxMode::parse).or(sandbox);
            }
        }
        sandbox
    }

    /// The sandbox of the last change.
    fn sandbox(&self) -> Option<SandboxMode> {
        let mut sandbox = None;
        for event in &self.events {
            if event.kind == EventKind::Sandbox {
                sandbox = event.text("mode").and_then(SandboxMode::parse).or(sandbox);
            }
        }
        sandbox
    }

    /// `checkModeEvents`: the places of bad mode events, and one text for each.
    pub fn mode_violations(&self) -> Vec<(usize, &'static str)> {
        let mut violations = vec![];
        for event in &self.events {
            let resumes = event.data.get("resumeSandbox").is_some();
            let known = event.text("resumeSandbox").and_then(SandboxMode::parse).is_some();
            if event.kind != EventKind::Mode || (event.mode().is_some() && known == resumes) {
                continue;
            }
            violations.push((
                event.at,
                if !event.data.is_object() {
                    "the data of a mode event is an object"
                } else if event.mode().is_none() {
                    "the mode is none that a session can be switched to"
                } else {
                    "`resumeSandbox` is no sandbox mode"
                },
            ));
        }
        violations
    }
}

/// What a switch of the mode starts from, beside the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Current {
    /// The mode of a session that has recorded none.
    pub default_mode: Option<PermissionMode>,
    /// The session's sandbox, where the host knows it better than the log.
    pub sandbox: Option<SandboxMode>,
    /// The sandbox that shell calls have by configuration.
    pub shell_sandbox: Option<SandboxMode>,
    /// `bypassPermissions` must not be entered.
    pub bypass_disabled: bool,
}

/// An event to append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `permission/mode`, with the sandbox to come back to.
    Mode(PermissionMode, Option<SandboxMode>),
    /// `sandbox/mode`
    Sandbox(SandboxMode),
}

/// Why a mode cannot be switched to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `unknown-mode`, `mode-not-switchable` or `bypass-disabled`.
    pub code: &'static str,
    /// One sentence.
    pub message: &'static str,
}

/// `setPermissionMode`: the events to append for a switch, in order; none where the mode is in force already.
pub fn set_permission_mode(log: &Log, current: &Current, mode: &str) -> Result<Vec<Change>, Refusal> {
    let Some(mode) = switchable(mode) else {
        return Err(if PermissionMode::parse(mode).is_some() {
            Refusal { code: "mode-not-switchable", message: "a session cannot be switched to this mode" }
        } else {
            Refusal { code: "unknown-mode", message: "no mode has this name" }
        });
    };
    let bypass = PermissionMode::BypassPermissions;
    if mode == bypass && current.bypass_disabled {
        return Err(Refusal { code: "bypass-disabled", message: "bypassing permissions is disabled" });
    }
    let recorded = log.permission_mode().or(current.default_mode).unwrap_or(PermissionMode::Default);
    if mode == recorded {
        return Ok(vec![]);
    }
    let open = SandboxMode::DangerFullAccess;
    let effective = current.sandbox.or_else(|| log.sandbox()).or(current.shell_sandbox);
    let (resume, sandbox) = if mode == bypass {
        (effective, Some(open))
    } else if recorded == bypass {
        let confining = current.shell_sandbox.filter(|sandbox| *sandbox != open);
        (None, log.resume_sandbox().or(confining).or(Some(SandboxMode::WorkspaceWrite)))
    } else {
        (None, None)
    };
    let mut changes = vec![Change::Mode(mode, resume)];
    changes.grow(sandbox.filter(|sandbox| effective != Some(*sandbox)).map(Change::Sandbox));
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::PermissionMode::{AcceptEdits, Auto, BypassPermissions, Default, Plan};
    use crate::vocabulary::SandboxMode::{DangerFullAccess, ReadOnly, WorkspaceWrite};

    #[track_caller]
    fn check(lines: &str, current: Current, mode: &str, expected: Result<&[Change], &str>) {
        let changes = set_permission_mode(&Log::read(lines), &current, mode);
        assert_eq!(changes.as_deref().map_err(|refusal| refusal.code), expected, "{lines} {mode}");
    }

    #[test]
    fn into_bypass_and_out_again() {
        let shell = Current { shell_sandbox: Some(WorkspaceWrite), ..Current::default() };
        let pinned =
            [Change::Mode(BypassPermissions, Some(WorkspaceWrite)), Change::Sandbox(DangerFullAccess)];
        check("", shell, "bypassPermissions", Ok(&pinned));
        let log = r#"{"type":"permission/mode","data":{"mode":"bypassPermissions","resumeSandbox":"read-only"}}
{"type":"sandbox/mode","data":{"mode":"danger-full-access"}}"#;
        check(log, shell, "auto", Ok(&[Change::Mode(Auto, None), Change::Sandbox(ReadOnly)]));
        // What the host knows of the sandbox stands above the log.
        let known = Current { sandbox: Some(ReadOnly), ..shell };
        check(log, known, "auto", Ok(&[Change::Mode(Auto, None)]));
        check(log, Current { bypass_disabled: true, ..shell }, "bypassPermissions", Err("bypass-disabled"));
    }

    #[test]
    fn overlays_are_no_modes_of_a_session() {
        check("", Current::default(), "plan", Err("mode-not-switchable"));
        check("", Current::default(), "dontAsk", Err("mode-not-switchable"));
        check("", Current::default(), "toString", Err("unknown-mode"));
        let plan = Current { default_mode: Some(Plan), ..Current::default() };
        check("", plan, "default", Ok(&[Change::Mode(Default, None)]));
        check("", Current::default(), "acceptEdits", Ok(&[Change::Mode(AcceptEdits, None)]));
    }
}
