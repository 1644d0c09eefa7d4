//! Reads the paths of a Rust source: `a::b::{c, d::e}` is `a::b::c` and `a::b::d::e`.
//!
//! Comments, strings and characters are blanked first, so that prose names nothing. This is no parser of Rust; it reads
//! what the checks need and no more.

/// A path with at least one segment, and the line that it starts on (from 1).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) line: usize,
    pub(super) segments: Vec<String>,
}

/// Every path in the code of `source`, single names included.
pub(super) fn paths(source: &str) -> Vec<Named> {
    let code: Vec<char> = blank(source).chars().collect();
    let mut reader = Reader { code: &code, at: 0, found: Vec::new() };
    while reader.at < code.len() {
        if is_start(code[reader.at]) {
            reader.path(&[]);
        } else {
            reader.at += 1;
        }
    }
    // Found in order, so lines are counted in one pass.
    let (mut line, mut counted) = (1, 0);
    let place = |(at, segments): (usize, Vec<String>)| {
        line += code[counted..at].iter().filter(|c| **c == '\n').count();
        counted = at;
        Named { line, segments }
    };
    reader.found.into_iter().map(place).collect()
}

struct Reader<'c> {
    code: &'c [char],
    at: usize,
    found: Vec<(usize, Vec<String>)>,
}

impl Reader<'_> {
    /// Reads one path; a brace after `::` opens a list of paths that begin with what was read.
    fn path(&mut self, prefix: &[String]) {
        let start = self.at;
        let mut segments = prefix.to_vec();
        loop {
            self.blanks();
            match self.peek() {
                Some(c) if is_start(c) => segments.push(self.word()),
                Some('*') if !segments.is_empty() => {
                    self.at += 1;
                    segments.push("*".to_owned());
                }
                Some('{') if !segments.is_empty() => return self.group(&segments),
                _ => break,
            }
            self.blanks();
            if self.code.get(self.at..self.at + 2) == Some(&[':', ':'][..]) {
                self.at += 2;
            } else {
                break;
            }
        }
        if segments.len() > prefix.len() {
            self.found.push((start, segments));
        }
    }

    fn group(&mut self, prefix: &[String]) {
        self.at += 1;
        loop {
            self.blanks();
            match self.peek() {
                None => return,
                Some('}') => {
                    self.at += 1;
                    return;
                }
                Some(c) if is_start(c) || c == '*' => {
                    self.path(prefix);
                    self.renaming();
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// `as name` after an entry of a list is no path.
    fn renaming(&mut self) {
        self.blanks();
        let before = self.at;
        if self.peek().is_some_and(is_start) {
            if self.word() == "as" {
                self.blanks();
                self.word();
            } else {
                self.at = before;
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.code.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| is_start(c) || c.is_numeric()) {
            self.at += 1;
        }
        self.code[start..self.at].iter().collect()
    }
}

fn is_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// The source with everything that is not code turned into blanks; lines stay lines.
pub(super) fn blank(source: &str) -> String {
    let code: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < code.len() {
        let end = end_of_prose(&code, at);
        if end > at {
            out.extend(code[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            out.push(code[at]);
            at += 1;
        }
    }
    out
}

/// Where the comment, string or character that starts at `at` ends; `at` itself where none starts.
fn end_of_prose(code: &[char], at: usize) -> usize {
    let next = |offset: usize| code.get(at + offset).copied();
    match (code[at], next(1)) {
        ('/', Some('/')) => code[at..].iter().position(|c| *c == '\n').map_or(code.len(), |n| at + n),
        ('/', Some('*')) => end_of_block(code, at),
        ('"', _) => end_of_string(code, at),
        ('r', Some('"' | '#')) if !in_word(code, at) => end_of_raw(code, at),
        ('\'', Some('\\')) => {
            code[at + 3..].iter().position(|c| *c == '\'').map_or(code.len(), |n| at + n + 4)
        }
        // A lifetime has no closing quote.
        ('\'', Some(_)) if next(2) == Some('\'') => at + 3,
        _ => at,
    }
}

/// Whether the letter at `at` ends a longer word (`for"…`), byte strings (`br"`) set apart.
fn in_word(code: &[char], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map(|i| code[i]);
    match before(1) {
        Some('b' | 'c') => before(2).is_some_and(|c| is_start(c) || c.is_numeric()),
        Some(c) => is_start(c) || c.is_numeric(),
        None => false,
    }
}

fn end_of_block(code: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (0usize, at);
    while i < code.len() {
        match (code[i], code.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) if depth == 1 => return i + 2,
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    code.len()
}

fn end_of_string(code: &[char], at: usize) -> usize {
    let mut i = at + 1;
    while i < code.len() {
        match code[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    code.len()
}

fn end_of_raw(code: &[char], at: usize) -> usize {
    let hashes = code[at + 1..].iter().take_while(|c| **c == '#').count();
    let open = at + 1 + hashes;
    if code.get(open) != Some(&'"') {
        return at; // a raw identifier
    }
    let mut i = open + 1;
    while i < code.len() {
        if code[i] == '"' && code[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes {
            return i + 1 + hashes;
        }
        i += 1;
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<String> = paths(source).iter().map(|named| named.segments.join("::")).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn reads_paths() {
        check("use crate::a::b;", &["use", "crate::a::b"]);
        check(
            "use crate::{a, b::{c, d as e}, f::*};",
            &["use", "crate::a", "crate::b::c", "crate::b::d", "crate::f::*"],
        );
        check("x(crate :: a\n:: b)", &["x", "crate::a::b"]);
        check("match x { A::B => c }", &["match", "x", "A::B", "c"]);
    }

    #[test]
    fn leaves_prose_out() {
        check("// crate::a\nb", &["b"]);
        check("/* crate::a /* nested */ still */ b", &["b"]);
        check(r#"f("crate::a \" b", '"', c)"#, &["f", "c"]);
        check("f(r#\"crate::a \"quoted\" \"#, 'x', '\\'', d)", &["f", "d"]);
        check("fn f<'a>(x: &'a str)", &["fn", "f", "a", "x", "a", "str"]);
    }

    #[test]
    fn counts_lines() {
        let lines: Vec<usize> = paths("a\n/* \n */ b\n\"\n\" c").iter().map(|named| named.line).collect();
        assert_eq!(lines, [1, 3, 5]);
    }
}
