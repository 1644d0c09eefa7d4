//! Parts of documents that are made from the source: each stands between two comments and is written by `tidy --fix`.
//!
//! ```text
//! <!-- generated: NAME -->
//! …
//! <!-- end -->
//! ```

use std::fs;

use anyhow::{Context, Result};

use super::{Complaint, Source, axes, limits_table, tables};
use crate::{bench, counts, place};

const OPEN: &str = "<!-- generated: ";
const CLOSE: &str = "<!-- end -->";

/// Makes the text of a part from the sources; `None` where they do not have what it needs.
type Make = fn(&[Source]) -> Option<String>;

const PARTS: &[(&str, Make)] = &[
    ("axes", axes::make),
    ("counts", |_| counts::table()),
    ("dialects", tables::dialects),
    ("levels", tables::levels),
    ("limits", limits_table::make),
    ("peers", |_| bench::peers_table()),
    ("rooms", tables::rooms),
    ("sizes", |_| bench::sizes_table()),
];

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    documents(sources)
        .flat_map(|source| match renew(&source.text, |name| make(sources, name)) {
            Err((line, says)) => vec![Complaint::new(&source.path, line, says)],
            Ok(fresh) if fresh != source.text => {
                vec![Complaint::new(&source.path, 0, "a generated part is stale: cargo xtask tidy --fix")]
            }
            Ok(_) => Vec::new(),
        })
        .collect()
}

/// Writes every stale part anew.
pub(super) fn fix(sources: &[Source]) -> Result<()> {
    for source in documents(sources) {
        if let Ok(fresh) = renew(&source.text, |name| make(sources, name))
            && fresh != source.text
        {
            println!("writes {}", source.path);
            fs::write(place::at(&source.path), fresh).with_context(|| source.path.clone())?;
        }
    }
    Ok(())
}

fn documents(sources: &[Source]) -> impl Iterator<Item = &Source> {
    sources.iter().filter(|source| source.path.ends_with(".md"))
}

fn make(sources: &[Source], name: &str) -> Option<String> {
    PARTS.iter().find(|(part, _)| *part == name).and_then(|(_, make)| make(sources))
}

/// The document with each part made anew, or the line and what is wrong there.
fn renew(text: &str, make: impl Fn(&str) -> Option<String>) -> Result<String, (usize, String)> {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((at, line)) = lines.next() {
        out.push_str(line);
        let Some(name) = line.trim_end().strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let fresh = make(name).ok_or_else(|| (at + 1, format!("nothing makes the part `{name}`")))?;
        let close = lines
            .find(|(_, line)| line.trim_end() == CLOSE)
            .ok_or_else(|| (at + 1, format!("the part `{name}` has no end")))?;
        out.push_str(fresh.trim_end());
        out.push('\n');
        out.push_str(close.1);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    fn one(name: &str) -> Option<String> {
        (name == "one").then(|| "fresh".to_owned())
    }

    #[test]
    fn renews_what_stands_between_the_marks() {
        let stale = "# T\n<!-- generated: one -->\nold\nolder\n<!-- end -->\ntail\n";
        let fresh = "# T\n<!-- generated: one -->\nfresh\n<!-- end -->\ntail\n";
        assert_eq!(renew(stale, one).as_deref(), Ok(fresh));
        assert_eq!(renew(fresh, one).as_deref(), Ok(fresh));
    }

    #[test]
    fn names_what_is_wrong() {
        let unknown = renew("\n<!-- generated: two -->\n<!-- end -->\n", one);
        assert_eq!(unknown, Err((2, "nothing makes the part `two`".to_owned())));
        let open = renew("<!-- generated: one -->\n", one);
        assert_eq!(open, Err((1, "the part `one` has no end".to_owned())));
    }

    #[test]
    fn a_stale_table_is_a_complaint() {
        let limits =
            source("src/limits.rs", "/// Units of one rule.\npub const RULE_UNITS: usize = 4_096;\n");
        let stale = source("docs/a.md", "<!-- generated: limits -->\n<!-- end -->\n");
        assert_eq!(check(&[limits, stale]).len(), 1);
    }
}
