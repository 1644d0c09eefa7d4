//! Whether a rule that denies or asks meets any part of a call (claude-code.md sections 5, 7 and 8).

use super::Evaluation;
use super::files::FileUse;
use super::forms::AllowForms;
use super::line::Run;
use super::place::Place;
use super::rule::{Candidate, CommandPattern, Test};
use super::subject::Subject;
use crate::dialect::tiers::CallKind;
use crate::json::Json;
use crate::rule::glob::Reach;
use crate::span::Span;
use crate::text;
use crate::vocabulary::Behavior;

/// The texts and files of a run, made once for all rules.
#[derive(Debug)]
pub(super) struct Sight {
    pub(super) forms: Vec<String>,
    /// What allow rules are tried on, of a root in what was read completely.
    pub(super) allowed: AllowForms,
    pub(super) files: Vec<(FileUse, Vec<Place>)>,
}

impl Evaluation<'_> {
    /// Whether the rule answers for the whole tool.
    pub(super) fn is_whole(&self, candidate: &Candidate<'_>) -> bool {
        candidate.own && matches!(candidate.compiled.test, Test::Whole)
    }

    /// Whether a rule that restricts holds for the whole call: of its tool, or of the one that its redirects stand for.
    pub(super) fn holds_whole(&self, candidate: &Candidate<'_>) -> bool {
        let redirects =
            |sight: &Sight| sight.files.iter().any(|(file, _)| file.redirect && touches(file, candidate));
        self.is_whole(candidate) || (self.is_of_files(candidate) && self.sights.iter().any(redirects))
    }

    /// Whether it is a rule about every file, for a line.
    pub(super) fn is_of_files(&self, candidate: &Candidate<'_>) -> bool {
        candidate.compiled.of_files
            && matches!(candidate.compiled.test, Test::Whole)
            && matches!(self.subject, Subject::Line(_))
    }

    /// The parts of the subject that a rule with content meets; none where it meets nothing.
    pub(super) fn met(&self, candidate: &Candidate<'_>) -> Option<Vec<Span>> {
        let whole = || Some(vec![Span::of(self.text.unwrap_or_default())]);
        let compiled = candidate.compiled;
        if candidate.own && compiled.parameter.as_ref().is_some_and(|parameter| self.has_argument(parameter))
        {
            return whole();
        }
        match (&compiled.test, &self.subject) {
            (Test::Command(pattern), Subject::Line(line)) if candidate.own => {
                let spans = self.runs_where(&|sight| sight.forms.iter().any(|form| pattern.restricts(form)));
                if spans.is_some() {
                    return spans;
                }
                let raw = line.reading.line();
                let unread = !line.reading.is_complete();
                (unread && (pattern.restricts(raw) || pattern.restricts(text::trim(raw))))
                    .then(whole)
                    .flatten()
            }
            (Test::Command(_), Subject::Foreign(text)) if candidate.own => {
                let content = candidate.rule.rule.content.as_deref().unwrap_or_default();
                let pattern = CommandPattern::folded(content);
                let folded = text.to_ascii_lowercase();
                let mut pieces = folded.split([';', '|', '&', '\n']);
                let met =
                    pattern.restricts(&folded) || pieces.any(|piece| pattern.restricts(text::trim(piece)));
                met.then(whole).flatten()
            }
            (Test::Command(pattern), Subject::Name(name)) if candidate.own => {
                pattern.restricts(name).then(whole).flatten()
            }
            (Test::Path(pattern), Subject::File(file)) if self.is_about_file(candidate) => {
                let meets =
                    |place: &Place| pattern.restricts(place, self.ground, candidate.origin, Reach::Below);
                file.seen.iter().any(meets).then(whole).flatten()
            }
            (Test::Path(pattern), Subject::Line(_)) => {
                let meets =
                    |place: &Place| pattern.restricts(place, self.ground, candidate.origin, Reach::Below);
                self.runs_where(&|sight| {
                    sight
                        .files
                        .iter()
                        .any(|(file, places)| touches(file, candidate) && places.iter().any(meets))
                })
            }
            (Test::Directory(pattern), Subject::Directory(file)) if candidate.own => {
                let meets =
                    |place: &Place| pattern.restricts(place, self.ground, candidate.origin, Reach::WithRoot);
                file.seen.iter().any(meets).then(whole).flatten()
            }
            (Test::Domain(domain), Subject::Host(Some(host))) if candidate.own => {
                domain.accepts(host).then(whole).flatten()
            }
            (Test::Name(own), Subject::Name(name)) if candidate.own => (own == name).then(whole).flatten(),
            _ => None,
        }
    }

    /// The runs of a line that pass; none where none does.
    fn runs_where(&self, test: &dyn Fn(&Sight) -> bool) -> Option<Vec<Span>> {
        let Subject::Line(line) = &self.subject else { return None };
        let mut spans = vec![];
        for (run, sight) in line.runs.iter().zip(&self.sights) {
            if test(sight) {
                spans.push(self.span_of(run));
            }
        }
        (!spans.is_empty()).then_some(spans)
    }

    /// Whether a path rule is about the file of the call: of its own tool, or one that denies reading.
    pub(super) fn is_about_file(&self, candidate: &Candidate<'_>) -> bool {
        let read_denied = self.tool.row.read_denied
            && candidate.compiled.kind == CallKind::Read
            && candidate.list.behavior() == Behavior::Deny;
        candidate.own || read_denied
    }

    /// Whether an argument of the call is accepted as it is written.
    fn has_argument(&self, parameter: &crate::rule::Parameter) -> bool {
        let value = self.call.arguments.and_then(|arguments| arguments.get(&parameter.name));
        match value {
            Some(Json::Text(text)) => parameter.accepts(text),
            Some(value @ (Json::Number(_) | Json::Bool(_))) => parameter.accepts(&value.text()),
            _ => false,
        }
    }

    pub(super) fn span_of(&self, run: &Run<'_>) -> Span {
        let Subject::Line(line) = &self.subject else { return Span::default() };
        line.reading.commands().get(run.command).map(|command| command.span).unwrap_or_default()
    }
}

/// Whether a use of a file is what a rule is about: writing for one about edits; reading for others, and for those
/// that deny writing, too.
fn touches(file: &FileUse, candidate: &Candidate<'_>) -> bool {
    match candidate.compiled.kind {
        CallKind::Edit => file.writes,
        _ => file.reads || (file.writes && candidate.list.behavior() == Behavior::Deny),
    }
}
