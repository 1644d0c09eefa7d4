//! A refused value: which one and why, and never the value itself (invariant "inert").

use super::words::{Field, Reason};

/// `permission review refused <field>: <reason>`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was refused.
    pub field: Field,
    /// Why.
    pub reason: Reason,
    /// Of a classifier. Small, so that a refusal is one number.
    index: u16,
}

impl Refusal {
    /// A refusal of anything but a classifier.
    pub const fn new(field: Field, reason: Reason) -> Self {
        Self { field, reason, index: 0 }
    }

    /// A refusal of the classifier at that place.
    pub fn classifier(index: usize, reason: Reason) -> Self {
        Self { field: Field::Classifiers, reason, index: u16::try_from(index).unwrap_or(u16::MAX) }
    }

    /// Which classifier, counted from 0; of [`Field::Classifiers`] alone.
    pub fn index(&self) -> Option<usize> {
        (self.field == Field::Classifiers).then_some(self.index.into())
    }
}

/// What was checked, or why it is refused.
pub type Checked<T> = Result<T, Refusal>;

/// Refuses unless it is so.
pub(super) fn ensure(so: bool, field: Field, reason: Reason) -> Checked<()> {
    if so { Ok(()) } else { Err(Refusal::new(field, reason)) }
}
