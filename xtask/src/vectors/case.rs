//! Vector files: lists of `{"id","dialect","area","title","input","expect"}`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

/// One vector.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// Areas that know no dialects leave it out.
    #[serde(default = "no_dialect")]
    pub(crate) dialect: String,
    #[serde(rename = "area")]
    _area: String,
    #[serde(rename = "title")]
    _title: String,
    pub(crate) input: Value,
    pub(crate) expect: Value,
}

fn no_dialect() -> String {
    "any".to_owned()
}

/// A file's name without its extension, and its vectors.
pub(crate) struct VectorFile {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

/// Reads the files of `dir`, or only those named, in order of name.
pub(crate) fn load(dir: &Path, only: &[String]) -> Result<Vec<VectorFile>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for wanted in only {
        ensure!(paths.iter().any(|path| name(path) == *wanted), "{} has no {wanted}.json", dir.display());
    }
    paths.retain(|path| only.is_empty() || only.contains(&name(path)));
    ensure!(!paths.is_empty(), "{} has no vector files", dir.display());
    paths.iter().map(|path| Ok(VectorFile { name: name(path), cases: read(path)? })).collect()
}

fn read(path: &Path) -> Result<Vec<Case>> {
    let items: Vec<Value> =
        serde_json::from_slice(&fs::read(path)?).with_context(|| path.display().to_string())?;
    let mut cases = Vec::with_capacity(items.len());
    for item in items {
        // A file may open with a note about itself.
        if cases.is_empty()
            && item.as_object().is_some_and(|item| item.len() == 1 && item.contains_key("header"))
        {
            continue;
        }
        let case: Case = serde_json::from_value(item).with_context(|| path.display().to_string())?;
        if cases.iter().any(|other: &Case| other.id == case.id) {
            bail!("{}: two vectors are called {}", path.display(), case.id);
        }
        cases.push(case);
    }
    Ok(cases)
}
