//! The preview page: built by Vite from `www/` and an assembled package into `dist/www`, served by a small server.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{place, sh};

const CONFIG: &str = "www/vite.config.js";
const SERVER: &str = "www/serve.mjs";

/// Builds the page against a package folder and says where it is.
pub(crate) fn build(package: &Path) -> Result<PathBuf> {
    let mut vite = sh::npm_tool("vite", ["build", "--config", CONFIG]);
    sh::quiet(vite.env("TOOLGATE_PACKAGE", package))?;
    let page = place::at("dist/www");
    std::fs::metadata(page.join("index.html")).context("vite made no page")?;
    Ok(page)
}

/// Serves a built page until it is stopped; the server says where.
pub(crate) fn serve(page: &Path) -> Result<()> {
    sh::run(sh::command("node", [SERVER]).arg(page))
}
