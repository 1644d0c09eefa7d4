//! `cargo xtask size`: where the bytes of the module go, by the names that its functions have before they are stripped.
//!
//! The module is built as the published one is, names kept; the order of its functions, which is all that is left to do
//! then, does not change their bytes.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

use crate::size::{Size, gzip};
use crate::{build, flags, place};

const FILE: &str = "bench/size.md";

/// Functions that are listed one by one.
const LARGEST: usize = 30;

/// Letters of a function's name that are shown.
const NAME: usize = 110;

/// The core's own crates; what follows in a name is a room.
const OWN: &[&str] = &["toolgate::", "toolgate_engine::", "toolgate_quick::", "toolgate_rules::"];

/// Parts of names, and what they belong to where no room does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("sha2::", "`sha2`"),
    ("talc::", "the allocator"),
    ("wasm_bindgen", "`wasm-bindgen`"),
    ("__wbindgen", "`wasm-bindgen`"),
    ("__externref", "`wasm-bindgen`"),
    ("core::", "the standard library"),
    ("alloc::", "the standard library"),
    ("std::", "the standard library"),
    ("compiler_builtins", "the standard library"),
    ("mem", "the standard library"),
];

/// A module taken apart.
struct Parts<'m> {
    functions: Vec<(String, &'m [u8])>,
    code: usize,
    data: usize,
    /// Types, imports, tables, exports and the like.
    rest: usize,
}

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let accept = flags(arguments, &["accept"])?.contains(&"accept");
    let size = Size::of(&build::package()?)?;
    let report = report(&build::named()?, size)?;
    print!("{report}");
    if accept {
        fs::write(place::at(FILE), report).context(FILE)?;
    }
    Ok(())
}

/// Writes the report of the package that was built last.
pub(crate) fn write(size: Size) -> Result<()> {
    fs::write(place::at(FILE), report(&build::named()?, size)?).context(FILE)
}

fn report(module: &[u8], size: Size) -> Result<String> {
    let Parts { mut functions, code, data, rest } = parts(module)?;
    let mut rooms: BTreeMap<String, Vec<&[u8]>> = BTreeMap::new();
    for (name, body) in &functions {
        rooms.entry(room(name)).or_default().push(body);
    }
    let mut rows = vec![];
    for (room, bodies) in &rooms {
        let bytes = bodies.concat();
        rows.push((room.clone(), bodies.len(), bytes.len(), Some(gzip(&bytes)?)));
    }
    rows.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
    let bodies: usize = functions.iter().map(|(_, body)| body.len()).sum();
    rows.push(("lengths of functions".to_owned(), 0, code.saturating_sub(bodies), None));
    rows.push(("data".to_owned(), 0, data, None));
    rows.push(("types, tables, imports, exports".to_owned(), 0, rest, None));
    rows.push(("`core.js`".to_owned(), 0, size.glue, Some(size.glue_gzip)));

    let mut text = String::from(
        "# Where the bytes go\n\nWritten by `cargo xtask size --accept`, from the module as it is published, its functions' names kept. A function \
         belongs to the room that its\nname tells first, so that a list of a room's values counts for the room. The last column is each room's \
         code compressed alone; it does\nnot add up to the whole, where what is alike stands together.\n\n| room | functions | bytes | share | gzip, alone |\n\
         |---|---:|---:|---:|---:|\n",
    );
    let all: usize = rows.iter().map(|row| row.2).sum();
    for (name, functions, bytes, alone) in &rows {
        let functions = if *functions == 0 { String::new() } else { functions.to_string() };
        let alone = alone.map_or_else(String::new, kb);
        let share = *bytes as f64 / all as f64 * 100.0;
        text.push_str(&format!("| {name} | {functions} | {} | {share:.1} % | {alone} |\n", kb(*bytes)));
    }
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for (name, body) in &functions {
        if let Some(file) = path(name, 2) {
            *files.entry(file).or_default() += body.len();
        }
    }
    let mut files: Vec<(String, usize)> = files.into_iter().collect();
    files.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    text.push_str(&format!(
        "| together, as published | | {} | | {} |\n\n## The largest files\n\n| file | bytes |\n|---|---:|\n",
        kb(size.wasm + size.glue),
        kb(size.gzip()),
    ));
    for (file, bytes) in files.iter().take(LARGEST) {
        text.push_str(&format!("| `{file}` | {} |\n", kb(*bytes)));
    }
    text.push_str("\n## The largest functions\n\n| bytes | function |\n|---:|---|\n");
    functions.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
    for (name, body) in functions.iter().take(LARGEST) {
        text.push_str(&format!("| {} | `{}` |\n", body.len(), shown(name)));
    }
    Ok(text)
}

fn kb(bytes: usize) -> String {
    format!("{:.1} KB", bytes as f64 / 1024.0)
}

fn parts(module: &[u8]) -> Result<Parts<'_>> {
    let mut imported = 0u32;
    let mut names = BTreeMap::new();
    let mut parts = Parts { functions: vec![], code: 0, data: 0, rest: 0 };
    let mut bodies = vec![];
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::CodeSectionStart { range, .. } => parts.code += range.len(),
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            Payload::DataSection(data) => parts.data += data.range().len(),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(sections) = section.as_known() {
                    for section in sections {
                        if let Name::Function(map) = section? {
                            for naming in map {
                                let naming = naming?;
                                names.insert(naming.index, naming.name.to_owned());
                            }
                        }
                    }
                }
            }
            Payload::ImportSection(imports) => {
                parts.rest += imports.range().len();
                for import in imports.clone().into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            other => parts.rest += other.as_section().map_or(0, |(_, range)| range.len()),
        }
    }
    for (index, body) in (imported..).zip(bodies) {
        parts.functions.push((names.remove(&index).unwrap_or_default(), body));
    }
    Ok(parts)
}

/// What a function belongs to.
fn room(name: &str) -> String {
    let elsewhere = || ELSEWHERE.iter().find(|(part, _)| name.contains(part)).map(|(_, owner)| *owner);
    match path(name, 1) {
        Some(room) => format!("`{room}`"),
        None => elsewhere().unwrap_or("exports and others").to_owned(),
    }
}

/// The first `length` modules of the core's path that a name tells first; what begins in upper case is a type.
fn path(name: &str, length: usize) -> Option<String> {
    let (at, own) = OWN.iter().filter_map(|own| Some((name.find(own)?, own))).min()?;
    let modules = name.get(at + own.len()..)?.split("::").map_while(|part| {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        // Behind a sign another path begins.
        let is_module = end > 0 && part.starts_with(|c: char| c.is_lowercase());
        is_module.then(|| (&part[..end], end == part.len()))
    });
    let mut path: Vec<&str> = vec![];
    for (module, goes_on) in modules {
        path.push(module);
        if !goes_on || path.len() == length {
            break;
        }
    }
    (!path.is_empty()).then(|| path.join("::"))
}

/// A name without its hash, cut.
fn shown(name: &str) -> String {
    let plain = match name.rsplit_once("::h") {
        Some((plain, hash)) if hash.len() == 16 => plain,
        _ => name,
    };
    // Some names tell the hash of a crate within.
    let mut plain = plain.to_owned();
    while let Some((start, end)) = plain.find('[').map(|start| (start, start + 17))
        && plain.get(start + 1..end).is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        && plain.get(end..).is_some_and(|rest| rest.starts_with(']'))
    {
        plain.replace_range(start..=end, "");
    }
    let mut shown: String = plain.chars().take(NAME).map(|c| if c == '|' { '/' } else { c }).collect();
    if shown.len() < plain.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_belongs_to_a_room() {
        for (name, belongs) in [
            ("toolgate::policy::decide::h0123456789abcdef", "`policy`"),
            ("<toolgate_quick::shell::Word as core::clone::Clone>::clone::h0", "`shell`"),
            ("core::ptr::drop_in_place<alloc::vec::Vec<toolgate::json::Json>>::h0", "`json`"),
            ("core::str::pattern::h0", "the standard library"),
            ("policy_decide", "exports and others"),
        ] {
            assert_eq!(room(name), belongs, "{name}");
        }
    }

    #[test]
    fn a_function_stands_in_a_file() {
        let file = |name| path(name, 2);
        assert_eq!(
            file("toolgate::policy::lint::<impl toolgate::policy::Policy>::lint").unwrap(),
            "policy::lint"
        );
        assert_eq!(file("<toolgate::json::Json as core::ops::Drop>::drop").unwrap(), "json");
        assert_eq!(file("core::str::find"), None);
    }

    #[test]
    fn names_are_shown_without_their_hash() {
        assert_eq!(shown("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(shown("a::help"), "a::help");
        assert_eq!(shown("<a[e24a27700634d609]::b<c[e24a27700634d609]::d>>[0]"), "<a::b<c::d>>[0]");
    }
}
