//! `cargo xtask counts`: instructions and allocations of the native core, against the committed snapshot.
//!
//! `bench/counts` calls the core, built as what is published is; its allocator counts, and callgrind counts the
//! instructions. Neither depends on how busy the machine is, so that a few percent more are a regression.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{build, callgrind, flags, place, sh};

const FILE: &str = "bench/instructions.json";
const COMMANDS: &str = "tests/corpus/commands/commands.jsonl";

/// The function of the program whose calls are counted.
const MEASURED: &str = "toolgate_counts::measured";

/// How much more than in the snapshot is a regression, of instructions as of allocations.
const SLACK: f64 = 1.03;

/// Two measures that differ in the number of rules alone.
const FEW: &str = "decide, 20 rules";
const MANY: &str = "decide, 10,000 rules";

/// What many rules may cost a decision: allocations on top of those with few, and how many times the instructions.
const MORE_ALLOCATIONS: f64 = 2.0;
const MORE_INSTRUCTIONS: f64 = 3.0;

/// What was counted, and where.
#[derive(Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Kind of processor and system: elsewhere the same source is another number of instructions.
    machine: String,
    rustc: String,
    measures: Vec<Measure>,
}

/// Means of one call.
#[derive(Clone, Serialize, Deserialize)]
struct Measure {
    name: String,
    /// Of the program itself; what the C library does for it is left out.
    instructions: f64,
    allocations: f64,
    /// Allocated over the call, whether or not at the same time.
    bytes: f64,
}

/// What the program prints of a measure: sums.
#[derive(Deserialize)]
struct Printed {
    name: String,
    calls: f64,
    allocations: f64,
    bytes: f64,
}

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let accept = flags(arguments, &["accept"])?.contains(&"accept");
    let fresh = count()?;
    if accept {
        write(&fresh)?;
    }
    compare(&fresh).map(drop)
}

/// Gives the number of measures that hold.
pub(crate) fn check() -> Result<usize> {
    compare(&count()?)
}

/// Counts anew.
pub(crate) fn count() -> Result<Counts> {
    callgrind::install()?;
    let commands = place::at(COMMANDS).display().to_string();
    let (printed, counted) = callgrind::run("counts", &program()?, &[&commands], MEASURED)?;
    let printed: Vec<Printed> = serde_json::from_str(&printed).context("toolgate-counts")?;
    ensure!(printed.len() == counted.len(), "{} measures, {} calls", printed.len(), counted.len());
    let measure = |(printed, counted): (Printed, callgrind::Counted)| {
        let Printed { name, calls, allocations, bytes } = printed;
        let mean = |sum: f64, digits: f64| (sum / calls * digits).round() / digits;
        Measure {
            name,
            instructions: mean(counted.own, 1.0),
            allocations: mean(allocations, 100.0),
            bytes: mean(bytes, 1.0),
        }
    };
    let measures = printed.into_iter().zip(counted).map(measure).collect();
    let version = sh::quiet(&mut sh::command("rustc", ["--version"]))?;
    let rustc = version.split_whitespace().nth(1).context("rustc tells no version")?.to_owned();
    Ok(Counts { machine: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS), rustc, measures })
}

fn program() -> Result<PathBuf> {
    let mut cargo = sh::cargo(["build", "--quiet", "--release", "--package", "toolgate-counts"]);
    sh::run(cargo.env("CARGO_ENCODED_RUSTFLAGS", build::INLINING))?;
    Ok(place::target().join("release/toolgate-counts"))
}

/// Writes the snapshot.
pub(crate) fn write(fresh: &Counts) -> Result<()> {
    let mut text = serde_json::to_string_pretty(fresh)?;
    text.push('\n');
    fs::write(place::at(FILE), text).context(FILE)
}

/// Prints what was counted; fails where it is more than it may be.
pub(crate) fn compare(fresh: &Counts) -> Result<usize> {
    let committed = read()?.with_context(|| format!("{FILE} is missing (cargo xtask counts --accept)"))?;
    print!("{}", plain(fresh, &committed));
    if fresh.machine != committed.machine {
        println!(
            "the snapshot is of {}, this is {}: instructions are compared with one another only",
            committed.machine, fresh.machine
        );
    } else if fresh.rustc != committed.rustc {
        println!("the snapshot is of rustc {}, this is {}", committed.rustc, fresh.rustc);
    }
    let complaints = complaints(fresh, &committed);
    for complaint in &complaints {
        println!("{complaint}");
    }
    ensure!(complaints.is_empty(), "more than before; where that is meant: cargo xtask counts --accept");
    Ok(fresh.measures.len())
}

fn read() -> Result<Option<Counts>> {
    let file = place::at(FILE);
    if !file.is_file() {
        return Ok(None);
    }
    serde_json::from_slice(&fs::read(file)?).map(Some).context(FILE)
}

/// The measures as a person reads them, with what became of them since the snapshot.
fn plain(fresh: &Counts, committed: &Counts) -> String {
    let mut table = format!(
        "{:<42} {:>14} {:>9} {:>12} {:>12}\n",
        "a call", "instructions", "change", "allocations", "bytes"
    );
    for Measure { name, instructions, allocations, bytes } in &fresh.measures {
        let before = committed.measures.iter().find(|measure| measure.name == *name);
        let change = before.map_or_else(String::new, |before| {
            format!("{:+.2} %", (instructions / before.instructions - 1.0) * 100.0)
        });
        table.push_str(&format!(
            "{name:<42} {instructions:>14.0} {change:>9} {allocations:>12.2} {bytes:>12.0}\n"
        ));
    }
    table
}

/// A Markdown table of the snapshot, for documents.
pub(crate) fn table() -> Option<String> {
    let mut table = String::from("| a call | instructions | allocations | bytes |\n|---|---:|---:|---:|\n");
    for Measure { name, instructions, allocations, bytes } in read().ok()??.measures {
        let (instructions, bytes) = (grouped(instructions), grouped(bytes));
        table.push_str(&format!("| {name} | {instructions} | {allocations:.1} | {bytes} |\n"));
    }
    Some(table)
}

/// A whole number with a comma before each three digits.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn complaints(fresh: &Counts, committed: &Counts) -> Vec<String> {
    let mut complaints = vec![];
    let mut compare = |name: &str, what: &str, is: f64, was: f64| {
        if is > was * SLACK {
            let percent = (is / was - 1.0) * 100.0;
            complaints.push(format!("{name}: {is} {what}, were {was} ({percent:+.1} %)"));
        }
    };
    let find = |counts: &Counts, name: &str| counts.measures.iter().find(|other| other.name == name).cloned();
    for measure in &fresh.measures {
        let Some(before) = find(committed, &measure.name) else { continue };
        if fresh.machine == committed.machine {
            compare(&measure.name, "instructions", measure.instructions, before.instructions);
        }
        compare(&measure.name, "allocations", measure.allocations, before.allocations);
        compare(&measure.name, "bytes allocated", measure.bytes, before.bytes);
    }
    for (one, other, says) in
        [(fresh, committed, "not in the snapshot"), (committed, fresh, "no longer measured")]
    {
        let alone = one.measures.iter().filter(|measure| find(other, &measure.name).is_none());
        complaints.extend(alone.map(|measure| format!("{}: {says}", measure.name)));
    }
    match (find(fresh, FEW), find(fresh, MANY)) {
        (Some(few), Some(many)) => {
            if many.allocations > few.allocations + MORE_ALLOCATIONS {
                let (many, few) = (many.allocations, few.allocations);
                complaints.push(format!("{MANY}: {many} allocations, with 20 {few}: they follow the rules"));
            }
            if many.instructions > few.instructions * MORE_INSTRUCTIONS {
                let times = many.instructions / few.instructions;
                complaints.push(format!("{MANY}: {times:.1} times the instructions that 20 rules need"));
            }
        }
        _ => complaints.push(format!("{FEW} or {MANY} is not measured")),
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions and allocations of a decision with few rules and with many.
    fn counts(few: (f64, f64), many: (f64, f64)) -> Counts {
        let measure = |name: &str, (instructions, allocations)| Measure {
            name: name.to_owned(),
            instructions,
            allocations,
            bytes: 100.0,
        };
        let measures = vec![measure(FEW, few), measure(MANY, many)];
        Counts { machine: "m".into(), rustc: "r".into(), measures }
    }

    #[test]
    fn three_percent_more_are_a_regression() {
        let before = counts((1_000.0, 10.0), (2_000.0, 10.0));
        let number = |few, many| complaints(&counts(few, many), &before).len();
        assert_eq!(number((1_029.0, 10.0), (2_000.0, 10.0)), 0);
        assert_eq!(number((1_031.0, 10.0), (2_000.0, 10.0)), 1);
        assert_eq!(number((1_000.0, 10.0), (2_000.0, 11.0)), 1);
        assert_eq!(number((500.0, 1.0), (1_000.0, 1.0)), 0);
    }

    #[test]
    fn what_follows_the_rules_is_refused_whatever_the_snapshot_says() {
        let number = |few, many| complaints(&counts(few, many), &counts(few, many)).len();
        assert_eq!(number((1_000.0, 10.0), (1_000.0, 13.0)), 1);
        assert_eq!(number((1_000.0, 10.0), (3_100.0, 10.0)), 1);
    }

    #[test]
    fn elsewhere_instructions_are_not_compared() {
        let mut elsewhere = counts((2_000.0, 10.0), (2_000.0, 10.0));
        elsewhere.machine = "other".into();
        assert!(complaints(&elsewhere, &counts((1_000.0, 10.0), (2_000.0, 10.0))).is_empty());
    }

    #[test]
    fn a_measure_cannot_go_unseen() {
        let mut fewer = counts((1_000.0, 10.0), (1_000.0, 10.0));
        let committed = counts((1_000.0, 10.0), (1_000.0, 10.0));
        fewer.measures.pop();
        assert_eq!(complaints(&fewer, &committed).len(), 2);
    }

    #[test]
    fn groups_digits() {
        assert_eq!(
            ["1", "12", "123", "1234", "1234567"].map(|n| grouped(n.parse().unwrap())),
            ["1", "12", "123", "1,234", "1,234,567"]
        );
    }
}
