//! `cargo xtask demo`: replays real calls under real settings, then serves the page.

use anyhow::{Result, bail};

use crate::{build, flags, place};

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let _flags = flags(arguments, &["no-serve"])?;
    let package = build::package()?;
    let command = package.join("cli.js");
    if !command.is_file() {
        bail!("the package has no command yet: {}", command.strip_prefix(place::root())?.display());
    }
    bail!("the demo has no data yet")
}
