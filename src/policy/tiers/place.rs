//! Paths as rules compare them: names from the root, seen from the places of a configuration.
//!
//! A drive is the first name, in lower case (`C:\a` is `/c/a`), so that a rule may spell it either way; what comes
//! from Windows is compared without case.

use crate::engine::call::CallState;
use crate::engine::config::Config;
use crate::order::Gather as _;
use crate::path::{Lexical, Root};

/// One path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The names from the root.
    pub(super) names: Vec<String>,
    /// It comes from Windows.
    pub(super) folds: bool,
    /// Of a share, or relative to a drive: no allow rule meets it.
    pub(super) vague: bool,
    /// Where it starts is not known: rules that restrict meet it at any depth, others never.
    pub(super) floating: bool,
}

impl Place {
    /// A path that does not depend on another one.
    pub(super) fn absolute(text: &str) -> Option<Self> {
        let path = Lexical::read(text);
        let mut place = Self::default();
        match path.root() {
            Root::Absolute => place.vague = text.starts_with("//"),
            Root::Share => (place.folds, place.vague) = (true, true),
            Root::Drive => {
                let bare = text.strip_prefix(r"\\?\").unwrap_or(text);
                place.folds = true;
                place.vague = !matches!(bare.as_bytes().get(2), Some(b'/' | b'\\'));
            }
            Root::Relative | Root::Home => return None,
        }
        for name in path.segments() {
            place.names.push((*name).into());
        }
        if path.root() == Root::Drive {
            // The first segment is the drive.
            let letter = text.strip_prefix(r"\\?\").unwrap_or(text).get(..1).unwrap_or_default();
            if let Some(drive) = place.names.first_mut() {
                *drive = letter.to_ascii_lowercase();
            }
        }
        Some(place)
    }

    /// The place that relative names lead to from here.
    pub(super) fn join(&self, names: &[&str]) -> Self {
        let mut place = self.clone();
        for name in names {
            if *name == ".." {
                place.names.pop();
            } else {
                place.names.push((*name).to_owned());
            }
        }
        place
    }

    /// So many names up.
    pub(super) fn up(&self, names: usize) -> Self {
        let mut place = self.clone();
        place.names.truncate(self.names.len().saturating_sub(names));
        place
    }

    /// The names that lead from `base` to it, where it is `base` or lies below.
    pub(super) fn below(&self, base: &Self) -> Option<&[String]> {
        let folds = self.folds || base.folds;
        let same = |(a, b): (&String, &String)| a == b || (folds && a.eq_ignore_ascii_case(b));
        let under = self.names.len() >= base.names.len() && self.names.iter().zip(&base.names).all(same);
        self.names.get(base.names.len()..).filter(|_| under && !self.floating)
    }

    /// Whether both are the same place.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.below(other).is_some_and(<[String]>::is_empty)
    }

    /// Whether a name is one of Windows' short names, whose file may have another one.
    pub(super) fn has_short_name(&self) -> bool {
        let short = |name: &String| {
            name.split(['~']).skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()))
        };
        self.folds && self.names.iter().any(short)
    }
}

/// The places that paths are seen from.
#[derive(Debug)]
pub(super) struct Ground {
    /// The working directory.
    pub(super) cwd: Option<Place>,
    /// The project's directory.
    pub(super) root: Option<Place>,
    /// The home directory.
    pub(super) home: Option<Place>,
    /// Further working directories.
    pub(super) extra: Vec<Place>,
}

impl Ground {
    pub(super) fn new(config: &Config, state: &CallState<'_>) -> Self {
        let place = |text: Option<&str>| text.and_then(Place::absolute);
        let (cwd, root) = (place(state.cwd), place(config.project_root.as_deref()));
        let mut ground = Self {
            root: root.clone().or_else(|| cwd.clone()),
            cwd: cwd.or(root),
            home: place(config.home.as_deref()),
            extra: vec![],
        };
        let extra = config.additional_directories.iter();
        ground.extra = extra.filter_map(|text| ground.resolve(text, ground.root.as_ref())).gather();
        ground
    }

    /// The place that a text names from `base`.
    pub(super) fn resolve(&self, text: &str, base: Option<&Place>) -> Option<Place> {
        Place::absolute(text).or_else(|| {
            let folds = base.is_some_and(|base| base.folds);
            let path = if folds { Lexical::read_slashed(text) } else { Lexical::read(text) };
            match path.root() {
                Root::Home => match path.segments().split_first() {
                    Some((&"~", rest)) => Some(self.home.as_ref()?.join(rest)),
                    _ => None,
                },
                Root::Relative => Some(base?.join(path.segments())),
                _ => Place::absolute(&path.text()),
            }
        })
    }

    /// Every place that a rule that restricts tries for a text, never none: with backslashes as parts of names and
    /// as slashes, and floating where the start is not known.
    pub(super) fn readings(&self, text: &str, base: Option<&Place>) -> Vec<Place> {
        let mut places = vec![self.reading(text, base)];
        if text.contains(['\\']) {
            let slashed = self.reading(&text.replace(['\\'], "/"), base);
            if !places.contains(&slashed) {
                places.push(slashed);
            }
        }
        places
    }

    fn reading(&self, text: &str, base: Option<&Place>) -> Place {
        self.resolve(text, base).unwrap_or_else(|| {
            let mut place = Place { floating: true, ..Place::default() };
            for name in text.split(['/']) {
                if !matches!(name, "" | ".") {
                    place.names.push(name.into());
                }
            }
            place
        })
    }

    /// Whether a place lies in a working directory.
    pub(super) fn is_inside(&self, place: &Place) -> bool {
        let mut directories = self.root.iter().chain(&self.extra);
        !place.vague && directories.any(|directory| place.below(directory).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground() -> Ground {
        let place = |text: &str| Place::absolute(text);
        Ground { cwd: place("/r/a"), root: place("/r"), home: place("/h"), extra: vec![] }
    }

    #[track_caller]
    fn check(text: &str, names: &str, inside: bool) {
        let ground = ground();
        let place = ground.resolve(text, ground.cwd.as_ref()).unwrap();
        assert_eq!((place.names.join("/").as_str(), ground.is_inside(&place)), (names, inside), "{text}");
    }

    #[test]
    fn resolves() {
        check("x/../y", "r/a/y", true);
        check("../../etc", "etc", false);
        check("~/x", "h/x", false);
        check("/r/b", "r/b", true);
        check("/rb", "rb", false);
        check(r"C:\r\a", "c/r/a", false);
        check(r"\\srv\share\x", "srv/share/x", false);
        assert!(ground().resolve("~bob/x", None).is_none());
        assert!(ground().readings("~bob/x", None)[0].floating);
        assert!(Place::absolute("C:x").unwrap().vague);
    }
}
