//! The tables of an engine that cuts a line into segments, decides each alone, and reads the whole line as file and
//! network operations beside them. Pure data; `policy::segments` goes by it.

use super::tiers::Words;

/// Everything that such an engine is told.
#[derive(Debug)]
pub struct Segments {
    /// Tools whose subject is a shell line. A line of the first that nothing decides is judged by whether it only reads.
    pub shells: Words,
    /// Tools whose content is a literal, and the argument that it is compared with.
    pub literals: &'static [(&'static str, &'static str)],
    /// The tool that only a person can answer.
    pub person: &'static str,
    /// Programs that only read.
    pub readers: &'static [Reader],
    /// Programs that write: names, subcommands, and an option with which nothing is known of them.
    pub writers: &'static [(Words, Words, &'static str)],
    /// Programs that move the directory.
    pub movers: Words,
    /// The tools that operations stand for.
    pub virtual_tools: VirtualTools,
    /// What programs do with files and hosts.
    pub programs: &'static [Program],
    /// Programs behind which another one is looked for.
    pub looked_past: Words,
    /// Programs whose words behind the options are a command, and which the reader does not know.
    pub shifted: Words,
    /// Texts of shells in texts of shells.
    pub text_depth: usize,
    /// Segments of one line that are cut off; the rest is one more, and no allow rule with content accepts the line.
    pub most_segments: usize,
    /// Operations of one line that are looked at; a line with more asks.
    pub most_operations: usize,
    /// Programs of one line that are looked at, those that `find` runs below each of its starting points counted each.
    pub most_programs: usize,
    /// Paths that are no files, and beginnings of such.
    pub no_files: &'static [&'static str],
    /// What the mode with a classifier knows.
    pub auto: Auto,
    /// Tools whose calls a lasting grant is derived for, and the name that its rule has.
    pub grants: &'static [(Words, &'static str)],
    /// Tools whose path is a directory.
    pub directories: Words,
    /// Arguments that a grant of a named helper keeps beside the name.
    pub grant_keys: Words,
}

/// The tools that operations of a line stand for.
#[derive(Debug)]
pub struct VirtualTools {
    /// Reads a file.
    pub read: &'static str,
    /// Lists a directory.
    pub list: &'static str,
    /// Writes a file.
    pub write: &'static str,
    /// Changes a file.
    pub edit: &'static str,
    /// Asks a host.
    pub fetch: &'static str,
}

/// Programs that only read, and with what they do not.
#[derive(Debug)]
pub struct Reader {
    /// Their names, as the line must spell them.
    pub names: Words,
    /// The subcommands; empty where they have none.
    pub subcommands: Words,
    /// Options with which they write.
    pub writes: Words,
    /// Options with which nothing is known of them.
    pub unsure: Words,
    /// What their operands may be.
    pub operands: Operands,
}

/// What the operands of a program that only reads may be.
#[derive(Debug)]
pub enum Operands {
    /// Anything.
    Any,
    /// At most so many; the next is written.
    Most(usize),
    /// A script, then anything.
    Script(Script),
    /// None, or one of these first; anything else writes. Only these options.
    Verbs(Words, Words),
    /// None but behind these options; anything else writes. Only these options and those.
    Behind(Words, Words),
}

/// The language of a script that may do more than read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Of `sed`.
    Sed,
    /// Of `awk`.
    Awk,
}

/// What programs do with files and hosts.
#[derive(Debug)]
pub struct Program {
    /// Their names.
    pub names: Words,
    /// What their operands are.
    pub does: Does,
    /// Options that mean something here: `-x` in a cluster of letters, `--name` with or without `=`.
    pub options: &'static [(Words, Given)],
}

/// What a program does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Reads them.
    Reads,
    /// Reads all but the first, which is a script or pattern.
    ReadsBehindFirst,
    /// Lists them; the directory where there are none.
    Lists,
    /// Changes them.
    Edits,
    /// Changes all but the first, which is a mode.
    EditsBehindFirst,
    /// Writes them.
    Writes,
    /// Reads all but the last and writes that one, or what has their names in it.
    Copies,
    /// Changes all but the last and writes that one, or what has their names in it.
    Moves,
    /// `if=` is read and `of=` written.
    Pairs,
    /// Asks the hosts of those that are URLs.
    Fetches,
    /// Lists those before the first expression, and runs what stands behind `-exec`.
    Finds,
}

/// What an option means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Its value is nothing here.
    Value,
    /// Its value is read.
    Read,
    /// Its value is written.
    Written,
    /// Its value is a URL.
    Url,
    /// Its value is the directory that the others are put in.
    Target,
    /// Its value stands in the place of the first operand.
    Script,
    /// Its value is read, and stands in the place of the first operand.
    ScriptFile,
    /// There is none: the operands are changed.
    InPlace,
    /// There is none: the operands are listed.
    Recursive,
}

impl Given {
    /// The option has a value.
    pub const fn takes_value(self) -> bool {
        !matches!(self, Self::InPlace | Self::Recursive)
    }
}

/// What the mode with a classifier knows.
#[derive(Debug)]
pub struct Auto {
    /// Tools whose files inside the project are left to them.
    pub edits: Words,
    /// Tools that are left alone.
    pub harmless: Words,
    /// Programs that can write what their words name.
    pub writers: Words,
    /// Those of them that write with one of these options only.
    pub in_place: (Words, Words),
    /// Files that are somebody else's to change.
    pub protected: &'static [Protected],
    /// Tools whose every allow rule is suspended.
    pub suspended: Words,
    /// Programs that run whatever they are told: allow rules that let them are suspended.
    pub interpreters: Words,
}

/// Protected files, in lower case.
#[derive(Debug)]
pub enum Protected {
    /// These names in a row, and all below.
    All(&'static [&'static str]),
    /// All below these names in a row, not they themselves.
    Below(&'static [&'static str]),
    /// One of these names, at the end.
    Last(Words),
    /// A directory, then one of these names, at the end.
    Inside(&'static str, Words),
    /// A directory, then a name that begins and ends so, with something between.
    Between(&'static str, &'static str, &'static str),
}

/// Words side by side that destroy.
#[derive(Debug, PartialEq, Eq)]
pub struct Guarded {
    /// The finding.
    pub code: &'static str,
    /// Why.
    pub reason: &'static str,
    /// What the words must be.
    pub words: &'static [Beside],
}

/// One of some words side by side.
#[derive(Debug, PartialEq, Eq)]
pub enum Beside {
    /// This word.
    Is(&'static str),
    /// A word that begins so.
    Begins(&'static str),
    /// A cluster of option letters with this one.
    Letter(char),
}
