//! Path patterns with anchors (claude-code.md section 8).
//!
//! | anchor | allow starts at | deny and ask start at |
//! |---|---|---|
//! | root, home | the root, home | the same |
//! | project | the folder of the settings | the same, or the project where it is not known |
//! | cwd | the working directory | the working directory and each additional one |
//!
//! An allow pattern meets the whole path; one that restricts covers what lies below, too, and where its anchor is not
//! known it meets at any depth.

use super::place::{Ground, Place};
use crate::order::Grow as _;
use crate::rule::Anchor;
use crate::rule::glob::{Glob, Reach};
use crate::rule::language::Language;
use crate::rule::literal::anchored;
use crate::vocabulary::RuleSource;

/// A compiled path content.
#[derive(Clone, Debug)]
pub(super) struct PathPattern {
    anchor: Anchor,
    /// Allow rules approve by it.
    allows: bool,
    /// Every way in which rules that restrict read it; allow rules read it in the first one.
    globs: Vec<Glob>,
    /// Without slashes and an anchor: it may start anywhere below.
    anywhere: bool,
    /// As `anywhere`, for rules that restrict.
    restricts_anywhere: bool,
}

/// Where a rule comes from, as far as anchors depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin<'e> {
    pub(super) source: RuleSource,
    pub(super) directory: Option<&'e str>,
}

impl PathPattern {
    /// Compiles a content; a `whole` one is about whole directories.
    pub(super) fn read(content: &str, whole: bool) -> Self {
        if content.starts_with('!') {
            let globs = vec![Glob::literal(content)];
            let anchor = Anchor::Cwd;
            return Self { anchor, allows: false, globs, anywhere: false, restricts_anywhere: false };
        }
        let (anchor, written) = anchored(content);
        let glob = Glob::read(&written);
        let free = anchor == Anchor::Cwd && !whole;
        let inner = written.trim_end_matches('/');
        let anywhere = free && !inner.contains(['/']) && glob.is_single();
        // A directory that may be anywhere is sought from the root.
        let anchor =
            if whole && anchor == Anchor::Cwd && glob.starts_anywhere() { Anchor::Root } else { anchor };
        let mut globs = vec![glob];
        if written.contains(['\\']) {
            globs.push(Glob::read(&written.replace(['\\'], "/")));
        }
        let restricts_anywhere =
            free && globs.iter().any(|glob| glob.is_single() || glob.is_plain_directory());
        Self { anchor, allows: true, globs, anywhere, restricts_anywhere }
    }

    /// Whether an allow rule meets the place.
    pub(super) fn allows(&self, place: &Place, ground: &Ground, origin: Origin<'_>, reach: Reach) -> bool {
        let Some(glob) = self.globs.first().filter(|_| self.allows) else { return false };
        let base = self.base(ground, origin);
        !place.vague
            && !place.floating
            && base.is_some_and(|base| meets(glob, place, &base, self.anywhere, reach))
    }

    /// Whether a rule that restricts meets the place.
    pub(super) fn restricts(&self, place: &Place, ground: &Ground, origin: Origin<'_>, reach: Reach) -> bool {
        let mut bases = vec![];
        let base = self.base(ground, origin);
        if let Some(base) = base.or_else(|| ground.root.clone().filter(|_| self.anchor == Anchor::Project)) {
            bases.push(base);
        }
        if self.anchor == Anchor::Cwd {
            bases.extend_from_slice(&ground.extra);
        }
        self.globs.iter().any(|glob| {
            if bases.is_empty() || place.floating {
                return glob.accepts(&place.names, true, reach, place.folds);
            }
            bases.iter().any(|base| meets(glob, place, base, self.restricts_anywhere, reach))
        })
    }

    /// The paths from the root that an allow rule meets, or one that restricts. None where it depends on a place that is not
    /// known, or where paths are compared without regard to case.
    pub(super) fn language(&self, ground: &Ground, origin: Origin<'_>, allows: bool) -> Option<Language> {
        if allows && !self.allows {
            return None;
        }
        let mut bases = vec![];
        bases.grow(self.base(ground, origin));
        if !allows && bases.is_empty() && self.anchor == Anchor::Project {
            bases.grow(ground.root.clone());
        }
        let (globs, anywhere, reach) = if allows {
            (self.globs.get(..1)?, self.anywhere, Reach::Whole)
        } else {
            if self.anchor == Anchor::Cwd {
                bases.extend_from_slice(&ground.extra);
            }
            (self.globs.as_slice(), self.restricts_anywhere, Reach::Below)
        };
        let mut all: Option<Language> = None;
        for (glob, base) in globs.iter().flat_map(|glob| bases.iter().map(move |base| (glob, base))) {
            if base.folds || base.vague {
                return None;
            }
            let mut one = Language::default();
            for name in &base.up(glob.up).names {
                one.text("/");
                one.text(name);
            }
            one.append(&glob.language(anywhere, reach).ops);
            all = Some(match all {
                Some(all) => all.or(&one),
                None => one,
            });
        }
        all
    }

    /// Whether the pattern would be met from any anchor.
    pub(super) fn meets_somewhere(&self, place: &Place) -> bool {
        self.globs.iter().any(|glob| glob.accepts(&place.names, true, Reach::Below, place.folds))
    }

    fn base(&self, ground: &Ground, origin: Origin<'_>) -> Option<Place> {
        match self.anchor {
            Anchor::Root => Some(Place::default()),
            Anchor::Home => ground.home.clone(),
            Anchor::Cwd => ground.cwd.clone(),
            Anchor::Project => match (origin.directory, origin.source) {
                (Some(directory), _) => Place::absolute(directory),
                (None, RuleSource::UserSettings) => Some(ground.home.as_ref()?.join(&[".claude"])),
                (None, RuleSource::FlagSettings | RuleSource::PolicySettings) => None,
                (None, _) => ground.root.clone(),
            },
        }
    }
}

fn meets(glob: &Glob, place: &Place, base: &Place, anywhere: bool, reach: Reach) -> bool {
    let base = base.up(glob.up);
    let folds = place.folds || base.folds;
    place.below(&base).is_some_and(|rest| glob.accepts(rest, anywhere, reach, folds))
}
