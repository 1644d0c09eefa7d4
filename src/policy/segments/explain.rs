//! A decision with everything that led to it, told out of the trace of its run (rules.md section 13).
//!
//! Listed are the rules that answer for the tool, and those that deny or ask for an operation of the line. Each is tried
//! with the functions that the run tries it with.

use super::super::explain::{Passage, RuleNote, StageNote, Told};
use super::rules::{Rules, Tried};
use super::settle::with_operation;
use super::suspended;
use super::{Explanation, Run, Segment, Trace};
use crate::dialect::ContentKind;
use crate::engine::index::Book;
use crate::engine::subject::Seen;
use crate::order::{Gather as _, Grow as _, ascending};
use crate::path::Lexical;
use crate::policy::{Decision, RuleRef};
use crate::rule::{Matcher, PermissionRule};
use crate::span::Span;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleList, Stage};

pub(super) fn explain<'t>(
    run: &'t Run<'_>,
    rules: &'t Rules<'t>,
    trace: &'t Trace<'t>,
    decision: Decision,
    told: Told,
) -> Explanation<'t> {
    let mut stages = vec![];
    if told == Told::All {
        stages = Stage::ALL.iter().map(|stage| stage_note(*stage, run, trace)).gather();
    }
    let book = run.book(run.call.tool);
    let own = ranks(&book);
    let books = books(run, trace);
    let hits = hits(run, rules, trace, &books);
    let mut listed = vec![];
    if told == Told::Matches && trace.kind == ContentKind::Command {
        // Of the rules about a line no others match.
        for list in [&book.bypass_immune, &book.whole_deny, &book.whole_ask, &book.whole_allow] {
            listed.extend_from_slice(list);
        }
        listed.grow(hits.iter().map(|(rank, _)| *rank));
    } else {
        listed.extend_from_slice(&own);
        for (_, ranks) in &books {
            for rank in ranks {
                let entry = run.config.entries.get(*rank);
                if entry.is_some_and(|entry| entry.rule.behavior != Behavior::Allow) {
                    listed.push(*rank);
                }
            }
        }
    }
    let notes = Notes { run, rules, trace, hits: &hits, told };
    let mut noted = vec![];
    for rank in ascending(listed) {
        if let Some(entry) = run.config.entries.get(rank) {
            let answers = own.binary_search(&rank).is_ok();
            noted.grow(notes.of_rule(RuleRef::Rule(rank), entry.list, &entry.rule, answers));
        }
    }
    for (place, grant) in rules.grants {
        noted.grow(notes.of_rule(RuleRef::Grant(*place), RuleList::Allow, grant, true));
    }
    Explanation {
        subject: trace.subject.as_deref(),
        reading: trace.reading.as_ref(),
        stages,
        rules: noted,
        decision,
    }
}

/// Every rule of a book, in order.
fn ranks(book: &Book) -> Vec<usize> {
    let mut all = vec![];
    for list in [&book.bypass_immune, &book.whole_deny, &book.whole_ask, &book.whole_allow, &book.content] {
        all.extend_from_slice(list);
    }
    ascending(all)
}

/// The rules of each tool that an operation stands for.
fn books(run: &Run<'_>, trace: &Trace<'_>) -> Vec<(&'static str, Vec<usize>)> {
    let mut books: Vec<(&'static str, Vec<usize>)> = vec![];
    for operation in &trace.operations.list {
        if !books.iter().any(|(tool, _)| *tool == operation.tool) {
            books.push((operation.tool, ranks(&run.book(operation.tool))));
        }
    }
    books
}

/// Which rules accept which segments and operations of a line, by rank. The rules of a segment are found as its own
/// are in the run, so the cost does not follow their number.
fn hits(
    run: &Run<'_>,
    rules: &Rules<'_>,
    trace: &Trace<'_>,
    books: &[(&'static str, Vec<usize>)],
) -> Vec<(usize, Span)> {
    let rule = |rank: &usize| run.config.entries.get(*rank).map(|entry| &entry.rule);
    let mut hits = vec![];
    let book = run.book(run.call.tool);
    for segment in &trace.segments {
        let tried = tried_segment(run, trace, segment);
        let candidates = book.candidates(&Seen::of(&segment.text));
        for list in [candidates.as_ref(), book.bypass_immune.as_slice()] {
            for rank in list {
                if rule(rank).is_some_and(|rule| rules.accepts(rule, &tried)) {
                    hits.push((*rank, segment.span));
                }
            }
        }
    }
    for operation in &trace.operations.list {
        let own = books.iter().find(|(tool, _)| *tool == operation.tool);
        with_operation(operation, |tried| {
            for rank in own.map(|(_, ranks)| ranks.as_slice()).unwrap_or_default() {
                if rule(rank)
                    .is_some_and(|rule| rule.behavior != Behavior::Allow && rules.accepts(rule, tried))
                {
                    hits.push((*rank, operation.span));
                }
            }
        });
    }
    crate::order::sort(hits, |a, b| a.0.cmp(&b.0))
}

fn tried_segment<'t>(run: &'t Run<'_>, trace: &Trace<'_>, segment: &'t Segment) -> Tried<'t> {
    Tried { unread: trace.unread, ..run.tried_segment(&segment.text) }
}

/// What notes are made of.
struct Notes<'n> {
    run: &'n Run<'n>,
    rules: &'n Rules<'n>,
    trace: &'n Trace<'n>,
    hits: &'n [(usize, Span)],
    told: Told,
}

impl Notes<'_> {
    fn of_rule<'t>(
        &self,
        at: RuleRef,
        list: RuleList,
        rule: &'t PermissionRule,
        answers: bool,
    ) -> Option<RuleNote<'t>> {
        let Self { run, rules, trace, .. } = self;
        let suspended = run.mode == PermissionMode::Auto
            && rule.behavior == Behavior::Allow
            && suspended::is_suspended(&rule.rule, run.tables);
        let subject_spans = if suspended { None } else { self.accepted(at, rule, answers) };
        let matched = subject_spans.is_some();
        let settled_one = trace.segments.iter().any(|segment| segment.settled.rule == Some(at));
        let decided = trace.settled.rule == Some(at)
            || (trace.settled.kind == Kind::Allow && trace.settled.rule.is_some() && settled_one);
        if self.told == Told::Matches && !matched && !decided {
            return None;
        }
        let why = match (matched, decided) {
            (true, true) => None,
            (true, false) => Some(undecided(trace, at, rule, settled_one)),
            (false, _) if suspended => Some("never-consulted"),
            (false, _) => Some(missed(rules, trace, rule)),
        };
        let agreement = if matched { rule.rule.content.as_deref().map_or(0, str::len) } else { 0 };
        let subject_spans = subject_spans.unwrap_or_default();
        Some(RuleNote { at, list, rule, matched, decided, why, subject_spans, agreement })
    }

    /// The parts of the subject that a rule accepts; none where it accepts nothing.
    fn accepted(&self, at: RuleRef, rule: &PermissionRule, answers: bool) -> Option<Vec<Span>> {
        let Self { run, rules, trace, .. } = self;
        let whole: Vec<Span> = trace.subject.as_deref().map(Span::of).into_iter().gather();
        if answers && rule.rule.is_whole_tool() {
            return Some(whole);
        }
        if answers && trace.kind != ContentKind::Command {
            let path = trace.path.as_deref().map(Lexical::read);
            let real_path = trace.real_path.as_deref().map(Lexical::read);
            let accepted = rules.accepts(rule, &run.tried(trace, path.as_ref(), real_path.as_ref()));
            return accepted.then_some(whole);
        }
        let spans: Vec<Span> = match at {
            RuleRef::Rule(rank) => {
                let start = self.hits.partition_point(|(hit, _)| *hit < rank);
                let own = self.hits.iter().skip(start).take_while(|(hit, _)| *hit == rank);
                own.map(|(_, span)| *span).gather()
            }
            RuleRef::Grant(_) => {
                let accepts = |segment: &&Segment| rules.accepts(rule, &tried_segment(run, trace, segment));
                trace.segments.iter().filter(accepts).map(|segment| segment.span).gather()
            }
        };
        let mut spans = crate::order::sort(spans, Span::cmp);
        spans.dedup();
        (!spans.is_empty()).then_some(spans)
    }
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
    let unread = trace.unread;
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
    StageNote::of(stage, passage)
}
