//! The risk of a call: which table looks at what of it (risk.md section 5, rules.md section 11).

use super::call::{Call, CallState};
use super::config::Config;
use super::kind::{Facts, SubjectKind};
use super::subject::Subject;
use crate::diagnostic::{Diagnostic, Step};
use crate::dialect::RiskAxis;
use crate::order::Gather as _;
use crate::path::Places;
use crate::pattern::{PatternError, PatternFault};
use crate::risk::{self, Assessment, CommandRisk, Protected, RiskTable, Scope};
use crate::shell::Reading;
use crate::span::Span;
use crate::vocabulary::Severity;

/// The table of an axis.
pub fn table(axis: RiskAxis) -> &'static RiskTable {
    match axis {
        RiskAxis::Read | RiskAxis::Guard(_) => &risk::STANDARD,
        RiskAxis::Raw => &risk::DSH_0_5,
    }
}

/// What to say of a pattern that does not compile.
pub fn broken_pattern(
    index: usize,
    error: PatternError,
    list: &[&'static str],
    axis: RiskAxis,
) -> Diagnostic {
    let severity = if table(axis).refuses_broken_patterns { Severity::Error } else { Severity::Warning };
    let (message, hint) = match error.fault {
        PatternFault::Invalid => {
            ("this is no regular expression", "escape the character that is meant literally")
        }
        PatternFault::Unsupported => (
            "this cannot be matched in linear time",
            "write it without look-around, back-references and large repeats",
        ),
        PatternFault::TooLarge => ("this expression is too large", "split it into several patterns"),
    };
    let mut path = vec![];
    for name in list {
        path.push(Step::from(*name));
    }
    path.push(index.into());
    Diagnostic::new(severity, error.code(), message, path).at(error.span).hint(hint)
}

/// A table compiled with the patterns and protected files of a configuration.
#[derive(Debug)]
pub struct Hazards {
    table: &'static RiskTable,
    commands: CommandRisk,
    protected: Protected,
}

impl Hazards {
    /// Compiles; also gives the patterns that do not compile, by their index.
    pub fn compile(config: &Config) -> (Self, Vec<(usize, PatternError)>) {
        let table = table(config.dialect.risk);
        let patterns: Vec<&str> = config.dangerous_patterns.iter().map(String::as_str).gather();
        let (commands, broken) = CommandRisk::compile(table, &patterns);
        let protected = config.protected_files.as_ref().map(|list| list.iter().map(String::as_str));
        (Self { table, commands, protected: table.paths.protected(protected) }, broken)
    }

    /// Assesses one call; `reading` is that of its line, where it was read.
    pub fn assess(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        config: &Config,
        facts: Facts,
        subject: Option<&Subject<'_>>,
        reading: Option<&Reading<'_>>,
    ) -> Assessment {
        if !config.classifier {
            return Assessment::default();
        }
        let places = Places { cwd: state.cwd, home: config.home.as_deref() };
        let scope = || Scope::new(places, config.additional_directories.iter().map(String::as_str));
        match (config.dialect.risk, subject, reading) {
            (RiskAxis::Read, Some(_), Some(reading)) => {
                self.commands.assess_call(reading, &scope(), &self.protected)
            }
            (RiskAxis::Read, Some(subject), None)
                if subject.kind == SubjectKind::Path && facts.writes_its_path =>
            {
                let paths = core::iter::once(subject.text.as_ref()).chain(state.real_path);
                let assess = |path| self.table.paths.assess(path, &scope(), &self.protected);
                let mut risk = paths.map(assess).fold(Assessment::default(), Assessment::or);
                for finding in &mut risk.findings {
                    finding.span = Span::of(&subject.text);
                }
                risk
            }
            (RiskAxis::Raw, _, _) => self.assess_raw(call, facts, scope),
            _ => Assessment::default(),
        }
    }

    fn assess_raw<'s>(&self, call: &Call<'_>, facts: Facts, scope: impl Fn() -> Scope<'s>) -> Assessment {
        if let Some(command) = call.subject.or(call.command).filter(|_| facts.is_shell) {
            return self.commands.assess_raw(command);
        }
        let path = call.subject.or(call.file_path).filter(|_| facts.writes_its_path);
        path.map_or_else(Assessment::default, |path| self.table.paths.assess(path, &scope(), &self.protected))
    }
}
