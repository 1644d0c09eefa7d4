//! Why a rule does not accept a call: the first of a closed set of codes that applies (rules.md section 13).
//!
//! Each test asks what would have made the rule accept, so that the code names the one thing that stands in the way.

use crate::engine::decide::Evaluation;
use crate::engine::kind::SubjectKind;
use crate::engine::subject::{Allowed, PathForms, Role, Unit};
use crate::rule::{Matcher, ParsedRule, PermissionRule, Wildcard};
use crate::text::{contains, has};
use crate::vocabulary::Behavior;

/// A rule that accepts nothing of a call.
struct Miss<'m> {
    rule: &'m ParsedRule,
    allows: bool,
    units: &'m [Unit<'m>],
    /// The texts that the rule was tried on.
    tried: Vec<&'m str>,
    /// The forms of each path, where the subject is one.
    paths: Vec<&'m PathForms>,
}

/// The code of a miss.
pub(super) fn missed(rule: &PermissionRule, evaluation: &Evaluation<'_>) -> &'static str {
    let (units, complete, kind) = match evaluation.parts {
        Some(parts) => (parts.units.as_slice(), parts.complete, parts.kind),
        None => (&[][..], true, SubjectKind::Text),
    };
    let allows = rule.behavior == Behavior::Allow;
    let mut miss = Miss { rule: &rule.rule, allows, units, tried: vec![], paths: vec![] };
    for unit in units {
        miss.look_at(unit);
    }
    // In the order in which they are asked.
    if units.is_empty() {
        return "no-subject";
    }
    if allows {
        if !complete {
            return "incomplete-reading";
        }
        if miss.decides(&|unit| unit.command.is_some() && miss.accepts(&unit.seen.written)) {
            return "unknown-word";
        }
        if miss.decides(&|unit| without_assignments(unit).is_some_and(|text| miss.accepts(text))) {
            return "assignment-in-front";
        }
        // Commands that only deny and ask rules see into; the line itself is none.
        if miss.any(Role::SeenInto, &|unit| unit.command.is_some() && unit.is_seen_by(miss.rule)) {
            return "wrapper-not-looked-past";
        }
    }
    if miss.tried(&|form| one_space(form).is_some_and(|form| miss.accepts(&form))) {
        return "space-differs";
    }
    if allows {
        if miss.decides(&|unit| unit.command.is_some() && unit.is_seen_by(miss.rule)) {
            return "quoting-differs";
        }
        let climbs = miss.paths.iter().any(|path| path.climbs_out);
        let accepts_own = miss.paths.first().is_some_and(|own| miss.accepts_form(own));
        if accepts_own && miss.paths.len() > 1 && !climbs {
            return "target-differs";
        }
        if climbs && miss.paths.iter().any(|path| miss.accepts_form(path)) {
            return "climbs-out";
        }
        if miss.decides(&|unit| unit.command.is_none() && unit.is_seen_by(miss.rule)) {
            return "spelling-differs";
        }
    }
    if kind == SubjectKind::Path && miss.accepts_unanchored() {
        return "other-anchor";
    }
    if miss.accepts_in_lower_case() {
        return "case-differs";
    }
    match &rule.rule.matcher {
        Some(Matcher::Domain(_)) => "other-host",
        Some(Matcher::Wildcard(_)) => "literal-differs",
        Some(Matcher::Exact(_)) => "exact-differs",
        Some(Matcher::Path(..)) => "glob-differs",
        Some(Matcher::Parameter(_)) => "parameter-differs",
        Some(Matcher::Prefix(_)) | None => "prefix-differs",
    }
}

impl<'m> Miss<'m> {
    /// Notes what the rule was tried on of one unit.
    fn look_at(&mut self, unit: &'m Unit<'m>) {
        if self.allows && unit.role != Role::Decides {
            return;
        }
        match &unit.allowed {
            Allowed::Nothing if self.allows => {}
            Allowed::Text(text) if self.allows => self.tried.push(text),
            Allowed::Paths(paths) if self.allows => {
                for path in paths {
                    for form in &path.forms {
                        self.tried.push(form);
                    }
                    self.paths.push(path);
                }
            }
            _ => {
                for form in unit.seen.iter() {
                    self.tried.push(form);
                }
            }
        }
    }

    fn accepts(&self, text: &str) -> bool {
        self.rule.accepts(text)
    }

    fn accepts_form(&self, path: &PathForms) -> bool {
        path.forms.iter().any(|form| self.accepts(form))
    }

    fn any(&self, role: Role, test: &dyn Fn(&Unit<'_>) -> bool) -> bool {
        self.units.iter().any(|unit| unit.role == role && test(unit))
    }

    fn decides(&self, test: &dyn Fn(&Unit<'_>) -> bool) -> bool {
        self.any(Role::Decides, test)
    }

    fn tried(&self, test: &dyn Fn(&str) -> bool) -> bool {
        self.tried.iter().any(|form| test(form))
    }

    /// Whether the rule would accept without what its content is anchored by.
    fn accepts_unanchored(&self) -> bool {
        let content = self.rule.content.as_deref().unwrap_or_default();
        let anchors = ["~/", "./", "**/", "/"];
        let bare = anchors.iter().find_map(|anchor| content.strip_prefix(anchor));
        bare.filter(|bare| !bare.is_empty()).is_some_and(|bare| {
            let matcher = Matcher::of_content(bare);
            self.tried(&|form| matcher.accepts(form))
        })
    }

    /// Whether the rule would accept if case did not count.
    fn accepts_in_lower_case(&self) -> bool {
        match &self.rule.matcher {
            Some(Matcher::Prefix(own) | Matcher::Exact(own)) => {
                let all = matches!(self.rule.matcher, Some(Matcher::Exact(_)));
                self.tried(&|form| {
                    let start = form.as_bytes().get(..own.len());
                    start.is_some_and(|start| start.eq_ignore_ascii_case(own.as_bytes()))
                        && !(all && form.len() > own.len())
                })
            }
            Some(Matcher::Wildcard(wildcard)) => {
                let lower = Matcher::Wildcard(Wildcard::read(&wildcard.pattern().to_ascii_lowercase()));
                self.tried(&|form| lower.accepts(&form.to_ascii_lowercase()))
            }
            Some(Matcher::Domain(_) | Matcher::Path(..) | Matcher::Parameter(_)) | None => false,
        }
    }
}

/// The written text from the command's name on, where assignments stand before it.
fn without_assignments<'u>(unit: &'u Unit<'_>) -> Option<&'u str> {
    let command = unit.command.filter(|command| !command.assignments.is_empty())?;
    let name = command.words.first()?;
    let skipped = name.span().start.checked_sub(command.span.start)?;
    unit.seen.written.get(skipped..)
}

/// The text with every run of blanks as one space, where that changes it.
fn one_space(text: &str) -> Option<String> {
    // Most texts have none, and each is asked about for every rule.
    if !has(text, b'\t') && !contains(text, "  ") {
        return None;
    }
    let mut spaced = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\t' if spaced.ends_with([' ']) => {}
            ' ' | '\t' => spaced.push(' '),
            _ => spaced.push(c),
        }
    }
    Some(spaced)
}
