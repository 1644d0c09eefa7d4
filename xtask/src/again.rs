//! `cargo xtask again`: the same sources at another place, built into another target folder, give the same bytes.

use std::path::Path;
use std::{env, fs, process};

use anyhow::{Context, Result, ensure};

use crate::step::Steps;
use crate::{build, flags, place, sh};

/// What a build makes of the sources.
const MADE: &[&str] = &["toolgate.wasm", "core.js", "core.d.ts"];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    let mut steps = Steps::new();
    let mut package = None;
    steps.run("build", || {
        package = Some(build::package()?);
        Ok(())
    })?;
    let package = package.context("no package")?;
    steps.count("the same bytes again", || check(&package))
}

/// Builds a copy of the sources from nothing, and compares with a package; gives the number of files that are the same.
pub(crate) fn check(package: &Path) -> Result<usize> {
    let elsewhere = Elsewhere::new()?;
    let (root, target, stage) =
        (elsewhere.dir.join("sources"), elsewhere.dir.join("made"), elsewhere.dir.join("stage"));
    copy_sources(&root)?;
    fs::create_dir_all(&stage)?;
    build::module(&root, &target, &stage)?;
    for name in MADE {
        let (one, other) = (fs::read(package.join(name))?, fs::read(stage.join(name))?);
        let differ = one.iter().zip(&other).position(|(one, other)| one != other);
        ensure!(
            one == other,
            "{name}: {} bytes, and {} at another place; the first that differs is at {}",
            one.len(),
            other.len(),
            differ.unwrap_or_else(|| one.len().min(other.len()))
        );
    }
    Ok(MADE.len())
}

/// A folder outside of the repository, removed when this goes.
struct Elsewhere {
    dir: std::path::PathBuf,
}

impl Elsewhere {
    fn new() -> Result<Self> {
        let dir = env::temp_dir().join(format!("toolgate-again-{}", process::id()));
        fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
        Ok(Self { dir })
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // What is left behind lies in a temporary folder.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Every file that git tracks or would track.
fn copy_sources(to: &Path) -> Result<()> {
    let list =
        sh::quiet(&mut sh::command("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    for path in list.split('\0').filter(|path| !path.is_empty()) {
        let (from, to) = (place::at(path), to.join(path));
        // Gone from the folder, but still in the index.
        if !from.is_file() {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&from, &to).with_context(|| path.to_owned())?;
    }
    Ok(())
}
