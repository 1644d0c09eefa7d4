//! `claude-code-2.1`: Claude Code's documented rules at 2.1.240 (claude-code.md).

mod shell;
mod tools;

use super::{
    BypassImmune, Consult, Dialect, DomainLabels, Engine, Grammar, ListedTools, RiskAxis, Subjects, Tiers,
    ToolNames,
};
use crate::dialect::tiers::Words;
use crate::vocabulary::{Behavior, PermissionMode, Severity};

/// The rules of Claude Code 2.1.
pub const CLAUDE_CODE_2_1: Dialect = Dialect {
    name: "claude-code-2.1",
    grammar: Grammar::Literal(tools::TOOLS),
    engine: Engine::Tiers(&TIERS),
    tool_names: ToolNames::Families(&[]),
    domain_labels: DomainLabels::Below,
    subjects: Subjects::Read,
    consult: Consult::BySource,
    within_source: [Behavior::Deny, Behavior::Ask, Behavior::Allow],
    pipeline: &[],
    fold: &[],
    bypass_immune: BypassImmune::Everywhere,
    layer_directories: true,
    looks_at_arguments: true,
    modes: PermissionMode::ALL,
    foreign_mode: Severity::Error,
    listed_tools: ListedTools::ByName,
    file_edit_tools: &[],
    read_only_tools: &[],
    grants_settle: true,
    risk: RiskAxis::Read,
};

static TIERS: Tiers = Tiers {
    tools: tools::TOOLS,
    shell_tool: "Bash",
    edit_tool: "Edit",
    wrappers: shell::WRAPPERS,
    safe_variables: shell::SAFE_VARIABLES,
    never_approved: shell::NEVER_APPROVED,
    read_only: shell::READ_ONLY,
    git: &shell::GIT,
    files: shell::FILES,
    removers: Words("rm rmdir"),
    accepted: Words("mkdir touch rm rmdir mv cp sed"),
    protected_directories: tools::PROTECTED_DIRECTORIES,
    exempt_children: [".claude", "worktrees"],
    protected_files: tools::PROTECTED_FILES,
    broad: &shell::BROAD,
    shell_units: 10_000,
};
