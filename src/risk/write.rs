//! Writes into places that matter: system paths, protected files, and what lies outside of a session's scope.
//!
//! | code | level | a file that the line writes |
//! |---|---|---|
//! | `write-protected-file` | HIGH | is protected |
//! | `write-outside-scope` | MEDIUM | lies outside of the scope, from one of the directories that the line may be in |
//! | `unclear-path` | MEDIUM | has a control character in its name |
//! | `write-target-unknown` | MEDIUM | is a redirect's, and known only at run time, or relative after such a `cd` |
//!
//! The table is tried for calls with a scope, whatever stands in the place of the table of commands. Names that are
//! operands and known only at run time give nothing: too many harmless lines have them.

use super::line::{Line, is_one_of};
use super::path::UNCLEAR_REASON;
use super::scope::Scope;
use super::target::{Kind, View};
use super::{Finding, RiskLevel};
use crate::path::{Lexical, Root};
use crate::span::Span;

pub(super) const PROTECTED: &str = "write-protected-file";
pub(super) const PROTECTED_REASON: &str = "writes to a protected file";

const SYSTEM: &str = "bin sbin lib lib32 lib64 libx32 boot etc usr sys proc System Library";

/// The first write into a system path.
pub(super) fn to_system_path(line: &Line<'_, '_>) -> Option<Span> {
    line.first_target(&|target| target.kind != Kind::Eraser && target.lies(line, View::Beginning, &is_system))
}

fn is_system(path: &Lexical<'_>) -> bool {
    match (path.root(), path.segments()) {
        (Root::Absolute, ["private", "etc", ..] | ["var", "spool", "cron", ..]) => true,
        (Root::Absolute, [name, ..]) => is_one_of(SYSTEM, name),
        (Root::Drive, [_, name, ..]) => {
            ["Windows", "Program Files", "ProgramData"].iter().any(|system| system.eq_ignore_ascii_case(name))
        }
        _ => false,
    }
}

/// The first write to a protected file.
pub(super) fn to_protected_file(line: &Line<'_, '_>) -> Option<Span> {
    line.first_target(&|target| {
        target.kind != Kind::Eraser && target.lies(line, View::AllReadings, &|path| line.is_protected(path))
    })
}

fn to_unclear_path(line: &Line<'_, '_>) -> Option<Span> {
    let is_unclear = |path: &Lexical<'_>| path.segments().iter().any(|name| name.contains(char::is_control));
    line.first_target(&|target| target.kind != Kind::Eraser && target.lies(line, View::Whole, &is_unclear))
}

fn out_of(scope: &Scope<'_>, line: &Line<'_, '_>) -> Option<Span> {
    line.first_target(&|target| {
        target.kind != Kind::Eraser && target.lies(line, View::AllReadings, &|path| scope.excludes(path))
    })
}

fn to_unknown(line: &Line<'_, '_>) -> Option<Span> {
    line.first_target(&|target| {
        let may_lie_elsewhere =
            |path: Lexical<'_>| path.root() == Root::Relative && line.is_doubtful_at(target.command);
        target.kind == Kind::Redirect && target.word.known().is_none_or(may_lie_elsewhere)
    })
}

/// The files that a line writes, against the scope of a session (`risk.md` section 5).
pub(super) fn findings(line: &Line<'_, '_>, scope: &Scope<'_>) -> Vec<Finding> {
    let outside = "write target resolves outside the permission scope";
    let unknown = "redirect target is known only at run time";
    let rows = [
        (PROTECTED, RiskLevel::High, PROTECTED_REASON, to_protected_file(line)),
        ("unclear-path", RiskLevel::Medium, UNCLEAR_REASON, to_unclear_path(line)),
        ("write-outside-scope", RiskLevel::Medium, outside, out_of(scope, line)),
        ("write-target-unknown", RiskLevel::Medium, unknown, to_unknown(line)),
    ];
    let mut findings = Vec::new();
    for (code, level, reason, span) in rows {
        if let Some(span) = span {
            findings.push(Finding { code, level, reason: reason.into(), span });
        }
    }
    findings
}
