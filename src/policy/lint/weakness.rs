//! What a dialect that goes by segments does not see, rule by rule (qwen-code.md section 13).
//!
//! Each row of [`ROWS`] makes a call of the shortest text that a rule accepts; the rule is reported where that call is let
//! through by it, or is not met by it.

use super::{Lint, Said, Witness, content, tells_of_rule, warns_of_rule};
use crate::diagnostic::Diagnostic;
use crate::dialect::segments::{Beside, Guarded};
use crate::dialect::{RiskAxis, Segments};
use crate::engine::kind::SubjectKind;
use crate::policy::segments::suspended::is_suspended;
use crate::rule::{Matcher, tool};
use crate::text;
use crate::vocabulary::{PermissionMode, RuleList};

/// Which rules a row is of, one bit each.
type On = u8;
/// Allow rules of a shell.
const ALLOW_LINE: On = 1;
/// Those without a star.
const ALLOW_PREFIX: On = 1 << 1;
/// Rules of a shell that restrict, with content.
const RESTRICT_LINE: On = 1 << 2;
/// Rules of the tool that reads: that allow with content, and that restrict.
const ALLOW_READ: On = 1 << 3;
const RESTRICT_READ: On = 1 << 4;
/// Rules about hosts that restrict.
const RESTRICT_HOST: On = 1 << 5;
/// Rules whose call is let through.
const LET_THROUGH: On = ALLOW_LINE | ALLOW_PREFIX;
/// Rules whose call is one of the shell.
const OF_FILES: On = ALLOW_READ | RESTRICT_READ | RESTRICT_HOST;

/// Of which rules; what stands before their text, and behind it, where it is there at all; and what is said.
const ROWS: &[(On, &str, Option<&str>, Said)] = &[
    (
        ALLOW_LINE,
        "",
        Some(" 'a\\' ; touch x"),
        warns_of_rule("single-quote-backslash", "a backslash in single quotes hides the command behind it"),
    ),
    (
        ALLOW_LINE,
        "NODE_OPTIONS=--require=x ",
        Some(""),
        warns_of_rule("assignment-ignored", "what is assigned before the command is let through with it"),
    ),
    (
        ALLOW_LINE,
        "",
        Some(" > f"),
        warns_of_rule(
            "redirect-rides-allow",
            "the file that the command is redirected to is written with it",
        ),
    ),
    (
        ALLOW_PREFIX,
        "",
        Some(" -- --danger"),
        warns_of_rule("prefix-without-star", "further words are accepted without a star, too"),
    ),
    (
        RESTRICT_LINE,
        "sudo ",
        Some(""),
        warns_of_rule("deny-misses-nested", "the command behind another program is not met"),
    ),
    (
        ALLOW_READ,
        "cat ",
        Some(""),
        warns_of_rule("read-allow-unused-by-shell", "this rule adds nothing to what the shell may read"),
    ),
    (
        RESTRICT_READ,
        "cat $X",
        None,
        warns_of_rule(
            "virtual-operation-gap",
            "a path in a variable, and what unknown programs read, is not met",
        ),
    ),
    (
        RESTRICT_HOST,
        "curl ",
        Some(""),
        warns_of_rule("host-without-scheme-unseen", "a host without a scheme is not met"),
    ),
];

const OPTIONS: Said = warns_of_rule("deny-misses-options", "the subcommand behind other options is not met");
const DYNAMIC_REDIRECT: Said =
    warns_of_rule("dynamic-redirect-unseen", "a redirect to a path with a variable is not met");
const IGNORES_LINK: Said =
    warns_of_rule("allow-ignores-link", "where a link leads is not looked at by an allow rule");
const GUARD_PASSED: Said =
    warns_of_rule("guard-passed-by", "in auto mode this rule lets through what the guard would deny");
const KEEPS_BROAD: Said =
    warns_of_rule("auto-keeps-broad-rule", "this broad rule is not suspended in auto mode");
const ASK_VOID: Said =
    tells_of_rule("ask-void-in-bypass", "this rule does not ask where permissions are bypassed");
/// What the check of a configuration says as well.
const ADVISED: [Said; 2] = [
    warns_of_rule(
        "pattern-not-retokenised",
        "a command is put together again before this is tried, and never looks like it",
    ),
    warns_of_rule("colon-star-rewritten", "every `:*` is read as ` *`"),
];

impl Lint<'_> {
    /// Reports what is to be said of one rule of this engine.
    pub(super) fn weakness(&mut self, rank: usize, advice: &[Diagnostic], tables: &'static Segments) {
        let Some(entry) = self.entry(rank) else { return };
        for said in ADVISED {
            let Some(own) = advice.iter().find(|advice| advice.code == said.1) else { continue };
            // The hint is what to write, between backquotes.
            let text = own.hint.as_deref().and_then(|hint| hint.strip_prefix("write `")?.strip_suffix('`'));
            self.fix = text.and_then(|text| self.with_content(rank, text));
            self.span = own.span;
            self.trial.witness = None;
            self.say(rank, said);
        }
        let Some(sample) = self.sample(rank) else { return };
        if entry.list == RuleList::Ask
            && self.try_in(rank, sample, Some(PermissionMode::BypassPermissions))
            && self.trial.allowed
            && self.trial.has_matched(rank)
        {
            self.say(rank, ASK_VOID);
        }
        let (allows, with_content) = (self.allows(rank), self.has_language(rank));
        let config = &self.policy.config;
        let reads = tool::canonical_call(&entry.rule.rule.tool, config.dialect, &config.bash_tool)
            == tables.virtual_tools.read;
        let on = match (self.kind(rank), allows) {
            (SubjectKind::Command, true) => match entry.rule.rule.matcher {
                Some(Matcher::Prefix(_)) => ALLOW_LINE | ALLOW_PREFIX,
                _ => ALLOW_LINE,
            },
            (SubjectKind::Command, false) if with_content => RESTRICT_LINE,
            (SubjectKind::Path, true) if with_content && reads => ALLOW_READ,
            (SubjectKind::Path, false) if reads => RESTRICT_READ,
            (SubjectKind::Host, false) if with_content => RESTRICT_HOST,
            _ => 0,
        };
        for (of, before, behind, said) in ROWS {
            if of & on != 0 {
                let own = behind.map_or("", |_| sample);
                let text = [before, own, behind.unwrap_or_default()].concat();
                self.row(rank, *of, &text, *said, tables);
            }
        }
        if on & ALLOW_LINE != 0 {
            self.in_auto(rank, sample, tables);
        } else if on == RESTRICT_LINE {
            if let Some(rest) =
                sample.strip_prefix("git ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            {
                self.misses(rank, OPTIONS, &["git -c a=b ", rest].concat());
            }
        } else if self.kind(rank) == SubjectKind::Path && with_content {
            if allows {
                self.trial.witness = None;
                self.say(rank, IGNORES_LINK);
            } else if !reads {
                self.dynamic_redirect(rank, tables);
            }
        }
    }

    /// Tries the call of a row.
    fn row(&mut self, rank: usize, of: On, text: &str, said: Said, tables: &Segments) {
        let tried = if of & OF_FILES != 0 {
            self.try_call(rank, line_of(text, tables), None)
        } else {
            self.try_text(rank, text)
        };
        let lets_through = of & LET_THROUGH != 0;
        let shown = if lets_through {
            self.trial.allowed && self.trial.has_decided(rank)
        } else {
            !self.trial.has_matched(rank)
        };
        if tried && shown {
            if of == ALLOW_PREFIX {
                let content = self.entry(rank).map(content).unwrap_or_default();
                self.fix = self.with_content(rank, &[content, " *"].concat());
            }
            self.say(rank, said);
        }
    }

    /// What an allow rule of a shell lets through in auto mode.
    fn in_auto(&mut self, rank: usize, sample: &str, tables: &'static Segments) {
        let Some(entry) = self.entry(rank) else { return };
        let auto = Some(PermissionMode::Auto);
        if let RiskAxis::Guard(table) = self.policy.config.dialect.risk {
            let language = self.language(rank);
            for guarded in table {
                let line = spelled(guarded);
                if language.as_ref().is_none_or(|language| language.accepts(&line)) {
                    if self.try_in(rank, &line, auto) && self.trial.allowed && self.trial.has_decided(rank) {
                        self.say(rank, GUARD_PASSED);
                    }
                    break;
                }
            }
        }
        let path = entry.path();
        let broad = |finding: &super::Finding| finding.code == "over-broad" && finding.path == path;
        if !is_suspended(&entry.rule.rule, tables)
            && (self.runs_anything(rank) || self.findings.iter().rev().take(OF_ONE_RULE).any(broad))
            && self.try_in(rank, sample, auto)
            && self.trial.allowed
            && self.trial.has_decided(rank)
        {
            self.say(rank, KEEPS_BROAD);
        }
    }

    /// Of a rule about files that are written: the first allow rule of a shell that lets a redirect through.
    fn dynamic_redirect(&mut self, rank: usize, tables: &Segments) {
        for other in 0..self.facts.len() {
            let shell = self.kind(other) == SubjectKind::Command && self.allows(other);
            let Some(sample) = self.sample(other).filter(|_| shell) else { continue };
            let witness = line_of(&[sample, " > \"$PWD/f\""].concat(), tables);
            if !self.try_call(rank, witness, None) {
                return;
            }
            if self.trial.allowed && self.trial.has_decided(other) && !self.trial.has_matched(rank) {
                self.say(rank, DYNAMIC_REDIRECT);
                return self.relate(other, "this rule lets it through");
            }
        }
    }
}

/// More findings than there are of one rule by itself.
const OF_ONE_RULE: usize = 16;

/// A line that the guard denies.
fn spelled(guarded: &Guarded) -> String {
    let mut line = String::new();
    for word in guarded.words {
        line.push(' ');
        match word {
            Beside::Is(word) | Beside::Begins(word) => line.push_str(word),
            Beside::Letter(letter) => {
                line.push('-');
                line.push(*letter);
            }
        }
    }
    text::trim(&line).into()
}

fn line_of(line: &str, tables: &Segments) -> Witness {
    let tool = tables.shells.first().unwrap_or_default();
    Witness { tool: tool.into(), argument: Some("command"), text: line.into() }
}
