//! The runner of wasm-bindgen-test, one of the programs of `wasm-bindgen-cli`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::place;
use crate::tool::Tool;

/// The version that `Cargo.lock` pins the crate `wasm-bindgen` to; crate, generator and runner must agree.
pub(crate) fn wasm_bindgen_version() -> Result<String> {
    let lock = fs::read_to_string(place::at("Cargo.lock")).context("Cargo.lock")?;
    locked_version(&lock, "wasm-bindgen").context("Cargo.lock has no wasm-bindgen")
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let head = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != head);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

/// Where the runner lies, built first where it is missing. The lock file that was published with it names versions that are gone.
pub(crate) fn install() -> Result<PathBuf> {
    let version = &wasm_bindgen_version()?;
    let program = "wasm-bindgen-test-runner";
    Tool { package: "wasm-bindgen-cli", version, program, locked: false }.install()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_locked_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-test\"\nversion = \"0.3.1\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.9"));
        assert_eq!(locked_version(lock, "absent"), None);
    }
}
