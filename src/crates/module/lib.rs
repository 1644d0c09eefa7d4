//! The module of the package: the exports of `toolgate`, and the allocator.
//!
//! A crate of its own, and nothing but a module: cargo leaves the optimizer's pass over the whole out where a crate is a
//! library as well, and that pass has the level of the last crate.

#![cfg(target_arch = "wasm32")]

pub use toolgate::wasm;

#[global_allocator]
static HEAP: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
