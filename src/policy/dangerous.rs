//! Allow rules that would let an agent run anything unjudged (fallback.md section 11).
//!
//! | dialect decides by | list |
//! |---|---|
//! | tiers | its own, `tiers::broad` |
//! | segments | agents, skills, and what a shell rule lets run: steps 1 and 2 |
//! | a pipeline | the same, and steps 3 to 6: stars alone, versions, code behind a prefix, programs that carry another one |

use super::{segments, tiers};
use crate::dialect::tiers::Words;
use crate::dialect::{Dialect, Engine, INTERPRETERS};
use crate::host::Host;
use crate::rule::{self, ParsedRule};
use crate::text;

/// Of some allow rules those that are dangerous, as they are written, in their order. One that does not parse allows
/// nothing.
pub fn dangerous<'r>(rules: &[&'r str], dialect: &Dialect, host: Host) -> Vec<&'r str> {
    let mut dangerous = vec![];
    for rule in rules {
        if rule::parse(rule, dialect, host).is_ok_and(|parsed| is_dangerous(&parsed, dialect)) {
            dangerous.push(*rule);
        }
    }
    dangerous
}

fn is_dangerous(rule: &ParsedRule, dialect: &Dialect) -> bool {
    let tool = rule.tool.as_str();
    match dialect.engine {
        Engine::Tiers(tables) => tiers::broad::is_broad(rule, tables.broad),
        Engine::Segments(tables) => segments::suspended::is_suspended(rule, tables),
        Engine::Fold if ALWAYS.has(tool) => true,
        Engine::Fold => SHELLS.has(tool) && runs_anything(rule.content.as_deref().unwrap_or_default()),
    }
}

/// Tools for which every rule is dangerous.
const ALWAYS: Words = Words("* Agent Task TaskTool agent task Skill skill");

/// Tools whose content is a command.
const SHELLS: Words = Words("Bash Shell ShellTool run_shell_command Monitor monitor");

/// Programs that run another one, which follows them.
const CARRIERS: Words =
    Words("sudo doas env nice ionice nohup time timeout stdbuf setsid xargs command builtin watch");

/// Last words behind which code follows, in lower case.
const CODE_FLAGS: Words = Words("-c -e -p -r --eval --print --command -command /c /k");

/// Second words behind which the name of a script follows.
const RUN_WORDS: Words = Words("run run-script exec dlx x");

/// Steps 1 to 6.
pub(super) fn runs_anything(content: &str) -> bool {
    let starred = content.contains(['*']);
    let mut rest = text::trim(content);
    loop {
        rest = rest.trim_start_matches(text::is_blank);
        let (word, behind) = text::split_word(rest);
        if is_assignment(word) {
            rest = behind;
            continue;
        }
        if rest.chars().all(|c| matches!(c, '*' | ':') || text::is_blank(c)) {
            return true;
        }
        let program = ProgramWord::read(word);
        if program.is_of(INTERPRETERS) {
            let last = behind.rsplit(text::is_blank).next().unwrap_or_default();
            return starred
                || (behind.is_empty() && program.after.is_empty())
                || CODE_FLAGS.has(&last.to_ascii_lowercase())
                || RUN_WORDS.has(behind);
        }
        if !program.is_of(CARRIERS) {
            return false;
        }
        // What stands behind the colon is the next word.
        rest = rest.get(word.len().saturating_sub(program.after.len())..).unwrap_or_default();
        let mut dashed = false;
        loop {
            let (word, behind) = text::split_word(rest);
            let dash = word.starts_with('-');
            if !dash && !is_assignment(word) && !is_duration(word) {
                break;
            }
            dashed |= dash;
            rest = behind;
        }
        if dashed && starred {
            return true;
        }
    }
}

/// The word that a program is started by, taken apart: what follows its last slash up to a colon, and what is behind.
pub(super) struct ProgramWord<'w> {
    /// In lower case, without stars and `.exe` at the end.
    name: String,
    /// What follows the colon.
    pub(super) after: &'w str,
}

impl<'w> ProgramWord<'w> {
    pub(super) fn read(word: &'w str) -> Self {
        let last = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let (name, after) = last.split_once(':').unwrap_or((last, ""));
        let name = name.to_ascii_lowercase();
        let name = name.trim_end_matches('*');
        Self { name: name.strip_suffix(".exe").unwrap_or(name).into(), after }
    }

    /// Whether a list names it.
    pub(super) fn is_in(&self, list: Words) -> bool {
        list.has(&self.name)
    }

    /// Whether a list names it, with a version at its end or without.
    fn is_of(&self, list: Words) -> bool {
        let plain = self.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.is_in(list) || list.has(plain)
    }
}

/// `NAME=value`
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Digits and dots, and perhaps the letter of a unit.
fn is_duration(word: &str) -> bool {
    let number = word.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(word);
    number.contains(|c: char| c.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dialect::{DIALECTS, STANDARD};

    #[track_caller]
    fn check(rule: &str, expected: bool) {
        assert_eq!(!dangerous(&[rule], &STANDARD, Host::ASCII).is_empty(), expected, "{rule}");
    }

    #[test]
    fn programs_by_every_spelling() {
        for rule in
            ["Bash(C:\\x\\Python.EXE *)", "Bash(./node*)", "Bash(python3.11.2)", "Bash(R)", "Bash(bash:)"]
        {
            check(rule, true);
        }
        for rule in ["Bash(python:x)", "Bash(pythonista)", "Bash(python x.py)", "Bash(3.11)"] {
            check(rule, false);
        }
    }

    #[test]
    fn what_follows_a_prefix() {
        for rule in ["Bash(node --EVAL)", "Bash(cmd /C)", "Bash(npm exec)", "Bash(A=1 npm run-script)"] {
            check(rule, true);
        }
        for rule in ["Bash(node -e 1)", "Bash(npm run x)", "Bash(npm x y)", "Bash(git run)", "Bash(npm RUN)"]
        {
            check(rule, false);
        }
    }

    #[test]
    fn programs_that_carry_another_one() {
        for rule in [
            "Bash(sudo)",
            "Bash(sudo -u)",
            "Bash(env A=1)",
            "Bash(timeout 1.5s)",
            "Bash(sudo:env:python *)",
            "Bash(nice -n 5 env X=1 python3 -c)",
            "Bash(nohup time bash)",
            "Bash(xargs : *)",
            "Bash(/usr/bin/env python)",
        ] {
            check(rule, true);
        }
        for rule in ["Bash(sudo -u bob apt)", "Bash(timeout 5 make test)", "Bash(env git *)", "Bash(sudos *)"]
        {
            check(rule, false);
        }
    }

    #[test]
    fn content_of_stars_alone() {
        for rule in ["Bash( * )", "Bash(:*)", "Bash(* :)", "Bash(**)", "*(x)", "Bash(A=1 B=2)"] {
            check(rule, true);
        }
    }

    proptest! {
        #[test]
        fn a_carrier_more_never_hides_a_program(carriers in proptest::collection::vec("sudo|env A=1|nice -n 5|time|timeout 3s", 0..6), rest in "python \\*|bash|npm run") {
            let content = carriers.iter().map(|carrier| format!("{carrier} ")).collect::<String>() + &rest;
            prop_assert!(runs_anything(&content));
        }

        #[test]
        fn never_fails(rule in "(Bash|Agent|Skill|x)\\(?[-a-z0-9:*= /.]{0,30}\\)?") {
            for dialect in DIALECTS {
                dangerous(&[&rule], dialect, Host::ASCII);
            }
        }
    }
}
