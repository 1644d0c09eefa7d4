//! The session's functions over text. An event log comes in as lines, the JSON text of an event each.

use super::call::Given;
use super::decode::{self, number, on_object, optional_text, optional_word, place};
use super::error::{Failure, Fallible};
use super::functions::check_subject;
use crate::json::{Json, Writer};
use crate::policy::{self, Call};
use crate::rule;
use crate::session::{self, Change, Current, Log, approves_sandbox_escalation};
use crate::vocabulary::{ALLOWED_ONCE, EventKind, GrantScope, PermissionMode, SandboxMode};

/// `foldPermissionMode`: of a log.
pub(super) fn fold_permission_mode(given: &Given<'_>) -> Fallible<String> {
    Ok(log(given).permission_mode().map_or("", PermissionMode::as_str).into())
}

/// `foldResumeSandbox`: of a log.
pub(super) fn fold_resume_sandbox(given: &Given<'_>) -> Fallible<String> {
    Ok(log(given).resume_sandbox().map_or("", SandboxMode::as_str).into())
}

/// `foldSessionAllow`: of a log, in a dialect.
pub(super) fn fold_session_allow(given: &Given<'_>) -> Fallible<String> {
    let dialect = decode::dialect(given.optional(1), place(&["dialect"]))?;
    let mut to = Writer::default();
    to.open("[");
    for rule in log(given).session_allow(dialect, given.host) {
        to.string(rule);
    }
    to.close("]");
    Ok(to.text)
}

/// `foldClassifiers`: of a log.
pub(super) fn fold_classifiers(given: &Given<'_>) -> Fallible<String> {
    let mut to = Writer::default();
    to.open("[");
    for record in log(given).classifiers() {
        to.plain(&record.text());
    }
    to.close("]");
    Ok(to.text)
}

/// `checkModeEvents`: of a log.
pub(super) fn check_mode_events(given: &Given<'_>) -> Fallible<String> {
    let mut to = Writer::default();
    to.open("[");
    for (index, message) in log(given).mode_violations() {
        to.open("{");
        to.name("index");
        to.number(index);
        to.member("message", message);
        to.close("}");
    }
    to.close("]");
    Ok(to.text)
}

#[inline(never)]
fn log(given: &Given<'_>) -> Log {
    Log::read(given.text(0))
}

const CURRENT: &[&str] = &["defaultMode", "sandbox", "shellSandbox", "bypassDisabled"];

/// `setPermissionMode`: of a log, the JSON text of the first argument without the events, and a mode.
pub(super) fn set_permission_mode(given: &Given<'_>) -> Fallible<String> {
    on_object(given.text(1), "current", CURRENT, &mut |current, path| {
        let sandbox = |name| optional_word(current, name, path, "unknown-sandbox", &SandboxMode::parse);
        let mode = optional_word(current, "defaultMode", path, "unknown-mode", &PermissionMode::parse);
        let current = Current {
            default_mode: mode?,
            sandbox: sandbox("sandbox")?,
            shell_sandbox: sandbox("shellSandbox")?,
            bypass_disabled: current.get("bypassDisabled").is_some()
                && decode::flag(current, "bypassDisabled", path)?,
        };
        let changes = session::set_permission_mode(&log(given), &current, given.text(2))
            .map_err(|refusal| Failure::argument(refusal.code, refusal.message, place(&["mode"])))?;
        let mut to = Writer::default();
        to.open("[");
        for change in changes {
            let (kind, mode, resume) = match change {
                Change::Mode(mode, resume) => (EventKind::Mode, mode.as_str(), resume),
                Change::Sandbox(mode) => (EventKind::Sandbox, mode.as_str(), None),
            };
            open_event(&mut to, kind);
            to.member("mode", mode);
            to.optional_member("resumeSandbox", resume.map(SandboxMode::as_str));
            close_event(&mut to);
        }
        to.close("]");
        Ok(to.text)
    })
}

/// `sessionAllowEvent`: of a rule, the JSON text of `{toolName, timestamp}`, and a dialect.
pub(super) fn session_allow_event(given: &Given<'_>) -> Fallible<String> {
    let rule = given.text(0);
    let dialect = decode::dialect(given.optional(2), place(&["dialect"]))?;
    rule::parse(rule, dialect, given.host).map_err(|error| Failure::rule(error, rule))?;
    let stamp = decode::value(given.text(1), vec![])?;
    let mut to = Writer::default();
    open_event(&mut to, EventKind::SessionAllow);
    to.member("rule", rule);
    to.member("scope", GrantScope::Session.as_str());
    write_stamp(&mut to, &stamp, &[])?;
    close_event(&mut to);
    Ok(to.text)
}

const REQUEST: &[&str] = &["reason", "toolName", "mode", "workspace", "timestamp"];

/// `approveSandboxEscalation`: of the JSON text of a request; nothing where the call is passed on to the next approver.
pub(super) fn approve_sandbox_escalation(given: &Given<'_>) -> Fallible<String> {
    on_object(given.text(0), "request", REQUEST, &mut |request, path| {
        let reason = optional_text(request, "reason", path)?;
        let workspace = optional_text(request, "workspace", path)?;
        let mode = optional_word(request, "mode", path, "unknown-mode", &PermissionMode::parse)?;
        let mut to = Writer::default();
        to.open("{");
        to.member("outcome", ALLOWED_ONCE);
        to.name("event");
        open_event(&mut to, EventKind::SessionAllow);
        to.member("scope", GrantScope::SandboxAuto.as_str());
        write_stamp(&mut to, request, path)?;
        to.optional_member("reason", reason);
        close_event(&mut to);
        to.close("}");
        Ok(if approves_sandbox_escalation(reason, mode, workspace) { to.text } else { String::new() })
    })
}

/// `isSandboxEscalation`: of a reason; anything but nothing is yes.
pub(super) fn is_sandbox_escalation(given: &Given<'_>) -> Fallible<String> {
    Ok(if session::is_sandbox_escalation(given.text(0)) { "true" } else { "" }.into())
}

fn open_event(to: &mut Writer, kind: EventKind) {
    to.open("{");
    to.member("type", kind.as_str());
    to.name("data");
    to.open("{");
}

fn close_event(to: &mut Writer) {
    to.close("}");
    to.close("}");
}

/// Which tool, and when.
fn write_stamp(to: &mut Writer, value: &Json, path: &[crate::diagnostic::Step]) -> Fallible<()> {
    to.member("toolName", decode::text(value, "toolName", path)?);
    to.name("timestamp");
    to.plain(number(value, "timestamp", path)?);
    Ok(())
}

/// `deriveGrant`: of a tool, a subject, the JSON text of the arguments, and a dialect; nothing where no rule is sound.
pub(super) fn derive_grant(given: &Given<'_>) -> Fallible<String> {
    let dialect = decode::dialect(given.optional(3), place(&["dialect"]))?;
    let arguments = decode::value(given.text(2), place(&["call", "arguments"]))?;
    let mut texts = [None; 5];
    for (text, name) in texts.iter_mut().zip(["command", "file_path", "notebook_path", "path", "url"]) {
        *text = arguments.get(name).and_then(Json::as_str);
        check_subject(text.unwrap_or_default())?;
    }
    let [command, file_path, notebook_path, path, url] = texts;
    let (tool, subject) = (given.text(0), given.optional(1));
    let call =
        Call { tool, subject, command, file_path, notebook_path, path, url, arguments: Some(&arguments) };
    Ok(policy::derive_grant(&call, dialect, given.host).unwrap_or_default())
}
