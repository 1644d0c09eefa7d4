//! What a tool call wants to do, as its gate shows it.

use super::refusal::{Checked, ensure};
use super::shape::record;
use super::text::{is_empty_or_normal, is_normal};
use super::words::{Field, Reason};
use crate::limits;
use crate::order::sorted;

record! {
    /// A rule that a person could grant for a requirement.
    pub Candidate {
        /// What kind of rule.
        kind: String,
        /// What it would match.
        pattern as "match": String,
        /// In words.
        description: String,
        /// What kind of grant it needs; empty for none.
        grant_class: String,
        /// What that grant is for.
        grant_target: String,
    }
}

record! {
    /// Something that the call needs permission for.
    pub Requirement {
        /// What kind of permission.
        kind: String,
        /// Where it applies; may be empty.
        scope: String,
        /// What is to be matched.
        pattern as "match": String,
        /// In words.
        description: String,
        /// What kind of grant it needs; empty for none.
        grant_class: String,
        /// What that grant is for.
        grant_target: String,
        /// Rules that a person could grant.
        candidates: Vec<Candidate>,
    }
}

record! {
    /// A request (review.md section 5).
    pub Request {
        /// The tool.
        tool_name: String,
        /// In words.
        summary: String,
        /// The execution, or empty.
        execution_id: String,
        /// The command, or empty.
        command: String,
        /// Where it would run, or empty.
        working_directory: String,
        /// Data for the host: compared with nothing.
        expires_at_unix_milli: i64,
        /// What it needs.
        requirements: Vec<Requirement>,
    }
}

/// The kind of requirement that starts a command, and the class of its grant.
const COMMAND: (&str, &str) = ("command.execute", "command.start.v1");

const BOUNDS: (Field, Reason) = (Field::Request, Reason::OutOfBounds);
const RULES: (Field, Reason) = (Field::Request, Reason::Invalid);

impl Request {
    /// How much there may be of it.
    pub(super) fn check_bounds(&self) -> Checked<()> {
        let mut candidates = 0usize;
        let mut text = Text::default();
        text.add(&[
            &self.tool_name,
            &self.summary,
            &self.execution_id,
            &self.command,
            &self.working_directory,
        ]);
        for requirement in &self.requirements {
            candidates = candidates.saturating_add(requirement.candidates.len());
            text.add(&requirement.texts());
            text.add(&[&requirement.description]);
            for candidate in &requirement.candidates {
                text.add(&candidate.texts());
                text.add(&[&candidate.description]);
            }
        }
        let most = limits::REVIEW_REQUIREMENTS;
        let fits = self.requirements.len() <= most
            && candidates <= most
            // One string over the limit is all of them over it.
            && text.bytes <= limits::REVIEW_REQUEST_BYTES;
        ensure(fits, BOUNDS.0, BOUNDS.1)
    }

    /// What must hold among its texts.
    pub(super) fn check_rules(&self) -> Checked<()> {
        let fits = is_empty_or_normal(&self.tool_name)
            && is_empty_or_normal(&self.summary)
            && self.requirements.iter().all(|requirement| self.fits(requirement))
            && are_unequal(self.requirements.len(), &|at| self.requirements.get(at).map(Requirement::texts))
            && (self.requirements.iter().all(|requirement| requirement.grant_class.is_empty())
                || self.can_be_granted());
        ensure(fits, RULES.0, RULES.1)
    }

    fn fits(&self, requirement: &Requirement) -> bool {
        let Requirement { kind, scope, pattern, description, grant_class, grant_target, candidates } =
            requirement;
        let starts_command = kind == COMMAND.0;
        let starts_its_own = scope.is_empty()
            && grant_class == COMMAND.1
            && grant_target == pattern
            && *pattern == self.command;
        [kind, pattern, description].into_iter().all(|text| is_normal(text))
            && is_empty_or_normal(scope)
            && ((grant_class.is_empty() && grant_target.is_empty())
                || (is_normal(grant_class) && is_normal(grant_target)))
            && (!starts_command || starts_its_own)
            && candidates.iter().all(|candidate| requirement.fits(candidate))
            && are_unequal(candidates.len(), &|at| candidates.get(at).map(Candidate::texts))
    }

    fn can_be_granted(&self) -> bool {
        [&self.execution_id, &self.command, &self.working_directory].into_iter().all(|text| is_normal(text))
            && self.expires_at_unix_milli > 0
    }
}

impl Requirement {
    /// What tells it from others.
    fn texts(&self) -> [&str; 5] {
        [&self.kind, &self.scope, &self.pattern, &self.grant_class, &self.grant_target]
    }

    fn fits(&self, candidate: &Candidate) -> bool {
        is_normal(&candidate.pattern)
            && is_normal(&candidate.description)
            && candidate.kind == self.kind
            && candidate.grant_class == self.grant_class
            && candidate.grant_target == self.grant_target
    }
}

impl Candidate {
    /// What tells it from others of its requirement.
    fn texts(&self) -> [&str; 5] {
        [&self.kind, &self.pattern, &self.grant_class, &self.grant_target, ""]
    }
}

#[derive(Default)]
struct Text {
    bytes: usize,
}

impl Text {
    fn add(&mut self, texts: &[&str]) {
        for text in texts {
            self.bytes = self.bytes.saturating_add(text.len());
        }
    }
}

/// Whether no two of `len` items have equal texts.
fn are_unequal<'r>(len: usize, texts: &dyn Fn(usize) -> Option<[&'r str; 5]>) -> bool {
    let order = sorted(len, &mut |a, b| texts(a).cmp(&texts(b)));
    !order.array_windows().any(|[a, b]| texts(*a) == texts(*b))
}
