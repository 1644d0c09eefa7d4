//! What a reviewer is shown of the conversation, and what a subject accepts as that (review.md section 7).

use super::marker::is_well_marked;
use super::refusal::{Checked, ensure};
use super::shape::record;
use super::text::{check_given, check_id, is_path, is_under};
use super::words::{Field, Reason, bits};
use crate::json::Writer;
use crate::limits;

record! {
    /// Where in a conversation a call stands.
    pub Coordinates {
        /// The session.
        session_id: String,
        /// The agent's loop.
        loop_id: String,
        /// The turn.
        turn_id: String,
        /// The step.
        step_id: String,
    }
}

record! {
    /// One message, request, result or other content.
    pub Entry in Field::ContextEntry {
        /// Who it comes from.
        origin: String,
        /// What it is.
        kind: String,
        /// Its text, shortened or not.
        content: String,
        /// Whether it was shortened.
        truncated: bool,
    }
}

record! {
    /// What was shortened or left out.
    pub Truncation {
        /// The bits of all that was done; see [`bits`].
        applied: i64,
        /// Those of them that could matter for a decision.
        material: i64,
        /// Entries that were left out.
        omitted_entries: i64,
        /// Bytes of their contents.
        omitted_bytes: i64,
    }
}

record! {
    /// A context, before or after it was built.
    pub Context {
        /// Where in the conversation.
        coordinates: Coordinates,
        /// The state that was captured; empty where the host could not.
        context_revision: String,
        /// The directory that the call may work in.
        workspace_root: String,
        /// Where it would run.
        working_directory: String,
        /// Why it is tried again; may be empty.
        retry_reason: String,
        /// What it could do at most.
        security_ceiling: String,
        /// The review policy.
        gate_policy_revision: String,
        /// From the oldest to the newest.
        entries: Vec<Entry>,
        /// What is missing in them.
        truncation: Truncation,
    }
}

/// What an entry can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) origin: &'static str,
    pub(super) kind: &'static str,
    /// The bit of its own limit; 0 of the entry that stands for those left out.
    pub(super) bit: i64,
}

pub(super) const USER: &str = "user_message";
pub(super) const REQUEST: &str = "assistant_tool_request";
const MESSAGE: &str = "assistant_message";
pub(super) const OMISSION: &str = "omission";

const PAIRS: &[Pair] = &[
    Pair { origin: "user", kind: USER, bit: bits::USER },
    Pair { origin: "assistant", kind: MESSAGE, bit: bits::AGENT },
    Pair { origin: "assistant", kind: REQUEST, bit: bits::AGENT },
    Pair { origin: "tool", kind: "tool_result", bit: bits::TOOL },
    Pair { origin: "runtime", kind: "runtime_context", bit: bits::BLOCK },
    Pair { origin: "external", kind: "external_content", bit: bits::BLOCK },
    Pair { origin: OMISSION, kind: OMISSION, bit: 0 },
];

impl Entry {
    /// What it is, if it is one of those that are known.
    pub(super) fn pair(&self) -> Option<&'static Pair> {
        PAIRS.iter().find(|pair| pair.origin == self.origin && pair.kind == self.kind)
    }

    /// What it adds to the text total.
    pub(super) fn bytes(&self) -> usize {
        self.origin.len().saturating_add(self.kind.len()).saturating_add(self.content.len())
    }

    /// Its content fits.
    pub(super) fn check_length(&self) -> Checked<()> {
        ensure(self.content.len() <= limits::REVIEW_ENTRY_BYTES, Field::ContextEntry, Reason::OutOfBounds)
    }
}

/// Whether what was shortened of such an entry could matter: what an assistant said itself decides nothing.
pub(super) fn is_material(kind: &str) -> bool {
    kind != MESSAGE
}

/// The place of the last entry of that kind.
pub(super) fn last_of(entries: &[Entry], kind: &str) -> Option<usize> {
    entries.iter().rposition(|entry| entry.kind == kind)
}

/// The content of the entry that stands for those left out.
pub(super) fn omission_text(entries: i64, bytes: i64) -> String {
    let mut to = Writer::default();
    for (name, number) in [("omitted_entries=", entries), (" omitted_bytes=", bytes)] {
        to.text.push_str(name);
        to.digits(number.unsigned_abs());
    }
    to.text
}

impl Context {
    fn roots(&self) -> [&String; 6] {
        [
            &self.context_revision,
            &self.workspace_root,
            &self.working_directory,
            &self.retry_reason,
            &self.security_ceiling,
            &self.gate_policy_revision,
        ]
    }

    /// The root strings fit; gives their bytes.
    pub(super) fn check_roots(&self) -> Checked<usize> {
        let mut bytes = 0usize;
        for root in self.roots() {
            ensure(root.len() <= limits::REVIEW_ROOT_BYTES, Field::Context, Reason::OutOfBounds)?;
            bytes = bytes.saturating_add(root.len());
        }
        Ok(bytes)
    }

    /// There are not too many entries.
    pub(super) fn check_count(&self) -> Checked<()> {
        ensure(self.entries.len() <= limits::REVIEW_ENTRIES, Field::ContextEntry, Reason::OutOfBounds)
    }

    /// The coordinates are ids.
    pub(super) fn check_coordinates(&self) -> Checked<()> {
        let Coordinates { session_id, loop_id, turn_id, step_id } = &self.coordinates;
        for id in [session_id, loop_id, turn_id, step_id] {
            check_id(id, Field::Context)?;
        }
        Ok(())
    }

    /// Nothing that is required is empty: the root strings but for the reason of a retry, and what is given beside them.
    pub(super) fn check_required(&self, beside: &[&str]) -> Checked<()> {
        let [context_revision, workspace_root, working_directory, _, security_ceiling, gate_policy_revision] =
            self.roots();
        for root in
            [context_revision, workspace_root, working_directory, security_ceiling, gate_policy_revision]
        {
            check_given(&[root], Field::Context)?;
        }
        check_given(beside, Field::Context)
    }

    /// The directories are paths, one under the other.
    pub(super) fn check_directories(&self) -> Checked<()> {
        let (root, directory) = (&self.workspace_root, &self.working_directory);
        let fits = is_path(root) && is_path(directory) && is_under(directory, root);
        ensure(fits, Field::Context, Reason::Invalid)
    }

    /// What a subject accepts: what the builder made, or could have made.
    pub(super) fn check(&self) -> Checked<()> {
        self.check_coordinates()?;
        let roots = self.check_roots()?;
        self.check_required(&[])?;
        self.check_directories()?;
        self.check_count()?;
        self.truncation.check_ranges()?;
        let seen = self.check_entries(roots)?;
        self.check_record(seen)
    }

    /// Entry by entry, then those that must be there.
    fn check_entries(&self, roots: usize) -> Checked<Seen> {
        let record = &self.truncation;
        let shortened_message = self.entries.iter().any(|entry| entry.truncated && entry.kind == MESSAGE);
        // Bits that a shortened message can have set, although they are not material.
        let of_messages = if shortened_message { bits::AGENT | bits::BLOCK } else { 0 };
        // The 1 stands for the policy revision that is not kept.
        let mut seen = Seen { explained: 0, omissions: 0, text: roots.saturating_add(1) };
        let invalid = |fits| ensure(fits, Field::ContextEntry, Reason::Invalid);
        for entry in &self.entries {
            entry.check_length()?;
            let pair = entry.pair();
            ensure(pair.is_some(), Field::ContextEntry, Reason::Unsupported)?;
            let own = pair.map_or(0, |pair| pair.bit);
            if entry.kind == OMISSION {
                seen.omissions = seen.omissions.saturating_add(1);
                let says = omission_text(record.omitted_entries, record.omitted_bytes);
                invalid(!entry.truncated && record.omitted_entries > 0 && entry.content == says)?;
                continue;
            }
            seen.text = seen.text.saturating_add(entry.bytes());
            ensure(seen.text <= limits::REVIEW_TEXT_BYTES, Field::ContextEntry, Reason::OutOfBounds)?;
            if !entry.truncated {
                continue;
            }
            let could = own | bits::BLOCK;
            seen.explained |= could;
            invalid(record.applied & could != 0 && is_well_marked(&entry.content))?;
            if is_material(&entry.kind) {
                let immaterial = record.applied & !record.material & could & !of_messages;
                invalid(record.material & could != 0 && immaterial == 0)?;
            }
        }
        for kind in [USER, REQUEST] {
            ensure(last_of(&self.entries, kind).is_some(), Field::ContextEntry, Reason::Required)?;
        }
        let action = last_of(&self.entries, REQUEST).and_then(|at| self.entries.get(at));
        invalid(action.is_some_and(|action| !action.truncated))?;
        Ok(seen)
    }

    /// The record and the entries explain each other.
    fn check_record(&self, seen: Seen) -> Checked<()> {
        let Truncation { applied, material, omitted_entries, omitted_bytes } = self.truncation;
        let invalid = |fits| ensure(fits, Field::Context, Reason::Invalid);
        invalid(applied & !bits::BUDGET & !seen.explained == 0)?;
        let omits = omitted_entries > 0;
        let by_budget = applied & bits::BUDGET;
        invalid(omits == (seen.omissions == 1) && omits == (by_budget != 0))?;
        invalid(by_budget == material & bits::BUDGET && (omits || omitted_bytes == 0))?;

        let (omitted, bytes) =
            (usize::try_from(omitted_entries).unwrap_or(0), usize::try_from(omitted_bytes).unwrap_or(0));
        let kept = self.entries.len().saturating_sub(seen.omissions);
        let text = seen.text.saturating_add(bytes).saturating_add(omitted.saturating_mul(SHORTEST_PAIR));
        let could_be = kept.saturating_add(omitted) <= limits::REVIEW_ENTRIES
            && bytes <= omitted.saturating_mul(limits::REVIEW_ENTRY_BYTES)
            && text <= limits::REVIEW_TEXT_BYTES;
        ensure(could_be, Field::ContextEntry, Reason::OutOfBounds)
    }
}

/// Bytes of the shortest origin and kind: `tool` and `tool_result`.
const SHORTEST_PAIR: usize = 15;

/// What the entries of a context say.
struct Seen {
    /// Bits that a shortened entry can have set.
    explained: i64,
    /// Entries that stand for those left out.
    omissions: usize,
    /// The text total.
    text: usize,
}

impl Truncation {
    fn check_ranges(&self) -> Checked<()> {
        let within = |number: i64, most: usize| usize::try_from(number).is_ok_and(|number| number <= most);
        let fits = (0..=bits::ALL).contains(&self.applied)
            && (0..=bits::ALL).contains(&self.material)
            && self.material & !self.applied == 0
            && within(self.omitted_entries, limits::REVIEW_ENTRIES)
            && within(self.omitted_bytes, limits::REVIEW_TEXT_BYTES);
        ensure(fits, Field::Context, Reason::OutOfBounds)
    }
}
