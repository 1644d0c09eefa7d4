//! `cargo xtask pack`: the tarball as it would be published, and what other tools say of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::size::Size;
use crate::{build, flags, place, sh};

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    let package = build::package()?;
    let tarball = tarball(&package)?;
    check(&tarball)?;
    Size::of(&package)?.print();
    println!("{}", tarball.strip_prefix(place::root())?.display());
    Ok(())
}

/// Packs the package folder.
pub(crate) fn tarball(package: &Path) -> Result<PathBuf> {
    let dist = place::at("dist");
    let tarball = dist.join(format!("toolgate-{}.tgz", build::version_of(package)?));
    if tarball.exists() {
        fs::remove_file(&tarball)?;
    }
    let mut npm = sh::command("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination"]);
    sh::quiet(npm.arg(&dist).arg(package))?;
    fs::metadata(&tarball).with_context(|| format!("npm pack made no {}", tarball.display()))?;
    Ok(tarball)
}

/// Fails on anything that publint or attw has to say. Gives the number of tools that were asked.
pub(crate) fn check(tarball: &Path) -> Result<usize> {
    sh::quiet(sh::npm_tool("publint", ["--strict"]).arg(tarball))?;
    sh::quiet(sh::npm_tool("attw", ["--profile", "esm-only", "--no-emoji"]).arg(tarball))?;
    Ok(2)
}
