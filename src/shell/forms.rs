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
use crate::order::sort;
use crate::span::Span;

impl Command<'_> {
    /// What follows the last `/` of its name; `None` without words, or where the name is known only at run
    /// time.
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

    /// Form (b): its words after quote removal, one space between; an unknown word as written, what stands
    /// nowhere left out.
    pub fn plain(&self, line: &str) -> String {
        join(&self.words, None, line)
    }

    /// Form (c), where it differs from (b): the name cut to what follows its last `/`.
    pub fn bare(&self, line: &str) -> Option<String> {
        let (first, rest) = self.words.split_first()?;
        let name = first.value_or_written(line);
        let bare = base(name);
        (bare != name).then(|| join(rest, Some(bare), line))
    }

    /// Form (d), where it differs from (b): `git` without its global options.
    pub fn without_git_options(&self, line: &str) -> Option<String> {
        if self.name() != Some("git") {
            return None;
        }
        let (first, rest) = self.words.split_first()?;
        let skip = git::global_options(rest);
        let rest = rest.get(skip..).filter(|_| skip > 0)?;
        Some(join(rest, Some(first.value_or_written(line)), line))
    }

    /// How many of the words behind the name are global options of `git` and their values.
    pub fn git_options(words: &[Word<'_>]) -> usize {
        git::global_options(words)
    }

    /// The tokens of form (a) whose value is not known, in source order.
    pub fn unknown_spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut note = |word: &Word<'_>| {
            if word.value().is_none() {
                spans.push(word.span());
            }
        };
        for assignment in &self.assignments {
            note(&assignment.value);
        }
        for redirect in &self.redirects {
            if !redirect.operator.is_heredoc() {
                note(&redirect.target);
            }
        }
        self.words.iter().for_each(note);
        let mut spans = sort(spans, Span::cmp);
        spans.dedup();
        spans
    }
}

/// What follows the last `/`.
pub(super) fn base(name: &str) -> &str {
    match name.as_bytes().iter().rposition(|byte| *byte == b'/') {
        Some(slash) => name.get(slash.saturating_add(1)..).unwrap_or_default(),
        None => name,
    }
}

/// A text and words, joined by a space; words that stand nowhere are left out.
pub(super) fn join(words: &[Word<'_>], first: Option<&str>, line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    text.push_str(first.unwrap_or_default());
    let mut any = first.is_some();
    for word in words.iter().filter(|word| !word.is_nowhere()) {
        if any {
            text.push(' ');
        }
        any = true;
        text.push_str(word.value_or_written(line));
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::shell::read;

    #[track_caller]
    fn check(line: &str, plain: &[&str]) {
        let reading = read(line);
        let forms: Vec<_> = reading.commands().iter().map(|command| command.plain(line)).collect();
        assert_eq!(forms, plain, "{line:?}");
    }

    #[test]
    fn joins_words() {
        check("A=1 r\"m\"  -rf  'a b' > x", &["rm -rf a b"]);
        check("echo \"$x\"${y} ''", &["echo \"$x\"${y} "]);
        check("ls | xargs rm -rf", &["ls", "xargs rm -rf", "rm -rf"]);
        check("find . -exec rm {} \\;", &["find . -exec rm {} ;", "rm {}"]);
        check("sh -c 'rm $x a'", &["sh -c rm $x a", "rm $x a"]);
        check("echo {a,$x}", &["echo a {a,$x}"]);
        check("echo `a \\$x \\`b\\``", &["echo `a \\$x \\`b\\``", "a $x `b`", "b"]);
        check("eval rm {a,$x}", &["eval rm a {a,$x}"]);
    }

    #[track_caller]
    fn check_unknown(line: &str, expected: &[&str]) {
        let reading = read(line);
        let spans = reading.commands().first().map(|command| command.unknown_spans()).unwrap_or_default();
        let texts: Vec<_> = spans.iter().filter_map(|span| span.slice(line)).collect();
        assert_eq!(texts, expected, "{line:?}");
    }

    #[test]
    fn finds_unknown_tokens() {
        check_unknown("A=$x B=1 ls \"$y\" z > $w 2>&1", &["A=$x", "\"$y\"", "$w"]);
        check_unknown("cat <<E\n$x\nE", &[]);
        check_unknown("echo {a,$x}{b,c}", &["{a,$x}{b,c}"]);
        check_unknown("a=(1) ls ~", &["a=(1)"]);
    }

    #[test]
    fn names() {
        let reading = read("/bin/ls; $x; A=1; > f; < g; { a; } < h");
        let names: Vec<_> =
            reading.commands().iter().map(|command| (command.name(), command.only_reads())).collect();
        let expected = [
            (Some("ls"), false),
            (None, false),
            (None, false),
            (None, false),
            (None, true),
            (Some("a"), false),
            (None, true),
        ];
        assert_eq!(names, expected);
    }
}
