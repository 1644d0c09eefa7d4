//! The exports as the runtime sees them, in Node and in a headless browser: what only JavaScript can answer, and what
//! crosses the boundary. What needs no runtime is tested beside the code.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test stops where it fails")]

mod errors;
mod host;
mod policy;

/// The JSON value of a text that came out.
fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
