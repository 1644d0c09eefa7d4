//! Which texts a witness is looked for among: those that a call could really be matched by (rules.md section 15).
//!
//! Each is a machine that is in several states at once, one bit each; what has no state left cannot be gone on with.
//! Written commands are taken too widely rather than too narrowly: behind an unquoted `(` or `${` and inside of backquotes
//! anything may stand, until something that may end it.

/// A set of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// All of them.
    Any,
    /// The written texts of one simple command.
    Command,
    /// Paths in normal form.
    Path,
    /// Host names.
    Host,
}

// Of a command.
const START: u32 = 1;
const PLAIN: u32 = 1 << 1;
const BLANK: u32 = 1 << 2;
const ESCAPE: u32 = 1 << 3;
const DOLLAR: u32 = 1 << 4;
/// Behind `<` or `>`: what follows belongs to the redirect.
const ANGLE: u32 = 1 << 5;
/// Behind a `&` that is fine where a `>` follows.
const AND: u32 = 1 << 6;
const SINGLE: u32 = 1 << 7;
const DOUBLE: u32 = 1 << 8;
const DOUBLE_ESCAPE: u32 = 1 << 9;
const DOUBLE_DOLLAR: u32 = 1 << 10;
/// Inside of something that has commands of its own.
const INSIDE: u32 = 1 << 11;
/// The same in double quotes.
const DOUBLE_INSIDE: u32 = 1 << 12;

// Of a path: behind a slash, behind one dot and two, in a name. A root is a slash that nothing stands before.
const DOT: u32 = 1 << 1;
const DOTS: u32 = 1 << 2;
const NAME: u32 = 1 << 3;
const SLASH: u32 = 1 << 4;

impl Texts {
    /// Where it begins.
    pub(super) const START: u32 = START;

    /// The characters that it tells apart.
    pub(super) const fn characters(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Command => " \t\n\\'\"$`()<>&|;{}",
            Self::Path => "/.\\",
            Self::Host => "-.",
        }
    }

    /// Whether a text may end here.
    pub(super) const fn ends(self, states: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Command => states & (PLAIN | ESCAPE | DOLLAR) != 0,
            Self::Path | Self::Host => states & NAME != 0,
        }
    }

    /// Where a character leads.
    pub(super) fn step(self, states: u32, c: char) -> u32 {
        match self {
            Self::Any => states,
            Self::Command => {
                let mut next = 0u32;
                let mut left = states;
                while left != 0 {
                    let state = left & left.wrapping_neg();
                    left ^= state;
                    next |= command(state, c);
                }
                next
            }
            Self::Path => match (states, c) {
                (0, _) | (_, '\\' | '\0'..='\u{1F}') => 0,
                (START | NAME, '/') => SLASH,
                (_, '/') => 0,
                (START | SLASH, '.') => DOT,
                (DOT, '.') => DOTS,
                _ => NAME,
            },
            Self::Host => match (states, c) {
                (0, _) => 0,
                (_, 'a'..='z' | '0'..='9') => NAME,
                (NAME | DOT, '-') => DOT,
                (NAME, '.') => START,
                _ => 0,
            },
        }
    }
}

fn command(state: u32, c: char) -> u32 {
    match (state, c) {
        (SINGLE, '\'') => PLAIN,
        (SINGLE, _) => SINGLE,
        (ESCAPE, _) => PLAIN,
        (DOUBLE_ESCAPE, _) => DOUBLE,
        (INSIDE, ')' | '}' | '`') => INSIDE | PLAIN,
        (INSIDE, _) => INSIDE,
        (DOUBLE_INSIDE, ')' | '}' | '`') => DOUBLE_INSIDE | DOUBLE,
        (DOUBLE_INSIDE, _) => DOUBLE_INSIDE,
        (DOUBLE | DOUBLE_DOLLAR, '"') => PLAIN,
        (DOUBLE | DOUBLE_DOLLAR, '\\') => DOUBLE_ESCAPE,
        (DOUBLE | DOUBLE_DOLLAR, '$') => DOUBLE_DOLLAR,
        (DOUBLE_DOLLAR, '(' | '{') | (DOUBLE | DOUBLE_DOLLAR, '`') => DOUBLE_INSIDE,
        (DOUBLE | DOUBLE_DOLLAR, _) => DOUBLE,
        (START, ' ' | '\t') => 0,
        (ANGLE, '&' | '|') => PLAIN,
        (_, '>') | (START | PLAIN | BLANK | DOLLAR | ANGLE, '<') => ANGLE,
        (AND, _) | (_, ';' | '|' | '\n') => 0,
        (_, '&') => AND,
        (DOLLAR, '{') | (_, '(' | '`') => INSIDE,
        (_, ' ' | '\t') => BLANK,
        (_, '\\') => ESCAPE,
        (_, '\'') => SINGLE,
        (_, '"') => DOUBLE,
        (_, '$') => DOLLAR,
        _ => PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell;
    use proptest::prelude::*;

    fn holds(texts: Texts, text: &str) -> bool {
        let mut states = Texts::START;
        for c in text.chars() {
            states = texts.step(states, c);
        }
        texts.ends(states)
    }

    #[track_caller]
    fn check(texts: Texts, text: &str, expected: bool) {
        assert_eq!(holds(texts, text), expected, "{texts:?} {text:?}");
    }

    #[test]
    fn commands() {
        for text in [
            "ls",
            "ls -la \"a b\"",
            "echo 'a;b' \"c|d\"",
            "a > f 2>&1 &> g >| h",
            "echo $(a; b) `c|d`",
            "diff <(a;b) >(c)",
            r"find . -exec id \;",
            "echo \"$(a \"b\" ; c)\"",
            "echo ${x:-a;b}",
            "a=(b\nc) d",
            "grep $",
        ] {
            check(Texts::Command, text, true);
        }
        for text in
            ["", " ls", "ls ", "a;b", "a && b", "a | b", "a &", "a\nb", "echo 'a", "echo \"a", "a $(b", "a >"]
        {
            check(Texts::Command, text, false);
        }
    }

    #[test]
    fn paths_and_hosts() {
        for text in ["a", "/a/b", "~/a", ".env", "..a/b", "a b"] {
            check(Texts::Path, text, true);
        }
        for text in ["", "/", "a/", "a//b", "./a", "a/..", "../a", r"a\b", "//a"] {
            check(Texts::Path, text, false);
        }
        for text in ["a", "a-b.c", "1.a"] {
            check(Texts::Host, text, true);
        }
        for text in ["", "a.", ".a", "a..b", "-a", "a_b", "A"] {
            check(Texts::Host, text, false);
        }
    }

    proptest! {
        /// Whatever the reader finds to be the written text of a full command is one of them.
        #[test]
        fn holds_the_written_text_of_every_command(line in "([a $;&|<>()'\"`{}\\\\\n=]|echo |&&|\\$\\(|2>&1){0,14}") {
            let reading = shell::read(&line);
            if reading.is_complete() {
                for command in reading.commands().iter().filter(|command| command.full && !command.only_reads()) {
                    let written = command.written(&line);
                    prop_assert!(written.is_empty() || holds(Texts::Command, written), "{:?} of {:?}", written, line);
                }
            }
        }
    }
}
