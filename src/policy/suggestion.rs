//! The smallest safe rules that would cover a call (rules.md section 16): which parts of it nothing covers yet, and what
//! [`suggest`](super::suggest) has for each.
//!
//! | engine | parts | each rule is tried |
//! |---|---|---|
//! | books | full commands, or the path, host, text | on its own part, as an allow rule is |
//! | tiers, segments | roots and redirects, or segments; else the call | all of them as grants, on the whole call |
//!
//! One part that can have no rule makes the result empty: the others would not cover the call. A rule that is as good as
//! none ([`dangerous`]) is no suggestion.

use super::suggest::Suggest;
use super::{Decision, Policy, Rules, dangerous};
use crate::dialect::Subjects;
use crate::engine::call::{Call, CallState};
use crate::engine::decide::Evaluation;
use crate::engine::kind::SubjectKind;
use crate::engine::subject::{Role, Unit};
use crate::rule::{Matcher, ParsedRule, PermissionRule};
use crate::shell::{self, Reading};
use crate::vocabulary::{Kind, RiskLevel};

/// A rule that would cover a call or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The rule, as it is written in an allow list.
    pub rule: String,
    /// Subjects beside the call's own that it would cover.
    pub also_covers: Vec<String>,
    /// What it accepts.
    pub note: &'static str,
    /// What it leaves to others, where it does.
    pub rest: &'static str,
}

/// The most rules for one line in a dialect of tiers.
const MOST_OF_A_LINE: usize = 5;

const WRITTEN: &str = "Accepts this command and whatever follows its text.";
const HEAD: &str = "Accepts every command that begins with these words, whatever its arguments.";
const RAW: &str = "Accepts every line that begins with this text, further commands behind it too.";
pub(super) const WORDS: &str =
    "Accepts this command and whatever arguments, redirects and substitutions follow it.";
pub(super) const EXACT: &str = "Accepts this text alone.";
const PATH: &str = "Accepts this path and every path that begins with its text.";
pub(super) const ONE_PATH: &str = "Accepts this path alone.";
pub(super) const HOST: &str = "Accepts this host, whatever the address asks of it.";
pub(super) const HOST_AND_BELOW: &str = "Accepts this host and every host below it.";
pub(super) const TOOL: &str = "Accepts every call of this tool.";
const OTHERS: &str = " The line is allowed when each of its commands is covered.";
const MORE: &str = " The line is allowed when each of its commands is covered; it has more of them than are given a rule here.";

/// Rules with what they accept, each once, as they are found.
pub(super) type Found = Vec<(String, &'static str)>;

/// Adds a rule that is not among them.
pub(super) fn add(found: &mut Found, rule: String, note: &'static str) {
    if !found.iter().any(|(own, _)| *own == rule) {
        found.push((rule, note));
    }
}

impl Policy {
    /// The smallest safe rules that would cover a call; none where it did not fall through, is not at LOW risk, was not
    /// read completely, or has a part for which no rule is safe.
    pub fn suggest(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        mut grants: Vec<PermissionRule>,
    ) -> Vec<Suggestion> {
        let known = self.known_arguments(call);
        let call = &Call { arguments: call.arguments.or(known.as_ref()), ..*call };
        let suggest = Suggest { tool: call.tool, dialect: self.config.dialect, host: self.host };
        let mut found = vec![];
        let mut parts = 0usize;
        let mut most = usize::MAX;
        let mut whole = true;
        match &self.rules {
            Rules::Tiers(tables, index) => {
                most = MOST_OF_A_LINE;
                self.tiered(tables, index).evaluate(
                    call,
                    state,
                    &grants,
                    false,
                    &mut |evaluation, verdict, decision| {
                        if is_open(decision) {
                            parts = evaluation.suggest(verdict, tables, &suggest, &mut found);
                        }
                    },
                );
            }
            Rules::Books(index) => match self.segments(index, call, state, &grants) {
                Some(run) => parts = run.suggest(&mut found),
                None => {
                    whole = false;
                    self.pipeline(index).evaluate(
                        call,
                        state,
                        &grants,
                        &mut |evaluation, decision, reading| {
                            if is_open(decision) {
                                parts = self.of_parts(evaluation, reading, &suggest, &mut found);
                            }
                        },
                    );
                }
            },
        }
        if parts == 0 {
            return vec![];
        }
        if whole {
            let mut narrow = vec![];
            for (rule, note) in found {
                if self.is_narrow(&rule) {
                    let Ok(grant) = self.grant(&rule) else { return vec![] };
                    grants.push(grant);
                    narrow.push((rule, note));
                }
            }
            found = narrow;
            if self.decide(call, state, &grants).outcome.kind != Kind::Allow {
                return vec![];
            }
        }
        let mut rest = if parts > 1 { OTHERS } else { "" };
        if found.len() > most {
            found.truncate(most);
            rest = MORE;
        }
        let mut suggestions = vec![];
        for (rule, note) in found {
            let Ok(parsed) = self.grant(&rule) else { continue };
            let also_covers = self.also_covered(&parsed.rule, note);
            suggestions.push(Suggestion { rule, also_covers, note, rest });
        }
        suggestions
    }

    /// Whether a rule does not run whatever follows it.
    fn is_narrow(&self, rule: &str) -> bool {
        dangerous(&[rule], self.config.dialect, self.host).is_empty()
    }

    /// Finds the rules of a call that books decide; gives how many parts need one, or zero where one can have none.
    fn of_parts(
        &self,
        evaluation: &Evaluation<'_>,
        reading: Option<&Reading<'_>>,
        suggest: &Suggest<'_>,
        found: &mut Found,
    ) -> usize {
        let named = evaluation.book.facts.kind;
        let Some(parts) = evaluation.parts else {
            let rule = suggest.of_tool().filter(|_| named == SubjectKind::Text);
            if let Some(rule) = rule.filter(|rule| self.is_narrow(rule)) {
                found.push((rule, TOOL));
            }
            return found.len();
        };
        let raw = self.config.dialect.subjects == Subjects::Raw;
        let text = evaluation.text.unwrap_or_default();
        let own = (raw && named == SubjectKind::Command).then(|| shell::read(text));
        let reading = reading.or(own.as_ref());
        // Where the line is matched as it stands, a rule for one of its commands would let the others be anything.
        let alone = reading.is_none_or(|reading| reading.commands().len() == 1);
        if !reading.is_none_or(Reading::is_complete) || (raw && !alone) {
            return 0;
        }
        let mut uncovered = 0usize;
        for unit in parts.units.iter().filter(|unit| unit.role == Role::Decides) {
            if evaluation.settle(unit).is_some() {
                continue;
            }
            uncovered = uncovered.saturating_add(1);
            let mut is_offered = false;
            let mut offer = |rule: Option<String>, note| {
                let Some(rule) = rule.filter(|rule| self.is_narrow(rule)) else { return };
                let accepts = |grant: PermissionRule| evaluation.accepts(unit, &grant);
                if self.grant(&rule).is_ok_and(accepts) {
                    is_offered = true;
                    add(found, rule, note);
                }
            };
            let note = |note| if raw { RAW } else { note };
            match (if raw { named } else { parts.kind }, reading) {
                (SubjectKind::Command, Some(reading)) => {
                    let rules = suggest.of_command(reading, place(unit, reading));
                    offer(rules.written, note(WRITTEN));
                    offer(rules.head, note(HEAD));
                }
                (SubjectKind::Path, _) => offer(suggest.of_path(text), PATH),
                (SubjectKind::Host, _) => offer(suggest.of_host(text), HOST),
                _ => offer(suggest.of_tool(), TOOL),
            }
            if !is_offered {
                return 0;
            }
        }
        uncovered
    }

    /// Subjects that a rule accepts beside the one that it was made for.
    fn also_covered(&self, rule: &ParsedRule, note: &str) -> Vec<String> {
        let dialect = self.config.dialect;
        let Some(content) = rule.content.as_deref() else { return vec![] };
        let tails = match &rule.matcher {
            Some(Matcher::Prefix(_)) if note == PATH => ["x", "/x"],
            Some(Matcher::Prefix(_)) => ["x", if content.ends_with([' ']) { "--help" } else { " --help" }],
            _ => return vec![],
        };
        let mut covered = vec![];
        for tail in tails {
            let subject = [content, tail].concat();
            if rule.content_accepts(&subject, dialect) {
                covered.push(subject);
            }
        }
        covered
    }
}

/// Whether a call fell through, and nothing about it is dangerous.
pub(super) fn is_open(decision: &Decision) -> bool {
    decision.fell_through() && decision.risk.level == RiskLevel::Low
}

/// Which command of the reading a unit is; the only one where it is the line as it stands.
fn place(unit: &Unit<'_>, reading: &Reading<'_>) -> usize {
    let is = |command: &shell::Command<'_>| unit.command.is_some_and(|own| core::ptr::eq(own, command));
    reading.commands().iter().position(is).unwrap_or(0)
}
