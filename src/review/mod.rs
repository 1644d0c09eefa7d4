//! Permission review gates: whether classifiers may answer a gate once in a person's place (review.md).

mod assessment;
mod basis;
mod breaker;
mod build;
mod choose;
mod classifiers;
mod context;
mod decide;
mod marker;
mod policy;
mod refusal;
mod request;
mod shape;
mod subject;
mod text;
mod words;

pub use assessment::{Assessment, Observation, Rating, parse_assessment};
pub use basis::{Basis, NO_DIGEST};
pub use breaker::content_key;
pub use build::{ContextPolicy, build_context};
pub use classifiers::{Classifier, Named, ReviewLimits, Thresholds, parse_classifiers};
pub use context::{Context, Coordinates, Entry, Truncation};
pub use decide::{Outcome, combine, combine_texts, evaluate, evaluate_texts};
pub use marker::MARKER;
pub use policy::ReviewPolicy;
pub use refusal::{Checked, Refusal};
pub use request::{Candidate, Request, Requirement};
pub use shape::{Part, Taker, parse};
pub use subject::{ReviewSubject, Subject};
pub use words::*;
