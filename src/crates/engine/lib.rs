//! What every decision runs through beside the shell reader: paths, risk, and the pipeline.

pub use toolgate_rules::*;

#[path = "../../engine/mod.rs"]
pub mod engine;
#[path = "../../path/mod.rs"]
pub mod path;
#[path = "../../risk/mod.rs"]
pub mod risk;
