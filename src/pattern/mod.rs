//! Regular expressions that take linear time: the language of `dangerousPatterns`.
//!
//! The source is ECMAScript's, written without flags, as far as it can be matched without going back:
//!
//! ```text
//! pattern  = branch ("|" branch)*
//! branch   = (atom [repeat] | "^" | "$" | "\b" | "\B")*
//! atom     = character | "." | class | "\" escape | "(" pattern ")" | "(?:" pattern ")" | "(?<name>" pattern ")"
//! repeat   = ("*" | "+" | "?" | "{n}" | "{n,}" | "{n,m}") ["?"]
//! class    = "[" ["^"] (character | character "-" character | "\" escape)* "]"
//! escape   = one of d D w W s S t n r f v 0 | "xHH" | "uHHHH" | "cX" | any other character: itself
//! ```
//!
//! What browsers read leniently is read so here: a `{` that opens no repeat, a lone `]` or `}`, `\x` without digits,
//! `\c` without a letter. A character is a code point, and two escaped surrogates that pair up are one.
//!
//! [`Pattern::find`] gives the span that `RegExp.exec` gives: the leftmost match, and of those at one place the one
//! that a search in order of preference meets first. Time is bounded by the size of the program times that of the
//! text, whatever either says; nothing here recurses, so no nesting is too deep.
//!
//! ```
//! use toolgate::pattern::Pattern;
//! use toolgate::span::Span;
//!
//! let pattern = Pattern::compile(r"\bgit\s+push\b.*--force").unwrap();
//! assert_eq!(pattern.find("cd a && git push origin --force"), Some(Span::new(8, 31)));
//! assert_eq!(Pattern::compile("a(?=b)").unwrap_err().code(), "unsupported-pattern");
//! ```

mod compile;
mod program;
mod search;
mod set;

use crate::span::Span;
use program::{Ascii, Program};

/// One compiled expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    program: Program,
}

impl Pattern {
    /// Compiles `source`, at most [`crate::limits::PATTERN_UNITS`] long and
    /// [`crate::limits::PATTERN_PROGRAM_BYTES`] large when compiled.
    pub fn compile(source: &str) -> Result<Self, PatternError> {
        compile::compile(source).map(|program| Self { program })
    }

    /// Where the expression matches first in `text`, if it does.
    pub fn find(&self, text: &str) -> Option<Span> {
        self.find_in(&Searched::new(text))
    }

    /// [`Self::find`] in a text that several expressions are looked for in.
    pub fn find_in(&self, searched: &Searched<'_>) -> Option<Span> {
        if self.program.fits(searched.text, &searched.characters) {
            search::find(&self.program, searched.text)
        } else {
            None
        }
    }
}

/// A text and the characters in it, which rule most expressions out.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'t> {
    text: &'t str,
    characters: Ascii,
}

impl<'t> Searched<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        Self { text, characters: Ascii::of(text) }
    }
}

/// Why an expression is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// It does not parse, or is empty.
    Invalid,
    /// It parses, but has no linear-time reading: a look-around, a back-reference, `\p`, a repeat over 1,000.
    Unsupported,
    /// Its source or its program is over a limit.
    TooLarge,
}

/// A refused expression, with the part of its source that is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub fault: PatternFault,
    /// Where, in bytes of the source.
    pub span: Span,
}

impl PatternError {
    /// The stable code: `invalid-pattern`, `unsupported-pattern` or `pattern-too-large`.
    pub const fn code(self) -> &'static str {
        match self.fault {
            PatternFault::Invalid => "invalid-pattern",
            PatternFault::Unsupported => "unsupported-pattern",
            PatternFault::TooLarge => "pattern-too-large",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, text: &str, expected: Option<(usize, usize)>) {
        let found = Pattern::compile(source).unwrap().find(text);
        assert_eq!(found, expected.map(|(start, end)| Span::new(start, end)), "{source:?} in {text:?}");
    }

    #[track_caller]
    fn refused(source: &str, fault: PatternFault, span: (usize, usize)) {
        let error = Pattern::compile(source).err();
        assert_eq!(error, Some(PatternError { fault, span: Span::new(span.0, span.1) }), "{source:?}");
    }

    #[test]
    fn finds_the_leftmost_and_preferred_match() {
        check("a|ab", "xab", Some((1, 2)));
        check("(?:a|ab)$", "xab", Some((1, 3)));
        check("a+?b??", "aab", Some((0, 1)));
        check("(|a)*", "aa", Some((0, 2)));
        check("(|a)+", "aa", Some((0, 2)));
        check("(|a)?", "aa", Some((0, 1)));
        check("x", "", None);
        check("$", "ab", Some((2, 2)));
    }

    #[test]
    fn reads_what_is_lenient() {
        check("a{,2}", "a{,2}", Some((0, 5)));
        check("{", "{", Some((0, 1)));
        check("]}", "]}", Some((0, 2)));
        check(r"\x4\u12\c", r"x4u12\c", Some((0, 7)));
        check(r"[\w-a]+", "b-a", Some((0, 3)));
        check(r"[\c1]", "\u{11}", Some((0, 1)));
        check("[]", "a", None);
        check("[^]", "\n", Some((0, 1)));
    }

    #[test]
    fn takes_a_character_for_a_code_point() {
        check("^.$", "😀", Some((0, 4)));
        check("[😀-😃]", "x😁", Some((1, 5)));
        check(r"\uD83D\uDE00", "😀", Some((0, 4)));
        check(r"\uD83D", "😀", None);
        check(r"\s", "\u{FEFF}", Some((0, 3)));
        check(r"\w|\b", "é", None);
    }

    #[test]
    fn refuses_with_a_place() {
        use PatternFault::{Invalid, TooLarge, Unsupported};
        refused("", Invalid, (0, 0));
        refused("(", Invalid, (0, 1));
        refused("a)", Invalid, (1, 2));
        refused("a**", Invalid, (2, 3));
        refused("^*", Invalid, (1, 2));
        refused("{1}", Invalid, (0, 3));
        refused("é[b-a]", Invalid, (3, 6));
        refused("[a", Invalid, (0, 2));
        refused("a\\", Invalid, (1, 2));
        refused("(?<a>.)(?<a>.)", Invalid, (7, 12));
        refused("(?i)x", Invalid, (0, 4));
        refused("a{3,2}", Invalid, (1, 6));
        refused("a(?=b)", Unsupported, (1, 4));
        refused("(?<!b)a", Unsupported, (0, 4));
        refused("(?<=b)*", Invalid, (6, 7));
        refused(r"(a)\1", Unsupported, (3, 5));
        refused(r"\p{L}", Unsupported, (0, 2));
        refused(r"\p(", Invalid, (2, 3));
        refused("a{1001}", Unsupported, (1, 7));
        refused(&"a".repeat(1001), TooLarge, (0, 1001));
        refused("(a{1000}){1000}", TooLarge, (0, 15));
    }

    #[test]
    fn takes_linear_time_and_any_nesting() {
        let text = "a".repeat(20_000);
        check("(a*)*b", &text, None);
        check("(a|aa)+$", &text, Some((0, 20_000)));
        let nested = format!("{}a{}", "(".repeat(498), [")*", &")".repeat(497)].concat());
        check(&nested, "aaa", Some((0, 3)));
        let hollow = format!("{}a{}", "(".repeat(100), "*)".repeat(100));
        check(&hollow, "aaa", Some((0, 3)));
    }
}
