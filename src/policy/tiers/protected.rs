//! Paths that no rule writes (claude-code.md section 14).

use super::place::{Ground, Place};
use crate::dialect::Tiers;
use crate::dialect::tiers::Words;

/// The built-in table and the configured files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Protected<'c> {
    pub(super) tiers: &'static Tiers,
    pub(super) files: &'c [String],
}

impl Protected<'_> {
    /// Whether a place is protected; case does not count.
    pub(super) fn holds(&self, place: &Place, ground: &Ground) -> bool {
        let mut names: &[String] = &place.names;
        let is = |name: Option<&String>, own: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(own));
        while let [_, rest @ ..] = names {
            let [parent, child] = self.tiers.exempt_children;
            if is(names.first(), parent) && is(names.get(1), child) && names.len() > 3 {
                // What a working tree holds is judged by the rest of its path.
                names = names.get(3..).unwrap_or_default();
                continue;
            }
            let starts =
                |directory: &Words| directory.iter().enumerate().all(|(at, own)| is(names.get(at), own));
            if self.tiers.protected_directories.iter().any(starts) {
                return true;
            }
            names = rest;
        }
        let last = place.names.last();
        self.tiers.protected_files.any(&mut |file| is(last, file))
            || self.files.iter().any(|file| self.is_configured(file, place, ground))
    }

    /// A configured file is a name anywhere, or a path.
    fn is_configured(&self, file: &str, place: &Place, ground: &Ground) -> bool {
        if !file.contains(['/', '\\']) {
            return place.names.last().is_some_and(|name| name.eq_ignore_ascii_case(file));
        }
        let below =
            |base: Option<&Place>| ground.resolve(file, base).is_some_and(|own| place.below(&own).is_some());
        below(ground.root.as_ref()) || ground.extra.iter().any(|extra| below(Some(extra))) || below(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;

    #[track_caller]
    fn check(path: &str, expected: bool) {
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let ground = Ground { cwd: None, root: Place::absolute("/r"), home: None, extra: vec![] };
        let files = ["deploy.key".to_owned(), "etc/pin".to_owned()];
        let protected = Protected { tiers, files: &files };
        assert_eq!(protected.holds(&Place::absolute(path).unwrap(), &ground), expected, "{path}");
    }

    #[test]
    fn holds() {
        check("/r/.git/config", true);
        check("/r/.GIT", true);
        check("/r/.gitignore", false);
        check("/r/.config/git/x", true);
        check("/r/.config/x", false);
        check("/r/.claude/worktrees/a/x", false);
        check("/r/.claude/worktrees/a/.git/x", true);
        check("/r/.claude/worktrees/a", true);
        check("/r/a/.bashrc", true);
        check("/r/b/deploy.key", true);
        check("/r/etc/pin", true);
        check("/r/x/etc/pin", false);
    }
}
