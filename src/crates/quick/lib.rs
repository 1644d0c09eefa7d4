//! The rooms at the bottom of the house that every decision runs through, compiled for speed.
//!
//! Cargo chooses between speed and size by crate, and that is all that crates are for here: each gives on the rooms of the one
//! below, so that `toolgate` has all of them under the same names. See `docs/architecture.md`.

#[path = "../../escape.rs"]
pub mod escape;
#[path = "../../heads.rs"]
pub mod heads;
#[path = "../../limits.rs"]
pub mod limits;
#[path = "../../order.rs"]
pub mod order;
#[path = "../../row.rs"]
pub mod row;
#[path = "../../shell/mod.rs"]
pub mod shell;
#[path = "../../span.rs"]
pub mod span;
#[path = "../../text.rs"]
pub mod text;
