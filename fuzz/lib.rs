//! The targets as cargo-fuzz links them; see README.md here.

mod targets;

pub use targets::*;

#[cfg(feature = "quick")]
#[global_allocator]
static HEAP: mimalloc::MiMalloc = mimalloc::MiMalloc;
