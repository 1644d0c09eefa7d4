//! Rules and a call become one decision: configuration, index, pipeline.
//!
//! ```
//! use toolgate::policy::{Call, CallState, Policy};
//! use toolgate::vocabulary::{Kind, Stage};
//!
//! let policy = Policy::new(r#"{"rules":{"deny":["Bash(rm )"]}}"#, toolgate::host::Host::ASCII).unwrap();
//! let call = Call { tool: "Bash", command: Some("rm -rf build"), ..Call::default() };
//! let decision = policy.decide(&call, &CallState::default(), &[]);
//! assert_eq!((decision.outcome.kind, decision.outcome.stage), (Kind::Deny, Stage::ContentRule));
//! assert_eq!(policy.reason(&decision).as_deref(), Some("denied by permission rule Bash(rm ) [config]"));
//! ```

mod advice;
mod config;
mod coverage;
mod dangerous;
mod explain;
mod fingerprint;
mod fold;
mod grant;
mod lint;
mod lists;
mod segments;
mod settings;
mod suggest;
mod suggestion;
mod tiers;
mod why;

pub use config::{Checked, check, check_among};
pub use coverage::{Met, MetRule};
pub use dangerous::dangerous;
pub use explain::{Explanation, Passage, RuleNote, StageNote};
pub use fold::{Fold, RuleSet, evaluate};
pub use grant::derive_grant;
pub use lint::{Finding, Witness};
pub use settings::{FromSettings, from_settings};
pub use suggestion::Suggestion;

pub use crate::engine::Decision;
pub use crate::engine::call::{Call, CallState};
pub use crate::engine::config::Config;
pub use crate::engine::decide::{Outcome, RuleRef};
pub use crate::engine::entry::Entry;
pub use crate::engine::hazard::{broken_pattern, table as risk_table};
pub use crate::engine::kind::SubjectKind;
pub use crate::engine::reason::{Reason, Saying};

use self::explain::Told;
use crate::diagnostic::Diagnostic;
use crate::dialect::{RiskAxis, Tiers};
use crate::engine::hazard::Hazards;
use crate::engine::index::{self, Index};
use crate::engine::{Pipeline, unlocked};
use crate::host::Host;
use crate::json::Json;
use crate::order::Grow as _;
use crate::risk::Assessment;
use crate::rule::{self, PermissionRule, RuleError};
use crate::vocabulary::{Behavior, RuleSource};

/// A configuration compiled once; every method is a pure function of its arguments.
#[derive(Debug)]
pub struct Policy {
    config: Config,
    rules: Rules,
    /// What risk is assessed by, where the engine assesses it.
    hazards: Option<Hazards>,
    host: Host,
}

/// The rules as the engine finds them.
#[derive(Debug)]
enum Rules {
    Books(Index),
    Tiers(&'static Tiers, tiers::Index),
}

impl Policy {
    /// Compiles the JSON text of a configuration, or gives back everything that is wrong with it.
    pub fn new(config: &str, host: Host) -> Result<Self, Box<Checked>> {
        Self::among(crate::dialect::DIALECTS, config, host)
    }

    /// As [`Self::new`]; its dialect is one of `dialects`. A constant of another crate is a dialect like any other.
    pub fn among(
        dialects: &'static [&'static crate::dialect::Dialect],
        config: &str,
        host: Host,
    ) -> Result<Self, Box<Checked>> {
        let checked = check_among(dialects, config, host);
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Box::new(checked));
        }
        let mut config = checked.config;
        config.entries = index::sort(config.entries, config.dialect);
        let rules = match config.dialect.engine.tiers() {
            Some(tiers) => Rules::Tiers(tiers, tiers::Index::new(&config, tiers)),
            None => Rules::Books(Index::new(&config)),
        };
        Ok(Self { config, rules, hazards: checked.hazards, host })
    }

    /// The settings, defaults filled in; its rules stand in consult order.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Hex SHA-256 of the settings and rules: equal policies have equal fingerprints (rules.md section 17).
    pub fn fingerprint(&self) -> String {
        fingerprint::of(&self.config)
    }

    /// Parses a session grant: a rule of source `session`.
    pub fn grant(&self, text: &str) -> Result<PermissionRule, RuleError> {
        let Config { dialect, bash_tool, .. } = &self.config;
        let rule = rule::parse(text, dialect, self.host)?.under(dialect, bash_tool);
        Ok(PermissionRule { rule, behavior: Behavior::Allow, source: RuleSource::Session })
    }

    /// Why a call is denied, or a person is asked.
    pub fn reason(&self, decision: &Decision) -> Option<String> {
        decision.outcome.reason_text(&self.config.entries, self.config.dialect)
    }

    /// What is said where the rule of that rank decided.
    pub fn reason_of_rule(&self, rank: usize, saying: Saying) -> Option<String> {
        Some(saying.about(&self.config.entries.get(rank)?.label(self.config.dialect)))
    }

    /// Decides one call. `grants` come from [`Self::grant`].
    pub fn decide(&self, call: &Call<'_>, state: &CallState<'_>, grants: &[PermissionRule]) -> Decision {
        let known = self.known_arguments(call);
        let call = &Call { arguments: call.arguments.or(known.as_ref()), ..*call };
        let index = match &self.rules {
            Rules::Tiers(tables, index) => return self.tiered(tables, index).decide(call, state, grants),
            Rules::Books(index) => index,
        };
        if let Some(run) = self.segments(index, call, state, grants) {
            return run.decide();
        }
        self.pipeline(index).evaluate(call, state, grants, &mut |_, _, _| {})
    }

    /// Decides one call, and hands the explanation of the decision to `view`.
    pub fn explain(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
        mut view: impl FnMut(&Explanation<'_>),
    ) {
        self.tell(call, state, grants, Told::All, &mut view);
    }

    /// Decides one call, and hands `view` so much of the explanation as is asked for.
    fn tell(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
        told: Told,
        view: &mut dyn FnMut(&Explanation<'_>),
    ) {
        let known = self.known_arguments(call);
        let call = &Call { arguments: call.arguments.or(known.as_ref()), ..*call };
        let index = match &self.rules {
            Rules::Tiers(tables, index) => {
                let tiered = self.tiered(tables, index);
                let all = told == Told::All;
                tiered.evaluate(call, state, grants, all, &mut |evaluation, verdict, decision| {
                    view(&tiers::explain::explain(evaluation, verdict, decision.clone(), told));
                });
                return;
            }
            Rules::Books(index) => index,
        };
        if let Some(run) = self.segments(index, call, state, grants) {
            return run.explain(told, view);
        }
        self.pipeline(index).evaluate(call, state, grants, &mut |evaluation, decision, reading| {
            let Config { dialect, classifier, .. } = &self.config;
            let (outcome, steps) = (&decision.outcome, dialect.pipeline);
            view(&explain::explain(evaluation, outcome, decision.clone(), reading, steps, *classifier, told));
        });
    }

    /// The arguments that a call names one by one, for a dialect that looks at all of them and was not handed them.
    fn known_arguments(&self, call: &Call<'_>) -> Option<Json> {
        if call.arguments.is_some() || !self.config.dialect.looks_at_arguments {
            return None;
        }
        let named = [
            ("command", call.command),
            ("file_path", call.file_path),
            ("notebook_path", call.notebook_path),
            ("path", call.path),
            ("url", call.url),
        ];
        let mut given = vec![];
        for (name, value) in named {
            given.grow(value.map(|value| (name.into(), Json::Text(value.into()))));
        }
        Some(Json::Object(given))
    }

    /// The run of one call, where the dialect goes by segments.
    fn segments<'r>(
        &'r self,
        index: &'r Index,
        call: &'r Call<'r>,
        state: &CallState<'r>,
        grants: &'r [PermissionRule],
    ) -> Option<segments::Run<'r>> {
        let tables = self.config.dialect.engine.segments()?;
        let cwd = state.cwd.or(self.config.project_root.as_deref());
        Some(segments::Run {
            config: &self.config,
            tables,
            index,
            host: self.host,
            call,
            state: CallState { cwd, ..*state },
            grants,
            mode: unlocked(self.config.asked_mode(state), self.config.bypass_disabled),
        })
    }

    fn pipeline<'r>(&'r self, index: &'r Index) -> Pipeline<'r> {
        Pipeline { config: &self.config, index, hazards: self.hazards.as_ref(), host: self.host }
    }

    fn tiered<'r>(&'r self, tables: &'static Tiers, index: &'r tiers::Index) -> tiers::Rules<'r> {
        tiers::Rules { tiers: tables, config: &self.config, index, host: self.host }
    }
}

/// What a dialect's own guard finds in a line; none where it has no guard.
pub fn guarded(line: &str, axis: RiskAxis) -> Option<Assessment> {
    matches!(axis, RiskAxis::Guard(_)).then(|| segments::guarded(line, axis))
}
