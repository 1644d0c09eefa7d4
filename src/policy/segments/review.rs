//! Whether an allow of the rules must be reviewed in auto mode (`qwen-code.md` section 11).
//!
//! Reviewed is what may change a protected file: an edit of one, a redirect to one, an operation on one or on a path
//! whose directory is not known, and a program that can write, where a word names one or has a variable in it.

use super::operations::{Operations, Target};
use super::protected::is_protected;
use crate::dialect::Segments;
use crate::rule;
use crate::shell::{Command, Reading, Word};

/// What a review goes by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Review<'r> {
    pub(super) tables: &'static Segments,
    /// Protected files of the configuration.
    pub(super) more: &'r [String],
}

impl Review<'_> {
    pub(super) fn is_protected(&self, path: &str) -> bool {
        is_protected(path, self.tables.auto.protected, self.more)
    }

    /// Whether a line must be reviewed.
    pub(super) fn of_line(&self, reading: &Reading<'_>, operations: &Operations) -> bool {
        operations.overflow
            || self.has_protected_redirect(reading.line())
            || self.has_protected_operation(operations)
            || reading.commands().iter().any(|command| self.may_write(command, reading.line()))
    }

    /// A `>` before a word, as the text has it.
    fn has_protected_redirect(&self, line: &str) -> bool {
        let tokens = rule::tokens(line);
        tokens.windows(2).any(|pair| match pair {
            [operator, word] => {
                operator.operator
                    && matches!(operator.text.as_str(), ">" | ">>" | ">&")
                    && self.is_protected(&word.text)
            }
            _ => false,
        })
    }

    fn has_protected_operation(&self, operations: &Operations) -> bool {
        let tools = &self.tables.virtual_tools;
        operations.list.iter().any(|operation| match &operation.target {
            Target::Path { path, sure } => {
                (operation.tool == tools.write || operation.tool == tools.edit)
                    && (!sure || self.is_protected(path))
            }
            Target::Host(_) => false,
        })
    }

    fn may_write(&self, command: &Command<'_>, line: &str) -> bool {
        let auto = &self.tables.auto;
        let name = command.name().unwrap_or_default();
        if !auto.writers.has(name) {
            return false;
        }
        let (only, options) = auto.in_place;
        let given = |word: &Word<'_>| {
            let text = word.value_or_written(line);
            options.any(&mut |option| match option.strip_prefix("--") {
                Some(_) => text.starts_with(option),
                None => {
                    text.starts_with('-') && !text.starts_with("--") && text.contains(|c| option.ends_with(c))
                }
            })
        };
        if only.has(name) && !command.words.iter().any(given) {
            return false;
        }
        command.words.iter().skip(1).any(|word| {
            let text = word.value_or_written(line);
            text.split(['=']).any(|part| self.is_protected(part)) || has_variable(word.written(line))
        })
    }
}

/// Whether a text has `$NAME` or `${` outside single quotes.
fn has_variable(written: &str) -> bool {
    let mut chars = written.chars().peekable();
    let (mut single, mut double) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '\\' if !single => {
                chars.next();
            }
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '$' if !single
                && chars.peek().is_some_and(|c| *c == '{' || *c == '_' || c.is_ascii_alphabetic()) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: bool) {
        assert_eq!(has_variable(written), expected, "{written:?}");
    }

    #[test]
    fn variables_outside_single_quotes() {
        check("\"$D\"", true);
        check("${x}", true);
        check("'{print $1}'", false);
        check("'$D'", false);
        check("\"'$D'\"", true);
        check("$1", false);
        check("\\$D", false);
        check("$(x)", false);
    }
}
