//! What the tests of policies share: a runtime's URL parser, questions that own their texts, and generated cases.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "a test stops where it fails; no test needs all of this"
)]

pub mod cases;
pub mod files;
pub mod findings;
pub mod question;
pub mod reported;
pub mod vectors;

#[allow(unused_imports, reason = "no test needs all of this")]
pub use question::{HOST, Question, compile, dialects, strictness};
