//! Whether a line only reads, judged on its syntax (`qwen-code.md` section 9).
//!
//! What a program does follows from the dialect's tables alone; what they do not name is unknown. A line does what the
//! worst of its commands does: write, then nothing known, then read.

use crate::dialect::Segments;
use crate::dialect::segments::{Operands, Reader, Script};
use crate::dialect::tiers::Words;
use crate::order::Gather as _;
use crate::shell::{Command, Context, Reading, Word};

/// What a line does, the harmless first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// It only reads.
    Reads,
    /// Nothing is known of it.
    Unknown,
    /// It writes.
    Writes,
}

/// What the commands of a line do.
pub(super) fn effect(reading: &Reading<'_>, tables: &Segments) -> Effect {
    // What runs behind a command is as little known as the command that it stands behind.
    let commands = || reading.commands().iter().filter(|command| command.full);
    let whole = commands().next().is_some() && reading.is_complete() && reading.functions().is_empty();
    let least = if whole { Effect::Reads } else { Effect::Unknown };
    commands().map(|command| of_command(command, tables)).fold(least, Effect::max)
}

fn of_command(command: &Command<'_>, tables: &Segments) -> Effect {
    if command.redirects.iter().any(|redirect| redirect.operator.writes()) {
        return Effect::Writes;
    }
    let known =
        matches!(command.context, Context::Top | Context::Substitution | Context::ProcessSubstitution);
    if !known || !command.assignments.is_empty() {
        return Effect::Unknown;
    }
    let Some((name, arguments)) = command.words.split_first() else { return Effect::Unknown };
    let Some(name) = name.value() else { return Effect::Unknown };
    let first = arguments.first().and_then(Word::value).unwrap_or_default();
    let reader = tables.readers.iter().find(|reader| {
        reader.names.has(name) && (reader.subcommands.is_empty() || reader.subcommands.has(first))
    });
    if let Some(reader) = reader {
        let skipped = usize::from(!reader.subcommands.is_empty());
        return of_reader(reader, arguments.get(skipped..).unwrap_or_default());
    }
    let writes = tables.writers.iter().any(|(programs, subcommands, unless)| {
        programs.has(name)
            && (subcommands.is_empty() || subcommands.has(first))
            && (unless.is_empty() || !arguments.iter().any(|word| word.value() == Some(unless)))
    });
    if writes { Effect::Writes } else { Effect::Unknown }
}

fn of_reader(reader: &Reader, arguments: &[Word<'_>]) -> Effect {
    let any = matches!(reader.operands, Operands::Any);
    if any && reader.writes.is_empty() && reader.unsure.is_empty() {
        return Effect::Reads;
    }
    // An option may hide in what is known at run time only.
    let least =
        if arguments.iter().all(|word| word.value().is_some()) { Effect::Reads } else { Effect::Unknown };
    let words: Vec<&str> = arguments.iter().filter_map(Word::value).gather();
    let given = |options: Words| words.iter().any(|word| options.any(&mut |option| is_given(word, option)));
    if given(reader.writes) {
        return Effect::Writes;
    }
    let unsure = if given(reader.unsure) { Effect::Unknown } else { Effect::Reads };
    let mut operands = words.iter().filter(|word| !is_option(word));
    let by_operands = match &reader.operands {
        Operands::Any => Effect::Reads,
        Operands::Most(most) if operands.by_ref().count() > *most => Effect::Writes,
        Operands::Most(_) => Effect::Reads,
        Operands::Script(script) => {
            // Without `-e` the first operand is the script, and the others are files.
            let scripts = given(Words("-e --expression"));
            let script_alone = [operands.next().copied().unwrap_or_default()];
            let tried =
                if scripts || *script == Script::Awk { words.as_slice() } else { script_alone.as_slice() };
            if tried.iter().all(|word| is_harmless(*script, word)) { Effect::Reads } else { Effect::Unknown }
        }
        Operands::Verbs(verbs, options) => match operands.next() {
            Some(verb) if !verbs.has(verb) => Effect::Writes,
            _ if words.iter().all(|word| !is_option(word) || options.has(word)) => Effect::Reads,
            _ => Effect::Unknown,
        },
        Operands::Behind(lists, shows) => {
            let known = |word: &&&str| {
                let name = word.split('=').next().unwrap_or_default();
                lists.has(name) || shows.has(name)
            };
            let strange = words.iter().any(|word| is_option(word) && !known(&word));
            match (operands.next(), given(*lists), strange) {
                (_, _, true) => Effect::Unknown,
                (Some(_), false, _) => Effect::Writes,
                _ => Effect::Reads,
            }
        }
    };
    least.max(unsure).max(by_operands)
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Whether `word` gives `option`: `-x` also in a cluster of letters, `--name` also cut short or with a value.
fn is_given(word: &str, option: &str) -> bool {
    match (option.strip_prefix("--"), option.strip_prefix('-')) {
        (Some(name), _) => {
            let given = word.strip_prefix("--").and_then(|given| given.split('=').next());
            given.is_some_and(|given| !given.is_empty() && name.starts_with(given))
        }
        (None, Some(letter)) if letter.len() == 1 => {
            let cluster = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'));
            cluster.is_some_and(|cluster| crate::text::contains(cluster, letter))
        }
        _ => word == option,
    }
}

/// Whether nothing in a word could be a command of the script language that writes or runs something.
fn is_harmless(script: Script, word: &str) -> bool {
    match script {
        Script::Awk => {
            !["system", "getline", ">", "|", "@"].iter().any(|danger| crate::text::contains(word, danger))
        }
        Script::Sed => {
            let attached = word.strip_prefix("--expression=").or_else(|| {
                let cluster = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
                cluster.split_once(['e']).map(|(_, script)| script)
            });
            is_harmless_sed(attached.unwrap_or(word))
        }
    }
}

/// Goes through the commands of a `sed` script. What it takes for one that writes may be none: doubt is not harmless.
fn is_harmless_sed(script: &str) -> bool {
    let mut rest = script.chars();
    let mut at_command = true;
    while let Some(c) = rest.next() {
        match c {
            'w' | 'W' | 'e' if at_command => return false,
            's' | 'y' if at_command => {
                let Some(delimiter) = rest.next() else { return true };
                for _ in 0..2 {
                    skip_behind(&mut rest, delimiter);
                }
                for flag in rest.by_ref() {
                    match flag {
                        'w' | 'e' => return false,
                        ';' | '\n' | '}' => break,
                        _ => {}
                    }
                }
            }
            '/' if at_command => skip_behind(&mut rest, '/'),
            ';' | '\n' | '{' | '}' | '!' => at_command = true,
            _ if c.is_ascii_digit() || matches!(c, ' ' | '\t' | ',' | '$' | '~' | '+') => {}
            _ => at_command = false,
        }
    }
    true
}

fn skip_behind(rest: &mut core::str::Chars<'_>, end: char) {
    while let Some(c) = rest.next() {
        if c == '\\' {
            rest.next();
        } else if c == end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Engine, QWEN_CODE_0_24};

    #[track_caller]
    fn check(line: &str, expected: Effect) {
        let Engine::Segments(tables) = QWEN_CODE_0_24.engine else { panic!("another engine") };
        assert_eq!(effect(&crate::shell::read(line), tables), expected, "{line:?}");
    }

    #[test]
    fn reads() {
        for line in [
            "ls -la",
            "cat a | grep b",
            "cd /x && ls",
            "git status",
            "git log --oneline -5",
            "git branch",
            "git branch -a --list 'x*'",
            "git remote -v",
            "git remote show origin",
            "sed -n 1,10p words",
            "sed -n -e 1,10p -e 's/a/we/' f",
            "sed 's/foo/world/g' f",
            "awk '{print $1}' f",
            "echo $(cat x)",
            "find . -name '*.ts'",
            "sort -r f",
        ] {
            check(line, Effect::Reads);
        }
    }

    #[test]
    fn writes() {
        for line in [
            "cat a > b",
            "rm x",
            "echo $(rm x)",
            "find . -delete",
            "sed -i s/a/b/ f",
            "sed -ni.bak p f",
            "sort -ro f g",
            "sort --outp=f g",
            "git push",
            "git branch new",
            "git remote add a b",
            "git log --output=f",
            "uniq a b",
            "kill 1",
            "ls && rm x",
        ] {
            check(line, Effect::Writes);
        }
    }

    #[test]
    fn unknown() {
        for line in [
            "",
            "npm test",
            "FOO=1 ls",
            "less f",
            "kill -0 1",
            "LS",
            "/bin/ls",
            "git -C x status",
            "git branch -D x",
            "find . -exec ls {} +",
            "sort $X",
            "sed 'w f' g",
            "sed -e p -ne'1w f' g",
            "sed 's/a/b/e' g",
            "awk 'BEGIN{system(\"x\")}'",
            "(ls)",
            "ls() { rm; }; ls",
            "ls 'open",
            "$X",
        ] {
            check(line, Effect::Unknown);
        }
    }
}
