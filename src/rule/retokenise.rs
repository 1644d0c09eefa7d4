//! A command taken apart into words and put together again, as a pattern sees it (`qwen-code.md` section 4).
//!
//! | piece | becomes |
//! |---|---|
//! | `'…'`, `"…"`, `\c` | what they stand for |
//! | `$name`, `${…}`, unquoted or in double quotes | nothing |
//! | a word with an unquoted `*` or `?` | the word `glob` |
//! | an operator or redirect | a word of its own |
//! | `NAME=value` before the first word | nothing, a command inside its value too |
//! | `#` at the start of a word | nothing, up to the end of the line |
//!
//! This is no shell's reading of the line; it only makes the text that a pattern is tried on. It never fails.

use crate::dialect::tiers::Words;
use crate::text;

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// After quotes.
    pub text: String,
    /// It is an operator or a redirect.
    pub operator: bool,
    /// It had an unquoted glob.
    glob: bool,
    /// It began as an assignment does.
    assignment: bool,
}

/// The text that a pattern is tried on.
pub fn retokenise(command: &str) -> String {
    let tokens = tokens(command);
    let leading = tokens.iter().take_while(|token| token.assignment).count();
    let mut text = String::with_capacity(command.len());
    for token in tokens.iter().skip(leading).filter(|token| !token.text.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(if token.glob { "glob" } else { &token.text });
    }
    text
}

/// The words and operators of a command, in order.
pub fn tokens(command: &str) -> Vec<Token> {
    let mut reader = Reader { rest: command, tokens: vec![], word: None };
    while let Some(c) = reader.next() {
        reader.take(c);
    }
    reader.end_word();
    reader.tokens
}

/// Operators, longer ones first.
const OPERATORS: Words = Words("<<< || && ;; |& <( >> >& <& & ; ( ) | < >");

struct Reader<'t> {
    rest: &'t str,
    tokens: Vec<Token>,
    word: Option<Token>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    /// The word under way.
    fn word(&mut self) -> &mut Token {
        self.word.get_or_insert_with(|| Token {
            text: String::new(),
            operator: false,
            glob: false,
            assignment: false,
        })
    }

    fn end_word(&mut self) {
        self.tokens.extend(self.word.take());
    }

    fn take(&mut self, c: char) {
        match c {
            _ if text::is_blank(c) => self.end_word(),
            '\'' => self.single(),
            '"' => self.double(),
            '\\' => match self.next() {
                // A line goes on behind it.
                Some('\n') | None => {}
                Some(escaped) => self.word().text.push(escaped),
            },
            '#' if self.word.is_none() => {
                let end = self.rest.bytes().position(|byte| byte == b'\n').unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..).unwrap_or_default();
            }
            '`' if self.is_assignment() => self.skip_behind('`'),
            '$' => self.dollar(),
            '*' | '?' => {
                let word = self.word();
                word.glob = true;
                word.text.push(c);
            }
            '=' if self.is_name() => {
                let word = self.word();
                word.assignment = true;
                word.text.push(c);
            }
            '&' | ';' | '(' | ')' | '|' | '<' | '>' => self.operator(c),
            _ => self.word().text.push(c),
        }
    }

    /// The word under way is a variable's name so far, or one to be added to.
    fn is_name(&self) -> bool {
        let name = self.word.as_ref().filter(|word| !word.assignment).map(|word| word.text.as_str());
        let name = name.map(|name| name.strip_suffix('+').unwrap_or(name));
        name.is_some_and(|name| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    }

    fn is_assignment(&self) -> bool {
        self.word.as_ref().is_some_and(|word| word.assignment)
    }

    fn single(&mut self) {
        self.word();
        while let Some(c) = self.next().filter(|c| *c != '\'') {
            self.word().text.push(c);
        }
    }

    fn double(&mut self) {
        self.word();
        while let Some(c) = self.next().filter(|c| *c != '"') {
            match c {
                '\\' => match self.next() {
                    Some(escaped @ ('"' | '\\' | '$')) => self.word().text.push(escaped),
                    Some('\n') => {}
                    Some(other) => {
                        self.word().text.push('\\');
                        self.word().text.push(other);
                    }
                    None => self.word().text.push('\\'),
                },
                '$' => self.dollar(),
                _ => self.word().text.push(c),
            }
        }
    }

    /// What stands behind a `$`.
    fn dollar(&mut self) {
        match self.rest.chars().next() {
            Some('{') => self.skip_behind('}'),
            Some('*' | '@' | '#' | '?' | '$' | '!' | '-') => {
                self.next();
            }
            Some(c) if c == '_' || c.is_ascii_alphanumeric() => {
                let end = self.rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
                self.rest = self.rest.get(end.unwrap_or(self.rest.len())..).unwrap_or_default();
            }
            Some('(') if self.is_assignment() => {
                self.next();
                self.skip_substitution();
            }
            _ => {
                self.word().text.push('$');
                return;
            }
        }
        self.word();
    }

    fn skip_behind(&mut self, end: char) {
        while self.next().is_some_and(|c| c != end) {}
    }

    /// Goes behind the parenthesis that closes a substitution.
    fn skip_substitution(&mut self) {
        let mut depth = 1usize;
        let mut quote = None;
        while let Some(c) = self.next() {
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('\''), _) => {}
                (_, '\\') => {
                    self.next();
                }
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth = depth.saturating_add(1),
                (None, ')') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn operator(&mut self, first: char) {
        self.end_word();
        for operator in OPERATORS.iter() {
            if let Some(more) = operator.strip_prefix(first)
                && let Some(rest) = self.rest.strip_prefix(more)
            {
                self.rest = rest;
                let text = operator.into();
                self.tokens.push(Token { text, operator: true, glob: false, assignment: false });
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(command: &str, expected: &str) {
        assert_eq!(retokenise(command), expected, "{command:?}");
    }

    #[test]
    fn quotes_and_variables() {
        check("echo 'a b'  \"c d\"", "echo a b c d");
        check("echo '$X' \"$X\" $X ${X}y", "echo $X y");
        check("r\"m\" -r'f'", "rm -rf");
        check("awk '{print $1}' f", "awk {print $1} f");
        check("echo a\\;b \"a\\nb\"", "echo a;b a\\nb");
        check("git pu\\\nsh", "git push");
        check("echo \"open", "echo open");
        check("echo $ $", "echo $ $");
    }

    #[test]
    fn globs_comments_operators() {
        check("ls *.ts", "ls glob");
        check("ls '*.ts'", "ls *.ts");
        check("echo hi # c; d\necho", "echo hi echo");
        check("echo a#b", "echo a#b");
        check("a 2>&1 >f<<<x", "a 2 >& 1 > f <<< x");
        check("$(true", "$ ( true");
        check("git push x)", "git push x )");
        check("a && b", "a && b");
    }

    #[test]
    fn assignments() {
        check("A=1 B=\"2 3\" ls -l", "ls -l");
        check("A=1", "");
        check("A=$(x (y) ')' z) ls", "ls");
        check("A=`x y` ls", "ls");
        check("1A=1 ls", "1A=1 ls");
        check("ls A=1", "ls A=1");
        check("A=* ls", "ls");
    }

    proptest! {
        #[test]
        fn never_fails(command in "[a$(){}'\"`\\\\#=*&|<> \n]{0,40}") {
            retokenise(&command);
        }
    }
}
