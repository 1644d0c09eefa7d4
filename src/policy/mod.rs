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
//! assert_eq!(decision.outcome.reason.as_deref(), Some("denied by permission rule Bash(rm ) [config]"));
//! ```

mod advice;
mod call;
mod config;
mod decide;
mod fingerprint;
mod fold;
mod index;
mod kind;
mod settings;
mod subject;

pub use call::{Call, CallState};
pub use config::{Checked, Config, Entry, check};
pub use decide::{Outcome, RuleRef};
pub use fold::{Fold, RuleSet, evaluate};
pub use kind::SubjectKind;
pub use settings::{FromSettings, from_settings};

use self::decide::Evaluation;
use self::index::Index;
use crate::diagnostic::Diagnostic;
use crate::dialect::ListedTools;
use crate::host::Host;
use crate::rule::{self, PermissionRule, RuleError};
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleSource, SandboxMode};

/// A configuration compiled once; every method is a pure function of its arguments.
#[derive(Debug)]
pub struct Policy {
    config: Config,
    index: Index,
    host: Host,
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
}

impl Policy {
    /// Compiles the JSON text of a configuration, or gives back everything that is wrong with it.
    pub fn new(config: &str, host: Host) -> Result<Self, Box<Checked>> {
        let checked = check(config, host);
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Box::new(checked));
        }
        let mut config = checked.config;
        config.entries = index::sort(config.entries, config.dialect);
        let index = Index::new(&config);
        Ok(Self { config, index, host })
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
        let rule = rule::parse(text, self.config.dialect, self.host)?;
        Ok(PermissionRule { rule, behavior: Behavior::Allow, source: RuleSource::Session })
    }

    /// Decides one call. `grants` come from [`Self::grant`].
    pub fn decide(&self, call: &Call<'_>, state: &CallState<'_>, grants: &[PermissionRule]) -> Decision {
        let Config { dialect, bash_tool, .. } = &self.config;
        let cwd = state.cwd.or(self.config.project_root.as_deref());
        let state = CallState { cwd, ..*state };
        let subject = subject::read(call, &state, dialect, bash_tool, self.host);
        let mode = self.mode(&state);
        let read_only = self.is_listed(call.tool, &self.config.read_only_tools);
        let evaluation = Evaluation {
            entries: &self.config.entries,
            book: &self.index.book(call.tool, &self.config),
            grants: &self.answering_grants(call.tool, mode, grants),
            subject: subject.as_ref(),
            mode,
            file_edit: self.is_listed(call.tool, &self.config.file_edit_tools),
            read_only,
            exempt: self.is_exempt(call.tool, &state),
            exits_plan: kind::exits_plan(call.tool, dialect, bash_tool),
        };
        let outcome = evaluation.run(dialect.pipeline);
        let lifted =
            mode == PermissionMode::Auto && self.config.classifier && evaluation.is_liftable(&outcome);
        let effective = if lifted { Kind::Allow } else { outcome.kind };
        Decision { outcome, effective, mode, read_only }
    }

    /// The mode in force: overlay, state, default; then the lock.
    fn mode(&self, state: &CallState<'_>) -> PermissionMode {
        let mode = match state.mode {
            _ if state.plan_active => PermissionMode::Plan,
            Some(mode) => mode,
            None => self.config.default_mode,
        };
        unlocked(mode, self.config.bypass_disabled)
    }

    fn is_exempt(&self, tool: &str, state: &CallState<'_>) -> bool {
        self.config.exempt_sandboxed
            && state.sandbox.is_some_and(|sandbox| sandbox != SandboxMode::DangerFullAccess)
            && kind::is_shell(tool, self.config.dialect, &self.config.bash_tool)
    }

    fn is_listed(&self, tool: &str, list: &[String]) -> bool {
        let Config { dialect, bash_tool, .. } = &self.config;
        list.iter().any(|listed| match dialect.listed_tools {
            ListedTools::ByName => listed == tool,
            ListedTools::ByFamily => kind::meets(tool, listed, dialect, bash_tool),
        })
    }

    /// The grants that answer for a tool; there are none in `plan`.
    fn answering_grants(
        &self,
        tool: &str,
        mode: PermissionMode,
        grants: &[PermissionRule],
    ) -> Vec<(usize, PermissionRule)> {
        let Config { dialect, bash_tool, .. } = &self.config;
        if !dialect.grants || mode == PermissionMode::Plan {
            return vec![];
        }
        let answers =
            |(_, grant): &(usize, &PermissionRule)| kind::meets(tool, &grant.rule.tool, dialect, bash_tool);
        grants.iter().enumerate().filter(answers).map(|(place, grant)| (place, grant.clone())).collect()
    }
}

/// A mode where bypass may be locked.
fn unlocked(mode: PermissionMode, bypass_disabled: bool) -> PermissionMode {
    match mode {
        PermissionMode::BypassPermissions if bypass_disabled => PermissionMode::Default,
        mode => mode,
    }
}
