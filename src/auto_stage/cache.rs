//! Verdicts that were given before, least recently used first (auto-stage.md section 9).

use crate::verdict::Verdict;

/// Verdicts by the key of [`cache_key`](super::cache_key), with what they were given under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cache {
    /// Oldest first. A list is searched: with the usual 256 entries that is a fraction of what the key costs.
    pub(super) entries: Vec<(String, Verdict)>,
    /// The text of the settings that the verdicts were given under.
    pub(super) slice: String,
    /// How often it was emptied: a verdict that was asked for before is not kept.
    epoch: usize,
}

impl Cache {
    /// Empties it where the settings are others.
    pub(super) fn belongs_to(&mut self, slice: &str) {
        if self.slice != slice {
            self.clear();
            self.slice = slice.into();
        }
    }

    pub(super) fn epoch(&self) -> usize {
        self.epoch
    }

    /// The verdict of that key, which is the youngest from now on.
    pub(super) fn hit(&mut self, key: &str) -> Option<Verdict> {
        let entry = self.take(key)?;
        let verdict = entry.1.clone();
        self.entries.push(entry);
        Some(verdict)
    }

    /// Keeps a verdict that was asked for in `epoch`, and at most so many.
    pub(super) fn keep(&mut self, key: String, verdict: Verdict, most: usize, epoch: usize) {
        if epoch != self.epoch {
            return;
        }
        drop(self.take(&key));
        self.entries.push((key, verdict));
        while self.entries.len() > most {
            self.entries.remove(0);
        }
    }

    fn take(&mut self, key: &str) -> Option<(String, Verdict)> {
        let place = self.entries.iter().position(|(other, _)| is_same(other, key))?;
        Some(self.entries.remove(place))
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.epoch = self.epoch.wrapping_add(1);
    }
}

/// Whether two keys are equal. Digests that differ do so early on, which is seen without a call.
fn is_same(key: &str, other: &str) -> bool {
    key.as_bytes().first_chunk::<8>() == other.as_bytes().first_chunk::<8>() && key == other
}
