//! `cargo xtask tidy`: what the compiler does not check.
//!
//! Each check reads sources as text and gives complaints; none may be waved through in the source itself.

mod axes;
mod codes;
mod generated;
mod layers;
mod length;
mod limits_table;
mod links;
mod lints;
mod paths;
mod purity;
mod tables;
mod traces;

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use crate::step::Steps;
use crate::{flags, place, sh};

/// A text file of the repository.
pub(crate) struct Source {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// What is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub(crate) path: String,
    /// Counted from 1; 0 for the file as a whole.
    pub(crate) line: usize,
    pub(crate) says: String,
}

impl Complaint {
    pub(crate) fn new(path: &str, line: usize, says: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, says: says.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.says)
    }
}

type Check = fn(&[Source]) -> Vec<Complaint>;

/// The checks over sources, cheapest first.
const CHECKS: &[(&str, Check)] = &[
    ("layering", layers::check),
    ("purity", purity::check),
    ("file length", length::check),
    ("codes of errors", codes::check),
    ("generated parts of documents", generated::check),
    ("links, and tests that documents name", links::check),
    ("machine paths and registry hosts", traces::check),
];

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    if flags(arguments, &["fix"])?.contains(&"fix") {
        generated::fix(&sources()?)?;
        lints::format()?;
    }
    let mut steps = Steps::new();
    run(&mut steps)
}

/// Runs every check as a step of its own.
pub(crate) fn run(steps: &mut Steps) -> Result<()> {
    let sources = sources()?;
    for (name, check) in CHECKS {
        steps.count(name, || report(&check(&sources)))?;
    }
    lints::run(steps)
}

fn report(complaints: &[Complaint]) -> Result<usize> {
    for complaint in complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(1),
        1 => bail!("1 complaint"),
        several => bail!("{several} complaints"),
    }
}

/// Every text file that git tracks or would track.
fn sources() -> Result<Vec<Source>> {
    let list =
        sh::quiet(&mut sh::command("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let mut paths: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    // Gone from the folder but still in the index, or not text: neither can be read as a source.
    let read = |path: &str| std::fs::read_to_string(place::root().join(path)).ok();
    Ok(paths.iter().filter_map(|path| Some(Source { path: (*path).to_owned(), text: read(path)? })).collect())
}

/// Whether a source ends in one of these extensions.
fn has_extension(source: &Source, extensions: &[&str]) -> bool {
    let extension = Path::new(&source.path).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}

#[cfg(test)]
pub(crate) fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}
