//! One interpreter for the pipelines of every dialect (rules.md sections 10 and 11).
//!
//! A pipeline is a list of steps. A step that settles is skipped once there is an outcome; a step that tightens looks at
//! the outcome there is. What no step settles is passthrough at `no-match`. What settled is kept beside what was made of
//! it, so that an explanation says of the very same run why a rule did not decide.

use std::borrow::Cow;

use super::entry::Entry;
use super::index::Book;
use super::reason::{Reason, Saying};
use super::subject::{Parts, Role, Unit};
use crate::dialect::{Exempt, ImmuneLabel, ModeAllows, Step};
use crate::order::{Gather as _, Grow as _, ascending};
use crate::risk::Assessment;
use crate::rule::PermissionRule;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RiskLevel, Stage};

/// A call before the steps: everything that they may ask about it.
pub struct Evaluation<'e> {
    /// The rules of the policy, by their ranks.
    pub entries: &'e [Entry],
    /// Those that answer for the tool.
    pub book: &'e Book,
    /// Session grants that answer for the tool, with their places in the state.
    pub grants: &'e [(usize, &'e PermissionRule)],
    /// Whether grants are consulted behind rules, not only under risk.
    pub grants_settle: bool,
    /// The subject's text.
    pub text: Option<&'e str>,
    /// The subject taken apart.
    pub parts: Option<&'e Parts<'e>>,
    /// How dangerous the call is.
    pub risk: &'e Assessment,
    /// The mode in force.
    pub mode: PermissionMode,
    /// The mode before the lock on bypass.
    pub asked_mode: PermissionMode,
    /// Whether a whole-tool ask rule spares this call.
    pub exempt: bool,
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
    pub reason: Option<Reason>,
    /// The stage that settled the call, before anything made it stricter.
    pub settled_at: Option<Stage>,
    /// The rule of that stage; where content rules allowed a line, the rule of each unit.
    pub settled_by: Vec<RuleRef>,
    /// Risk answered before rules and locks were asked: the mode is the one that was asked for, and nothing wraps it.
    pub is_answer: bool,
}

impl Outcome {
    fn of(kind: Kind, stage: Stage) -> Self {
        let settled_at = Some(stage);
        Self { kind, stage, rule: None, reason: None, settled_at, settled_by: vec![], is_answer: false }
    }

    fn by(mut self, rule: RuleRef) -> Self {
        self.rule = Some(rule);
        self.settled_by = vec![rule];
        self
    }

    fn because(mut self, reason: Reason) -> Self {
        self.reason = Some(reason);
        self
    }

    /// A stricter result in the place of one that was settled.
    fn over(mut self, settled: Option<Self>) -> Self {
        match settled {
            Some(settled) => {
                self.settled_at = settled.settled_at;
                self.settled_by = settled.settled_by;
            }
            None => self.settled_at = None,
        }
        self
    }
}

/// What is written where plan mode denies.
const PLAN_REASON: &str = "plan mode is read-only; submit via exit_plan_mode";

impl Evaluation<'_> {
    /// Goes through `steps`.
    pub fn run(&self, steps: &[Step]) -> Outcome {
        let mut outcome: Option<Outcome> = None;
        let mut exempt_from = None;
        for step in steps {
            let settled = outcome.is_some();
            match step {
                Step::RiskFloor if self.floor_applies(outcome.as_ref()) => {
                    outcome = Some(self.risk_floor().over(outcome));
                }
                Step::PlanWrap { spares_exit } if self.plan_wraps(outcome.as_ref(), *spares_exit) => {
                    let wrapped =
                        Outcome::of(Kind::Deny, Stage::PlanWrap).because(Reason::Text(PLAN_REASON.into()));
                    outcome = Some(wrapped.over(outcome));
                }
                Step::LateBypassImmune(label)
                    if outcome.as_ref().is_none_or(|outcome| outcome.kind != Kind::Deny) =>
                {
                    if let Some(immune) = self.bypass_immune(*label) {
                        outcome = Some(immune.over(outcome));
                    }
                }
                Step::RiskFloor | Step::PlanWrap { .. } | Step::LateBypassImmune(_) => {}
                _ if settled => {}
                Step::BypassImmune(label) => outcome = self.bypass_immune(*label),
                Step::RiskHigh => outcome = self.risk_high(),
                Step::RiskAnswers => outcome = self.risk_high().or_else(|| self.risk_answers()),
                Step::ToolDeny => outcome = self.whole(&self.book.whole_deny, Stage::ToolDeny),
                Step::ToolAsk(exempt) => match (exempt, self.book.whole_ask.first()) {
                    (Exempt::GoesOn, Some(rule)) if self.exempt && self.mode != PermissionMode::Plan => {
                        exempt_from = Some(*rule);
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
                Step::ToolAllow => outcome = self.tool_allow(),
            }
        }
        outcome.unwrap_or_else(|| Outcome::of(Kind::Passthrough, Stage::NoMatch))
    }

    fn bypass_immune(&self, label: ImmuneLabel) -> Option<Outcome> {
        let hit = |index: &&usize| self.rule(RuleRef::Rule(**index)).is_some_and(|rule| self.is_seen(rule));
        let index = *self.book.bypass_immune.iter().find(hit)?;
        let rule = self.rule(RuleRef::Rule(index))?;
        let reason = match label {
            ImmuneLabel::Plain => Reason::OfRule(Saying::Denied),
            ImmuneLabel::Marked => Reason::OfRule(Saying::Immune),
            ImmuneLabel::MarkedAndEscaped => {
                let escaped = [&rule.rule.text(), " [", rule.source.as_str(), "]"].concat();
                Reason::Text(Saying::Immune.about(&escaped))
            }
        };
        Some(Outcome::of(Kind::Deny, Stage::BypassImmune).by(RuleRef::Rule(index)).because(reason))
    }

    fn risk_high(&self) -> Option<Outcome> {
        (self.risk.level == RiskLevel::High).then(|| {
            let reason = ["blocked by risk classifier: ", &self.risk_reasons()].concat();
            Outcome::of(Kind::Deny, Stage::Risk).because(Reason::Text(reason))
        })
    }

    /// What MEDIUM risk says where it is asked before the rules.
    fn risk_answers(&self) -> Option<Outcome> {
        if self.risk.level != RiskLevel::Medium {
            return None;
        }
        if self.asked_mode == PermissionMode::BypassPermissions {
            return Some(Outcome { is_answer: true, ..Outcome::of(Kind::Allow, Stage::Risk) });
        }
        Some(Outcome { is_answer: true, ..self.risk_floor() })
    }

    /// Whether MEDIUM risk may still make something stricter.
    fn floor_applies(&self, outcome: Option<&Outcome>) -> bool {
        let loose = outcome.is_none_or(|outcome| outcome.kind == Kind::Allow);
        self.risk.level == RiskLevel::Medium && self.mode != PermissionMode::BypassPermissions && loose
    }

    /// A person is asked, but for what a grant covers by itself.
    fn risk_floor(&self) -> Outcome {
        match self.grants.iter().find(|(_, grant)| self.is_granted_by(grant)) {
            Some((place, _)) => Outcome::of(Kind::Allow, Stage::Risk).by(RuleRef::Grant(*place)),
            None => {
                let reason = ["requires approval by risk classifier: ", &self.risk_reasons()].concat();
                Outcome::of(Kind::Ask, Stage::Risk).because(Reason::Text(reason))
            }
        }
    }

    fn risk_reasons(&self) -> String {
        self.risk.reasons().gather().join("; ")
    }

    fn plan_wraps(&self, outcome: Option<&Outcome>, spares_exit: bool) -> bool {
        let final_kind =
            |outcome: &Outcome| matches!(outcome.kind, Kind::Allow | Kind::Deny) || outcome.is_answer;
        let settled = outcome.is_some_and(final_kind);
        let spared = self.book.facts.only_reads || (spares_exit && self.book.facts.exits_plan);
        self.mode == PermissionMode::Plan && !settled && !spared
    }

    fn whole(&self, rules: &[usize], stage: Stage) -> Option<Outcome> {
        let index = RuleRef::Rule(*rules.first()?);
        Some(ruled(self.rule(index)?, stage).by(index))
    }

    fn tool_allow(&self) -> Option<Outcome> {
        let granted = || {
            let whole =
                |(_, grant): &&(usize, &PermissionRule)| self.grants_settle && grant.rule.is_whole_tool();
            let (place, _) = self.grants.iter().find(whole)?;
            Some(Outcome::of(Kind::Allow, Stage::ToolAllow).by(RuleRef::Grant(*place)))
        };
        self.whole(&self.book.whole_allow, Stage::ToolAllow).or_else(granted)
    }

    /// The strictest over the units, each settled alone (rules.md section 8.1).
    fn content(&self) -> Option<Outcome> {
        let parts = self.parts?;
        let mut asked = None;
        let mut allowed = vec![];
        let mut uncovered = false;
        for unit in parts.units.iter().filter(|unit| !unit.repeats) {
            let settled = self.settle(unit);
            match settled.and_then(|at| self.rule(at)).map(|rule| rule.behavior) {
                Some(Behavior::Deny) => return self.ruled_by(settled?),
                Some(Behavior::Ask) => asked = asked.or(settled),
                _ if unit.role == Role::Decides => {
                    uncovered |= settled.is_none();
                    allowed.grow(settled);
                }
                _ => {}
            }
        }
        if let Some(asked) = asked {
            return self.ruled_by(asked);
        }
        let first = *allowed.first().filter(|_| !uncovered)?;
        let rule = self.rule(first)?;
        Some(Outcome { rule: Some(first), settled_by: allowed, ..ruled(rule, Stage::ContentRule) })
    }

    fn ruled_by(&self, at: RuleRef) -> Option<Outcome> {
        Some(ruled(self.rule(at)?, Stage::ContentRule).by(at))
    }

    /// The first rule, then the first grant, that accepts the unit.
    pub fn settle(&self, unit: &Unit<'_>) -> Option<RuleRef> {
        let accepts = |at: &RuleRef| self.rule(*at).is_some_and(|rule| self.accepts(unit, rule));
        let rule = self.book.first(&unit.seen, &mut |rank| accepts(&RuleRef::Rule(rank)));
        let grants = || {
            let content =
                self.grants.iter().filter(|(_, grant)| self.grants_settle && !grant.rule.is_whole_tool());
            content.map(|(place, _)| RuleRef::Grant(*place)).find(accepts)
        };
        rule.map(RuleRef::Rule).or_else(grants)
    }

    /// The content rules that may accept one of the units, in consult order.
    pub fn candidates(&self) -> Cow<'_, [usize]> {
        let mut found = vec![];
        for unit in self.parts.map(|parts| parts.units.as_slice()).unwrap_or_default() {
            match self.book.candidates(&unit.seen) {
                Cow::Borrowed(all) => return Cow::Borrowed(all),
                Cow::Owned(some) => found.extend_from_slice(&some),
            }
        }
        Cow::Owned(ascending(found))
    }

    /// Whether a content rule accepts a unit, by its behavior. In what was not read completely no allow rule does
    /// (invariant "seen").
    pub fn accepts(&self, unit: &Unit<'_>, rule: &PermissionRule) -> bool {
        match rule.behavior {
            Behavior::Allow => {
                self.parts.is_some_and(|parts| parts.complete) && unit.is_allowed_by(&rule.rule)
            }
            Behavior::Deny | Behavior::Ask => unit.is_seen_by(&rule.rule),
        }
    }

    /// Whether a rule that restricts accepts any form of any unit.
    fn is_seen(&self, rule: &PermissionRule) -> bool {
        let seen = |parts: &Parts<'_>| parts.units.iter().any(|unit| unit.is_seen_by(&rule.rule));
        rule.rule.is_whole_tool() || self.parts.is_some_and(seen)
    }

    /// Whether a grant alone would allow the call.
    fn is_granted_by(&self, grant: &PermissionRule) -> bool {
        let covers = |parts: &Parts<'_>| {
            let mut deciding = parts.units.iter().filter(|unit| unit.role == Role::Decides);
            parts.has_deciding && deciding.all(|unit| self.accepts(unit, grant))
        };
        grant.rule.is_whole_tool() || self.parts.is_some_and(covers)
    }

    fn mode_allows(&self, allows: ModeAllows) -> bool {
        match allows {
            ModeAllows::Bypass => self.mode == PermissionMode::BypassPermissions,
            ModeAllows::FileEdits => self.mode == PermissionMode::AcceptEdits && self.book.facts.edits_files,
            ModeAllows::PlanReads => self.mode == PermissionMode::Plan && self.book.facts.only_reads,
        }
    }

    /// A rule of the policy or a grant.
    pub fn rule(&self, at: RuleRef) -> Option<&PermissionRule> {
        match at {
            RuleRef::Rule(index) => self.entries.get(index).map(|entry| &entry.rule),
            RuleRef::Grant(place) => {
                let at = self.grants.binary_search_by_key(&place, |(own, _)| *own).ok()?;
                self.grants.get(at).map(|(_, grant)| *grant)
            }
        }
    }

    /// Whether an ask that the rules came to may be lifted in `auto` mode: nothing about the call is in doubt, and
    /// behind a whole-tool ask no content rule would deny (rules.md section 10, `effective`).
    pub fn is_liftable(&self, outcome: &Outcome) -> bool {
        let clear = self.risk.level == RiskLevel::Low && self.parts.is_none_or(|parts| parts.complete);
        let denied = || {
            let mut rules = self.book.content.iter().filter_map(|index| self.rule(RuleRef::Rule(*index)));
            rules.any(|rule| rule.behavior == Behavior::Deny && self.is_seen(rule))
        };
        outcome.kind == Kind::Ask && clear && !(outcome.stage == Stage::ToolAsk && denied())
    }
}

/// What a call that a whole-tool ask rule spares gets.
fn exempted(rule: usize) -> Outcome {
    Outcome::of(Kind::Allow, Stage::ToolAsk).by(RuleRef::Rule(rule))
}

/// What a rule that decides comes to, with its reason (rules.md section 12).
fn ruled(rule: &PermissionRule, stage: Stage) -> Outcome {
    let outcome = Outcome::of(rule.behavior.into(), stage);
    Outcome { reason: Saying::of(outcome.kind, stage).map(Reason::OfRule), ..outcome }
}
