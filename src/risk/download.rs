//! Downloads that are run unseen.
//!
//! | the program comes | example |
//! |---|---|
//! | from a pipe behind a downloader | `curl x \| bash` |
//! | from a here string, a heredoc or a process that holds one | `bash <<< "$(curl x)"` |
//! | from a script that is a process with one | `bash <(curl x)` |
//! | from a text, an operand of `eval` or a name that is a substitution with one | `sh -c "$(curl x)"` |

use super::line::{Line, is_one_of, name};
use super::mark::{self, DOWNLOADS, EVALUATES, INTERPRETER, SHELL, UNNAMED};
use crate::order::{Gather as _, Grow as _};
use crate::shell::{Command, Head, Operator, Word};
use crate::span::Span;

const STDIN: &str = "/dev/stdin /dev/fd/0 /proc/self/fd/0";

/// What an interpreter runs.
#[derive(Default)]
struct Program<'r> {
    /// It reads standard input.
    from_stdin: bool,
    /// The file that it runs.
    script: Option<&'r Word<'r>>,
    /// Texts that it runs.
    texts: Vec<&'r Word<'r>>,
}

/// The first interpreter that runs a download.
pub(super) fn to_interpreter(line: &Line<'_, '_>) -> Option<Span> {
    line.first(EVALUATES | SHELL | INTERPRETER | UNNAMED, &|index, command| {
        runs_download(line, index, command)
    })
}

fn runs_download(line: &Line<'_, '_>, index: usize, command: &Command<'_>) -> bool {
    let Some(first) = command.words.first() else { return false };
    if first.value().is_none() {
        return first.runs().commands && holds_downloader(line, first);
    }
    let program = program(command);
    let fed = || {
        line.commands().any(|(from, other)| is_downloader(other) && line.reading.feeds(from, index))
            || line.reading.redirects_of(index).iter().any(|(_, redirect)| {
                let reads = redirect.operator.is_text()
                    || (redirect.operator == Operator::Read && redirect.target.runs().processes);
                reads && holds_downloader(line, &redirect.target)
            })
    };
    (program.from_stdin && fed())
        || program.script.is_some_and(|word| word.runs().processes && holds_downloader(line, word))
        || program.texts.iter().any(|word| word.runs().commands && holds_downloader(line, word))
}

fn is_downloader(command: &Command<'_>) -> bool {
    mark::of(command) & DOWNLOADS != 0
}

fn holds_downloader(line: &Line<'_, '_>, word: &Word<'_>) -> bool {
    let commands = line.reading.commands();
    line.reading.commands_in(word).any(|index| commands.get(index).is_some_and(is_downloader))
}

/// What a command with one of the marks of an interpreter runs.
fn program<'r>(command: &'r Command<'r>) -> Program<'r> {
    let words = command.words.get(1..).unwrap_or_default();
    match mark::of(command) {
        SHELL => of_shell(words),
        INTERPRETER => of_other(words),
        _ if name(command) == Some("eval") => Program { texts: words.iter().gather(), ..Program::default() },
        _ => {
            let script = words.iter().find(|word| word.value() != Some("--"));
            Program { from_stdin: script.is_some_and(is_stdin), script, ..Program::default() }
        }
    }
}

fn is_stdin(word: &Word<'_>) -> bool {
    word.value().is_some_and(|text| is_one_of(STDIN, text))
}

/// Options of a shell end at its first operand, at `--` and at `-`.
fn of_shell<'r>(words: &'r [Word<'r>]) -> Program<'r> {
    let mut program = Program::default();
    let (mut has_text, mut asks_stdin) = (false, false);
    let mut rest = words.iter().peekable();
    while let Some(option) =
        rest.next_if(|word| word.head() == Head::Plain && word.literal().starts_with(['-', '+']))
    {
        let text = option.literal();
        if matches!(text, "-" | "--") {
            break;
        }
        if matches!(text, "--rcfile" | "--init-file") {
            rest.next();
        }
        let letters = if text.starts_with("--") { "" } else { text };
        let is_set = letters.starts_with('-');
        has_text |= is_set && letters.contains(['c']);
        asks_stdin |= is_set && letters.contains(['s']);
        if letters.contains(['o', 'O']) {
            rest.next();
        }
    }
    let operand = rest.next();
    if has_text {
        program.texts.grow(operand);
    } else {
        program.from_stdin =
            asks_stdin || operand.is_none_or(|word| word.value() == Some("-") || is_stdin(word));
        program.script = operand.filter(|_| !asks_stdin);
    }
    program
}

/// Options of the other interpreters: those that bring a program with them are few, and begin alike.
fn of_other<'r>(words: &'r [Word<'r>]) -> Program<'r> {
    const WITH_PROGRAM: &str = "-e -E -c -m -p -n -r --eval --print -Command";
    let mut program = Program::default();
    let mut brings = false;
    let mut rest = words.iter().peekable();
    while let Some(option) = rest.next_if(|word| {
        word.head() == Head::Plain && word.literal().starts_with('-') && word.value() != Some("-")
    }) {
        let text = option.literal();
        if text == "--" {
            break;
        }
        if WITH_PROGRAM.split(' ').any(|start| text.starts_with(start)) {
            brings = true;
            program.texts.push(option);
            program.texts.grow(rest.peek().copied());
        } else if matches!(text, "-W" | "-X") {
            rest.next();
        }
    }
    // `deno run -` and `bun run -` have a word before the script.
    let operand = match rest.next() {
        Some(word) if word.value() == Some("run") => rest.next().or(Some(word)),
        operand => operand,
    };
    if !brings {
        program.from_stdin = operand.is_none_or(|word| word.value() == Some("-") || is_stdin(word));
        program.script = operand;
    }
    program
}
