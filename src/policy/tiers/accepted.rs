//! File commands that a mode which accepts edits lets run (claude-code.md section 13).

use super::line::{Line, Run};
use super::place::Ground;
use super::spelling::Spelling;
use crate::shell::Word;

impl<'r> Line<'r> {
    /// Whether a root only changes files inside the working directories, by a program that does nothing else.
    pub(super) fn is_accepted(&self, root: usize, ground: &Ground) -> bool {
        let Some(run) = self.runs.get(root) else { return false };
        let line = self.reading.line();
        let Some((name, words)) = run.words.split_first() else { return false };
        let program = name.value().filter(|program| name.written(line) == *program);
        let safe = run.assignments.iter().all(|assigned| self.is_safe(assigned, run));
        let listed = program.is_some_and(|program| self.tiers.accepted.has(program));
        if !safe || !listed || self.redefines {
            return false;
        }
        let spellings = self.spellings(words, run);
        let is_operand = |word: &Spelling| !word.text.starts_with('-');
        // An option that carries a path is not looked into.
        let plain = |word: &Spelling| is_operand(word) || !word.text.contains(['/', '~']);
        if !spellings.iter().all(|word| word.known && plain(word)) {
            return false;
        }
        let mut texts = Spelling::texts(&spellings);
        let files = if is_editor(run) {
            edited(&texts)
        } else {
            texts.retain(|text| !text.starts_with('-'));
            Some(texts)
        };
        files.is_some_and(|files| {
            !files.is_empty()
                && files.iter().all(|file| {
                    let places = self.certain(file, run, ground).filter(|places| !places.is_empty());
                    places.is_some_and(|places| places.iter().all(|place| ground.is_inside(place)))
                })
        })
    }
}

/// The program takes a script before its files.
fn is_editor(run: &Run<'_>) -> bool {
    run.words.first().and_then(Word::value) == Some("sed")
}

/// The files of `sed`, where every script does nothing but change them.
fn edited<'t>(texts: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut files = vec![];
    let mut given = false;
    let mut rest = texts.iter();
    while let Some(text) = rest.next() {
        match text.strip_prefix('-') {
            None | Some("") => files.push(*text),
            Some("e" | "-expression") => {
                given = true;
                is_harmless(rest.next()?).then_some(())?;
            }
            Some("n" | "E" | "r" | "s" | "z" | "u" | "-quiet" | "-regexp-extended" | "-in-place") => {}
            Some(option) if option.starts_with("-in-place=") => {}
            Some(option) => {
                // A suffix may follow `i`.
                let (letters, _) = option.split_once('i')?;
                letters.bytes().all(|b| matches!(b, b'n' | b'E' | b'r' | b's' | b'z' | b'u')).then_some(())?;
            }
        }
    }
    if !given {
        let script = files.first()?;
        is_harmless(script).then_some(())?;
        files.remove(0);
    }
    Some(files)
}

/// One `s`, `d` or `p`, behind line numbers at most.
fn is_harmless(script: &str) -> bool {
    let command = script.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '$' | '+'));
    if matches!(command, "d" | "p") {
        return true;
    }
    let Some(rest) = command.strip_prefix('s') else { return false };
    let mut chars = rest.chars();
    let Some(delimiter) = chars.next().filter(|c| c.is_ascii_punctuation() && *c != '\\') else {
        return false;
    };
    let mut parts = 0usize;
    let mut flags = String::new();
    while let Some(c) = chars.next() {
        if parts >= 2 {
            flags.push(c);
        } else if c == '\\' {
            chars.next();
        } else if c == delimiter {
            parts = parts.saturating_add(1);
        } else if c == '\n' {
            return false;
        }
    }
    parts == 2 && flags.chars().all(|c| matches!(c, 'g' | 'I' | 'i' | 'p' | 'm' | 'M') || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: bool) {
        assert_eq!(is_harmless(script), expected, "{script}");
    }

    #[test]
    fn reads_scripts() {
        check("s/a/b/", true);
        check("1,5s|a/x|b|gI", true);
        check("$d", true);
        check("s/a/b/e", false);
        check("s/a/b/w out", false);
        check("s/a/b/;e ls", false);
        check("w out", false);
        check("s/a\nb/c/", false);
    }

    #[test]
    fn reads_words() {
        assert_eq!(edited(&["-i", "s/a/b/", "f"]), Some(vec!["f"]));
        assert_eq!(edited(&["-n", "-i.bak", "-e", "s/a/b/", "f"]), Some(vec!["f"]));
        assert_eq!(edited(&["-f", "x", "f"]), None);
        assert_eq!(edited(&["-i", "e ls", "f"]), None);
    }
}
