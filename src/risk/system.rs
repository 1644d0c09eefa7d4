//! Other users, a halt of the machine, and signals to all.

use super::args::{Options, arguments, operands};
use super::line::{Line, is_one_of, name};
use super::mark::{HALTS, Marks, OTHER_USER, SIGNALS};
use crate::shell::Word;
use crate::span::Span;

/// The first command that runs with another user's rights.
pub(super) fn other_user(line: &Line<'_, '_>) -> Option<Span> {
    first(line, OTHER_USER, |_, _| true)
}

/// The first command that halts or restarts the machine.
pub(super) fn halt(line: &Line<'_, '_>) -> Option<Span> {
    first(line, HALTS, |name, words| match name {
        "init" | "telinit" => words.iter().skip(1).any(|word| matches!(word.value(), Some("0" | "6"))),
        "systemctl" => {
            let options = Options { letters: "HMnopst", attached: "", long: "host machine type property" };
            let operands = operands(&arguments(words, options));
            let verb = operands.first().and_then(|word| word.value());
            verb.is_some_and(|verb| is_one_of("poweroff reboot halt kexec", verb))
        }
        _ => true,
    })
}

/// The first signal to process 1 or to every process.
pub(super) fn kill_init(line: &Line<'_, '_>) -> Option<Span> {
    first(line, SIGNALS, |_, words| kills_init(words))
}

/// `kill [-s SIGNAL | -n NUMBER | -SIGNAL] [--] PROCESS…`: only the first word with a dash can be a signal.
fn kills_init(words: &[Word<'_>]) -> bool {
    let mut rest = words.iter().skip(1);
    let mut signal_due = true;
    let mut hits = false;
    while let Some(word) = rest.next() {
        let text = word.value().unwrap_or("");
        let signal = match text.strip_prefix('-').filter(|option| !option.is_empty()) {
            Some("l" | "L" | "-list" | "-table") if signal_due => return false,
            Some("s" | "n" | "-signal") if signal_due => rest.next().and_then(|word| word.value()),
            Some("-") => {
                signal_due = false;
                continue;
            }
            Some(long) if signal_due && long.starts_with('-') => long.strip_prefix("-signal="),
            Some(name) if signal_due => Some(name),
            _ => {
                signal_due = false;
                hits |= matches!(text.parse::<i64>(), Ok(1 | -1));
                continue;
            }
        };
        signal_due = false;
        if matches!(signal, Some("0" | "EXIT" | "SIGEXIT")) {
            return false;
        }
    }
    hits
}

fn first(line: &Line<'_, '_>, marks: Marks, fires: fn(&str, &[Word<'_>]) -> bool) -> Option<Span> {
    line.first(marks, &|_, command| name(command).is_some_and(|name| fires(name, &command.words)))
}
