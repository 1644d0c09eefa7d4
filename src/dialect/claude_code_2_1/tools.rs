//! Tools, and the paths that no rule writes (claude-code.md sections 3, 5 and 14).

use crate::dialect::tiers::{CallKind, ContentKind, Fields, TOOL, ToolRow};

const SHELL_FIELDS: Fields =
    Fields::Known(&["timeout", "description", "run_in_background", "dangerouslyDisableSandbox"]);

/// A tool that needs no approval.
const fn free(name: &'static str) -> ToolRow {
    ToolRow { name, free: true, ..TOOL }
}

/// A tool that asks.
const fn asks(name: &'static str) -> ToolRow {
    ToolRow { name, ..TOOL }
}

/// A tool that reads, with the argument that names the file.
const fn reads(name: &'static str, subject: &'static [&'static str], fields: Fields) -> ToolRow {
    ToolRow { name, answered_by: &["Read"], kind: CallKind::Read, subject, fields, ..TOOL }
}

/// A tool that writes, with its arguments beside the file.
const fn edits(name: &'static str, fields: &'static [&'static str]) -> ToolRow {
    ToolRow {
        name,
        answered_by: &["Edit"],
        kind: CallKind::Edit,
        subject: &["file_path", "notebook_path", "path"],
        fields: Fields::Known(fields),
        read_denied: true,
        ..TOOL
    }
}

pub(super) static TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "Bash",
        kind: CallKind::Shell,
        content: ContentKind::Command,
        subject: &["command"],
        fields: SHELL_FIELDS,
        ..TOOL
    },
    ToolRow {
        name: "Monitor",
        answered_by: &["Bash"],
        kind: CallKind::Shell,
        content: ContentKind::Command,
        subject: &["command"],
        fields: Fields::Known(&["description", "timeout", "persistent"]),
        ..TOOL
    },
    ToolRow {
        name: "PowerShell",
        kind: CallKind::ForeignShell,
        content: ContentKind::Command,
        subject: &["command"],
        fields: SHELL_FIELDS,
        ..TOOL
    },
    ToolRow {
        content: ContentKind::Path,
        ..reads("Read", &["file_path", "notebook_path", "path"], Fields::Known(&["offset", "limit", "pages"]))
    },
    reads(
        "Grep",
        &["path"],
        Fields::Known(&["pattern", "glob", "type", "output_mode", "head_limit", "multiline"]),
    ),
    reads("Glob", &["path"], Fields::Known(&["pattern"])),
    reads("LS", &["path"], Fields::Any),
    reads("NotebookRead", &["notebook_path", "file_path", "path"], Fields::Any),
    ToolRow { content: ContentKind::Path, ..edits("Edit", &["old_string", "new_string", "replace_all"]) },
    edits("Write", &["content"]),
    edits("MultiEdit", &["edits"]),
    ToolRow {
        subject: &["notebook_path", "file_path", "path"],
        read_denied: false,
        ..edits("NotebookEdit", &["new_source", "cell_id", "cell_type", "edit_mode"])
    },
    ToolRow {
        name: "WebFetch",
        kind: CallKind::Fetch,
        content: ContentKind::Domain,
        subject: &["url"],
        fields: Fields::Known(&["prompt"]),
        ..TOOL
    },
    ToolRow {
        name: "Skill",
        kind: CallKind::Named,
        content: ContentKind::Command,
        subject: &["skill"],
        rest: "args",
        fields: Fields::Known(&["args"]),
        ..TOOL
    },
    ToolRow {
        name: "Agent",
        answered_by: &["Task"],
        kind: CallKind::Named,
        content: ContentKind::Name,
        subject: &["subagent_type"],
        free: true,
        ..TOOL
    },
    ToolRow {
        name: "Task",
        answered_by: &["Agent"],
        kind: CallKind::Named,
        content: ContentKind::Name,
        subject: &["subagent_type"],
        ..TOOL
    },
    ToolRow {
        name: "Cd",
        kind: CallKind::Directory,
        content: ContentKind::Directory,
        subject: &["path"],
        fields: Fields::Known(&[]),
        ..TOOL
    },
    ToolRow { kind: CallKind::Question, ..asks("AskUserQuestion") },
    ToolRow { kind: CallKind::Unreached, ..free("EndConversation") },
    free("CronCreate"),
    free("CronDelete"),
    free("CronList"),
    free("EnterPlanMode"),
    free("ExitWorktree"),
    free("ListAgents"),
    free("ListMcpResourcesTool"),
    free("LSP"),
    free("PushNotification"),
    free("ReadMcpResourceTool"),
    free("RemoteTrigger"),
    free("ReportFindings"),
    free("ScheduleWakeup"),
    free("SendFeedback"),
    free("SendMessage"),
    free("SendUserFile"),
    free("SubagentHandback"),
    free("TaskCreate"),
    free("TaskGet"),
    free("TaskList"),
    free("TaskOutput"),
    free("TaskStop"),
    free("TaskUpdate"),
    free("TodoWrite"),
    free("ToolSearch"),
    free("WaitForMcpServers"),
    asks("Artifact"),
    asks("EnterWorktree"),
    asks("ExitPlanMode"),
    asks("ShareOnboardingGuide"),
    asks("WebSearch"),
    asks("Workflow"),
];

pub(super) static PROTECTED_DIRECTORIES: &[&[&str]] = &[
    &[".git"],
    &[".config", "git"],
    &[".vscode"],
    &[".idea"],
    &[".husky"],
    &[".cargo"],
    &[".devcontainer"],
    &[".yarn"],
    &[".mvn"],
    &[".claude"],
];

pub(super) static PROTECTED_FILES: &[&str] = &[
    ".gitconfig",
    ".gitmodules",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".bash_logout",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".zlogout",
    ".profile",
    ".envrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".pnpmfile.cjs",
    "bunfig.toml",
    ".bunfig.toml",
    ".bazelrc",
    ".bazelversion",
    ".bazeliskrc",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    "gradle-wrapper.properties",
    "maven-wrapper.properties",
    ".devcontainer.json",
    ".ripgreprc",
    "pyrightconfig.json",
    ".mcp.json",
    ".claude.json",
];
