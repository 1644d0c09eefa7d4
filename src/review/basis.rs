//! What binds an assessment to one gate, one execution and one state of the world.

use super::refusal::{Checked, ensure};
use super::shape::record;
use super::text::{check_given, check_id};
use super::words::{Field, Reason};
use crate::limits;

record! {
    /// A basis (review.md section 5). Two subjects of one gate differ in `classifier_revision` and `subject_digest` alone.
    pub Basis {
        /// The gate.
        gate_id: String,
        /// The execution that waits behind it.
        tool_execution_id: String,
        /// 64 hex digits; zeros on the way into a subject.
        subject_digest: String,
        /// The state of the context.
        context_revision: String,
        /// The review policy.
        gate_policy_revision: String,
        /// The classifier.
        classifier_revision: String,
        /// What the call could do at most.
        security_ceiling: String,
    }
}

/// The digest of a basis that has none yet.
pub const NO_DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

impl Basis {
    /// The same for a classifier, without a digest.
    #[inline(never)]
    pub(super) fn undigested(&self, classifier_revision: &str) -> Self {
        let mut basis = self.clone();
        basis.subject_digest = NO_DIGEST.into();
        basis.classifier_revision = classifier_revision.into();
        basis
    }

    /// Both ids are ids.
    pub(super) fn check_ids(&self) -> Checked<()> {
        check_id(&self.gate_id, Field::Basis)?;
        check_id(&self.tool_execution_id, Field::Basis)
    }

    /// The basis check.
    pub(super) fn check(&self) -> Checked<()> {
        self.check_ids()?;
        let bounded = [
            (&self.context_revision, limits::REVIEW_ROOT_BYTES),
            (&self.gate_policy_revision, limits::REVIEW_NAME_BYTES),
            (&self.classifier_revision, limits::REVIEW_NAME_BYTES),
            (&self.security_ceiling, limits::REVIEW_ROOT_BYTES),
        ];
        for (text, _) in bounded {
            check_given(&[text], Field::Basis)?;
        }
        for (text, most) in bounded {
            ensure(text.len() <= most, Field::Basis, Reason::OutOfBounds)?;
        }
        Ok(())
    }
}
