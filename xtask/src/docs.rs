//! `cargo xtask docs`: the reference of the API, made of the doc comments of `pkg-template/*.d.ts` and the pages of `docs/`,
//! in `dist/docs`. Whatever TypeDoc warns of is a failure: a link to nothing, an export without a comment.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{flags, npm, place, sh};

const OPTIONS: &str = "xtask/typedoc.json";
const TSCONFIG: &str = "xtask/typedoc.tsconfig.json";

/// Declarations that have to be refused, and what is said of them.
const REFUSED: &[(&str, &str)] = &[
    ("export declare function naked(): void;\n", "does not have any documentation"),
    ("/** See {@link Nowhere}. */\nexport declare function lost(): void;\n", "Failed to resolve link"),
    (
        "interface Kept { a: 1 }\n/** Gives it. */\nexport declare function give(): Kept;\nexport {};\n",
        "not included in the documentation",
    ),
];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    npm::install()?;
    let site = place::at("dist/docs");
    build(&site)?;
    println!("{}", site.join("index.html").strip_prefix(place::root())?.display());
    Ok(())
}

/// Builds the reference, then sees that what has to be refused is. Gives how many times TypeDoc was asked.
pub(crate) fn check() -> Result<usize> {
    build(&place::at("dist/docs"))?;
    let scratch = place::scratch("docs")?;
    for (declarations, says) in REFUSED {
        let said = refusal(&scratch, declarations)?;
        ensure!(said.contains(says), "`{says}` is not said of\n{declarations}but\n{said}");
    }
    Ok(1 + REFUSED.len())
}

fn build(site: &Path) -> Result<()> {
    sh::quiet(&mut typedoc(&place::at(OPTIONS), site)).map(drop)
}

/// What is said of declarations that are refused.
fn refusal(scratch: &Path, declarations: &str) -> Result<String> {
    let entry = scratch.join("index.d.ts");
    fs::write(&entry, declarations)?;
    let tsconfig = serde_json::json!({ "extends": place::at(TSCONFIG), "files": [entry] });
    fs::write(scratch.join("tsconfig.json"), tsconfig.to_string())?;
    let options = serde_json::json!({
        "extends": [place::at(OPTIONS)],
        "entryPoints": [entry],
        "tsconfig": scratch.join("tsconfig.json"),
        "readme": "none",
        "projectDocuments": [],
    });
    fs::write(scratch.join("typedoc.json"), options.to_string())?;
    let mut typedoc = typedoc(&scratch.join("typedoc.json"), &scratch.join("site"));
    let output = typedoc.output().context("cannot start typedoc")?;
    ensure!(!output.status.success(), "nothing is said of\n{declarations}");
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn typedoc(options: &Path, site: &Path) -> Command {
    let mut typedoc = sh::npm_tool("typedoc", ["--options"]);
    typedoc.arg(options).arg("--out").arg(site);
    typedoc
}
