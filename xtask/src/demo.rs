//! `cargo xtask demo`: replays real calls under real settings through the package's command, then serves the page.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::{build, flags, place, sh};

/// A settings file written for the demo, calls that it meets, and the server of the page.
const SETTINGS: &str = "demo/settings.json";
const CALLS: &str = "demo/calls.jsonl";
const SERVER: &str = "www/serve.mjs";

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let flags = flags(arguments, &["no-serve"])?;
    let package = build::package()?;
    replay(&package)?;
    if flags.contains(&"no-serve") {
        return Ok(());
    }
    ensure!(place::at(SERVER).is_file(), "{SERVER} is missing");
    sh::run(sh::command("node", [SERVER]).env("TOOLGATE_PACKAGE", &package))
}

/// Prints who would be allowed, asked and denied, and by which rule.
fn replay(package: &Path) -> Result<()> {
    for file in [SETTINGS, CALLS] {
        ensure!(place::at(file).is_file(), "{file} is missing");
    }
    let mut node = sh::command("node", [package.join("cli.js")]);
    let status =
        node.args(["replay", "--settings", SETTINGS, CALLS]).status().context("cannot start node")?;
    // 1 says that there are findings, which a demo may well have.
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => bail!("{status}: toolgate replay"),
    }
}
