//! `cargo xtask demo`: replays real calls under real settings through the package's command, then serves the page.

use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail, ensure};

use crate::{build, flags, page, place, sh};

/// A settings file written for the demo, and calls that it meets.
const SETTINGS: &str = "tests/corpus/demo/settings.json";
const CALLS: &str = "tests/corpus/demo/calls.jsonl";
const COMMAND: &str = "cli.js";

/// One command of the demo.
struct Act {
    /// What is said before it.
    says: &'static str,
    arguments: &'static [&'static str],
    /// What it prints among other things: without that it shows nothing.
    prints: &'static [&'static str],
}

const ACTS: &[Act] = &[
    Act {
        says: "\nWhat would an agent be allowed to do under the settings of a team?\n\
               The commands are real ones of the tldr-pages project (CC-BY-4.0, see ATTRIBUTION.md beside them); none is run.\n",
        arguments: &["replay", "--settings", SETTINGS, CALLS],
        prints: &["calls under", "ALLOWED by", "ASKED by", "DENIED by", "PASSED ON by"],
    },
    Act {
        says: "\nAnd why, for one of them:\n",
        arguments: &["explain", "--settings", SETTINGS, "--", "Bash", "git push --force origin main"],
        prints: &["DENY  Bash  git push --force origin main", "What runs", "Stages", "Rules", "content-rule"],
    },
];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let flags = flags(arguments, &["no-serve"])?;
    println!("Setting up and building; the first time takes some minutes.");
    let package = build::package()?;
    for act in ACTS {
        println!("{}\n$ toolgate {}\n", act.says, line(act));
        judge(act, command(&package, act)?.status().context("cannot start node")?)?;
    }
    if flags.contains(&"no-serve") {
        return Ok(());
    }
    println!("\nNow write rules of your own and see what they do:");
    page::serve(&page::build(&package)?)
}

/// Runs what `--no-serve` runs and looks for the decisions in what it prints; gives how many commands that were.
pub(crate) fn rehearse(package: &Path) -> Result<usize> {
    for act in ACTS {
        let output = command(package, act)?.output().context("cannot start node")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let missing = missing(act, &text);
        if !missing.is_empty() {
            eprint!("{text}{}", String::from_utf8_lossy(&output.stderr));
        }
        judge(act, output.status)?;
        ensure!(missing.is_empty(), "toolgate {} does not print {}", line(act), missing.join(", "));
    }
    Ok(ACTS.len())
}

fn command(package: &Path, act: &Act) -> Result<Command> {
    for file in [SETTINGS, CALLS] {
        ensure!(place::at(file).is_file(), "{file} is missing");
    }
    let mut node = sh::command("node", [package.join(COMMAND)]);
    node.args(act.arguments);
    Ok(node)
}

/// 1 says that something was found: denied calls, which a demo should have.
fn judge(act: &Act, status: ExitStatus) -> Result<()> {
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => bail!("{status}: toolgate {}", line(act)),
    }
}

fn missing(act: &Act, text: &str) -> Vec<&'static str> {
    act.prints.iter().copied().filter(|part| !text.contains(part)).collect()
}

/// The arguments as a person would type them.
fn line(act: &Act) -> String {
    let words = act.arguments.iter().map(|word| match word.contains(' ') {
        true => format!("'{word}'"),
        false => (*word).to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_not_printed() {
        let act =
            Act { says: "", arguments: &["explain", "--", "Bash", "ls -l"], prints: &["DENY", "Stages"] };
        assert_eq!(missing(&act, "DENY  Bash  ls -l\n\nStages"), [""; 0]);
        assert_eq!(missing(&act, "DENY  Bash  ls -l"), ["Stages"]);
        assert_eq!(line(&act), "explain -- Bash 'ls -l'");
    }
}
