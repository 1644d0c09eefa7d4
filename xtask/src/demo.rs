//! `cargo xtask demo`: replays real calls under real settings through the package's command, then serves the page.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::{build, flags, page, place, sh};

/// A settings file written for the demo, and calls that it meets.
const SETTINGS: &str = "tests/corpus/demo/settings.json";
const CALLS: &str = "tests/corpus/demo/calls.jsonl";
const COMMAND: &str = "cli.js";

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let flags = flags(arguments, &["no-serve"])?;
    println!("Setting up and building; the first time takes some minutes.");
    let package = build::package()?;
    replay(&package)?;
    explain(&package)?;
    if flags.contains(&"no-serve") {
        return Ok(());
    }
    println!("\nNow write rules of your own and see what they do:");
    page::serve(&page::build(&package)?)
}

/// Prints who would be allowed, asked and denied, and by which rule.
fn replay(package: &Path) -> Result<()> {
    for file in [SETTINGS, CALLS] {
        ensure!(place::at(file).is_file(), "{file} is missing");
    }
    println!(
        "\nWhat would an agent be allowed to do under the settings of a team?\n\
         The commands are real ones of the tldr-pages project (CC-BY-4.0, see ATTRIBUTION.md beside them); none is run.\n\n\
         $ toolgate replay --settings {SETTINGS} {CALLS}\n"
    );
    toolgate(package, &["replay", "--settings", SETTINGS, CALLS])
}

/// And why, for one of them.
fn explain(package: &Path) -> Result<()> {
    let call = "git push --force origin main";
    println!("\n$ toolgate explain --settings {SETTINGS} -- Bash '{call}'\n");
    toolgate(package, &["explain", "--settings", SETTINGS, "--", "Bash", call])
}

fn toolgate(package: &Path, arguments: &[&str]) -> Result<()> {
    let mut node = sh::command("node", [package.join(COMMAND)]);
    let status = node.args(arguments).status().context("cannot start node")?;
    // 1 says that something was found: denied calls, which a demo should have.
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => bail!("{status}: toolgate {}", arguments.first().copied().unwrap_or_default()),
    }
}
