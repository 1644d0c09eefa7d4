//! The core is pure: no clock, file, network, environment or process outside `src/wasm`, and no host of JavaScript either.

use super::paths::paths;
use super::{Complaint, Source};

/// A path that begins like this is banned in `src`, but for the rooms that are named.
struct Ban {
    path: &'static [&'static str],
    but: &'static [&'static str],
    why: &'static str,
}

const BOUNDARY: &[&str] = &["wasm"];
const SHAPES: &[&str] = &["wasm", "wire"];

const BANS: &[Ban] = &[
    Ban { path: &["js_sys"], but: BOUNDARY, why: "only src/wasm talks to JavaScript" },
    Ban { path: &["web_sys"], but: BOUNDARY, why: "only src/wasm talks to JavaScript" },
    Ban { path: &["wasm_bindgen"], but: BOUNDARY, why: "only src/wasm talks to JavaScript" },
    Ban { path: &["serde_wasm_bindgen"], but: BOUNDARY, why: "only src/wasm talks to JavaScript" },
    Ban { path: &["tsify"], but: SHAPES, why: "the shapes of JavaScript live in src/wire" },
    Ban { path: &["Tsify"], but: SHAPES, why: "the shapes of JavaScript live in src/wire" },
    Ban { path: &["std", "fs"], but: &[], why: "the core opens no file" },
    Ban { path: &["std", "net"], but: &[], why: "the core opens no connection" },
    Ban { path: &["std", "env"], but: &[], why: "the core knows no environment" },
    Ban { path: &["std", "process"], but: &[], why: "the core runs nothing" },
    Ban { path: &["std", "thread"], but: &[], why: "the core has no threads" },
    Ban { path: &["std", "io"], but: &[], why: "the core reads and writes no stream" },
    Ban { path: &["std", "time", "Instant"], but: &[], why: "time comes in as `now_ms`" },
    Ban { path: &["std", "time", "SystemTime"], but: &[], why: "time comes in as `now_ms`" },
    Ban { path: &["std", "time", "*"], but: &[], why: "time comes in as `now_ms`" },
    Ban { path: &["std", "*"], but: &[], why: "a glob hides what comes in" },
    Ban { path: &["Instant"], but: &[], why: "time comes in as `now_ms`" },
    Ban { path: &["SystemTime"], but: &[], why: "time comes in as `now_ms`" },
];

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    sources.iter().filter(|source| source.path.ends_with(".rs")).flat_map(check_file).collect()
}

fn check_file(source: &Source) -> Vec<Complaint> {
    let Some(inside) = source.path.strip_prefix("src/") else { return Vec::new() };
    let room = inside.split_once('/').map_or(inside.trim_end_matches(".rs"), |(room, _)| room);
    let mut complaints = Vec::new();
    for named in paths(&source.text) {
        for ban in BANS {
            let hit = named.segments.len() >= ban.path.len()
                && named.segments.iter().zip(ban.path).all(|(a, b)| a == b);
            if hit && !ban.but.contains(&room) {
                let says = format!("`{}`: {}", ban.path.join("::"), ban.why);
                complaints.push(Complaint::new(&source.path, named.line, says));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[track_caller]
    fn complaints(path: &str, text: &str, expected: usize) {
        let found = check(&[source(path, text)]);
        assert_eq!(found.len(), expected, "{path}: {text}: {found:?}");
    }

    #[test]
    fn the_core_has_no_host() {
        complaints("src/rule/parse.rs", "use wasm_bindgen::prelude::*;", 1);
        complaints("src/wire/rule.rs", "use js_sys::Array;", 1);
        complaints("src/rule/parse.rs", "use std::{fs, env::var, fmt};", 2);
        complaints("src/risk/mod.rs", "fn f() { std::time::Instant::now(); }", 1);
        complaints("src/rule.rs", "use tsify::Tsify;", 1);
        complaints("src/rule.rs", "#[derive(Tsify)] struct A;", 1);
        complaints("src/lib.rs", "use std::*;", 1);
    }

    #[test]
    fn what_is_allowed_where() {
        complaints("src/wasm/mod.rs", "use wasm_bindgen::prelude::*; use js_sys::JSON;", 0);
        complaints("src/wasm.rs", "use wasm_bindgen::prelude::*;", 0);
        complaints("src/wasm/mod.rs", "use std::fs;", 1);
        complaints("src/wire/rule.rs", "#[derive(tsify::Tsify)] struct A;", 0);
        complaints("src/rule/parse.rs", "// std::fs\nuse std::time::Duration;", 0);
        complaints("xtask/src/main.rs", "use std::fs;", 0);
    }
}
