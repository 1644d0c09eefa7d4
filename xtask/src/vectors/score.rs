//! The committed score: what each side makes of each file, so that every change of it is seen in a review.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use crate::place;

const FILE: &str = "tests/corpus/score.json";

/// By file, dialect and side.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Score(BTreeMap<String, BTreeMap<String, BTreeMap<String, Tally>>>);

/// What one side made of the vectors of one dialect in one file.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) total: usize,
    pub(crate) passed: usize,
    /// No such function yet.
    pub(crate) pending: usize,
    /// Only the other side can say it.
    pub(crate) elsewhere: usize,
    pub(crate) failing: Vec<String>,
}

impl Score {
    pub(crate) fn add(&mut self, file: &str, dialect: &str, side: &str, id: &str, outcome: &Outcome) {
        let dialects = self.0.entry(file.to_owned()).or_default();
        let sides = dialects.entry(dialect.to_owned()).or_default();
        let tally = sides.entry(side.to_owned()).or_default();
        tally.total += 1;
        match outcome {
            Outcome::Passed => tally.passed += 1,
            Outcome::Pending(_) => tally.pending += 1,
            Outcome::Elsewhere(_) => tally.elsewhere += 1,
            Outcome::Failed(_) => tally.failing.push(id.to_owned()),
        }
    }

    /// All tallies added up.
    pub(crate) fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in self.0.values().flat_map(BTreeMap::values).flat_map(BTreeMap::values) {
            sum.total += tally.total;
            sum.passed += tally.passed;
            sum.pending += tally.pending;
            sum.elsewhere += tally.elsewhere;
            sum.failing.extend(tally.failing.iter().cloned());
        }
        sum
    }

    /// The score that is committed; none yet is an empty one.
    pub(crate) fn committed() -> Result<Self> {
        match fs::read(place::at(FILE)) {
            Ok(bytes) => serde_json::from_slice(&bytes).context(FILE),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).context(FILE),
        }
    }

    pub(crate) fn commit(&self) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        fs::write(place::at(FILE), text).context(FILE)
    }

    /// Where two scores part, one line each.
    pub(crate) fn differences(&self, committed: &Self) -> Vec<String> {
        let (mine, theirs) = (self.lines(), committed.lines());
        let mut lines = Vec::new();
        for (place, tally) in &mine {
            match theirs.get(place) {
                Some(other) if other == tally => {}
                Some(other) => lines.push(format!("{place}: {tally}; committed {other}")),
                None => lines.push(format!("{place}: {tally}; not in the committed score")),
            }
        }
        lines.extend(
            theirs.keys().filter(|place| !mine.contains_key(*place)).map(|place| format!("{place}: gone")),
        );
        lines
    }

    fn lines(&self) -> BTreeMap<String, String> {
        let mut lines = BTreeMap::new();
        for (file, dialects) in &self.0 {
            for (dialect, sides) in dialects {
                for (side, tally) in sides {
                    let Tally { total, passed, pending, elsewhere, failing } = tally;
                    let text = format!(
                        "{passed}/{total}, {pending} pending, {elsewhere} elsewhere, failing {failing:?}"
                    );
                    lines.insert(format!("{file} {dialect} {side}"), text);
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(outcomes: &[(&str, Outcome)]) -> Score {
        let mut score = Score::default();
        for (id, outcome) in outcomes {
            score.add("rules", "standard", "native", id, outcome);
        }
        score
    }

    #[test]
    fn every_change_is_a_difference() {
        let before = score(&[("a", Outcome::Passed), ("b", Outcome::Pending("f".into()))]);
        let failed = score(&[("a", Outcome::Failed("x".into())), ("b", Outcome::Pending("f".into()))]);
        let better = score(&[("a", Outcome::Passed), ("b", Outcome::Passed)]);
        assert!(before.differences(&before).is_empty());
        assert_eq!(failed.differences(&before).len(), 1);
        assert_eq!(better.differences(&before).len(), 1);
        assert_eq!(Score::default().differences(&before).len(), 1);
        assert_eq!(before.differences(&Score::default()).len(), 1);
    }
}
