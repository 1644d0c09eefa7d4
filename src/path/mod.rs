//! Paths as text: lexical normal forms, and where a path lies in relation to another.
//!
//! ```text
//! path     = [root] segment*              "/" between segments; empty segments and "." are dropped
//! root     = "/" | "~" | "~name" | letter ":" | "\\" server "\" share
//! ```
//!
//! | root | a `..` at the root | backslashes |
//! |---|---|---|
//! | none (relative) | kept | part of a name, or read as `/` where the reader asks for it |
//! | `/` | dropped | the same |
//! | `~`, `~name` | kept: where it leads is known once the home directory is | the same |
//! | drive, share | dropped | always read as `/` |
//!
//! Nothing here asks a file system: links are not followed, and case matters but for drives and shares.
//!
//! ```
//! use toolgate::path::Lexical;
//!
//! let cwd = Lexical::read("/repo");
//! let path = Lexical::read("src/./../../etc").from(&cwd);
//! assert_eq!(path.text(), "/etc");
//! assert!(!path.is_under(&cwd));
//! ```

mod forms;

pub use forms::{Forms, Places};

/// What a path starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A directory that the path does not name.
    Relative,
    /// The root of a POSIX file system.
    Absolute,
    /// A home directory; the first segment is `~` or `~name`.
    Home,
    /// A Windows drive; the first segment is the letter and a colon.
    Drive,
    /// A Windows share; the first two segments are server and share.
    Share,
}

/// A path in lexical normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexical<'t> {
    root: Root,
    segments: Vec<&'t str>,
}

impl<'t> Lexical<'t> {
    /// Reads `text` as tools do: `~` is a home directory, drives and shares are known.
    pub fn read(text: &'t str) -> Self {
        Self::rooted(text, false)
    }

    /// As [`Self::read`], with every backslash read as a slash.
    pub fn read_slashed(text: &'t str) -> Self {
        Self::rooted(text, true)
    }

    /// Reads `text` as a POSIX file system does: all but `/` is part of a name.
    pub fn read_plain(text: &'t str) -> Self {
        let root = if text.starts_with('/') { Root::Absolute } else { Root::Relative };
        Self::normal(root, "", text, false)
    }

    /// Reads `text` as what stands behind a home directory, with or without a slash between.
    pub fn read_below_home(text: &'t str) -> Self {
        Self::normal(Root::Home, "~", text, false)
    }

    fn rooted(text: &'t str, slashed: bool) -> Self {
        let (text, share) = match text.strip_prefix(r"\\?\") {
            None => (text, text.starts_with(r"\\")),
            Some(rest) if is_drive(rest) => (rest, false),
            Some(rest) => match rest.split_at_checked(4) {
                Some((unc, rest)) if unc.eq_ignore_ascii_case(r"UNC\") => (rest, true),
                _ => (text, true),
            },
        };
        if is_drive(text) {
            let (drive, rest) = text.split_at_checked(2).unwrap_or((text, ""));
            return Self::normal(Root::Drive, drive, rest, true);
        }
        if share {
            return Self::normal(Root::Share, "", text, true);
        }
        let root = match text.as_bytes().first() {
            Some(b'~') => Root::Home,
            Some(b'/') => Root::Absolute,
            Some(b'\\') if slashed => Root::Absolute,
            _ => Root::Relative,
        };
        Self::normal(root, "", text, slashed)
    }

    /// The parts of `text` between slashes, and backslashes where it is `slashed`, below `first` where that is not
    /// empty.
    fn normal(root: Root, first: &'t str, text: &'t str, slashed: bool) -> Self {
        let mut path = Self { root, segments: Vec::new() };
        path.enter(first);
        let mut start = 0usize;
        for (at, byte) in text.as_bytes().iter().enumerate() {
            if *byte == b'/' || (slashed && *byte == b'\\') {
                path.enter(text.get(start..at).unwrap_or_default());
                start = at.saturating_add(1);
            }
        }
        path.enter(text.get(start..).unwrap_or_default());
        path
    }

    fn enter(&mut self, part: &'t str) {
        match part {
            "" | "." => {}
            ".." => {
                let floor = match self.root {
                    Root::Relative | Root::Absolute => 0,
                    Root::Home | Root::Drive => 1,
                    Root::Share => 2,
                };
                let at_floor = self.segments.len() <= floor || self.segments.last() == Some(&"..");
                if !at_floor {
                    self.segments.pop();
                } else if matches!(self.root, Root::Relative | Root::Home) {
                    self.segments.push(part);
                }
            }
            _ => self.segments.push(part),
        }
    }

    /// What the path starts from.
    pub fn root(&self) -> Root {
        self.root
    }

    /// The names on the way, those of the root first. A `..` stands only before all other names.
    pub fn segments(&self) -> &[&'t str] {
        &self.segments
    }

    /// The path and one more name.
    pub fn join(mut self, name: &'t str) -> Self {
        self.enter(name);
        self
    }

    /// The path seen from `base`, where it is relative; itself where it is not.
    pub fn from(&self, base: &Self) -> Self {
        if self.root != Root::Relative {
            return self.clone();
        }
        base.below(&self.segments)
    }

    /// The path with its `~` replaced by `home`; itself where it starts with none, or with that of another user.
    pub fn at_home(&self, home: &Self) -> Self {
        match self.segments.split_first() {
            Some((&"~", rest)) if self.root == Root::Home => home.below(rest),
            _ => self.clone(),
        }
    }

    fn below(&self, names: &[&'t str]) -> Self {
        let mut path = self.clone();
        for name in names {
            path.enter(name);
        }
        path
    }

    /// Whether the path is a Windows one: a drive or a share.
    pub fn is_windows(&self) -> bool {
        matches!(self.root, Root::Drive | Root::Share)
    }

    /// Whether the path is `base` or lies in it. Paths of different roots do not.
    pub fn is_under(&self, base: &Self) -> bool {
        self.rest_under(base).is_some()
    }

    /// The names that lead from `base` to the path, where it is `base` or lies in it.
    pub fn rest_under(&self, base: &Self) -> Option<&[&'t str]> {
        if self.root != base.root || self.shared_with(base) != base.segments.len() {
            return None;
        }
        let rest = self.segments.get(base.segments.len()..)?;
        // `../x` is not under `.`, though it has all of its names.
        (rest.first() != Some(&"..")).then_some(rest)
    }

    /// The path relative to `base`, by `..` where it lies outside; none where no such path exists.
    pub fn relative_to(&self, base: &Self) -> Option<String> {
        let shared = self.shared_with(base);
        let up = base.segments.get(shared..)?;
        if self.root != base.root || up.first() == Some(&"..") || (self.is_windows() && shared == 0) {
            return None;
        }
        let down = self.segments.get(shared..)?;
        let mut names = vec![".."; up.len()];
        names.extend_from_slice(down);
        Some(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }

    /// How many names the two paths share from the start.
    fn shared_with(&self, base: &Self) -> usize {
        let folds = self.is_windows();
        let same = |a: &str, b: &str| a == b || (folds && a.eq_ignore_ascii_case(b));
        self.segments.iter().zip(&base.segments).take_while(|(a, b)| same(a, b)).count()
    }

    /// The normal form as text, with slashes and a drive in upper case.
    pub fn text(&self) -> String {
        let joined = self.segments.join("/");
        match self.root {
            Root::Relative if joined.is_empty() => ".".to_owned(),
            Root::Relative | Root::Home => joined,
            Root::Absolute => ["/", &joined].concat(),
            Root::Share => ["//", &joined].concat(),
            Root::Drive => {
                let (letter, rest) = joined.split_at_checked(1).unwrap_or((&joined, ""));
                let end = if self.segments.len() == 1 { "/" } else { "" };
                [&letter.to_ascii_uppercase(), rest, end].concat()
            }
        }
    }
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, root: Root, normal: &str) {
        let path = Lexical::read(text);
        assert_eq!((path.root(), path.text().as_str()), (root, normal), "{text:?}");
    }

    #[test]
    fn reads_to_a_normal_form() {
        check("", Root::Relative, ".");
        check("./a//b/", Root::Relative, "a/b");
        check("a/../../b", Root::Relative, "../b");
        check("../..", Root::Relative, "../..");
        check("/../a/..", Root::Absolute, "/");
        check("~/x/../..", Root::Home, "~/..");
        check("~bob/x", Root::Home, "~bob/x");
        check("a\\b", Root::Relative, "a\\b");
        check("c:\\Repo\\..\\x", Root::Drive, "C:/x");
        check("c:", Root::Drive, "C:/");
        check(r"\\?\C:\x", Root::Drive, "C:/x");
        check(r"\\?\UNC\srv\share\x", Root::Share, "//srv/share/x");
        check(r"\\srv\share\..\..\x", Root::Share, "//srv/share/x");
    }

    #[test]
    fn reads_backslashes_where_asked() {
        assert_eq!(Lexical::read_slashed("src\\..\\..\\x").text(), "../x");
        assert_eq!(Lexical::read_slashed("\\x").root(), Root::Absolute);
        assert_eq!(Lexical::read_plain("~/x").root(), Root::Relative);
    }

    #[track_caller]
    fn relates(path: &str, base: &str, under: bool, relative: Option<&str>) {
        let (path, base) = (Lexical::read(path), Lexical::read(base));
        assert_eq!(
            (path.is_under(&base), path.relative_to(&base).as_deref()),
            (under, relative),
            "{path:?} {base:?}"
        );
    }

    #[test]
    fn relates_to_a_base() {
        relates("/repo/a", "/repo", true, Some("a"));
        relates("/repo", "/repo", true, Some("."));
        relates("/reposition", "/repo", false, Some("../reposition"));
        relates("/repo/..a", "/repo", true, Some("..a"));
        relates("../x", ".", false, Some("../x"));
        relates("x", "..", false, None);
        relates("C:\\REPO\\a", "c:/repo", true, Some("a"));
        relates("D:\\a", "C:\\", false, None);
        relates("/repo", "repo", false, None);
    }
}
