//! Which entries of a context are kept (review.md sections 6.3 and 6.4).
//!
//! A candidate is a set of entries and the budget bits that were learned on the way. Its sizes are sums, kept up to date
//! as entries come and go, so the whole choice is linear in the entries.

use super::build::{ContextPolicy, is_over};
use super::context::{Context, Entry, OMISSION, Truncation, omission_text};
use super::refusal::{Checked, Refusal};
use super::shape::Part;
use super::words::{Field, Reason, bits};
use crate::json::Canonical;

/// What an entry adds to a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    /// Bytes of its canonical form.
    size: usize,
    /// Bytes of its content.
    content: usize,
    applied: i64,
    material: i64,
}

impl Weight {
    pub(super) fn of(entry: &Entry, applied: i64, material: i64) -> Self {
        Self { size: size_of(entry), content: entry.content.len(), applied, material }
    }
}

/// Bytes of a canonical form.
fn size_of(part: &impl Part) -> usize {
    let mut to = Canonical::counted();
    part.write(&mut to);
    to.len()
}

/// What is added up over a set of entries.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    entries: usize,
    size: usize,
    content: usize,
    /// How many of them have each entry bit, lowest first: applied, then material.
    bits: [[usize; 4]; 2],
}

impl Sums {
    fn change(&mut self, weight: &Weight, step: fn(usize, usize) -> usize) {
        self.entries = step(self.entries, 1);
        self.size = step(self.size, weight.size);
        self.content = step(self.content, weight.content);
        for (counts, mask) in self.bits.iter_mut().zip([weight.applied, weight.material]) {
            for (count, bit) in counts.iter_mut().zip([1, 2, 4, 8]) {
                *count = step(*count, usize::from(mask & bit != 0));
            }
        }
    }

    fn mask(&self, which: usize) -> i64 {
        let counts = self.bits.get(which).copied().unwrap_or_default();
        counts
            .iter()
            .zip([1, 2, 4, 8])
            .fold(0, |mask, (count, bit)| if *count > 0 { mask | bit } else { mask })
    }
}

/// The candidates of one context.
pub(super) struct Candidates<'p> {
    policy: &'p ContextPolicy,
    weights: Vec<Weight>,
    /// The current user message and the active action.
    required: [usize; 2],
    /// Bytes of the canonical form without entries and without the numbers of its record.
    frame: usize,
    all: Sums,
    kept: Sums,
    is_kept: Vec<bool>,
    learned: i64,
}

/// A candidate that fits.
pub(super) struct Choice {
    is_kept: Vec<bool>,
    record: Truncation,
}

impl<'p> Candidates<'p> {
    pub(super) fn of(
        context: &mut Context,
        policy: &'p ContextPolicy,
        weights: Vec<Weight>,
        required: [usize; 2],
    ) -> Self {
        let mut all = Sums::default();
        for weight in &weights {
            all.change(weight, usize::saturating_add);
        }
        let is_kept = vec![true; weights.len()];
        Self { policy, weights, required, frame: frame_of(context), all, kept: all, is_kept, learned: 0 }
    }

    pub(super) fn choose(mut self) -> Checked<Choice> {
        let failing = self.failing();
        if failing == 0 {
            return Ok(self.chosen());
        }
        self.learned = failing;
        let too_small = Err(Refusal::new(Field::ContextPolicy, Reason::OutOfBounds));
        let optional: Vec<usize> = (0..self.weights.len()).filter(|at| !self.required.contains(at)).collect();
        for at in &optional {
            self.keep(*at, false);
        }
        let record = self.record();
        let omission = omission_text(record.omitted_entries, record.omitted_bytes);
        if optional.is_empty() || is_over(omission.len(), self.policy.max_block_bytes) || !self.settles() {
            return too_small;
        }
        for at in optional.iter().rev() {
            if self.kept.entries.saturating_add(1) == self.all.entries {
                break;
            }
            self.keep(*at, true);
            if !self.settles() {
                self.keep(*at, false);
                break;
            }
        }
        // Bits that were learned meanwhile can make the record of what is kept longer.
        for at in &optional {
            if !self.is_kept.get(*at).copied().unwrap_or(false) {
                continue;
            }
            if self.settles() {
                return Ok(self.chosen());
            }
            self.keep(*at, false);
        }
        if self.settles() { Ok(self.chosen()) } else { too_small }
    }

    #[inline(never)]
    fn keep(&mut self, at: usize, is_kept: bool) {
        let (Some(weight), Some(kept)) = (self.weights.get(at), self.is_kept.get_mut(at)) else { return };
        *kept = is_kept;
        self.kept.change(weight, if is_kept { usize::saturating_add } else { usize::saturating_sub });
    }

    /// Up to four times: learns the bits of the budgets that fail; whether nothing fails in the end.
    #[inline(never)]
    fn settles(&mut self) -> bool {
        for _ in 0..4 {
            let failing = self.failing();
            if failing & !self.learned == 0 {
                return failing == 0;
            }
            self.learned |= failing;
        }
        false
    }

    /// The bits of the budgets that the candidate does not fit.
    fn failing(&self) -> i64 {
        let record = self.record();
        let (mut entries, mut size, mut content) = (self.kept.entries, self.kept.size, self.kept.content);
        if record.omitted_entries > 0 {
            let omission = omission_of(&record);
            entries = entries.saturating_add(1);
            size = size.saturating_add(size_of(&omission));
            content = content.saturating_add(omission.content.len());
        }
        let numbers = [record.applied, record.material, record.omitted_entries, record.omitted_bytes];
        let digits: usize = numbers.iter().map(size_of).sum();
        let commas = entries.saturating_sub(1);
        let size = self.frame.saturating_add(digits).saturating_add(commas).saturating_add(size);
        let budgets = [
            (entries, self.policy.max_entries, bits::COUNT),
            (size, self.policy.max_bytes, bits::BYTES),
            (content.div_ceil(4), self.policy.max_estimated_tokens, bits::TOKENS),
        ];
        budgets.iter().fold(0, |mask, (has, most, bit)| if is_over(*has, *most) { mask | bit } else { mask })
    }

    fn record(&self) -> Truncation {
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Truncation {
            applied: self.kept.mask(0) | self.learned,
            material: self.kept.mask(1) | self.learned,
            omitted_entries: number(self.all.entries.saturating_sub(self.kept.entries)),
            omitted_bytes: number(self.all.content.saturating_sub(self.kept.content)),
        }
    }

    fn chosen(self) -> Choice {
        Choice { record: self.record(), is_kept: self.is_kept }
    }
}

/// Bytes of a context's canonical form without entries and without the numbers of its record, which are all 0 yet.
fn frame_of(context: &mut Context) -> usize {
    let entries = std::mem::take(&mut context.entries);
    let size = size_of(context).saturating_sub(4);
    context.entries = entries;
    size
}

impl Choice {
    /// The context with the entries that are kept, and one in the place of those that are not.
    pub(super) fn apply(self, mut context: Context) -> Context {
        let mut entries = Vec::with_capacity(context.entries.len());
        let mut omission = (self.record.omitted_entries > 0).then(|| omission_of(&self.record));
        for (entry, is_kept) in context.entries.into_iter().zip(self.is_kept) {
            if is_kept {
                entries.push(entry);
            } else if let Some(omission) = omission.take() {
                entries.push(omission);
            }
        }
        context.entries = entries;
        context.truncation = self.record;
        context
    }
}

/// The entry that stands for those left out.
fn omission_of(record: &Truncation) -> Entry {
    Entry {
        origin: OMISSION.into(),
        kind: OMISSION.into(),
        content: omission_text(record.omitted_entries, record.omitted_bytes),
        truncated: false,
    }
}
