//! The evidence classifier: bounded rounds in which a model judges one action (evidence.md).

mod candidates;
mod confinement;
mod secret;

pub use candidates::candidates;
pub use confinement::check_path;
pub use secret::{contains_secret, json_contains_secret};
