//! The texts by which rules know a command (`rules.md` section 8.1).
//!
//! ```
//! let reading = toolgate::shell::read("A=1 /usr/bin/git -C d log  \"$x\" > f");
//! let git = &reading.commands()[0];
//! assert_eq!(git.written(reading.line()), reading.line());
//! assert_eq!(git.plain(reading.line()), "/usr/bin/git -C d log \"$x\"");
//! assert_eq!(git.bare(reading.line()).as_deref(), Some("git -C d log \"$x\""));
//! assert_eq!(git.without_git_options(reading.line()).as_deref(), Some("/usr/bin/git log \"$x\""));
//! ```

use super::git;
use super::reading::Command;
use super::word::Word;
use crate::span::Span;

impl Command<'_> {
    /// What follows the last `/` of its name; `None` without words, or where the name is known only at run time.
    pub fn name(&self) -> Option<&str> {
        self.words.first()?.value().map(base)
    }

    /// It is nothing but redirects that read.
    pub fn only_reads(&self) -> bool {
        self.words.is_empty()
            && self.assignments.is_empty()
            && self.redirects.iter().all(|redirect| !redirect.operator.writes())
    }

    /// Form (a): the source from its first to its last token.
    pub fn written<'l>(&self, line: &'l str) -> &'l str {
        self.span.slice(line).unwrap_or_default()
    }

    /// Form (b): its words after quote removal, one space between; an unknown word as written.
    pub fn plain(&self, line: &str) -> String {
        join(self.words.iter().map(|word| word.value_or_written(line)))
    }

    /// Form (c), where it differs from (b): the name cut to what follows its last `/`.
    pub fn bare(&self, line: &str) -> Option<String> {
        let (first, rest) = self.words.split_first()?;
        let name = first.value_or_written(line);
        let bare = base(name);
        (bare != name)
            .then(|| join(std::iter::once(bare).chain(rest.iter().map(|word| word.value_or_written(line)))))
    }

    /// Form (d), where it differs from (b): `git` without its global options.
    pub fn without_git_options(&self, line: &str) -> Option<String> {
        if self.name() != Some("git") {
            return None;
        }
        let (first, rest) = self.words.split_first()?;
        let skip = git::global_options(rest);
        let rest = rest.get(skip..).filter(|_| skip > 0)?;
        Some(join(std::iter::once(first).chain(rest).map(|word| word.value_or_written(line))))
    }

    /// The tokens of form (a) whose value is not known, in source order.
    pub fn unknown_spans(&self) -> Vec<Span> {
        let assigned = self.assignments.iter().map(|assignment| &assignment.value);
        let files = self
            .redirects
            .iter()
            .filter(|redirect| !redirect.operator.is_heredoc())
            .map(|redirect| &redirect.target);
        let unknown = |word: &&Word<'_>| word.value().is_none();
        let mut spans: Vec<_> =
            assigned.chain(files).chain(&self.words).filter(unknown).map(Word::span).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }
}

/// What follows the last `/`.
pub(super) fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

/// Texts joined by a space; an empty one that stands nowhere is left out with its space.
fn join<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut text = String::new();
    for (index, word) in words.enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
