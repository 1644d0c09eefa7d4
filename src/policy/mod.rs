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
mod call;
mod config;
mod coverage;
mod dangerous;
mod decide;
mod explain;
mod fingerprint;
mod fold;
mod grant;
mod hazard;
mod index;
mod kind;
mod lint;
mod lists;
mod reason;
mod segments;
mod settings;
mod subject;
mod suggest;
mod suggestion;
mod tiers;
mod why;

pub use call::{Call, CallState};
pub use config::{Checked, Config, check, check_among};
pub use coverage::{Met, MetRule};
pub use dangerous::dangerous;
pub use decide::{Outcome, RuleRef};
pub use explain::{Explanation, Passage, RuleNote, StageNote};
pub use fold::{Fold, RuleSet, evaluate};
pub use grant::derive_grant;
pub use hazard::{broken_pattern, table as risk_table};
pub use kind::SubjectKind;
pub use lint::{Finding, Witness};
pub use lists::Entry;
pub use reason::{Reason, Saying};
pub use settings::{FromSettings, from_settings};
pub use suggestion::Suggestion;

use self::decide::Evaluation;
use self::explain::Told;
use self::hazard::Hazards;
use self::index::Index;
use crate::diagnostic::Diagnostic;
use crate::dialect::{RiskAxis, Tiers};
use crate::host::Host;
use crate::json::Json;
use crate::order::{Gather as _, Grow as _};
use crate::risk::Assessment;
use crate::rule::{self, PermissionRule, RuleError};
use crate::shell::Reading;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleSource, SandboxMode};

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

/// What a policy says of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Kind, stage, rule and reason.
    pub outcome: Outcome,
    /// The kind after the risk proxy of `auto` mode.
    pub effective: Kind,
    /// The mode in force.
    pub mode: PermissionMode,
    /// Whether the tool only reads.
    pub read_only: bool,
    /// How dangerous the call is.
    pub risk: Assessment,
    /// The text that the spans of its findings point into; none where there are none.
    pub assessed: Option<String>,
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
        self.evaluate(index, call, state, grants, &mut |_, _, _| {})
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
        self.evaluate(index, call, state, grants, &mut |evaluation, decision, reading| {
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
            mode: unlocked(self.asked_mode(state), self.config.bypass_disabled),
        })
    }

    fn tiered<'r>(&'r self, tables: &'static Tiers, index: &'r tiers::Index) -> tiers::Rules<'r> {
        tiers::Rules { tiers: tables, config: &self.config, index, host: self.host }
    }

    /// Runs the pipeline over one call, and shows everything that it looked at to `view`.
    fn evaluate(
        &self,
        index: &Index,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
        view: &mut dyn FnMut(&Evaluation<'_>, &Decision, Option<&Reading<'_>>),
    ) -> Decision {
        let Config { dialect, .. } = &self.config;
        let book = index.book(call.tool, &self.config);
        let facts = book.facts;
        let cwd = state.cwd.or(self.config.project_root.as_deref());
        let state = CallState { cwd, ..*state };
        let subject = subject::find(call, facts.kind, dialect, self.host);
        let reading = subject::read(subject.as_ref());
        let parts = subject
            .as_ref()
            .map(|subject| subject::parts(subject, reading.as_ref(), &state, self.config.home.as_deref()));
        let asked_mode = self.asked_mode(&state);
        let mode = unlocked(asked_mode, self.config.bypass_disabled);
        let assess = |hazards: &Hazards| {
            hazards.assess(call, &state, &self.config, facts, subject.as_ref(), reading.as_ref())
        };
        let risk = self.hazards.as_ref().map(assess).unwrap_or_default();
        let evaluation = Evaluation {
            entries: &self.config.entries,
            book: &book,
            grants: &self.answering_grants(call.tool, mode, grants),
            grants_settle: dialect.grants_settle,
            text: subject.as_ref().map(|subject| subject.text.as_ref()),
            parts: parts.as_ref(),
            risk: &risk,
            mode,
            asked_mode,
            exempt: facts.is_shell && self.is_exempt(&state),
        };
        let decision = self.decision(&evaluation, evaluation.run(dialect.pipeline));
        view(&evaluation, &decision, reading.as_ref());
        decision
    }

    fn decision(&self, evaluation: &Evaluation<'_>, outcome: Outcome) -> Decision {
        let lifted = evaluation.mode == PermissionMode::Auto
            && self.config.classifier
            && evaluation.is_liftable(&outcome);
        Decision {
            effective: if lifted { Kind::Allow } else { outcome.kind },
            mode: if outcome.is_answer { evaluation.asked_mode } else { evaluation.mode },
            read_only: evaluation.book.facts.only_reads,
            risk: evaluation.risk.clone(),
            assessed: (!evaluation.risk.findings.is_empty())
                .then(|| evaluation.text.unwrap_or_default().into()),
            outcome,
        }
    }

    /// The mode before the lock: overlay, state, default.
    fn asked_mode(&self, state: &CallState<'_>) -> PermissionMode {
        if state.plan_active { PermissionMode::Plan } else { state.mode.unwrap_or(self.config.default_mode) }
    }

    /// Whether a shell call is spared a whole-tool ask.
    fn is_exempt(&self, state: &CallState<'_>) -> bool {
        self.config.exempt_sandboxed
            && state.sandbox.is_some_and(|sandbox| sandbox != SandboxMode::DangerFullAccess)
    }

    /// The grants that answer for a tool; there are none in `plan`.
    fn answering_grants<'g>(
        &self,
        tool: &str,
        mode: PermissionMode,
        grants: &'g [PermissionRule],
    ) -> Vec<(usize, &'g PermissionRule)> {
        if mode == PermissionMode::Plan {
            return vec![];
        }
        let Config { dialect, bash_tool, .. } = &self.config;
        let answers =
            |(_, grant): &(usize, &PermissionRule)| kind::meets(tool, &grant.rule.tool, dialect, bash_tool);
        grants.iter().enumerate().filter(answers).gather()
    }
}

/// A mode where bypass may be locked.
fn unlocked(mode: PermissionMode, bypass_disabled: bool) -> PermissionMode {
    match mode {
        PermissionMode::BypassPermissions if bypass_disabled => PermissionMode::Default,
        mode => mode,
    }
}

/// What a dialect's own guard finds in a line; none where it has no guard.
pub fn guarded(line: &str, axis: RiskAxis) -> Option<Assessment> {
    matches!(axis, RiskAxis::Guard(_)).then(|| segments::guarded(line, axis))
}
