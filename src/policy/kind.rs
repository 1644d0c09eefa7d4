//! What kind of text a tool's calls are matched by (rules.md section 7).

use crate::dialect::{Dialect, ListedTools};
use crate::rule::tool;

/// The kind of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// A shell line.
    Command,
    /// A file's path.
    Path,
    /// A host name.
    Host,
    /// Any other text.
    Text,
}

/// Document names of the tools whose subject is a path.
const PATH_TOOLS: &[&str] = &["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Grep", "Glob", "LS"];

/// The kind that the name of a rule's tool tells.
pub(super) fn kind_of_rule(name: &str, dialect: &Dialect, bash_tool: &str) -> SubjectKind {
    if is_shell(name, dialect, bash_tool) {
        SubjectKind::Command
    } else if meets(name, "WebFetch", dialect, bash_tool) {
        SubjectKind::Host
    } else if PATH_TOOLS.iter().any(|tool| meets(name, tool, dialect, bash_tool)) {
        SubjectKind::Path
    } else {
        SubjectKind::Text
    }
}

/// Whether calls of that name are shell calls: the configured tool, and what is the same tool under another name.
pub(super) fn is_shell(name: &str, dialect: &Dialect, bash_tool: &str) -> bool {
    meets(name, bash_tool, dialect, bash_tool)
}

/// Whether a rule of the name `listed` would answer for a call of the name `call`.
pub(super) fn meets(call: &str, listed: &str, dialect: &Dialect, bash_tool: &str) -> bool {
    let listed = tool::rule_tokens(listed, dialect, bash_tool);
    tool::call_tokens(call, dialect, bash_tool).iter().any(|token| listed.contains(token))
}

/// Whether calls of that name leave `plan`.
pub(super) fn exits_plan(name: &str, dialect: &Dialect, bash_tool: &str) -> bool {
    name == "exit_plan_mode" || meets(name, "ExitPlanMode", dialect, bash_tool)
}

/// Whether a tool is one of a configured list.
pub(super) fn is_listed(tool: &str, list: &[String], dialect: &Dialect, bash_tool: &str) -> bool {
    list.iter().any(|listed| match dialect.listed_tools {
        ListedTools::ByName => listed == tool,
        ListedTools::ByFamily => meets(tool, listed, dialect, bash_tool),
    })
}
