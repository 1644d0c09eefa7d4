//! The npm packages of `package-lock.json`, installed once for each state of the lock file.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::{place, sh};

const STAMP: &str = "node_modules/.toolgate-stamp";

/// Installs by lock file where the lock file is not the one of the last install.
pub(crate) fn install() -> Result<()> {
    let Some(npm) = place::on_path("npm") else {
        bail!("npm is missing: install Node.js 20.19 or later");
    };
    let lock = fs::read_to_string(place::at("package-lock.json")).context("package-lock.json")?;
    if fs::read_to_string(place::at(STAMP)).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    println!("npm ci");
    // No install script runs: what the tools need is in their packages.
    sh::quiet(&mut sh::command(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    fs::write(place::at(STAMP), lock).context(STAMP)
}
