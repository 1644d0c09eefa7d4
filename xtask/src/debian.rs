//! Debian's packages, where we are root on such a system.

use anyhow::Result;

use crate::{place, sh};

/// Installs packages; `false` where that cannot be.
pub(crate) fn install(packages: &[&str]) -> Result<bool> {
    let Some(apt) = place::on_path("apt-get").filter(|_| is_root()) else { return Ok(false) };
    println!("apt-get install {}", packages.join(" "));
    sh::quiet(sh::command(&apt, ["-qq", "update"]).env("DEBIAN_FRONTEND", "noninteractive"))?;
    let mut install = sh::command(&apt, ["-qq", "-y", "--no-install-recommends", "install"]);
    sh::quiet(install.args(packages).env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(true)
}

fn is_root() -> bool {
    sh::quiet(&mut sh::command("id", ["-u"])).is_ok_and(|id| id.trim() == "0")
}
