//! What the rules know of programs (claude-code.md sections 7 and 13).

use crate::dialect::tiers::{
    BroadTable, FileRow, GitTable, NeverApproved, Operands, ReadOnlyCheck, ReadOnlyRow, WrapperOptions,
    WrapperRow,
};

const fn wrapper(name: &'static str, for_allow: bool, options: WrapperOptions) -> WrapperRow {
    WrapperRow { name, for_allow, options }
}

pub(super) static WRAPPERS: &[WrapperRow] = &[
    wrapper("timeout", true, WrapperOptions::Own),
    wrapper("time", true, WrapperOptions::AllowOnly(&["-p"])),
    wrapper("nice", true, WrapperOptions::Own),
    wrapper("nohup", true, WrapperOptions::AllowOnly(&[])),
    wrapper("stdbuf", true, WrapperOptions::Own),
    wrapper("command", true, WrapperOptions::AllowOnly(&[])),
    wrapper("builtin", true, WrapperOptions::Own),
    wrapper("noglob", true, WrapperOptions::Own),
    wrapper("xargs", true, WrapperOptions::None),
    wrapper("env", false, WrapperOptions::Own),
    wrapper("sudo", false, WrapperOptions::Own),
    wrapper("doas", false, WrapperOptions::Own),
    wrapper("watch", false, WrapperOptions::Own),
    wrapper("ionice", false, WrapperOptions::Own),
    wrapper("setsid", false, WrapperOptions::Own),
];

pub(super) static SAFE_VARIABLES: &[&str] = &[
    "NODE_ENV",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
];

pub(super) static NEVER_APPROVED: &[NeverApproved] = &[
    NeverApproved { names: &["watch", "setsid", "ionice", "flock"], with: &[], runs: &[] },
    NeverApproved {
        names: &["find"],
        with: &["-exec", "-execdir", "-ok", "-okdir", "-delete"],
        // The shell reader lists what `find` runs.
        runs: &[],
    },
    NeverApproved {
        names: &["fd", "fdfind"],
        with: &["-x", "-X", "--exec", "--exec-batch"],
        runs: &["-x", "-X", "--exec", "--exec-batch"],
    },
];

const READS: ReadOnlyRow =
    ReadOnlyRow { names: &[], check: ReadOnlyCheck::Options, globs: false, without: "", without_words: &[] };

pub(super) static READ_ONLY: &[ReadOnlyRow] = &[
    ReadOnlyRow {
        names: &[
            "ls",
            "cat",
            "echo",
            "pwd",
            "head",
            "tail",
            "grep",
            "wc",
            "which",
            "diff",
            "stat",
            "du",
            "lsof",
            "pgrep",
            "egrep",
            "fgrep",
            "basename",
            "dirname",
            "readlink",
            "realpath",
            "cut",
            "nl",
            "tr",
            "comm",
            "cmp",
            "cksum",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "od",
            "strings",
            "seq",
            "true",
            "false",
            ":",
            "id",
            "whoami",
            "uname",
            "df",
        ],
        globs: true,
        ..READS
    },
    ReadOnlyRow { names: &["cd"], check: ReadOnlyCheck::ChangeDirectory, ..READS },
    ReadOnlyRow {
        names: &["find"],
        without_words: &[
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls",
        ],
        ..READS
    },
    ReadOnlyRow {
        names: &["fd", "fdfind"],
        without: "xX",
        without_words: &["--exec", "--exec-batch"],
        ..READS
    },
    ReadOnlyRow {
        names: &["sort"],
        without: "o",
        without_words: &["--output", "--compress-program"],
        ..READS
    },
    ReadOnlyRow { names: &["sed"], check: ReadOnlyCheck::PrintLines, ..READS },
    ReadOnlyRow {
        names: &["file"],
        without: "mfC",
        without_words: &["--magic-file", "--files-from", "--compile"],
        ..READS
    },
    ReadOnlyRow {
        names: &["date"],
        check: ReadOnlyCheck::Clock,
        without: "s",
        without_words: &["--set"],
        ..READS
    },
    ReadOnlyRow { names: &["tput"], ..READS },
    ReadOnlyRow { names: &["ss"], without: "K", without_words: &["--kill"], ..READS },
    ReadOnlyRow {
        names: &["docker", "podman"],
        check: ReadOnlyCheck::Subcommand(&["ps", "images", "inspect", "logs", "version", "info", "history"]),
        without: "H",
        without_words: &["--host", "--context", "--url", "--connection"],
        ..READS
    },
    ReadOnlyRow { names: &["git"], check: ReadOnlyCheck::Git, ..READS },
];

const LISTING: &[&str] =
    &["--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

pub(super) static GIT: GitTable = GitTable {
    before: &["--no-pager", "-P", "--no-optional-locks"],
    reading: &[
        "status",
        "log",
        "diff",
        "show",
        "blame",
        "rev-parse",
        "rev-list",
        "ls-files",
        "ls-tree",
        "cat-file",
        "describe",
        "shortlog",
        "merge-base",
        "name-rev",
        "grep",
        "for-each-ref",
        "count-objects",
        "whatchanged",
    ],
    listing: &[
        (
            "branch",
            &[
                "-a",
                "--all",
                "-r",
                "--remotes",
                "-v",
                "-vv",
                "-av",
                "-avv",
                "-rv",
                "--verbose",
                "--show-current",
                "--color",
                "--no-color",
                "--column",
                "--no-column",
                "--sort",
                "--format",
                "--abbrev",
                "--no-abbrev",
                "-i",
                "--ignore-case",
            ],
            LISTING,
        ),
        (
            "tag",
            &[
                "-n",
                "--color",
                "--no-color",
                "--column",
                "--no-column",
                "--sort",
                "--format",
                "-i",
                "--ignore-case",
            ],
            LISTING,
        ),
    ],
    first_word: &[
        ("remote", &["", "-v", "--verbose", "get-url"]),
        ("stash", &["list"]),
        ("worktree", &["list"]),
        ("reflog", &["", "show"]),
        ("config", &["--get", "--get-all", "--list", "-l"]),
    ],
    never: &["--output", "--ext-diff", "--textconv", "--no-index", "--upload-pack", "--exec"],
    never_letters: "O",
};

const fn files(names: &'static [&'static str], operands: Operands, values: &'static str) -> FileRow {
    FileRow { names, operands, values, written: "", written_long: &[] }
}

pub(super) static FILES: &[FileRow] = &[
    files(&["head", "tail"], Operands::Read, "ncs"),
    files(&["cut"], Operands::Read, "dfcb"),
    files(&["uniq"], Operands::Read, "fsw"),
    files(&["nl"], Operands::Read, "bdfhilnsvw"),
    files(&["od"], Operands::Read, "AjNStw"),
    files(&["du"], Operands::Read, "dBtX"),
    files(&["ls"], Operands::Read, "IwT"),
    files(&["stat"], Operands::Read, "c"),
    files(&["diff"], Operands::Read, "UCxIFW"),
    files(&["strings"], Operands::Read, "nte"),
    files(&["cmp"], Operands::Read, "in"),
    files(&["tree"], Operands::Read, "LIP"),
    files(
        &[
            "cat",
            "tac",
            "less",
            "more",
            "wc",
            "comm",
            "cksum",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "xxd",
            "hexdump",
            "file",
            "base64",
            "readlink",
            "realpath",
            "bat",
        ],
        Operands::Read,
        "",
    ),
    FileRow { written: "o", written_long: &["--output"], ..files(&["sort"], Operands::Read, "ktSTo") },
    files(&["grep", "egrep", "fgrep", "rg", "ag"], Operands::Script("ef", ""), "ABCmefdDgt"),
    files(&["sed"], Operands::Script("ef", "i"), "efl"),
    files(&["awk", "gawk"], Operands::Script("ef", ""), "efFv"),
    files(&["jq"], Operands::Script("f", ""), "f"),
    files(&["fd", "fdfind"], Operands::Script("", ""), "edEtSj"),
    files(&["find"], Operands::Starts, ""),
    files(&["cp", "install", "ln"], Operands::CopyToLast("t"), "tSmog"),
    files(&["rsync"], Operands::CopyToLast(""), "efT"),
    files(&["scp"], Operands::CopyToLast(""), "cFiJloPS"),
    files(&["mv"], Operands::Move, "S"),
    files(&["rm", "rmdir", "unlink", "shred", "tee"], Operands::Write, ""),
    files(&["touch"], Operands::Write, "dt"),
    files(&["mkdir"], Operands::Write, "m"),
    files(&["truncate"], Operands::Write, "s"),
    files(&["chmod", "chown", "chgrp"], Operands::WriteAfterFirst, ""),
    FileRow { written: "o", written_long: &["--output"], ..files(&["curl"], Operands::Ignored, "o") },
    FileRow {
        written: "O",
        written_long: &["--output-document"],
        ..files(&["wget"], Operands::Ignored, "O")
    },
    files(&["dd"], Operands::Assigned, ""),
];

pub(super) static BROAD: BroadTable = BroadTable {
    whole: &["Bash", "PowerShell", "Monitor"],
    every: &["Agent", "Task"],
    patterns: &["Bash", "PowerShell", "Monitor"],
    programs: &[
        "bash",
        "sh",
        "zsh",
        "fish",
        "dash",
        "ksh",
        "csh",
        "tcsh",
        "pwsh",
        "powershell",
        "cmd",
        "python",
        "node",
        "deno",
        "bun",
        "tsx",
        "ts-node",
        "ruby",
        "perl",
        "php",
        "lua",
        "julia",
        "rscript",
        "osascript",
        "awk",
        "gawk",
        "npx",
        "bunx",
        "pnpx",
        "uvx",
        "pipx",
        "ssh",
        "eval",
        "exec",
        "source",
        "xargs",
        "env",
        "sudo",
        "doas",
    ],
    with_word: &[
        (&["npm", "pnpm", "yarn"], &["run", "exec", "run-script", "x", "dlx", "start", "test"]),
        (&["cargo", "go", "uv", "poetry"], &["run"]),
        (&["docker"], &["run", "exec"]),
    ],
    starred: &["make", "just", "task"],
};
