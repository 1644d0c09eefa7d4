//! Where a shell takes its program from.

use super::word::Word;
use super::wrapper::Given;
use crate::span::Span;

/// The program of a shell. Numbers are those of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A text after `-c`.
    Text(usize),
    /// A file.
    Script(usize),
    /// Standard input.
    Input,
    /// None: `-c` without a text.
    Nothing,
    /// An option known only at run time may carry one.
    Doubt(usize),
}

/// The program of a shell with these words, its name first.
///
/// ```
/// use toolgate::shell::{Program, program, read};
/// let reading = read("bash -euo pipefail -c 'ls'");
/// assert_eq!(program(&reading.commands()[0].words), Program::Text(4));
/// ```
pub fn program(words: &[Word<'_>]) -> Program {
    let mut text = false;
    let mut input = false;
    let mut at = 1usize;
    while let Some(word) = words.get(at) {
        let literal = word.literal();
        let sign = literal.chars().next().filter(|c| matches!(c, '-' | '+'));
        let Some(sign) = sign else { break };
        if matches!(word.value(), Some("-" | "--")) {
            at = at.saturating_add(1);
            break;
        }
        if word.is_open() {
            return Program::Doubt(at);
        }
        let values = if literal.starts_with("--") {
            usize::from(matches!(literal, "--rcfile" | "--init-file"))
        } else {
            text |= sign == '-' && literal.contains(['c']);
            input |= sign == '-' && literal.contains(['s']);
            literal.bytes().filter(|b| matches!(b, b'o' | b'O')).count()
        };
        at = at.saturating_add(values).saturating_add(1);
    }
    let Some(word) = words.get(at) else { return if text { Program::Nothing } else { Program::Input } };
    // A word that may come to nothing leaves the next one in its place.
    let vanishing = word.is_open() && word.literal().is_empty() && !word.is_quoted();
    let later = words.get(at.saturating_add(1)..).unwrap_or_default();
    if text {
        Program::Text(at)
    } else if input || matches!(word.value(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")) {
        Program::Input
    } else if vanishing && later.iter().any(|word| is_cluster(word) && word.literal().contains(['c'])) {
        Program::Doubt(at)
    } else {
        Program::Script(at)
    }
}

/// Letters after one dash.
fn is_cluster(word: &Word<'_>) -> bool {
    word.literal().strip_prefix('-').is_some_and(|letters| !letters.starts_with('-'))
}

/// The text after `-c` or `--command` among words, from word `first` on, wherever it stands; `values` are the
/// letters that take a value.
pub(super) fn carried_text(words: &[Word<'_>], first: usize, values: &str) -> Option<Given<'static>> {
    let given = |word, from| Some(Given { name: "c", word, from, valued: true });
    let mut at = first;
    while let Some(word) = words.get(at) {
        let literal = word.literal();
        let next = at.saturating_add(1);
        at = next;
        if let Some(long) = literal.strip_prefix("--") {
            match long {
                "command" | "session-command" if words.len() > next => return given(next, 0),
                _ => {}
            }
            let attached =
                ["--command=", "--session-command="].into_iter().find(|prefix| literal.starts_with(prefix));
            if let Some(prefix) = attached {
                return given(next.saturating_sub(1), prefix.len());
            }
            continue;
        }
        if !is_cluster(word) {
            continue;
        }
        let Some((place, letter)) =
            literal.char_indices().skip(1).find(|(_, c)| *c == 'c' || values.contains([*c]))
        else {
            continue;
        };
        let after = place.saturating_add(letter.len_utf8());
        let attached = after < literal.len() || word.is_open();
        match (letter, attached) {
            ('c', true) => return given(next.saturating_sub(1), after),
            ('c', false) if words.len() > next => return given(next, 0),
            ('c', false) | (_, true) => {}
            (_, false) => at = next.saturating_add(1),
        }
    }
    None
}

/// From the first to the last of some words.
pub(super) fn span_over(words: &[Word<'_>]) -> Span {
    let spans = words.iter().map(Word::span);
    spans.reduce(|all, span| Span::new(all.start.min(span.start), all.end.max(span.end))).unwrap_or_default()
}
