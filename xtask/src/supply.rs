//! `cargo xtask supply`: what comes in from outside. Licences, bans and sources of crates by cargo-deny, known holes of crates
//! and npm packages where somebody answers for them; where nobody does, it is said, and counts as nothing.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::step::Steps;
use crate::tool::Tool;
use crate::{flags, npm, sh};

/// The version of cargo-deny that is built.
const CARGO_DENY: &str = "0.20.2";

/// What cargo-deny checks without a network (`deny.toml`).
const CHECKS: &[&str] = &["licenses", "bans", "sources"];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    npm::install()?;
    run(&mut Steps::new())
}

pub(crate) fn run(steps: &mut Steps) -> Result<()> {
    steps.count("licences, bans and sources of crates", || {
        let mut deny = deny()?;
        sh::run(deny.args(["--log-level", "error", "check", "--hide-inclusion-graph"]).args(CHECKS))?;
        Ok(CHECKS.len())
    })?;
    steps.count("known holes of crates", advisories)?;
    steps.count("known holes of npm packages", audit)
}

/// Where cargo-deny lies, built first where it is missing.
pub(crate) fn install() -> Result<PathBuf> {
    Tool { package: "cargo-deny", version: CARGO_DENY, program: "cargo-deny", locked: true }.install()
}

fn deny() -> Result<Command> {
    Ok(sh::command(install()?, ["--manifest-path", "Cargo.toml"]))
}

/// The database of holes in crates lies where not every machine may look.
fn advisories() -> Result<usize> {
    let mut deny = deny()?;
    deny.args(["--log-level", "error", "check", "advisories"]);
    // A database that does not answer is not waited for.
    deny.env("GIT_TERMINAL_PROMPT", "0");
    deny.env("GIT_HTTP_LOW_SPEED_LIMIT", "1000").env("GIT_HTTP_LOW_SPEED_TIME", "20");
    let output = output(&mut deny)?;
    if output.status.success() {
        return Ok(1);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if is_out_of_reach(&said) {
        println!("NOT CHECKED: the database of advisories does not answer here");
        return Ok(0);
    }
    eprint!("{said}");
    bail!("a crate has a known hole");
}

fn is_out_of_reach(said: &str) -> bool {
    said.contains("failed to fetch advisory database")
}

/// What the registry knows of the packages of the lock file; the published package has none, these are tools.
fn audit() -> Result<usize> {
    let output = output(&mut sh::command("npm", ["audit", "--json", "--audit-level=high"]))?;
    match verdict(&String::from_utf8_lossy(&output.stdout)) {
        Audit::Answered { high: 0 } => Ok(1),
        Audit::Answered { high } => bail!("npm audit: {high} packages have a known hole of high severity"),
        Audit::NoAnswer(why) => {
            println!("NOT CHECKED: npm audit got no answer: {why}");
            Ok(0)
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Audit {
    Answered {
        /// Packages with holes that are high or critical.
        high: u64,
    },
    NoAnswer(String),
}

/// Reads the JSON of `npm audit`.
fn verdict(json: &str) -> Audit {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(json) else {
        return Audit::NoAnswer("no JSON".to_owned());
    };
    let counts = &value["metadata"]["vulnerabilities"];
    match (counts["high"].as_u64(), counts["critical"].as_u64()) {
        (Some(high), Some(critical)) => Audit::Answered { high: high.saturating_add(critical) },
        _ => Audit::NoAnswer(
            value["statusCode"].as_u64().map_or("no counts".to_owned(), |code| format!("status {code}")),
        ),
    }
}

fn output(command: &mut Command) -> Result<Output> {
    let output = command.stdin(Stdio::null()).output().with_context(|| "cannot start a check".to_owned())?;
    ensure!(output.status.code().is_some(), "a check was killed");
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_npm_audit_says() {
        let counted = |high: u64, critical: u64| {
            format!(r#"{{"metadata":{{"vulnerabilities":{{"low":3,"high":{high},"critical":{critical}}}}}}}"#)
        };
        assert_eq!(verdict(&counted(0, 0)), Audit::Answered { high: 0 });
        assert_eq!(verdict(&counted(1, 2)), Audit::Answered { high: 3 });
        let refused = r#"{"message":"405","statusCode":405,"method":"POST"}"#;
        assert_eq!(verdict(refused), Audit::NoAnswer("status 405".to_owned()));
        assert_eq!(verdict(""), Audit::NoAnswer("no JSON".to_owned()));
        assert_eq!(verdict("{}"), Audit::NoAnswer("no counts".to_owned()));
    }

    #[test]
    fn tells_silence_from_a_hole() {
        assert!(is_out_of_reach("[ERROR] failed to fetch advisory database https://…"));
        assert!(!is_out_of_reach("error[vulnerability]: a hole"));
    }
}
