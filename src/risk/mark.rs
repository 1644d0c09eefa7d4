//! What the table of a reading looks for, by the names of commands: one look-up for each command tells which rows could
//! find something in a line at all.

use crate::order;
use crate::shell::Command;

/// A set of [`mark`](self) bits.
pub(super) type Marks = u16;

/// Removes files.
pub(super) const REMOVES: Marks = 1;
/// Runs what follows with another user's rights.
pub(super) const OTHER_USER: Marks = 1 << 1;
/// Makes a file system or a swap area.
pub(super) const FORMATS: Marks = 1 << 2;
/// May halt or restart the machine.
pub(super) const HALTS: Marks = 1 << 3;
/// Sends signals.
pub(super) const SIGNALS: Marks = 1 << 4;
/// Fetches what others wrote.
pub(super) const DOWNLOADS: Marks = 1 << 5;
/// Is a shell.
pub(super) const SHELL: Marks = 1 << 6;
/// Is another interpreter.
pub(super) const INTERPRETER: Marks = 1 << 7;
/// Runs a text or a file in the shell itself.
pub(super) const EVALUATES: Marks = 1 << 8;
/// Changes modes.
pub(super) const MODES: Marks = 1 << 9;
/// Writes files that its words name.
pub(super) const WRITES: Marks = 1 << 10;
/// Its name is known only at run time.
pub(super) const UNNAMED: Marks = 1 << 11;
/// Of a line: it writes files that can be told.
pub(super) const TARGETS: Marks = 1 << 12;
/// Of a line: it defines functions.
pub(super) const FUNCTIONS: Marks = 1 << 13;

/// Whole names, in order.
const NAMES: &[(&str, Marks)] = &[
    (".", EVALUATES),
    ("aria2c", DOWNLOADS),
    ("ash", SHELL),
    ("bash", SHELL),
    ("blkdiscard", WRITES),
    ("bun", INTERPRETER),
    ("chmod", MODES),
    ("cp", WRITES),
    ("csh", SHELL),
    ("curl", DOWNLOADS | WRITES),
    ("dash", SHELL),
    ("dd", WRITES),
    ("deno", INTERPRETER),
    ("doas", OTHER_USER),
    ("eval", EVALUATES),
    ("fetch", DOWNLOADS),
    ("find", REMOVES),
    ("fish", SHELL),
    ("halt", HALTS),
    ("http", DOWNLOADS),
    ("https", DOWNLOADS),
    ("init", HALTS),
    ("install", WRITES),
    ("kill", SIGNALS),
    ("ksh", SHELL),
    ("ln", WRITES),
    ("mke2fs", FORMATS),
    ("mkfs", FORMATS),
    ("mksh", SHELL),
    ("mkswap", FORMATS),
    ("mv", WRITES),
    ("newfs", FORMATS),
    ("node", INTERPRETER),
    ("nodejs", INTERPRETER),
    ("osascript", INTERPRETER),
    ("perl", INTERPRETER),
    ("php", INTERPRETER),
    ("pkexec", OTHER_USER),
    ("poweroff", HALTS),
    ("powershell", INTERPRETER),
    ("pwsh", INTERPRETER),
    ("pypy", INTERPRETER),
    ("reboot", HALTS),
    ("rm", REMOVES),
    ("ruby", INTERPRETER),
    ("runuser", OTHER_USER),
    ("sed", WRITES),
    ("sh", SHELL),
    ("shred", WRITES),
    ("shutdown", HALTS),
    ("source", EVALUATES),
    ("su", OTHER_USER),
    ("sudo", OTHER_USER),
    ("sudoedit", OTHER_USER),
    ("systemctl", HALTS),
    ("tcsh", SHELL),
    ("tee", WRITES),
    ("telinit", HALTS),
    ("truncate", WRITES),
    ("wget", DOWNLOADS | WRITES),
    ("wipefs", WRITES),
    ("xh", DOWNLOADS),
    ("zsh", SHELL),
];

/// What names begin with.
const BEGINNINGS: &[(&str, Marks)] =
    &[("lua", INTERPRETER), ("mkfs.", FORMATS), ("newfs_", FORMATS), ("python", INTERPRETER)];

/// The marks of a command.
pub(super) fn of(command: &Command<'_>) -> Marks {
    let Some(first) = command.words.first() else { return 0 };
    let Some(written) = first.value() else { return UNNAMED };
    let name = last_name(written);
    let found = KEYS.binary_search(&order::key(name.as_bytes())).ok().and_then(|place| NAMES.get(place));
    match found.filter(|(own, _)| *own == name) {
        Some((_, marks)) => *marks,
        None => beginning(name),
    }
}

/// The marks of a name that is no whole one of the table.
fn beginning(name: &str) -> Marks {
    let first = name.as_bytes().first();
    let begins = |start: &str| first == start.as_bytes().first() && name.starts_with(start);
    BEGINNINGS.iter().find(|(start, _)| begins(start)).map_or(0, |(_, marks)| *marks)
}

/// The keys of the names, each of which has its own.
#[expect(clippy::indexing_slicing, reason = "only the compiler runs it")]
const KEYS: [u64; NAMES.len()] = {
    let mut keys = [0; NAMES.len()];
    let mut place = 0;
    while place < keys.len() {
        keys[place] = order::key(NAMES[place].0.as_bytes());
        place += 1;
    }
    keys
};

/// What follows the last `/`.
pub(super) fn last_name(path: &str) -> &str {
    let mut after = path.len();
    while let Some(before) = after.checked_sub(1)
        && path.as_bytes().get(before) != Some(&b'/')
    {
        after = before;
    }
    path.get(after..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_order() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(KEYS.is_sorted_by(|a, b| a < b));
        // A name that begins so has the marks of its own row alone.
        assert!(NAMES.iter().all(|(name, _)| !BEGINNINGS.iter().any(|(start, _)| name.starts_with(start))));
    }

    #[track_caller]
    fn check(line: &str, expected: Marks) {
        let reading = crate::shell::read(line);
        assert_eq!(reading.commands().first().map_or(0, of), expected, "{line}");
    }

    #[test]
    fn marks_a_command_by_its_name() {
        check("/bin/rm x", REMOVES);
        check("wget x", DOWNLOADS | WRITES);
        check("python3.12 x", INTERPRETER);
        check("mkfs.ext4 x", FORMATS);
        check("rmdir x", 0);
        check("$x y", UNNAMED);
        check("> x", 0);
    }
}
