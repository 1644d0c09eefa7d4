//! The rooms that every decision runs through, as a crate of their own: cargo chooses between speed and size by crate, and
//! these may take more room than the rest. They stand at the bottom of the house, so nothing here knows anything outside of
//! this list; `toolgate` gives them on under the same names.

#[path = "../escape.rs"]
pub mod escape;
#[path = "../heads.rs"]
pub mod heads;
#[path = "../limits.rs"]
pub mod limits;
#[path = "../order.rs"]
pub mod order;
#[path = "../row.rs"]
pub mod row;
#[path = "../shell/mod.rs"]
pub mod shell;
#[path = "../span.rs"]
pub mod span;
#[path = "../text.rs"]
pub mod text;
