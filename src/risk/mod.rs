//! Commands and paths to findings: how bad a call could be, as far as its text tells.
//!
//! | room | looks at |
//! |---|---|
//! | [`path`] | one path that a tool would write |
//! | [`command`] | a command line: configured patterns, or the dialect's table |
//! | `write` | the files that a command line writes, against the scope of a session |
//!
//! A dialect is a value of [`RiskTable`]; the code asks for what stands in it, never for its name.
//!
//! A [`Finding`] has a stable code, a level, a reason and a place. An [`Assessment`] has the level of its worst finding and
//! lists the findings of that level only. Doubt raises a level, never lowers it.
//!
//! ```
//! use toolgate::risk::{RiskLevel, STANDARD, assess_command};
//!
//! let risk = assess_command(&STANDARD, "cd / && rm -rf *", &[]).unwrap();
//! assert_eq!(risk.level, RiskLevel::High);
//! assert_eq!(risk.findings[0].code, "remove-root-or-home");
//! ```

mod args;
pub mod command;
mod device;
mod directories;
mod download;
mod fork_bomb;
mod line;
mod mark;
mod mode;
pub mod path;
pub mod protected;
pub mod raw;
mod remove;
mod scope;
mod system;
mod target;
mod write;

use crate::span::Span;
pub use crate::vocabulary::RiskLevel;
use std::borrow::Cow;

pub use command::{CommandRisk, CommandTable, assess_command};
pub use path::PathTable;
pub use protected::Protected;
pub use scope::Scope;

/// What was found, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable and in kebab case.
    pub code: &'static str,
    /// How bad it is.
    pub level: RiskLevel,
    /// One clause without a full stop.
    pub reason: Cow<'static, str>,
    /// In bytes of the command or path.
    pub span: Span,
}

/// The findings of the worst level, in table order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// The level of the findings; LOW without any.
    pub level: RiskLevel,
    /// One per reason.
    pub findings: Vec<Finding>,
}

impl Assessment {
    /// Keeps of `findings` those of the highest level.
    pub fn of(mut findings: Vec<Finding>) -> Self {
        let mut level = RiskLevel::default();
        for finding in &findings {
            level = level.max(finding.level);
        }
        findings.retain(|finding| finding.level == level);
        Self { level, findings }
    }

    /// The stricter of two; what both found at one level is listed once.
    pub fn or(self, other: Self) -> Self {
        let mut findings = self.findings;
        for finding in other.findings {
            if !findings.iter().any(|own| own.code == finding.code && own.reason == finding.reason) {
                findings.push(finding);
            }
        }
        Self::of(findings)
    }

    /// The reasons, one per finding.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().map(|finding| finding.reason.as_ref())
    }
}

/// What a dialect looks for.
#[derive(Clone, Copy, Debug)]
pub struct RiskTable {
    /// In command lines.
    pub commands: CommandTable,
    /// In paths.
    pub paths: PathTable,
    /// A configured pattern that does not compile is an error, no warning.
    pub refuses_broken_patterns: bool,
}

/// The table of `standard`.
pub const STANDARD: RiskTable = RiskTable {
    commands: CommandTable::Reading(command::STANDARD),
    paths: path::STANDARD,
    refuses_broken_patterns: true,
};

/// The table of `dsh-0.5`.
pub const DSH_0_5: RiskTable = RiskTable {
    commands: CommandTable::Raw(raw::DSH_0_5),
    paths: path::DSH_0_5,
    refuses_broken_patterns: false,
};
