//! One call meets the rules of a policy: its subject, the rules that answer for it, its risk, and the steps of a pipeline.
//!
//! What every decision runs through, and no more: how configurations are read, explained and compared is in `policy`.

pub mod call;
pub mod config;
pub mod decide;
pub mod entry;
pub mod hazard;
pub mod index;
pub mod kind;
pub mod reason;
pub mod subject;

use self::call::{Call, CallState};
use self::config::Config;
use self::decide::{Evaluation, Outcome};
use self::hazard::Hazards;
use self::index::Index;
use crate::host::Host;
use crate::order::Gather as _;
use crate::risk::Assessment;
use crate::rule::PermissionRule;
use crate::shell::Reading;
use crate::vocabulary::{Kind, PermissionMode, RiskLevel, SandboxMode, Stage};

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

impl Decision {
    /// Whether no rule and no mode settled the call, whatever a plan made of it. In dialects that end without passthrough
    /// it is what ends at `no-match` and is not allowed.
    pub fn fell_through(&self) -> bool {
        match self.outcome.stage {
            Stage::NoMatch => self.outcome.kind != Kind::Allow,
            // A floor under the call would have asked before the plan denied.
            Stage::PlanWrap => {
                matches!(self.outcome.settled_at, None | Some(Stage::NoMatch))
                    && self.risk.level == RiskLevel::Low
            }
            _ => false,
        }
    }
}

/// The rules of a dialect whose pipeline is a list of steps.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline<'p> {
    /// The settings and rules.
    pub config: &'p Config,
    /// The rules as they are found.
    pub index: &'p Index,
    /// What risk is assessed by, where it is assessed.
    pub hazards: Option<&'p Hazards>,
    /// What this runtime knows about names.
    pub host: Host,
}

impl Pipeline<'_> {
    /// Runs the pipeline over one call, and shows everything that it looked at to `view`.
    pub fn evaluate(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
        view: &mut dyn FnMut(&Evaluation<'_>, &Decision, Option<&Reading<'_>>),
    ) -> Decision {
        let Config { dialect, .. } = self.config;
        let book = self.index.book(call.tool, self.config);
        let facts = book.facts;
        let cwd = state.cwd.or(self.config.project_root.as_deref());
        let state = CallState { cwd, ..*state };
        let subject = subject::find(call, facts.kind, dialect, self.host);
        let reading = subject::read(subject.as_ref());
        let parts = subject
            .as_ref()
            .map(|subject| subject::parts(subject, reading.as_ref(), &state, self.config.home.as_deref()));
        let asked_mode = self.config.asked_mode(&state);
        let mode = unlocked(asked_mode, self.config.bypass_disabled);
        let assess = |hazards: &Hazards| {
            hazards.assess(call, &state, self.config, facts, subject.as_ref(), reading.as_ref())
        };
        let risk = self.hazards.map(assess).unwrap_or_default();
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
        let Config { dialect, bash_tool, .. } = self.config;
        let answers =
            |(_, grant): &(usize, &PermissionRule)| kind::meets(tool, &grant.rule.tool, dialect, bash_tool);
        grants.iter().enumerate().filter(answers).gather()
    }
}

/// A mode where bypass may be locked.
pub fn unlocked(mode: PermissionMode, bypass_disabled: bool) -> PermissionMode {
    match mode {
        PermissionMode::BypassPermissions if bypass_disabled => PermissionMode::Default,
        mode => mode,
    }
}
