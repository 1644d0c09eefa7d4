//! Tools, and the paths that no rule writes (claude-code.md sections 3, 5 and 14).

use crate::dialect::tiers::{CallKind, ContentKind, Fields, TOOL, ToolRow, Words};

const SHELL_FIELDS: Fields =
    Fields::Known(Words("timeout description run_in_background dangerouslyDisableSandbox"));

/// A tool that needs no approval.
const fn free(name: &'static str) -> ToolRow {
    ToolRow { name, free: true, ..TOOL }
}

/// A tool that asks.
const fn asks(name: &'static str) -> ToolRow {
    ToolRow { name, ..TOOL }
}

/// A tool that reads, with the argument that names the file.
const fn reads(name: &'static str, subject: Words, fields: Fields) -> ToolRow {
    ToolRow { name, answered_by: Words("Read"), kind: CallKind::Read, subject, fields, ..TOOL }
}

/// A tool that writes, with its arguments beside the file.
const fn edits(name: &'static str, fields: Words) -> ToolRow {
    ToolRow {
        name,
        answered_by: Words("Edit"),
        kind: CallKind::Edit,
        subject: Words("file_path notebook_path path"),
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
        subject: Words("command"),
        fields: SHELL_FIELDS,
        ..TOOL
    },
    ToolRow {
        name: "Monitor",
        answered_by: Words("Bash"),
        kind: CallKind::Shell,
        content: ContentKind::Command,
        subject: Words("command"),
        fields: Fields::Known(Words("description timeout persistent")),
        ..TOOL
    },
    ToolRow {
        name: "PowerShell",
        kind: CallKind::ForeignShell,
        content: ContentKind::Command,
        subject: Words("command"),
        fields: SHELL_FIELDS,
        ..TOOL
    },
    ToolRow {
        content: ContentKind::Path,
        ..reads("Read", Words("file_path notebook_path path"), Fields::Known(Words("offset limit pages")))
    },
    reads("Grep", Words("path"), Fields::Known(Words("pattern glob type output_mode head_limit multiline"))),
    reads("Glob", Words("path"), Fields::Known(Words("pattern"))),
    reads("LS", Words("path"), Fields::Any),
    reads("NotebookRead", Words("notebook_path file_path path"), Fields::Any),
    ToolRow { content: ContentKind::Path, ..edits("Edit", Words("old_string new_string replace_all")) },
    edits("Write", Words("content")),
    edits("MultiEdit", Words("edits")),
    ToolRow {
        subject: Words("notebook_path file_path path"),
        read_denied: false,
        ..edits("NotebookEdit", Words("new_source cell_id cell_type edit_mode"))
    },
    ToolRow {
        name: "WebFetch",
        kind: CallKind::Fetch,
        content: ContentKind::Domain,
        subject: Words("url"),
        fields: Fields::Known(Words("prompt")),
        ..TOOL
    },
    ToolRow {
        name: "Skill",
        kind: CallKind::Named,
        content: ContentKind::Command,
        subject: Words("skill"),
        rest: "args",
        fields: Fields::Known(Words("args")),
        ..TOOL
    },
    ToolRow {
        name: "Agent",
        answered_by: Words("Task"),
        kind: CallKind::Named,
        content: ContentKind::Name,
        subject: Words("subagent_type"),
        free: true,
        ..TOOL
    },
    ToolRow {
        name: "Task",
        answered_by: Words("Agent"),
        kind: CallKind::Named,
        content: ContentKind::Name,
        subject: Words("subagent_type"),
        ..TOOL
    },
    ToolRow {
        name: "Cd",
        kind: CallKind::Directory,
        content: ContentKind::Directory,
        subject: Words("path"),
        fields: Fields::Known(Words("")),
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

pub(super) static PROTECTED_DIRECTORIES: &[Words] = &[
    Words(".git"),
    Words(".config git"),
    Words(".vscode"),
    Words(".idea"),
    Words(".husky"),
    Words(".cargo"),
    Words(".devcontainer"),
    Words(".yarn"),
    Words(".mvn"),
    Words(".claude"),
];

pub(super) static PROTECTED_FILES: Words = Words(
    ".gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc \
        .zprofile .zshenv .zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs \
        .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc \
        .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml \
        gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc \
        pyrightconfig.json .mcp.json .claude.json",
);
