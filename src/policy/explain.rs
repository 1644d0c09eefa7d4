//! A decision with everything that led to it (rules.md section 13).
//!
//! The explanation is made of the very run that decided: its stages are those of the outcome, and every rule is tried
//! with the functions that the run tries it with. So it cannot say otherwise than the decision does.

use std::borrow::Cow;

use super::{Decision, why};
use crate::dialect::Step;
use crate::engine::decide::{Evaluation, Outcome, RuleRef};
use crate::engine::subject::{Role, Unit};
use crate::order::Grow as _;
use crate::rule::PermissionRule;
use crate::shell::Reading;
use crate::span::Span;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleList, Stage};

/// A decision, what was read of the call, every stage and every rule that answers for the tool.
#[derive(Debug)]
pub struct Explanation<'e> {
    /// What `decide` gives.
    pub decision: Decision,
    /// The text that the call is matched by.
    pub subject: Option<&'e str>,
    /// What the line runs, for a shell call.
    pub reading: Option<&'e Reading<'e>>,
    /// All nine stages, in table order.
    pub stages: Vec<StageNote>,
    /// In the order in which they are consulted.
    pub rules: Vec<RuleNote<'e>>,
}

/// What became of a call at one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageNote {
    /// Which stage.
    pub stage: Stage,
    /// Whether it made the decision.
    pub passage: Passage,
    /// One sentence.
    pub note: &'static str,
}

impl StageNote {
    /// What every engine says of a stage.
    pub(super) fn of(stage: Stage, passage: Passage) -> Self {
        let (decided, passed, skipped) = notes(stage);
        let note = match passage {
            Passage::Decided => decided,
            Passage::Passed => passed,
            Passage::Skipped => skipped,
        };
        Self { stage, passage, note }
    }
}

/// What a stage did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It made the final result.
    Decided,
    /// It was consulted, and did not make the final result.
    Passed,
    /// It was not reached, does not apply, or is switched off.
    Skipped,
}

impl Passage {
    /// The spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::Passed => "passed",
            Self::Skipped => "skipped",
        }
    }
}

/// What one rule had to do with a decision.
#[derive(Clone, Debug)]
pub struct RuleNote<'e> {
    /// Which rule.
    pub at: RuleRef,
    /// The list that it stands in.
    pub list: RuleList,
    /// The rule.
    pub rule: &'e PermissionRule,
    /// It accepts at least one unit.
    pub matched: bool,
    /// It decided the call, or settled one of its commands.
    pub decided: bool,
    /// Why it did not match, or why it did not decide.
    pub why: Option<&'static str>,
    /// The parts of the subject that it accepts.
    pub subject_spans: Vec<Span>,
    /// How many bytes of its content have a counterpart in the subject; all where it matched.
    pub agreement: usize,
}

/// How much is told of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Everything.
    All,
    /// Of the rules those that matched or decided, and no more of them than that; no stages.
    Matches,
}

/// Explains an outcome of `evaluation`.
pub(super) fn explain<'e>(
    evaluation: &'e Evaluation<'e>,
    outcome: &Outcome,
    decision: Decision,
    reading: Option<&'e Reading<'e>>,
    steps: &[Step],
    classifier: bool,
    told: Told,
) -> Explanation<'e> {
    let mut stages = vec![];
    let book = evaluation.book;
    let content = match told {
        Told::All => {
            for stage in Stage::ALL {
                stages.push(stage_note(*stage, evaluation, outcome, steps, classifier));
            }
            Cow::Borrowed(book.content.as_slice())
        }
        Told::Matches => evaluation.candidates(),
    };
    let mut rules = vec![];
    let mut note = |at: RuleRef| {
        if let Some(note) = rule_note(at, evaluation, outcome, told) {
            rules.push(note);
        }
    };
    let before_grants: [&[usize]; 5] =
        [&book.bypass_immune, &book.inert, &book.whole_deny, &book.whole_ask, &content];
    for (lists, whole) in [(before_grants.as_slice(), false), (&[book.whole_allow.as_slice()], true)] {
        for list in lists {
            for index in list.iter() {
                note(RuleRef::Rule(*index));
            }
        }
        for (place, grant) in evaluation.grants {
            if grant.rule.is_whole_tool() == whole {
                note(RuleRef::Grant(*place));
            }
        }
    }
    Explanation { decision, subject: evaluation.text, reading, stages, rules }
}

fn rule_note<'e>(
    at: RuleRef,
    evaluation: &'e Evaluation<'e>,
    outcome: &Outcome,
    told: Told,
) -> Option<RuleNote<'e>> {
    let rule = evaluation.rule(at)?;
    let list = match at {
        RuleRef::Rule(index) => evaluation.entries.get(index)?.list,
        RuleRef::Grant(_) => RuleList::Allow,
    };
    let consulted = match at {
        RuleRef::Rule(index) => !evaluation.book.inert.contains(&index),
        RuleRef::Grant(_) => evaluation.grants_settle || outcome.stage == Stage::Risk,
    };
    let whole = rule.rule.is_whole_tool();
    let units: &[Unit<'_>] = evaluation.parts.map(|parts| parts.units.as_slice()).unwrap_or_default();
    let mut subject_spans: Vec<Span> = vec![];
    if consulted && whole {
        subject_spans.grow(evaluation.text.map(Span::of));
    } else if consulted {
        for unit in units {
            let counts = rule.behavior != Behavior::Allow || unit.role == Role::Decides;
            // A line of one command is that command.
            if counts && subject_spans.last() != Some(&unit.span) && evaluation.accepts(unit, rule) {
                subject_spans.push(unit.span);
            }
        }
    }
    let matched = consulted && (whole || !subject_spans.is_empty());
    let settled = outcome.kind == Kind::Allow
        && outcome.stage == Stage::ContentRule
        && outcome.settled_by.contains(&at);
    let decided = outcome.rule == Some(at) || settled;
    if told == Told::Matches {
        let note = RuleNote { at, list, rule, matched, decided, why: None, subject_spans, agreement: 0 };
        return (matched || decided).then_some(note);
    }
    let why = match (matched, decided) {
        (true, true) => None,
        (true, false) => Some(undecided(at, rule, list, evaluation, outcome)),
        (false, _) if !consulted => Some("never-consulted"),
        (false, _) => Some(why::missed(rule, evaluation)),
    };
    let mut agreement = 0;
    if matched {
        agreement = rule.rule.content.as_deref().unwrap_or_default().len();
    } else {
        for unit in units {
            for form in unit.seen.iter() {
                agreement = agreement.max(rule.rule.agreement(form));
            }
        }
    }
    Some(RuleNote { at, list, rule, matched, decided, why, subject_spans, agreement })
}

/// Why a rule that matched did not decide; the first that applies.
fn undecided(
    at: RuleRef,
    rule: &PermissionRule,
    list: RuleList,
    evaluation: &Evaluation<'_>,
    outcome: &Outcome,
) -> &'static str {
    let tightened = outcome.settled_at != Some(outcome.stage);
    if tightened && outcome.settled_by.contains(&at) {
        return "tightened";
    }
    if let Some(settled_at) = outcome.settled_at
        && settled_at.index() < stage_of(rule, list).index()
    {
        return "earlier-stage";
    }
    let units = || evaluation.parts.map(|parts| parts.units.as_slice()).unwrap_or_default();
    if rule.behavior == Behavior::Allow && !rule.rule.is_whole_tool() {
        let mut deciding = units().iter().filter(|unit| unit.role == Role::Decides);
        let settled_here = units().iter().any(|unit| evaluation.settle(unit) == Some(at));
        if matches!(outcome.settled_at, None | Some(Stage::NoMatch))
            && deciding.any(|unit| evaluation.settle(unit).is_none())
        {
            return "segment-uncovered";
        }
        if settled_here {
            return "stricter-segment";
        }
    }
    "earlier-rule"
}

/// The stage at which a rule is consulted.
fn stage_of(rule: &PermissionRule, list: RuleList) -> Stage {
    match (list, rule.behavior) {
        (RuleList::BypassImmune, _) => Stage::BypassImmune,
        _ if !rule.rule.is_whole_tool() => Stage::ContentRule,
        (_, Behavior::Deny) => Stage::ToolDeny,
        (_, Behavior::Ask) => Stage::ToolAsk,
        (_, Behavior::Allow) => Stage::ToolAllow,
    }
}

fn stage_note(
    stage: Stage,
    evaluation: &Evaluation<'_>,
    outcome: &Outcome,
    steps: &[Step],
    classifier: bool,
) -> StageNote {
    let passage = if outcome.stage == stage {
        Passage::Decided
    } else if was_consulted(stage, evaluation, outcome, steps, classifier) {
        Passage::Passed
    } else {
        Passage::Skipped
    };
    StageNote::of(stage, passage)
}

/// Whether a stage that did not make the final result was asked: it stands in the pipeline, it applies, and nothing
/// before it settled the call.
fn was_consulted(
    stage: Stage,
    evaluation: &Evaluation<'_>,
    outcome: &Outcome,
    steps: &[Step],
    classifier: bool,
) -> bool {
    let place = |wanted: Stage| steps.iter().position(|step| stage_of_step(step) == Some(wanted));
    let applies = match stage {
        Stage::Risk => classifier,
        Stage::PlanWrap => evaluation.mode == PermissionMode::Plan && !outcome.is_answer,
        _ => true,
    };
    // What comes after every rule is asked unless risk or an entry for every mode has ended the call before them.
    let ended_early = matches!(outcome.settled_at, Some(Stage::BypassImmune | Stage::Risk))
        && outcome.settled_at == Some(outcome.stage);
    let reached = match (stage, outcome.settled_at) {
        (Stage::PlanWrap, _) => !ended_early,
        (Stage::NoMatch, settled_at) => settled_at.is_none_or(|at| at == Stage::NoMatch),
        (_, None | Some(Stage::NoMatch)) => true,
        (Stage::ContentRule, Some(Stage::ToolAsk)) => outcome.kind == Kind::Allow,
        (_, Some(settled_at)) => match (place(stage), place(settled_at)) {
            (Some(own), Some(settled)) => own < settled || (own == settled && settled_at != outcome.stage),
            _ => false,
        },
    };
    applies && reached
}

/// The stage of a step; of a stage with several steps the first one counts.
fn stage_of_step(step: &Step) -> Option<Stage> {
    Some(match step {
        Step::BypassImmune(_) | Step::LateBypassImmune(_) => Stage::BypassImmune,
        Step::RiskHigh | Step::RiskAnswers | Step::RiskFloor => Stage::Risk,
        Step::ToolDeny => Stage::ToolDeny,
        Step::ToolAsk(_) => Stage::ToolAsk,
        Step::Content => Stage::ContentRule,
        Step::Mode(_) => Stage::Mode,
        Step::ToolAllow => Stage::ToolAllow,
        Step::PlanWrap { .. } => Stage::PlanWrap,
        Step::ExemptAllow => return None,
    })
}

/// What is said of a stage that decided, passed, or was skipped.
fn notes(stage: Stage) -> (&'static str, &'static str, &'static str) {
    match stage {
        Stage::BypassImmune => (
            "A rule that holds in every mode denies the call.",
            "No rule that holds in every mode accepts the call.",
            "Rules that hold in every mode were not asked.",
        ),
        Stage::Risk => (
            "The risk assessment decided.",
            "The risk assessment left the call to the rules.",
            "Risk was not asked, or is switched off.",
        ),
        Stage::ToolDeny => (
            "A rule denies the whole tool.",
            "No rule denies the whole tool.",
            "The call was settled before rules that deny a whole tool.",
        ),
        Stage::ToolAsk => (
            "A rule asks for the whole tool.",
            "No rule asks for the whole tool.",
            "The call was settled before rules that ask for a whole tool.",
        ),
        Stage::ContentRule => (
            "Rules with content decided.",
            "Rules with content did not settle the call.",
            "The call was settled before rules with content, or has no subject.",
        ),
        Stage::Mode => (
            "The mode allows the call.",
            "The mode does not allow the call by itself.",
            "The call was settled before the mode was asked.",
        ),
        Stage::ToolAllow => (
            "A rule allows the whole tool.",
            "No rule allows the whole tool.",
            "The call was settled before rules that allow a whole tool.",
        ),
        Stage::NoMatch => (
            "Nothing decided: the host's own default applies.",
            "No rule and no mode settled the call.",
            "The call was settled before.",
        ),
        Stage::PlanWrap => (
            "Plan mode denies what is not read-only.",
            "Plan mode leaves the result as it is.",
            "Plan mode does not apply.",
        ),
    }
}
