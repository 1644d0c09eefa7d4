//! What kind of text a tool's calls are matched by (rules.md section 7).

use super::config::Config;
use crate::dialect::{Dialect, ListedTools, RiskAxis};
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

/// What a policy knows of a tool by its name alone; made once for every name that it knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// What kind of text its calls are matched by.
    pub(super) kind: SubjectKind,
    /// It is the shell tool, under this or another name.
    pub(super) is_shell: bool,
    /// It leaves `plan`.
    pub(super) exits_plan: bool,
    /// It is listed as one that edits files.
    pub(super) edits_files: bool,
    /// It is listed as one that only reads.
    pub(super) only_reads: bool,
    /// It writes the file that its path names.
    pub(super) writes_its_path: bool,
}

impl Facts {
    /// What the configuration says of a tool.
    pub(super) fn of(name: &str, config: &Config) -> Self {
        let Config { dialect, bash_tool, .. } = config;
        let edits_files = is_listed(name, &config.file_edit_tools, dialect, bash_tool);
        let writes = || WRITING_TOOLS.iter().any(|tool| meets(name, tool, dialect, bash_tool));
        Self {
            kind: kind_of_rule(name, dialect, bash_tool),
            is_shell: is_shell(name, dialect, bash_tool),
            exits_plan: exits_plan(name, dialect, bash_tool),
            edits_files,
            only_reads: is_listed(name, &config.read_only_tools, dialect, bash_tool),
            writes_its_path: edits_files || (dialect.risk == RiskAxis::Read && writes()),
        }
    }
}

/// Document names of the tools that write the file of their path.
const WRITING_TOOLS: &[&str] = &["Write", "Edit", "MultiEdit", "NotebookEdit"];

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
