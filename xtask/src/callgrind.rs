//! Instructions, counted by valgrind's callgrind: the same number on every run, however busy the machine is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{debian, place, sh};

/// One call of the function whose calls were counted.
pub(crate) struct Counted {
    /// All instructions, those of libraries included.
    pub(crate) all: f64,
    /// Those of the program itself: what it asks the C library for costs another number with every version and processor.
    pub(crate) own: f64,
}

/// Finds valgrind, or installs it.
pub(crate) fn install() -> Result<PathBuf> {
    if place::on_path("valgrind").is_none() {
        // Its start needs the symbols of the C library.
        debian::install(&["valgrind", "libc6-dbg"])?;
    }
    place::on_path("valgrind").context("valgrind is missing: install it by the packages of your system")
}

/// Runs `program` and counts each call of `function`; gives what the program printed, and the calls in order. `scratch`
/// names a folder for what valgrind writes.
pub(crate) fn run(
    scratch: &str,
    program: &Path,
    arguments: &[&str],
    function: &str,
) -> Result<(String, Vec<Counted>)> {
    let dir = place::scratch(scratch)?;
    let mut valgrind = sh::command(
        place::on_path("valgrind").context("valgrind is missing")?,
        ["--tool=callgrind", "--quiet", "--callgrind-out-file=counted"],
    );
    valgrind.arg(format!("--toggle-collect={function}")).arg(format!("--dump-after={function}"));
    valgrind.arg(program).args(arguments).current_dir(&dir);
    let printed = sh::quiet(&mut valgrind)?;
    // One file for each call, numbered from 1; what came after the last call is in a file without a number.
    let mut calls = vec![];
    loop {
        let file = dir.join(format!("counted.{}", calls.len() + 1));
        if !file.is_file() {
            break;
        }
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        calls.push(counted(&text, program).with_context(|| format!("{} has no total", file.display()))?);
    }
    ensure!(!calls.is_empty(), "no call of {function} was counted");
    Ok((printed, calls))
}

fn counted(text: &str, program: &Path) -> Option<Counted> {
    let all: f64 = text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()?;
    (all > 0.0).then(|| Counted { all, own: own(text, program) })
}

/// The sum of the lines that belong to the program's file. A number in parentheses stands for a name that was told with it
/// before; a line behind `calls=` is what a call cost, which is told again where it was spent.
fn own(text: &str, program: &Path) -> f64 {
    let program = program.file_name().unwrap_or_default();
    let mut names: BTreeMap<&str, bool> = BTreeMap::new();
    let (mut is_own, mut is_call, mut sum) = (false, false, 0.0);
    for line in text.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_own = known(&mut names, object, program);
        } else if let Some(object) = line.strip_prefix("cob=") {
            known(&mut names, object, program);
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse::<f64>().ok());
            if is_own && !is_call {
                sum += cost.unwrap_or(0.0);
            }
            is_call = false;
        }
    }
    sum
}

/// Whether an object, told as `(3) /path/of/it` or as `(3)`, is the program.
fn known<'t>(names: &mut BTreeMap<&'t str, bool>, object: &'t str, program: &std::ffi::OsStr) -> bool {
    let (number, path) = object.split_once(' ').unwrap_or((object, ""));
    if !path.is_empty() {
        names.insert(number, Path::new(path).file_name() == Some(program));
    }
    names.get(number).copied().unwrap_or(false)
}

/// Whether instructions can be counted as they are.
pub(crate) fn is_there() -> bool {
    place::on_path("valgrind").is_some()
}

/// A command whose answer is JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(mut command: Command) -> Result<T> {
    serde_json::from_str(&sh::quiet(&mut command)?).context("not the JSON text that it should be")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "version: 1\nsummary: 116\nob=(1) /lib/libc.so\nfn=(1) malloc\n5 100\n\nob=(2) /x/counts\n\
        fn=(2) measured\n1 10\ncob=(1)\ncfn=(1)\ncalls=2 5\n1 100\n+1 6\ntotals: 116\n";

    #[test]
    fn reads_what_callgrind_writes() {
        let read = counted(DUMP, Path::new("/y/counts")).unwrap();
        assert_eq!((read.all, read.own), (116.0, 16.0));
        assert!(counted("totals: 0\n", Path::new("x")).is_none());
        assert!(counted("version: 1\n", Path::new("x")).is_none());
    }
}
