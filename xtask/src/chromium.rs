//! Chromium and its driver, for tests in a real browser.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{debian, place};

/// A browser and the WebDriver server that drives it.
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds them; where they are missing, Debian's packages are installed if we are root on such a system.
pub(crate) fn install() -> Result<Chromium> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if debian::install(&["chromium", "chromium-driver"])?
        && let Some(found) = find()
    {
        return Ok(found);
    }
    bail!(
        "Chromium or chromedriver is missing: install Debian's `chromium` and `chromium-driver`, or set CHROMIUM and CHROMEDRIVER"
    )
}

/// What is there.
pub(crate) fn find() -> Option<Chromium> {
    let given = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|file| file.is_file());
    Some(Chromium {
        browser: given("CHROMIUM").or_else(|| place::on_path("chromium"))?,
        driver: given("CHROMEDRIVER").or_else(|| place::on_path("chromedriver"))?,
    })
}
