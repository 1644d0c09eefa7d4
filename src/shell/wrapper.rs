//! Commands that run the command in their own words: one table, and the small function that reads options by
//! it.
//!
//! Letters may cluster; a value letter takes the rest of its cluster or the next word. Long names take their
//! value after `=` or as the next word. `--` ends the options. What the table does not list is a doubt, and
//! taken to have no value.

use super::word::Word;

/// A row of the table of `risk.md` section 2.6.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) names: &'static [&'static str],
    /// Letters without and with a value.
    flags: &'static str,
    values: &'static str,
    /// Long names without and with a value, one blank apart.
    long_flags: &'static str,
    long_values: &'static str,
    /// Letters and long names with which nothing is run.
    idle: &'static str,
    long_idle: &'static str,
    /// Words between the options and the command.
    pub(super) operands: usize,
    pub(super) manner: Manner,
}

/// What is particular about a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Nothing.
    Plain,
    /// `NAME=value` before the command; a lone `-` and a text that is split.
    Env,
    /// `NAME=value` before the command, options after it too.
    Assigning,
    /// Options that are numbers.
    Nice,
    /// No options at all.
    Bare,
    /// `NAME=value` where it is a reserved word.
    Time,
    /// Placeholders, and arguments from elsewhere.
    Xargs,
    /// The words are a shell text.
    Watch,
    /// `-c TEXT` after the operand.
    Flock,
    /// `-c TEXT`; without `-u` nothing else.
    Runuser,
}

const ROW: Wrapper = Wrapper {
    names: &[],
    flags: "",
    values: "",
    long_flags: "",
    long_values: "",
    idle: "",
    long_idle: "",
    operands: 0,
    manner: Manner::Plain,
};

/// The table.
pub(super) static WRAPPERS: [Wrapper; 24] = [
    Wrapper {
        names: &["env"],
        flags: "i0v",
        values: "uCSPa",
        long_flags: "ignore-environment null debug list-signal-handling block-signal default-signal \
            ignore-signal",
        long_values: "unset chdir split-string argv0",
        manner: Manner::Env,
        ..ROW
    },
    Wrapper {
        names: &["sudo"],
        flags: "ABbEHiknNPSs",
        values: "aCcDghpRrTtUu",
        long_flags: "askpass background bell set-home login reset-timestamp non-interactive \
            preserve-groups preserve-env stdin shell",
        long_values: "auth-type close-from login-class chdir group host prompt chroot role \
            command-timeout type other-user user",
        idle: "lvVKe",
        long_idle: "list validate version remove-timestamp edit help",
        manner: Manner::Assigning,
        ..ROW
    },
    Wrapper { names: &["doas"], flags: "Lns", values: "au", idle: "C", manner: Manner::Assigning, ..ROW },
    Wrapper { names: &["nice"], values: "n", long_values: "adjustment", manner: Manner::Nice, ..ROW },
    Wrapper { names: &["nohup"], long_flags: "help version", ..ROW },
    Wrapper { names: &["builtin", "noglob", "busybox", "toybox"], manner: Manner::Bare, ..ROW },
    Wrapper {
        names: &["timeout"],
        flags: "fpv",
        values: "ks",
        long_flags: "foreground preserve-status verbose",
        long_values: "kill-after signal",
        operands: 1,
        ..ROW
    },
    Wrapper {
        names: &["time"],
        flags: "pvaqV",
        values: "fo",
        long_flags: "portability verbose append quiet",
        long_values: "format output",
        manner: Manner::Time,
        ..ROW
    },
    Wrapper { names: &["stdbuf"], values: "ioe", long_values: "input output error", ..ROW },
    Wrapper { names: &["setsid"], flags: "cfw", long_flags: "ctty fork wait", ..ROW },
    Wrapper {
        names: &["ionice"],
        flags: "t",
        values: "cn",
        long_flags: "ignore",
        long_values: "class classdata",
        idle: "pPu",
        long_idle: "pid pgid uid",
        ..ROW
    },
    Wrapper {
        names: &["taskset"],
        flags: "ac",
        long_flags: "all-tasks cpu-list",
        idle: "p",
        long_idle: "pid",
        operands: 1,
        ..ROW
    },
    Wrapper {
        names: &["chrt"],
        flags: "abdfiorRv",
        values: "TPD",
        long_flags: "all-tasks batch deadline fifo idle other rr reset-on-fork verbose",
        long_values: "sched-runtime sched-period sched-deadline",
        idle: "pm",
        long_idle: "pid max",
        operands: 1,
        ..ROW
    },
    Wrapper { names: &["command"], flags: "p", idle: "vV", ..ROW },
    Wrapper { names: &["exec"], flags: "cl", values: "a", ..ROW },
    Wrapper {
        names: &["xargs"],
        flags: "0trpxoeil",
        values: "adEILnPsRSJ",
        long_flags: "null no-run-if-empty interactive verbose exit open-tty show-limits replace eof \
            max-lines",
        long_values: "arg-file delimiter max-args max-procs max-chars process-slot-var",
        manner: Manner::Xargs,
        ..ROW
    },
    Wrapper {
        names: &["watch"],
        flags: "bcCdegprtwx",
        values: "nq",
        long_flags: "beep color no-color differences errexit chgexit precise no-rerun no-title no-wrap \
            exec equexit",
        long_values: "interval",
        manner: Manner::Watch,
        ..ROW
    },
    Wrapper {
        names: &["flock"],
        flags: "sxeunoFv",
        values: "wE",
        long_flags: "shared exclusive unlock nonblock nb close no-fork verbose",
        long_values: "timeout wait conflict-exit-code",
        operands: 1,
        manner: Manner::Flock,
        ..ROW
    },
    Wrapper {
        names: &["chroot"],
        long_flags: "skip-chdir",
        long_values: "userspec groups",
        operands: 1,
        ..ROW
    },
    Wrapper {
        names: &["unshare"],
        flags: "muinpUCTfrc",
        values: "RwSG",
        long_flags: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user \
            kill-child mount-proc keep-caps",
        long_values: "root wd setuid setgid map-user map-group map-users map-groups propagation setgroups",
        ..ROW
    },
    Wrapper {
        names: &["nsenter"],
        flags: "amuinpUCTFZrw",
        values: "tSG",
        long_flags: "all mount uts ipc net pid user cgroup time no-fork preserve-credentials \
            follow-context root wd",
        long_values: "target setuid setgid",
        ..ROW
    },
    Wrapper {
        names: &["strace"],
        flags: "fcCdhikqrtTvVwxyzZDAn",
        values: "eopsuEPOSabIX",
        long_flags: "follow-forks summary summary-only",
        long_values: "trace output",
        ..ROW
    },
    Wrapper { names: &["caffeinate"], flags: "dimsu", values: "tw", ..ROW },
    Wrapper {
        names: &["runuser"],
        flags: "flmpP",
        values: "ugGsTwc",
        long_flags: "fast login preserve-environment pty",
        long_values: "user group supp-group shell whitelist-environment command session-command",
        manner: Manner::Runuser,
        ..ROW
    },
];

/// What the options of a wrapper came to.
#[derive(Debug, Default)]
pub(super) struct Options<'w> {
    /// The first word after them.
    pub(super) next: usize,
    /// Nothing is run.
    pub(super) idle: bool,
    /// Words with an option that is not in the table.
    pub(super) unknown: Vec<usize>,
    /// Options that were given.
    pub(super) given: Vec<Given<'w>>,
}

/// An option that was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'w> {
    /// Its letter or long name.
    pub(super) name: &'w str,
    /// The word with its value, and where the value begins in it; past the end of the word for none.
    pub(super) word: usize,
    pub(super) from: usize,
    /// It has a value.
    pub(super) valued: bool,
}

impl Wrapper {
    /// Reads the options among `words`, from word `first` on.
    pub(super) fn options<'w>(&self, words: &'w [Word<'_>], first: usize) -> Options<'w> {
        let mut options = Options { next: first, ..Options::default() };
        while let Some(word) = words.get(options.next) {
            let index = options.next;
            let text = word.literal();
            let Some(cluster) = text.strip_prefix('-') else { break };
            if cluster.is_empty() {
                // A lone dash is an operand, but for `env`; with an unknown end it may be any option.
                if word.is_open() {
                    options.unknown.push(index);
                } else if self.manner != Manner::Env {
                    break;
                }
                options.next = index.saturating_add(1);
                continue;
            }
            options.next = index.saturating_add(1);
            match cluster.strip_prefix('-') {
                Some("") if !word.is_open() => break,
                Some(long) => self.long(long, word.is_open(), index, &mut options),
                None => self.cluster(text, word.is_open(), index, &mut options),
            }
        }
        options
    }

    fn long<'w>(&self, long: &'w str, open: bool, index: usize, options: &mut Options<'w>) {
        let (name, value) = match long.split_once('=') {
            Some((name, _)) => (name, Some(name.len().saturating_add(3))),
            None => (long, None),
        };
        if open && value.is_none() {
            options.unknown.push(index);
        } else if is_listed(self.long_idle, name) {
            options.idle = true;
        } else if is_listed(self.long_values, name) {
            let word = if value.is_some() { index } else { options.take() };
            options.given.push(Given { name, word, from: value.unwrap_or(0), valued: true });
        } else if is_listed(self.long_flags, name) {
            options.given.push(Given {
                name,
                word: index,
                from: value.unwrap_or(0),
                valued: value.is_some(),
            });
        } else {
            options.unknown.push(index);
        }
    }

    fn cluster<'w>(&self, text: &'w str, open: bool, index: usize, options: &mut Options<'w>) {
        let number = text.trim_start_matches(['-', '+']);
        if self.manner == Manner::Nice
            && !open
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            return;
        }
        let mut doubt = open;
        let mut unlisted = false;
        for (at, letter) in text.char_indices().skip(1) {
            let after = at.saturating_add(letter.len_utf8());
            let name = text.get(at..after).unwrap_or_default();
            let attached = after < text.len() || open;
            if self.idle.contains([letter]) {
                options.idle = true;
            } else if self.values.contains([letter]) {
                let word = if attached { index } else { options.take() };
                options.given.push(Given {
                    name,
                    word,
                    from: if attached { after } else { 0 },
                    valued: true,
                });
                doubt = false;
                break;
            } else if self.flags.contains([letter]) {
                // These three of xargs take what is attached, and nothing else.
                let taking = self.manner == Manner::Xargs && matches!(letter, 'e' | 'i' | 'l');
                options.given.push(Given { name, word: index, from: after, valued: taking && attached });
                if taking {
                    doubt = false;
                    break;
                }
            } else {
                unlisted = true;
            }
        }
        if doubt || unlisted {
            options.unknown.push(index);
        }
    }
}

impl<'w> Options<'w> {
    /// The next word is a value.
    const fn take(&mut self) -> usize {
        let index = self.next;
        self.next = index.saturating_add(1);
        index
    }

    /// Adds options that were read further on.
    pub(super) fn merge(&mut self, more: Self) {
        self.next = more.next;
        self.idle |= more.idle;
        self.unknown.extend(more.unknown);
        self.given.extend(more.given);
    }

    /// The last of the options called one of `names`.
    pub(super) fn last(&self, names: &[&str]) -> Option<Given<'w>> {
        self.given.iter().rev().find(|given| names.contains(&given.name)).copied()
    }
}

/// The name is one of a list.
fn is_listed(list: &str, name: &str) -> bool {
    !name.is_empty() && list.split(' ').any(|listed| listed == name)
}

/// The row of a command.
pub(super) fn row(name: &str) -> Option<&'static Wrapper> {
    WRAPPERS.iter().find(|row| row.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use crate::shell::read;

    /// What stands behind the first command, as assignments and words, and the codes of the problems.
    #[track_caller]
    fn check(line: &str, behind: &[&str], problems: &[&str]) {
        let reading = read(line);
        let shown = |c: &crate::shell::Command<'_>| {
            let assigned =
                c.assignments.iter().map(|a| format!("{}={} ", a.name, a.value.value().unwrap_or("?")));
            assigned.chain([c.plain(line)]).collect::<String>()
        };
        let found: Vec<_> = reading.commands().iter().skip(1).map(shown).collect();
        let codes: Vec<_> = reading.problems().iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(
            (found.as_slice(), codes.as_slice()),
            (behind.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>().as_slice(), problems),
            "{line:?}"
        );
    }

    #[test]
    fn looks_through() {
        check("env - A=1 rm", &["A=1 rm"], &[]);
        check("env -iu X -- A=$x rm", &["A=? rm"], &[]);
        check("env -S 'A=1 rm -f' x", &["A=1 rm -f x"], &[]);
        check("env -S 'rm $X'", &[], &["dynamic-code"]);
        check("sudo -nu bob A=1 -E rm", &["A=1 rm"], &[]);
        check("sudo -l rm", &[], &[]);
        check("sudo --user=x --group y rm", &["rm"], &[]);
        check("sudo -Z rm", &["rm"], &["unknown-wrapper-option"]);
        check("nice -10 rm; nice -n5 ls", &["rm", "nice -n5 ls", "ls"], &[]);
        check("timeout -k5 10 rm", &["rm"], &[]);
        check("timeout $t rm", &["rm"], &["unknown-wrapper-option"]);
        check("timeout \"$t\" rm", &["rm"], &[]);
        check("command -v sudo", &[], &[]);
        check("busybox --list", &[], &[]);
        check("time A=1 rm", &["A=1 rm"], &[]);
        check("xargs -I% sh -c 'rm %'", &["sh -c rm %"], &["dynamic-code"]);
        check("xargs -i mv {} x", &["mv {} x"], &[]);
        check("xargs -0r", &[], &[]);
        check("watch -x rm a", &["rm a"], &[]);
        check("watch 'rm a; ls'", &["rm a", "ls"], &[]);
        check("flock -w 5 l -c 'rm a'", &["rm a"], &[]);
        check("runuser -u bob rm", &["rm"], &[]);
        check("runuser bob rm", &[], &[]);
        check("runuser bob -c 'rm'", &["rm"], &[]);
        check("runuser -l bob", &[], &[]);
        check("taskset -p 1 2", &[], &[]);
        check("script -qc 'rm a' f", &["rm a"], &[]);
        check("su -lc'rm a'", &["rm a"], &[]);
        check("su --command='rm a' bob", &["rm a"], &[]);
        check("bash -$x y", &[], &["dynamic-code"]);
        check("bash $x -c 'rm'", &[], &["dynamic-code"]);
        check("bash $x y", &[], &[]);
        check("bash -c -o pipefail 'rm'", &["rm"], &[]);
        check("trap 'rm a' EXIT", &["rm a"], &[]);
        check("trap -- 'rm a' EXIT", &["rm a"], &[]);
        check("trap EXIT; trap -p x", &["trap -p x"], &[]);
        check("eval -- rm a", &["rm a"], &[]);
    }
}
