//! The checks of other tools: the formatter, and clippy for both targets.

use anyhow::Result;

use crate::setup::{self, MODULE, WASM_TARGET};
use crate::sh;
use crate::step::Steps;

/// Formats everything.
pub(super) fn format() -> Result<()> {
    sh::run(&mut sh::cargo(["fmt", "--all"]))
}

/// One step for each tool.
pub(super) fn run(steps: &mut Steps) -> Result<()> {
    steps.count("format", || sh::run(&mut sh::cargo(["fmt", "--all", "--check"])).map(|()| 1))?;
    steps.count("clippy", || sh::run(&mut clippy(&["--workspace", "--all-targets"])).map(|()| 1))?;
    steps.count("clippy, wasm", || {
        setup::target()?;
        sh::run(&mut clippy(&[
            "--package",
            "toolgate",
            "--package",
            MODULE,
            "--lib",
            "--test",
            "wasm",
            "--target",
            WASM_TARGET,
        ]))
        .map(|()| 1)
    })
}

fn clippy(arguments: &[&str]) -> std::process::Command {
    let mut command = sh::cargo(["clippy", "--quiet"]);
    command.args(arguments).args(["--", "-D", "warnings"]);
    command
}
