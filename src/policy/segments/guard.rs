//! Words that stand side by side in a line and destroy (`qwen-code.md` section 11).
//!
//! The line is taken as it is written: blanks and quotes part words, an operator or parenthesis ends a row of them. So
//! the text of a `sh -c` is seen as well, and a text that is only printed.

use crate::dialect::segments::{Beside, Guarded};
use crate::risk::{Assessment, Finding};
use crate::span::Span;
use crate::vocabulary::RiskLevel;

/// The findings in a line, each code once.
pub(super) fn assess(line: &str, table: &[Guarded]) -> Assessment {
    let words = words(line);
    let mut findings: Vec<Finding> = vec![];
    for guarded in table {
        let length = guarded.words.len();
        let found = words.windows(length).find(|row| {
            row.iter().skip(1).all(|word| word.joins)
                && row.iter().zip(guarded.words).all(|(word, wanted)| is(word.text(line), wanted))
        });
        let (Some([first, .., last]), false) =
            (found, findings.iter().any(|finding| finding.code == guarded.code))
        else {
            continue;
        };
        findings.push(Finding {
            code: guarded.code,
            level: RiskLevel::High,
            reason: guarded.reason.into(),
            span: Span::new(first.span.start, last.span.end),
        });
    }
    Assessment::of(findings)
}

struct Found {
    span: Span,
    /// Nothing but blanks and quotes stands between it and the word before.
    joins: bool,
}

impl Found {
    /// The word; of a program's path what follows the last `/`.
    fn text<'l>(&self, line: &'l str) -> &'l str {
        self.span.slice(line).unwrap_or_default()
    }
}

fn is(word: &str, wanted: &Beside) -> bool {
    match wanted {
        Beside::Is(text) => word == *text || word.strip_suffix(text).is_some_and(|path| path.ends_with('/')),
        Beside::Begins(start) => word.starts_with(start),
        Beside::Letter(letter) => word
            .strip_prefix('-')
            .is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains([*letter])),
    }
}

fn words(line: &str) -> Vec<Found> {
    let mut words = vec![];
    let mut start = None;
    let mut joins = false;
    let ends = line.char_indices().chain([(line.len(), ' ')]);
    for (at, c) in ends {
        let operator = matches!(c, ';' | '|' | '&' | '(' | ')' | '\n' | '<' | '>' | '`');
        let parts = operator || crate::text::is_blank(c) || matches!(c, '"' | '\'');
        match (start, parts) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                words.push(Found { span: Span::new(from, at), joins });
                start = None;
                joins = true;
            }
            _ => {}
        }
        joins &= !operator;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{QWEN_CODE_0_24, RiskAxis};

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let RiskAxis::Guard(table) = QWEN_CODE_0_24.risk else { panic!("another axis") };
        let codes: Vec<&str> = assess(line, table).findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, expected, "{line:?}");
    }

    #[test]
    fn literal_neighbours_only() {
        check("git reset --hard", &["destructive-git"]);
        check("cd x; /usr/bin/git  reset --hard HEAD~1", &["destructive-git"]);
        check("bash -c \"git reset --hard\"", &["destructive-git"]);
        check("git checkout -- .", &["destructive-git"]);
        check("git checkout -- a.txt", &[]);
        check("git clean -xdf && git stash drop", &["destructive-git"]);
        check("git clean --force", &[]);
        check("git commit --amend; cdk destroy", &["amend", "destructive-infra"]);
        check("git; reset --hard", &[]);
        check("git -C x reset --hard", &[]);
        check("rm -rf /", &[]);
        check("", &[]);
    }
}
