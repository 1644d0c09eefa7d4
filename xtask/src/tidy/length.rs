//! No source file over 600 lines: a longer one does more than one thing.

use super::{Complaint, Source, has_extension};

const MOST: usize = 600;
const TREES: &[&str] =
    &["src/", "xtask/", "pkg-template/", "element/", "www/", "tests/js/", "tests/wasm/", "bench/", "examples/"];
const SOURCES: &[&str] = &["rs", "js", "mjs", "cjs", "ts", "css", "html"];

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let watched = |source: &&Source| {
        TREES.iter().any(|tree| source.path.starts_with(tree)) && has_extension(source, SOURCES)
    };
    let complain = |source: &Source| {
        let lines = source.text.lines().count();
        (lines > MOST).then(|| Complaint::new(&source.path, lines, format!("{lines} lines, {MOST} at most")))
    };
    sources.iter().filter(watched).filter_map(complain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn six_hundred_lines_at_most() {
        let (fits, over) = ("x\n".repeat(600), "x\n".repeat(601));
        assert_eq!(check(&[source("src/a.rs", &fits), source("docs/a.md", &over)]), []);
        assert_eq!(check(&[source("src/a.rs", &over), source("www/a.css", &over)]).len(), 2);
    }
}
