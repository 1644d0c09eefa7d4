//! A refused value: which one and why, and never the value itself (invariant "inert").

use super::words::{Field, Reason};

/// `permission review refused <field>: <reason>`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was refused.
    pub field: Field,
    /// Which classifier, counted from 0; of [`Field::Classifiers`] alone.
    pub index: Option<usize>,
    /// Why.
    pub reason: Reason,
}

impl Refusal {
    /// A refusal of anything but a classifier.
    pub const fn new(field: Field, reason: Reason) -> Self {
        Self { field, index: None, reason }
    }

    /// A refusal of the classifier at that place.
    pub const fn classifier(index: usize, reason: Reason) -> Self {
        Self { field: Field::Classifiers, index: Some(index), reason }
    }
}

/// What was checked, or why it is refused.
pub type Checked<T> = Result<T, Refusal>;

/// Refuses unless it is so.
pub(super) fn ensure(so: bool, field: Field, reason: Reason) -> Checked<()> {
    if so { Ok(()) } else { Err(Refusal::new(field, reason)) }
}
