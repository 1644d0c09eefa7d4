//! What a rule's content accepts (rules.md sections 3 and 4), compiled once.
//!
//! | content | matcher | accepts |
//! |---|---|---|
//! | ends with `:*` | prefix: the content without its last `*` | texts that start with it |
//! | has an unescaped `*` | wildcard | anchored at both ends; a star is any run of characters |
//! | anything else | prefix: the whole content | texts that start with it |

use super::domain::DomainPattern;
use super::language::{Language, Op};
use crate::text::{has, split_once};

/// A compiled matcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// One text. No dialect here makes one of a content; a host may hand one in.
    Exact(String),
    /// Texts that start with it.
    Prefix(String),
    /// A pattern with stars.
    Wildcard(Wildcard),
    /// Host names.
    Domain(DomainPattern),
    /// Paths below an anchor, by a pattern seen from there.
    Path(Anchor, String),
    /// A value of one argument.
    Parameter(Parameter),
}

/// Where a path pattern starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The root of the file system.
    Root,
    /// The home directory.
    Home,
    /// The directory of the settings that the rule comes from.
    Project,
    /// The working directory.
    Cwd,
}

/// One argument of a call, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The argument.
    pub name: String,
    /// Its value; a star is any text.
    pub value: String,
}

impl Anchor {
    const WORDS: [(Self, &str); 4] =
        [(Self::Root, "root"), (Self::Home, "home"), (Self::Project, "project"), (Self::Cwd, "cwd")];

    /// The spelling.
    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(anchor, _)| *anchor == self).map_or("", |(_, word)| word)
    }

    /// The anchor with that spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, word)| *word == text).map(|(anchor, _)| *anchor)
    }
}

impl Parameter {
    /// Whether the text of an argument is accepted.
    pub fn accepts(&self, text: &str) -> bool {
        Wildcard::literal(&self.value, false).accepts(text)
    }
}

impl Matcher {
    /// The matcher of a content that is no domain.
    pub fn of_content(content: &str) -> Self {
        if content.ends_with(":*") {
            return Self::Prefix(content.strip_suffix('*').unwrap_or(content).into());
        }
        if has(content, b'*') {
            let wildcard = Wildcard::read(content);
            if wildcard.has_star() {
                return Self::Wildcard(wildcard);
            }
        }
        Self::Prefix(content.into())
    }

    /// Whether `text` is accepted.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Exact(exact) => text == exact,
            Self::Prefix(prefix) => text.starts_with(prefix.as_str()),
            Self::Wildcard(wildcard) => wildcard.accepts(text),
            Self::Domain(domain) => domain.accepts(text),
            Self::Path(_, glob) => super::literal::accepts_path(glob, text),
            Self::Parameter(parameter) => parameter.accepts(text),
        }
    }

    /// The literal text that everything which it accepts begins with.
    pub fn head(&self) -> &str {
        match self {
            Self::Exact(literal) | Self::Prefix(literal) => literal,
            Self::Wildcard(wildcard) => wildcard.head(),
            Self::Path(..) | Self::Parameter(_) => "",
            Self::Domain(domain) if !domain.hostname().contains(['*']) => domain.hostname(),
            Self::Domain(_) => "",
        }
    }

    /// How many bytes of the content have a counterpart in `text`, from the content's start.
    pub fn agreement(&self, text: &str) -> usize {
        match self {
            Self::Exact(literal) | Self::Prefix(literal) => shared(literal, text),
            Self::Wildcard(wildcard) => wildcard.agreement(text),
            Self::Domain(_) => "domain:".len(),
            Self::Path(..) | Self::Parameter(_) => 0,
        }
    }
}

/// The length of what two texts begin with alike.
fn shared(a: &str, b: &str) -> usize {
    a.chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .fold(0, |len, (c, _)| len.saturating_add(c.len_utf8()))
}

/// A pattern with stars: literal pieces, any run of characters between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wildcard {
    pattern: String,
    first: String,
    /// The text that it accepts beside, where its trailing blank and star are optional.
    bare: Option<String>,
    /// What follows the first star: the pieces between stars, and the one at the end.
    rest: Option<(Vec<String>, String)>,
}

impl Wildcard {
    /// Reads a pattern left to right: `\*` is a star, `\\` a backslash, any other backslash itself.
    pub fn read(pattern: &str) -> Self {
        let (mut first, mut middle) = (None, vec![]);
        let mut piece = String::new();
        let bytes = pattern.as_bytes();
        let (mut from, mut at) = (0usize, 0usize);
        while let Some(byte) = bytes.get(at) {
            let next = at.saturating_add(1);
            let escapes = *byte == b'\\' && matches!(bytes.get(next), Some(b'\\' | b'*'));
            if escapes || *byte == b'*' {
                piece.push_str(pattern.get(from..at).unwrap_or_default());
                from = next;
            }
            if *byte == b'*' {
                let piece = core::mem::take(&mut piece);
                if first.is_none() {
                    first = Some(piece);
                } else if !piece.is_empty() {
                    // Consecutive stars equal one, so the empty pieces between them say nothing.
                    middle.push(piece);
                }
            }
            at = next.saturating_add(usize::from(escapes));
        }
        piece.push_str(pattern.get(from..).unwrap_or_default());
        let pattern = pattern.into();
        match first {
            None => Self { pattern, first: piece, bare: None, rest: None },
            Some(first) => Self { pattern, first, bare: None, rest: Some((middle, piece)) },
        }
    }

    /// Takes every character but the star as itself. With `boundary`, an only star behind a blank is optional with it.
    pub fn literal(pattern: &str, boundary: bool) -> Self {
        let Some((first, rest)) = pattern.split_once('*') else {
            return Self { pattern: pattern.into(), first: pattern.into(), bare: None, rest: None };
        };
        let bare = first.strip_suffix(' ').filter(|_| boundary && rest.is_empty()).map(Into::into);
        let (mut middle, mut last) = (vec![], rest);
        while let Some((piece, behind)) = last.split_once('*') {
            if !piece.is_empty() {
                middle.push(piece.into());
            }
            last = behind;
        }
        Self { pattern: pattern.into(), first: first.into(), bare, rest: Some((middle, last.into())) }
    }

    /// What every accepted text begins with; a blank before the first star may be left out together with it.
    fn head(&self) -> &str {
        match &self.rest {
            Some(_) => self.first.strip_suffix(' ').unwrap_or(&self.first),
            None => &self.first,
        }
    }

    /// Appends the program of what it accepts.
    pub(super) fn write(&self, to: &mut Language) {
        let Some((middle, last)) = &self.rest else { return to.text(&self.first) };
        if let Some(bare) = &self.bare {
            to.text(bare);
            return to.behind_blank(Op::Char(' '));
        }
        to.text(&self.first);
        for piece in middle {
            to.everything();
            to.text(piece);
        }
        to.everything();
        to.text(last);
    }

    /// The pattern as written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether it has an unescaped star.
    pub fn has_star(&self) -> bool {
        self.rest.is_some()
    }

    /// How many bytes of the pattern, from its start, some beginning of `text` has a counterpart for.
    fn agreement(&self, text: &str) -> usize {
        let Some((middle, last)) = &self.rest else { return shared(&self.first, text) };
        let Some(mut rest) = text.strip_prefix(self.first.as_str()) else { return shared(&self.first, text) };
        let mut agreed = self.literal_end(0);
        for (index, piece) in middle.iter().enumerate() {
            let Some((_, after)) = split_once(rest, piece) else { return agreed };
            rest = after;
            agreed = self.literal_end(index.saturating_add(1));
        }
        if rest.ends_with(last.as_str()) { self.pattern.len() } else { agreed }
    }

    /// Where in the pattern the stars after a literal piece end.
    fn literal_end(&self, piece: usize) -> usize {
        let mut escaped = false;
        let mut in_stars = false;
        let mut runs = 0usize;
        for (at, c) in self.pattern.char_indices() {
            let star = c == '*' && !escaped;
            if in_stars && !star {
                runs = runs.saturating_add(1);
                if runs > piece {
                    return at;
                }
            }
            in_stars = star;
            escaped = c == '\\' && !escaped;
        }
        self.pattern.len()
    }

    /// Whether the whole of `text` is accepted. Each piece is placed at its leftmost place and the last one at the
    /// end, which takes time linear in pattern and text.
    pub fn accepts(&self, text: &str) -> bool {
        let Some((middle, last)) = &self.rest else { return text == self.first };
        if self.bare.as_deref() == Some(text) {
            return true;
        }
        let Some(mut rest) =
            text.strip_prefix(self.first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()))
        else {
            return false;
        };
        for piece in middle {
            let Some((_, after)) = split_once(rest, piece) else { return false };
            rest = after;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(content: &str, text: &str, expected: bool) {
        assert_eq!(Matcher::of_content(content).accepts(text), expected, "{content:?} on {text:?}");
    }

    #[test]
    fn prefixes() {
        check("npm run", "npm run test", true);
        check("npm run", "npm ru", false);
        check("npm:*", "npm:x", true);
        check("npm:*", "npm install", false);
        check("npm *:*", "npm *:x", true);
        check(r"echo \*", r"echo \*x", true);
        check(r"echo \*", "echo *", false);
    }

    #[test]
    fn wildcards() {
        check("npm run *", "npm run", false);
        check("npm run *", "npm run x && rm y", true);
        check("a*a", "a", false);
        check("a*a", "aa", true);
        check("a*b*c", "acb", false);
        check("*a*a*", "a", false);
        check("*a*a*", "xaya", true);
        check("x*", "x\ny", true);
        check(r"\**", "*x", true);
        check(r"a\\*b", r"a\XXb", true);
        check("**", "", true);
        check("*ab*ab", "abab", true);
        check("*ab*ab", "ab", false);
        check("日*本", "日😀本", true);
    }

    #[test]
    fn a_pattern_without_a_star_is_one_text() {
        assert!(Wildcard::read(r"a\\b").accepts(r"a\b"));
        assert!(!Wildcard::read(r"a\*b").accepts("axb"));
    }

    /// The definition, without any care for time.
    fn accepts_by_definition(pattern: &[char], text: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['*', rest @ ..] => (0..=text.len()).any(|skip| accepts_by_definition(rest, &text[skip..])),
            [c, rest @ ..] => text.first() == Some(c) && accepts_by_definition(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn leftmost_placement_is_the_definition(pattern in "[ab*]{0,5}\\*[ab*]{0,5}", text in "[ab]{0,10}") {
            let slow = accepts_by_definition(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>());
            prop_assert_eq!(Wildcard::read(&pattern).accepts(&text), slow);
        }
    }
}
