//! Two rules of one tool: what one does to the other.
//!
//! Rules are compared tool by tool. Of a rule R only those rules E are looked at that answer for all calls of R's tool and
//! whose texts can hold those of R: what all texts of E begin with is what those of R begin with. E has to accept the
//! shortest text of R as well, before the two go through a product.
//!
//! *Redundant* is said more narrowly than containment alone tells, so that taking the rule away changes no decision: where
//! a rule of another behavior stands between, the forms of a command or path may be met by it though its texts are not;
//! and a rule that auto mode sets aside stands in for none that it does not.

use super::product::shortest;
use super::texts::Texts;
use super::{Found, Lint, Said, content, warns_of_rule};
use crate::dialect::{Consult, Engine, Subjects};
use crate::engine::index::Book;
use crate::engine::kind::{self, SubjectKind};
use crate::heads::Heads;
use crate::order::{self, Grow as _};
use crate::policy::Rules;
use crate::rule::tool;
use crate::text;
use crate::vocabulary::{Behavior, RuleList};

const REDUNDANT: Said = warns_of_rule("redundant", "another rule says the same of all of it");
const CONFLICTING: Said =
    warns_of_rule("conflicting", "another rule says otherwise of these calls and decides them");
const SHADOWED: Said = warns_of_rule("shadowed", "another rule says otherwise of all of it and decides it");
const NEVER_CONSULTED: Said =
    warns_of_rule("never-consulted", "a rule for the whole tool settles every call before");
const DECIDES: &str = "this rule decides";
const SAYS_THE_SAME: &str = "this rule accepts all of it";

/// So many steps of a program over a text are one pair of rules.
const STEPS_OF_A_PAIR: usize = 2048;

/// The rules that have to do with those of one tool, by rank.
struct Group {
    /// With content, answering for every call of the tool, by what their texts begin with.
    heads: Heads,
    /// What all of them say; none where they disagree.
    says: Option<Behavior>,
    /// Allow rules among them.
    allows: Vec<usize>,
    /// For the whole tool, and restricting.
    whole: Vec<usize>,
    /// With content, answering for some call of the tool.
    meets: Vec<usize>,
}

impl Lint<'_> {
    /// Compares all rules, tool by tool.
    pub(super) fn compare(&mut self) {
        let entries = &self.policy.config.entries;
        let name = |rank: usize| {
            entries.get(rank).map(|entry| (entry.rule.rule.tool.as_str(), entry.list == RuleList::Allow))
        };
        let by_tool = order::sorted(entries.len(), &mut |a, b| name(a).cmp(&name(b)));
        for ranks in by_tool.chunk_by(|a, b| name(*a) == name(*b)) {
            let Some(first) = ranks.first() else { continue };
            let group = self.group(*first);
            for rank in ranks {
                self.behind_whole(*rank, &group);
                self.behind_content(*rank, &group);
                self.before_lower(*rank, &group);
            }
        }
    }

    /// Names of calls that a rule's tool answers for: enough of them to tell it from any other tool.
    fn called(&self, rank: usize) -> Vec<String> {
        let Some(entry) = self.entry(rank) else { return vec![] };
        let config = &self.policy.config;
        let own = entry.rule.rule.tool.as_str();
        let own_call = match own.strip_suffix("__*") {
            Some(server) => [server, "__x"].concat(),
            None if tool::is_mcp_server(own) => [own, "__x"].concat(),
            None => own.into(),
        };
        let mut names = vec![own_call];
        let mut known: Vec<&str> = vec![&config.bash_tool];
        match config.dialect.engine.tiers() {
            Some(tiers) => {
                for row in tiers.tools {
                    known.push(row.name);
                }
            }
            None => {
                for name in tool::known_names(config.dialect) {
                    known.push(name);
                }
            }
        }
        for name in known {
            let answered = match &self.policy.rules {
                Rules::Tiers(tables, index) => {
                    self.policy.tiered(tables, index).answers(own, entry.list, name)
                }
                Rules::Books(_) => kind::meets(name, own, config.dialect, &config.bash_tool),
            };
            if answered && !names.iter().any(|own| own == name) {
                names.push(name.into());
            }
        }
        names
    }

    /// The rules that answer for calls of that name.
    fn answering(&self, name: &str) -> Vec<usize> {
        match &self.policy.rules {
            Rules::Tiers(tables, index) => self.policy.tiered(tables, index).answering(name),
            Rules::Books(index) => ranks(&index.book(name, &self.policy.config)),
        }
    }

    fn group(&self, rank: usize) -> Group {
        let names = self.called(rank);
        let mut answering = vec![];
        for name in &names {
            answering.grow(self.answering(name));
        }
        // Who answers for every name stands there as often as there are names.
        let answering = order::sort(answering, Ord::cmp);
        let (mut covers, mut meets) = (vec![], vec![]);
        for same in answering.chunk_by(|a, b| a == b) {
            let Some(rank) = same.first() else { continue };
            if same.len() == names.len() {
                covers.push(*rank);
            }
            if self.has_language(*rank) {
                meets.push(*rank);
            }
        }
        let mut group = Group { heads: Heads::default(), says: None, allows: vec![], whole: vec![], meets };
        let mut heads = vec![];
        let kind = self.facts.get(rank).map(|fact| fact.kind);
        for rank in covers {
            let Some(fact) = self.facts.get(rank) else { continue };
            match &fact.head {
                Some(head) if Some(fact.kind) == kind => {
                    let says = self.behavior(rank);
                    group.says = says.filter(|_| heads.is_empty() || group.says == says);
                    heads.push((head.as_str(), rank));
                    if self.allows(rank) {
                        group.allows.push(rank);
                    }
                }
                None if fact.whole && !self.allows(rank) => group.whole.push(rank),
                _ => {}
            }
        }
        group.heads = Heads::of(heads);
        group
    }

    /// A rule for the whole tool that stands before.
    fn behind_whole(&mut self, rank: usize, group: &Group) {
        for other in &group.whole {
            if *other == rank || !self.stands_before(*other, rank) {
                continue;
            }
            let asks = self.entry(*other).is_some_and(|entry| entry.rule.behavior == Behavior::Ask);
            if asks && self.kind(rank) == SubjectKind::Command && self.policy.config.exempt_sandboxed {
                continue;
            }
            let Some(sample) = self.sample(rank) else { return };
            if self.try_text(rank, sample) && self.trial.has_decided(*other) && self.trial.has_matched(rank) {
                let tiers = self.policy.config.dialect.engine.tiers().is_some();
                let said = if tiers && !self.agree(rank, *other) { SHADOWED } else { NEVER_CONSULTED };
                self.say(rank, said);
                return self.relate(*other, DECIDES);
            }
        }
    }

    /// Rules that accept all that this one does.
    fn behind_content(&mut self, rank: usize, group: &Group) {
        let Some(fact) = self.facts.get(rank) else { return };
        let (Some(head), Some(sample)) = (&fact.head, &fact.sample) else { return };
        let mut others = vec![];
        group.heads.find(head, &mut others);
        // Those of one head stand in order: very many are not sorted for each of them.
        if !others.is_sorted() {
            others = order::ascending(others);
        }
        let (mut redundant, mut overruled) =
            (false, group.says.is_some() && group.says == self.behavior(rank));
        for other in others {
            let agree = self.agree(rank, other);
            let open = if agree { !redundant } else { !overruled && self.is_first(other, rank) };
            if other == rank || !open {
                continue;
            }
            let Some(language) = self.language(other) else { continue };
            // What is long on both sides counts as several.
            let steps = language.ops.len().saturating_mul(sample.len());
            if !self.take_pair(rank, (steps / STEPS_OF_A_PAIR).saturating_add(1)) {
                return;
            }
            if !language.accepts(sample) || !self.holds(rank, other) {
                continue;
            }
            if agree {
                redundant = self.redundant(rank, other, sample, group);
            } else {
                let said = if self.holds(other, rank) { CONFLICTING } else { SHADOWED };
                overruled = self.decided_by(rank, other, said, &[]);
            }
            if redundant && overruled {
                return;
            }
        }
    }

    /// Reports that a rule does nothing beside another one, where the shortest call of it is one of both.
    fn redundant(&mut self, rank: usize, other: usize, sample: &str, group: &Group) -> bool {
        if !self.stands_in(other, rank) {
            return false;
        }
        // Of two equal rules the later one is reported.
        if other > rank && (self.holds(other, rank) || !self.is_free_between(rank, other, group)) {
            return false;
        }
        let shows =
            self.try_text(rank, sample) && self.trial.has_matched(rank) && self.trial.has_matched(other);
        if shows {
            self.fix = Some(String::new());
            self.say(rank, REDUNDANT);
            self.relate(other, SAYS_THE_SAME);
        }
        shows
    }

    /// Whether one rule may stand in for another that it accepts all of, in every mode and for every form of a call.
    fn stands_in(&self, other: usize, rank: usize) -> bool {
        let (Some(own), Some(others)) = (self.entry(rank), self.entry(other)) else { return false };
        let immune = |list: RuleList| list == RuleList::BypassImmune;
        let config = &self.policy.config;
        let same_list = match config.dialect.consult {
            Consult::BySource => immune(own.list) == immune(others.list),
            Consult::ByBehavior => true,
        };
        let set_aside = |rank: usize| match (&self.policy.rules, config.dialect.engine) {
            (Rules::Tiers(tables, index), _) => self.policy.tiered(tables, index).is_broad(rank),
            (_, Engine::Segments(tables)) => self.entry(rank).is_some_and(|entry| {
                crate::policy::segments::suspended::is_suspended(&entry.rule.rule, tables)
            }),
            _ => false,
        };
        let rooted =
            |rank: usize| self.entry(rank).is_some_and(|entry| content(entry).starts_with(['/', '~']));
        let fits = if self.is_read_path(rank) {
            // A path that leaves the working directory is only met by an allow rule that begins at a root itself.
            !self.allows(rank) || !rooted(rank) || rooted(other)
        } else {
            // Whether a path of the working directory lies in another folder depends on the call.
            self.kind(rank) != SubjectKind::Path || rooted(rank) == rooted(other)
        };
        same_list && fits && (!self.allows(rank) || set_aside(rank) || !set_aside(other))
    }

    /// Whether a rule is about paths that are tried in several forms.
    fn is_read_path(&self, rank: usize) -> bool {
        let dialect = self.policy.config.dialect;
        matches!(dialect.engine, Engine::Fold)
            && dialect.subjects == Subjects::Read
            && self.kind(rank) == SubjectKind::Path
    }

    /// Whether no rule of another behavior that could meet a call of the first rule stands between the two.
    fn is_free_between(&mut self, rank: usize, other: usize, group: &Group) -> bool {
        if self.policy.config.dialect.consult == Consult::ByBehavior {
            return true;
        }
        for between in &group.meets {
            if *between <= rank || *between >= other || self.agree(rank, *between) {
                continue;
            }
            if !self.take_pair(rank, 1) || self.is_read_path(rank) || self.may_meet(rank, *between) {
                return false;
            }
        }
        true
    }

    /// Whether some form of a call that one rule accepts may be accepted by another.
    fn may_meet(&mut self, rank: usize, other: usize) -> bool {
        let (Some(fact), Some(others)) = (self.facts.get(rank), self.facts.get(other)) else { return true };
        let (Some(own), Some(head)) = (&fact.head, &others.head) else { return true };
        let parts = |own: &str, head: &str| !own.starts_with(head) && !head.starts_with(own);
        if fact.kind == SubjectKind::Command && self.policy.config.dialect.subjects == Subjects::Read {
            // A call may be met by the one as it is written, and by the other in another form.
            return match (plain_start(own), plain_start(head)) {
                (Some(own), Some(head)) => !parts(own, head),
                _ => true,
            };
        }
        if parts(own, head) {
            return false;
        }
        let (Some(a), Some(b)) = (self.language(rank), self.language(other)) else { return true };
        shortest(&[(&a.ops, true), (&b.ops, true)], Texts::Any, &mut self.work) != Found::Nothing
    }

    /// Allow rules of a higher source that let through some of what a rule denies or asks for.
    fn before_lower(&mut self, rank: usize, group: &Group) {
        let Some(entry) = self.entry(rank) else { return };
        let by_source = self.policy.config.dialect.consult == Consult::BySource;
        if self.allows(rank) || entry.list == RuleList::BypassImmune || !by_source {
            return;
        }
        let Some(head) = self.facts.get(rank).and_then(|fact| fact.head.as_deref()) else { return };
        for other in &group.allows {
            let higher =
                self.entry(*other).is_some_and(|other| other.rule.source.index() < entry.rule.source.index());
            let others = self.facts.get(*other).and_then(|fact| fact.head.as_deref()).unwrap_or_default();
            if !higher || !(others.starts_with(head) || head.starts_with(others)) {
                continue;
            }
            if !self.take_pair(rank, 1) {
                return;
            }
            // What holds all of the rule was found before.
            if !self.holds(rank, *other) && self.decided_by(rank, *other, CONFLICTING, &[]) {
                return;
            }
        }
    }

    /// Reports that a rule is overruled by another one, where a call that both accept shows it. `spared` are rules that
    /// decided the calls that were tried before.
    fn decided_by(&mut self, rank: usize, other: usize, said: Said, spared: &[usize]) -> bool {
        let (Some(own), Some(others)) = (self.language(rank), self.language(other)) else { return false };
        let mut refused = vec![];
        for rank in spared {
            refused.grow(self.language(*rank));
        }
        let mut parts = vec![(own.ops.as_slice(), true), (others.ops.as_slice(), true)];
        for refused in &refused {
            parts.push((refused.ops.as_slice(), false));
        }
        let texts = self.texts(self.kind(rank));
        let Found::Text(text) = self.search(&parts, texts, rank, Some(other)) else { return false };
        if !self.try_text(rank, &text) {
            return false;
        }
        let trial = &self.trial;
        if trial.has_decided(other) && trial.has_matched(rank) && !trial.has_decided(rank) {
            self.say(rank, said);
            self.relate(other, DECIDES);
            return true;
        }
        match trial.rule {
            Some(earlier) if spared.len() < SPARED && !spared.contains(&earlier) && earlier != rank => {
                self.decided_by(rank, other, said, &[spared, &[earlier]].concat())
            }
            _ => false,
        }
    }

    /// Whether two rules say the same.
    fn agree(&self, a: usize, b: usize) -> bool {
        self.behavior(a) == self.behavior(b)
    }

    fn behavior(&self, rank: usize) -> Option<Behavior> {
        self.entry(rank).map(|entry| entry.rule.behavior)
    }

    /// Whether what a content rule says comes before what another one does: it is consulted first, or in every mode.
    fn is_first(&self, other: usize, rank: usize) -> bool {
        let immune = |rank: usize| self.entry(rank).is_some_and(|entry| entry.list == RuleList::BypassImmune);
        immune(other) || (other < rank && !immune(rank))
    }

    /// Whether a rule for the whole tool settles a call before another rule is asked.
    fn stands_before(&self, whole: usize, rank: usize) -> bool {
        let place = |rank: usize| {
            let entry = self.entry(rank)?;
            let content = !self.facts.get(rank)?.whole;
            Some(match (self.policy.config.dialect.engine, entry.list, content) {
                (_, RuleList::BypassImmune, _) => 0u8,
                (_, RuleList::Deny, false) => 1,
                (Engine::Tiers(_), RuleList::Deny, true) => 2,
                (Engine::Segments(_), RuleList::Deny, true) => 1,
                (_, RuleList::Ask, false) => 3,
                (Engine::Segments(_), RuleList::Ask, true) => 3,
                (Engine::Fold, _, true) | (_, RuleList::Ask, true) => 4,
                (_, RuleList::Allow, _) => 5,
            })
        };
        match (place(whole), place(rank)) {
            (Some(own), Some(other)) => {
                own < other
                    || (own == other
                        && whole < rank
                        && self.policy.config.dialect.engine.segments().is_some()
                        && self.facts.get(rank).is_some_and(|fact| !fact.whole))
            }
            _ => false,
        }
    }
}

/// How many rules that decided a call are gone round in search of another one.
const SPARED: usize = 3;

/// Every rule of a book that is in force, in order.
fn ranks(book: &Book) -> Vec<usize> {
    let mut all = vec![];
    for list in [&book.bypass_immune, &book.whole_deny, &book.whole_ask, &book.whole_allow, &book.content] {
        all.extend_from_slice(list);
    }
    order::ascending(all)
}

/// What every form of a command begins with, whose written text begins with `head`: quotes, a path before the name and
/// options of git in front of its subcommand would be taken off.
fn plain_start(head: &str) -> Option<&str> {
    let end = head
        .bytes()
        .position(|byte| {
            !(byte.is_ascii_alphanumeric()
                || matches!(byte, b' ' | b'.' | b'_' | b'-' | b':' | b'@' | b',' | b'+' | b'/'))
        })
        .unwrap_or(head.len());
    let (name, behind) = head.split_at_checked(end)?.0.split_once(' ')?;
    if name.is_empty() || name.contains(['/']) || text::contains(behind, "  ") || behind.starts_with(' ') {
        return None;
    }
    let known = if name == "git" {
        if behind.starts_with(|c: char| c.is_ascii_alphabetic()) { end } else { 4 }
    } else {
        end
    };
    head.get(..known)
}
