//! Modes that let everyone write.

use super::line::Line;
use super::mark::MODES;
use crate::span::Span;

/// The first `chmod` whose mode lets others write.
pub(super) fn world_writable(line: &Line<'_, '_>) -> Option<Span> {
    line.first(MODES, &|_, command| {
        // The mode is the first word that is no option; `-w` and its like are modes that take away.
        let is_option = |text: &str| match text.as_bytes() {
            [b'-', b'-', ..] => true,
            [b'-', letter, ..] => b"RvcfhHLP".contains(letter),
            _ => false,
        };
        let by_reference = command.words.iter().any(|word| word.literal().starts_with("--ref"));
        let mode = command.words.iter().skip(1).find(|word| !is_option(word.literal()));
        !by_reference
            && mode.and_then(|word| word.value()).is_some_and(|mode| mode.split(',').any(lets_others_write))
    })
}

/// `[ugoa]*` and one or more of `[-+=]` with letters or octal digits; or octal digits alone.
fn lets_others_write(clause: &str) -> bool {
    let (mut has_who, mut others) = (false, false);
    let (mut operator, mut digit) = (0u8, 0u8);
    let opens = |operator: u8, digit: u8| operator != b'-' && matches!(digit, b'2' | b'3' | b'6' | b'7');
    for byte in clause.bytes() {
        match byte {
            b'+' | b'-' | b'=' => {
                if opens(operator, digit) {
                    return true;
                }
                (operator, digit) = (byte, 0);
            }
            b'0'..=b'7' if operator != 0 || !has_who => digit = byte,
            b'u' | b'g' | b'o' | b'a' if operator == 0 => {
                has_who = true;
                others |= matches!(byte, b'o' | b'a');
            }
            b'w' if others && matches!(operator, b'+' | b'=') => return true,
            b'r' | b'w' | b'x' | b'X' | b's' | b't' | b'u' | b'g' | b'o' if operator != 0 => digit = 0,
            _ => return false,
        }
    }
    opens(operator, digit)
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
