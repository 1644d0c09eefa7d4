//! The table of the axes of `src/dialect/mod.rs`: of each axis its values, in the words of their doc comments, and the
//! dialects that have them.

use std::fmt::{Debug, Write};

use toolgate::dialect::{DIALECTS, Dialect};

use super::Source;

const MODULE: &str = "src/dialect/mod.rs";

/// What a dialect has on an axis.
#[derive(Debug, PartialEq)]
enum Value {
    /// A variant of an enum, and what its variants are called there.
    Word(&'static str, String),
    Flag(bool),
    List(Vec<String>),
}

type Take = fn(&Dialect) -> Value;

/// Every field of `Dialect` but its name, in order.
const AXES: &[(&str, Take)] = &[
    ("grammar", |dialect| word("Grammar", &dialect.grammar)),
    ("engine", |dialect| word("Engine", &dialect.engine)),
    ("tool_names", |dialect| word("ToolNames", &dialect.tool_names)),
    ("domain_labels", |dialect| word("DomainLabels", &dialect.domain_labels)),
    ("subjects", |dialect| word("Subjects", &dialect.subjects)),
    ("consult", |dialect| word("Consult", &dialect.consult)),
    ("within_source", |dialect| list(&dialect.within_source)),
    ("pipeline", |dialect| list(dialect.pipeline)),
    ("fold", |dialect| list(dialect.fold)),
    ("bypass_immune", |dialect| word("BypassImmune", &dialect.bypass_immune)),
    ("layer_directories", |dialect| Value::Flag(dialect.layer_directories)),
    ("looks_at_arguments", |dialect| Value::Flag(dialect.looks_at_arguments)),
    ("modes", |dialect| list(dialect.modes)),
    ("foreign_mode", |dialect| list(&[dialect.foreign_mode])),
    ("listed_tools", |dialect| word("ListedTools", &dialect.listed_tools)),
    ("file_edit_tools", |dialect| texts(dialect.file_edit_tools)),
    ("read_only_tools", |dialect| texts(dialect.read_only_tools)),
    ("grants_settle", |dialect| Value::Flag(dialect.grants_settle)),
    ("risk", |dialect| word("RiskAxis", &dialect.risk)),
];

/// `None` where the table above is not the list of the fields, or a value has no doc comment.
pub(super) fn make(sources: &[Source]) -> Option<String> {
    let module = &sources.iter().find(|source| source.path == MODULE)?.text;
    let fields = documented(module, "pub struct Dialect {")?;
    let (name, axes) = fields.split_first()?;
    if name.0 != "name"
        || !axes.iter().map(|(field, _)| field.as_str()).eq(AXES.iter().map(|(axis, _)| *axis))
    {
        return None;
    }
    let mut table = String::from("| axis | value | of |\n|---|---|---|\n");
    for ((axis, says), (_, take)) in axes.iter().zip(AXES) {
        let mut head = format!("`{axis}`: {}", lowered(says));
        for (value, dialects) in by_value(*take) {
            let _ = writeln!(table, "| {head} | {} | {dialects} |", shown(module, &value)?);
            head.clear();
        }
    }
    Some(table)
}

/// The values of an axis in the order in which they come, each with its dialects.
fn by_value(take: Take) -> Vec<(Value, String)> {
    let mut values: Vec<(Value, String)> = Vec::new();
    for dialect in DIALECTS {
        let value = take(dialect);
        let name = format!("`{}`", dialect.name);
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, dialects)) => *dialects = format!("{dialects} {name}"),
            None => values.push((value, name)),
        }
    }
    values
}

fn shown(module: &str, value: &Value) -> Option<String> {
    Some(match value {
        Value::Flag(true) => "yes".to_owned(),
        Value::Flag(false) => "no".to_owned(),
        Value::List(items) if items.is_empty() => "none".to_owned(),
        Value::List(items) => items.join(" "),
        Value::Word(of, variant) => {
            let variants = documented(module, &format!("pub enum {of} {{"))?;
            let (_, says) = variants.into_iter().find(|(name, _)| name == variant)?;
            says.trim_end_matches('.').replace('|', "\\|")
        }
    })
}

/// The fields or variants of an item, each with its doc comment; those of inner items are passed over.
fn documented(module: &str, head: &str) -> Option<Vec<(String, String)>> {
    let (_, body) = module.split_once(head)?;
    let (body, _) = body.split_once("\n}\n")?;
    let mut found = Vec::new();
    let mut says = String::new();
    for line in body.lines().filter_map(|line| line.strip_prefix("    ")) {
        if let Some(doc) = line.strip_prefix("///") {
            says.push_str(doc);
        } else if line.starts_with(|c: char| c.is_alphabetic()) {
            let name = line.strip_prefix("pub ").unwrap_or(line);
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((name, says.trim().to_owned()));
            says.clear();
        }
    }
    Some(found)
}

fn word(of: &'static str, value: &impl Debug) -> Value {
    Value::Word(of, name(value))
}

fn list(values: &[impl Debug]) -> Value {
    Value::List(values.iter().map(|value| format!("`{}`", name(value))).collect())
}

fn texts(values: &[&str]) -> Value {
    Value::List(values.iter().map(|value| format!("`{value}`")).collect())
}

/// A variant's name, without what it holds.
fn name(value: &impl Debug) -> String {
    format!("{value:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// `How it is.` as `how it is`
fn lowered(says: &str) -> String {
    let mut characters = says.trim_end_matches('.').chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn fields_and_variants_have_their_comments() {
        let module = "pub enum Way {\n    /// One,\n    /// or more.\n    One(u8),\n    /// Two.\n    Two {\n        /// Inner.\n        a: u8,\n    },\n}\n";
        let expected = [("One", "One, or more."), ("Two", "Two.")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(documented(module, "pub enum Way {"), Some(expected.to_vec()));
        assert_eq!(shown(module, &Value::Word("Way", "Two".to_owned())).as_deref(), Some("Two"));
        assert_eq!(shown(module, &Value::Word("Way", "Three".to_owned())), None);
    }

    #[test]
    fn an_axis_that_the_table_does_not_have_makes_nothing() {
        let text =
            "pub struct Dialect {\n    /// The name.\n    pub name: u8,\n    /// New.\n    pub new: u8,\n}\n";
        assert_eq!(make(&[source(MODULE, text)]), None);
    }

    #[test]
    fn equal_values_share_a_row() {
        let rows = by_value(|dialect| Value::Flag(dialect.name == "standard"));
        assert_eq!(rows.len(), 2);
        assert_eq!(rows.first().map(|(_, dialects)| dialects.as_str()), Some("`standard`"));
    }
}
