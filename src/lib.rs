#![doc = include_str!("../README.md")]

pub mod auto_stage;
pub mod diagnostic;
pub mod dialect;
pub mod evidence;
pub mod host;
pub mod json;
pub mod limits;
pub mod machine;
pub mod order;
pub mod path;
pub mod pattern;
pub mod policy;
pub mod risk;
pub mod rule;
pub mod shell;
pub mod span;
pub mod text;
pub mod verdict;
pub mod vocabulary;
pub mod wire;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
