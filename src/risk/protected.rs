//! Files that nobody should write without a look: patterns over the names of a path.
//!
//! | part of a pattern | takes |
//! |---|---|
//! | a name | that name |
//! | a name with `*` or `?` | names of that shape, where the dialect has shapes |
//! | `*` | any one name |
//! | `**` | any number of names; at least one where the dialect counts so |
//!
//! ```
//! use toolgate::path::Places;
//! use toolgate::risk::protected::{Protected, Spellings};
//!
//! let places = Places { cwd: Some("/repo"), home: Some("/home/u") };
//! let list = Protected::compile(Spellings::Forms, ["~/keys/**", "*.pem"]);
//! assert!(list.covers("/home/u/keys", &places));
//! assert!(list.covers("a/B.PEM", &places));
//! assert!(!list.covers("keys/a", &places));
//! ```

use crate::order::{Gather as _, Grow as _};
use crate::path::{Forms, Lexical, Places, Root};
use crate::text::has;

/// How a dialect reads a pattern, and on what it tries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spellings {
    /// On the lexical forms of a path, at any depth, without regard to ASCII case (`risk.md` section 5).
    Forms,
    /// On the raw path, the raw path behind a leading `~`, and its last name; whole and exact (section 7).
    Raw,
}

/// A compiled list of patterns.
#[derive(Clone, Debug)]
pub struct Protected {
    spellings: Spellings,
    shapes: Vec<Shape>,
}

#[derive(Clone, Debug)]
struct Shape {
    /// The pattern tells the whole way from this root.
    anchor: Option<Root>,
    parts: Vec<Part>,
    /// The marks of the names in it: a path without one of them is not covered.
    marks: u64,
}

#[derive(Clone, Debug)]
enum Part {
    Name(Box<str>),
    Like(Vec<char>),
    One,
    Many,
}

impl Protected {
    /// Compiles `patterns`; one that names nothing covers nothing.
    pub fn compile<'p>(spellings: Spellings, patterns: impl IntoIterator<Item = &'p str>) -> Self {
        let mut list = Self { spellings, shapes: Vec::new() };
        for pattern in patterns {
            list.add(pattern);
        }
        list
    }

    fn add(&mut self, pattern: &str) {
        self.shapes.grow(match self.spellings {
            Spellings::Forms => Shape::of_forms(pattern),
            Spellings::Raw => Some(Shape::of_raw(pattern)),
        });
    }

    /// Whether a pattern covers one of the spellings of `path`.
    pub fn covers(&self, path: &str, places: &Places<'_>) -> bool {
        match self.spellings {
            Spellings::Forms => Forms::of(path, places).iter().any(|forms| {
                let all = [Some(&forms.normal), forms.absolute.as_ref(), forms.home.as_ref()];
                all.iter().any(|form| form.is_some_and(|form| self.covers_form(form)))
            }),
            Spellings::Raw => {
                let behind_home = path.strip_prefix("~/").or_else(|| path.strip_prefix('~'));
                let all = [Some(path), behind_home, path.rsplit('/').next()];
                all.iter().any(|text| text.is_some_and(|text| self.covers_raw(text)))
            }
        }
    }

    fn covers_raw(&self, text: &str) -> bool {
        let names: Vec<&str> = text.split('/').gather();
        self.shapes.iter().any(|shape| wild(&shape.parts, &names, Part::is_many, Part::takes_exactly))
    }

    /// Whether a pattern covers this form of a path.
    pub(super) fn covers_form(&self, form: &Lexical<'_>) -> bool {
        let names = form.segments();
        let marks = names.iter().fold(0, |marks, name| marks | mark(name));
        self.shapes.iter().any(|shape| {
            shape.marks & !marks == 0
                && shape.anchor.is_none_or(|root| root == form.root())
                && wild(&shape.parts, names, Part::is_many, Part::takes_folded)
        })
    }
}

impl Shape {
    fn new(anchor: Option<Root>, parts: Vec<Part>) -> Self {
        let marks = parts.iter().fold(0, |marks, part| match part {
            Part::Name(name) => marks | mark(name),
            _ => marks,
        });
        Self { anchor, parts, marks }
    }

    fn of_forms(pattern: &str) -> Option<Self> {
        let anchor = match pattern {
            _ if pattern.starts_with('/') => Some(Root::Absolute),
            _ if pattern.starts_with("~/") => Some(Root::Home),
            _ => None,
        };
        let mut parts = Vec::new();
        if anchor.is_none() {
            parts.push(Part::Many);
        }
        let above = parts.len();
        for name in pattern.split('/') {
            match name {
                "" | "." => {}
                "**" => parts.push(Part::Many),
                _ if has(name, b'*') || has(name, b'?') => parts.push(Part::Like(name.chars().gather())),
                _ => parts.push(Part::Name(name.into())),
            }
        }
        (anchor.is_some() || parts.len() > above).then(|| Self::new(anchor, parts))
    }

    fn of_raw(pattern: &str) -> Self {
        let mut parts = Vec::new();
        for name in pattern.split('/') {
            match name {
                // Any text between two slashes: one name or more.
                "**" => {
                    parts.push(Part::One);
                    parts.push(Part::Many);
                }
                "*" => parts.push(Part::One),
                _ => parts.push(Part::Name(name.into())),
            }
        }
        Self::new(None, parts)
    }
}

impl Part {
    fn is_many(&self) -> bool {
        matches!(self, Self::Many)
    }

    fn takes_exactly(&self, name: &&str) -> bool {
        match self {
            Self::Name(own) => **own == **name,
            _ => true,
        }
    }

    fn takes_folded(&self, name: &&str) -> bool {
        match self {
            Self::Name(own) => own.eq_ignore_ascii_case(name),
            Self::Like(shape) => {
                let name: Vec<char> = name.chars().gather();
                wild(
                    shape,
                    &name,
                    |sign| *sign == '*',
                    |sign, c| *sign == '?' || sign.eq_ignore_ascii_case(c),
                )
            }
            Self::One | Self::Many => true,
        }
    }
}

/// One bit of 64 for a name, the same in both cases: most paths share none with most patterns.
fn mark(name: &str) -> u64 {
    let letter = name.as_bytes().get(1).copied().unwrap_or(0).to_ascii_lowercase();
    let number = usize::from(letter).wrapping_add(name.len().wrapping_mul(7));
    1u64.rotate_left(u32::try_from(number % 64).unwrap_or(0))
}

/// Whether `pattern` takes all of `items`, where some of its parts take any number of them. The last of these is
/// the only one that is ever tried again, so that the work is bounded by the product of the lengths.
fn wild<P, I>(pattern: &[P], items: &[I], many: fn(&P) -> bool, takes: fn(&P, &I) -> bool) -> bool {
    let (mut p, mut i) = (0usize, 0usize);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(p), items.get(i)) {
            (Some(part), _) if many(part) => {
                p = p.saturating_add(1);
                retry = Some((p, i));
            }
            (Some(part), Some(item)) if takes(part, item) => {
                p = p.saturating_add(1);
                i = i.saturating_add(1);
            }
            (None, None) => return true,
            _ => {
                let Some((after, from)) = retry.filter(|(_, from)| *from < items.len()) else { return false };
                p = after;
                i = from.saturating_add(1);
                retry = Some((p, i));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spellings: Spellings, pattern: &str, covered: &[&str], free: &[&str]) {
        let list = Protected::compile(spellings, [pattern]);
        let places = Places { cwd: Some("/repo"), home: Some("/home/u") };
        for (paths, expected) in [(covered, true), (free, false)] {
            for path in paths {
                assert_eq!(list.covers(path, &places), expected, "{pattern:?} {path:?}");
            }
        }
    }

    #[test]
    fn covers_forms() {
        check(
            Spellings::Forms,
            ".ssh/**",
            &[".ssh", "a/.SSH/x/y", "~/.ssh", "C:\\u\\.ssh\\id", "a\\.ssh\\b"],
            &[".ssh2/x"],
        );
        check(Spellings::Forms, "~/a/*.k", &["/home/u/a/x.k", "~/a/.k"], &["/repo/a/x.k", "~/a/b/x.k"]);
        check(Spellings::Forms, "/repo/**/k", &["k", "a/b/K", "/repo/k"], &["/repo2/k", "~/k"]);
        check(Spellings::Forms, "", &[], &["", "x", "/"]);
        check(Spellings::Forms, "d/", &["d", "x/d"], &["d/x"]);
        check(Spellings::Forms, "a?c*", &["abc", "ABCd"], &["ac"]);
    }

    #[test]
    fn covers_raw_texts() {
        check(
            Spellings::Raw,
            ".ssh/**",
            &[".ssh/a/b", "~/.ssh/", "~.ssh/x"],
            &[".ssh", "a/.ssh/x", ".SSH/x"],
        );
        check(Spellings::Raw, "a*", &["a*", "/x/a*"], &["ab"]);
        check(Spellings::Raw, "**/a/*", &["x/y/a/b", "/a/"], &["a/b", "x/a/b/c"]);
    }
}
