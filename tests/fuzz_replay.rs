//! The fuzz targets without a fuzzer: over seeds from the corpus, and over every find that was kept.
//!
//! `cargo test --test fuzz_replay -- --ignored write_seeds` writes the seeds where cargo-fuzz looks for them
//! (`fuzz/corpus`, not kept); see `fuzz/README.md`.
#![cfg(all(unix, not(target_arch = "wasm32")))]
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

#[path = "../fuzz/targets.rs"]
mod targets;

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use serde_json::Value;
use targets::TARGETS;
use toolgate::dialect::DIALECTS;

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every string in a JSON value.
fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Value::Object(members) => members.values().for_each(|member| strings(member, into)),
        _ => {}
    }
}

/// The texts in the inputs of a file of vectors.
fn inputs(file: &str) -> Vec<String> {
    let vectors: Vec<Value> = serde_json::from_str(&fs::read_to_string(at(file)).unwrap()).unwrap();
    let mut texts = Vec::new();
    vectors.iter().for_each(|vector| strings(&vector["input"], &mut texts));
    assert!(!texts.is_empty(), "{file} has no input");
    texts
}

/// Expressions, each with the text that it was tried on or, where it was refused, with itself.
fn pattern_seeds() -> Vec<String> {
    let cases: Vec<Vec<Value>> = serde_json::from_str(include_str!("corpus/pattern/node.json")).unwrap();
    cases.iter().map(|case| case.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")).collect()
}

/// Commands of the repository and, where it is named, of the larger corpus.
fn commands() -> Vec<String> {
    let mut files = vec![at("tests/corpus/commands/commands.jsonl")];
    files.extend(std::env::var_os("TOOLGATE_CORPUS").map(|folder| Path::new(&folder).join("commands.jsonl")));
    let command = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        entry["command"].as_str().unwrap().to_owned()
    };
    files
        .iter()
        .flat_map(|file| fs::read_to_string(file).unwrap().lines().map(command).collect::<Vec<_>>())
        .collect()
}

/// A policy input for each fixture of `bypasses.json`, with its rules and its subject, under every mode and dialect.
fn policy_seeds() -> Vec<String> {
    let fixtures: Vec<Value> = serde_json::from_str(include_str!("corpus/bypasses.json")).unwrap();
    let seed = |(number, fixture): (usize, &Value)| {
        let mark = |(list, mark): (&str, char)| {
            let rules = fixture["config"]["rules"][list].as_array().cloned().unwrap_or_default();
            rules.iter().map(|rule| format!("{mark}{}\n", rule.as_str().unwrap())).collect::<String>()
        };
        let rules: String = [("allow", '+'), ("deny", '-'), ("ask", '?'), ("bypassImmune", '!')]
            .into_iter()
            .map(mark)
            .collect();
        let (tool, argument) = match fixture["call"]["tool"].as_str().unwrap() {
            "Bash" => (0, "command"),
            "WebFetch" => (4, "url"),
            _ => (2, "file_path"),
        };
        let subject = fixture["call"]["arguments"][argument].as_str().unwrap_or_default();
        let seed = move |dialect| format!("{dialect} {} {tool}\n{rules}\n{subject}", number % 6);
        (0..DIALECTS.len()).map(seed).collect::<Vec<_>>()
    };
    fixtures.iter().enumerate().flat_map(seed).collect()
}

/// The arguments of the vectors about reviews, a line each.
fn review_seeds() -> Vec<String> {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("corpus/vectors/review.json")).unwrap();
    let seed = |vector: &Value| {
        let input = vector["input"].as_object()?;
        let lines = |names: &[&str]| {
            let texts = names.iter().map(|name| match input.get(*name) {
                Some(Value::String(text)) => text.clone(),
                value => value.map_or_else(|| "null".to_owned(), Value::to_string),
            });
            texts.collect::<Vec<_>>().join("\n")
        };
        Some(match input.get("call")?.as_str()? {
            "buildReviewContext" => lines(&["input", "policy"]),
            "createReviewSubject" => lines(&["basis", "request", "context"]),
            "subjectDigest" => lines(&["subject"]),
            "createReviewPolicy" => lines(&["policy"]),
            "evaluateAssessment" => lines(&["policy", "subject", "assessment"]),
            "combineAssessments" => lines(&["policy", "classifiers", "outcomes"]),
            _ => lines(&["text", "subject"]),
        })
    };
    vectors.iter().filter_map(seed).collect()
}

/// Snapshots of the auto stage, whole and not.
fn snapshot_seeds() -> Vec<String> {
    let whole = r#"{"v":1,"failures":{"p/m":3,"p/n":1,"__proto__":0},"open":["p/m","é"],"seeded":["s","t"],"breakerAudited":["s"],
        "unarmedAudited":[""],"warned":{"breaker":true,"unarmed":false},"slice":"null {}","cache":[["KEY","ask","a rule"],["KEY","allow",""]]}"#;
    let whole = whole.replace("KEY", &"0f".repeat(32));
    let cut =
        (1..whole.len()).step_by(7).filter_map(|at| whole.get(..at).map(str::to_owned)).collect::<Vec<_>>();
    [vec![whole.clone(), whole.replace("\"v\":1", "\"v\":2"), whole.replace("allow", "deny")], cut].concat()
}

fn seeds() -> BTreeMap<&'static str, Vec<String>> {
    let lines =
        || [inputs("tests/corpus/vectors/shell.json"), inputs("tests/corpus/vectors/risk.json")].concat();
    let tricky = include_str!("corpus/shell-tricky.txt").split("\n%%\n").map(str::to_owned);
    let all_lines: Vec<String> = commands().into_iter().chain(lines()).chain(tricky).collect();
    let rules = inputs("tests/corpus/vectors/rules.json");
    let pairs = |texts: &[String]| texts.windows(2).map(|two| two.join("\n")).collect::<Vec<_>>();
    BTreeMap::from([
        ("reader", all_lines.clone()),
        ("commands", all_lines),
        ("paths", pairs(&inputs("tests/corpus/vectors/risk.json"))),
        ("patterns", pattern_seeds()),
        ("rules", pairs(&rules)),
        ("verdicts", inputs("tests/corpus/vectors/auto-stage.json")),
        ("snapshots", snapshot_seeds()),
        ("policies", policy_seeds()),
        ("reviews", review_seeds()),
    ])
}

/// What was found once, by the name of its target.
fn finds(target: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(folder) = fs::read_dir(at("fuzz/finds").join(target)) else { return Vec::new() };
    let mut finds: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    finds.sort();
    finds.into_iter().map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

#[test]
fn seeds_and_finds_hold() {
    let seeds = seeds();
    let mut broken = Vec::new();
    for (target, _) in TARGETS {
        let seeded = seeds[target].iter().map(|seed| (format!("{seed:?}"), seed.clone().into_bytes()));
        let inputs: Vec<_> = seeded.chain(finds(target)).collect();
        println!("{target}: {} inputs", inputs.len());
        assert!(!inputs.is_empty(), "{target} has no input");
        for (name, bytes) in inputs {
            if catch_unwind(|| targets::run(target, &bytes)).is_err() {
                broken.push(format!("{target}: {}", name.chars().take(300).collect::<String>()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_target_is_a_binary_and_no_find_is_lost() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let manifest = fs::read_to_string(at("fuzz/Cargo.toml")).unwrap();
    for name in &names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in fuzz/Cargo.toml");
        assert!(at("fuzz/fuzz_targets").join(format!("{name}.rs")).is_file(), "{name} has no binary");
    }
    for entry in fs::read_dir(at("fuzz/finds")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            names.contains(&name.as_str()) || name == "README.md",
            "fuzz/finds/{name} belongs to no target"
        );
    }
}

/// Run by hand before a longer run.
#[test]
#[ignore = "it writes files"]
fn write_seeds() {
    for (target, seeds) in seeds() {
        let folder = at("fuzz/corpus").join(target);
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:05}")), seed).unwrap();
        }
    }
}
