//! Writes into places that matter: system paths, protected files, and what lies outside of a session's scope.
//!
//! | code | level | a file that the line writes |
//! |---|---|---|
//! | `write-protected-file` | HIGH | is protected |
//! | `write-outside-scope` | MEDIUM | lies outside of the scope, from one of the directories that the line may be in |
//! | `unclear-path` | MEDIUM | has a control character in its name |
//! | `write-target-unknown` | MEDIUM | is a redirect's, and known only at run time, or relative after such a `cd` |
//!
//! The table is that of [`assess_writes`], for calls with a scope. Names that are operands and known only at run time
//! give nothing: too many harmless lines have them.

use super::line::{Line, is_one_of};
use super::path::UNCLEAR_REASON;
use super::protected::Protected;
use super::scope::Scope;
use super::target::{Target, targets};
use super::{Assessment, Finding, RiskLevel};
use crate::path::{Lexical, Root};
use crate::shell::Reading;
use crate::span::Span;

pub(super) const PROTECTED: &str = "write-protected-file";
pub(super) const PROTECTED_REASON: &str = "writes to a protected file";

const SYSTEM: &str = "bin sbin lib lib32 lib64 libx32 boot etc usr sys proc System Library";

/// The first write into a system path.
pub(super) fn to_system_path(line: &Line<'_, '_>) -> Option<Span> {
    first(line, |target| target.beginnings(line).iter().any(is_system))
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
    first(line, |target| target.places_of_all_readings(line).iter().any(|path| line.is_protected(path)))
}

fn first<'r>(line: &Line<'r, '_>, fires: impl Fn(&Target<'r>) -> bool) -> Option<Span> {
    targets(line).iter().find(|target| fires(target)).map(|target| target.span)
}

/// The files that a line writes, against the scope of a session (`risk.md` section 5).
///
/// This is not all of a call's assessment: see [`super::CommandRisk::assess`], and join the two by [`Assessment::or`].
pub fn assess_writes(reading: &Reading<'_>, scope: &Scope<'_>, protected: &Protected) -> Assessment {
    let line = Line::new(reading, *scope.places(), protected);
    let targets = targets(&line);
    let outside =
        |target: &Target<'_>| target.places_of_all_readings(&line).iter().any(|path| scope.excludes(path));
    let unclear = |target: &Target<'_>| {
        target
            .places(&line)
            .iter()
            .any(|path| path.segments().iter().any(|name| name.contains(char::is_control)))
    };
    let unknown = |target: &Target<'_>| {
        let is_relative = |path: Lexical<'_>| path.root() == Root::Relative;
        target.is_redirect
            && target.word.known().is_none_or(|path| is_relative(path) && line.is_doubtful_at(target.command))
    };
    let find =
        |fires: &dyn Fn(&Target<'_>) -> bool| targets.iter().find(|target| fires(target)).map(|t| t.span);
    let finding = |code, level, reason: &'static str, span: Option<Span>| {
        Some(Finding { code, level, reason: reason.into(), span: span? })
    };
    let findings = [
        finding(PROTECTED, RiskLevel::High, PROTECTED_REASON, to_protected_file(&line)),
        finding("unclear-path", RiskLevel::Medium, UNCLEAR_REASON, find(&unclear)),
        finding(
            "write-outside-scope",
            RiskLevel::Medium,
            "write target resolves outside the permission scope",
            find(&outside),
        ),
        finding(
            "write-target-unknown",
            RiskLevel::Medium,
            "redirect target is known only at run time",
            find(&unknown),
        ),
    ];
    Assessment::of(findings.into_iter().flatten().collect())
}
