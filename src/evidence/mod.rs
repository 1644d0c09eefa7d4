//! The evidence classifier: bounded rounds in which a model judges one action (evidence.md).
//!
//! A model may look at two of the files that the host offers, one a round; then it must answer. The core decides what is sent, how
//! long anything may take and what an answer is worth. [`Classifier`] is the machine; its states are the table of section 7:
//!
//! ```text
//! idle ─start─▶ size ─▶ check ─▶ model ─▶ check ─┬─▶ check ─▶ result
//!                         ▲                      └─▶ check ─▶ inspect ─▶ check ─┐
//!                         └─────────────────────────────────────────────────────┘
//! any of these ─deadline or cancel─▶ draining ─the open callback settles─▶ idle
//! ```
//!
//! What always holds: missing evidence never allows, and neither does a missing request; identity is confirmed before and after every
//! call and inspection, and before the verdict; one lease covers all rounds, and is kept until the host has settled; files and earlier
//! actions stand between fences that they cannot close.

mod candidates;
mod classifier;
mod confinement;
mod diagnostic;
mod inspection;
mod prompt;
mod reply;
mod request;
mod rounds;
mod secret;
mod usage;
mod words;

pub use candidates::candidates;
pub use classifier::{Ask, Classifier, Judgement, ModelCall, Outcome, Start};
pub use confinement::check_path;
pub use diagnostic::Diagnostic;
pub use prompt::{SYSTEM, TOOL_DESCRIPTION, write_tools};
pub use secret::{contains_secret, json_contains_secret};
pub use usage::{Usage, write_usage};
pub use words::{ClassifierError, EvidenceLimit, ReturnPath};
