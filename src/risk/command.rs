//! Assesses a command line: by the patterns of the configuration, or by the dialect's table.
//!
//! Configured patterns stand in the place of the table. Each is searched in the raw line and, where the dialect reads
//! lines, also in the words of every command, so that quoting hides nothing.
//!
//! ```
//! use toolgate::risk::{STANDARD, assess_command};
//!
//! let risk = assess_command(&STANDARD, "ls; r\"m\" x", &["^rm "]).unwrap();
//! assert_eq!(risk.reasons().next(), Some(r#"command matches configured pattern "^rm ""#));
//! ```

use super::line::{self, Line};
use super::mark::{
    self, DOWNLOADS, FORMATS, FUNCTIONS, HALTS, MODES, Marks, OTHER_USER, REMOVES, SIGNALS, TARGETS,
};
use super::protected::Protected;
use super::raw::RawSearch;
use super::scope::Scope;
use super::{
    Assessment, Finding, RiskLevel, RiskTable, device, download, fork_bomb, mode, remove, system, write,
};
use crate::json::Json;
use crate::order::{Gather as _, Grow as _};
use crate::path::Places;
use crate::pattern::{Pattern, PatternError, Searched};
use crate::shell::{self, Reading};
use crate::span::Span;

/// How a dialect looks at a command line.
#[derive(Clone, Copy, Debug)]
pub enum CommandTable {
    /// At what the shell reader makes of it.
    Reading(&'static [Row]),
    /// At its raw text.
    Raw(&'static [RawSearch]),
}

/// One row of the table over a reading.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    code: &'static str,
    reason: &'static str,
    level: RiskLevel,
    /// Only a line with one of these can have something to find.
    marks: Marks,
    seen: Seen,
}

/// Where in a line a row finds something first.
type Seen = fn(&Line<'_, '_>) -> Option<Span>;

const fn high(code: &'static str, marks: Marks, seen: Seen, reason: &'static str) -> Row {
    Row { code, reason, level: RiskLevel::High, marks, seen }
}

/// The table of `standard` (`risk.md` section 3), in its order.
pub const STANDARD: &[Row] = &[
    high(
        "remove-root-or-home",
        REMOVES,
        remove::root_or_home,
        "recursive removal of the root, a home or a system directory",
    ),
    high("privilege-escalation", OTHER_USER, system::other_user, "runs a command with another user's rights"),
    high("raw-device-write", TARGETS, device::raw_write, "writes to a raw device"),
    high("make-filesystem", FORMATS, device::make_filesystem, "creates a file system or swap area"),
    high("system-halt", HALTS, system::halt, "halts, powers off or restarts the machine"),
    high("kill-init", SIGNALS, system::kill_init, "signals process 1 or every process"),
    high(
        "download-to-interpreter",
        DOWNLOADS,
        download::to_interpreter,
        "feeds a download to an interpreter",
    ),
    high("write-system-path", TARGETS, write::to_system_path, "writes into a system path"),
    high(write::PROTECTED, TARGETS, write::to_protected_file, write::PROTECTED_REASON),
    high("world-writable", MODES, mode::world_writable, "makes files writable by everyone"),
    high("fork-bomb", FUNCTIONS, fork_bomb::defined, "defines a function that multiplies itself"),
];

/// A table with the patterns of a configuration, compiled.
#[derive(Clone, Debug)]
pub struct CommandRisk {
    table: CommandTable,
    /// The compiled searches of a raw table; none where patterns replace them.
    searches: Vec<(RawSearch, Pattern)>,
    configured: Vec<Configured>,
    /// The configuration has patterns, be it only broken ones.
    replaced: bool,
}

#[derive(Clone, Debug)]
struct Configured {
    pattern: Pattern,
    reason: String,
}

impl CommandRisk {
    /// Compiles `patterns`; at least one replaces the table. What does not compile never matches, and is returned with
    /// its index: an error or a warning, as the dialect has it.
    pub fn compile(table: &RiskTable, patterns: &[&str]) -> (Self, Vec<(usize, PatternError)>) {
        let mut configured = Vec::new();
        let mut broken = Vec::new();
        for (index, source) in patterns.iter().enumerate() {
            match Pattern::compile(source) {
                Ok(pattern) => {
                    let quoted = Json::Text((*source).into()).text();
                    configured.push(Configured {
                        pattern,
                        reason: ["command matches configured pattern ", &quoted].concat(),
                    });
                }
                Err(error) => broken.push((index, error)),
            }
        }
        let replaced = !patterns.is_empty();
        let mut searches = Vec::new();
        if let CommandTable::Raw(rows) = table.commands
            && !replaced
        {
            for row in rows {
                searches.grow(row.compile().map(|pattern| (*row, pattern)));
            }
        }
        (Self { table: table.commands, searches, configured, replaced }, broken)
    }

    /// Whether the assessment looks at a reading of the line; otherwise [`Self::assess_raw`] will do.
    pub fn reads(&self) -> bool {
        matches!(self.table, CommandTable::Reading(_))
    }

    /// The assessment of a line seen from `places`.
    pub fn assess(&self, reading: &Reading<'_>, places: Places<'_>, protected: &Protected) -> Assessment {
        self.judge(reading, places, protected, None)
    }

    /// The assessment of a call: that of the line, and where the dialect reads lines also that of the files that it
    /// writes, against the scope of the session. Configured patterns do not replace the latter.
    pub fn assess_call(&self, reading: &Reading<'_>, scope: &Scope<'_>, protected: &Protected) -> Assessment {
        self.judge(reading, *scope.places(), protected, Some(scope))
    }

    /// The assessment of a line by its raw text alone: all there is to it where [`Self::reads`] is false.
    pub fn assess_raw(&self, line: &str) -> Assessment {
        Assessment::of(self.raw_findings(line, None))
    }

    fn raw_findings(&self, line: &str, reading: Option<&Reading<'_>>) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        if self.configured.is_empty() && self.searches.is_empty() {
            return findings;
        }
        let searched = Searched::new(line);
        for entry in &self.configured {
            findings.grow(entry.finding(&searched, line, reading));
        }
        for (row, pattern) in &self.searches {
            findings.grow(row.finding(pattern, &searched));
        }
        findings
    }

    fn judge(
        &self,
        reading: &Reading<'_>,
        places: Places<'_>,
        protected: &Protected,
        scope: Option<&Scope<'_>>,
    ) -> Assessment {
        let mut findings = self.raw_findings(reading.line(), self.reads().then_some(reading));
        let CommandTable::Reading(rows) = self.table else { return Assessment::of(findings) };
        let line = Line::new(reading, places, protected);
        if !self.replaced {
            for row in rows.iter().filter(|row| line.marks & row.marks != 0) {
                findings.grow(row.finding(&line));
            }
        }
        let risk = Assessment::of(findings);
        match scope.filter(|_| line.marks & TARGETS != 0) {
            Some(scope) => risk.or(Assessment::of(write::findings(&line, scope))),
            None => risk,
        }
    }
}

impl Configured {
    /// Where the pattern matches in the line; else the first command whose words it matches in.
    fn finding(&self, searched: &Searched<'_>, line: &str, reading: Option<&Reading<'_>>) -> Option<Finding> {
        let in_words = || {
            reading?.commands().iter().find_map(|command| {
                let words: Vec<&str> = command.words.iter().map(|word| word.value_or_written(line)).gather();
                let text = words.join(" ");
                (!words.is_empty() && self.pattern.find(&text).is_some()).then_some(command.span)
            })
        };
        let span = self.pattern.find_in(searched).or_else(in_words)?;
        let reason = self.reason.clone().into();
        Some(Finding { code: "configured-pattern", level: RiskLevel::High, reason, span })
    }
}

impl Row {
    fn finding(&self, line: &Line<'_, '_>) -> Option<Finding> {
        let span = (self.seen)(line)?;
        Some(Finding { code: self.code, level: self.level, reason: self.reason.into(), span })
    }
}

/// Assesses a line with nothing known but its text; the first pattern that does not compile is the error.
pub fn assess_command(
    table: &RiskTable,
    text: &str,
    patterns: &[&str],
) -> Result<Assessment, (usize, PatternError)> {
    let (risk, broken) = CommandRisk::compile(table, patterns);
    match broken.first() {
        Some(first) if table.refuses_broken_patterns => Err(*first),
        _ => {
            let reading = shell::read(text);
            let writes = reading.commands().iter().any(|command| line::may_write(command, mark::of(command)));
            // Compiling the list takes several times as long as all else, and only what is written is looked up there.
            let configured = if writes { None } else { Some([""; 0]) };
            Ok(risk.assess(&reading, Places::default(), &table.paths.protected(configured)))
        }
    }
}
