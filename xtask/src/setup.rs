//! `cargo xtask setup`: what the other verbs need, all of it. A second run finds everything in place.

use anyhow::{Result, bail};

use crate::step::Steps;
use crate::{callgrind, chromium, flags, npm, place, runner, sh, supply};

/// The one target of the published module.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The crate that becomes the module.
pub(crate) const MODULE: &str = "toolgate-module";

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    let mut steps = Steps::new();
    steps.run("rust target", target)?;
    steps.run("npm packages", npm::install)?;
    steps.run("wasm-bindgen test runner", || runner::install().map(drop))?;
    steps.run("cargo-deny", || supply::install().map(drop))?;
    steps.run("valgrind", || callgrind::install().map(drop))?;
    steps.run("chromium", || chromium::install().map(drop))
}

/// The Rust target, by rustup where there is one.
pub(crate) fn target() -> Result<()> {
    let libraries =
        sh::quiet(&mut sh::command("rustc", ["--print", "target-libdir", "--target", WASM_TARGET]))?;
    if std::path::Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    let Some(rustup) = place::on_path("rustup") else {
        bail!(
            "the Rust target {WASM_TARGET} is missing, and rustup too: install the target with your toolchain"
        );
    };
    println!("rustup target add {WASM_TARGET}");
    sh::quiet(&mut sh::command(rustup, ["target", "add", WASM_TARGET])).map(drop)
}
