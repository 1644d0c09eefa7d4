//! What a dialect that decides by tiers tells beside (claude-code.md section 16).
//!
//! | code | of | said where |
//! |---|---|---|
//! | `flag-order` | deny and ask rules | they pin a cluster of option letters |
//! | `fragile-argument` | patterns | a URL or path follows the program, where options may stand |
//! | `other-spelling` | deny and ask rules | another program hides the one that they name |

use super::{Lint, Said, content, tells_of_rule, warns_of_rule};
use crate::dialect::tiers::Words;
use crate::engine::kind::SubjectKind;
use crate::policy::{Rules, dangerous};
use crate::text;

const FRAGILE_ARGUMENT: Said =
    warns_of_rule("fragile-argument", "options before the argument, or another spelling of it, are not met");
const OTHER_SPELLING: Said = tells_of_rule(
    "other-spelling",
    "the text of a shell, a runner or an unknown program hides the command from this rule, here and in the product",
);

/// Words that are never a program.
const KEYWORDS: Words =
    Words("if then elif else fi for while until do done case esac select function { } [[ !");

/// Programs with a word behind which any command follows.
const RUNNERS: &[(&str, &str)] = &[("devbox", "run"), ("mise", "exec"), ("direnv", "exec")];

impl Lint<'_> {
    /// Whether a rule's first word is a word of the shell's own.
    pub(super) fn begins_with_keyword(&self, rank: usize) -> bool {
        let first = self.entry(rank).map(|entry| text::split_word(content(entry)).0).unwrap_or_default();
        self.policy.config.dialect.engine.tiers().is_some() && KEYWORDS.has(first)
    }

    /// Whether an allow rule lets a program run whatever follows, though it accepts no probe.
    pub(super) fn runs_anything(&self, rank: usize) -> bool {
        let Some(entry) = self.entry(rank) else { return false };
        let shell = self.facts.get(rank).is_some_and(|fact| fact.kind == SubjectKind::Command);
        let content = content(entry);
        let mut words = content.split([' ', ':']);
        let pair = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match &self.policy.rules {
            _ if !shell => false,
            Rules::Tiers(tables, index) => {
                (RUNNERS.contains(&pair) && content.contains(['*']))
                    || self.policy.tiered(tables, index).is_broad(rank)
            }
            Rules::Books(_) => {
                self.policy.config.dialect.engine.segments().is_some() && dangerous::runs_anything(content)
            }
        }
    }

    /// Reports what is to be said of one rule of this engine.
    pub(super) fn spelling(&mut self, rank: usize) {
        let Some(entry) = self.entry(rank) else { return };
        if self.kind(rank) != SubjectKind::Command || !self.has_language(rank) {
            return;
        }
        let Some(sample) = self.sample(rank) else { return };
        self.flag_cluster(rank);
        let content = content(entry);
        let (program, rest) = text::split_word(content);
        let argument = text::split_word(rest).0;
        let pinned = text::contains(argument, "://") || argument.starts_with(['/', '~', '.']);
        if pinned && content.contains(['*']) && !program.contains(['*']) {
            let behind = sample.get(program.len()..).unwrap_or_default();
            self.misses(rank, FRAGILE_ARGUMENT, &[program, " -s", behind].concat());
        }
        let shell = self.policy.config.dialect.engine.tiers().map(|tiers| tiers.shell_tool);
        if !self.allows(rank)
            && shell == Some(&entry.rule.rule.tool)
            && !program.contains(['*'])
            && !sample.contains(['\''])
            && self.try_text(rank, &["sh -c '", sample, "'"].concat())
            && !self.is_restricted()
        {
            self.say(rank, OTHER_SPELLING);
        }
    }
}
