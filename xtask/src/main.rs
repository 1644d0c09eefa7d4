//! What a developer does with the project, one verb each: `cargo xtask VERB`.
//!
//! Every verb does the set-up that it needs, and doing it twice costs nothing.

mod again;
mod arrange;
mod bench;
mod build;
mod callgrind;
mod chromium;
mod counts;
mod debian;
mod demo;
mod docs;
mod growth;
mod installed;
mod licences;
mod module;
mod npm;
mod pack;
mod page;
mod panics;
mod place;
mod runner;
mod setup;
mod sh;
mod size;
mod step;
mod supply;
mod test;
mod tidy;
mod tool;
mod vectors;
mod weights;

use std::process::ExitCode;

use anyhow::{Result, bail};

struct Verb {
    name: &'static str,
    usage: &'static str,
    says: &'static str,
    run: fn(&mut lexopt::Parser) -> Result<()>,
}

/// Every verb, in the order of the help.
const VERBS: &[Verb] = &[
    Verb { name: "setup", usage: "", says: "installs what the other verbs need", run: setup::verb },
    Verb { name: "build", usage: "", says: "module, glue and package, in dist/package", run: build::verb },
    Verb { name: "pack", usage: "", says: "the npm tarball, checked by publint and attw", run: pack::verb },
    Verb { name: "test", usage: "", says: "everything that must hold", run: test::verb },
    Verb {
        name: "vectors",
        usage: "[--dir DIR] [--only FILE[,FILE]] [--dialect D] [--native | --package] [--accept]",
        says: "what the spec means, natively and through the package",
        run: vectors::verb,
    },
    Verb {
        name: "tidy",
        usage: "[--fix]",
        says: "layering, purity, documents, formats, lints",
        run: tidy::verb,
    },
    Verb {
        name: "bench",
        usage: "[--accept]",
        says: "times and sizes against the snapshot",
        run: bench::verb,
    },
    Verb {
        name: "counts",
        usage: "[--accept]",
        says: "instructions and allocations of the native core against the snapshot",
        run: counts::verb,
    },
    Verb {
        name: "growth",
        usage: "",
        says: "what twice the line costs, for lines made to be slow",
        run: growth::verb,
    },
    Verb {
        name: "again",
        usage: "",
        says: "the same sources elsewhere give the same bytes",
        run: again::verb,
    },
    Verb {
        name: "supply",
        usage: "",
        says: "licences, sources and known holes of what comes in",
        run: supply::verb,
    },
    Verb { name: "size", usage: "[--accept]", says: "where the bytes of the module go", run: weights::verb },
    Verb { name: "docs", usage: "", says: "the reference of the API, in dist/docs", run: docs::verb },
    Verb {
        name: "demo",
        usage: "[--no-serve]",
        says: "replays real data, then serves the page",
        run: demo::verb,
    },
];

fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let name = match arguments.next()? {
        Some(lexopt::Arg::Value(name)) => name.to_string_lossy().into_owned(),
        _ => {
            print_help();
            return Ok(());
        }
    };
    match VERBS.iter().find(|verb| verb.name == name) {
        Some(verb) => (verb.run)(&mut arguments),
        None => {
            print_help();
            bail!("there is no verb `{name}`")
        }
    }
}

fn print_help() {
    println!("cargo xtask VERB\n");
    for verb in VERBS {
        println!("  {:<8} {}", verb.name, verb.says);
        if !verb.usage.is_empty() {
            println!("           {}", verb.usage);
        }
    }
}

/// Reads the arguments of a verb that has flags only; gives the flags that were set.
fn flags(arguments: &mut lexopt::Parser, known: &[&'static str]) -> Result<Vec<&'static str>> {
    let mut set = Vec::new();
    while let Some(argument) = arguments.next()? {
        let found = match &argument {
            lexopt::Arg::Long(name) => known.iter().find(|known| *known == name).copied(),
            _ => None,
        };
        set.push(found.ok_or_else(|| argument.unexpected())?);
    }
    Ok(set)
}
