//! What a dialect that goes by segments does not see, rule by rule (qwen-code.md section 13).
//!
//! Each row of [`ALLOWED`] and [`UNSEEN`] makes a call of the shortest text that a rule accepts; the rule is reported where
//! that call is let through by it, or is not met by it.

use super::{Lint, Said, Witness, content};
use crate::diagnostic::Diagnostic;
use crate::dialect::segments::{Beside, Guarded};
use crate::dialect::{RiskAxis, Segments};
use crate::policy::kind::SubjectKind;
use crate::policy::segments::suspended::is_suspended;
use crate::rule::{Matcher, tool};
use crate::text;
use crate::vocabulary::{Kind, PermissionMode, RuleList, Severity};

/// What a call is made of: a text before and behind that of the rule.
type Row = (&'static str, &'static str, Said);

/// Of allow rules of the shell.
const ALLOWED: &[Row] = &[
    ("", " 'a\\' ; touch x", (Severity::Warning, "single-quote-backslash", "a backslash in single quotes hides the command behind it")),
    ("NODE_OPTIONS=--require=x ", "", (Severity::Warning, "assignment-ignored", "whatever is assigned in front of the command is let through with it")),
    ("", " > f", (Severity::Warning, "redirect-rides-allow", "the file that the command is redirected to is written with it")),
];

/// Of rules of the shell that deny or ask.
const NESTED: Row = ("sudo ", "", (Severity::Warning, "deny-misses-nested", "the command behind another program, or in a text of a shell, is not met"));
const OPTIONS: Said = (Severity::Warning, "deny-misses-options", "the subcommand behind other options is not met");

const DYNAMIC_REDIRECT: Said =
    (Severity::Warning, "dynamic-redirect-unseen", "a redirect to a path with a variable is not met by this rule");
const WITHOUT_STAR: Said =
    (Severity::Warning, "prefix-without-star", "further words are accepted without a star, too");
const VIRTUAL_GAP: Said = (Severity::Warning, "virtual-operation-gap", "a path in a variable, and programs that are not known, are not met by this rule");
const WITHOUT_SCHEME: Said =
    (Severity::Warning, "host-without-scheme-unseen", "a host without a scheme is not met by this rule");
const IGNORES_LINK: Said =
    (Severity::Warning, "allow-ignores-link", "where a link leads is not looked at by an allow rule");
const READ_UNUSED: Said =
    (Severity::Warning, "read-allow-unused-by-shell", "this rule adds nothing to what the shell may read");
const GUARD_PASSED: Said =
    (Severity::Warning, "guard-passed-by", "in auto mode this rule lets through what the guard would deny");
const KEEPS_BROAD: Said =
    (Severity::Warning, "auto-keeps-broad-rule", "this broad rule is not suspended in auto mode");
const ASK_VOID: Said = (Severity::Info, "ask-void-in-bypass", "this rule does not ask where permissions are bypassed");
const NOT_RETOKENISED: Said =
    (Severity::Warning, "pattern-not-retokenised", "a command is put together again before this is tried, and never looks like it");
const REWRITTEN: Said = (Severity::Warning, "colon-star-rewritten", "every `:*` is read as ` *`");

impl Lint<'_> {
    /// Reports what is to be said of one rule of this engine.
    pub(super) fn weakness(&mut self, rank: usize, advice: &[Diagnostic], tables: &'static Segments) {
        let (Some(entry), Some(fact)) = (self.entry(rank), self.facts.get(rank)) else { return };
        let allows = self.allows(rank);
        let (kind, sample) = (fact.kind, fact.sample.clone());
        let with_content = fact.head.is_some();
        for said in [NOT_RETOKENISED, REWRITTEN] {
            if let Some(advice) = advice.iter().find(|advice| advice.code == said.1) {
                // The hint is what to write, between backquotes.
                let text = advice.hint.as_deref().and_then(|hint| hint.strip_prefix("write `")?.strip_suffix('`'));
                let fix = text.and_then(|text| self.with_content(rank, text));
                self.say(rank, said, None, fix);
            }
        }
        if let (RuleList::Ask, Some(sample)) = (entry.list, &sample) {
            self.void_in_bypass(rank, sample);
        }
        let Some(sample) = sample else { return };
        match (kind, allows) {
            (SubjectKind::Command, true) => self.allowing_line(rank, &sample, tables),
            (SubjectKind::Command, false) if with_content => self.restricting_line(rank, &sample),
            (SubjectKind::Path, true) if with_content => {
                self.say(rank, IGNORES_LINK, None, None);
                if self.is_of(rank, tables.virtual_tools.read) {
                    self.unseen(rank, READ_UNUSED, &["cat ", &sample].concat(), tables);
                }
            }
            (SubjectKind::Path, false) => {
                if self.is_of(rank, tables.virtual_tools.read) {
                    self.unseen(rank, VIRTUAL_GAP, "cat $X", tables);
                } else if with_content {
                    self.dynamic_redirect(rank, tables);
                }
            }
            (SubjectKind::Host, false) if with_content => {
                self.unseen(rank, WITHOUT_SCHEME, &["curl ", &sample].concat(), tables);
            }
            _ => {}
        }
    }

    fn allowing_line(&mut self, rank: usize, sample: &str, tables: &'static Segments) {
        let Some(entry) = self.entry(rank) else { return };
        let content = content(entry);
        for (before, behind, said) in ALLOWED {
            self.lets_through(rank, *said, &[before, sample, behind].concat(), None);
        }
        if let Some(Matcher::Prefix(_)) = entry.rule.rule.matcher {
            let fix = self.with_content(rank, &[content, " *"].concat());
            if let Some((witness, shown)) = self.try_text(rank, &[sample, " -- --danger"].concat())
                && shown.has_decided(rank)
            {
                self.say(rank, WITHOUT_STAR, Some(witness), fix);
            }
        }
        if let RiskAxis::Guard(table) = self.policy.config.dialect.risk {
            let language = self.language(rank);
            let mut lines = table.iter().map(spelled);
            if let Some(line) = lines.find(|line| language.as_ref().is_none_or(|language| language.accepts(line))) {
                self.lets_through(rank, GUARD_PASSED, &line, Some(PermissionMode::Auto));
            }
        }
        let broad = self.runs_anything(rank) || self.is_said(rank, "over-broad");
        if broad && !is_suspended(&entry.rule.rule, tables) {
            self.lets_through(rank, KEEPS_BROAD, sample, Some(PermissionMode::Auto));
        }
    }

    fn restricting_line(&mut self, rank: usize, sample: &str) {
        let (before, behind, said) = NESTED;
        self.misses(rank, said, &[before, sample, behind].concat(), None);
        let (program, rest) = text::split_word(sample);
        if program == "git" && rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.misses(rank, OPTIONS, &["git -c a=b ", rest].concat(), None);
        }
    }

    /// A text that the rule lets through.
    fn lets_through(&mut self, rank: usize, said: Said, text: &str, mode: Option<PermissionMode>) {
        let witness = self.call(rank, text);
        if let Some(shown) = self.show(&witness, mode, &[rank])
            && shown.kind == Kind::Allow
            && shown.has_decided(rank)
        {
            self.say(rank, said, Some(witness), None);
        }
    }

    /// A line that a rule about files or hosts has no say in.
    fn unseen(&mut self, rank: usize, said: Said, line: &str, tables: &'static Segments) {
        let witness = line_of(line, tables);
        if let Some(shown) = self.show(&witness, None, &[rank])
            && !shown.has_matched(rank)
        {
            self.say(rank, said, Some(witness), None);
        }
    }

    fn dynamic_redirect(&mut self, rank: usize, tables: &'static Segments) {
        for other in 0..self.facts.len() {
            let shell = self.facts.get(other).filter(|fact| fact.kind == SubjectKind::Command && self.allows(other));
            let Some(sample) = shell.and_then(|fact| fact.sample.clone()) else { continue };
            let witness = line_of(&[&sample, " > \"$PWD/f\""].concat(), tables);
            let Some(shown) = self.show(&witness, None, &[rank, other]) else { return };
            if shown.kind == Kind::Allow && shown.has_decided(other) && !shown.has_matched(rank) {
                self.say(rank, DYNAMIC_REDIRECT, Some(witness), None);
                return self.relate(other, "this rule lets it through");
            }
        }
    }

    fn void_in_bypass(&mut self, rank: usize, sample: &str) {
        let witness = self.call(rank, sample);
        if let Some(shown) = self.show(&witness, Some(PermissionMode::BypassPermissions), &[rank])
            && shown.kind == Kind::Allow
            && shown.has_matched(rank)
        {
            self.say(rank, ASK_VOID, Some(witness), None);
        }
    }

    fn is_of(&self, rank: usize, tool: &str) -> bool {
        let config = &self.policy.config;
        self.entry(rank).is_some_and(|entry| {
            let named = entry.rule.rule.tool.as_str();
            tool::canonical_call(named, config.dialect, &config.bash_tool) == tool
        })
    }

    fn is_said(&self, rank: usize, code: &str) -> bool {
        let Some(path) = self.entry(rank).map(crate::policy::Entry::path) else { return false };
        self.findings.iter().rev().take_while(|finding| finding.path == path).any(|finding| finding.code == code)
    }
}

/// A line that the guard denies.
fn spelled(guarded: &Guarded) -> String {
    let mut line = String::new();
    for word in guarded.words {
        if !line.is_empty() {
            line.push(' ');
        }
        match word {
            Beside::Is(word) | Beside::Begins(word) => line.push_str(word),
            Beside::Letter(letter) => {
                line.push('-');
                line.push(*letter);
            }
        }
    }
    line
}

fn line_of(line: &str, tables: &Segments) -> Witness {
    let tool = tables.shells.first().copied().unwrap_or_default();
    Witness { tool: tool.into(), argument: Some("command"), text: line.into() }
}
