//! `qwen-code-0.24`: the permission rules of Qwen Code as version 0.24.4 executes them, weaknesses included
//! (`qwen-code.md`).

use super::segments::{
    Auto, Beside, Does, Given, Guarded, Operands, Program, Protected, Reader, Script, VirtualTools,
};
use super::tiers::Words;
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

const CONTENTS: &[(Words, ContentKind)] = &[
    (Words("run_shell_command monitor"), ContentKind::Command),
    (
        Words("read_file zoom_image grep_search glob list_directory edit write_file notebook_edit"),
        ContentKind::Path,
    ),
    (Words("web_fetch"), ContentKind::Host),
];

const SEGMENTS: Segments = Segments {
    shells: Words("run_shell_command monitor"),
    literals: &[("agent", "subagent_type"), ("skill", "skill")],
    person: "ask_user_question",
    readers: READERS,
    writers: &[
        (Words("rm mv cp tee"), Words(""), ""),
        (Words("kill"), Words(""), "-0"),
        (Words("git"), Words("push"), ""),
    ],
    movers: Words("cd pushd"),
    virtual_tools: VirtualTools {
        read: "read_file",
        list: "list_directory",
        write: "write_file",
        edit: "edit",
        fetch: "web_fetch",
    },
    programs: PROGRAMS,
    looked_past: Words("sudo doas env time nice ionice nohup timeout stdbuf"),
    shifted: Words("unbuffer"),
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
        (Words("run_shell_command monitor"), "Bash"),
        (Words("read_file zoom_image grep_search glob list_directory"), "Read"),
        (Words("edit write_file notebook_edit"), "Edit"),
        (Words("web_fetch"), "WebFetch"),
        (Words("agent"), "Agent"),
    ],
    directories: Words("grep_search glob list_directory"),
    grant_keys: Words("model subagent_type skill"),
};

const fn reader(names: Words, writes: Words) -> Reader {
    Reader { names, subcommands: Words(""), writes, unsure: Words(""), operands: Operands::Any }
}

const fn git(subcommands: Words, operands: Operands) -> Reader {
    Reader { subcommands, operands, ..reader(Words("git"), Words("--output")) }
}

const READERS: &[Reader] = &[
    reader(Words("ls cat head tail grep echo pwd printenv wc cut which cd"), Words("")),
    Reader { unsure: Words("--compress-program"), ..reader(Words("sort"), Words("-o --output")) },
    Reader { operands: Operands::Most(1), ..reader(Words("uniq"), Words("")) },
    Reader {
        unsure: Words("-f --file"),
        operands: Operands::Script(Script::Sed),
        ..reader(Words("sed"), Words("-i --in-place"))
    },
    Reader {
        unsure: Words("-f -i -l -e --file --include --load --exec"),
        operands: Operands::Script(Script::Awk),
        ..reader(Words("awk"), Words(""))
    },
    Reader {
        unsure: Words("-exec -execdir -ok -okdir"),
        ..reader(Words("find"), Words("-delete -fprint -fprint0 -fprintf -fls"))
    },
    git(Words("status log diff show"), Operands::Any),
    git(Words("branch"), Operands::Behind(BRANCH_LISTS, BRANCH_SHOWS)),
    git(Words("remote"), Operands::Verbs(Words("show get-url"), Words("-v --verbose"))),
];

/// Options of `git branch` behind which operands are patterns or commits.
const BRANCH_LISTS: Words = Words("-l --list --contains --no-contains --merged --no-merged --points-at");
/// Further ones that only show.
const BRANCH_SHOWS: Words = Words(
    "-a -r -v -vv --all --remotes --verbose --show-current --sort --format --color --no-color \
            --column --no-column",
);

const fn program(names: Words, does: Does) -> Program {
    Program { names, does, options: &[] }
}

const PROGRAMS: &[Program] = &[
    program(
        Words(
            "cat less more wc uniq nl tac rev od xxd hexdump strings file stat md5sum sha1sum \
            sha256sum cksum base64 diff cmp comm paste join fold fmt column zcat bat",
        ),
        Does::Reads,
    ),
    Program { options: &[(Words("-n -c"), Given::Value)], ..program(Words("head tail"), Does::Reads) },
    Program {
        options: &[(Words("-d -f -c -b --delimiter --fields"), Given::Value)],
        ..program(Words("cut"), Does::Reads)
    },
    Program {
        options: &[(Words("-o --output"), Given::Written), (Words("-k -t -S -T"), Given::Value)],
        ..program(Words("sort"), Does::Reads)
    },
    Program {
        options: &[
            (Words("-i --in-place"), Given::InPlace),
            (Words("-e --expression"), Given::Script),
            (Words("-f --file"), Given::ScriptFile),
        ],
        ..program(Words("sed"), Does::ReadsBehindFirst)
    },
    Program {
        options: &[(Words("-f --file"), Given::ScriptFile), (Words("-v -F"), Given::Value)],
        ..program(Words("awk gawk mawk nawk"), Does::ReadsBehindFirst)
    },
    Program {
        options: &[
            (Words("-e --regexp"), Given::Script),
            (Words("-f --file"), Given::ScriptFile),
            (Words("-r -R --recursive --dereference-recursive"), Given::Recursive),
            (Words("-A -B -C -m"), Given::Value),
        ],
        ..program(Words("grep egrep fgrep"), Does::ReadsBehindFirst)
    },
    program(Words("ls"), Does::Lists),
    program(Words("find"), Does::Finds),
    Program { options: TARGET, ..program(Words("cp ln"), Does::Copies) },
    Program { options: TARGET, ..program(Words("mv"), Does::Moves) },
    program(Words("dd"), Does::Pairs),
    program(Words("rm"), Does::Edits),
    program(Words("chmod"), Does::EditsBehindFirst),
    program(Words("tee touch"), Does::Writes),
    Program {
        options: &[
            (Words("-o --output"), Given::Written),
            (Words("--url"), Given::Url),
            (Words("-H -d -X -A -u"), Given::Value),
        ],
        ..program(Words("curl"), Does::Fetches)
    },
    Program {
        options: &[(Words("-O --output-document"), Given::Written)],
        ..program(Words("wget"), Does::Fetches)
    },
];

const TARGET: &[(Words, Given)] =
    &[(Words("-t --target-directory"), Given::Target), (Words("-S"), Given::Value)];

const AUTO: Auto = Auto {
    edits: Words("edit write_file"),
    harmless: Words(
        "ask_user_question cron_list enter_plan_mode exit_plan_mode glob grep_search \
            list_directory lsp read_file structured_output task_stop todo_write tool_search \
            zoom_image",
    ),
    writers: Words(
        "cp mv install rsync patch perl sed tee dd sort awk gawk node python python3 ruby php \
            curl wget tar unzip cpio",
    ),
    in_place: (Words("sed perl"), Words("-i --in-place")),
    protected: &[
        Protected::All(&[".git"]),
        Protected::Below(&[".husky"]),
        Protected::Last(Words(
            "package.json .npmrc makefile gnumakefile justfile .justfile taskfile.yml taskfile.yaml .mcp.json \
                qwen.md agents.md",
        )),
        Protected::Below(&[".github", "workflows"]),
        Protected::Inside(".qwen", Words("settings.json qwen.local.md")),
        Protected::Between(".qwen", "settings.", ".json"),
        Protected::All(&[".qwen", "rules"]),
        Protected::All(&[".qwen", "commands"]),
        Protected::All(&[".qwen", "agents"]),
        Protected::All(&[".qwen", "skills"]),
        Protected::All(&[".qwen", "hooks"]),
        Protected::All(&[".qwen", "fork-profiles"]),
    ],
    suspended: Words("agent skill"),
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
