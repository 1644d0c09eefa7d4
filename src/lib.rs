//! Reads agent permission rules, decides a tool call under a named dialect, and says why.

pub mod limits;
pub mod path;
pub mod pattern;
pub mod risk;
pub mod shell;
pub mod span;
