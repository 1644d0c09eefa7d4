//! Which rule settles a part of a call (`qwen-code.md` sections 3 and 6 to 8).
//!
//! Tier by tier: `bypassImmune` and deny, ask, allow; in each the session's rules first, then the others as they stand.
//! The rules of a book are in that order already, so the first one that accepts is the one.

use crate::order::Gather as _;
use std::borrow::Cow;

use super::suspended;
use crate::dialect::Segments;
use crate::engine::config::Config;
use crate::engine::decide::RuleRef;
use crate::engine::entry::Entry;
use crate::engine::index::Book;
use crate::engine::subject::Seen;
use crate::json::Json;
use crate::path::{Lexical, Root};
use crate::rule::language::Language;
use crate::rule::{self, Anchor, Matcher, Parameter, ParsedRule, PermissionRule, brace_glob};
use crate::vocabulary::{Behavior, Kind, Stage};

/// What a part of a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) kind: Kind,
    pub(super) stage: Stage,
    pub(super) rule: Option<RuleRef>,
}

impl Settled {
    /// What no rule decided.
    pub(super) const fn unruled(kind: Kind, stage: Stage) -> Self {
        Self { kind, stage, rule: None }
    }

    /// The stricter one; of equals one that a rule decided, and the first of these.
    pub(super) fn or_stricter(self, other: Self) -> Self {
        if other.strictness() > self.strictness() { other } else { self }
    }

    fn strictness(&self) -> (u8, bool) {
        let kind = match self.kind {
            Kind::Allow => 0,
            Kind::Passthrough => 1,
            Kind::Ask => 2,
            Kind::Deny => 3,
        };
        (kind, self.rule.is_some())
    }
}

/// What rules are tried on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried<'t> {
    /// A segment, put together again.
    pub(super) line: Option<&'t str>,
    /// The written path, from the root.
    pub(super) path: Option<&'t Lexical<'t>>,
    /// The real path.
    pub(super) real_path: Option<&'t Lexical<'t>>,
    /// The host, in lower case.
    pub(super) host: Option<&'t str>,
    /// The text of any other tool.
    pub(super) text: Option<&'t str>,
    /// All arguments.
    pub(super) arguments: Option<&'t Json>,
    /// Something of it could not be read: no allow rule with content accepts it (invariant "seen").
    pub(super) unread: bool,
}

/// Which rules are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Those that deny or ask.
    Restricting,
    /// All of them.
    All,
    /// All but the allow rules that auto mode suspends.
    NotSuspended,
}

/// The rules of a policy and the grants of a session, and the places that paths start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'r> {
    pub(super) config: &'r Config,
    pub(super) tables: &'static Segments,
    /// Grants that answer for the call's tool, with their places in the state.
    pub(super) grants: &'r [(usize, &'r PermissionRule)],
    pub(super) places: &'r Places<'r>,
}

impl<'r> Rules<'r> {
    /// The first rule that accepts.
    pub(super) fn first(&self, book: &Book, tried: &Tried<'_>, asked: Asked) -> Option<Settled> {
        let by_rank = |rank: usize| self.entry(rank).filter(|entry| self.accepts(&entry.rule, tried));
        if let Some(rank) = book.bypass_immune.iter().copied().find(|rank| by_rank(*rank).is_some()) {
            let rule = Some(RuleRef::Rule(rank));
            return Some(Settled { kind: Kind::Deny, stage: Stage::BypassImmune, rule });
        }
        let candidates = match tried.line {
            Some(line) => book.candidates(&Seen::of(line)),
            None => Cow::Borrowed(book.content.as_slice()),
        };
        for (behavior, whole) in [
            (Behavior::Deny, &book.whole_deny),
            (Behavior::Ask, &book.whole_ask),
            (Behavior::Allow, &book.whole_allow),
        ] {
            if behavior == Behavior::Allow {
                if asked == Asked::Restricting {
                    return None;
                }
                let granted = self
                    .grants
                    .iter()
                    .find(|(_, grant)| self.is_asked(&grant.rule, asked) && self.accepts(grant, tried));
                if let Some((place, grant)) = granted {
                    return Some(settled(RuleRef::Grant(*place), grant));
                }
            }
            let in_force = |rank: &usize| {
                self.entry(*rank).is_some_and(|entry| {
                    entry.rule.behavior == behavior
                        && (behavior != Behavior::Allow || self.is_asked(&entry.rule.rule, asked))
                })
            };
            let whole = whole.iter().copied().find(in_force);
            let content = candidates.iter().copied().filter(in_force).find(|rank| by_rank(*rank).is_some());
            if let Some(rank) = whole.into_iter().chain(content).min()
                && let Some(entry) = self.entry(rank)
            {
                return Some(settled(RuleRef::Rule(rank), &entry.rule));
            }
        }
        None
    }

    /// Whether a book has a rule that denies or asks.
    pub(super) fn restricts(&self, book: &Book) -> bool {
        let lists = [&book.bypass_immune, &book.whole_deny, &book.whole_ask];
        let content =
            |rank: &usize| self.entry(*rank).is_some_and(|entry| entry.rule.behavior != Behavior::Allow);
        lists.iter().any(|list| !list.is_empty()) || book.content.iter().any(content)
    }

    fn entry(&self, rank: usize) -> Option<&'r Entry> {
        self.config.entries.get(rank)
    }

    fn is_asked(&self, rule: &ParsedRule, asked: Asked) -> bool {
        asked != Asked::NotSuspended || !suspended::is_suspended(rule, self.tables)
    }

    /// Whether a rule accepts.
    pub(super) fn accepts(&self, rule: &PermissionRule, tried: &Tried<'_>) -> bool {
        let allows = rule.behavior == Behavior::Allow;
        let parsed = &rule.rule;
        let Some(matcher) = &parsed.matcher else { return true };
        if allows && tried.unread {
            return false;
        }
        let parameters =
            || parsed.parameters.iter().all(|parameter| has_parameter(tried.arguments, parameter));
        let accepted = match matcher {
            Matcher::Path(anchor, glob) => {
                // Where a link leads is looked at by what restricts only.
                let real = tried.real_path.filter(|_| !allows);
                tried.path.into_iter().chain(real).any(|path| self.accepts_path(*anchor, glob, path))
            }
            Matcher::Domain(_) => tried.host.is_some_and(|host| rule::accepts_host(matcher, host)),
            Matcher::Parameter(parameter) => has_parameter(tried.arguments, parameter),
            _ if tried.line.is_some() => tried.line.is_some_and(|line| rule::accepts_line(matcher, line)),
            Matcher::Exact(text) => tried.text == Some(text),
            Matcher::Prefix(_) | Matcher::Wildcard(_) => false,
        };
        accepted && parameters()
    }

    /// Whether a glob accepts a path, seen from the glob's anchor.
    fn accepts_path(&self, anchor: Anchor, glob: &str, path: &Lexical<'_>) -> bool {
        let drive = glob.split_at_checked(2).filter(|(drive, _)| anchor == Anchor::Cwd && is_drive(drive));
        if let Some((drive, rest)) = drive {
            return accepts_below(&Lexical::read(drive), rest, path);
        }
        accepts_below(self.places.base(anchor), glob, path)
    }
}

/// Where globs start from.
#[derive(Debug)]
pub(super) struct Places<'p> {
    root: Lexical<'p>,
    home: Lexical<'p>,
    project: Lexical<'p>,
    cwd: Lexical<'p>,
}

impl<'p> Places<'p> {
    /// What is not known stands for itself: the home directory as `~`, the others as where relative paths start.
    pub(super) fn new(config: &'p Config, cwd: Option<&'p str>) -> Self {
        let known = |place: Option<&'p str>| place.filter(|place| !place.is_empty());
        let (cwd, project) = (known(cwd), known(config.project_root.as_deref()));
        Self {
            root: Lexical::read("/"),
            home: Lexical::read(known(config.home.as_deref()).unwrap_or("~")),
            project: Lexical::read(project.or(cwd).unwrap_or_default()),
            cwd: Lexical::read(cwd.or(project).unwrap_or_default()),
        }
    }

    fn base(&self, anchor: Anchor) -> &Lexical<'p> {
        match anchor {
            Anchor::Root => &self.root,
            Anchor::Home => &self.home,
            Anchor::Project => &self.project,
            Anchor::Cwd => &self.cwd,
        }
    }

    /// The paths from the root that a glob accepts. None where it climbs, or where its anchor is not known.
    pub(super) fn language(&self, anchor: Anchor, glob: &str) -> Option<Language> {
        let mut names = vec![];
        for name in glob.split(['/']) {
            match name {
                "" | "." => {}
                ".." => return None,
                name => names.push(name),
            }
        }
        let base = self.base(anchor);
        let drive = names.first().is_some_and(|name| is_drive(name));
        if base.root() != Root::Absolute || drive {
            return None;
        }
        let base = base.text();
        let base = base.trim_end_matches(['/']);
        let program = brace_glob::compile(&names.join("/"));
        let mut made = Language::default();
        made.text(base);
        made.text("/");
        made.append(&program);
        if brace_glob::run(&program, "") {
            let mut itself = Language::default();
            itself.text(base);
            made = made.or(&itself);
        }
        Some(made)
    }
}

/// Whether a glob that starts at `base` accepts a path.
fn accepts_below(base: &Lexical<'_>, glob: &str, path: &Lexical<'_>) -> bool {
    let names = || glob.split(['/']).filter(|name| !matches!(*name, "" | "."));
    if names().any(|name| name == "..") {
        let mut base = base.clone();
        let mut kept: Vec<&str> = vec![];
        for name in names() {
            match name {
                ".." if kept.pop().is_none() => base = base.join(".."),
                ".." => {}
                name => kept.push(name),
            }
        }
        return path
            .rest_under(&base)
            .is_some_and(|rest| brace_glob::accepts(&kept.join("/"), &rest.join("/")));
    }
    path.rest_under(base).is_some_and(|rest| {
        // Most rules part from a path at a plain name, long before there is anything to match.
        let plain = |name: &&str| !name.contains(['*', '?', '[', '{', '\\']);
        let parts = rest.iter().zip(names().take_while(plain)).any(|(name, wanted)| *name != wanted);
        !parts && brace_glob::accepts(&names().gather().join("/"), &rest.join("/"))
    })
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

fn settled(at: RuleRef, rule: &PermissionRule) -> Settled {
    let stage = match (rule.rule.is_whole_tool(), rule.behavior) {
        (false, _) => Stage::ContentRule,
        (true, Behavior::Deny) => Stage::ToolDeny,
        (true, Behavior::Ask) => Stage::ToolAsk,
        (true, Behavior::Allow) => Stage::ToolAllow,
    };
    Settled { kind: rule.behavior.into(), stage, rule: Some(at) }
}

/// Whether an argument is there, is a text or a number, and has that value.
fn has_parameter(arguments: Option<&Json>, parameter: &Parameter) -> bool {
    match arguments.and_then(|arguments| arguments.get(&parameter.name)) {
        Some(Json::Text(text) | Json::Number(text)) => rule::accepts_parameter(&parameter.value, text),
        _ => false,
    }
}
