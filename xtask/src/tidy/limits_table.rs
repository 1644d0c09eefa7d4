//! The table of limits, from the doc comments of `src/limits.rs`.

use std::fmt::Write;

use super::Source;

/// A Markdown table with a row for each constant.
pub(super) fn make(sources: &[Source]) -> Option<String> {
    let source = sources.iter().find(|source| source.path == "src/limits.rs")?;
    let mut table = String::from("| limit | value | of what |\n|---|---:|---|\n");
    let mut says = String::new();
    for line in source.text.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            says.push_str(doc);
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, rest) = constant.split_once(':')?;
            let value = product(rest.split_once('=')?.1.trim_end_matches(';'))?;
            let _ =
                writeln!(table, "| `{name}` | {} | {} |", grouped(value), says.trim().replace('|', "\\|"));
            says.clear();
        } else if !line.starts_with("#[") {
            says.clear();
        }
    }
    Some(table)
}

/// `64 * 1_024`
fn product(expression: &str) -> Option<u64> {
    let factor = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    expression.split('*').map(factor).try_fold(1u64, |product, factor| product.checked_mul(factor?))
}

/// `65536` as `65,536`
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn a_row_for_each_constant() {
        let text = "//! Bounds.\n\n/// Units of a rule\n/// string (`a|b`).\npub const RULE: usize = 4_096;\n/// Bytes.\npub const INPUT: usize = 64 * 1_024 * 1_024;\n";
        let expected = "| limit | value | of what |\n|---|---:|---|\n| `RULE` | 4,096 | Units of a rule string (`a\\|b`). |\n| `INPUT` | 67,108,864 | Bytes. |\n";
        assert_eq!(make(&[source("src/limits.rs", text)]).as_deref(), Some(expected));
    }

    #[test]
    fn a_value_that_it_cannot_read_makes_nothing() {
        assert_eq!(make(&[source("src/limits.rs", "pub const X: usize = OTHER;\n")]), None);
        assert_eq!(make(&[]), None);
    }
}
