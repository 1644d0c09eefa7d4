//! The engine of a dialect that cuts a line into segments and reads it as operations (`qwen-code.md`).
//!
//! | room | gives |
//! |---|---|
//! | `cut` | the segments of a line |
//! | `rules` | the rule that settles a segment, an operation, or a call of another tool |
//! | `reads` | whether a line only reads |
//! | `operations` | the file and network operations that a line stands for |
//! | `review`, `protected`, `guard`, `suspended` | what auto mode does not leave to allow rules |
//! | `explain`, `why` | the same run, told |
//! | `language` | what rules are compared by |
//! | `suggest` | what would cover what it asks about |
//!
//! A call is first settled by rules: of a line the strictest of its segments and operations stands, and an operation never
//! approves. Then the mode makes of it what it makes of it. Everything that was tried is kept in a [`Trace`], so that an
//! explanation is of the run that decided.

pub(super) mod advice;
mod cut;
mod explain;
pub(super) mod grant;
pub(super) mod guard;
pub(super) mod language;
mod mode;
mod operations;
mod protected;
mod reads;
mod review;
mod rules;
mod settle;
mod suggest;
pub(super) mod suspended;

use std::rc::Rc;

use self::operations::Operations;
use self::reads::Effect;
use self::rules::{Places, Rules, Settled};
use super::explain::{Explanation, Told};
use crate::dialect::{ContentKind, RiskAxis, Segments};
use crate::engine::call::{Call, CallState};
use crate::engine::config::Config;
use crate::engine::decide::{Outcome, RuleRef};
use crate::engine::index::{Book, Index};
use crate::engine::reason::{Reason, Saying};
use crate::engine::{Decision, kind};
use crate::host::Host;
use crate::order::{Gather as _, Grow as _};
use crate::risk::Assessment;
use crate::rule::{PermissionRule, tool};
use crate::shell::Reading;
use crate::span::Span;
use crate::vocabulary::{Kind, PermissionMode, Stage};

/// One call, and everything that it is decided by.
pub(super) struct Run<'r> {
    pub(super) config: &'r Config,
    pub(super) tables: &'static Segments,
    pub(super) index: &'r Index,
    pub(super) host: Host,
    pub(super) call: &'r Call<'r>,
    /// With the working directory that is in force.
    pub(super) state: CallState<'r>,
    pub(super) grants: &'r [PermissionRule],
    /// The mode in force.
    pub(super) mode: PermissionMode,
}

/// What was tried, and what it came to.
struct Trace<'r> {
    /// The canonical name of the tool.
    tool: &'r str,
    kind: ContentKind,
    /// What the call is matched by.
    subject: Option<String>,
    /// The path of the call, from the root, and where it leads.
    path: Option<String>,
    real_path: Option<String>,
    reading: Option<Reading<'r>>,
    segments: Vec<Segment>,
    /// Something of the line could not be read.
    unread: bool,
    operations: Operations,
    /// What each operation came to.
    operated: Vec<Option<Settled>>,
    effect: Effect,
    /// What the rules came to.
    ruled: Settled,
    /// What the mode made of it.
    settled: Settled,
    risk: Assessment,
}

/// A part of a line that is decided alone.
struct Segment {
    span: Span,
    /// Put together again.
    text: String,
    settled: Settled,
}

const PLAN_REASON: &str = "plan mode is read-only; submit via exit_plan_mode";
const REVIEW_REASON: &str = "requires approval: it may change a protected file";
const UNRULED_REASON: &str = "requires approval: no permission rule allows it";

impl<'r> Run<'r> {
    /// Decides.
    pub(super) fn decide(&self) -> Decision {
        let grants = self.answering_grants();
        let places = Places::new(self.config, self.state.cwd);
        let rules = self.rules(&grants, &places);
        self.decision(&self.trace(&rules))
    }

    /// Decides, and hands the explanation of the decision to `view`.
    pub(super) fn explain(&self, told: Told, view: &mut dyn FnMut(&Explanation<'_>)) {
        let grants = self.answering_grants();
        let places = Places::new(self.config, self.state.cwd);
        let rules = self.rules(&grants, &places);
        let trace = self.trace(&rules);
        view(&explain::explain(self, &rules, &trace, self.decision(&trace), told));
    }

    fn rules<'g>(&'g self, grants: &'g [(usize, &'g PermissionRule)], places: &'g Places<'g>) -> Rules<'g> {
        Rules { config: self.config, tables: self.tables, grants, places }
    }

    fn answering_grants(&self) -> Vec<(usize, &'r PermissionRule)> {
        let Config { dialect, bash_tool, .. } = self.config;
        let answers = |(_, grant): &(usize, &PermissionRule)| {
            let name = grant.rule.tool.as_str();
            kind::meets(self.call.tool, name, dialect, bash_tool)
                || tool::star_prefix(name, dialect).is_some_and(|prefix| self.call.tool.starts_with(prefix))
        };
        self.grants.iter().enumerate().filter(answers).gather()
    }

    fn book(&self, tool: &str) -> Rc<Book> {
        self.index.book(tool, self.config)
    }

    fn is_listed(&self, list: &[String], built_in: &[&str]) -> bool {
        let Config { dialect, bash_tool, .. } = self.config;
        built_in.contains(&tool::canonical_call(self.call.tool, dialect, bash_tool))
            || kind::is_listed(self.call.tool, list, dialect, bash_tool)
    }

    fn edits_files(&self) -> bool {
        self.is_listed(&self.config.file_edit_tools, self.config.dialect.file_edit_tools)
    }

    fn decision(&self, trace: &Trace<'_>) -> Decision {
        let Settled { kind, stage, rule } = trace.settled;
        let mut settled_by = vec![];
        settled_by.grow(trace.ruled.rule);
        if kind == Kind::Allow {
            for segment in &trace.segments {
                settled_by.grow(segment.settled.rule);
            }
        }
        let outcome = Outcome {
            kind,
            stage,
            rule,
            reason: self.reason(trace),
            settled_at: Some(trace.ruled.stage),
            settled_by,
            is_answer: false,
        };
        Decision {
            effective: kind,
            mode: self.mode,
            read_only: self.is_listed(&self.config.read_only_tools, self.config.dialect.read_only_tools),
            assessed: (!trace.risk.findings.is_empty()).then(|| trace.subject.clone().unwrap_or_default()),
            risk: trace.risk.clone(),
            outcome,
        }
    }

    /// Why, for what is denied or asked.
    fn reason(&self, trace: &Trace<'_>) -> Option<Reason> {
        let Settled { kind, stage, rule } = trace.settled;
        let saying = Saying::of(kind, stage)?;
        let text = match (rule, kind, stage) {
            (Some(RuleRef::Rule(_)), ..) => return Some(Reason::OfRule(saying)),
            (Some(RuleRef::Grant(place)), ..) => saying.about(&self.grants.get(place)?.label()),
            (None, Kind::Deny, Stage::Risk) => {
                let reasons: Vec<&str> = trace.risk.reasons().gather();
                ["blocked by risk classifier: ", &reasons.join("; ")].concat()
            }
            (None, Kind::Ask, Stage::Risk) => REVIEW_REASON.into(),
            (None, _, Stage::PlanWrap) => PLAN_REASON.into(),
            (None, ..) => UNRULED_REASON.into(),
        };
        Some(Reason::Text(text))
    }
}

/// The findings of the dialect's guard in a line; none where it has none.
pub(super) fn guarded(line: &str, axis: RiskAxis) -> Assessment {
    match axis {
        RiskAxis::Guard(table) => guard::assess(line, table),
        RiskAxis::Read | RiskAxis::Raw => Assessment::default(),
    }
}
