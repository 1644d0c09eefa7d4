//! What the rules know of programs (claude-code.md sections 7 and 13).

use crate::dialect::tiers::{
    BroadTable, FileRow, GitTable, NeverApproved, Operands, ReadOnlyCheck, ReadOnlyRow, Words,
    WrapperOptions, WrapperRow,
};

const fn wrapper(name: &'static str, for_allow: bool, options: WrapperOptions) -> WrapperRow {
    WrapperRow { name, for_allow, options }
}

pub(super) static WRAPPERS: &[WrapperRow] = &[
    wrapper("timeout", true, WrapperOptions::Own),
    wrapper("time", true, WrapperOptions::AllowOnly(Words("-p"))),
    wrapper("nice", true, WrapperOptions::Own),
    wrapper("nohup", true, WrapperOptions::AllowOnly(Words(""))),
    wrapper("stdbuf", true, WrapperOptions::Own),
    wrapper("command", true, WrapperOptions::AllowOnly(Words(""))),
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

pub(super) static SAFE_VARIABLES: Words = Words(
    "NODE_ENV LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME TZ \
        NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES PYTHONUNBUFFERED \
        RUST_BACKTRACE",
);

pub(super) static NEVER_APPROVED: &[NeverApproved] = &[
    NeverApproved { names: Words("watch setsid ionice flock"), with: Words(""), runs: Words("") },
    NeverApproved {
        names: Words("find"),
        with: Words("-exec -execdir -ok -okdir -delete"),
        // The shell reader lists what `find` runs.
        runs: Words(""),
    },
    NeverApproved {
        names: Words("fd fdfind"),
        with: Words("-x -X --exec --exec-batch"),
        runs: Words("-x -X --exec --exec-batch"),
    },
];

const READS: ReadOnlyRow = ReadOnlyRow {
    names: Words(""),
    check: ReadOnlyCheck::Options,
    globs: false,
    without: "",
    without_words: Words(""),
    file_options: Words(""),
};

pub(super) static READ_ONLY: &[ReadOnlyRow] = &[
    ReadOnlyRow {
        names: Words(
            "ls cat echo pwd head tail grep wc which diff stat du lsof pgrep egrep fgrep basename dirname \
        readlink realpath cut nl tr comm cmp cksum md5sum sha1sum sha256sum od strings seq true false : \
        id whoami uname df",
        ),
        globs: true,
        ..READS
    },
    ReadOnlyRow { names: Words("cd"), check: ReadOnlyCheck::ChangeDirectory, ..READS },
    ReadOnlyRow {
        names: Words("find"),
        without_words: Words("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls"),
        file_options: Words("-newer -anewer -cnewer -samefile -files0-from"),
        ..READS
    },
    ReadOnlyRow {
        names: Words("fd fdfind"),
        without: "xX",
        without_words: Words("--exec --exec-batch"),
        ..READS
    },
    ReadOnlyRow {
        names: Words("sort"),
        without: "o",
        without_words: Words("--output --compress-program"),
        ..READS
    },
    ReadOnlyRow { names: Words("sed"), check: ReadOnlyCheck::PrintLines, ..READS },
    ReadOnlyRow {
        names: Words("file"),
        without: "mfC",
        without_words: Words("--magic-file --files-from --compile"),
        ..READS
    },
    ReadOnlyRow {
        names: Words("date"),
        check: ReadOnlyCheck::Clock,
        without: "s",
        without_words: Words("--set"),
        file_options: Words("-f --file -r --reference"),
        ..READS
    },
    ReadOnlyRow { names: Words("tput"), ..READS },
    ReadOnlyRow { names: Words("ss"), without: "K", without_words: Words("--kill"), ..READS },
    ReadOnlyRow {
        names: Words("docker podman"),
        check: ReadOnlyCheck::Subcommand(Words("ps images inspect logs version info history")),
        without: "H",
        without_words: Words("--host --context --url --connection"),
        ..READS
    },
    ReadOnlyRow {
        names: Words("git"),
        check: ReadOnlyCheck::Git,
        file_options: Words("-f --file --contents --ignore-revs-file -X --exclude-from"),
        ..READS
    },
];

const LISTING: Words = Words("--list -l --contains --no-contains --merged --no-merged --points-at");

pub(super) static GIT: GitTable = GitTable {
    before: Words("--no-pager -P --no-optional-locks"),
    reading: Words(
        "status log diff show blame rev-parse rev-list ls-files ls-tree cat-file describe shortlog \
        merge-base name-rev grep for-each-ref count-objects whatchanged",
    ),
    listing: &[
        (
            "branch",
            Words(
                "-a --all -r --remotes -v -vv -av -avv -rv --verbose --show-current --color --no-color --column \
        --no-column --sort --format --abbrev --no-abbrev -i --ignore-case",
            ),
            LISTING,
        ),
        (
            "tag",
            Words("-n --color --no-color --column --no-column --sort --format -i --ignore-case"),
            LISTING,
        ),
    ],
    first_word: &[
        ("remote", Words(" -v --verbose get-url")),
        ("stash", Words("list")),
        ("worktree", Words("list")),
        ("reflog", Words(" show")),
        ("config", Words("--get --get-all --list -l")),
    ],
    never: Words("--output --ext-diff --textconv --no-index --upload-pack --exec --open-files-in-pager"),
    never_letters: "O",
};

const fn files(names: Words, operands: Operands, values: &'static str) -> FileRow {
    FileRow { names, operands, values, written: "", written_long: Words("") }
}

pub(super) static FILES: &[FileRow] = &[
    files(Words("head tail"), Operands::Read, "ncs"),
    files(Words("cut"), Operands::Read, "dfcb"),
    files(Words("uniq"), Operands::Read, "fsw"),
    files(Words("nl"), Operands::Read, "bdfhilnsvw"),
    files(Words("od"), Operands::Read, "AjNStw"),
    files(Words("du"), Operands::Read, "dBtX"),
    files(Words("ls"), Operands::Read, "IwT"),
    files(Words("stat"), Operands::Read, "c"),
    files(Words("diff"), Operands::Read, "UCxIFW"),
    files(Words("strings"), Operands::Read, "nte"),
    files(Words("cmp"), Operands::Read, "in"),
    files(Words("tree"), Operands::Read, "LIP"),
    files(
        Words(
            "cat tac less more wc comm cksum md5sum sha1sum sha256sum xxd hexdump file base64 readlink \
        realpath bat",
        ),
        Operands::Read,
        "",
    ),
    FileRow {
        written: "o",
        written_long: Words("--output"),
        ..files(Words("sort"), Operands::Read, "ktSTo")
    },
    files(Words("grep egrep fgrep rg ag"), Operands::Script("ef", ""), "ABCmefdDgt"),
    files(Words("sed"), Operands::Script("ef", "i"), "efl"),
    files(Words("awk gawk"), Operands::Script("ef", ""), "efFv"),
    files(Words("jq"), Operands::Script("f", ""), "f"),
    files(Words("fd fdfind"), Operands::Script("", ""), "edEtSj"),
    files(Words("find"), Operands::Starts, ""),
    files(Words("cp install ln"), Operands::CopyToLast("t"), "tSmog"),
    files(Words("rsync"), Operands::CopyToLast(""), "efT"),
    files(Words("scp"), Operands::CopyToLast(""), "cFiJloPS"),
    files(Words("mv"), Operands::Move, "S"),
    files(Words("rm rmdir unlink shred tee"), Operands::Write, ""),
    files(Words("touch"), Operands::Write, "dt"),
    files(Words("mkdir"), Operands::Write, "m"),
    files(Words("truncate"), Operands::Write, "s"),
    files(Words("chmod chown chgrp"), Operands::WriteAfterFirst, ""),
    FileRow { written: "o", written_long: Words("--output"), ..files(Words("curl"), Operands::Ignored, "o") },
    FileRow {
        written: "O",
        written_long: Words("--output-document"),
        ..files(Words("wget"), Operands::Ignored, "O")
    },
    files(Words("dd"), Operands::Assigned, ""),
];

pub(super) static BROAD: BroadTable = BroadTable {
    whole: Words("Bash PowerShell Monitor"),
    every: Words("Agent Task"),
    patterns: Words("Bash PowerShell Monitor"),
    programs: Words(
        "bash sh zsh fish dash ksh csh tcsh pwsh powershell cmd python node deno bun tsx ts-node ruby \
        perl php lua julia rscript osascript awk gawk npx bunx pnpx uvx pipx ssh eval exec source xargs \
        env sudo doas",
    ),
    with_word: &[
        (Words("npm pnpm yarn"), Words("run exec run-script x dlx start test")),
        (Words("cargo go uv poetry"), Words("run")),
        (Words("docker"), Words("run exec")),
    ],
    starred: Words("make just task"),
};
