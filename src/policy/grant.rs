//! The rule that "always allow" would store for a call, where one is sound (auto-stage.md section 10).
//!
//! | subjects | a shell call | others |
//! |---|---|---|
//! | read | what [`suggest`](super::suggest) says of a line of one command at LOW risk, the wider rule first | what it says of a path, host or tool |
//! | raw | the prefix of its first word, assignments and one carrier left out | host, tool |
//! | of tiers, of segments | `tiers::grant`, `segments::grant` | the same |

use super::fold::BASH_TOOL;
use super::suggest::Suggest;
use super::{guarded, segments, tiers};
use crate::dialect::{Dialect, Engine, Subjects};
use crate::engine::call::Call;
use crate::engine::kind::{Kinds, SubjectKind};
use crate::engine::{hazard, subject};
use crate::host::Host;
use crate::risk::{self, RiskLevel};
use crate::rule::tool;
use crate::shell::{self, Command, Context, Hang, Reading};
use crate::text;

/// The rule for calls like this one. It parses, and it accepts this call.
pub fn derive_grant(call: &Call<'_>, dialect: &Dialect, host: Host) -> Option<String> {
    match dialect.engine {
        Engine::Tiers(tables) => tiers::grant::derive(call, tables, dialect, host),
        Engine::Segments(tables) => segments::grant::derive(call, tables, dialect, host),
        Engine::Fold => {
            let suggest = Suggest { tool: call.tool, dialect, host };
            let tokens = tool::call_tokens(call.tool, dialect, BASH_TOOL);
            let kind = Kinds::of(dialect, BASH_TOOL, &[], &[]).kind(&tokens);
            match dialect.subjects {
                Subjects::Read => of_read(call, kind, &suggest),
                Subjects::Raw => of_raw(call, kind, &suggest),
            }
        }
    }
}

fn of_read(call: &Call<'_>, kind: SubjectKind, suggest: &Suggest<'_>) -> Option<String> {
    let Some(subject) = subject::find(call, kind, suggest.dialect, suggest.host) else {
        return if kind == SubjectKind::Text { suggest.of_tool() } else { None };
    };
    match subject.kind {
        SubjectKind::Command => of_line(&subject.text, suggest),
        SubjectKind::Path => suggest.of_path(&subject.text),
        SubjectKind::Host => suggest.of_host(&subject.text),
        SubjectKind::Text => suggest.of_tool(),
    }
}

fn of_line(line: &str, suggest: &Suggest<'_>) -> Option<String> {
    let reading = shell::read(line);
    let ([command], true) = (reading.commands(), reading.is_complete()) else { return None };
    let table = hazard::table(suggest.dialect.risk);
    let risk = risk::assess_command(table, line, &[]).ok()?;
    if !command.full || risk.level != RiskLevel::Low {
        return None;
    }
    let rules = suggest.of_command(&reading, 0);
    rules.head.or(rules.written)
}

fn of_raw(call: &Call<'_>, kind: SubjectKind, suggest: &Suggest<'_>) -> Option<String> {
    match kind {
        SubjectKind::Command => {
            let word = first_word(call.subject.or(call.command)?)?;
            suggest.prefix(&[word, " "].concat())
        }
        SubjectKind::Host => match subject::find(call, kind, suggest.dialect, suggest.host) {
            Some(subject) => suggest.of_host(&subject.text),
            None => suggest.of_tool(),
        },
        SubjectKind::Path | SubjectKind::Text => suggest.of_tool(),
    }
}

/// The word that a line starts, as the 0.5 engine sees it.
fn first_word(line: &str) -> Option<&str> {
    let (mut word, mut rest) = text::split_word(line);
    while is_capital_assignment(word) {
        (word, rest) = text::split_word(rest);
    }
    if matches!(word, "sudo" | "npx" | "yarn") && !rest.is_empty() {
        (word, _) = text::split_word(rest);
    }
    for operator in ["&&", "||", ";"] {
        word = text::split_once(word, operator).map_or(word, |(before, _)| before);
    }
    (!word.is_empty()).then_some(word)
}

/// `NAME=value`, the name of capitals, digits and `_`.
fn is_capital_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// The host that a fetch asks.
pub(super) fn host_of(call: &Call<'_>, host: Host) -> Option<String> {
    match call.subject {
        Some(subject) => host.of_subject(subject),
        None => host.of_url(call.url?),
    }
}

/// The command of a line that is one simple command, alone but for what it carries, and reads no text behind it.
pub(super) fn simple<'r, 't>(reading: &'r Reading<'t>) -> Option<&'r Command<'t>> {
    let (command, others) = reading.commands().split_first()?;
    let alone = command.context == Context::Top && others.iter().all(|other| other.hang == Hang::Behind);
    (alone && reading.is_complete() && !super::suggest::has_heredoc(command)).then_some(command)
}

/// Whether a dialect's own guard finds nothing in a line.
pub(super) fn is_unguarded(line: &str, dialect: &Dialect) -> bool {
    guarded(line, dialect.risk).is_none_or(|risk| risk.findings.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{DSH_0_5, STANDARD};

    #[track_caller]
    fn check(dialect: &Dialect, command: &str, expected: Option<&str>) {
        let call = Call { tool: "Bash", command: Some(command), ..Call::default() };
        assert_eq!(derive_grant(&call, dialect, Host::ASCII).as_deref(), expected, "{command}");
    }

    #[test]
    fn one_harmless_command() {
        check(&STANDARD, " (ls -la) # all", Some("Bash(ls )"));
        check(&STANDARD, "make", Some("Bash(make)"));
        for line in ["ls; ls", "ls | wc", "ls <(id)", "time ls", "chmod 777 x", "ls 'a", "", "f() { ls; }; f"]
        {
            check(&STANDARD, line, None);
        }
    }

    #[test]
    fn first_words_of_the_old_engine() {
        check(&DSH_0_5, "A_1=x  B=2 sudo npx y", Some("Bash(npx )"));
        check(&DSH_0_5, "a=1 ls", Some("Bash(a=1 )"));
        check(&DSH_0_5, "ls&&rm x", Some("Bash(ls )"));
        check(&DSH_0_5, "f(x) y", Some("Bash(f\\(x\\) )"));
        for line in ["", " ", "A=1", "A=1 ; ls", "&& ls", "* x"] {
            check(&DSH_0_5, line, None);
        }
    }

    #[test]
    fn a_subject_of_its_own_is_what_counts() {
        let call = Call { tool: "Bash", subject: Some("ls -la"), command: Some("make"), ..Call::default() };
        assert_eq!(derive_grant(&call, &STANDARD, Host::ASCII).as_deref(), Some("Bash(ls )"));
        let call = Call { tool: "mcp__fs__read", path: Some("a/b"), ..Call::default() };
        assert_eq!(derive_grant(&call, &STANDARD, Host::ASCII).as_deref(), Some("mcp__fs__read(a/b)"));
    }
}
