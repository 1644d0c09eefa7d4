//! `qwen-code-0.24`: the permission rules of Qwen Code as version 0.24.4 executes them, weaknesses included
//! (`qwen-code.md`).

use super::segments::{
    Auto, Beside, Does, Given, Guarded, Operands, Program, Protected, Reader, Script, VirtualTools,
};
use super::{
    BypassImmune, COMMON_MODES, Consult, ContentKind, Dialect, DomainLabels, Engine, Grammar, INTERPRETERS,
    ListedTools, RiskAxis, Segments, Subjects, ToolNames,
};
use crate::vocabulary::{Behavior, Severity};

/// The engine of version 0.24.4.
pub const QWEN_CODE_0_24: Dialect = Dialect {
    name: "qwen-code-0.24",
    grammar: Grammar::Verbatim(CONTENTS),
    engine: Engine::Segments(&SEGMENTS),
    tool_names: ToolNames::Canonical { names: NAMES, wider: WIDER },
    domain_labels: DomainLabels::AsWritten,
    subjects: Subjects::Read,
    consult: Consult::ByBehavior,
    within_source: [Behavior::Deny, Behavior::Ask, Behavior::Allow],
    pipeline: &[],
    fold: &[],
    bypass_immune: BypassImmune::Everywhere,
    layer_directories: false,
    looks_at_arguments: true,
    modes: COMMON_MODES,
    foreign_mode: Severity::Warning,
    listed_tools: ListedTools::ByFamily,
    file_edit_tools: &["edit", "write_file", "notebook_edit"],
    read_only_tools: &["read_file", "zoom_image", "grep_search", "glob", "list_directory"],
    grants_settle: true,
    risk: RiskAxis::Guard(GUARD),
};

/// Canonical names and their aliases.
const NAMES: &[(&str, &[&str])] = &[
    ("run_shell_command", &["Bash", "Shell", "ShellTool"]),
    ("edit", &["Edit", "EditTool", "replace"]),
    ("write_file", &["Write", "WriteFile", "WriteFileTool"]),
    ("notebook_edit", &["NotebookEdit"]),
    ("read_file", &["Read", "ReadFile", "ReadFileTool"]),
    ("grep_search", &["Grep", "SearchFiles", "search_file_content"]),
    ("glob", &["Glob", "FindFiles"]),
    ("list_directory", &["ListFiles", "ReadFolder"]),
    ("web_fetch", &["WebFetch"]),
    ("web_search", &["WebSearch"]),
    ("monitor", &["Monitor"]),
    ("skill", &["Skill"]),
    ("lsp", &["Lsp"]),
    ("agent", &["Agent", "Task", "TaskTool", "task"]),
];

/// Rules of these tools answer for the others as well, not the other way round.
const WIDER: &[(&str, &[&str])] = &[
    ("read_file", &["zoom_image", "grep_search", "glob", "list_directory"]),
    ("edit", &["write_file", "notebook_edit"]),
    ("run_shell_command", &["monitor"]),
];

const CONTENTS: &[(&str, ContentKind)] = &[
    ("run_shell_command", ContentKind::Command),
    ("monitor", ContentKind::Command),
    ("read_file", ContentKind::Path),
    ("zoom_image", ContentKind::Path),
    ("grep_search", ContentKind::Path),
    ("glob", ContentKind::Path),
    ("list_directory", ContentKind::Path),
    ("edit", ContentKind::Path),
    ("write_file", ContentKind::Path),
    ("notebook_edit", ContentKind::Path),
    ("web_fetch", ContentKind::Host),
];

const SEGMENTS: Segments = Segments {
    shells: &["run_shell_command", "monitor"],
    literals: &[("agent", "subagent_type"), ("skill", "skill")],
    person: "ask_user_question",
    readers: READERS,
    writers: &[
        ("rm", "", ""),
        ("mv", "", ""),
        ("cp", "", ""),
        ("tee", "", ""),
        ("kill", "", "-0"),
        ("git", "push", ""),
    ],
    movers: &["cd", "pushd"],
    virtual_tools: VirtualTools {
        read: "read_file",
        list: "list_directory",
        write: "write_file",
        edit: "edit",
        fetch: "web_fetch",
    },
    programs: PROGRAMS,
    looked_past: &["sudo", "doas", "env", "time", "nice", "ionice", "nohup", "timeout", "stdbuf"],
    shifted: &["unbuffer"],
    text_depth: 4,
    most_segments: 1_024,
    most_operations: 128,
    most_programs: 1_024,
    no_files: &[
        "/dev/null",
        "/dev/zero",
        "/dev/random",
        "/dev/urandom",
        "/dev/full",
        "/dev/tty",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/fd/",
        "/dev/tcp/",
        "/dev/udp/",
    ],
    auto: AUTO,
    grants: &[
        ("run_shell_command", "Bash"),
        ("monitor", "Bash"),
        ("read_file", "Read"),
        ("zoom_image", "Read"),
        ("grep_search", "Read"),
        ("glob", "Read"),
        ("list_directory", "Read"),
        ("edit", "Edit"),
        ("write_file", "Edit"),
        ("notebook_edit", "Edit"),
        ("web_fetch", "WebFetch"),
        ("agent", "Agent"),
    ],
    directories: &["grep_search", "glob", "list_directory"],
    grant_keys: &["model", "subagent_type", "skill"],
};

const fn reader(name: &'static str, writes: &'static [&'static str]) -> Reader {
    Reader { name, subcommand: "", writes, unsure: &[], operands: Operands::Any }
}

const fn git(subcommand: &'static str, operands: Operands) -> Reader {
    Reader { name: "git", subcommand, writes: &["--output"], unsure: &[], operands }
}

const READERS: &[Reader] = &[
    reader("ls", &[]),
    reader("cat", &[]),
    reader("head", &[]),
    reader("tail", &[]),
    reader("grep", &[]),
    reader("echo", &[]),
    reader("pwd", &[]),
    reader("printenv", &[]),
    reader("wc", &[]),
    reader("cut", &[]),
    reader("which", &[]),
    reader("cd", &[]),
    Reader { unsure: &["--compress-program"], ..reader("sort", &["-o", "--output"]) },
    Reader { operands: Operands::Most(1), ..reader("uniq", &[]) },
    Reader {
        unsure: &["-f", "--file"],
        operands: Operands::Script(Script::Sed),
        ..reader("sed", &["-i", "--in-place"])
    },
    Reader {
        unsure: &["-f", "-i", "-l", "-e", "--file", "--include", "--load", "--exec"],
        operands: Operands::Script(Script::Awk),
        ..reader("awk", &[])
    },
    Reader {
        unsure: &["-exec", "-execdir", "-ok", "-okdir"],
        ..reader("find", &["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"])
    },
    git("status", Operands::Any),
    git("log", Operands::Any),
    git("diff", Operands::Any),
    git("show", Operands::Any),
    git("branch", Operands::Behind(BRANCH_LISTS, BRANCH_SHOWS)),
    git("remote", Operands::Verbs(&["show", "get-url"], &["-v", "--verbose"])),
];

/// Options of `git branch` behind which operands are patterns or commits.
const BRANCH_LISTS: &[&str] =
    &["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
/// Further ones that only show.
const BRANCH_SHOWS: &[&str] = &[
    "-a",
    "-r",
    "-v",
    "-vv",
    "--all",
    "--remotes",
    "--verbose",
    "--show-current",
    "--sort",
    "--format",
    "--color",
    "--no-color",
    "--column",
    "--no-column",
];

const fn program(names: &'static [&'static str], does: Does) -> Program {
    Program { names, does, options: &[] }
}

const PROGRAMS: &[Program] = &[
    program(
        &[
            "cat",
            "less",
            "more",
            "wc",
            "uniq",
            "nl",
            "tac",
            "rev",
            "od",
            "xxd",
            "hexdump",
            "strings",
            "file",
            "stat",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "cksum",
            "base64",
            "diff",
            "cmp",
            "comm",
            "paste",
            "join",
            "fold",
            "fmt",
            "column",
            "zcat",
            "bat",
        ],
        Does::Reads,
    ),
    Program {
        options: &[("-n", Given::Value), ("-c", Given::Value)],
        ..program(&["head", "tail"], Does::Reads)
    },
    Program {
        options: &[
            ("-d", Given::Value),
            ("-f", Given::Value),
            ("-c", Given::Value),
            ("-b", Given::Value),
            ("--delimiter", Given::Value),
            ("--fields", Given::Value),
        ],
        ..program(&["cut"], Does::Reads)
    },
    Program {
        options: &[
            ("-o", Given::Written),
            ("--output", Given::Written),
            ("-k", Given::Value),
            ("-t", Given::Value),
            ("-S", Given::Value),
            ("-T", Given::Value),
        ],
        ..program(&["sort"], Does::Reads)
    },
    Program {
        options: &[
            ("-i", Given::InPlace),
            ("--in-place", Given::InPlace),
            ("-e", Given::Script),
            ("--expression", Given::Script),
            ("-f", Given::ScriptFile),
            ("--file", Given::ScriptFile),
        ],
        ..program(&["sed"], Does::ReadsBehindFirst)
    },
    Program {
        options: &[
            ("-f", Given::ScriptFile),
            ("--file", Given::ScriptFile),
            ("-v", Given::Value),
            ("-F", Given::Value),
        ],
        ..program(&["awk", "gawk", "mawk", "nawk"], Does::ReadsBehindFirst)
    },
    Program {
        options: &[
            ("-e", Given::Script),
            ("--regexp", Given::Script),
            ("-f", Given::ScriptFile),
            ("--file", Given::ScriptFile),
            ("-r", Given::Recursive),
            ("-R", Given::Recursive),
            ("--recursive", Given::Recursive),
            ("--dereference-recursive", Given::Recursive),
            ("-A", Given::Value),
            ("-B", Given::Value),
            ("-C", Given::Value),
            ("-m", Given::Value),
        ],
        ..program(&["grep", "egrep", "fgrep"], Does::ReadsBehindFirst)
    },
    program(&["ls"], Does::Lists),
    program(&["find"], Does::Finds),
    Program { options: TARGET, ..program(&["cp", "ln"], Does::Copies) },
    Program { options: TARGET, ..program(&["mv"], Does::Moves) },
    program(&["dd"], Does::Pairs),
    program(&["rm"], Does::Edits),
    program(&["chmod"], Does::EditsBehindFirst),
    program(&["tee", "touch"], Does::Writes),
    Program {
        options: &[
            ("-o", Given::Written),
            ("--output", Given::Written),
            ("--url", Given::Url),
            ("-H", Given::Value),
            ("-d", Given::Value),
            ("-X", Given::Value),
            ("-A", Given::Value),
            ("-u", Given::Value),
        ],
        ..program(&["curl"], Does::Fetches)
    },
    Program {
        options: &[("-O", Given::Written), ("--output-document", Given::Written)],
        ..program(&["wget"], Does::Fetches)
    },
];

const TARGET: &[(&str, Given)] =
    &[("-t", Given::Target), ("--target-directory", Given::Target), ("-S", Given::Value)];

const AUTO: Auto = Auto {
    edits: &["edit", "write_file"],
    harmless: &[
        "ask_user_question",
        "cron_list",
        "enter_plan_mode",
        "exit_plan_mode",
        "glob",
        "grep_search",
        "list_directory",
        "lsp",
        "read_file",
        "structured_output",
        "task_stop",
        "todo_write",
        "tool_search",
        "zoom_image",
    ],
    writers: &[
        "cp", "mv", "install", "rsync", "patch", "perl", "sed", "tee", "dd", "sort", "awk", "gawk", "node",
        "python", "python3", "ruby", "php", "curl", "wget", "tar", "unzip", "cpio",
    ],
    in_place: (&["sed", "perl"], &["-i", "--in-place"]),
    protected: &[
        Protected::All(&[".git"]),
        Protected::Below(&[".husky"]),
        Protected::Name(&["package.json"]),
        Protected::Name(&[".npmrc"]),
        Protected::Name(&["makefile"]),
        Protected::Name(&["gnumakefile"]),
        Protected::Name(&["justfile"]),
        Protected::Name(&[".justfile"]),
        Protected::Name(&["taskfile.yml"]),
        Protected::Name(&["taskfile.yaml"]),
        Protected::Name(&[".mcp.json"]),
        Protected::Name(&["qwen.md"]),
        Protected::Name(&["agents.md"]),
        Protected::Below(&[".github", "workflows"]),
        Protected::Name(&[".qwen", "settings.json"]),
        Protected::Between(".qwen", "settings.", ".json"),
        Protected::Name(&[".qwen", "qwen.local.md"]),
        Protected::All(&[".qwen", "rules"]),
        Protected::All(&[".qwen", "commands"]),
        Protected::All(&[".qwen", "agents"]),
        Protected::All(&[".qwen", "skills"]),
        Protected::All(&[".qwen", "hooks"]),
        Protected::All(&[".qwen", "fork-profiles"]),
    ],
    suspended: &["agent", "skill"],
    interpreters: INTERPRETERS,
};

const DESTRUCTIVE_GIT: &str = "destroys work that git has not kept";
const DESTRUCTIVE_INFRA: &str = "destroys what it has set up";

const GUARD: &[Guarded] = &[
    Guarded {
        code: "destructive-git",
        reason: DESTRUCTIVE_GIT,
        words: &[Beside::Is("git"), Beside::Is("reset"), Beside::Is("--hard")],
    },
    Guarded {
        code: "destructive-git",
        reason: DESTRUCTIVE_GIT,
        words: &[Beside::Is("git"), Beside::Is("checkout"), Beside::Is("--"), Beside::Begins(".")],
    },
    Guarded {
        code: "destructive-git",
        reason: DESTRUCTIVE_GIT,
        words: &[Beside::Is("git"), Beside::Is("clean"), Beside::Letter('f')],
    },
    Guarded {
        code: "destructive-git",
        reason: DESTRUCTIVE_GIT,
        words: &[Beside::Is("git"), Beside::Is("stash"), Beside::Is("drop")],
    },
    Guarded {
        code: "amend",
        reason: "rewrites the last commit",
        words: &[Beside::Is("git"), Beside::Is("commit"), Beside::Is("--amend")],
    },
    Guarded {
        code: "destructive-infra",
        reason: DESTRUCTIVE_INFRA,
        words: &[Beside::Is("terraform"), Beside::Is("destroy")],
    },
    Guarded {
        code: "destructive-infra",
        reason: DESTRUCTIVE_INFRA,
        words: &[Beside::Is("pulumi"), Beside::Is("destroy")],
    },
    Guarded {
        code: "destructive-infra",
        reason: DESTRUCTIVE_INFRA,
        words: &[Beside::Is("cdk"), Beside::Is("destroy")],
    },
];
