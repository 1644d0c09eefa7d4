//! Which rules answer for which calls (rules.md section 6).
//!
//! Both sides of the question become *tokens*: a rule answers for a call when they share one. In a dialect with
//! families both sides have the tool set of their name; in one with aliases only the call is looked up, which is why
//! the answer is not symmetric there.

use std::borrow::Cow;

use crate::dialect::{Dialect, ToolNames};
use crate::order;
use crate::text;

/// The tokens of a rule's tool name.
pub fn rule_tokens<'a>(name: &'a str, dialect: &Dialect, bash_tool: &str) -> Vec<Cow<'a, str>> {
    match dialect.tool_names {
        ToolNames::Families(rows) => family(name, rows, bash_tool),
        ToolNames::Aliases(_) => vec![name.into()],
        ToolNames::Canonical { .. } => vec![canonical_call(name, dialect, bash_tool).into()],
    }
}

/// The tokens of a call's tool name.
pub fn call_tokens<'a>(name: &'a str, dialect: &Dialect, bash_tool: &str) -> Vec<Cow<'a, str>> {
    match dialect.tool_names {
        ToolNames::Families(rows) => {
            let mut tokens = family(name, rows, bash_tool);
            for server in mcp_servers(name) {
                tokens.push(server.into());
                tokens.push([server, "__*"].concat().into());
            }
            tokens
        }
        ToolNames::Aliases(rows) => {
            let mut tokens = vec![name.into()];
            match rows.iter().find(|(document, _)| *document == name) {
                Some((_, harness)) => add(&mut tokens, harness),
                None => add_holders(&mut tokens, rows, name),
            }
            tokens
        }
        ToolNames::Canonical { wider, .. } => {
            let name = canonical_call(name, dialect, bash_tool);
            let mut tokens = vec![name.into()];
            add_holders(&mut tokens, wider, name);
            add(&mut tokens, &mcp_servers(name));
            tokens
        }
    }
}

/// The canonical name of a tool; a name that the dialect's table does not know is its own.
pub fn canonical<'a>(name: &'a str, dialect: &Dialect) -> &'a str {
    let ToolNames::Canonical { names, .. } = dialect.tool_names else { return name };
    names.iter().find(|(_, aliases)| aliases.contains(&name)).map_or(name, |(canonical, _)| canonical)
}

/// [`canonical`], where the configured name of the shell tool is one more alias of it.
pub fn canonical_call<'a>(name: &'a str, dialect: &Dialect, bash_tool: &str) -> &'a str {
    let name = if name == bash_tool { "Bash" } else { name };
    canonical(name, dialect)
}

/// What the names of the calls begin with that a rule of this name answers for, where it ends in a star.
pub fn star_prefix<'a>(name: &'a str, dialect: &Dialect) -> Option<&'a str> {
    let prefix = name.strip_suffix('*').filter(|prefix| prefix.starts_with("mcp__"))?;
    matches!(dialect.tool_names, ToolNames::Canonical { .. }).then_some(prefix)
}

/// A name, and those that it stands for.
type Row = (&'static str, &'static [&'static str]);

fn add<'a>(tokens: &mut Vec<Cow<'a, str>>, names: &[&'a str]) {
    for name in names {
        tokens.push((*name).into());
    }
}

/// Adds the names whose rows hold `name`.
fn add_holders(tokens: &mut Vec<Cow<'_, str>>, rows: &[Row], name: &str) {
    for (holder, row) in rows {
        if row.contains(&name) {
            tokens.push((*holder).into());
        }
    }
}

fn family<'a>(name: &'a str, rows: &[Row], bash_tool: &str) -> Vec<Cow<'a, str>> {
    let mut tokens = vec![];
    match rows.iter().find(|(known, _)| *known == name) {
        Some((_, set)) => add(&mut tokens, set),
        None => tokens.push(name.into()),
    }
    if name == bash_tool && !tokens.iter().any(|token| token == "bash") {
        tokens.push("bash".into());
    }
    tokens
}

/// The names `mcp__SERVER` of the servers that a call's tool may belong to. Three underscores in a row leave it open
/// where the server's name ends, so there may be two.
fn mcp_servers(call: &str) -> Vec<&str> {
    let Some(after) = call.strip_prefix("mcp__") else { return vec![] };
    let end = text::find(after, "__").unwrap_or(0);
    let mut servers = vec![];
    for end in [end, end.saturating_add(1)] {
        let Some((server, tool)) = after.split_at_checked(end) else { continue };
        let whole = !server.is_empty() && !text::contains(server, "__") && tool.starts_with("__");
        if let Some(name) = call.get(.."mcp__".len().saturating_add(end)).filter(|_| whole) {
            servers.push(name);
        }
    }
    servers
}

/// Whether a rule name is one of a whole MCP server: `mcp__SERVER` or `mcp__SERVER__*`.
pub fn is_mcp_server(name: &str) -> bool {
    let server = name.strip_suffix("__*").unwrap_or(name).strip_prefix("mcp__");
    server
        .is_some_and(|server| !server.is_empty() && !text::contains(server, "__") && !server.contains(['*']))
}

/// Every name that the dialect's table knows, on either side of it.
pub fn known_names(dialect: &Dialect) -> Vec<&'static str> {
    let (ToolNames::Families(rows) | ToolNames::Aliases(rows) | ToolNames::Canonical { names: rows, .. }) =
        dialect.tool_names;
    let mut names = vec![];
    for (name, row) in rows {
        names.push(*name);
        names.extend_from_slice(row);
    }
    names
}

/// Other names of the same tools that a rule of this name does not answer for, where the table is not symmetric: names
/// of its row, and of the rows that share a harness name with it.
pub fn missed_names(name: &str, dialect: &Dialect, bash_tool: &str) -> Vec<&'static str> {
    let ToolNames::Aliases(rows) = dialect.tool_names else { return vec![] };
    let shares = |row: &[&str]| {
        let mine = |(document, own): &Row| *document == name || own.contains(&name);
        rows.iter().any(|own| mine(own) && own.1.iter().any(|token| row.contains(token)))
    };
    let mut others = vec![];
    for (document, row) in rows {
        if shares(row) {
            others.push(*document);
            others.extend_from_slice(row);
        }
    }
    let mut missed = vec![];
    for other in order::sort(others, Ord::cmp) {
        let answered = call_tokens(other, dialect, bash_tool).iter().any(|token| token == name);
        if !answered && missed.last() != Some(&other) {
            missed.push(other);
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{DSH_0_5, STANDARD};

    #[track_caller]
    fn check(dialect: &Dialect, rule: &str, call: &str, expected: bool) {
        let rules = rule_tokens(rule, dialect, "Bash");
        let answers = call_tokens(call, dialect, "Bash").iter().any(|token| rules.contains(token));
        assert_eq!(answers, expected, "{} {rule} for {call}", dialect.name);
    }

    #[test]
    fn families_meet() {
        check(&STANDARD, "Bash", "bash", true);
        check(&STANDARD, "Edit", "multi_edit", true);
        check(&STANDARD, "edit", "Edit", true);
        check(&STANDARD, "str_replace_editor", "MultiEdit", false);
        check(&STANDARD, "toString", "toString", true);
        check(&STANDARD, "toString", "constructor", false);
        check(&STANDARD, "bash", "BASH", false);
    }

    #[test]
    fn mcp_servers_answer_for_their_tools() {
        check(&STANDARD, "mcp__github", "mcp__github__create_issue", true);
        check(&STANDARD, "mcp__github__*", "mcp__github__create_issue", true);
        check(&STANDARD, "mcp__github__create_issue", "mcp__github__create_issue", true);
        check(&STANDARD, "mcp__git", "mcp__github__create_issue", false);
        check(&STANDARD, "mcp__github__create_*", "mcp__github__create_issue", false);
        check(&STANDARD, "mcp__*", "mcp__github__create_issue", false);
        check(&STANDARD, "mcp__github__*", "mcp__github", false);
        check(&STANDARD, "mcp__a", "mcp__a___b", true);
        check(&STANDARD, "mcp__a_", "mcp__a___b", true);
        check(&STANDARD, "mcp__a__b", "mcp__a__b__c", false);
        check(&STANDARD, "mcp__", "mcp____x", false);
        check(&DSH_0_5, "mcp__github", "mcp__github__create_issue", false);
    }

    #[test]
    fn aliases_are_one_way() {
        check(&DSH_0_5, "Edit", "edit", true);
        check(&DSH_0_5, "MultiEdit", "edit", true);
        check(&DSH_0_5, "MultiEdit", "Edit", false);
        check(&DSH_0_5, "edit", "Edit", true);
        assert_eq!(missed_names("read", &DSH_0_5, "Bash"), ["read_image"]);
        assert!(missed_names("Read", &DSH_0_5, "Bash").is_empty());
        assert_eq!(missed_names("Edit", &DSH_0_5, "Bash"), ["MultiEdit"]);
    }

    #[test]
    fn the_configured_shell_is_a_shell() {
        assert_eq!(call_tokens("Terminal", &STANDARD, "Terminal"), ["Terminal", "bash"]);
        assert_eq!(rule_tokens("Terminal", &STANDARD, "Bash"), ["Terminal"]);
    }
}
