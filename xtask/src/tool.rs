//! Programs that are built from a crate: minutes, so they are kept outside the target folder.

use std::path::PathBuf;

use anyhow::Result;

use crate::{place, sh};

/// A program of a crate, at one version.
pub(crate) struct Tool<'a> {
    pub(crate) package: &'a str,
    pub(crate) version: &'a str,
    pub(crate) program: &'a str,
    /// Whether the versions that were published with it are taken.
    pub(crate) locked: bool,
}

impl Tool<'_> {
    /// Where the program lies, built first where it is missing.
    pub(crate) fn install(&self) -> Result<PathBuf> {
        let Self { package, version, program, locked } = self;
        let root = place::cache()?.join(format!("{package}-{version}"));
        let path = root.join("bin").join(program);
        if !path.is_file() {
            println!("cargo install {package} {version} (some minutes, once)");
            let mut install = sh::cargo(["install", package, "--bin", program, "--quiet", "--version"]);
            install.arg(format!("={version}")).arg("--root").arg(&root);
            install.args(locked.then_some("--locked"));
            install.env("CARGO_TARGET_DIR", place::target().join(package));
            sh::run(&mut install)?;
        }
        Ok(path)
    }
}
