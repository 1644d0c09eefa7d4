//! Every code that the sources can give stands in `docs/errors.md`, and nothing else does.
//!
//! A code is a literal in kebab case, outside of tests and of the tables of other words; a code of a single word is known
//! by what stands before it. On the page it is the first cell of a row of a table.

use std::collections::BTreeMap;

use super::{Complaint, Source};

const PAGE: &str = "docs/errors.md";

/// What stands before a literal that is a code, however it looks.
const HEADS: &[&str] = &[
    "code: ",
    "code = ",
    "argumentError(",
    "limitError(",
    "Blocked(",
    "rule(",
    "return ",
    "Severity::Warning,",
    "Severity::Info,",
];

/// Where literals in kebab case are no codes: closed words, and what the options of programs are called.
const OTHER_WORDS: &[&str] = &[
    "src/vocabulary.rs",
    "src/dialect/",
    "src/risk/target.rs",
    "src/shell/",
    "src/evidence/prompt.rs",
    "src/review/words.rs",
];

/// Files there that have codes all the same, and nothing else of the kind.
const BUT: &[&str] = &["src/shell/problem.rs"];

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let Some(page) = sources.iter().find(|source| source.path == PAGE) else {
        return vec![Complaint::new(PAGE, 0, "is missing")];
    };
    let given = given(sources);
    let listed = listed(&page.text);
    let unlisted = given
        .iter()
        .filter(|(code, _)| !listed.contains_key(*code))
        .map(|(code, (path, line))| Complaint::new(path, *line, format!("`{code}` is not in {PAGE}")));
    let unknown = listed
        .iter()
        .filter(|(code, _)| !given.contains_key(*code))
        .map(|(code, line)| Complaint::new(PAGE, *line, format!("nothing gives `{code}`")));
    unlisted.chain(unknown).collect()
}

/// The codes of the sources, each with the first place that gives it.
fn given(sources: &[Source]) -> BTreeMap<&str, (&str, usize)> {
    let mut codes = BTreeMap::new();
    for source in sources.iter().filter(|source| is_watched(&source.path)) {
        let mut above = "";
        for (at, line) in source.text.lines().enumerate() {
            if line.trim_start().starts_with("#[cfg(test)]") {
                break;
            }
            if !line.trim_start().starts_with("//") {
                for code in codes_of(above, line) {
                    codes.entry(code).or_insert((source.path.as_str(), at + 1));
                }
            }
            above = line;
        }
    }
    codes
}

fn is_watched(path: &str) -> bool {
    let core = path.starts_with("src/") && path.ends_with(".rs");
    let facade =
        path.strip_prefix("pkg-template/").is_some_and(|name| name.ends_with(".js") && !name.contains('/'));
    let other = OTHER_WORDS.iter().any(|other| path.starts_with(other)) && !BUT.contains(&path);
    (core || facade) && !other
}

/// The codes of a line of code. What stands between two quotes is a literal or what parts two; a code is both rarely. What
/// stands before a literal that begins its line is the line above.
fn codes_of<'a>(above: &'a str, line: &'a str) -> impl Iterator<Item = &'a str> {
    let mut before = "";
    line.split('"').filter(move |part| {
        let named =
            HEADS.iter().any(|head| before.trim_end().ends_with(head.trim_end())) || names_a_word(before);
        before = if part.trim().is_empty() { above } else { part };
        is_kebab(part) && (named || part.contains('-'))
    })
}

/// Whether what stands before a literal makes it a closed word: `Word = `.
fn names_a_word(before: &str) -> bool {
    before
        .trim()
        .strip_suffix(" =")
        .is_some_and(|word| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric))
}

fn is_kebab(text: &str) -> bool {
    text.len() > 2
        && text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
        && text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// The codes of the page, each with its first line. Rows may list several.
fn listed(page: &str) -> BTreeMap<&str, usize> {
    let mut codes = BTreeMap::new();
    for (at, line) in page.lines().enumerate() {
        let Some(cell) = line.strip_prefix("| `").and_then(|row| row.split(" |").next()) else { continue };
        for code in cell.split('`').filter(|part| is_kebab(part)) {
            codes.entry(code).or_insert(at + 1);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[track_caller]
    fn complaints(path: &str, code: &str, page: &str, expected: &[(&str, usize, &str)]) {
        let found = check(&[source(path, code), source(PAGE, page)]);
        let found: Vec<_> = found.iter().map(|c| (c.path.as_str(), c.line, c.says.as_str())).collect();
        assert_eq!(found, expected, "{code}");
    }

    const ROW: &str = "# Errors\n\n| code | says |\n|---|---|\n| `empty-rule` | no tool |\n";

    #[test]
    fn what_agrees_is_fine() {
        complaints("src/rule/parse.rs", "\nerror(\"empty-rule\", \"a rule\")", ROW, &[]);
        complaints("pkg-template/errors.js", "code: \"empty-rule\"", ROW, &[]);
        complaints("pkg-template/errors.js", "code = \"freed\"", "| `freed` | x |", &[]);
        complaints("src/a/lint.rs", "(Severity::Info, \"fragile\", \"x\")", "| `fragile` | x |", &[]);
        complaints(
            "src/a/lint.rs",
            "(\n    Severity::Warning,\n    \"shadowed\",",
            "| `shadowed` | x |",
            &[],
        );
        complaints("src/a/words.rs", "    Timeout = \"timeout\",", "| `timeout` | x |", &[]);
        complaints("src/a/words.rs", "const WORD: &str = \"timeout\";", "", &[]);
        complaints(
            "src/json/read.rs",
            "A = \"too-deep\", B = \"too-long\"",
            "| `too-deep`, `too-long` | x |",
            &[],
        );
    }

    #[test]
    fn a_code_that_the_page_does_not_have() {
        complaints(
            "src/a.rs",
            "x\nf(\"empty-rule\", \"not-known\")",
            ROW,
            &[("src/a.rs", 2, "`not-known` is not in docs/errors.md")],
        );
        complaints(
            "pkg-template/a.js",
            "{ code: \"freed\" }",
            "",
            &[("pkg-template/a.js", 1, "`freed` is not in docs/errors.md")],
        );
    }

    #[test]
    fn a_code_that_nothing_gives() {
        let gone = [("docs/errors.md", 5, "nothing gives `empty-rule`")];
        complaints("src/a.rs", "", ROW, &gone);
        complaints("src/a.rs", "// \"empty-rule\"\n#[cfg(test)]\nmod tests { \"empty-rule\" }", ROW, &gone);
        complaints("src/vocabulary.rs", "\"empty-rule\"", ROW, &gone);
        complaints("src/shell/wrapper.rs", "\"empty-rule\"", ROW, &gone);
        complaints("src/shell/problem.rs", "\"empty-rule\"", ROW, &[]);
        complaints("tests/a.rs", "\"empty-rule\"", ROW, &gone);
    }

    #[test]
    fn the_page_has_to_be_there() {
        assert_eq!(check(&[]).len(), 1);
    }
}
