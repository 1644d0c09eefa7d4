//! Searches over the raw line, as the table of `dsh-0.5` has them (`risk.md` section 7).
//!
//! No quoting and no splitting: each row is one expression of [`crate::pattern`], tried on the whole line. Where the
//! row says "later", a newline ends the search.

use super::{Finding, RiskLevel};
use crate::pattern::{Pattern, Searched};

/// One search.
#[derive(Clone, Copy, Debug)]
pub struct RawSearch {
    code: &'static str,
    reason: &'static str,
    source: &'static str,
}

/// The searches of `dsh-0.5`, in the order in which their reasons are given.
pub const DSH_0_5: &[RawSearch] = &[
    RawSearch {
        code: "remove-root-or-home",
        reason: "force/recursive remove of root or home",
        source: r"\brm\s+-[a-z]*[rf][a-z]*\s+(?:/(?:\s|$)|~(?:\s|/|$))",
    },
    RawSearch {
        code: "privilege-escalation",
        reason: "privilege escalation",
        source: r"\b[sS][uU][dD][oO]\s",
    },
    RawSearch {
        code: "world-writable",
        reason: "world-writable permission change",
        source: r"\bchmod\s[^\n]*\b777\b",
    },
    RawSearch {
        code: "raw-device-write",
        reason: "write directly to a block device",
        source: r"\bdd\b[^\n]*\bof=/dev/",
    },
    RawSearch {
        code: "make-filesystem",
        reason: "create a file system (destructive)",
        source: r"\bmkfs(?:[.\s]|$)",
    },
    RawSearch {
        code: "system-halt",
        reason: "system shutdown or reboot",
        source: r"\b(?:shutdown|reboot|halt)\b",
    },
    RawSearch { code: "kill-init", reason: "kill PID 1 (system init)", source: r"\bkill\s+-9\s+1\b" },
    RawSearch {
        code: "download-to-interpreter",
        reason: "pipe a remote script into a shell",
        source: r"\b(?:[cC][uU][rR][lL]|[wW][gG][eE][tT])\b[^\n]*\|\s*(?:[bB][aA])?[sS][hH]\b",
    },
    RawSearch {
        code: "write-system-path",
        reason: "redirect output into a system path",
        source: r"(?:^|[;&|\s])\s*(?:echo|printf|cat|tee)\b[^\n]*>\s*/(?:etc|usr|bin)/",
    },
];

impl RawSearch {
    /// The compiled search. All sources of this file compile.
    pub(super) fn compile(&self) -> Option<Pattern> {
        Pattern::compile(self.source).ok()
    }

    pub(super) fn finding(&self, pattern: &Pattern, line: &Searched<'_>) -> Option<Finding> {
        let span = pattern.find_in(line)?;
        Some(Finding { code: self.code, level: RiskLevel::High, reason: self.reason.into(), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, line: &str, expected: Option<(usize, usize)>) {
        let row = DSH_0_5.iter().find(|row| row.code == code).unwrap();
        let found = row
            .finding(&row.compile().unwrap(), &Searched::new(line))
            .map(|finding| (finding.span.start, finding.span.end));
        assert_eq!(found, expected, "{code} {line:?}");
    }

    #[test]
    fn searches_the_raw_line() {
        check("remove-root-or-home", "rm\n -xrf\u{A0}/", Some((0, 11)));
        check("remove-root-or-home", "rm -Rf /", None);
        check("remove-root-or-home", "rm -r -f /", None);
        check("remove-root-or-home", "a-rm -f ~/x", Some((2, 10)));
        check("privilege-escalation", "x;SuDo\t", Some((2, 7)));
        check("privilege-escalation", "pseudo ", None);
        check("world-writable", "chmod\n777", Some((0, 9)));
        check("world-writable", "chmod a\n777", None);
        check("world-writable", "chmod 1777 777", Some((0, 14)));
        check("raw-device-write", "dd;of=/dev/", Some((0, 11)));
        check("raw-device-write", "add of=/dev/x", None);
        check("raw-device-write", "dd xof=/dev/x", None);
        check("make-filesystem", "mkfsx; mkfs\t", Some((7, 12)));
        check("system-halt", "re-halt", Some((3, 7)));
        check("kill-init", "kill -9\n1)", Some((0, 9)));
        check("download-to-interpreter", "CURL x |\n BaSH", Some((0, 14)));
        check("download-to-interpreter", "curl x\n| sh", None);
        check("download-to-interpreter", "curl x | shx", None);
        check("write-system-path", "a|tee x >\n/bin/y", Some((1, 15)));
        check("write-system-path", "xecho > /etc/p", None);
    }

    #[test]
    fn compiles_every_row() {
        assert!(DSH_0_5.iter().all(|row| row.compile().is_some()));
    }
}
