//! What the package holds beside its own code, with the licence of each: `licenses.txt`, made at each build.
//!
//! Crates come from `cargo metadata`, so that none is forgotten: whatever the module is linked of, macros apart. The
//! standard library brings no text along where its documentation is not installed: its own stands in
//! `xtask/licences/rust-library.txt`. Libraries inside bundles come from the bundlers, which refuse one without a text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::setup::{MODULE, WASM_TARGET};
use crate::{place, sh};

/// The one file of a package, or of the page, that has all licences.
pub(crate) const FILE: &str = "licenses.txt";

/// What Vite writes beside the element, and what goes into the one file.
pub(crate) const OF_ELEMENT: &str = "element-licenses.txt";

const LINE: &str = "──────────────────────────────────────────────────────────────────────────────";

/// Files that may hold the licence of a crate, the first one first: of two that one may choose from, the shorter.
const TEXTS: &[&str] = &["LICENSE-MIT", "LICENSE", "LICENSE.md", "LICENSE.txt", "LICENSE-APACHE"];

/// What holds beside the licence that one may choose.
const ALSO: &[&str] = &["LICENSE-UNICODE", "NOTICE"];

/// Writes the file of an assembled package; what Vite wrote for the element becomes a part of it.
pub(crate) fn write(package: &Path) -> Result<()> {
    let element = fs::read_to_string(package.join(OF_ELEMENT)).context(OF_ELEMENT)?;
    fs::remove_file(package.join(OF_ELEMENT))?;
    let library = fs::read_to_string(place::at("xtask/licences/rust-library.txt"))?;
    let crates = crates()?.into_iter().map(|(title, text)| entry(&title, &text)).collect::<String>();
    let jsonc = entry_of_npm("jsonc-parser")?;
    let parts = [
        "This package is licensed under MIT or Apache-2.0: LICENSE-MIT, LICENSE-APACHE. It holds parts of others, file by file.\n",
        &format!("\nThe files toolgate.wasm and core.js are made of these as well:\n{crates}{library}"),
        &format!("\n{LINE}\nThe file cli/jsonc.js holds this package:\n{jsonc}"),
        &format!("\n{LINE}\n{element}"),
    ];
    fs::write(package.join(FILE), parts.concat()).context(FILE)
}

fn entry(title: &str, text: &str) -> String {
    format!("\n{LINE}\n{title}\n\n{}\n", text.trim())
}

fn entry_of_npm(name: &str) -> Result<String> {
    let folder = place::at("node_modules").join(name);
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("package.json"))?)?;
    let said = |key: &str| manifest[key].as_str().with_context(|| format!("{name} says no {key}"));
    let text = fs::read_to_string(folder.join("LICENSE.md"))?;
    Ok(entry(&format!("{name} {} ({})", said("version")?, said("license")?), &text))
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: String,
    source: Option<String>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// Absent for what is linked in.
    kind: Option<String>,
}

/// Titles and licence texts of the crates that the module is linked of.
fn crates() -> Result<BTreeMap<String, String>> {
    let json = sh::quiet(&mut sh::cargo([
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        WASM_TARGET,
    ]))?;
    let metadata: Metadata = serde_json::from_str(&json)?;
    let mut texts = BTreeMap::new();
    for package in linked(&metadata) {
        // Our own crates are the package.
        if package.source.is_none() {
            continue;
        }
        let license =
            package.license.as_deref().with_context(|| format!("{} has no licence", package.name))?;
        texts.insert(format!("{} {} ({license})", package.name, package.version), text_of(package)?);
    }
    ensure!(!texts.is_empty(), "the module is made of no crate");
    Ok(texts)
}

/// What is reached from the module's crate by dependencies that are linked, and not through macros.
fn linked(metadata: &Metadata) -> Vec<&Package> {
    let root = metadata.packages.iter().find(|package| package.name == MODULE);
    let mut open: Vec<&str> = root.iter().map(|package| package.id.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        let Some(package) = metadata.packages.iter().find(|package| package.id == id) else { continue };
        let is_macro =
            package.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"));
        if is_macro || !seen.insert(id) {
            continue;
        }
        found.push(package);
        let node = metadata.resolve.nodes.iter().find(|node| node.id == id);
        for dependency in node.iter().flat_map(|node| &node.deps) {
            if dependency.dep_kinds.iter().any(|kind| kind.kind.is_none()) {
                open.push(&dependency.pkg);
            }
        }
    }
    found
}

fn text_of(package: &Package) -> Result<String> {
    let folder = Path::new(&package.manifest_path).parent().context("a crate has no folder")?;
    let texts = TEXTS.iter().filter_map(|name| fs::read_to_string(folder.join(name)).ok());
    // Some name another file only.
    let mut text = texts
        .into_iter()
        .find(|text| text.len() > 400)
        .with_context(|| format!("{} {} has no licence text", package.name, package.version))?;
    for also in ALSO.iter().filter_map(|name| fs::read_to_string(folder.join(name)).ok()) {
        text.push_str(&format!("\n{also}"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(id: &str, kind: &str) -> serde_json::Value {
        serde_json::json!({ "id": id, "name": id, "version": "1.0.0", "license": "MIT", "manifest_path": "/x/Cargo.toml",
            "source": "registry", "targets": [{ "kind": [kind] }] })
    }

    #[test]
    fn follows_what_is_linked() {
        let depends =
            |id: &str, kind: Option<&str>| serde_json::json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata: Metadata = serde_json::from_value(serde_json::json!({
            "packages": [package(MODULE, "lib"), package("hash", "lib"), package("derive", "proc-macro"), package("syntax", "lib"),
                package("script", "lib"), package("inner", "lib")],
            "resolve": { "nodes": [
                { "id": MODULE, "deps": [depends("hash", None), depends("derive", None), depends("script", Some("build"))] },
                { "id": "derive", "deps": [depends("syntax", None)] },
                { "id": "hash", "deps": [depends("inner", None), depends(MODULE, Some("dev"))] },
            ] },
        }))
        .unwrap();
        let names: BTreeSet<&str> = linked(&metadata).iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, BTreeSet::from([MODULE, "hash", "inner"]));
    }
}
