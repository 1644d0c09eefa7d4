//! Finds the end of a bracketed text without reading the commands in it: arithmetic and subscripts.
//!
//! A stack of open brackets in place of recursion; one pass. The texts are looked at as the shell does before
//! it knows what they are: quotes, `${…}` and parentheses nest, nothing else means anything.

use super::super::reader::Reader;

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Pair {
    /// `( … )`
    Paren,
    /// `[ … ]`
    Bracket,
    /// `${ … }`
    Brace,
    /// `" … "`
    Quotes,
}

impl Reader<'_, '_, '_> {
    /// The place of what closes `pair`, which is open from `from` on.
    pub(in super::super) fn matching(&self, from: usize, pair: Pair) -> Option<usize> {
        let mut open = vec![pair];
        let mut at = from;
        loop {
            let byte = self.src.byte(at)?;
            let innermost = *open.last()?;
            let next = at.saturating_add(1);
            at = next;
            match (byte, innermost) {
                (b')', Pair::Paren) | (b']', Pair::Bracket) | (b'}', Pair::Brace) | (b'"', Pair::Quotes) => {
                    open.pop();
                    if open.is_empty() {
                        return next.checked_sub(1);
                    }
                }
                (b'\\', _) => at = next.saturating_add(1),
                (b'`', _) => at = self.past(next, b'`')?,
                (b'$', _) if self.src.byte(next) == Some(b'(') => {
                    open.push(Pair::Paren);
                    at = next.saturating_add(1);
                }
                (b'$', _) if self.src.byte(next) == Some(b'{') => {
                    open.push(Pair::Brace);
                    at = next.saturating_add(1);
                }
                (_, Pair::Quotes) => {}
                (b'\'', _) => at = self.past(next, b'\'')?,
                (b'"', _) => open.push(Pair::Quotes),
                (b'(', Pair::Paren) => open.push(Pair::Paren),
                (b'[', Pair::Bracket) => open.push(Pair::Bracket),
                _ => {}
            }
        }
    }

    /// The place after the next `quote` from `from` on. Backslashes count but in single quotes.
    pub(in super::super) fn past(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        loop {
            let byte = self.src.byte(at)?;
            at = at.saturating_add(1);
            if byte == quote {
                return Some(at);
            }
            if byte == b'\\' && quote != b'\'' {
                at = at.saturating_add(1);
            }
        }
    }
}
