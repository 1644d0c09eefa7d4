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
const PLAIN: [&str; 12] = [
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
];
const NO_ADVICE: &str = "--no-advice";

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
            } else if word.value().is_some() && (PLAIN.contains(&literal) || literal == NO_ADVICE) {
                1
            } else {
                break;
            };
        at = at.saturating_add(steps);
    }
    at.min(words.len())
}
