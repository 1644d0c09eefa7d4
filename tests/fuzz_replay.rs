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

#[path = "../fuzz/seeds.rs"]
mod seeds;
#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;

use seeds::{at, seeds};
use targets::TARGETS;

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
        let seeded = seeds[target]
            .iter()
            .map(|seed| (String::from_utf8_lossy(seed).escape_debug().to_string(), seed.clone()));
        let inputs: Vec<_> = seeded.chain(finds(target)).collect();
        assert!(!inputs.is_empty(), "{target} has no input");
        let (count, start) = (inputs.len(), std::time::Instant::now());
        for (name, bytes) in inputs {
            if catch_unwind(|| targets::run(target, &bytes)).is_err() {
                broken.push(format!("{target}: {}", name.chars().take(300).collect::<String>()));
            }
        }
        println!("{target}: {count} inputs in {:?}", start.elapsed());
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
