//! A decision with everything that led to it, told out of the trace of its run (rules.md section 13).
//!
//! Listed are the rules that answer for the tool, and those that deny or ask for an operation of the line. Each is tried
//! with the functions that the run tries it with.

use super::super::explain::{Passage, RuleNote, StageNote, notes};
use super::super::index::Book;
use super::rules::{Rules, Settled, Tried};
use super::settle::tried_operation;
use super::{Explanation, Run, Trace};
use crate::dialect::ContentKind;
use crate::policy::{Decision, RuleRef};
use crate::rule::{Matcher, PermissionRule};
use crate::span::Span;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleList, Stage};

pub(super) fn explain<'t>(
    run: &'t Run<'_>,
    rules: &'t Rules<'t>,
    trace: &'t Trace<'t>,
    decision: Decision,
) -> Explanation<'t> {
    let stages = Stage::ALL.iter().map(|stage| stage_note(*stage, run, trace)).collect();
    let own = ranks(&run.book(run.call.tool));
    let mut listed: Vec<usize> = own.clone();
    for operation in &trace.operations.list {
        let restricting = ranks(&run.book(operation.tool)).into_iter().filter(|rank| {
            run.config.entries.get(*rank).is_some_and(|entry| entry.rule.behavior != Behavior::Allow)
        });
        listed.extend(restricting);
    }
    let mut listed = crate::order::sort(listed, usize::cmp);
    listed.dedup();
    let grants = rules.grants.iter().map(|(place, grant)| (RuleRef::Grant(*place), RuleList::Allow, *grant));
    let ruled = listed.iter().filter_map(|rank| {
        let entry = run.config.entries.get(*rank)?;
        Some((RuleRef::Rule(*rank), entry.list, &entry.rule))
    });
    let notes = ruled.chain(grants).map(|(at, list, rule)| {
        let answers = match at {
            RuleRef::Rule(rank) => own.contains(&rank),
            RuleRef::Grant(_) => true,
        };
        rule_note(run, rules, trace, at, list, rule, answers)
    });
    Explanation {
        subject: trace.subject.as_deref(),
        reading: trace.reading.as_ref(),
        stages,
        rules: notes.collect(),
        decision,
    }
}

/// Every rule of a book, in consult order.
fn ranks(book: &Book) -> Vec<usize> {
    let all = [&book.bypass_immune, &book.whole_deny, &book.whole_ask, &book.whole_allow, &book.content];
    all.into_iter().flatten().copied().collect()
}

fn rule_note<'t>(
    run: &'t Run<'_>,
    rules: &Rules<'_>,
    trace: &Trace<'_>,
    at: RuleRef,
    list: RuleList,
    rule: &'t PermissionRule,
    answers: bool,
) -> RuleNote<'t> {
    let subject = trace.subject.as_deref().map(Span::of).unwrap_or(Span::new(0, 0));
    let mut subject_spans: Vec<Span> = vec![];
    let mut matched = false;
    if answers && trace.kind != ContentKind::Command {
        matched = rules.accepts(rule, &run.tried(trace));
        subject_spans.extend(matched.then_some(subject).filter(|_| trace.subject.is_some()));
    }
    if answers {
        for segment in &trace.segments {
            let unread = trace.reading.as_ref().is_some_and(|reading| !reading.is_complete());
            let tried = Tried {
                line: Some(&segment.text),
                arguments: run.call.arguments,
                unread,
                ..Tried::default()
            };
            if rules.accepts(rule, &tried) {
                matched = true;
                subject_spans.push(segment.span);
            }
        }
    }
    if rule.behavior != Behavior::Allow {
        for operation in &trace.operations.list {
            let of_tool = match at {
                RuleRef::Rule(rank) => ranks(&run.book(operation.tool)).contains(&rank),
                RuleRef::Grant(_) => false,
            };
            if of_tool && rules.accepts(rule, &tried_operation(operation)) {
                matched = true;
                subject_spans.push(operation.span);
            }
        }
    }
    subject_spans.dedup();
    let settles = |settled: &Settled| settled.rule == Some(at);
    let settled_one = trace.segments.iter().any(|segment| settles(&segment.settled));
    let decided = trace.settled.rule == Some(at)
        || (trace.settled.kind == Kind::Allow && trace.settled.rule.is_some() && settled_one);
    let why = match (matched, decided) {
        (true, true) => None,
        (true, false) => Some(undecided(trace, at, rule, settled_one)),
        (false, _) => Some(missed(rules, trace, rule)),
    };
    let agreement = if matched { rule.rule.content.as_deref().map_or(0, str::len) } else { 0 };
    RuleNote { at, list, rule, matched, decided, why, subject_spans, agreement }
}

fn undecided(trace: &Trace<'_>, at: RuleRef, rule: &PermissionRule, settled_one: bool) -> &'static str {
    if trace.ruled.rule == Some(at) {
        return "tightened";
    }
    if rule.behavior == Behavior::Allow && settled_one {
        let uncovered = trace
            .segments
            .iter()
            .any(|segment| segment.settled.rule.is_none() && segment.settled.kind == Kind::Ask);
        return if uncovered && trace.ruled.rule.is_none() {
            "segment-uncovered"
        } else {
            "stricter-segment"
        };
    }
    "earlier-rule"
}

/// Why a rule accepts nothing; the first that applies.
fn missed(rules: &Rules<'_>, trace: &Trace<'_>, rule: &PermissionRule) -> &'static str {
    let unread = trace.reading.as_ref().is_some_and(|reading| !reading.is_complete());
    if trace.subject.is_none()
        && rule.rule.parameters.is_empty()
        && !matches!(rule.rule.matcher, Some(Matcher::Parameter(_)))
    {
        return "no-subject";
    }
    if unread && rule.behavior == Behavior::Allow {
        let accepted = trace
            .segments
            .iter()
            .any(|segment| rules.accepts(rule, &Tried { line: Some(&segment.text), ..Tried::default() }));
        if accepted {
            return "incomplete-reading";
        }
    }
    match &rule.rule.matcher {
        Some(Matcher::Domain(_)) => "other-host",
        Some(Matcher::Parameter(_)) => "parameter-differs",
        Some(Matcher::Wildcard(_) | Matcher::Path(..)) => "literal-differs",
        Some(Matcher::Exact(_)) if !rule.rule.parameters.is_empty() => "parameter-differs",
        Some(Matcher::Exact(_)) => "exact-differs",
        Some(Matcher::Prefix(_)) | None => "prefix-differs",
    }
}

fn stage_note(stage: Stage, run: &Run<'_>, trace: &Trace<'_>) -> StageNote {
    let (settled, ruled) = (trace.settled.stage, trace.ruled.stage);
    let applies = match stage {
        Stage::Risk => run.mode == PermissionMode::Auto,
        Stage::PlanWrap => run.mode == PermissionMode::Plan,
        Stage::Mode => run.mode != PermissionMode::Default,
        Stage::NoMatch => ruled == Stage::NoMatch,
        _ => trace.ruled.rule.is_none() || stage.index() <= ruled.index(),
    };
    let passage = match (settled == stage, applies) {
        (true, _) => Passage::Decided,
        (false, true) => Passage::Passed,
        (false, false) => Passage::Skipped,
    };
    let (decided, passed, skipped) = notes(stage);
    let note = match passage {
        Passage::Decided => decided,
        Passage::Passed => passed,
        Passage::Skipped => skipped,
    };
    StageNote { stage, passage, note }
}
