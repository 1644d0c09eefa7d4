//! Removal of what a system or a person cannot do without.

use super::line::{Line, PathWord, is_one_of, name};
use super::mark::{REMOVES, last_name};
use crate::path::{Lexical, Root};
use crate::shell::{Head, Word};
use crate::span::Span;

/// Directories directly under the root.
const SYSTEM: &str = "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt private proc root run sbin srv sys usr \
    var Applications Library System Users Volumes";

/// Tests of `find` that leave most files alone; any that begins with `-newer` is one, too.
const NARROWING: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -mtime -mmin -ctime -cmin -atime \
    -amin -size -user -group -uid -gid -perm -empty -inum -links -samefile -lname -ilname -nouser -nogroup -used";

/// The first command that removes a critical directory with all that lies in it.
pub(super) fn root_or_home(line: &Line<'_, '_>) -> Option<Span> {
    line.first(REMOVES, &|index, command| match name(command) {
        Some("find") => find(line, index, &command.words),
        _ => rm(line, index, &command.words),
    })
}

fn rm<'r>(line: &Line<'r, '_>, index: usize, words: &'r [Word<'r>]) -> bool {
    let (mut recursive, mut critical, mut ended) = (false, false, false);
    let mut operands = Vec::new();
    for word in words.iter().skip(1) {
        let text = if word.head() == Head::Plain { word.literal() } else { "" };
        match text.strip_prefix('-').filter(|letters| !letters.is_empty() && !ended) {
            None => operands.push(word),
            Some("-") => ended = true,
            Some("-no-preserve-root") => critical = true,
            Some(long) if long.starts_with('-') => recursive |= "-recursive".starts_with(long),
            Some(letters) => recursive |= letters.contains(['r', 'R']),
        }
    }
    recursive && (critical || operands.into_iter().any(|word| is_critical(line, index, word)))
}

fn find<'r>(line: &Line<'r, '_>, index: usize, words: &'r [Word<'r>]) -> bool {
    // Most lines only look for files, which is seen sooner than what narrows the search.
    if !words.iter().any(|word| word.literal() == "-delete" || runs(word.literal())) {
        return false;
    }
    let mut words = words.iter().skip(1).peekable();
    // Options before the starting points: `-H`, `-L`, `-P`, `-Olevel`, `-D` with its value.
    while let Some(option) = words.next_if(|word| {
        let text = word.literal();
        matches!(text, "-H" | "-L" | "-P" | "-D") || text.starts_with("-O")
    }) {
        if option.literal() == "-D" {
            words.next();
        }
    }
    let mut starts = Vec::new();
    while let Some(start) = words.next_if(|word| {
        word.head() != Head::Plain
            || !(word.literal().starts_with('-') || matches!(word.literal(), "(" | ")" | "!" | ","))
    }) {
        starts.push(start);
    }
    let mut removes = false;
    while let Some(word) = words.next() {
        match word.literal() {
            "-delete" => removes = true,
            text if runs(text) => {
                let run = words.peek().and_then(|word| word.value()).map(last_name);
                removes |= run == Some("rm");
                let mut last = "";
                for inner in words.by_ref() {
                    let text = inner.literal();
                    if text == ";" || (text == "+" && last == "{}") {
                        break;
                    }
                    last = text;
                }
            }
            text if text.starts_with('-') && (is_one_of(NARROWING, text) || text.starts_with("-newer")) => {
                return false;
            }
            _ => {}
        }
    }
    let here = || line.resolve(&Lexical::read("."), index).iter().any(|path| is_critical_path(line, path));
    removes && (starts.iter().any(|start| is_critical(line, index, start)) || (starts.is_empty() && here()))
}

/// Whether a word of `find` begins a command.
fn runs(text: &str) -> bool {
    matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir")
}

fn is_critical<'r>(line: &Line<'r, '_>, index: usize, word: &'r Word<'r>) -> bool {
    let Some(path) = PathWord::of(word, 0).without_globs() else { return false };
    line.resolve(&path, index).iter().any(|path| is_critical_path(line, path))
}

fn is_critical_path<'r>(line: &Line<'r, '_>, path: &Lexical<'r>) -> bool {
    let is_system = match (path.root(), path.segments()) {
        (Root::Absolute, []) => true,
        (Root::Absolute, [name]) => is_one_of(SYSTEM, name),
        (Root::Absolute, ["usr", _] | ["private", "etc" | "var"]) => true,
        (Root::Absolute, ["mnt", name]) => name.chars().nth(1).is_none(),
        (Root::Drive, [_]) => true,
        _ => false,
    };
    is_system || line.is_home(path)
}
