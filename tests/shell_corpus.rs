//! The shell reader over real commands: how many it reads completely, and why not the others.
//!
//! Reads the repository's own commands, or `commands.jsonl` of the folder that `TOOLGATE_CORPUS` names. The counts of that
//! one are kept in `corpus/shell-problems.json`; `TOOLGATE_UPDATE=1` writes them anew.

#![cfg(all(unix, not(target_arch = "wasm32")))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use toolgate::shell::read;

#[test]
fn most_commands_are_read_completely() {
    let corpus = std::env::var_os("TOOLGATE_CORPUS");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/commands");
    let folder = corpus.as_ref().map_or(own, Into::into);
    let text = std::fs::read_to_string(folder.join("commands.jsonl")).unwrap();
    let mut totals: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut codes: BTreeMap<(String, String), u64> = BTreeMap::new();
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let (source, command) = (entry["source"].as_str().unwrap(), entry["command"].as_str().unwrap());
        let reading = read(command);
        let total = totals.entry(source.to_owned()).or_default();
        total.0 += 1;
        total.1 += u64::from(reading.is_complete());
        let mut seen: Vec<_> = reading.problems().iter().map(|problem| problem.code.as_str()).collect();
        seen.sort_unstable();
        seen.dedup();
        for code in seen {
            *codes.entry((code.to_owned(), source.to_owned())).or_default() += 1;
            if std::env::var("TOOLGATE_SHOW").is_ok_and(|wanted| wanted == code) {
                println!("{source}: {command:?}");
            }
        }
        for command in reading.commands() {
            assert!(command.span.slice(reading.line()).is_some(), "a span off the line");
        }
    }
    let (all, complete) =
        totals.values().fold((0, 0), |(all, complete), one| (all + one.0, complete + one.1));
    println!("{complete} of {all} complete");
    assert!(complete * 100 >= all * 97, "{complete} of {all}");
    if corpus.is_none() {
        // The summary is of the larger corpus.
        return;
    }
    let mut problems: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for ((code, source), count) in &codes {
        problems.entry(code).or_default().insert(source, *count);
    }
    let sources: BTreeMap<_, _> = totals
        .iter()
        .map(|(name, (all, complete))| (name, json!({"commands": all, "complete": complete})))
        .collect();
    let actual = json!({"sources": sources, "problems": problems});
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/shell-problems.json");
    if std::env::var_os("TOOLGATE_UPDATE").is_some() {
        std::fs::write(&kept, format!("{actual:#}\n")).unwrap();
    }
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(actual, expected, "the counts differ from tests/corpus/shell-problems.json");
}

/// Run by hand, with optimisation: prints how long a command takes.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let Some(folder) = std::env::var_os("TOOLGATE_CORPUS") else {
        println!("skipped: TOOLGATE_CORPUS is not set");
        return;
    };
    let text = std::fs::read_to_string(Path::new(&folder).join("commands.jsonl")).unwrap();
    let commands: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["command"].as_str().unwrap().to_owned())
        .collect();
    let bytes: usize = commands.iter().map(String::len).sum();
    let once = || {
        let start = std::time::Instant::now();
        for command in &commands {
            std::hint::black_box(read(std::hint::black_box(command)));
        }
        start.elapsed().as_nanos()
    };
    let best = (0..7).map(|_| once()).min().unwrap_or_default();
    let each = best / u128::try_from(commands.len()).unwrap();
    println!("{each} ns a command of {} bytes on average", bytes / commands.len());
    for line in ["ls -la src", "git commit -m \"fix\"", "cd x && npm test 2>&1 | tail -5", "echo {1..256}"] {
        let start = std::time::Instant::now();
        for _ in 0..100_000 {
            std::hint::black_box(read(std::hint::black_box(line)));
        }
        println!("{:>6} ns {line}", start.elapsed().as_nanos() / 100_000);
    }
}
