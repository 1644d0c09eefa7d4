#![doc = include_str!("../README.md")]

pub use toolgate_engine::*;

pub mod auto_stage;
pub mod evidence;
pub mod fallback;
pub mod machine;
pub mod policy;
pub mod review;
pub mod session;
pub mod verdict;
pub mod wire;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
