//! Files that are somebody else's to change (`qwen-code.md` section 11), in lower case, `\` as `/`.

use crate::dialect::segments::Protected;
use crate::order::Gather as _;

/// Whether a path names a protected file. Only its names count, so it may be relative, or come out of any text.
pub(super) fn is_protected(path: &str, table: &[Protected], more: &[String]) -> bool {
    let path = spelled(path);
    let names: Vec<&str> = names(&path).gather();
    table.iter().any(|entry| holds(entry, &names))
        || more.iter().any(|entry| {
            let entry = spelled(entry);
            let wanted: Vec<&str> = self::names(entry.strip_prefix('~').unwrap_or(&entry)).gather();
            stands(&wanted, &names, |_| true)
        })
}

fn spelled(path: &str) -> String {
    path.chars().map(|c| if c == '\\' { '/' } else { c.to_ascii_lowercase() }).collect()
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/']).filter(|name| !matches!(*name, "" | "."))
}

fn holds(entry: &Protected, names: &[&str]) -> bool {
    match entry {
        Protected::All(wanted) => stands(wanted, names, |_| true),
        Protected::Below(wanted) => stands(wanted, names, |left| left > 0),
        Protected::Last(wanted) => names.last().is_some_and(|name| wanted.has(name)),
        Protected::Inside(directory, wanted) => {
            matches!(names, [.., parent, name] if parent == directory && wanted.has(name))
        }
        Protected::Between(directory, begins, ends) => match names {
            [.., parent, name] if parent == directory => name
                .strip_prefix(begins)
                .and_then(|rest| rest.strip_suffix(ends))
                .is_some_and(|between| !between.is_empty()),
            _ => false,
        },
    }
}

/// Whether `wanted` stand in a row in `names`, and what is left behind them is as asked.
fn stands(wanted: &[&str], names: &[&str], left: impl Fn(usize) -> bool) -> bool {
    !wanted.is_empty()
        && names.windows(wanted.len()).enumerate().any(|(at, row)| {
            row == wanted && left(names.len().saturating_sub(at.saturating_add(wanted.len())))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Engine, QWEN_CODE_0_24};

    #[track_caller]
    fn check(path: &str, expected: bool) {
        let Engine::Segments(tables) = QWEN_CODE_0_24.engine else { panic!("another engine") };
        let more = ["~/Notes/plan.md".into(), "secret".into()];
        assert_eq!(is_protected(path, tables.auto.protected, &more), expected, "{path:?}");
    }

    #[test]
    fn by_name_and_place() {
        for path in [
            "/r/.git",
            ".git/config",
            "C:\\r\\.GIT\\config",
            "/r/.husky/pre-commit",
            "pkg/package.json",
            "Makefile",
            "/r/.github/workflows/ci.yml",
            ".qwen/settings.json",
            ".qwen/settings.local.json",
            ".qwen/hooks/x",
            "docs/agents.md",
            "/home/u/notes/plan.md",
            "a/secret/b",
        ] {
            check(path, true);
        }
        for path in [
            "/r/.gitignore",
            "/r/.husky",
            "package-lock.json",
            "makefile.am",
            ".github/workflows",
            ".qwen/settingsX.json",
            ".qwen/settings..json/x",
            "CLAUDE.md",
            ".env",
            "",
        ] {
            check(path, false);
        }
    }
}
