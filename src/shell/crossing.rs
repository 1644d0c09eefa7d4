//! A reading as a row.
//!
//! ```text
//! reading   complete n*problem n*command
//! problem   code start end
//! command   context start end n*word n*(word word) n*(operator word start end)    assignments, redirects
//! ```

use super::reading::{Command, Reading};
use crate::row::{Line, Row};

impl Reading<'_> {
    /// Adds the reading to a row.
    pub fn write(&self, row: &mut Row) {
        let mut line = Line::of(self.line());
        row.push(usize::from(self.is_complete()));
        row.push(self.problems().len());
        for problem in self.problems() {
            row.push(problem.code.index());
            row.push_span(&mut line, problem.span);
        }
        row.push(self.commands().len());
        for command in self.commands() {
            write_command(row, &mut line, command);
        }
    }
}

fn write_command(row: &mut Row, line: &mut Line<'_>, command: &Command<'_>) {
    row.push(command.context.index());
    row.push_span(line, command.span);
    row.push(command.words.len());
    for word in &command.words {
        row.push_word(line, word.value());
    }
    row.push(command.assignments.len());
    for assignment in &command.assignments {
        row.push_word(line, Some(&assignment.name));
        row.push_word(line, assignment.value.value());
    }
    row.push(command.redirects.len());
    for redirect in &command.redirects {
        row.push(redirect.operator.index());
        row.push_word(line, redirect.target.value());
        row.push_span(line, redirect.span);
    }
}

#[cfg(test)]
mod tests {
    use crate::row::{ABSENT, IN_TEXT, Row};
    use crate::shell::read;

    #[track_caller]
    fn check(line: &str, numbers: &[u32], text: &str) {
        let mut row = Row::default();
        read(line).write(&mut row);
        assert_eq!((row.numbers(), row.text()), (numbers, text), "{line:?}");
    }

    #[test]
    fn words_are_ranges_of_the_line() {
        check("ls -l", &[1, 0, 1, 0, 0, 5, 2, 0, 2, 3, 5, 0, 0], "");
        check("ls 'é' b", &[1, 0, 1, 0, 0, 8, 3, 0, 2, 4, 5, 7, 8, 0, 0], "");
    }

    #[test]
    fn words_that_stand_nowhere_are_texts() {
        check("ls a\"b\" $c", &[1, 0, 1, 0, 0, 10, 3, 0, 2, IN_TEXT, 2, ABSENT, 0, 0], "ab");
    }
}
