//! What a mode makes of what the rules came to (`qwen-code.md` section 11).
//!
//! | mode | makes of it |
//! |---|---|
//! | `acceptEdits` | an edit without a rule is allowed |
//! | `plan` | edits and lines that write are denied, lines of which nothing is known are asked |
//! | `bypassPermissions` | what is not denied is allowed, but for what only a person can answer |
//! | `auto` | an allow stands or is reviewed; of the rest what is harmless is allowed, what destroys is denied, all else asks |

use super::reads::Effect;
use super::review::Review;
use super::rules::Settled;
use super::{Run, Trace, guarded};
use crate::dialect::ContentKind;
use crate::path::Lexical;
use crate::vocabulary::{Kind, PermissionMode, Stage};

/// The decision.
pub(super) fn apply(run: &Run<'_>, trace: &mut Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    if ruled.kind == Kind::Deny {
        return ruled;
    }
    match run.mode {
        PermissionMode::Default | PermissionMode::DontAsk => ruled,
        PermissionMode::AcceptEdits if ruled.kind == Kind::Passthrough && run.edits_files() => {
            Settled::unruled(Kind::Allow, Stage::Mode)
        }
        PermissionMode::AcceptEdits => ruled,
        PermissionMode::Plan => plan(run, trace),
        PermissionMode::BypassPermissions => bypass(run, trace),
        PermissionMode::Auto => auto(run, trace),
    }
}

fn plan(run: &Run<'_>, trace: &Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    let writes = trace.kind == ContentKind::Command && trace.effect == Effect::Writes;
    if writes || run.edits_files() {
        return Settled::unruled(Kind::Deny, Stage::PlanWrap);
    }
    let unknown = trace.kind == ContentKind::Command && trace.effect == Effect::Unknown;
    if unknown && ruled.kind == Kind::Allow {
        return Settled::unruled(Kind::Ask, Stage::PlanWrap);
    }
    ruled
}

fn bypass(run: &Run<'_>, trace: &Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    if trace.tool == run.tables.person {
        // Nobody but a person can answer, whatever a rule says.
        return if ruled.kind == Kind::Ask { ruled } else { Settled::unruled(Kind::Ask, Stage::NoMatch) };
    }
    if ruled.kind == Kind::Allow { ruled } else { Settled::unruled(Kind::Allow, Stage::Mode) }
}

fn auto(run: &Run<'_>, trace: &mut Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    let review =
        Review { tables: run.tables, more: run.config.protected_files.as_deref().unwrap_or_default() };
    let auto = &run.tables.auto;
    let is_line = trace.kind == ContentKind::Command;
    if is_line {
        trace.risk = guarded(trace.subject.as_deref().unwrap_or_default(), run.config.dialect.risk);
    }
    let paths = || trace.path.iter().chain(&trace.real_path);
    let touches_protected = paths().any(|path| review.is_protected(path));
    if ruled.kind == Kind::Allow {
        let reviewed = match &trace.reading {
            Some(reading) => review.of_line(reading, &trace.operations),
            None => run.edits_files() && touches_protected,
        };
        return if reviewed { Settled::unruled(Kind::Ask, Stage::Risk) } else { ruled };
    }
    let by_rule = ruled.kind == Kind::Ask && ruled.rule.is_some();
    let inside = || trace.path.is_some() && paths().all(|path| is_inside(run, path));
    let left_alone = auto.harmless.contains(&trace.tool)
        || (auto.edits.contains(&trace.tool) && !touches_protected && inside());
    if left_alone && !by_rule {
        return Settled::unruled(Kind::Allow, Stage::Mode);
    }
    if is_line && !trace.risk.findings.is_empty() {
        return Settled::unruled(Kind::Deny, Stage::Risk);
    }
    if by_rule { ruled } else { Settled::unruled(Kind::Ask, Stage::NoMatch) }
}

/// Whether a path lies in the project.
fn is_inside(run: &Run<'_>, path: &str) -> bool {
    let project = run.config.project_root.as_deref().or(run.state.cwd).filter(|project| !project.is_empty());
    project.is_some_and(|project| Lexical::read(path).is_under(&Lexical::read(project)))
}
