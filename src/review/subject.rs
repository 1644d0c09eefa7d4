//! What a classifier judges: a basis, a request and a context that agree, under one digest (review.md section 8).

use std::rc::Rc;

use super::basis::{Basis, NO_DIGEST};
use super::context::Context;
use super::refusal::{Checked, ensure};
use super::request::Request;
use super::shape::{Part, parse, record};
use super::text::is_digest;
use super::words::{Field, Reason};
use crate::json::Canonical;
use crate::limits;

record! {
    /// A subject, valid or not.
    pub ReviewSubject {
        /// What it is bound to.
        basis: Basis,
        /// What the call wants.
        request: Rc<Request>,
        /// What the reviewer is shown.
        context: Rc<Context>,
    }
}

/// A subject that is valid: its digest is that of its canonical form. There is no other way to make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(Rc<ReviewSubject>);

impl Subject {
    /// Checks the parts, and stamps the digest.
    pub fn new(basis: Basis, request: Rc<Request>, context: Rc<Context>) -> Checked<Self> {
        let mut parts = ReviewSubject { basis, request, context };
        parts.basis.check()?;
        ensure(is_digest(&parts.basis.subject_digest), Field::Digest, Reason::Invalid)?;
        ensure(parts.basis.subject_digest == NO_DIGEST, Field::Digest, Reason::Reserved)?;
        parts.basis.subject_digest = parts.check_rest()?;
        Ok(Self(Rc::new(parts)))
    }

    /// A subject that says its digest itself.
    pub fn stamped(parts: ReviewSubject) -> Checked<Self> {
        let digest = parts.digest()?;
        ensure(digest == parts.basis.subject_digest, Field::Digest, Reason::Mismatch)?;
        Ok(Self(Rc::new(parts)))
    }

    /// The same from JSON text.
    pub fn parse(text: &str) -> Checked<Self> {
        Self::stamped(parse(text, Field::Subject)?)
    }

    /// What it is bound to.
    pub fn basis(&self) -> &Basis {
        &self.0.basis
    }

    /// What the call wants.
    pub fn request(&self) -> &Request {
        &self.0.request
    }

    /// What the reviewer is shown.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its digest without the classifier: what the subjects of one gate have in common.
    pub fn common_digest(&self) -> String {
        self.0.canonical(Canonical::hashed(), "").into_digest()
    }

    /// Its canonical form.
    pub fn canonical_text(&self) -> String {
        self.0.canonical(Canonical::kept(), &self.0.basis.classifier_revision).into_text()
    }

    /// Its JSON text: `{basis, request, context}`.
    pub fn text(&self) -> String {
        let mut to = Canonical::kept();
        self.0.write(&mut to);
        to.into_text()
    }
}

impl ReviewSubject {
    /// The digest of the canonical form; the one that it says is not looked at.
    pub fn digest(&self) -> Checked<String> {
        self.basis.check()?;
        self.check_rest()
    }

    /// What follows the basis; gives the digest.
    fn check_rest(&self) -> Checked<String> {
        let Self { basis, request, context } = self;
        request.check_bounds()?;
        context.check()?;
        request.check_rules()?;
        let is_its_own = request.execution_id.is_empty() || request.execution_id == basis.tool_execution_id;
        ensure(is_its_own, Field::Request, Reason::Mismatch)?;
        let agrees = basis.context_revision == context.context_revision
            && basis.gate_policy_revision == context.gate_policy_revision
            && basis.security_ceiling == context.security_ceiling;
        ensure(agrees, Field::Basis, Reason::Mismatch)?;
        let canonical = self.canonical(Canonical::hashed(), &basis.classifier_revision);
        ensure(canonical.len() <= limits::REVIEW_SUBJECT_BYTES, Field::Digest, Reason::OutOfBounds)?;
        Ok(canonical.into_digest())
    }

    fn canonical(&self, mut to: Canonical, classifier_revision: &str) -> Canonical {
        let basis = self.basis.undigested(classifier_revision);
        to.open('{');
        to.member("version", "permission_review_subject.v1");
        to.member("gate_kind", "harness.permission");
        to.name("basis");
        basis.write(&mut to);
        to.name("request");
        self.request.write(&mut to);
        to.name("context");
        self.context.write(&mut to);
        to.close('}');
        to
    }
}
