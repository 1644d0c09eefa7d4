//! One interpreter for the pipelines of every dialect (rules.md sections 10 and 11).
//!
//! A pipeline is a list of steps. A step that settles is skipped once there is an outcome; a step that tightens looks at
//! the outcome there is. What no step settles is passthrough at `no-match`.

use super::config::Entry;
use super::index::Book;
use super::kind::SubjectKind;
use super::subject::Subject;
use crate::dialect::{Exempt, ImmuneLabel, ModeAllows, Step};
use crate::rule::PermissionRule;
use crate::vocabulary::{Behavior, Kind, PermissionMode, Stage};

/// A call before the steps: everything that they may ask about it.
pub(super) struct Evaluation<'e> {
    pub(super) entries: &'e [Entry],
    pub(super) book: &'e Book,
    /// Session grants that answer for the tool.
    pub(super) grants: &'e [(usize, PermissionRule)],
    pub(super) subject: Option<&'e Subject<'e>>,
    /// The mode in force.
    pub(super) mode: PermissionMode,
    pub(super) file_edit: bool,
    pub(super) read_only: bool,
    /// Whether a whole-tool ask rule spares this call.
    pub(super) exempt: bool,
    /// Whether this is the way out of `plan`.
    pub(super) exits_plan: bool,
}

/// The rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleRef {
    /// A rule of the policy, by its rank.
    Rule(usize),
    /// A session grant, by its place in the state.
    Grant(usize),
}

/// What the steps came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was decided.
    pub kind: Kind,
    /// The step that made the final result.
    pub stage: Stage,
    /// The rule that decided, if one did.
    pub rule: Option<RuleRef>,
    /// Why, for deny and ask.
    pub reason: Option<String>,
}

impl Outcome {
    fn of(kind: Kind, stage: Stage) -> Self {
        Self { kind, stage, rule: None, reason: None }
    }
}

/// What marks a rule that holds in every mode.
const IMMUNE_MARK: &str = " (bypass-immune)";

/// What is written where plan mode denies.
const PLAN_REASON: &str = "plan mode is read-only; submit via exit_plan_mode";

impl Evaluation<'_> {
    /// Goes through `steps`.
    pub(super) fn run(&self, steps: &[Step]) -> Outcome {
        let mut outcome: Option<Outcome> = None;
        let mut exempt_from = None;
        for step in steps {
            let open = outcome.is_none();
            match step {
                Step::PlanWrap { spares_exit } => {
                    if let Some(wrapped) = self.plan_wrap(outcome.as_ref(), *spares_exit) {
                        outcome = Some(wrapped);
                    }
                }
                Step::LateBypassImmune(label) => {
                    let denied = outcome.as_ref().is_some_and(|outcome| outcome.kind == Kind::Deny);
                    if !denied && let Some(immune) = self.bypass_immune(*label) {
                        outcome = Some(immune);
                    }
                }
                _ if !open => {}
                Step::BypassImmune(label) => outcome = self.bypass_immune(*label),
                Step::ToolDeny => outcome = self.whole(&self.book.whole_deny, Stage::ToolDeny),
                Step::ToolAsk(exempt) => match (exempt, self.book.whole_ask.first()) {
                    (Exempt::GoesOn, Some(rule)) if self.exempt && self.mode != PermissionMode::Plan => {
                        exempt_from = Some(*rule)
                    }
                    (Exempt::Allowed, Some(rule)) if self.exempt => outcome = Some(exempted(*rule)),
                    _ => outcome = self.whole(&self.book.whole_ask, Stage::ToolAsk),
                },
                Step::Content => outcome = self.content(),
                Step::ExemptAllow => outcome = exempt_from.map(exempted),
                Step::Mode(allows) => {
                    let allowed = allows.iter().any(|allows| self.mode_allows(*allows));
                    outcome = allowed.then(|| Outcome::of(Kind::Allow, Stage::Mode));
                }
                Step::ToolAllow => {
                    let grant = || {
                        let (place, _) = self.grants.iter().find(|(_, grant)| grant.rule.is_whole_tool())?;
                        Some(Outcome {
                            rule: Some(RuleRef::Grant(*place)),
                            ..Outcome::of(Kind::Allow, Stage::ToolAllow)
                        })
                    };
                    outcome = self.whole(&self.book.whole_allow, Stage::ToolAllow).or_else(grant);
                }
            }
        }
        outcome.unwrap_or_else(|| Outcome::of(Kind::Passthrough, Stage::NoMatch))
    }

    fn plan_wrap(&self, outcome: Option<&Outcome>, spares_exit: bool) -> Option<Outcome> {
        let settled = outcome.is_some_and(|outcome| matches!(outcome.kind, Kind::Allow | Kind::Deny));
        let spared = self.read_only || (spares_exit && self.exits_plan);
        (self.mode == PermissionMode::Plan && !settled && !spared)
            .then(|| Outcome { reason: Some(PLAN_REASON.into()), ..Outcome::of(Kind::Deny, Stage::PlanWrap) })
    }

    fn bypass_immune(&self, label: ImmuneLabel) -> Option<Outcome> {
        let hit = |index: &&usize| self.entry(**index).is_some_and(|rule| self.sees(rule));
        let index = *self.book.bypass_immune.iter().find(hit)?;
        let rule = self.entry(index)?;
        let (name, mark) = match label {
            ImmuneLabel::Plain => (rule.label(), ""),
            ImmuneLabel::Marked => (rule.label(), IMMUNE_MARK),
            ImmuneLabel::MarkedAndEscaped => {
                ([&rule.rule.text(), " [", rule.source.as_str(), "]"].concat(), IMMUNE_MARK)
            }
        };
        let reason = ["denied by permission rule ", &name, mark].concat();
        Some(Outcome {
            rule: Some(RuleRef::Rule(index)),
            reason: Some(reason),
            ..Outcome::of(Kind::Deny, Stage::BypassImmune)
        })
    }

    fn whole(&self, rules: &[usize], stage: Stage) -> Option<Outcome> {
        let index = *rules.first()?;
        Some(ruled(self.entry(index)?, RuleRef::Rule(index), stage))
    }

    /// The first rule, then the first grant, that accepts the subject. In what was not read completely, rules that
    /// allow are not consulted (invariant "seen").
    fn content(&self) -> Option<Outcome> {
        let subject = self.subject?;
        let accepts = |rule: &PermissionRule| match rule.behavior {
            Behavior::Allow => subject.complete && rule.rule.accepts(&subject.text),
            Behavior::Deny | Behavior::Ask => self.sees(rule),
        };
        for index in &self.book.content {
            let rule = self.entry(*index)?;
            if accepts(rule) {
                return Some(ruled(rule, RuleRef::Rule(*index), Stage::ContentRule));
            }
        }
        let (place, grant) =
            self.grants.iter().find(|(_, grant)| !grant.rule.is_whole_tool() && accepts(grant))?;
        Some(ruled(grant, RuleRef::Grant(*place), Stage::ContentRule))
    }

    /// Whether a rule that restricts accepts any form of the subject.
    fn sees(&self, rule: &PermissionRule) -> bool {
        rule.rule.is_whole_tool()
            || self.subject.is_some_and(|subject| {
                rule.rule.accepts(&subject.text) || subject.seen.iter().any(|form| rule.rule.accepts(form))
            })
    }

    fn mode_allows(&self, allows: ModeAllows) -> bool {
        match allows {
            ModeAllows::Bypass => self.mode == PermissionMode::BypassPermissions,
            ModeAllows::FileEdits => self.mode == PermissionMode::AcceptEdits && self.file_edit,
            ModeAllows::PlanReads => self.mode == PermissionMode::Plan && self.read_only,
        }
    }

    fn entry(&self, index: usize) -> Option<&PermissionRule> {
        self.entries.get(index).map(|entry| &entry.rule)
    }

    /// Whether an ask that the rules came to may be lifted in `auto` mode: nothing about the call is in doubt, and
    /// behind a whole-tool ask no content rule would deny (rules.md section 10, `effective`).
    pub(super) fn is_liftable(&self, outcome: &Outcome) -> bool {
        let unclear =
            self.subject.is_some_and(|subject| subject.kind == SubjectKind::Command && !subject.complete);
        let denied = || {
            self.book
                .content
                .iter()
                .filter_map(|index| self.entry(*index))
                .any(|rule| rule.behavior == Behavior::Deny && self.sees(rule))
        };
        outcome.kind == Kind::Ask && !unclear && !(outcome.stage == Stage::ToolAsk && denied())
    }
}

/// What a call that a whole-tool ask rule spares gets.
fn exempted(rule: usize) -> Outcome {
    Outcome { rule: Some(RuleRef::Rule(rule)), ..Outcome::of(Kind::Allow, Stage::ToolAsk) }
}

/// What a rule that decides comes to, with its reason (rules.md section 12).
fn ruled(rule: &PermissionRule, at: RuleRef, stage: Stage) -> Outcome {
    let reason = match rule.behavior {
        Behavior::Allow => None,
        Behavior::Deny => Some("denied by permission rule "),
        Behavior::Ask => Some("requires approval by permission rule "),
    };
    let reason = reason.map(|text| [text, &rule.label()].concat());
    Outcome { rule: Some(at), reason, ..Outcome::of(rule.behavior.into(), stage) }
}
