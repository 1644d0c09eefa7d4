//! No tracked file tells of a developer's machine or of a registry's host.
//!
//! Paths under home and temporary folders are also what this project decides about: in sources, tests and prose they are
//! examples, so there only the folders of tools and of this very checkout are refused.

use super::{Complaint, Source};
use crate::place;

/// Hosts, in two halves so that this table does not hold what it refuses.
const HOSTS: &[(&str, &str)] = &[
    ("registry.npmjs", ".org"),
    ("index.crates", ".io"),
    ("static.crates", ".io"),
    ("deb.debian", ".org"),
    ("security.debian", ".org"),
    ("pypi", ".org/simple"),
    ("files.pythonhosted", ".org"),
];

/// Folders of a machine, in two halves.
const MACHINE: &[(&str, &str)] =
    &[("/root/", ".cargo"), ("/root/", ".rustup"), ("/root/", ".cache"), ("/root/", ".npm")];

/// Folders that no tool, setting or build script may name.
const ANY: &[(&str, &str)] = &[("/ho", "me/"), ("/ro", "ot/"), ("/tm", "p/")];

/// Where paths are settings, not examples.
const SETTINGS: &[&str] =
    &[".ci/", ".cargo/", "Cargo.toml", "package.json", "package-lock.json", "deny.toml", "webdriver.json"];

/// Data as other people wrote it.
const DATA: &[&str] = &["tests/corpus/", "demo/data/"];

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let checkout = place::root().display().to_string();
    let watched = sources.iter().filter(|source| !DATA.iter().any(|tree| source.path.starts_with(tree)));
    watched.flat_map(|source| check_file(source, &checkout)).collect()
}

fn check_file(source: &Source, checkout: &str) -> Vec<Complaint> {
    let join = |halves: &(&str, &str)| format!("{}{}", halves.0, halves.1);
    let mut refused: Vec<String> = HOSTS.iter().chain(MACHINE).map(join).collect();
    refused.push(checkout.to_owned());
    if SETTINGS.iter().any(|tree| source.path.starts_with(tree)) {
        refused.extend(ANY.iter().map(join));
    }
    let lines = source.text.lines().enumerate();
    lines
        .filter_map(|(at, line)| {
            let trace = refused.iter().find(|trace| line.contains(trace.as_str()))?;
            Some(Complaint::new(&source.path, at + 1, format!("names `{trace}`")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[track_caller]
    fn check_line(path: &str, line: &str, complaints: usize) {
        assert_eq!(check_file(&source(path, line), "/checkout/here").len(), complaints, "{path}: {line}");
    }

    #[test]
    fn refuses_hosts_and_machines() {
        for halves in HOSTS.iter().chain(MACHINE) {
            check_line("README.md", &format!("see {}{} there", halves.0, halves.1), 1);
        }
        check_line("src/lib.rs", "/checkout/here/src", 1);
        for halves in ANY {
            check_line(".ci/run", &format!("cd {}{}x", halves.0, halves.1), 1);
        }
    }

    #[test]
    fn examples_are_no_traces() {
        for halves in ANY {
            check_line("src/risk/paths.rs", &format!("{}{}u/file", halves.0, halves.1), 0);
        }
        check_line("package-lock.json", "\"resolved\": \"nothing\"", 0);
    }
}
