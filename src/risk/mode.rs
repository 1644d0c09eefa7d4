//! Modes that let everyone write.

use super::line::{Line, name};
use crate::span::Span;

/// The first `chmod` whose mode lets others write.
pub(super) fn world_writable(line: &Line<'_, '_>) -> Option<Span> {
    let opens = |(_, command): &(usize, &crate::shell::Command<'_>)| {
        // The mode is the first word that is no option; `-w` and its like are modes that take away.
        let is_option = |text: &str| {
            text.starts_with("--")
                || text
                    .strip_prefix('-')
                    .is_some_and(|letters| letters.starts_with(['R', 'v', 'c', 'f', 'h', 'H', 'L', 'P']))
        };
        let by_reference = command.words.iter().any(|word| word.literal().starts_with("--ref"));
        let mode = command.words.iter().skip(1).find(|word| !is_option(word.literal()));
        name(command) == Some("chmod")
            && !by_reference
            && mode.and_then(|word| word.value()).is_some_and(|mode| mode.split(',').any(lets_others_write))
    };
    line.commands().find(opens).map(|(_, command)| command.span)
}

/// `[ugoa]*` and one or more of `[-+=]` with letters or octal digits; or octal digits alone.
fn lets_others_write(clause: &str) -> bool {
    let rest = clause.trim_start_matches(['u', 'g', 'o', 'a']);
    let (who, _) = clause.split_at_checked(clause.len().saturating_sub(rest.len())).unwrap_or(("", ""));
    let others = who.contains(['o', 'a']);
    // Digits stand at the start of a clause or directly behind an operator, letters only behind one.
    let mut operator = if who.is_empty() { '=' } else { ' ' };
    let (mut digits_may_follow, mut letters_may_follow) = (who.is_empty(), false);
    let mut last_digit = None;
    for c in rest.chars() {
        match c {
            '+' | '-' | '=' => {
                if operator != '-' && last_digit.is_some_and(has_write_bit) {
                    return true;
                }
                operator = c;
                last_digit = None;
                (digits_may_follow, letters_may_follow) = (true, true);
            }
            'w' if others && matches!(operator, '+' | '=') => return true,
            '0'..='7' if digits_may_follow => {
                last_digit = Some(c);
                letters_may_follow = false;
            }
            'r' | 'w' | 'x' | 'X' | 's' | 't' | 'u' | 'g' | 'o' if letters_may_follow => {
                digits_may_follow = false
            }
            _ => return false,
        }
    }
    operator != '-' && last_digit.is_some_and(has_write_bit)
}

fn has_write_bit(digit: char) -> bool {
    matches!(digit, '2' | '3' | '6' | '7')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clause: &str, expected: bool) {
        assert_eq!(lets_others_write(clause), expected, "{clause:?}");
    }

    #[test]
    fn tells_who_may_write() {
        for clause in ["777", "0666", "2", "o+w", "a=rw", "go=rw", "ugo+rwx", "u-x", "o-r+w", "=777", "+2"] {
            check(clause, clause != "u-x");
        }
        for clause in ["755", "+w", "o-w", "a+r", "g+w", "u=rw", "u+w-o", "-2", "x77", ""] {
            check(clause, false);
        }
    }
}
