//! Why a rule does not accept a call: the first of a closed set of codes that applies (rules.md section 13).
//!
//! Each test asks what would have made the rule accept, so that the code names the one thing that stands in the way.

use super::decide::Evaluation;
use super::kind::SubjectKind;
use super::subject::{Allowed, Role, Unit};
use crate::order::Gather as _;
use crate::rule::{Matcher, ParsedRule, PermissionRule, Wildcard};
use crate::vocabulary::Behavior;

/// A question about a rule that missed, and the code where the answer is yes.
type Test = (&'static str, fn(&Miss<'_>) -> bool);

/// In the order in which they are asked.
const TESTS: &[Test] = &[
    ("no-subject", |miss| miss.units.is_empty()),
    ("incomplete-reading", |miss| miss.allows && !miss.complete),
    ("unknown-word", |miss| {
        miss.allows && miss.deciding().any(|unit| miss.is_command(unit) && miss.accepts(&unit.seen.written))
    }),
    ("assignment-in-front", |miss| {
        miss.allows && miss.deciding().filter_map(without_assignments).any(|text| miss.accepts(&text))
    }),
    ("wrapper-not-looked-past", |miss| {
        miss.allows && miss.seen_into().any(|unit| unit.is_seen_by(miss.rule))
    }),
    ("space-differs", |miss| {
        miss.tried().any(|form| one_space(&form).is_some_and(|form| miss.accepts(&form)))
    }),
    ("quoting-differs", |miss| {
        miss.allows && miss.deciding().any(|unit| miss.is_command(unit) && unit.is_seen_by(miss.rule))
    }),
    ("target-differs", |miss| {
        miss.allows
            && miss.paths().any(|paths| {
                paths.first().is_some_and(|own| own.iter().any(|form| miss.accepts(form)))
                    && paths.len() > 1
                    && !miss.climbs()
            })
    }),
    ("climbs-out", |miss| {
        miss.allows && miss.climbs() && miss.paths().flatten().flatten().any(|form| miss.accepts(&form))
    }),
    ("spelling-differs", |miss| {
        miss.allows && miss.deciding().any(|unit| !miss.is_command(unit) && unit.is_seen_by(miss.rule))
    }),
    ("other-anchor", |miss| miss.kind == SubjectKind::Path && miss.accepts_unanchored()),
    ("case-differs", |miss| miss.accepts_in_lower_case()),
];

/// A rule that accepts nothing of a call.
struct Miss<'m> {
    rule: &'m ParsedRule,
    allows: bool,
    units: &'m [Unit<'m>],
    complete: bool,
    kind: SubjectKind,
}

/// The code of a miss.
pub(super) fn missed(rule: &PermissionRule, evaluation: &Evaluation<'_>) -> &'static str {
    let (units, complete, kind) = match evaluation.parts {
        Some(parts) => (parts.units.as_slice(), parts.complete, parts.kind),
        None => (&[][..], true, SubjectKind::Text),
    };
    let miss = Miss { rule: &rule.rule, allows: rule.behavior == Behavior::Allow, units, complete, kind };
    let answered = TESTS.iter().find(|(_, applies)| applies(&miss)).map(|(code, _)| *code);
    answered.unwrap_or(match &rule.rule.matcher {
        Some(Matcher::Domain(_)) => "other-host",
        Some(Matcher::Wildcard(_)) => "literal-differs",
        Some(Matcher::Exact(_)) => "exact-differs",
        Some(Matcher::Path(..)) => "glob-differs",
        Some(Matcher::Parameter(_)) => "parameter-differs",
        Some(Matcher::Prefix(_)) | None => "prefix-differs",
    })
}

impl<'m> Miss<'m> {
    fn accepts(&self, text: &str) -> bool {
        self.rule.accepts(text)
    }

    fn deciding(&self) -> impl Iterator<Item = &'m Unit<'m>> {
        self.units.iter().filter(|unit| unit.role == Role::Decides)
    }

    /// Commands that only deny and ask rules see into; the line itself is none.
    fn seen_into(&self) -> impl Iterator<Item = &'m Unit<'m>> {
        self.units.iter().filter(|unit| unit.role == Role::SeenInto && unit.command.is_some())
    }

    fn is_command(&self, unit: &Unit<'_>) -> bool {
        unit.command.is_some()
    }

    /// The texts that the rule was tried on.
    fn tried(&self) -> impl Iterator<Item = String> {
        let of_unit = |unit: &'m Unit<'m>| -> Vec<String> {
            match (&unit.allowed, self.allows) {
                (Allowed::Text(text), true) => vec![text.to_string()],
                (Allowed::Paths(paths), true) => paths.iter().flat_map(|path| path.forms.clone()).gather(),
                (Allowed::Nothing, true) => vec![],
                _ => unit.seen.iter().map(ToString::to_string).gather(),
            }
        };
        self.units.iter().filter(|unit| !self.allows || unit.role == Role::Decides).flat_map(of_unit)
    }

    /// The forms of each path, where the subject is one.
    fn paths(&self) -> impl Iterator<Item = Vec<Vec<String>>> {
        self.deciding().filter_map(|unit| match &unit.allowed {
            Allowed::Paths(paths) => Some(paths.iter().map(|path| path.forms.clone()).gather()),
            _ => None,
        })
    }

    fn climbs(&self) -> bool {
        self.deciding().any(
            |unit| matches!(&unit.allowed, Allowed::Paths(paths) if paths.iter().any(|path| path.climbs_out)),
        )
    }

    /// Whether the rule would accept without what its content is anchored by.
    fn accepts_unanchored(&self) -> bool {
        let content = self.rule.content.as_deref().unwrap_or_default();
        let anchors = ["~/", "./", "**/", "/"];
        let bare = anchors.iter().find_map(|anchor| content.strip_prefix(anchor));
        bare.filter(|bare| !bare.is_empty()).is_some_and(|bare| {
            let matcher = Matcher::of_content(bare);
            self.tried().any(|form| matcher.accepts(&form))
        })
    }

    /// Whether the rule would accept if case did not count.
    fn accepts_in_lower_case(&self) -> bool {
        let lower = match &self.rule.matcher {
            Some(Matcher::Prefix(prefix)) => Matcher::Prefix(prefix.to_ascii_lowercase()),
            Some(Matcher::Wildcard(wildcard)) => {
                Matcher::Wildcard(Wildcard::read(&wildcard.pattern().to_ascii_lowercase()))
            }
            Some(Matcher::Exact(text)) => Matcher::Exact(text.to_ascii_lowercase()),
            Some(Matcher::Domain(_) | Matcher::Path(..) | Matcher::Parameter(_)) | None => return false,
        };
        self.tried().any(|form| lower.accepts(&form.to_ascii_lowercase()))
    }
}

/// The written text from the command's name on, where assignments stand before it.
fn without_assignments(unit: &Unit<'_>) -> Option<String> {
    let command = unit.command.filter(|command| !command.assignments.is_empty())?;
    let name = command.words.first()?;
    let skipped = name.span().start.checked_sub(command.span.start)?;
    unit.seen.written.get(skipped..).map(Into::into)
}

/// The text with every run of blanks as one space, where that changes it.
fn one_space(text: &str) -> Option<String> {
    let mut spaced = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\t' if spaced.ends_with([' ']) => {}
            ' ' | '\t' => spaced.push(' '),
            _ => spaced.push(c),
        }
    }
    (spaced != text).then_some(spaced)
}
