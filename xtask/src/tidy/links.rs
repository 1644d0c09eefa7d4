//! Links of documents lead somewhere, and tests that a document names exist.
//!
//! A test is named as ``[`name`](tests/…)``, `["title"](tests/…)`, `` `name` in `tests/…` `` or `"title" in `tests/…``.

use std::path::{Component, Path, PathBuf};

use super::{Complaint, Source};
use crate::place;

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let documents = sources.iter().filter(|source| source.path.ends_with(".md"));
    documents.flat_map(|document| check_document(document, sources)).collect()
}

fn check_document(document: &Source, sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut in_sample = false;
    for (at, line) in document.text.lines().enumerate() {
        in_sample ^= line.starts_with("```");
        if in_sample {
            continue;
        }
        let mut complain = |says: String| complaints.push(Complaint::new(&document.path, at + 1, says));
        for (text, target) in links(line) {
            let name = name(text).filter(|name| !target.ends_with(name));
            match lead(document, target, sources) {
                None => complain(format!("`{target}` leads nowhere")),
                Some(source) => source.into_iter().for_each(|source| {
                    if let Some(name) = name
                        && !has_test(source, name)
                    {
                        complain(format!("{} has no test `{name}`", source.path));
                    }
                }),
            }
        }
        for (name, path) in named(line) {
            match sources.iter().find(|source| source.path == path) {
                None => complain(format!("there is no `{path}`")),
                Some(source) if !has_test(source, name) => complain(format!("{path} has no test `{name}`")),
                Some(_) => {}
            }
        }
    }
    complaints
}

/// Text and target of each link of a line.
fn links(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.match_indices("](").filter_map(|(at, _)| {
        let target = line.get(at + 2..)?.split_once(')')?.0;
        let text = line.get(..at)?.rsplit_once('[')?.1;
        Some((text, target))
    })
}

/// `None` where a link leads nowhere; inside, the source that it leads to, where that is a text of the repository.
fn lead<'a>(document: &Source, target: &str, sources: &'a [Source]) -> Option<Option<&'a Source>> {
    if target.contains("://") {
        return Some(None);
    }
    let (file, heading) =
        target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let path = if file.is_empty() { document.path.clone() } else { resolved(&document.path, file)? };
    let Some(source) = sources.iter().find(|source| source.path == path) else {
        return (heading.is_none() && place::at(&path).exists()).then_some(None);
    };
    let is_there =
        heading.is_none_or(|heading| source.text.lines().any(|line| slug(line) == Some(heading.to_owned())));
    is_there.then_some(Some(source))
}

/// A path relative to the root, of one that is relative to a document.
fn resolved(document: &str, file: &str) -> Option<String> {
    let mut path = Path::new(document).parent()?.to_path_buf();
    for component in Path::new(file).components() {
        match component {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir => return None,
        }
    }
    PathBuf::into_os_string(path).into_string().ok()
}

/// What a heading is called in links.
fn slug(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    Some(kept.collect::<String>().to_lowercase().replace(' ', "-"))
}

/// The test that the text of a link names.
fn name(text: &str) -> Option<&str> {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    quoted('`').or_else(|| quoted('"'))
}

/// Tests that are named with the file in which they are.
fn named(line: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = line.split('`').collect();
    let mut found = Vec::new();
    for (at, path) in parts.iter().enumerate().skip(1).step_by(2) {
        let Some(before) = parts.get(at - 1).and_then(|before| before.strip_suffix(" in ")) else { continue };
        if !path.starts_with("tests/") || path.ends_with('/') {
            continue;
        }
        if before.is_empty() {
            found.extend(at.checked_sub(2).and_then(|at| parts.get(at)).map(|name| (*name, *path)));
        } else if let Some((rest, _)) = before.rsplit_once('"')
            && before.ends_with('"')
        {
            found.extend(rest.rsplit_once('"').map(|(_, title)| (title, *path)));
        }
    }
    found
}

/// Whether a source has a test, a type or a variant of that name, a test whose title begins so, or a fixture of that id.
fn has_test(source: &Source, name: &str) -> bool {
    if !source.path.starts_with("tests/") {
        return true;
    }
    let heads = match Path::new(&source.path).extension().and_then(|extension| extension.to_str()) {
        Some("rs") if name.starts_with(char::is_uppercase) => {
            vec![format!("::{name}"), format!(" {name} {{")]
        }
        Some("rs") => vec![format!("fn {name}(")],
        Some("json") => vec![format!("\"{name}\"")],
        // A case of a list of cases, and a table of them.
        _ => [("test(\"", ""), ("title: \"", ""), ("function ", "("), ("const ", " = {")]
            .map(|(before, behind)| format!("{before}{name}{behind}"))
            .to_vec(),
    };
    heads.iter().any(|head| source.text.contains(head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[track_caller]
    fn complaints(line: &str, expected: &[&str]) {
        let sources = [
            source("docs/a.md", &format!("# One\n{line}\n")),
            source("docs/b.md", "# B\n## Two, three: `x`\n"),
            source("tests/a.rs", "fn one_holds() {}\n"),
            source("tests/js/a.test.mjs", "test(\"two holds, always\", f);\n"),
            source("tests/c.json", "{\"id\": \"a/b\"}"),
        ];
        let found: Vec<String> = check(&sources).into_iter().map(|complaint| complaint.says).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn links_that_lead_somewhere() {
        complaints(
            "[b](b.md), [b](b.md#two-three-x), [one](#one), [a](../tests/a.rs), [`a.rs`](../tests/a.rs), [x](https://example.com/)",
            &[],
        );
        complaints("[c](c.md)", &["`c.md` leads nowhere"]);
        complaints("[b](b.md#four)", &["`b.md#four` leads nowhere"]);
        complaints("[up](../../a.md)", &["`../../a.md` leads nowhere"]);
        complaints("```\n[c](c.md)\n```", &[]);
    }

    #[test]
    fn tests_that_are_named_exist() {
        complaints(
            "[`one_holds`](../tests/a.rs), [\"two holds\"](../tests/js/a.test.mjs), [`a/b`](../tests/c.json)",
            &[],
        );
        complaints("[`one_hold`](../tests/a.rs)", &["tests/a.rs has no test `one_hold`"]);
        complaints("[\"holds\"](../tests/js/a.test.mjs)", &["tests/js/a.test.mjs has no test `holds`"]);
        complaints("[`a`](../tests/c.json)", &["tests/c.json has no test `a`"]);
        complaints("`one_holds` in `tests/a.rs`; \"two holds\" in `tests/js/a.test.mjs`", &[]);
        complaints("`none` in `tests/a.rs`", &["tests/a.rs has no test `none`"]);
        complaints("a \"none\" in `tests/js/a.test.mjs`", &["tests/js/a.test.mjs has no test `none`"]);
        complaints("`one_holds` in `tests/b.rs`", &["there is no `tests/b.rs`"]);
    }
}
