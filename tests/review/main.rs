//! Permission review gates: the inner figures of the vectors, contexts that always make subjects, and every order of events
//! of a small session.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod checks;
mod contexts;
mod figures;
mod model;
mod play;
mod samples;

/// Each guarantee of `docs/review.md` names what tests it, and that is there: files, and what stands in them.
#[test]
fn every_guarantee_names_a_test() {
    let read = |path: &str| {
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
    };
    let page = read("docs/review.md");
    let table = page.split("## What always holds").nth(1).and_then(|rest| rest.split("## ").next()).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 10, "{table}");
    for row in rows {
        let tests = row.split(" | ").nth(1).unwrap();
        let files: Vec<String> =
            tests.split('`').filter(|part| part.starts_with("tests/")).map(read).collect();
        assert!(!files.is_empty(), "{row}");
        let names = tests.split('`').skip(1).step_by(2).filter(|part| !part.contains('/'));
        for name in names.chain(tests.split('"').skip(1).step_by(2)) {
            assert!(files.iter().any(|file| file.contains(name)), "{name}: {row}");
        }
    }
}
