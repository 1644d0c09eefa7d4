//! A word as it is spelled: what its characters are without quotes, and what of it is known before it runs
//! (claude-code.md section 7.6).
//!
//! The scanner goes once over the token. What it cannot tell is unknown; where it takes the end of a substitution for
//! another one, a piece is unknown already, so that a mistake never makes a word known.

use super::place::Ground;
use crate::shell::{Context, Head, Operator, Reading, Word};
use crate::text;

/// What the variables of a line are known to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variables<'g> {
    /// `HOME`, where it is known and not assigned.
    pub(super) home: Option<&'g str>,
    /// `PWD`, where it is known and the line has not left it.
    pub(super) pwd: Option<&'g str>,
}

/// One word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    /// Its text without quotes; what is not known as written.
    pub(super) text: String,
    /// All of it is known.
    pub(super) known: bool,
    /// It has an unquoted glob.
    pub(super) globs: bool,
    /// A slash or glob stands directly behind something unknown that may come to nothing.
    pub(super) exposed: bool,
    /// What follows its last slash is unquoted.
    pub(super) bare_end: bool,
}

impl Spelling {
    /// The spelling of a word of `reading`.
    pub(super) fn of(word: &Word<'_>, reading: &Reading<'_>, variables: Variables<'_>) -> Self {
        let written = word.written(reading.line());
        let mut scan = Scan {
            rest: written,
            quoted: None,
            out: Self { known: true, bare_end: true, ..Self::default() },
        };
        scan.variables(variables);
        let mut spelling = scan.out;
        if has_brace_list(written) {
            spelling.known = false;
            spelling.globs |= word.literal().contains(['*', '?', '[']);
            spelling.text = word.value_or_written(reading.line()).into();
        } else if let Some(value) = word.value() {
            // The reader knows more of escapes.
            spelling.text = value.into();
        }
        if word.is_open() && written.is_empty() {
            spelling.known = false;
        }
        if !spelling.known && is_quoted_document(word, written, reading) {
            spelling.known = true;
        }
        if word.head() == Head::Tilde {
            let own = matches!(spelling.text.as_bytes(), [b'~'] | [b'~', b'/', ..]);
            spelling.known &= own && variables.home.is_some();
        }
        spelling
    }
}

impl Spelling {
    /// The texts of several.
    pub(super) fn texts(spellings: &[Self]) -> Vec<&str> {
        let mut texts = vec![];
        for spelling in spellings {
            texts.push(spelling.text.as_str());
        }
        texts
    }
}

/// Whether a token has an unquoted brace list or range, or may have one.
fn has_brace_list(written: &str) -> bool {
    let mut quote = None;
    let mut open = false;
    let mut before = ' ';
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(own), c) if own == c => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                rest.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            // `${` is no list.
            (None, '{') if before != '$' => open = true,
            (None, ',') if open => return true,
            (None, '.') if open && before == '.' => return true,
            _ => {}
        }
        before = c;
    }
    false
}

/// `"$(cat <<'X' … X)"`: a text, written as a document whose delimiter is quoted.
fn is_quoted_document(word: &Word<'_>, written: &str, reading: &Reading<'_>) -> bool {
    let Some(inner) = written.strip_prefix("\"$(").and_then(|rest| rest.strip_suffix(")\"")) else {
        return false;
    };
    let inside = word.inside();
    let mut commands = reading.commands_in(word);
    let (Some(index), None) = (commands.next(), commands.next()) else { return false };
    let Some(command) = reading.commands().get(index) else { return false };
    let substitution = reading.nest(inside.start).is_some_and(|nest| nest.context == Context::Substitution);
    let plain = command.assignments.is_empty()
        && command.words.len() == 1
        && command.context == Context::Substitution;
    let (Some(name), [document]) = (command.words.first(), command.redirects.as_slice()) else {
        return false;
    };
    let delimiter = document.span.slice(reading.line()).unwrap_or_default();
    substitution
        && plain
        && name.written(reading.line()) == "cat"
        && text::trim(inner).starts_with("cat")
        && matches!(document.operator, Operator::Heredoc | Operator::HeredocTabs)
        && delimiter.contains(['\'', '"', '\\'])
}

struct Scan<'w> {
    rest: &'w str,
    /// The quote around this place.
    quoted: Option<char>,
    out: Spelling,
}

impl<'w> Scan<'w> {
    fn variables(&mut self, variables: Variables<'_>) {
        // Whether the piece before is unknown and not guarded.
        let mut after_unknown = false;
        while let Some(c) = self.rest.chars().next() {
            match (self.quoted, c) {
                (Some(quote), c) if quote == c => {
                    self.skip(1);
                    self.quoted = None;
                }
                (Some('\''), c) => {
                    self.skip(c.len_utf8());
                    self.push(c, after_unknown);
                    after_unknown = false;
                }
                (None, '\'' | '"') => {
                    self.skip(1);
                    self.quoted = Some(c);
                }
                (_, '\\') => {
                    self.skip(1);
                    let Some(next) = self.rest.chars().next() else {
                        self.push('\\', after_unknown);
                        break;
                    };
                    self.skip(next.len_utf8());
                    if next == '\n' {
                        continue;
                    }
                    if self.quoted.is_some() && !matches!(next, '$' | '`' | '"' | '\\') {
                        self.push('\\', after_unknown);
                    }
                    let quoted = self.quoted.replace('\\');
                    self.push(next, after_unknown);
                    self.quoted = quoted;
                    after_unknown = false;
                }
                (_, '$' | '`') => {
                    if let Some(guarded) = self.expansion(variables) {
                        after_unknown = !guarded;
                    } else {
                        after_unknown = false;
                    }
                }
                (None, '<' | '>') => {
                    // A process substitution.
                    self.out.known = false;
                    self.skip(1);
                    let end = if self.rest.starts_with('(') { closing(self.rest, '(', ')') } else { 0 };
                    self.take(end);
                }
                (_, c) => {
                    self.skip(c.len_utf8());
                    self.push(c, after_unknown);
                    after_unknown = false;
                }
            }
        }
    }

    #[inline(never)]
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// What is known, in the place of so many bytes.
    #[inline(never)]
    fn known(&mut self, value: &str, bytes: usize) -> Option<bool> {
        self.out.text.push_str(value);
        self.skip(bytes);
        None
    }

    /// So many bytes that are not known before the line runs.
    #[inline(never)]
    fn unknown(&mut self, bytes: usize, guarded: bool) -> Option<bool> {
        self.out.known = false;
        self.out.bare_end = false;
        self.take(bytes.max(1));
        Some(guarded)
    }

    /// Copies what is not looked into.
    #[inline(never)]
    fn take(&mut self, bytes: usize) -> &'w str {
        let taken = self.rest.get(..bytes).unwrap_or(self.rest);
        self.out.text.push_str(taken);
        self.skip(taken.len());
        taken
    }

    #[inline(never)]
    fn push(&mut self, c: char, after_unknown: bool) {
        let glob = self.quoted.is_none() && matches!(c, '*' | '?' | '[');
        self.out.globs |= glob;
        self.out.exposed |= after_unknown && (c == '/' || glob);
        if c == '/' {
            self.out.bare_end = true;
        } else if self.quoted.is_some() {
            self.out.bare_end = false;
        }
        self.out.text.push(c);
    }

    /// Reads an expansion; whether it is guarded where it is unknown, none where it is known.
    fn expansion(&mut self, variables: Variables<'_>) -> Option<bool> {
        let rest = self.rest;
        let after = rest.get(1..).unwrap_or_default();
        if rest.starts_with('`') {
            let end = after.find(['`']).map_or(rest.len(), |at| at.saturating_add(2));
            return self.unknown(end, false);
        }
        if let Some(inner) = rest.strip_prefix("$((") {
            let end = text::find(inner, "))").map_or(inner.len(), |at| at);
            let literal = inner.get(..end).unwrap_or_default();
            let whole = end.saturating_add(5);
            if literal
                .bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'+' | b'-' | b'*' | b'/' | b'%'))
            {
                return self.known("0", whole);
            }
            return self.unknown(whole, false);
        }
        match after.chars().next() {
            Some('(') => {
                let end = closing(after, '(', ')').saturating_add(1);
                self.unknown(end, false)
            }
            Some('{') => {
                let end = closing(after, '{', '}');
                let body = after.get(1..end.saturating_sub(1)).unwrap_or_default();
                let name = body.split([':', '-', '?']).next().unwrap_or_default();
                let plain = body.len() == name.len() || body.starts_with("HOME:");
                let whole = end.saturating_add(1);
                match self.value(name, variables).filter(|_| plain) {
                    Some(value) => self.known(value, whole),
                    None => {
                        let operator = body.get(name.len()..).unwrap_or_default();
                        self.unknown(whole, operator.starts_with(":?"))
                    }
                }
            }
            Some('?' | '#') => self.known("0", 2),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let end = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
                let name = after.get(..end).unwrap_or_default();
                match self.value(name, variables) {
                    Some(value) => self.known(value, end.saturating_add(1)),
                    None => self.unknown(end.saturating_add(1), false),
                }
            }
            Some('\'' | '"') if self.quoted.is_none() => {
                // `$'…'` and `$"…"`: the reader knows their values.
                self.skip(1);
                None
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '@' | '*' | '-' | '$' | '!' | '[') => {
                self.unknown(2, false)
            }
            _ => {
                self.take(1);
                None
            }
        }
    }

    /// The value of a variable; unquoted, one that would be split is not known.
    fn value<'g>(&self, name: &str, variables: Variables<'g>) -> Option<&'g str> {
        let value = match name {
            "HOME" => variables.home,
            "PWD" => variables.pwd,
            _ => None,
        };
        value.filter(|value| self.quoted.is_some() || !value.contains([' ', '\t', '\n', '*', '?', '[']))
    }
}

/// The length of what `text` opens with, up to its matching end.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 0usize;
    let mut quote = None;
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match (quote, c) {
            (Some(own), c) if own == c => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                rest.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if c == open => depth = depth.saturating_add(1),
            (None, c) if c == close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at.saturating_add(1);
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The texts of the variables that places are.
pub(super) fn text_of(place: Option<&super::place::Place>) -> Option<String> {
    let place = place?;
    let joined = place.names.join("/");
    let drive = |name: &String| place.folds && name.len() == 1;
    Some(match place.names.split_first() {
        Some((letter, rest)) if drive(letter) => [letter, ":/", &rest.join("/")].concat(),
        _ => ["/", &joined].concat(),
    })
}

impl Ground {
    /// The text of the home directory.
    pub(super) fn home_text(&self) -> Option<String> {
        text_of(self.home.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell;

    #[track_caller]
    fn check(word: &str, text: &str, known: bool, exposed: bool) {
        let line = ["x ", word].concat();
        let reading = shell::read(&line);
        let variables = Variables { home: Some("/h"), pwd: Some("/p") };
        let spelling = Spelling::of(&reading.commands()[0].words[1], &reading, variables);
        assert_eq!(
            (spelling.text.as_str(), spelling.known, spelling.exposed),
            (text, known, exposed),
            "{word}"
        );
    }

    #[test]
    fn knows_what_is_written() {
        check("a'b c'\"d\"", "ab cd", true, false);
        check("$HOME/x", "/h/x", true, false);
        check("${HOME}/x", "/h/x", true, false);
        check("\"$PWD\"/x", "/p/x", true, false);
        check("$?", "0", true, false);
        check("$((1 + 2))", "0", true, false);
        check("'$X'", "$X", true, false);
        check("\\$X", "$X", true, false);
        check("~/x", "~/x", true, false);
        check("\"$(cat <<'E'\nx)\nE\n)\"", "$(cat <<'E'\nx)\nE\n)", true, false);
    }

    #[test]
    fn knows_what_it_does_not_know() {
        check("$X", "$X", false, false);
        check("$X/", "$X/", false, true);
        check("\"$X\"/*", "$X/*", false, true);
        check("\"${X}/\"*", "${X}/*", false, true);
        check("\"${X:?}\"/*", "${X:?}/*", false, false);
        check("$(pwd)/x", "$(pwd)/x", false, true);
        check("`pwd`", "`pwd`", false, false);
        check("a{b,c}", "ab", false, false);
        check("~bob/x", "~bob/x", false, false);
        check("$((X))", "$((X))", false, false);
        check("<(ls)", "(ls)", false, false);
    }
}
