//! Where things lie.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// A path given relative to the root of the repository.
pub(crate) fn at(relative: &str) -> PathBuf {
    root().join(relative)
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), |dir| root().join(dir))
}

/// What outlives `cargo clean`: tools that take minutes to build.
pub(crate) fn cache() -> Result<PathBuf> {
    let base = match env::var_os("XDG_CACHE_HOME") {
        Some(dir) => PathBuf::from(dir),
        None => home()?.join(".cache"),
    };
    Ok(base.join("toolgate"))
}

/// The user's home folder.
pub(crate) fn home() -> Result<PathBuf> {
    env::home_dir().context("no home folder: set HOME")
}

/// Where cargo keeps the sources of dependencies.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    env::var_os("CARGO_HOME").map_or_else(|| Ok(home()?.join(".cargo")), |dir| Ok(PathBuf::from(dir)))
}

/// The first program of that name on the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// An empty folder under the target folder, for one use.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let dir = target().join("scratch").join(name);
    if dir.exists() {
        std::fs::remove_dir_all(&dir).with_context(|| format!("cannot empty {}", dir.display()))?;
    }
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}
