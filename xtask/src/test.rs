//! `cargo xtask test`: everything that must hold, step by step; the first step that fails ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::installed::Installed;
use crate::setup::WASM_TARGET;
use crate::step::Steps;
use crate::{
    again, bench, build, callgrind, chromium, counts, demo, docs, flags, growth, npm, pack, page, place,
    runner, setup, sh, supply, tidy, vectors,
};

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    let mut steps = Steps::new();
    let result = run(&mut steps);
    println!("── in all: {:.0} s", steps.seconds());
    // The plain closing line; a step that fails ends the run, so one at most has failed.
    println!("{} passed, {} failed", steps.passed(), usize::from(result.is_err()));
    result
}

fn run(steps: &mut Steps) -> Result<()> {
    steps.run("set-up", || {
        setup::target()?;
        npm::install()?;
        runner::install()?;
        supply::install()?;
        callgrind::install()?;
        chromium::install().map(drop)
    })?;
    tidy::run(steps)?;
    supply::run(steps)?;
    steps.count("native tests", || cargo_test(sh::cargo(["test", "--quiet", "--workspace"])))?;
    // Once more, for what it says: how many commands bash was asked about.
    steps.count("bash itself", || {
        let oracle = ["test", "--quiet", "--test", "bash_oracle", "--", "--nocapture"];
        cargo_test(sh::cargo(oracle))
    })?;
    steps.count("linear time", growth::check)?;
    steps.count("counts", counts::check)?;
    steps.count("wasm tests in Node", || wasm_test(false))?;
    steps.count("wasm tests in Chromium", || wasm_test(true))?;

    let mut package = PathBuf::new();
    steps.run("build", || {
        package = build::package()?;
        Ok(())
    })?;
    steps.count("the same bytes again", || again::check(&package))?;
    let mut tarball = PathBuf::new();
    steps.count("pack", || {
        tarball = pack::tarball(&package)?;
        pack::check(&tarball)
    })?;
    steps.count("size", || bench::check_size(&package).map(|()| 1))?;

    let installed = Installed::new(&tarball)?;
    steps.count("vectors", || vectors::compare_with_score(&installed))?;
    steps.count("package tests", || node_test(installed.node_test(&tests_in("tests/js")?)))?;
    steps.count("differences from unbash", || counted(differential()))?;
    steps.count("the API's reference", docs::check)?;
    steps.count("types", || counted(script("tests/types/run.mjs", &tarball)?))?;
    steps.count("consumers", || counted(script("tests/consumers/run.mjs", &tarball)?))?;
    steps.count("faults", || counted(script("tests/faults/run.mjs", &tarball)?))?;
    steps.count("the examples", || node_test(examples(&tarball)?))?;
    steps.count("the element", || node_test(element(&tarball)?))?;
    steps.count("the demo", || demo::rehearse(&package))?;
    steps.count("the page", || end_to_end(&package))
}

/// Cargo's tests; their number is read from the closing line of each binary.
fn cargo_test(mut command: Command) -> Result<usize> {
    let (success, text) = sh::tee(&mut command)?;
    ensure!(success, "a test failed");
    let passed = passed_of_cargo(&text);
    ensure!(passed > 0, "no test ran");
    Ok(passed)
}

/// `test result: ok. 12 passed; 0 failed; …`
fn passed_of_cargo(text: &str) -> usize {
    let results = text.lines().filter_map(|line| line.trim().strip_prefix("test result: ok. "));
    results.filter_map(|rest| rest.split_once(" passed")?.0.parse::<usize>().ok()).sum()
}

/// The tests of `tests/wasm`, the same ones in both places.
fn wasm_test(in_browser: bool) -> Result<usize> {
    let mut cargo = sh::cargo(["test", "--package", "toolgate", "--test", "wasm", "--target", WASM_TARGET]);
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner::install()?);
    if in_browser {
        // The runner reads `webdriver.json` for the flags of the browser.
        cargo.env("CHROMEDRIVER", chromium::install()?.driver).env("WASM_BINDGEN_USE_BROWSER", "1");
    }
    cargo_test(cargo)
}

/// Files of a folder that are named as tests, in order.
fn tests_in(folder: &str) -> Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    for entry in fs::read_dir(place::at(folder)).with_context(|| folder.to_owned())? {
        let name = entry?.file_name();
        if name.to_string_lossy().ends_with(".test.mjs") {
            tests.push(PathBuf::from(name));
        }
    }
    tests.sort();
    ensure!(!tests.is_empty(), "{folder} has no *.test.mjs");
    Ok(tests)
}

/// Node's test runner; `ℹ pass 12`.
fn node_test(mut command: Command) -> Result<usize> {
    let (success, text) = sh::tee(&mut command)?;
    ensure!(success, "a test failed");
    let passed = passed_of_node(&text);
    ensure!(passed > 0, "no test ran");
    Ok(passed)
}

fn passed_of_node(text: &str) -> usize {
    text.lines()
        .filter_map(|line| line.strip_prefix("ℹ pass "))
        .filter_map(|n| n.trim().parse::<usize>().ok())
        .sum()
}

/// A script of the repository that takes the tarball, prints a line for each thing that it tried and ends with
/// `N passed`.
fn script(file: &str, tarball: &PathBuf) -> Result<Command> {
    ensure!(place::at(file).is_file(), "{file} is missing");
    let mut node = sh::command("node", [file]);
    node.arg(tarball).env("CHROMIUM", chromium::install()?.browser);
    Ok(node)
}

/// The examples, each on the packed tarball.
fn examples(tarball: &Path) -> Result<Command> {
    let mut node = sh::command("node", ["--test", "--test-reporter=spec"]);
    node.args(tests_in("tests/examples")?.iter().map(|test| place::at("tests/examples").join(test)));
    node.env("CHROMIUM", chromium::install()?.browser).env("TOOLGATE_TARBALL", tarball);
    node.env("TOOLGATE_SCREENSHOTS", screenshots());
    Ok(node)
}

/// The custom element in a plain page, in React and in Vue, each on the packed tarball.
fn element(tarball: &Path) -> Result<Command> {
    let mut node = sh::command("node", ["--test", "--test-reporter=spec", "--test-concurrency=1"]);
    node.args(tests_in("tests/element")?.iter().map(|test| place::at("tests/element").join(test)));
    node.env("CHROMIUM", chromium::install()?.browser).env("TOOLGATE_TARBALL", tarball);
    node.env("TOOLGATE_SCREENSHOTS", screenshots());
    Ok(node)
}

/// What a person looks at.
fn screenshots() -> PathBuf {
    place::target().join("screenshots")
}

/// Readings beside another parser's, over the package that was built.
fn differential() -> Command {
    let mut node = sh::command("node", ["tests/differential/unbash.mjs"]);
    node.env("TOOLGATE_PACKAGE", place::at("dist/package"));
    node
}

fn counted(mut command: Command) -> Result<usize> {
    let (success, text) = sh::tee(&mut command)?;
    ensure!(success, "it failed");
    let passed = text.lines().rev().find_map(|line| line.strip_suffix(" passed")?.parse::<usize>().ok());
    passed.filter(|passed| *passed > 0).context("nothing was tried")
}

/// The page end to end, built against the package that was built.
fn end_to_end(package: &Path) -> Result<usize> {
    let page = page::build(package)?;
    let tests = tests_in("tests/www")?;
    let mut node = sh::command("node", ["--test", "--test-reporter=spec"]);
    node.args(tests.iter().map(|test| place::at("tests/www").join(test)));
    node.env("CHROMIUM", chromium::install()?.browser).env("TOOLGATE_PAGE", page);
    node.env("TOOLGATE_SCREENSHOTS", screenshots());
    node_test(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_closing_lines_of_cargo() {
        let text = "test result: ok. 3 passed; 0 failed; 1 ignored\n\ntest result: ok. 10 passed; 0 failed";
        assert_eq!(passed_of_cargo(text), 13);
        assert_eq!(passed_of_cargo("test result: FAILED. 3 passed; 1 failed"), 0);
        assert_eq!(passed_of_cargo("no tests to run!"), 0);
    }

    #[test]
    fn reads_the_closing_lines_of_node() {
        assert_eq!(passed_of_node("ℹ tests 5\nℹ pass 4\nℹ fail 1\n"), 4);
        assert_eq!(passed_of_node("ℹ tests 0\nℹ pass 0\n"), 0);
    }
}
