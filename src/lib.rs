#![doc = include_str!("../README.md")]

pub use toolgate_quick::{escape, heads, limits, order, row, shell, span, text};

pub mod auto_stage;
pub mod diagnostic;
pub mod dialect;
pub mod evidence;
pub mod fallback;
pub mod host;
pub mod json;
pub mod machine;
pub mod path;
pub mod pattern;
pub mod policy;
pub mod review;
pub mod risk;
pub mod rule;
pub mod session;
pub mod verdict;
pub mod vocabulary;
pub mod wire;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
