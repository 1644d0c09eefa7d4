//! One rule by itself: what no call can match, what is never asked, what accepts far more or less than it seems to.

use super::texts::Texts;
use super::{Lint, Said, Witness, content, is_domain};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Engine, Grammar, Subjects};
use crate::order::{Gather as _, Grow as _};
use crate::policy::kind::SubjectKind;
use crate::policy::suggest::probes;
use crate::policy::{advice, tiers};
use crate::rule::{self, Matcher, Shape};
use crate::text;
use crate::vocabulary::{Behavior, Severity};

const UNREACHABLE: Said = (Severity::Warning, "unreachable", "no call can match this rule");
const NEVER_CONSULTED: Said = (Severity::Warning, "never-consulted", "no call is tried on this rule");
const OVER_BROAD: Said =
    (Severity::Warning, "over-broad", "this rule lets through far more than one program, folder or site");
const LONGER: Said = (Severity::Info, "fragile", "longer names are accepted too");
const ORDER: Said = (Severity::Info, "fragile", "the same options written in another way are not met");
const COLON: Said = (Severity::Info, "fragile", "the colon is part of the prefix: the command with arguments is not met");
const BARE: Said = (Severity::Info, "fragile", "the text without the space is not met");
const FLAG_ORDER: Said =
    (Severity::Warning, "flag-order", "the same options written in another way are not met");

/// Codes of advice about rules, and what follows from each: that no call can match the rule, or that none is tried on it;
/// and whether of allow rules alone.
const FOLLOWS: &[(&str, Said, bool)] = &[
    ("tool-name-never-matches", UNREACHABLE, false),
    ("content-never-matches", UNREACHABLE, false),
    ("allow-glob-unanchored", UNREACHABLE, false),
    ("tool-name-unknown", UNREACHABLE, false),
    ("name-glob-unsupported", UNREACHABLE, false),
    ("invalid-domain", UNREACHABLE, false),
    ("domain-wildcard-never", UNREACHABLE, false),
    ("parameter-boolean", UNREACHABLE, false),
    ("negated-pattern", UNREACHABLE, true),
    ("empty-prefix", UNREACHABLE, true),
    ("wrapper-in-pattern", UNREACHABLE, true),
    ("never-auto-approved", UNREACHABLE, true),
    ("content-never-consulted", NEVER_CONSULTED, false),
    ("inert-rule", NEVER_CONSULTED, false),
    ("path-rule-never-consulted", NEVER_CONSULTED, false),
    ("parameter-on-primary-field", NEVER_CONSULTED, false),
    ("parameter-in-allow", NEVER_CONSULTED, false),
    ("mcp-rule-with-content", NEVER_CONSULTED, false),
];

/// Paths that no rule for a project's files accepts.
const FOREIGN_PATHS: [&str; 2] = ["/etc/passwd", "~/.ssh/config"];

impl Lint<'_> {
    /// Reports what is to be said of one rule.
    pub(super) fn look_at(&mut self, rank: usize) {
        let advice = self.advice(rank);
        self.dead(rank, &advice);
        if self.allows(rank) {
            self.over_broad(rank);
        }
        match self.policy.config.dialect.engine {
            Engine::Fold => self.fragile(rank),
            Engine::Tiers(_) => self.spelling(rank),
            Engine::Segments(tables) => self.weakness(rank, &advice, tables),
        }
    }

    /// What the check of a configuration says of a rule.
    fn advice(&self, rank: usize) -> Vec<Diagnostic> {
        let config = &self.policy.config;
        let mut said = vec![];
        let Some(entry) = self.entry(rank) else { return said };
        let shape = rule::parse_shape(&entry.text, config.dialect, self.policy.host).map_or(Shape::Bare, |(_, shape)| shape);
        match config.dialect.engine {
            Engine::Tiers(tables) => tiers::advice::on(entry, shape, tables, config, &mut said),
            _ => advice::Advice::new(config.dialect, &config.bash_tool).on(entry, shape, &mut said),
        }
        said
    }

    /// `unreachable` and `never-consulted`.
    fn dead(&mut self, rank: usize, advice: &[Diagnostic]) {
        let (Some(entry), Some(fact)) = (self.entry(rank), self.facts.get(rank)) else { return };
        let allows = self.allows(rank);
        let follows = |(code, _, allowing): &&(&str, Said, bool)| {
            advice.iter().any(|advice| advice.code == *code) && (allows || !allowing)
        };
        let dialect = self.policy.config.dialect;
        let read = dialect.subjects == Subjects::Read && dialect.engine.segments().is_none();
        let command = allows && fact.kind == SubjectKind::Command && read;
        let sample = fact.sample.clone();
        let mut said = FOLLOWS.iter().find(follows).map(|(_, said, _)| *said);
        if said.is_none() && command && (fact.outside || self.begins_with_keyword(rank)) {
            said = Some(UNREACHABLE);
        }
        let Some(said) = said else { return };
        // What a call is matched by all the same is no dead rule.
        let named = self.facts.get(rank).is_some_and(|fact| fact.head.is_some() && fact.argument.is_some());
        if let Some(sample) = sample.filter(|_| named && said.1 == UNREACHABLE.1)
            && self.try_text(rank, &sample).is_none_or(|(_, shown)| shown.has_matched(rank))
        {
            return;
        }
        let never = advice.iter().any(|advice| advice.code == "content-never-matches");
        let fix = if never { self.normal(rank, content(entry)) } else { None };
        self.say(rank, said, None, fix);
    }

    /// The rule with the normal form of its content.
    fn normal(&self, rank: usize, content: &str) -> Option<String> {
        match self.facts.get(rank)?.kind {
            SubjectKind::Path => self.with_content(rank, &advice::without_dots(content)),
            SubjectKind::Host => {
                let host = self.policy.host;
                let name = host.of_url(content).or_else(|| host.of_url(&["https://", content].concat()))?;
                self.with_content(rank, &["domain:", &name].concat())
            }
            _ => None,
        }
    }

    /// An allow rule that accepts a probe, a path of nobody's project, or all hosts of a top-level domain.
    fn over_broad(&mut self, rank: usize) {
        let (Some(entry), Some(fact)) = (self.entry(rank), self.facts.get(rank)) else { return };
        let (kind, head) = (fact.kind, fact.head.clone());
        let mut candidates: Vec<String> = vec![];
        match (kind, &entry.rule.rule.matcher) {
            (SubjectKind::Command, _) if head.is_some() || fact.whole => {
                let head = head.as_deref().unwrap_or_default();
                candidates.grow(probes().filter(|probe| probe.starts_with(head)).map(Into::into));
            }
            (SubjectKind::Path, _) if head.is_some() => candidates.grow(FOREIGN_PATHS.map(Into::into)),
            (SubjectKind::Host, Some(Matcher::Domain(domain))) => {
                let verbatim = matches!(self.policy.config.dialect.grammar, Grammar::Verbatim(_));
                let name = domain.hostname();
                let below = if verbatim { Some(name) } else { name.strip_prefix("*.") };
                if below.is_some_and(|below| !below.contains(['.']) && below != "localhost") {
                    candidates.grow(fact.sample.clone());
                }
            }
            _ => {}
        }
        for text in candidates {
            let Some((witness, shown)) = self.try_text(rank, &text) else { return };
            if shown.is_up_to(rank) {
                return self.say(rank, OVER_BROAD, Some(witness), None);
            }
        }
        if let Some(sample) = self.facts.get(rank).and_then(|fact| fact.sample.clone()).filter(|_| self.runs_anything(rank))
            && let Some((witness, shown)) = self.try_text(rank, &sample)
            && shown.is_up_to(rank)
        {
            self.say(rank, OVER_BROAD, Some(witness), None);
        }
    }

    /// What a prefix or pattern of this grammar accepts beside, or lacks.
    fn fragile(&mut self, rank: usize) {
        let Some(entry) = self.entry(rank).filter(|entry| !is_domain(entry)) else { return };
        let content = content(entry);
        if let (Behavior::Allow, Some(Matcher::Prefix(prefix))) = (entry.rule.behavior, &entry.rule.rule.matcher)
            && prefix.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            && let Some((witness, shown)) = self.try_text(rank, &[prefix, "x"].concat())
            && shown.is_up_to(rank)
        {
            self.say(rank, LONGER, Some(witness), None);
        }
        self.flag_cluster(rank);
        if let Some(before) = content.strip_suffix(":*").filter(|before| !before.is_empty()) {
            let fix = self.with_content(rank, &[before, " *"].concat());
            self.misses(rank, COLON, &[before, " x"].concat(), fix);
        } else if let (Some(before), Some(Matcher::Wildcard(_))) = (content.strip_suffix(" *"), &entry.rule.rule.matcher) {
            let bare = rule::language::Language::of(&Matcher::Wildcard(rule::Wildcard::read(before)), false);
            let text = bare.and_then(|bare| self.shortest(&[(&bare.ops, true)], Texts::Any, rank));
            if let Some(text) = text {
                self.misses(rank, BARE, &text, None);
            }
        }
    }

    /// Reports that a rule does not accept a text.
    pub(super) fn misses(&mut self, rank: usize, said: Said, text: &str, fix: Option<String>) {
        if let Some((witness, shown)) = self.try_text(rank, text)
            && !shown.has_matched(rank)
        {
            self.say(rank, said, Some(witness), fix);
        }
    }

    /// A rule that restricts, and pins a cluster of option letters: the first of two other spellings that no such rule
    /// meets.
    pub(super) fn flag_cluster(&mut self, rank: usize) {
        let Some(fact) = self.facts.get(rank).filter(|fact| fact.kind == SubjectKind::Command) else { return };
        let Some(sample) = fact.sample.clone().filter(|_| !self.allows(rank) && fact.head.is_some()) else { return };
        let is_cluster = |word: &&str| {
            let letters = word.strip_prefix('-').unwrap_or_default();
            letters.len() > 1 && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
        };
        // Of the rule's own words: what the shortest text adds is none of them.
        let own = self.entry(rank).map(content).unwrap_or_default();
        let Some(cluster) = own.split([' ']).find(is_cluster) else { return };
        let at = sample.split([' ']).position(|word| word == cluster);
        let said = if self.policy.config.dialect.engine.tiers().is_some() { FLAG_ORDER } else { ORDER };
        let spelled = |other: &str| {
            let mut words = sample.split([' ']).gather();
            if let Some(word) = at.and_then(|at| words.get_mut(at)) {
                *word = other;
            }
            words.join(" ")
        };
        let (mut split, mut split_back, mut back) = (String::new(), String::new(), String::new());
        for letter in cluster.chars().skip(1) {
            split.push_str(" -");
            split.push(letter);
            back.insert(0, letter);
        }
        for letter in back.chars() {
            split_back.push_str(" -");
            split_back.push(letter);
        }
        back.insert(0, '-');
        // Who spells the options apart does so in one order.
        for (other, as_well) in [(text::trim(&split), Some(text::trim(&split_back))), (back.as_str(), None)] {
            let unmet = self.unmet(rank, &spelled(other));
            let met = as_well.is_some_and(|other| self.unmet(rank, &spelled(other)).is_none());
            if let Some(witness) = unmet.filter(|_| at.is_some() && !met) {
                return self.say(rank, said, Some(witness), None);
            }
        }
    }

    /// The call of a text, where no rule that denies or asks matches it.
    fn unmet(&mut self, rank: usize, text: &str) -> Option<Witness> {
        let witness = self.call(rank, text);
        let shown = self.show(&witness, None, &[])?;
        (!(0..self.facts.len()).any(|rank| !self.allows(rank) && shown.has_matched(rank))).then_some(witness)
    }
}
