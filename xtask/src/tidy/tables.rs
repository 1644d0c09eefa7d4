//! Tables of documents that tell what there is: the rooms, who may know whom, the dialects.

use std::fmt::Write;

use toolgate::dialect::DIALECTS;

use super::{Source, layers};

/// A row for each room that exists, lowest first, with the first sentence of its module.
pub(super) fn rooms(sources: &[Source]) -> Option<String> {
    let mut table = String::from("| room | what it does |\n|---|---|\n");
    for room in layers::LEVELS.iter().copied().flatten() {
        let paths = [format!("src/{room}.rs"), format!("src/{room}/mod.rs")];
        if let Some(source) = sources.iter().find(|source| paths.contains(&source.path)) {
            let _ = writeln!(table, "| `{}` | {} |", source.path, purpose(&source.text)?);
        }
    }
    Some(table)
}

/// A line for each level, lowest first.
pub(super) fn levels(_: &[Source]) -> Option<String> {
    let lines =
        layers::LEVELS.iter().enumerate().map(|(at, rooms)| format!("{}. `{}`\n", at + 1, rooms.join("` `")));
    Some(lines.collect())
}

/// A row for each dialect that the package has, with the first sentence of its file.
pub(super) fn dialects(sources: &[Source]) -> Option<String> {
    let mut table = String::from("| dialect | what it is |\n|---|---|\n");
    for dialect in DIALECTS {
        let head = format!("//! `{}`: ", dialect.name);
        let source = sources
            .iter()
            .find(|source| source.path.starts_with("src/dialect/") && source.text.starts_with(&head))?;
        let says = purpose(source.text.strip_prefix(&head).map(|rest| format!("//! {rest}"))?.as_str())?;
        let _ = writeln!(table, "| `{}` | {says} |", dialect.name);
    }
    Some(table)
}

/// The first paragraph of a module's doc, without the section that it names, fit for a cell.
fn purpose(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//! ")).collect();
    let text = lines.join(" ");
    let plain = match text.split_once(" (") {
        Some((before, rest)) if rest.contains(".md") => format!("{before}{}", rest.split_once(')')?.1),
        _ => text,
    };
    let plain = plain.replace("[`", "`").replace("`]", "`").replace('|', "\\|");
    (!plain.is_empty()).then(|| plain.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn a_row_for_each_room() {
        let sources = [
            source(
                "src/rule/mod.rs",
                "//! Text to rule: the grammar (rules.md section 1).\n//!\n//! More.\n",
            ),
            source("src/span.rs", "//! Places in a text,\n//! see [`crate::a`].\n\nuse x;"),
        ];
        let expected = "| room | what it does |\n|---|---|\n\
            | `src/span.rs` | Places in a text, see `crate::a` |\n| `src/rule/mod.rs` | Text to rule: the grammar |\n";
        assert_eq!(rooms(&sources).as_deref(), Some(expected));
        assert_eq!(rooms(&[source("src/span.rs", "use x;")]), None);
    }

    #[test]
    fn a_dialect_without_a_file_makes_nothing() {
        assert_eq!(dialects(&[source("src/dialect/standard.rs", "//! `standard`: the first.\n")]), None);
    }

    #[test]
    fn a_row_for_each_dialect() {
        let of =
            |name: &str| source(&format!("src/dialect/{name}.rs"), &format!("//! `{name}`: told (a.md).\n"));
        let sources: Vec<Source> = DIALECTS.iter().map(|dialect| of(dialect.name)).collect();
        let table = dialects(&sources).unwrap();
        assert!(table.contains("| `standard` | told |\n"), "{table}");
        assert_eq!(table.lines().count(), 2 + DIALECTS.len());
    }
}
