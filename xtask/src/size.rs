//! What the package costs on the wire.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes of the module and of its glue, as they are and as a server would send them.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) wasm: usize,
    pub(crate) glue: usize,
    pub(crate) wasm_gzip: usize,
    pub(crate) glue_gzip: usize,
}

impl Size {
    /// Measures a package folder.
    pub(crate) fn of(package: &Path) -> Result<Self> {
        let read = |name: &str| fs::read(package.join(name)).with_context(|| format!("cannot read {name}"));
        let (wasm, glue) = (read("toolgate.wasm")?, read("core.js")?);
        Ok(Self { wasm: wasm.len(), glue: glue.len(), wasm_gzip: gzip(&wasm)?, glue_gzip: gzip(&glue)? })
    }

    /// What counts against the limit.
    pub(crate) fn gzip(self) -> usize {
        self.wasm_gzip + self.glue_gzip
    }

    pub(crate) fn print(self) {
        let kb = |bytes: usize| bytes as f64 / 1024.0;
        println!("toolgate.wasm {:7.1} KB, gzip {:6.1} KB", kb(self.wasm), kb(self.wasm_gzip));
        println!("core.js       {:7.1} KB, gzip {:6.1} KB", kb(self.glue), kb(self.glue_gzip));
        println!("together      {:7.1} KB, gzip {:6.1} KB", kb(self.wasm + self.glue), kb(self.gzip()));
    }
}

/// Length after gzip at its strongest.
pub(crate) fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}
