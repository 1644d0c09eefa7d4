//! The packed package, installed as a user would: into a folder of its own, outside of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use anyhow::{Context, Result};
use walkdir::WalkDir;

use crate::{chromium, place, sh};

/// Such a folder, removed when this goes. The files of `tests/js` lie beside `node_modules`, so that they import the
/// package by its name.
pub(crate) struct Installed {
    dir: PathBuf,
}

impl Installed {
    pub(crate) fn new(tarball: &Path) -> Result<Self> {
        let dir = env::temp_dir().join(format!("toolgate-installed-{}", process::id()));
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        fs::create_dir_all(&dir)?;
        let installed = Self { dir };
        installed.fill(tarball)?;
        Ok(installed)
    }

    fn fill(&self, tarball: &Path) -> Result<()> {
        fs::write(self.dir.join("package.json"), r#"{"private":true,"type":"module"}"#)?;
        // Offline: the package has no dependencies, and this fails if it gets one.
        let mut npm =
            sh::command("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"]);
        sh::quiet(npm.arg(tarball).current_dir(&self.dir))?;
        copy_tree(&place::at("tests/js"), &self.dir)
    }

    /// Node, about to run a file of `tests/js` on the installed package.
    pub(crate) fn node(&self, script: &str) -> Command {
        let mut node = sh::command("node", [script]);
        self.told(&mut node);
        node.current_dir(&self.dir);
        node
    }

    /// What a script may need to know of the repository.
    fn told(&self, command: &mut Command) {
        command.env("TOOLGATE_ROOT", place::root());
        if let Some(chromium) = chromium::find() {
            command.env("CHROMIUM", chromium.browser);
        }
    }

    /// Node's test runner on every file of `tests/js` that is named as a test.
    pub(crate) fn node_test(&self, files: &[PathBuf]) -> Command {
        let mut node = sh::command("node", ["--test", "--test-reporter=spec"]);
        node.args(files);
        self.told(&mut node);
        node.current_dir(&self.dir);
        node
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        // What is left behind lies in a temporary folder.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Copies every file below `from` to the same place below `to`.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in WalkDir::new(from).sort_by_file_name() {
        let entry = entry.with_context(|| from.display().to_string())?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| target.display().to_string())?;
        }
    }
    Ok(())
}
