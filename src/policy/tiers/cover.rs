//! Whether every part of a call is covered (claude-code.md section 6, step 12).
//!
//! The parts of a line are its roots and the files that its redirects write; any other call is one part. A part is
//! covered by an allow rule, then by the mode, then because it needs no approval.

use super::Evaluation;
use super::forms::AllowForms;
use super::line::Line;
use super::place::Place;
use super::rule::{Candidate, Test};
use super::subject::{File, Subject};
use crate::dialect::tiers::CallKind;
use crate::engine::decide::RuleRef;
use crate::order::Grow as _;
use crate::rule::glob::Reach;
use crate::vocabulary::{Behavior, PermissionMode};

/// A part of a call, and what covers it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) cover: Option<Cover>,
    /// It would be covered by no rule and no mode.
    pub(super) free: bool,
    /// It is the file that a redirect writes.
    pub(super) target: bool,
    /// The run that it is, or that it is written by.
    pub(super) run: usize,
    /// The places that the redirect names, where a rule could cover them.
    pub(super) places: Vec<Place>,
}

/// What covers a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// An allow rule with content.
    Content(RuleRef),
    /// A whole-tool allow rule.
    Tool(RuleRef),
    /// The mode.
    Mode,
    /// It needs no approval.
    Free,
}

impl Evaluation<'_> {
    /// The parts of the call, in the order of its text.
    pub(super) fn parts(&self) -> Vec<Part> {
        match &self.subject {
            Subject::Line(line) => self.parts_of_line(line),
            _ => vec![self.single_part()],
        }
    }

    /// Allow rules that are in force.
    pub(super) fn allows(&self) -> impl Iterator<Item = &Candidate<'_>> {
        let in_force = |candidate: &&Candidate<'_>| {
            candidate.list.behavior() == Behavior::Allow
                && !(self.mode == PermissionMode::Auto && candidate.compiled.broad)
        };
        self.candidates.iter().filter(in_force)
    }

    /// The first allow rule in force that passes.
    #[inline(never)]
    fn first_allow(&self, test: &dyn Fn(&Candidate<'_>) -> bool) -> Option<&Candidate<'_>> {
        self.allows().find(|candidate| test(candidate))
    }

    fn whole_allow(&self) -> Option<Cover> {
        let whole = self.first_allow(&|candidate| self.is_whole(candidate))?;
        Some(Cover::Tool(whole.at))
    }

    fn single_part(&self) -> Part {
        let content = self.first_allow(&|candidate| self.accepts(candidate));
        let inside = match &self.subject {
            Subject::File(file) => file.is_inside(self.ground),
            _ => false,
        };
        let edits = self.tool.row.kind == CallKind::Edit && inside && self.mode_edits();
        let free = self.tool.row.free || (self.tool.row.kind == CallKind::Read && inside);
        let cover = content
            .map(|candidate| Cover::Content(candidate.at))
            .or_else(|| self.whole_allow())
            .or_else(|| edits.then_some(Cover::Mode))
            .or_else(|| free.then_some(Cover::Free));
        Part { cover, free, target: false, run: 0, places: vec![] }
    }

    /// Whether an allow rule with content accepts a call that is no line.
    pub(super) fn accepts(&self, candidate: &Candidate<'_>) -> bool {
        match (&candidate.compiled.test, &self.subject) {
            (Test::Path(_), Subject::File(file)) if candidate.own => {
                self.accepts_file(candidate, file, Reach::Whole)
            }
            (Test::Directory(_), Subject::Directory(file)) if candidate.own => {
                self.accepts_file(candidate, file, Reach::WithRoot)
            }
            (Test::Command(pattern), Subject::Foreign(text)) if candidate.own => {
                pattern.is_exact() && pattern.allows(text)
            }
            (Test::Command(pattern), Subject::Name(name)) if candidate.own => pattern.allows(name),
            (Test::Name(own), Subject::Name(name)) if candidate.own => own == name,
            (Test::Domain(domain), Subject::Host(Some(host))) if candidate.own => domain.accepts(host),
            _ => false,
        }
    }

    fn accepts_file(&self, candidate: &Candidate<'_>, file: &File, reach: Reach) -> bool {
        let (Test::Path(pattern) | Test::Directory(pattern)) = &candidate.compiled.test else { return false };
        let accepts = |place: &Place| {
            (file.resolved || !place.has_short_name())
                && pattern.allows(place, self.ground, candidate.origin, reach)
        };
        file.certain.as_ref().is_some_and(|places| places.iter().all(accepts))
    }

    /// Whether the mode lets files inside the working directories be changed.
    fn mode_edits(&self) -> bool {
        matches!(self.mode, PermissionMode::AcceptEdits | PermissionMode::Auto)
    }

    fn parts_of_line(&self, line: &Line<'_>) -> Vec<Part> {
        let mut parts = vec![];
        // Commands that stand inside one that a rule spells out.
        let mut spelled: Vec<usize> = vec![];
        for (at, run) in line.runs.iter().enumerate() {
            if !run.for_allow {
                continue;
            }
            if run.is_root() && !(run.words.is_empty() && run.assignments.is_empty()) {
                let (cover, spells) = self.cover_root(line, at, &spelled);
                if spells {
                    for word in run.words {
                        spelled.grow(line.reading.commands_in(word));
                    }
                    for assigned in run.assignments {
                        spelled.grow(line.reading.commands_in(&assigned.value));
                    }
                }
                let free = self.is_free(line, at);
                parts.push(Part { cover, free, target: false, run: at, places: vec![] });
            }
            for file in line.redirected(run) {
                if file.writes {
                    let places = line.coverable(&file, run, self.ground).unwrap_or_default();
                    let cover = self.cover_target(line, &places);
                    parts.push(Part { cover, free: false, target: true, run: at, places });
                }
            }
        }
        if parts.iter().all(|part| part.target && !line.reading.is_complete()) {
            // No command was read, so nothing less than a rule for the whole tool covers what there is (invariant "seen").
            let cover = self.whole_allow();
            parts.push(Part { cover, free: false, target: false, run: 0, places: vec![] });
        }
        parts
    }

    fn is_free(&self, line: &Line<'_>, root: usize) -> bool {
        let covered = |place: &Place| self.allows_reading(place);
        line.reading.is_complete() && line.is_read_only(root, self.ground, &covered)
    }

    /// What covers a root, and whether that is a rule that spells it out.
    fn cover_root(&self, line: &Line<'_>, root: usize, spelled: &[usize]) -> (Option<Cover>, bool) {
        let complete = line.reading.is_complete();
        let forms = self.sights.get(root).map(|sight| &sight.allowed);
        let accepts = |candidate: &Candidate<'_>| {
            candidate.own && forms.is_some_and(|forms| accepts_forms(candidate, forms))
        };
        if let Some(candidate) = self.first_allow(&accepts) {
            let spells = forms.is_some_and(|forms| spells(candidate, forms));
            return (Some(Cover::Content(candidate.at)), spells);
        }
        if let Some(whole) = self.whole_allow() {
            return (Some(whole), false);
        }
        let inside = line.runs.get(root).is_some_and(|run| spelled.contains(&run.command));
        let accepted = complete
            && self.mode == PermissionMode::AcceptEdits
            && !self.restricts_edits()
            && line.is_accepted(root, self.ground);
        let cover = if inside {
            // What stands inside a command that a rule spells out is covered with it.
            Some(Cover::Free)
        } else if accepted {
            Some(Cover::Mode)
        } else {
            self.is_free(line, root).then_some(Cover::Free)
        };
        (cover, false)
    }

    /// Whether a rule denies or asks for every edit: then the mode lets no program make one.
    fn restricts_edits(&self) -> bool {
        let restricts = |candidate: &Candidate<'_>| {
            candidate.list.behavior() != Behavior::Allow
                && candidate.compiled.kind == CallKind::Edit
                && self.is_of_files(candidate)
        };
        self.candidates.iter().any(restricts)
    }

    /// What covers the file that a redirect writes; nothing where it names no place that could be covered.
    fn cover_target(&self, line: &Line<'_>, places: &[Place]) -> Option<Cover> {
        if places.is_empty() {
            return None;
        }
        let complete = line.reading.is_complete();
        let is_whole = |candidate: &Candidate<'_>| matches!(candidate.compiled.test, Test::Whole);
        let covers = |candidate: &Candidate<'_>| self.covers_places(candidate, complete, places);
        if let Some(candidate) = self.first_allow(&|candidate| !is_whole(candidate) && covers(candidate)) {
            return Some(Cover::Content(candidate.at));
        }
        if let Some(candidate) = self.first_allow(&|candidate| is_whole(candidate) && covers(candidate)) {
            return Some(Cover::Tool(candidate.at));
        }
        let inside = complete && self.mode_edits() && places.iter().all(|place| self.ground.is_inside(place));
        inside.then_some(Cover::Mode)
    }

    /// Whether an allow rule covers the places that a redirect writes, of a line that was read completely or not.
    pub(super) fn covers_places(&self, candidate: &Candidate<'_>, complete: bool, places: &[Place]) -> bool {
        let edits = candidate.compiled.kind == CallKind::Edit && candidate.compiled.of_files;
        edits
            && match &candidate.compiled.test {
                Test::Whole => true,
                _ => complete && places.iter().all(|place| self.allows_place(candidate, place)),
            }
    }

    /// Whether an allow rule lets a place be read.
    fn allows_reading(&self, place: &Place) -> bool {
        let reads = |candidate: &Candidate<'_>| {
            candidate.compiled.kind == CallKind::Read
                && candidate.compiled.of_files
                && (matches!(candidate.compiled.test, Test::Whole) || self.allows_place(candidate, place))
        };
        self.first_allow(&reads).is_some()
    }

    /// Whether the path of a rule certainly covers a place.
    fn allows_place(&self, candidate: &Candidate<'_>, place: &Place) -> bool {
        match &candidate.compiled.test {
            Test::Path(pattern) => {
                !place.has_short_name() && pattern.allows(place, self.ground, candidate.origin, Reach::Whole)
            }
            _ => false,
        }
    }
}

/// Whether an allow rule accepts one of the forms of a root.
pub(super) fn accepts_forms(candidate: &Candidate<'_>, forms: &AllowForms) -> bool {
    let Test::Command(pattern) = &candidate.compiled.test else { return false };
    let texts = if pattern.is_exact() { &forms.exact } else { &forms.wild };
    texts.iter().any(|text| pattern.allows(text))
        || (pattern.is_exact() && forms.wild.iter().any(|text| pattern.allows(text)))
}

fn spells(candidate: &Candidate<'_>, forms: &AllowForms) -> bool {
    let Test::Command(pattern) = &candidate.compiled.test else { return false };
    pattern.is_exact() && forms.written.iter().any(|text| pattern.allows(text))
}
