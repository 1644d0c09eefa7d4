//! `cargo xtask build`: the module in five steps, its glue, the element, and the package folder that they go into.
//!
//! ```text
//! src/ ─cargo─▶ target/…/toolgate.wasm ─panics─▶ cargo.wasm ─wasm-bindgen─▶ core.wasm core.d.ts glue.js
//! core.wasm ─wasm-opt─▶ small.wasm ─arrange─▶ toolgate.wasm        glue.js ─minify─▶ core.js
//! toolgate.wasm core.* pkg-template/ docs/ README.md SECURITY.md LICENSE-* ────▶ dist/package/
//! element/ ─vite─▶ element.js ─────────────────────────────────────────────────▶ dist/package/
//! licences of all that was taken in ─▶ licenses.txt ─────────────────────────▶ dist/package/
//! ```
//!
//! `panics` and `arrange` are rooms of their own: what a panic would say goes, and functions that look alike stand together.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::installed::copy_tree;
use crate::setup::{MODULE, WASM_TARGET};
use crate::size::Size;
use crate::{arrange, flags, licences, npm, panics, place, setup, sh};

/// What Rust's own target emits by default, and so what wasm-opt may meet.
const WASM_FEATURES: &[&str] = &[
    "--enable-reference-types",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
];

/// How large a function may be, in the compiler's own measure, to be put into those that call it, where a crate is compiled for
/// speed; its own limit is 225. Measured: less than half of that takes nothing from the speed of decisions, and a fiftieth off the size.
pub(crate) const INLINING: &str = "-Cllvm-args=-inlinedefault-threshold=90";

/// Files of the root that belong into the package.
const ROOT_FILES: &[&str] = &["README.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    let package = package()?;
    Size::of(&package)?.print();
    Ok(())
}

/// Builds the package folder and says where it is.
pub(crate) fn package() -> Result<PathBuf> {
    setup::target()?;
    npm::install()?;
    let stage = place::scratch("build")?;
    module(&place::root(), &place::target(), &stage)?;
    let package = place::at("dist/package");
    assemble(&stage, &package)?;
    element(&package)?;
    licences::write(&package)?;
    Ok(package)
}

/// What becomes of the names of functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Stripped,
    Kept,
}

/// Builds module and glue of the sources at a root: `toolgate.wasm`, `core.js` and `core.d.ts` of a folder.
pub(crate) fn module(root: &Path, target: &Path, stage: &Path) -> Result<()> {
    let remaps = remaps(root)?;
    let module = compile(root, target, &remaps)?;
    fs::write(stage.join("cargo.wasm"), panics::silent(&fs::read(module)?)?)?;
    generate(&stage.join("cargo.wasm"), stage, Names::Stripped)?;
    minify(&stage.join("glue.js"), &stage.join("core.js"))?;
    optimize(&stage.join("core.wasm"), &stage.join("small.wasm"), Names::Stripped)?;
    arrange(&stage.join("small.wasm"), &stage.join("toolgate.wasm"))?;
    refuse_traces(&stage.join("toolgate.wasm"), &remaps)
}

/// The module with its functions' names, but for their order the one that is published.
pub(crate) fn named() -> Result<Vec<u8>> {
    let stage = place::scratch("named")?;
    let module = compile(&place::root(), &place::target(), &remaps(&place::root())?)?;
    fs::write(stage.join("cargo.wasm"), panics::silent(&fs::read(module)?)?)?;
    generate(&stage.join("cargo.wasm"), &stage, Names::Kept)?;
    optimize(&stage.join("core.wasm"), &stage.join("small.wasm"), Names::Kept)?;
    Ok(fs::read(stage.join("small.wasm"))?)
}

/// A path of this machine, and what stands for it.
type Remap = (PathBuf, &'static str);

/// Paths of this machine, and what stands for them in panic messages.
///
/// The folders of `registry/src` are named for a registry's host, so each of them is named here.
fn remaps(root: &Path) -> Result<Vec<Remap>> {
    let cargo = place::cargo_home()?;
    let mut remaps = vec![(place::home()?, "/home"), (cargo.clone(), "/cargo")];
    let sysroot = sh::quiet(&mut sh::command("rustc", ["--print", "sysroot"]))?;
    remaps.push((PathBuf::from(sysroot.trim()), "/rust"));
    if let Ok(sources) = fs::read_dir(cargo.join("registry/src")) {
        for source in sources {
            remaps.push((source?.path(), "/crates"));
        }
    }
    remaps.push((root.to_owned(), "/toolgate"));
    Ok(remaps)
}

fn compile(root: &Path, target: &Path, remaps: &[Remap]) -> Result<PathBuf> {
    // rustc takes the last that fits, and cargo wants the flags parted by this character.
    let mut flags: Vec<String> =
        remaps.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect();
    flags.push(INLINING.to_owned());
    let mut cargo = sh::cargo(["build", "--quiet", "--lib", "--release", "--package", MODULE]);
    cargo.args(["--target", WASM_TARGET]).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    sh::run(cargo.current_dir(root).env("CARGO_TARGET_DIR", target))?;
    Ok(target.join(WASM_TARGET).join("release/toolgate_module.wasm"))
}

/// The glue for every runtime: one `web` module, told its bytes or its module by the entry points.
fn generate(module: &Path, stage: &Path, names: Names) -> Result<()> {
    let mut generator = Bindgen::new();
    generator
        .web(true)?
        .input_path(module)
        .out_name("core")
        .typescript(true)
        // No default place of the module: the entry points know it, and bundlers would look for a file that is not there.
        .omit_default_module_path(true)
        // After a trap the façade makes a fresh instance.
        .reset_state_function(true)
        .remove_name_section(names == Names::Stripped)
        .remove_producers_section(true);
    let mut output = generator.generate_output().context("wasm-bindgen")?;
    let snippets = output.snippets().values().flatten().count();
    ensure!(snippets == 0 && output.local_modules().is_empty(), "the glue wants files of its own");
    fs::write(stage.join("glue.js"), output.js())?;
    fs::write(stage.join("core.d.ts"), output.ts().context("wasm-bindgen gave no types")?)?;
    fs::write(stage.join("core.wasm"), output.wasm_mut().emit_wasm())?;
    Ok(())
}

/// The types of the glue stand in a file of their own; what is said of them in comments need not travel twice.
fn minify(from: &Path, to: &Path) -> Result<()> {
    sh::quiet(sh::command("node", ["xtask/minify.mjs"]).arg(from).arg(to)).map(drop)
}

/// Measured: `-Oz` is the smallest after gzip, and `-O3` no faster here. What pays most is to leave functions as LLVM
/// parted them: one that is called once takes fewer bytes inside its caller, but many more after gzip. For the same reason
/// expressions that repeat stay as they are, and data that is cut at its zeros would be many small segments.
fn optimize(from: &Path, to: &Path, names: Names) -> Result<()> {
    wasm_opt(
        from,
        to,
        &[
            "-Oz",
            "--converge",
            "--one-caller-inline-max-function-size=0",
            "--skip-pass=local-cse",
            "--skip-pass=memory-packing",
            if names == Names::Kept { "-g" } else { "--strip-debug" },
            "--strip-producers",
        ],
    )
}

/// Puts functions that look alike together: three percent less after gzip.
fn arrange(from: &Path, to: &Path) -> Result<()> {
    fs::write(from, arrange::named(&fs::read(from)?)?)?;
    wasm_opt(from, to, &["--reorder-functions-by-name", "--strip-debug"])
}

fn wasm_opt(from: &Path, to: &Path, passes: &[&str]) -> Result<()> {
    let mut optimizer = sh::npm_tool("wasm-opt", passes);
    optimizer.args(WASM_FEATURES).arg(from).arg("-o").arg(to);
    sh::quiet(&mut optimizer).map(drop)
}

/// Fails where the module still tells of the machine that built it.
fn refuse_traces(module: &Path, remaps: &[Remap]) -> Result<()> {
    let bytes = fs::read(module)?;
    // With what would follow: short texts that stand side by side can read like a folder.
    let mut traces: Vec<String> = remaps.iter().map(|(from, _)| format!("{}/", from.display())).collect();
    traces.extend(["crates.io", "registry/src", "github.com"].map(str::to_owned));
    match traces.iter().find(|trace| find(&bytes, trace.as_bytes()).is_some()) {
        None => Ok(()),
        Some(trace) => bail!("the module holds `{trace}`: {}", around(&bytes, trace.as_bytes())),
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

fn around(bytes: &[u8], needle: &[u8]) -> String {
    let at = find(bytes, needle).unwrap_or(0);
    let end = bytes.len().min(at + 120);
    String::from_utf8_lossy(&bytes[at.saturating_sub(40)..end]).escape_debug().to_string()
}

fn assemble(stage: &Path, package: &Path) -> Result<()> {
    if package.exists() {
        fs::remove_dir_all(package)?;
    }
    copy_tree(&place::at("pkg-template"), package)?;
    // The README leads to them.
    copy_tree(&place::at("docs"), &package.join("docs"))?;
    bundle("cli/jsonc.js", package, "jsonc-parser")?;
    for name in ["core.js", "core.d.ts", "toolgate.wasm"] {
        fs::copy(stage.join(name), package.join(name)).context(name)?;
    }
    // The closed words come from the core's own tables, so that they are there before a browser has fetched the module.
    fs::write(package.join("vocabulary.js"), format!("export default {};\n", toolgate::wire::vocabulary()))?;
    for name in ROOT_FILES {
        fs::copy(place::at(name), package.join(name)).context(*name)?;
    }
    let says = version_of(package)?;
    ensure!(
        says == env!("CARGO_PKG_VERSION"),
        "pkg-template/package.json says version {says}, Cargo.toml {}",
        env!("CARGO_PKG_VERSION")
    );
    Ok(())
}

/// The package depends on nothing: a library that it needs stands in the one file that names it, its licence above it.
fn bundle(file: &str, package: &Path, library: &str) -> Result<()> {
    let from = place::at("pkg-template").join(file);
    let mut node = sh::command("node", ["xtask/bundle.mjs"]);
    sh::quiet(node.arg(from).arg(package.join(file)).arg(library)).map(drop)
}

/// The custom element, and for the file of licences those of what is bundled into it.
fn element(package: &Path) -> Result<()> {
    let mut vite = sh::npm_tool("vite", ["build", "--config", "element/vite.config.js"]);
    sh::quiet(vite.env("TOOLGATE_PACKAGE", package))?;
    for name in ["element.js", licences::OF_ELEMENT] {
        fs::metadata(package.join(name)).with_context(|| format!("vite made no {name}"))?;
    }
    Ok(())
}

/// The version that a package folder's `package.json` gives.
pub(crate) fn version_of(package: &Path) -> Result<String> {
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(package.join("package.json"))?)?;
    Ok(manifest["version"].as_str().context("package.json has no version")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_traces_in_bytes() {
        assert_eq!(find(b"\0asm..registry/src..", b"registry/src"), Some(6));
        assert_eq!(find(b"\0asm", b"registry/src"), None);
        assert_eq!(around(b"ab\0registry/src", b"registry/src"), "ab\\0registry/src");
    }

    #[test]
    fn refuses_a_module_with_a_path() {
        let dir = place::scratch("test-traces").unwrap();
        let (bad, good) = (dir.join("bad.wasm"), dir.join("good.wasm"));
        fs::write(&bad, format!("\0asm{}/src/lib.rs", place::root().display())).unwrap();
        fs::write(&good, "\0asm/toolgate/src/lib.rs").unwrap();
        let remaps = remaps(&place::root()).unwrap();
        assert!(refuse_traces(&bad, &remaps).is_err());
        assert!(refuse_traces(&good, &remaps).is_ok());
    }
}
