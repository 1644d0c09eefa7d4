//! The tables of a dialect that decides by tiers: deny, ask, allow over all sources, and every part of a call covered.
//!
//! Pure data; `policy::tiers` interprets it. A tool that no row names is answered by rules of its own name, and asks.

use crate::text;

/// Words, one blank apart; a blank at the start stands behind an empty word. A list of texts would take an address and
/// a length for each, as much again as the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub &'static str);

impl Words {
    /// Each word.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        text::parts(self.0, b' ')
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The first.
    pub fn first(self) -> Option<&'static str> {
        self.iter().next()
    }

    /// Whether it is one of them.
    pub fn has(self, word: &str) -> bool {
        text::has_part(self.0, b' ', word)
    }

    /// Whether one of them passes.
    #[inline(never)]
    pub fn any(self, test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        self.iter().any(test)
    }
}

/// What a tiered dialect knows.
#[derive(Debug)]
pub struct Tiers {
    /// Every built-in tool.
    pub tools: &'static [ToolRow],
    /// The tool that the host's own shell tool is like, and the rule name for it.
    pub shell_tool: &'static str,
    /// The tool that the host's own tools for edits are like.
    pub edit_tool: &'static str,
    /// Programs that run another program which rules look at in their place.
    pub wrappers: &'static [WrapperRow],
    /// Variables that allow rules look past.
    pub safe_variables: Words,
    /// Programs that no pattern approves.
    pub never_approved: &'static [NeverApproved],
    /// Programs that only read.
    pub read_only: &'static [ReadOnlyRow],
    /// The read-only side of the version control program.
    pub git: &'static GitTable,
    /// Programs whose operands are files.
    pub files: &'static [FileRow],
    /// Programs that remove what their operands name.
    pub removers: Words,
    /// Programs that a mode which accepts edits lets change files.
    pub accepted: Words,
    /// Directories that are never written by a rule, with one or two names.
    pub protected_directories: &'static [Words],
    /// A pair of names whose child is judged by the rest of its path.
    pub exempt_children: [&'static str; 2],
    /// Files that are never written by a rule.
    pub protected_files: Words,
    /// Allow rules that are as good as none.
    pub broad: &'static BroadTable,
    /// UTF-16 units of a shell text past which it asks.
    pub shell_units: usize,
}

/// One built-in tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolRow {
    /// The name of its calls.
    pub name: &'static str,
    /// Rule names that answer for it beside its own.
    pub answered_by: Words,
    /// What its calls do.
    pub kind: CallKind,
    /// How the content of rules of this name is read.
    pub content: ContentKind,
    /// Arguments that its subject is taken from, the first that is there.
    pub subject: Words,
    /// An argument that follows the subject behind a blank; empty for none.
    pub rest: &'static str,
    /// Arguments that a parameter rule may name.
    pub fields: Fields,
    /// It needs no approval.
    pub free: bool,
    /// Deny rules for reading hold for it too.
    pub read_denied: bool,
}

/// What calls of a tool do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Runs a shell line.
    Shell,
    /// Runs a line of a shell that is not read.
    ForeignShell,
    /// Reads a file.
    Read,
    /// Writes a file.
    Edit,
    /// Fetches a URL.
    Fetch,
    /// Has a subject that is compared as a text.
    Named,
    /// Goes to a directory; an allow list is closed.
    Directory,
    /// Asks a person, whatever the rules.
    Question,
    /// No rule reaches it.
    Unreached,
    /// None of these.
    Other,
}

/// How the content of a rule is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// A command pattern.
    Command,
    /// A path pattern.
    Path,
    /// `domain:` and a host pattern.
    Domain,
    /// A name, compared whole.
    Name,
    /// A path pattern over whole directories.
    Directory,
    /// It is not consulted.
    Nothing,
}

/// Arguments that a parameter rule may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// Every identifier.
    Any,
    /// These.
    Known(Words),
}

/// A program that runs another one.
#[derive(Clone, Copy, Debug)]
pub struct WrapperRow {
    /// Its name.
    pub name: &'static str,
    /// Whether allow rules look past it, too.
    pub for_allow: bool,
    /// Options with which it is looked past.
    pub options: WrapperOptions,
}

/// Options with which a wrapper is looked past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrapperOptions {
    /// All that the shell reader knows.
    Own,
    /// By allow rules with these alone.
    AllowOnly(Words),
    /// By every rule without options alone.
    None,
}

/// A program that no pattern approves.
#[derive(Clone, Copy, Debug)]
pub struct NeverApproved {
    /// Its names.
    pub names: Words,
    /// Only with one of these words; empty for always.
    pub with: Words,
    /// Of these words, those after which a command stands.
    pub runs: Words,
}

/// Programs that only read under a condition.
#[derive(Clone, Copy, Debug)]
pub struct ReadOnlyRow {
    /// Their names.
    pub names: Words,
    /// The condition.
    pub check: ReadOnlyCheck,
    /// Whether a word may have an unquoted glob.
    pub globs: bool,
    /// Letters of options that it does not have.
    pub without: &'static str,
    /// Words, and long options in every abbreviation, that it does not have.
    pub without_words: Words,
    /// Options whose value is a file that is read.
    pub file_options: Words,
}

/// What else a read-only command is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOnlyCheck {
    /// Nothing.
    Options,
    /// One known operand inside a working directory.
    ChangeDirectory,
    /// A script that prints lines by number.
    PrintLines,
    /// Every operand is an output format.
    Clock,
    /// The first word is one of these.
    Subcommand(Words),
    /// The table of the version control program.
    Git,
}

/// What the version control program does without changing anything.
#[derive(Debug)]
pub struct GitTable {
    /// Options before the subcommand.
    pub before: Words,
    /// Subcommands that only read.
    pub reading: Words,
    /// Subcommands that list with these options alone; with one of the second list operands are patterns.
    pub listing: &'static [(&'static str, Words, Words)],
    /// Subcommands with the first words that they may have; an empty word stands for none.
    pub first_word: &'static [(&'static str, Words)],
    /// Long options, in every abbreviation, that are never there.
    pub never: Words,
    /// Letters that are never there.
    pub never_letters: &'static str,
}

/// Programs whose operands are files.
#[derive(Clone, Copy, Debug)]
pub struct FileRow {
    /// Their names.
    pub names: Words,
    /// What the operands are.
    pub operands: Operands,
    /// Letters of options that take a value.
    pub values: &'static str,
    /// Of these, letters whose value is a written file.
    pub written: &'static str,
    /// Long options whose value is a written file.
    pub written_long: Words,
}

/// What the operands of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Nothing of interest.
    Ignored,
    /// Files that are read.
    Read,
    /// A pattern or script, unless one of these options gave it, then files that are read; with the second
    /// option they are written too.
    Script(&'static str, &'static str),
    /// Places to start from, up to the first test.
    Starts,
    /// Files that are read, and a last one that is written, which one of these letters may name instead.
    CopyToLast(&'static str),
    /// Files that are read and written.
    Move,
    /// Files that are written.
    Write,
    /// Files that are written, after a first operand.
    WriteAfterFirst,
    /// `if=` and `of=`.
    Assigned,
}

/// Allow rules that are as good as none.
#[derive(Debug)]
pub struct BroadTable {
    /// Tools for which the whole-tool rule is broad.
    pub whole: Words,
    /// Tools for which every rule is broad.
    pub every: Words,
    /// Tools whose patterns are looked at.
    pub patterns: Words,
    /// Programs that run code or whatever follows.
    pub programs: Words,
    /// Programs that do so with one of these words after them.
    pub with_word: &'static [(Words, Words)],
    /// Programs that do so when a star follows at once, beside the others.
    pub starred: Words,
}

/// A tool about which nothing is known.
pub const TOOL: ToolRow = ToolRow {
    name: "",
    answered_by: Words(""),
    kind: CallKind::Other,
    content: ContentKind::Nothing,
    subject: Words(""),
    rest: "",
    fields: Fields::Any,
    free: false,
    read_denied: false,
};

impl ToolRow {
    /// The row of that name.
    pub fn find(tools: &'static [Self], name: &str) -> Option<&'static Self> {
        tools.iter().find(|row| row.name == name)
    }

    /// Whether a parameter rule of this tool may name the field.
    pub fn has_field(&self, name: &str) -> bool {
        match self.fields {
            Fields::Any => true,
            Fields::Known(fields) => fields.has(name),
        }
    }
}
