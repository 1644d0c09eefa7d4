//! The preview page: built by Vite from `www/` and an assembled package into `dist/www`, served by a small server.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{licences, place, sh};

const CONFIG: &str = "www/vite.config.js";
const SERVER: &str = "www/serve.mjs";

/// Builds the page against a package folder and says where it is.
pub(crate) fn build(package: &Path) -> Result<PathBuf> {
    let mut vite = sh::npm_tool("vite", ["build", "--config", CONFIG]);
    sh::quiet(vite.env("TOOLGATE_PACKAGE", package))?;
    let page = place::at("dist/www");
    fs::metadata(page.join("index.html")).context("vite made no page")?;
    // Those of what it bundles, and, since the package is among it, those of the package.
    let bundled = fs::read_to_string(page.join(licences::FILE)).context("vite made no list of licences")?;
    let inner = fs::read_to_string(package.join(licences::FILE)).context(licences::FILE)?;
    fs::write(
        page.join(licences::FILE),
        format!("{bundled}\nIt also holds the package toolgate:\n\n{inner}"),
    )?;
    Ok(page)
}

/// Serves a built page until it is stopped; the server says where.
pub(crate) fn serve(page: &Path) -> Result<()> {
    sh::run(sh::command("node", [SERVER]).arg(page))
}
