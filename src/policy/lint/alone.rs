//! One rule by itself: what no call can match, what is never asked, what accepts far more or less than it seems to.

use super::{Lint, Said, content, is_domain, tells_of_rule, warns_of_rule};
use crate::diagnostic::Diagnostic;
use crate::dialect::tiers::Words;
use crate::dialect::{Engine, Grammar, Subjects};
use crate::engine::kind::SubjectKind;
use crate::policy::suggest::probes;
use crate::policy::{advice, tiers};
use crate::rule::{self, Matcher, Shape};
use crate::text;

const UNREACHABLE: Said = warns_of_rule("unreachable", "no call can match this rule");
const NEVER_CONSULTED: Said = warns_of_rule("never-consulted", "no call is tried on this rule");
const OVER_BROAD: Said =
    warns_of_rule("over-broad", "this rule lets through far more than one program or folder");
const LONGER: Said = tells_of_rule("fragile", "longer names are accepted too");
const ORDER: Said = tells_of_rule("fragile", "the same options written in another way are not met");
const COLON: Said = tells_of_rule("fragile", "the colon is part of the prefix, so arguments are not met");
const BARE: Said = tells_of_rule("fragile", "the text without the space is not met");
const FLAG_ORDER: Said = warns_of_rule("flag-order", "the same options written in another way are not met");

/// Codes of advice about rules that no call can match, and of allow rules of which the same is true.
const DEAD: Words = Words(
    "tool-name-never-matches content-never-matches allow-glob-unanchored tool-name-unknown name-glob-unsupported \
        invalid-domain domain-wildcard-never parameter-boolean",
);
const DEAD_ALLOW: Words = Words("negated-pattern empty-prefix wrapper-in-pattern never-auto-approved");
/// Codes of advice about rules that no call is tried on.
const UNTRIED: Words = Words(
    "content-never-consulted inert-rule path-rule-never-consulted parameter-on-primary-field parameter-in-allow \
        mcp-rule-with-content",
);

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
        let shape = rule::parse_shape(&entry.text, config.dialect, self.policy.host)
            .map_or(Shape::Bare, |(_, shape)| shape);
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
        let told = |codes: Words| advice.iter().find(|advice| codes.has(advice.code));
        let dialect = self.policy.config.dialect;
        let read = dialect.subjects == Subjects::Read && dialect.engine.segments().is_none();
        let unread = allows
            && fact.kind == SubjectKind::Command
            && read
            && (fact.outside || self.begins_with_keyword(rank));
        let dead = told(DEAD).or_else(|| told(DEAD_ALLOW).filter(|_| allows));
        let (said, told) = match (dead, told(UNTRIED)) {
            (Some(_), _) => (UNREACHABLE, dead),
            (None, Some(untried)) => (NEVER_CONSULTED, Some(untried)),
            (None, None) if unread => (UNREACHABLE, None),
            (None, None) => return,
        };
        // What a call is matched by all the same is no dead rule.
        let shown = self.has_language(rank) && fact.argument.is_some() && said.1 == UNREACHABLE.1;
        if let Some(sample) = fact.sample.as_deref().filter(|_| shown)
            && (!self.try_text(rank, sample) || self.trial.has_matched(rank))
        {
            return;
        }
        if advice.iter().any(|advice| advice.code == "content-never-matches") {
            self.fix = self.normal(rank, content(entry));
        }
        self.span = told.and_then(|told| told.span);
        self.trial.witness = None;
        self.say(rank, said);
    }

    /// The rule with the normal form of its content.
    fn normal(&self, rank: usize, content: &str) -> Option<String> {
        if self.kind(rank) == SubjectKind::Path {
            return self.with_content(rank, &advice::without_dots(content));
        }
        let host = self.policy.host;
        let name = host.of_url(content).or_else(|| host.of_url(&["https://", content].concat()))?;
        self.with_content(rank, &["domain:", &name].concat())
    }

    /// An allow rule that accepts a probe, a path of nobody's project, or all hosts of a top-level domain.
    fn over_broad(&mut self, rank: usize) {
        let (Some(entry), Some(fact)) = (self.entry(rank), self.facts.get(rank)) else { return };
        let sample = fact.sample.as_deref();
        let with_content = fact.head.is_some();
        let head = fact.head.as_deref().unwrap_or_default();
        match fact.kind {
            SubjectKind::Command if with_content || fact.whole => {
                for probe in probes() {
                    if probe.starts_with(head) && self.is_too_broad(rank, probe) {
                        return;
                    }
                }
                if let Some(sample) = sample.filter(|_| self.runs_anything(rank)) {
                    self.is_too_broad(rank, sample);
                }
            }
            SubjectKind::Path if with_content => {
                let _ = self.is_too_broad(rank, "/etc/passwd") || self.is_too_broad(rank, "~/.ssh/config");
            }
            SubjectKind::Host => {
                let Some(Matcher::Domain(domain)) = &entry.rule.rule.matcher else { return };
                let name = domain.hostname();
                let below = match self.policy.config.dialect.grammar {
                    Grammar::Verbatim(_) => Some(name),
                    _ => name.strip_prefix("*."),
                };
                if below.is_some_and(|below| !below.contains(['.']) && below != "localhost")
                    && let Some(sample) = sample
                {
                    self.is_too_broad(rank, sample);
                }
            }
            _ => {}
        }
    }

    /// Reports a rule that lets a text through which it should not.
    #[inline(never)]
    fn is_too_broad(&mut self, rank: usize, text: &str) -> bool {
        let shown = self.try_text(rank, text) && self.trial.is_up_to(rank);
        if shown {
            self.say(rank, OVER_BROAD);
        }
        shown
    }

    /// What a prefix or pattern of this grammar accepts beside, or lacks.
    fn fragile(&mut self, rank: usize) {
        let Some(entry) = self.entry(rank).filter(|entry| !is_domain(entry)) else { return };
        let content = content(entry);
        let matcher = &entry.rule.rule.matcher;
        if let Some(Matcher::Prefix(prefix)) = matcher.as_ref().filter(|_| self.allows(rank))
            && prefix.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            && self.try_text(rank, &[prefix, "x"].concat())
            && self.trial.is_up_to(rank)
        {
            self.say(rank, LONGER);
        }
        self.flag_cluster(rank);
        if let Some(before) = content.strip_suffix(":*").filter(|before| !before.is_empty()) {
            self.fix = self.with_content(rank, &[before, " *"].concat());
            self.misses(rank, COLON, &[before, " x"].concat());
        } else if let (Some(before), Some(Matcher::Wildcard(_))) = (content.strip_suffix(" *"), matcher) {
            let mut bare = String::new();
            for piece in before.split(['*']) {
                bare.push_str(piece);
            }
            self.misses(rank, BARE, &bare);
        }
    }

    /// Reports that a rule does not accept a text.
    #[inline(never)]
    pub(super) fn misses(&mut self, rank: usize, said: Said, text: &str) {
        if self.try_text(rank, text) && !self.trial.has_matched(rank) {
            self.say(rank, said);
        }
        self.fix = None;
    }

    /// A rule that restricts, and pins a cluster of option letters: the first of two other spellings that no such rule
    /// meets.
    pub(super) fn flag_cluster(&mut self, rank: usize) {
        if self.kind(rank) != SubjectKind::Command || self.allows(rank) || !self.has_language(rank) {
            return;
        }
        let Some(sample) = self.sample(rank) else { return };
        // Of the rule's own words: what the shortest text adds is none of them.
        let mut rest = self.entry(rank).map(content).unwrap_or_default();
        let cluster = loop {
            let (word, behind) = text::split_word(rest);
            if word.is_empty() {
                return;
            }
            rest = behind;
            if let Some(letters) = word.strip_prefix('-')
                && letters.len() > 1
                && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
                && text::contains(sample, word)
            {
                break word;
            }
        };
        let (mut split, mut split_back, mut back) = (String::new(), String::new(), String::from("-"));
        for letter in cluster.chars().skip(1) {
            split.push_str(" -");
            split.push(letter);
            back.insert(1, letter);
        }
        for letter in back.chars().skip(1) {
            split_back.push_str(" -");
            split_back.push(letter);
        }
        let said = if self.policy.config.dialect.engine.tiers().is_some() { FLAG_ORDER } else { ORDER };
        let (before, behind) = text::split_once(sample, cluster).unwrap_or_default();
        let met = |lint: &mut Self, other: &str| {
            let text = [before, text::trim(other), behind].concat();
            !lint.try_text(rank, &text) || lint.is_restricted()
        };
        // Who spells the options apart does so in one order.
        if (!met(self, &split_back) && !met(self, &split)) || !met(self, &back) {
            self.say(rank, said);
        }
    }
}
