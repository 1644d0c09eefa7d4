//! Which tool a call is of, and which rules answer for it (claude-code.md sections 3, 4 and 10).

use crate::dialect::Tiers;
use crate::dialect::tiers::{CallKind, TOOL, ToolRow};
use crate::engine::config::Config;
use crate::rule::{Wildcard, tool};
use crate::text;

/// The tool of a call: a row of the table, or what the host says of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool<'c> {
    pub(super) name: &'c str,
    pub(super) row: ToolRow,
    /// It only reads.
    pub(super) read_only: bool,
}

/// How the name of a rule is compared.
#[derive(Clone, Debug)]
pub(super) enum Name {
    /// With the names that the tool has.
    Plain,
    /// With the tool's own name.
    Glob(Wildcard),
    /// With the servers that the tool may be of.
    Server,
    /// With nothing.
    Nobody,
}

impl<'c> Tool<'c> {
    pub(super) fn of(name: &'c str, tiers: &Tiers, config: &Config) -> Self {
        let listed = |list: &[String]| list.iter().any(|listed| listed == name);
        let built_in = ToolRow::find(tiers.tools, name).copied();
        let like = |model: &'static str| ToolRow::find(tiers.tools, model).copied().unwrap_or(TOOL);
        let row = built_in.unwrap_or_else(|| {
            if name == config.bash_tool {
                like(tiers.shell_tool)
            } else if listed(&config.file_edit_tools) {
                like(tiers.edit_tool)
            } else {
                TOOL
            }
        });
        let reads = listed(&config.read_only_tools);
        Self {
            name,
            row: ToolRow { free: row.free || reads, ..row },
            read_only: reads || row.kind == CallKind::Read,
        }
    }

    /// Whether rules of that name answer for the call.
    pub(super) fn is_answered_by(&self, rule: &str, name: &Name) -> bool {
        if self.row.kind == CallKind::Unreached {
            return false;
        }
        match name {
            Name::Plain => rule == self.name || rule == self.row.name || self.row.answered_by.has(rule),
            Name::Glob(glob) => glob.accepts(self.name),
            Name::Server => {
                let of = |rest: &str| rest.strip_prefix("__").is_some_and(|tool| !tool.is_empty());
                rule == self.name || self.name.strip_prefix(rule).is_some_and(of)
            }
            Name::Nobody => false,
        }
    }
}

impl Name {
    /// How a rule's name is compared; `allows` of an allow rule, whose stars stand behind a whole server's name only.
    pub(super) fn of(rule: &str, allows: bool) -> Self {
        if !rule.contains(['*']) {
            return if tool::is_mcp_server(rule) { Self::Server } else { Self::Plain };
        }
        if allows && !is_anchored(rule) {
            return Self::Nobody;
        }
        Self::Glob(Wildcard::literal(rule, false))
    }
}

/// Whether the stars of a name stand behind `mcp__SERVER__`.
pub(super) fn is_anchored(rule: &str) -> bool {
    let server = rule.strip_prefix("mcp__").and_then(|rest| text::split_once(rest, "__"));
    server.is_some_and(|(server, _)| !server.is_empty() && !server.contains(['*']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, allows: bool, call: &str, expected: bool) {
        let tool = Tool { name: call, row: TOOL, read_only: false };
        assert_eq!(tool.is_answered_by(rule, &Name::of(rule, allows)), expected, "{rule} for {call}");
    }

    #[test]
    fn names_answer() {
        check("*", false, "Read", true);
        check("*", true, "Read", false);
        check("mcp__*", false, "mcp__a__b", true);
        check("mcp__*", true, "mcp__a__b", false);
        check("mcp__a__b_*", true, "mcp__a__b_c", true);
        check("mcp__a*__b", true, "mcp__ab__b", false);
        check("mcp__a__*", true, "mcp__a__b", true);
        check("mcp__a", true, "mcp__a__b", true);
        check("mcp__a", true, "mcp__ab__b", false);
        check("mcp__a__b", true, "mcp__a__b__c", false);
        check("Web", false, "WebFetch", false);
    }
}
