//! What is wrong with rules that are each fine: they do nothing, contradict one another, or say more or less than they seem
//! to (rules.md section 15).
//!
//! | room | finds |
//! |---|---|
//! | `compare` | `redundant` `conflicting` `shadowed`, and `never-consulted` behind a rule for the whole tool |
//! | `alone` | `unreachable` `never-consulted` `over-broad` `fragile` |
//! | `spelling` | what a dialect by tiers tells beside (claude-code.md section 16) |
//! | `weakness` | what a dialect by segments does not see (qwen-code.md section 13) |
//!
//! Rules are compared by the texts that they accept, as programs (`crate::rule::language`), in a product that gives the
//! shortest text of a difference or intersection (`product`), among the `texts` that a call can be matched by. Such a text
//! becomes a call, and the policy's own explanation of that call has to show what the finding says (`trial`).
//!
//! Work is bounded. What was left out for a limit is itself a finding, `lint-limit`.

mod alone;
mod compare;
mod product;
mod spelling;
mod texts;
mod trial;
mod weakness;

pub use self::trial::Witness;

use self::product::{Found, Part, shortest};
use self::texts::Texts;
use self::trial::Trial;
use super::{Policy, Rules, segments};
use crate::diagnostic::Path;
use crate::dialect::{Engine, Subjects};
use crate::engine::entry::Entry;
use crate::engine::kind::SubjectKind;
use crate::limits;
use crate::order;
use crate::rule::language::Language;
use crate::rule::{self, Matcher};
use crate::span::Span;
use crate::vocabulary::{Behavior, Severity};

/// Something that is wrong with a rule of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence.
    pub message: &'static str,
    /// Which rule of the configuration it is said of.
    pub rank: usize,
    /// Where that stands in the configuration.
    pub path: Path,
    /// Bytes of the rule's text, where the check of the configuration says it of them.
    pub span: Option<Span>,
    /// The rule that it has to do with, and how.
    pub related: Option<(Path, &'static str)>,
    /// A call that shows it.
    pub witness: Option<Witness>,
    /// What to write in the place of the rule's text; empty to remove it.
    pub fix: Option<String>,
}

/// A severity, a code and a message.
type Said = (Severity, &'static str, &'static str);

/// A warning of a rule.
const fn warns_of_rule(code: &'static str, message: &'static str) -> Said {
    (Severity::Warning, code, message)
}

/// What is worth knowing of a rule.
const fn tells_of_rule(code: &'static str, message: &'static str) -> Said {
    (Severity::Info, code, message)
}

const LIMIT: &str = "lint-limit";

impl Policy {
    /// What is wrong with the rules, in the order of their places. A pure function of the configuration.
    pub fn lint(&self) -> Vec<Finding> {
        let mut lint = Lint::new(self);
        let mut facts = vec![];
        for rank in 0..self.config.entries.len() {
            facts.push(lint.fact(rank));
        }
        // A call goes by every rule, and is matched against all that begin with a star.
        let starred = facts.iter().filter(|fact| fact.head.as_deref() == Some("")).count();
        let call_cost = (starred / 32).saturating_add(facts.len() / 1024).saturating_add(1);
        let mut lint = Lint { facts: &facts, call_cost, ..lint };
        for rank in 0..facts.len() {
            lint.look_at(rank);
        }
        lint.compare();
        order::sort(lint.findings, |a, b| a.path.cmp(&b.path))
    }
}

/// One run over the rules of a policy.
struct Lint<'p> {
    policy: &'p Policy,
    /// One for each rule; none until all are known.
    facts: &'p [Fact],
    /// What is left of the limits.
    work: usize,
    pairs: usize,
    calls: usize,
    /// What one call takes of them.
    call_cost: usize,
    /// The call that was tried last.
    trial: Trial,
    /// Where in its rule the next finding points.
    span: Option<Span>,
    /// What the next finding proposes.
    fix: Option<String>,
    findings: Vec<Finding>,
}

/// What is asked again and again of a rule.
struct Fact {
    /// What calls of its tool are matched by.
    kind: SubjectKind,
    argument: Option<&'static str>,
    /// It stands for the whole tool.
    whole: bool,
    /// What every text that it accepts begins with; none where it has no language.
    head: Option<String>,
    /// The shortest text that a call of its tool may have and that it accepts; where there is none, the shortest of all.
    sample: Option<String>,
    /// The sample is none that a call is ever matched by.
    outside: bool,
}

impl<'p> Lint<'p> {
    fn new(policy: &'p Policy) -> Self {
        Self {
            policy,
            facts: &[],
            work: limits::LINT_WORK,
            pairs: limits::LINT_PAIRS,
            calls: limits::LINT_CALLS,
            call_cost: 1,
            trial: Trial::default(),
            span: None,
            fix: None,
            findings: vec![],
        }
    }

    fn fact(&mut self, rank: usize) -> Fact {
        let tool = self.entry(rank).map_or("", |entry| entry.rule.rule.tool.as_str());
        let (kind, argument) = self.subject_of(tool);
        let whole = self.is_whole(rank);
        let language = self.language(rank);
        let head = language.as_ref().map(Language::head);
        let mut sample = whole.then(|| "a".into());
        let mut outside = false;
        if let Some(language) = language {
            let part = [(language.ops.as_slice(), true)];
            let mut found = shortest(&part, self.texts(kind), &mut self.work);
            outside = found == Found::Nothing;
            if !matches!(found, Found::Text(_)) {
                found = self.search(&part, Texts::Any, rank, None);
            }
            if let Found::Text(text) = found {
                sample = Some(text);
            }
        }
        Fact { kind, argument, whole, head, sample, outside }
    }

    fn entry(&self, rank: usize) -> Option<&'p Entry> {
        self.policy.config.entries.get(rank)
    }

    fn allows(&self, rank: usize) -> bool {
        self.entry(rank).is_some_and(|entry| entry.rule.behavior == Behavior::Allow)
    }

    /// What calls of a tool are matched by, and the argument that holds it.
    fn subject_of(&self, tool: &str) -> (SubjectKind, Option<&'static str>) {
        let config = &self.policy.config;
        let index = match (&self.policy.rules, config.dialect.engine) {
            (Rules::Tiers(tables, index), _) => return self.policy.tiered(tables, index).subject_of(tool),
            (_, Engine::Segments(tables)) => return segments::language::subject_of(tool, config, tables),
            (Rules::Books(index), _) => index,
        };
        let kind = index.book(tool, config).facts.kind;
        let argument = match kind {
            SubjectKind::Command => "command",
            SubjectKind::Host => "url",
            SubjectKind::Text if config.dialect.subjects == Subjects::Read => return (kind, None),
            SubjectKind::Path | SubjectKind::Text => "file_path",
        };
        (kind, Some(argument))
    }

    fn is_whole(&self, rank: usize) -> bool {
        match &self.policy.rules {
            Rules::Tiers(tables, index) => self.policy.tiered(tables, index).is_whole(rank),
            Rules::Books(_) => self.entry(rank).is_some_and(|entry| entry.rule.rule.is_whole_tool()),
        }
    }

    /// The texts that a rule accepts; none for a whole tool, for what is no single text and what is never consulted.
    fn language(&self, rank: usize) -> Option<Language> {
        let rule = &self.entry(rank)?.rule.rule;
        match (&self.policy.rules, self.policy.config.dialect.engine) {
            (Rules::Tiers(tables, index), _) => self.policy.tiered(tables, index).language(rank),
            (_, Engine::Segments(_)) => segments::language::of(rule, &self.policy.config),
            _ => Language::of(rule.matcher.as_ref()?, false),
        }
    }

    /// The texts that calls of a kind are matched by.
    fn texts(&self, kind: SubjectKind) -> Texts {
        match kind {
            SubjectKind::Command => Texts::Command,
            SubjectKind::Path => Texts::Path,
            SubjectKind::Host => Texts::Host,
            SubjectKind::Text => Texts::Any,
        }
    }

    /// Searches for the shortest text; that a limit came first is reported of the rule.
    fn search(&mut self, parts: &[Part<'_>], texts: Texts, rank: usize, other: Option<usize>) -> Found {
        let found = shortest(parts, texts, &mut self.work);
        if found == Found::TooLarge {
            if self.work == 0 {
                let message = "there is too much to compare: this rule and others were not compared in full";
                self.limited(rank, None, message);
            } else {
                self.limited(rank, other, "this rule is too large to be compared in full");
            }
        }
        found
    }

    /// Whether the first rule accepts nothing that the second does not. What is too large to be told is reported.
    fn holds(&mut self, inner: usize, outer: usize) -> bool {
        let (Some(a), Some(b)) = (self.language(inner), self.language(outer)) else { return false };
        // Where paths are compared from the root, name by name, no other texts come.
        let rooted = self.kind(inner) == SubjectKind::Path
            && !matches!(self.policy.config.dialect.engine, Engine::Fold);
        let texts = if rooted { Texts::Path } else { Texts::Any };
        self.search(&[(&a.ops, true), (&b.ops, false)], texts, inner, Some(outer)) == Found::Nothing
    }

    /// Takes what a pair of rules costs, in pairs of short ones; that none are left is reported.
    fn take_pair(&mut self, rank: usize, cost: usize) -> bool {
        let left = self.pairs.checked_sub(cost);
        if left.is_none() {
            self.limited(
                rank,
                None,
                "there are too many rules: this one and others were not compared with all of them",
            );
        }
        self.pairs = left.unwrap_or_default();
        left.is_some()
    }

    /// Reports that a rule was not looked at in full: once for each limit, and for each rule that is too large for another.
    #[inline(never)]
    fn limited(&mut self, rank: usize, other: Option<usize>, message: &'static str) {
        let path = self.entry(rank).map(Entry::path).unwrap_or_default();
        let known =
            |finding: &Finding| finding.message == message && (other.is_none() || finding.path == path);
        if !self.findings.iter().any(known) {
            self.trial.witness = None;
            self.say(rank, (Severity::Info, LIMIT, message));
            if let Some(other) = other {
                self.relate(other, "the rule that it was not compared with");
            }
        }
    }

    /// Reports of a rule, with the call that was tried last, and a span and a fix where they were told.
    #[inline(never)]
    fn say(&mut self, rank: usize, (severity, code, message): Said) {
        let path = self.entry(rank).map(Entry::path).unwrap_or_default();
        let (span, witness, fix) = (self.span.take(), self.trial.witness.take(), self.fix.take());
        self.findings.push(Finding {
            severity,
            code,
            message,
            rank,
            path,
            span,
            related: None,
            witness,
            fix,
        });
    }

    /// Says which rule the last report has to do with.
    #[inline(never)]
    fn relate(&mut self, rank: usize, note: &'static str) {
        let path = self.entry(rank).map(Entry::path).unwrap_or_default();
        if let Some(finding) = self.findings.last_mut() {
            finding.related = Some((path, note));
        }
    }

    fn kind(&self, rank: usize) -> SubjectKind {
        self.facts.get(rank).map_or(SubjectKind::Text, |fact| fact.kind)
    }

    /// The shortest text of a rule that is asked for by what it accepts.
    fn sample(&self, rank: usize) -> Option<&'p str> {
        self.facts.get(rank)?.sample.as_deref()
    }

    fn has_language(&self, rank: usize) -> bool {
        self.facts.get(rank).is_some_and(|fact| fact.head.is_some())
    }

    /// The text of a rule with another content.
    #[inline(never)]
    fn with_content(&self, rank: usize, content: &str) -> Option<String> {
        let entry = self.entry(rank)?;
        let text = rule::text_of(written_tool(entry), Some(content), self.policy.config.dialect);
        // What would not parse is no remedy.
        self.policy.grant(&text).is_ok().then_some(text)
    }
}

/// The name of a rule's tool as it is written.
fn written_tool(entry: &Entry) -> &str {
    let own = entry.rule.rule.tool.as_str();
    let written = entry.text.split(['(']).next().map(crate::text::trim).unwrap_or_default();
    if entry.text.contains(['\\']) { own } else { written }
}

/// The content of a rule.
fn content(entry: &Entry) -> &str {
    entry.rule.rule.content.as_deref().unwrap_or_default()
}

/// Whether a rule is about hosts by their labels.
fn is_domain(entry: &Entry) -> bool {
    matches!(entry.rule.rule.matcher, Some(Matcher::Domain(_)))
}
