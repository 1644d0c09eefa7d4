//! `buildReviewContext`: a context that fits a budget (review.md section 6).
//!
//! Entries are shortened one by one; then the newest are chosen, as many as fit, beside the current user message and the
//! active action. What comes out is accepted as the context of a subject.

use super::choose::{Candidates, Weight};
use super::context::{Context, Entry, OMISSION, REQUEST, USER, is_material, last_of};
use super::marker::{has_marker, is_well_marked, shorten};
use super::refusal::{Checked, Refusal, ensure};
use super::shape::record;
use super::words::{Field, Reason, bits};
use crate::limits;

record! {
    /// How much of a conversation a reviewer may be shown; all lengths are bytes.
    pub ContextPolicy {
        /// Its name and version.
        revision: String,
        /// Of the canonical form of the context.
        max_bytes: i64,
        /// A token is taken to be four bytes.
        max_estimated_tokens: i64,
        /// Entries, the one that stands for those left out among them.
        max_entries: i64,
        /// Of a user's message.
        max_user_entry_bytes: i64,
        /// Of an assistant's message or request.
        max_agent_entry_bytes: i64,
        /// Of a tool's result.
        max_tool_entry_bytes: i64,
        /// Of any entry.
        max_block_bytes: i64,
        /// Of the call that is reviewed; it is never shortened.
        max_active_action_bytes: i64,
    }
}

impl ContextPolicy {
    fn check(&self) -> Checked<()> {
        let (budget, entries, bytes) =
            (limits::REVIEW_BUDGET, limits::REVIEW_ENTRIES, limits::REVIEW_ENTRY_BYTES);
        let ranges = [
            (self.max_bytes, budget),
            (self.max_estimated_tokens, budget),
            (self.max_entries, entries),
            (self.max_user_entry_bytes, bytes),
            (self.max_agent_entry_bytes, bytes),
            (self.max_tool_entry_bytes, bytes),
            (self.max_block_bytes, bytes),
            (self.max_active_action_bytes, bytes),
        ];
        let fits = ranges
            .iter()
            .all(|(number, most)| *number > 0 && usize::try_from(*number).is_ok_and(|n| n <= *most));
        ensure(fits, Field::ContextPolicy, Reason::OutOfBounds)
    }

    /// The limit of entries with that bit.
    fn limit_of(&self, bit: i64) -> i64 {
        match bit {
            bits::USER => self.max_user_entry_bytes,
            bits::AGENT => self.max_agent_entry_bytes,
            bits::TOOL => self.max_tool_entry_bytes,
            _ => self.max_block_bytes,
        }
    }
}

/// Shortens and leaves out until the context fits.
pub fn build_context(mut context: Context, policy: &ContextPolicy) -> Checked<Context> {
    check_sizes(&context, policy)?;
    context.check_coordinates()?;
    context.check_required(&[&policy.revision])?;
    context.check_directories()?;
    policy.check()?;
    ensure(context.truncation == super::Truncation::default(), Field::Context, Reason::Invalid)?;
    for entry in &context.entries {
        ensure(!entry.truncated, Field::ContextEntry, Reason::Invalid)?;
        let reserved = entry.origin == OMISSION || entry.kind == OMISSION;
        ensure(!reserved, Field::ContextEntry, Reason::Reserved)?;
        ensure(entry.pair().is_some(), Field::ContextEntry, Reason::Unsupported)?;
    }
    let required = last_of(&context.entries, USER).zip(last_of(&context.entries, REQUEST));
    let Some((user, action)) = required else {
        return Err(Refusal::new(Field::ContextEntry, Reason::Required));
    };
    let length = context.entries.get(action).map_or(0, |entry| entry.content.len());
    let most = policy.max_active_action_bytes.min(policy.max_agent_entry_bytes).min(policy.max_block_bytes);
    ensure(!is_over(length, most), Field::ContextEntry, Reason::OutOfBounds)?;

    let mut weights = vec![];
    for (at, entry) in context.entries.iter_mut().enumerate() {
        let applied = if at == action { 0 } else { fit(entry, policy)? };
        weights.push(Weight::of(entry, applied, if is_material(&entry.kind) { applied } else { 0 }));
    }
    let choice = Candidates::of(&mut context, policy, weights, [user, action]).choose()?;
    Ok(choice.apply(context))
}

/// Step 1 of the checks: nothing is looked at that is too large.
fn check_sizes(context: &Context, policy: &ContextPolicy) -> Checked<()> {
    context.check_count()?;
    let mut text = context.check_roots()?.saturating_add(policy.revision.len());
    let fits = policy.revision.len() <= limits::REVIEW_ROOT_BYTES;
    ensure(fits, Field::Context, Reason::OutOfBounds)?;
    for entry in &context.entries {
        entry.check_length()?;
        text = text.saturating_add(entry.bytes());
        ensure(text <= limits::REVIEW_TEXT_BYTES, Field::ContextEntry, Reason::OutOfBounds)?;
    }
    Ok(())
}

/// Shortens an entry to its own limit, then to that of a block; gives the bits of what was done.
fn fit(entry: &mut Entry, policy: &ContextPolicy) -> Checked<i64> {
    let bit = entry.pair().map_or(bits::BLOCK, |pair| pair.bit);
    let (own, block) = (policy.limit_of(bit), policy.max_block_bytes);
    if !is_over(entry.content.len(), own.min(block)) {
        return Ok(0);
    }
    ensure(!has_marker(&entry.content), Field::ContextEntry, Reason::Reserved)?;
    let mut applied = 0;
    for (limit, bit) in [(own, bit), (block, bits::BLOCK)] {
        if is_over(entry.content.len(), limit) {
            entry.content = shorten(&entry.content, usize::try_from(limit).unwrap_or(0))?;
            applied |= bit;
        }
    }
    entry.truncated = true;
    // Text on either side of a seam can complete a marker of its own.
    ensure(is_well_marked(&entry.content), Field::ContextEntry, Reason::Reserved)?;
    Ok(applied)
}

/// Whether `bytes` are more than a limit.
pub(super) fn is_over(bytes: usize, limit: i64) -> bool {
    i64::try_from(bytes).map_or(true, |bytes| bytes > limit)
}
