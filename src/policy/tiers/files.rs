//! The files that a run names in its operands and redirects (claude-code.md sections 7.9 and 7.10).

use super::line::{Line, Run, base};
use super::place::{Ground, Place};
use super::spelling::Spelling;
use crate::dialect::tiers::{FileRow, Operands};
use crate::shell::{Redirect, Word};
use crate::span::Span;

/// One file of a run.
#[derive(Clone, Debug)]
pub(super) struct FileUse {
    pub(super) spelling: Spelling,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// A redirect names it.
    pub(super) redirect: bool,
    pub(super) span: Span,
}

impl FileUse {
    /// The places that a rule that restricts tries.
    pub(super) fn seen(&self, line: &Line<'_>, run: &Run<'_>, ground: &Ground) -> Vec<Place> {
        line.seen(&self.spelling.text, run, ground)
    }
}

/// The options and operands of a command.
struct Arguments<'w, 'r> {
    /// Words that are no options.
    operands: Vec<&'w Word<'r>>,
    /// Values of options, by letter.
    values: Vec<(char, &'w Word<'r>, usize)>,
    /// Letters of all options.
    letters: String,
    /// `--name=value`: the word, its name, and where the value begins.
    long: Vec<(&'w Word<'r>, &'w str, usize)>,
    /// Long options whose value is the next word.
    long_next: Vec<(&'w str, &'w Word<'r>)>,
}

fn arguments<'w, 'r>(words: &'w [Word<'r>], values: &str) -> Arguments<'w, 'r> {
    let mut found = Arguments {
        operands: vec![],
        values: vec![],
        letters: String::new(),
        long: vec![],
        long_next: vec![],
    };
    let mut rest = words.iter().skip(1).peekable();
    let mut only_operands = false;
    while let Some(word) = rest.next() {
        let text = word.literal();
        if only_operands || !text.starts_with('-') || text == "-" {
            found.operands.push(word);
        } else if text == "--" {
            only_operands = true;
        } else if text.starts_with("--") {
            match text.split_once('=') {
                Some((name, _)) => found.long.push((word, name, name.len().saturating_add(1))),
                None => {
                    if let Some(next) = rest.peek() {
                        found.long_next.push((text, next));
                    }
                }
            }
        } else {
            for (at, letter) in text.char_indices().skip(1) {
                found.letters.push(letter);
                if values.contains([letter]) {
                    let after = at.saturating_add(letter.len_utf8());
                    if after < text.len() {
                        found.values.push((letter, word, after));
                    } else if let Some(next) = rest.next() {
                        found.values.push((letter, next, 0));
                    }
                    break;
                }
            }
        }
    }
    found
}

impl<'r> Line<'r> {
    /// The row of a run's program.
    fn file_row(&self, run: &Run<'_>) -> Option<&'static FileRow> {
        let name = base(run.words.first()?.value()?);
        self.tiers.files.iter().find(|row| row.names.has(name))
    }

    /// The files that the words of a run name.
    pub(super) fn operands(&self, run: &Run<'r>) -> Vec<FileUse> {
        let Some(row) = self.file_row(run) else { return vec![] };
        let arguments = arguments(run.words, row.values);
        let mut files = vec![];
        let mut push = |word: &Word<'_>, from: usize, reads: bool, writes: bool| {
            let mut spelling = self.spelling(word, run);
            if from > 0 {
                spelling.text = spelling.text.get(from..).unwrap_or_default().into();
            }
            if !matches!(spelling.text.as_str(), "" | "-") {
                files.push(FileUse { spelling, reads, writes, redirect: false, span: word.span() });
            }
        };
        let operands = arguments.operands.as_slice();
        let last = operands.len().saturating_sub(1);
        match row.operands {
            Operands::Ignored => {}
            Operands::Read => all(&mut push, operands, true, false),
            Operands::Write => all(&mut push, operands, false, true),
            Operands::Move => all(&mut push, operands, true, true),
            Operands::WriteAfterFirst => all(&mut push, operands.get(1..).unwrap_or_default(), false, true),
            Operands::Script(given_by, writes) => {
                let given = arguments.letters.contains(|c| given_by.contains([c]))
                    || arguments.long.iter().any(|(_, name, _)| gives_script(name))
                    || arguments.long_next.iter().any(|(name, _)| gives_script(name));
                let in_place = !writes.is_empty()
                    && (arguments.letters.contains(|c| writes.contains([c]))
                        || run.words.iter().any(|word| word.literal().starts_with("--in-place")));
                let skip = usize::from(!given);
                all(&mut push, operands.get(skip..).unwrap_or_default(), true, in_place);
            }
            Operands::Starts => {
                let mut before = true;
                for word in run.words.iter().skip(1) {
                    before &= matches!(word.value(), Some("-H" | "-L" | "-P"));
                    if !before && word.literal().starts_with(['-', '(', '!']) {
                        break;
                    }
                    if !before {
                        push(word, 0, true, false);
                    }
                }
            }
            Operands::CopyToLast(target) => {
                let named = arguments.values.iter().find(|(letter, ..)| target.contains([*letter]));
                let long = arguments.long.iter().find(|(_, name, _)| *name == "--target-directory");
                let next = arguments.long_next.iter().find(|(name, _)| *name == "--target-directory");
                for (at, word) in operands.iter().enumerate() {
                    let is_target = next.is_some_and(|(_, target)| core::ptr::eq(*target, *word))
                        || (at == last && named.is_none() && long.is_none() && next.is_none());
                    push(word, 0, !is_target, is_target);
                }
                if let Some((_, word, from)) = named {
                    push(word, *from, false, true);
                }
                if let Some((word, _, from)) = long {
                    push(word, *from, false, true);
                }
            }
            Operands::Assigned => {
                for word in operands {
                    if word.literal().starts_with("if=") {
                        push(word, 3, true, false);
                    } else if word.literal().starts_with("of=") {
                        push(word, 3, false, true);
                    }
                }
            }
        }
        for (letter, word, from) in &arguments.values {
            if row.written.contains([*letter]) {
                push(word, *from, false, true);
            } else if *letter == 'f'
                && matches!(row.operands, Operands::Script(given, _) if given.contains(['f']))
            {
                push(word, *from, true, false);
            }
        }
        for (word, name, from) in &arguments.long {
            if row.written_long.has(name) {
                push(word, *from, false, true);
            } else if *name != "--target-directory"
                && matches!(row.operands, Operands::Read | Operands::Script(..))
            {
                push(word, *from, true, false);
            }
        }
        for (name, word) in &arguments.long_next {
            if row.written_long.has(name) {
                push(word, 0, false, true);
            }
        }
        files
    }

    /// The files that the redirects of a run name; a redirect that writes comes with its own place.
    pub(super) fn redirected(&self, run: &Run<'r>) -> Vec<FileUse> {
        let mut files = vec![];
        self.add_redirected(run, &mut files);
        files
    }

    fn add_redirected(&self, run: &Run<'r>, files: &mut Vec<FileUse>) {
        for redirect in run.redirects {
            let file = self.redirect(redirect, run);
            if !redirect.operator.is_text() && file.spelling.text != "/dev/null" {
                files.push(file);
            }
        }
    }

    fn redirect(&self, redirect: &Redirect<'r>, run: &Run<'r>) -> FileUse {
        let writes = redirect.operator.writes();
        let reads = !writes || redirect.operator.as_str() == "<>";
        FileUse {
            spelling: self.spelling(&redirect.target, run),
            reads,
            writes,
            redirect: true,
            span: redirect.span,
        }
    }

    /// Every file of a run.
    pub(super) fn files(&self, run: &Run<'r>) -> Vec<FileUse> {
        let mut files = self.operands(run);
        self.add_redirected(run, &mut files);
        files
    }

    /// Whether an allow may cover a redirect's target at all; the places that it names if so.
    pub(super) fn coverable(&self, file: &FileUse, run: &Run<'r>, ground: &Ground) -> Option<Vec<Place>> {
        let Spelling { text, known, globs, .. } = &file.spelling;
        let home = text.starts_with(['~']);
        let net = text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
        let places = self.certain(text, run, ground).filter(|places| !places.is_empty());
        places.filter(|_| *known && !globs && !home && !net)
    }
}

/// Takes a word: from which byte of it, and whether it is read and written.
type Take<'t> = &'t mut dyn FnMut(&Word<'_>, usize, bool, bool);

fn all(take: Take<'_>, words: &[&Word<'_>], reads: bool, writes: bool) {
    for word in words {
        take(word, 0, reads, writes);
    }
}

/// Whether a long option gives the pattern or script.
fn gives_script(name: &str) -> bool {
    matches!(name, "--regexp" | "--file" | "--expression" | "--from-file")
}
