//! Path patterns in the manner of ignore files, matched name by name.
//!
//! ```text
//! glob  = name ("/" name)*          empty names and "." say nothing; leading ".." climb from the anchor
//! name  = "**"                      any number of names
//!       | piece+                    one name
//! piece = "*" | "?" | "[" ["!" | "^"] ranges "]" | "\" any | any
//! ```
//!
//! Each name is compared with one of the path, and only the last star or `**` is ever gone back to, so that matching
//! takes time linear in the path for a given pattern.

use super::language::{Language, Op};

/// A compiled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    names: Vec<Name>,
    /// How many names the pattern climbs from its anchor before it starts.
    pub up: usize,
}

/// What the end of a pattern reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The whole path; a last `**` stands for one name or more.
    Whole,
    /// The whole path; a last `**` stands for none, too.
    WithRoot,
    /// The path and all that lies below it.
    Below,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    /// `**`
    Any,
    One(Vec<Piece>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Is(char),
    Single,
    Run,
    Class { negated: bool, ranges: Vec<(char, char)> },
}

impl Glob {
    /// Compiles a pattern; each text is one.
    pub fn read(pattern: &str) -> Self {
        let mut glob = Self { names: vec![], up: 0 };
        // A slash in a class or behind a backslash is one, too.
        for written in pattern.split(['/']) {
            match written {
                "" | "." => {}
                ".." if glob.names.is_empty() => glob.up = glob.up.saturating_add(1),
                "**" => glob.names.push(Name::Any),
                written => glob.names.push(Name::One(pieces(written))),
            }
        }
        glob
    }

    /// The pattern of one path, whatever its characters.
    pub fn literal(path: &str) -> Self {
        let mut names = vec![];
        for own in path.split(['/']) {
            let mut pieces = vec![];
            for c in own.chars() {
                pieces.push(Piece::Is(c));
            }
            if !pieces.is_empty() {
                names.push(Name::One(pieces));
            }
        }
        Self { names, up: 0 }
    }

    /// Whether the pattern is about one name anywhere: it has a single name.
    pub fn is_single(&self) -> bool {
        self.up == 0 && self.names.len() == 1
    }

    /// Whether it is one name without wildcards, then `**`.
    pub fn is_plain_directory(&self) -> bool {
        let plain = |name: &Name| matches!(name, Name::One(pieces) if pieces.iter().all(|piece| matches!(piece, Piece::Is(_))));
        self.up == 0 && matches!(self.names.as_slice(), [first, Name::Any] if plain(first))
    }

    /// Whether it starts with `**`.
    pub fn starts_anywhere(&self) -> bool {
        matches!(self.names.first(), Some(Name::Any))
    }

    fn ends_anywhere(&self) -> bool {
        matches!(self.names.last(), Some(Name::Any))
    }

    /// The paths that lead from the anchor to what is accepted, a slash before each name; parameters as in [`Self::accepts`].
    pub fn language(&self, anywhere: bool, reach: Reach) -> Language {
        let mut made = Language::default();
        if anywhere {
            any_names(&mut made);
        }
        for name in &self.names {
            let Name::One(pieces) = name else {
                any_names(&mut made);
                continue;
            };
            made.ops.push(Op::Char('/'));
            for piece in pieces {
                made.ops.push(match piece {
                    Piece::Is(c) => Op::Char(*c),
                    Piece::Single => Op::Any,
                    Piece::Run => Op::Run,
                    Piece::Class { negated, ranges } => {
                        Op::Class { negated: *negated, ranges: ranges.clone() }
                    }
                });
            }
        }
        match reach {
            Reach::Whole if self.ends_anywhere() => {
                made.ops.push(Op::Char('/'));
                made.ops.push(Op::Any);
                made.everything();
            }
            Reach::Below => made.behind_blank(Op::Char('/')),
            Reach::Whole | Reach::WithRoot => {}
        }
        made
    }

    /// Whether the names that lead from the anchor to a path are accepted. `anywhere` lets the pattern start at any
    /// depth; `folds` compares without regard to ASCII case.
    pub fn accepts<S: AsRef<str>>(&self, path: &[S], anywhere: bool, reach: Reach, folds: bool) -> bool {
        let mut names: Vec<Option<&Name>> = vec![];
        if anywhere {
            names.push(Some(&Name::Any));
        }
        for name in &self.names {
            names.push(Some(name));
        }
        match reach {
            // None stands for one name, whichever.
            Reach::Whole if self.ends_anywhere() => names.push(None),
            Reach::Below => names.push(Some(&Name::Any)),
            Reach::Whole | Reach::WithRoot => {}
        }
        let accepts_name = |name: &Option<&Name>, text: &str| match name {
            None => true,
            Some(Name::One(pieces)) => accepts(pieces, text, folds),
            Some(Name::Any) => false,
        };
        let (mut at, mut done) = (0usize, 0usize);
        // Where to go on when a name differs: behind the last `**`, one name of the path further.
        let mut back: Option<(usize, usize)> = None;
        loop {
            match (names.get(at), path.get(done)) {
                (None, None) => return true,
                (Some(Some(Name::Any)), _) => {
                    at = at.saturating_add(1);
                    back = Some((at, done));
                    continue;
                }
                (Some(name), Some(text)) if accepts_name(name, text.as_ref()) => {
                    at = at.saturating_add(1);
                    done = done.saturating_add(1);
                    continue;
                }
                (_, None) => return false,
                _ => {}
            }
            let Some((name, from)) = back else { return false };
            at = name;
            done = from.saturating_add(1);
            back = Some((name, done));
        }
    }
}

/// Any number of names.
fn any_names(made: &mut Language) {
    let at = made.ops.len();
    made.ops.push(Op::Split(at.saturating_add(5)));
    made.ops.push(Op::Char('/'));
    made.ops.push(Op::Any);
    made.ops.push(Op::Run);
    made.ops.push(Op::Jump(at));
}

fn pieces(written: &str) -> Vec<Piece> {
    let mut pieces = vec![];
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        pieces.push(match c {
            '*' => Piece::Run,
            '?' => Piece::Single,
            '\\' => match rest.next() {
                Some(escaped) => Piece::Is(escaped),
                None => Piece::Is('\\'),
            },
            '[' => match class(rest.as_str()) {
                Some((class, after)) => {
                    rest = after.chars();
                    class
                }
                None => Piece::Is('['),
            },
            c => Piece::Is(c),
        });
    }
    pieces
}

/// The class that `text` begins with, its `[` left out, and what follows it.
fn class(text: &str) -> Option<(Piece, &str)> {
    let (negated, text) = match text.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut members: Vec<(char, bool)> = vec![];
    let mut rest = text.chars();
    loop {
        match rest.next()? {
            ']' if !members.is_empty() => break,
            '\\' => members.push((rest.next()?, true)),
            c => members.push((c, false)),
        }
    }
    let mut ranges = vec![];
    let mut members = members.as_slice();
    loop {
        match members {
            [] => break,
            [(from, _), ('-', false), (to, _), more @ ..] => {
                ranges.push((*from, *to));
                members = more;
            }
            [(one, _), more @ ..] => {
                ranges.push((*one, *one));
                members = more;
            }
        }
    }
    Some((Piece::Class { negated, ranges }, rest.as_str()))
}

fn accepts(pieces: &[Piece], text: &str, folds: bool) -> bool {
    let mut at = 0usize;
    let mut rest = text.chars();
    let mut back: Option<(usize, core::str::Chars<'_>)> = None;
    loop {
        let before = rest.clone();
        match (pieces.get(at), rest.next()) {
            (None, None) => return true,
            (Some(Piece::Run), _) => {
                rest = before;
                at = at.saturating_add(1);
                back = Some((at, rest.clone()));
                continue;
            }
            (Some(piece), Some(c)) if piece.accepts(c, folds) => {
                at = at.saturating_add(1);
                continue;
            }
            (_, None) => return false,
            _ => {}
        }
        let Some((piece, mut from)) = back else { return false };
        from.next();
        at = piece;
        rest = from.clone();
        back = Some((piece, from));
    }
}

impl Piece {
    fn accepts(&self, c: char, folds: bool) -> bool {
        match self {
            Self::Is(own) => *own == c || (folds && own.eq_ignore_ascii_case(&c)),
            Self::Single => true,
            Self::Run => false,
            Self::Class { negated, ranges } => {
                let inside = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
                let other =
                    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
                (inside(c) || (folds && inside(other))) != *negated
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, reach: Reach, expected: bool) {
        let names: Vec<&str> = path.split(['/']).filter(|name| !name.is_empty()).collect();
        assert_eq!(Glob::read(pattern).accepts(&names, false, reach, false), expected, "{pattern} on {path}");
    }

    #[test]
    fn matches_names() {
        check("src/*.ts", "src/a.ts", Reach::Whole, true);
        check("src/*.ts", "src/x/a.ts", Reach::Whole, false);
        check("a?c", "abc", Reach::Whole, true);
        check("log[0-9].txt", "log3.txt", Reach::Whole, true);
        check("log[!0-9].txt", "log3.txt", Reach::Whole, false);
        check("[]x]", "]", Reach::Whole, true);
        check("[x", "[x", Reach::Whole, true);
        check(r"\[a\] b", "[a] b", Reach::Whole, true);
        check("*a*b", "xaab", Reach::Whole, true);
        check("*a*b", "xaabc", Reach::Whole, false);
        check("*ab*", "aab", Reach::Whole, true);
    }

    #[test]
    fn matches_any_number_of_names() {
        check("**/.env", ".env", Reach::Whole, true);
        check("**/.env", "a/b/.env", Reach::Whole, true);
        check("a/**/b", "a/b", Reach::Whole, true);
        check("a/**/b", "a/x/y/b", Reach::Whole, true);
        check("a/**/b/c", "a/b/b/c", Reach::Whole, true);
        check("a/**", "a", Reach::Whole, false);
        check("a/**", "a", Reach::WithRoot, true);
        check("a/**", "a", Reach::Below, true);
        check("a/**", "a/b/c", Reach::Whole, true);
        check("a", "a/b", Reach::Whole, false);
        check("a", "a/b", Reach::Below, true);
        check("a", "b/a", Reach::Below, false);
        check("**", "", Reach::Whole, false);
    }

    proptest! {
        /// The program of a pattern is the pattern.
        #[test]
        fn its_language_is_what_it_accepts(pattern in "(a|b|/|/|\\*|\\*\\*/|/\\*\\*|\\?|\\[ab\\]|\\[!a\\]){0,5}", names in proptest::collection::vec("[abc]{1,2}", 0..4), anywhere: bool) {
            let glob = Glob::read(&pattern);
            let path: String = names.iter().flat_map(|name| ["/", name]).collect();
            for reach in [Reach::Whole, Reach::WithRoot, Reach::Below] {
                let expected = glob.accepts(&names, anywhere, reach, false);
                prop_assert_eq!(glob.language(anywhere, reach).accepts(&path), expected, "{:?} {:?} {:?}", pattern, path, reach);
            }
        }
    }

    #[test]
    fn starts_anywhere_and_folds_where_asked() {
        let names = ["x", "Secrets", "a"];
        assert!(Glob::read("secrets/**").accepts(&names, true, Reach::Whole, true));
        assert!(!Glob::read("secrets/**").accepts(&names, true, Reach::Whole, false));
        assert!(!Glob::read("secrets/**").accepts(&names, false, Reach::Whole, true));
        assert_eq!(Glob::read("../../x").up, 2);
    }
}
