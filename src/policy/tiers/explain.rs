//! Why a call was decided as it was (rules.md section 13, claude-code.md section 16).
//!
//! Every rule is tried by the functions that the decision tries it with, on the same evaluation.

use super::cover::accepts_forms;
use super::place::Place;
use super::rule::{Candidate, Test};
use super::subject::Subject;
use super::{Evaluation, Verdict};
use crate::order::Gather as _;
use crate::policy::Decision;
use crate::policy::explain::{Explanation, Passage, RuleNote, StageNote, Told};
use crate::rule::glob::Reach;
use crate::span::Span;
use crate::vocabulary::{Behavior, Kind, PermissionMode, RuleList, Stage};

/// The stages in the order in which they are gone through; a stage that is reached last stands last.
const ORDER: [Stage; 9] = [
    Stage::BypassImmune,
    Stage::ToolDeny,
    Stage::ContentRule,
    Stage::ToolAsk,
    Stage::Risk,
    Stage::Mode,
    Stage::PlanWrap,
    Stage::ToolAllow,
    Stage::NoMatch,
];

/// The rules in the order in which they are told: of which list, and whether those for the whole tool.
const RULE_ORDER: [(RuleList, Option<bool>); 7] = [
    (RuleList::BypassImmune, None),
    (RuleList::Deny, Some(true)),
    (RuleList::Ask, Some(true)),
    (RuleList::Deny, Some(false)),
    (RuleList::Ask, Some(false)),
    (RuleList::Allow, Some(false)),
    (RuleList::Allow, Some(true)),
];

/// Explains the verdict of an evaluation.
pub(in crate::policy) fn explain<'e>(
    evaluation: &'e Evaluation<'e>,
    verdict: &Verdict,
    decision: Decision,
    told: Told,
) -> Explanation<'e> {
    let mut stages = vec![];
    if told == Told::All {
        stages = Stage::ALL.iter().map(|stage| stage_note(*stage, evaluation, verdict)).gather();
    }
    let mut rules = vec![];
    for (list, whole) in RULE_ORDER {
        for candidate in evaluation.candidates.iter().filter(|candidate| candidate.list == list) {
            let is_whole = matches!(candidate.compiled.test, Test::Whole);
            if whole.is_none_or(|whole| whole == is_whole)
                && let Some(note) = evaluation.note(candidate, verdict, told)
            {
                rules.push(note);
            }
        }
    }
    let reading = match &evaluation.subject {
        Subject::Line(line) => Some(line.reading),
        _ => None,
    };
    Explanation { decision, subject: evaluation.text, reading, stages, rules }
}

fn place(stage: Stage) -> usize {
    ORDER.iter().position(|own| *own == stage).unwrap_or(0)
}

/// How far the steps went.
fn reached(verdict: &Verdict) -> usize {
    let outcome = &verdict.outcome;
    // Rules that allow are looked at when everything else has passed.
    let last = outcome.kind == Kind::Allow && matches!(outcome.stage, Stage::ContentRule | Stage::ToolAllow);
    if last { ORDER.len() } else { place(outcome.stage) }
}

fn stage_note(stage: Stage, evaluation: &Evaluation<'_>, verdict: &Verdict) -> StageNote {
    let applies = stage != Stage::PlanWrap || evaluation.mode == PermissionMode::Plan;
    let passage = if verdict.outcome.stage == stage {
        Passage::Decided
    } else if applies && place(stage) < reached(verdict) && stage != Stage::NoMatch {
        Passage::Passed
    } else {
        Passage::Skipped
    };
    let mut said = StageNote::of(stage, passage);
    if (stage, passage) == (Stage::NoMatch, Passage::Decided) {
        said.note = match verdict.outcome.kind {
            Kind::Allow => "The call needs no approval.",
            _ => "No rule covers all of the call.",
        };
    }
    said
}

impl Evaluation<'_> {
    fn note<'e>(&'e self, candidate: &Candidate<'e>, verdict: &Verdict, told: Told) -> Option<RuleNote<'e>> {
        let outcome = &verdict.outcome;
        let spans = self.spans(candidate);
        let settled = outcome.kind == Kind::Allow && outcome.settled_by.contains(&candidate.at);
        let decided = outcome.rule == Some(candidate.at) || settled;
        let matched = !spans.is_empty();
        let told_of = told == Told::All && (candidate.own || self.is_about_file(candidate));
        if !told_of && !matched && !decided {
            return None;
        }
        let (mut why, mut agreement) = (None, 0);
        if told == Told::All {
            why = match (matched, decided) {
                (_, true) => None,
                (true, false) => Some(undecided(candidate, verdict)),
                (false, false) => Some(self.missed(candidate)),
            };
            let content = candidate.rule.rule.content.as_deref().unwrap_or_default();
            agreement = if matched { content.len() } else { self.agreement(candidate) };
        }
        Some(RuleNote {
            at: candidate.at,
            list: candidate.list,
            rule: candidate.rule,
            matched,
            decided,
            why,
            subject_spans: spans,
            agreement,
        })
    }

    /// The parts of the subject that a rule accepts; none for a rule that accepts nothing.
    fn spans(&self, candidate: &Candidate<'_>) -> Vec<Span> {
        let whole = || vec![Span::of(self.text.unwrap_or_default())];
        if candidate.list.behavior() != Behavior::Allow {
            return if self.holds_whole(candidate) {
                whole()
            } else {
                self.met(candidate).unwrap_or_default()
            };
        }
        if !self.allows().any(|allow| allow.at == candidate.at) {
            return vec![];
        }
        if self.is_whole(candidate) {
            return whole();
        }
        let Subject::Line(line) = &self.subject else {
            return if self.accepts(candidate) { whole() } else { vec![] };
        };
        let mut spans = vec![];
        for (run, sight) in line.runs.iter().zip(&self.sights).filter(|(run, _)| run.for_allow) {
            if candidate.own && accepts_forms(candidate, &sight.allowed) {
                spans.push(self.span_of(run));
            }
            for file in line.redirected(run) {
                if file.writes && self.covers_target(candidate, line, run, &file) {
                    spans.push(file.span);
                }
            }
        }
        spans
    }

    /// How many bytes of a content have a counterpart in the call.
    fn agreement(&self, candidate: &Candidate<'_>) -> usize {
        let rule = &candidate.rule.rule;
        match &self.subject {
            Subject::Line(_) if candidate.own => {
                let forms = self.sights.iter().flat_map(|sight| &sight.forms);
                forms.map(|form| rule.agreement(form)).max().unwrap_or(0)
            }
            Subject::Name(text) | Subject::Foreign(text) => rule.agreement(text),
            _ => 0,
        }
    }

    /// Why a rule accepts nothing of the call; the first that applies.
    fn missed(&self, candidate: &Candidate<'_>) -> &'static str {
        let compiled = candidate.compiled;
        let allows = candidate.list.behavior() == Behavior::Allow;
        if let Some(parameter) = &compiled.parameter {
            let given = self.call.arguments.and_then(|arguments| arguments.get(&parameter.name)).is_some();
            if matches!(compiled.test, Test::Nothing) {
                return if given { "parameter-differs" } else { "parameter-absent" };
            }
        }
        if matches!(compiled.test, Test::Nothing) {
            return "never-consulted";
        }
        if allows && self.mode == PermissionMode::Auto && compiled.broad {
            return "suspended-in-auto";
        }
        match (&compiled.test, &self.subject) {
            (_, Subject::Nothing) => "no-subject",
            (_, Subject::Line(line)) if allows && !line.reading.is_complete() => "incomplete-reading",
            (Test::Command(pattern), Subject::Line(line)) => {
                let barred = || {
                    let runs = line.runs.iter().zip(&self.sights).enumerate();
                    let mut roots = runs.filter(|(_, (run, _))| run.is_root() && run.for_allow);
                    roots.find_map(|(at, (run, own))| {
                        let behind = line.runs.iter().zip(&self.sights).filter(|(other, _)| other.root == at);
                        let mut texts = behind.flat_map(|(_, sight)| &sight.forms);
                        let accepts = texts.any(|text| pattern.allows(text));
                        let wrapped = accepts && !pattern.allows(&line.text(run.words));
                        own.allowed.why.or(wrapped.then_some("wrapper-not-looked-past")).filter(|_| accepts)
                    })
                };
                if let Some(why) = allows.then(barred).flatten() {
                    return why;
                }
                let forms = self.sights.iter().flat_map(|sight| sight.forms.iter().map(String::as_str));
                command_differs(pattern.is_exact(), candidate, forms)
            }
            (Test::Command(pattern), Subject::Name(text) | Subject::Foreign(text)) => {
                command_differs(pattern.is_exact(), candidate, core::iter::once(*text))
            }
            (
                Test::Path(pattern) | Test::Directory(pattern),
                Subject::File(file) | Subject::Directory(file),
            ) => {
                let accepts =
                    |place: &Place| pattern.allows(place, self.ground, candidate.origin, Reach::Whole);
                let first = file.certain.iter().flatten().next();
                if allows && file.resolved && first.is_some_and(accepts) {
                    "target-differs"
                } else if file.seen.iter().any(|place| pattern.meets_somewhere(place)) {
                    "other-anchor"
                } else {
                    "glob-differs"
                }
            }
            (Test::Path(_) | Test::Directory(_), _) => "glob-differs",
            (Test::Domain(domain), Subject::Host(host)) => {
                let apex = domain.hostname().strip_prefix("*.");
                if apex.is_some() && apex == host.as_deref() { "apex-not-covered" } else { "other-host" }
            }
            (Test::Name(_), _) => "exact-differs",
            _ => "never-consulted",
        }
    }

    /// Whether an allow rule covers the file that a redirect writes.
    fn covers_target(
        &self,
        candidate: &Candidate<'_>,
        line: &super::line::Line<'_>,
        run: &super::line::Run<'_>,
        file: &super::files::FileUse,
    ) -> bool {
        let complete = line.reading.is_complete();
        line.coverable(file, run, self.ground)
            .is_some_and(|places| self.covers_places(candidate, complete, &places))
    }
}

/// How a command pattern differs from every text.
fn command_differs<'t>(
    exact: bool,
    candidate: &Candidate<'_>,
    texts: impl Iterator<Item = &'t str>,
) -> &'static str {
    if exact {
        return "exact-differs";
    }
    let content = candidate.rule.rule.content.as_deref().unwrap_or_default();
    let head = content.strip_suffix(":*").or_else(|| content.strip_suffix(" *"));
    let mut texts = texts;
    let cut = head
        .filter(|head| !head.contains(['*']))
        .is_some_and(|head| texts.any(|text| text.starts_with(head)));
    if cut { "word-boundary" } else { "prefix-differs" }
}

/// Why a rule that matched did not decide; the first that applies.
fn undecided(candidate: &Candidate<'_>, verdict: &Verdict) -> &'static str {
    let outcome = &verdict.outcome;
    let whole = matches!(candidate.compiled.test, Test::Whole);
    if candidate.list.behavior() != Behavior::Allow {
        let own = match (candidate.list, whole) {
            (RuleList::BypassImmune, _) => Stage::BypassImmune,
            (RuleList::Deny, true) => Stage::ToolDeny,
            (RuleList::Ask, true) => Stage::ToolAsk,
            _ => Stage::ContentRule,
        };
        return if own == outcome.stage { "earlier-rule" } else { "earlier-stage" };
    }
    if outcome.stage == Stage::PlanWrap && !verdict.parts.is_empty() {
        return "tightened";
    }
    if verdict.parts.is_empty() {
        let one_of_several = outcome.stage == Stage::ContentRule;
        return if one_of_several { "stricter-segment" } else { "earlier-stage" };
    }
    match verdict.parts.iter().find(|part| part.cover.is_none()) {
        Some(part) if part.target => "target-uncovered",
        Some(_) => "segment-uncovered",
        None => "earlier-rule",
    }
}
