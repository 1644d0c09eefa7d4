//! The options of `git` that stand before its command.

use super::word::Word;

/// Options whose value is the next word, or follows `=` for the long ones.
const VALUED: [&str; 8] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--super-prefix",
    "--config-env",
    "--attr-source",
];

/// Options without a value.
const PLAIN: [&str; 13] = [
    "-p",
    "-P",
    "--paginate",
    "--no-pager",
    "--bare",
    "--no-replace-objects",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
    "--no-optional-locks",
    "--no-lazy-fetch",
    "--no-advice",
];

/// How many of the words after `git` are global options and their values.
pub(super) fn global_options(words: &[Word<'_>]) -> usize {
    let mut at = 0usize;
    while let Some(word) = words.get(at) {
        let literal = word.literal();
        let name = literal.split_once('=').map_or(literal, |(name, _)| name);
        let attached = name.len() < literal.len();
        let steps =
            if attached && (name == "--exec-path" || (name.starts_with("--") && VALUED.contains(&name))) {
                1
            } else if word.value().is_some() && VALUED.contains(&literal) {
                2
            } else if word.value().is_some() && PLAIN.contains(&literal) {
                1
            } else {
                break;
            };
        at = at.saturating_add(steps);
    }
    at.min(words.len())
}

#[cfg(test)]
mod tests {
    use crate::shell::read;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        let reading = read(line);
        let form = reading.commands().first().and_then(|git| git.without_git_options(line));
        assert_eq!(form.as_deref(), expected, "{line:?}");
    }

    #[test]
    fn passes_global_options() {
        check("git push", None);
        check("git -C d push -f", Some("git push -f"));
        check("git -c a=b --git-dir=x --work-tree y -P push", Some("git push"));
        check("git --no-pager --exec-path=/x log", Some("git log"));
        check("git --exec-path", None);
        check("git -C", Some("git"));
        check("git --unknown -C d push", None);
        check("git -C \"$d\" push", Some("git push"));
        check("gitk -C d", None);
    }
}
