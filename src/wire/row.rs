//! What is asked often crosses as a row: numbers in a fixed order, and one text that the texts among them are cut from.
//!
//! The façade reads the numbers where they stand in the module's memory and builds the objects, at a fraction of what
//! writing and parsing JSON costs. A closed word is its index; a text is its length in UTF-16 units; a word of a line is a
//! range of the line wherever it stands there as it is, so that most of a reading needs no text at all.
//!
//! ```text
//! decision  kind effective stage mode readOnly list index reason risk   list: 0 none, 1 the policy's rules, 2 the grants
//! reading   complete n*problem n*command
//! problem   code start end
//! command   context start end n*word n*(text word) n*(operator word start end)    assignments, redirects
//! text      length | ABSENT
//! word      start end (of the line) | IN_TEXT length | ABSENT: known only at run time
//! ```

use super::reading::write_risk;
use crate::json::Writer;
use crate::policy::{Decision, RuleRef};
use crate::shell::{Command, Reading};
use crate::span::{Span, Utf16, utf16_len};

/// In the place of a text that is not there.
const ABSENT: u32 = u32::MAX;

/// In the place of a start: the text does not stand in the line.
const IN_TEXT: u32 = ABSENT - 1;

/// Numbers and their text, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Row {
    numbers: Vec<u32>,
    text: String,
}

impl Row {
    /// Without anything in it.
    pub const EMPTY: Self = Self { numbers: Vec::new(), text: String::new() };

    /// Empties it, but for as many zeros as its head takes.
    pub fn restart(&mut self) {
        self.numbers.clear();
        self.numbers.extend_from_slice(&[0; 3]);
        self.text.clear();
    }

    /// The numbers.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The texts among the numbers, one after another.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a number; nothing that is counted here comes near the largest.
    pub fn push(&mut self, number: usize) {
        self.numbers.push(u32::try_from(number).unwrap_or(ABSENT));
    }

    /// Sets one of the numbers.
    pub fn set(&mut self, place: usize, number: usize) {
        if let Some(found) = self.numbers.get_mut(place) {
            *found = u32::try_from(number).unwrap_or(ABSENT);
        }
    }

    /// Adds a text.
    pub fn push_text(&mut self, text: Option<&str>) {
        match text {
            None => self.numbers.push(ABSENT),
            Some(text) => {
                self.push(utf16_len(text));
                self.text.push_str(text);
            }
        }
    }

    /// Adds a decision.
    pub fn push_decision(&mut self, decision: &Decision) {
        let outcome = &decision.outcome;
        self.push(outcome.kind.index());
        self.push(decision.effective.index());
        self.push(outcome.stage.index());
        self.push(decision.mode.index());
        self.push(usize::from(decision.read_only));
        let (list, index) = match outcome.rule {
            None => (0, 0),
            Some(RuleRef::Rule(rank)) => (1, rank),
            Some(RuleRef::Grant(place)) => (2, place),
        };
        self.push(list);
        self.push(index);
        self.push_text(outcome.reason.as_deref());
        if decision.risk.findings.is_empty() {
            return self.push_text(None);
        }
        let mut risk = Writer::default();
        write_risk(&mut risk, &decision.risk, decision.assessed.as_deref().unwrap_or_default());
        self.push_text(Some(&risk.text));
    }

    /// Adds a reading.
    pub fn push_reading(&mut self, reading: &Reading<'_>) {
        let mut line = Line { text: reading.line(), units: Utf16::of(reading.line()) };
        self.push(usize::from(reading.is_complete()));
        self.push(reading.problems().len());
        for problem in reading.problems() {
            self.push(problem.code.index());
            self.push_span(&mut line, problem.span);
        }
        self.push(reading.commands().len());
        for command in reading.commands() {
            self.push_command(&mut line, command);
        }
    }

    fn push_command(&mut self, line: &mut Line<'_>, command: &Command<'_>) {
        self.push(command.context.index());
        self.push_span(line, command.span);
        self.push(command.words.len());
        for word in &command.words {
            self.push_word(line, word.value());
        }
        self.push(command.assignments.len());
        for assignment in &command.assignments {
            self.push_word(line, Some(&assignment.name));
            self.push_word(line, assignment.value.value());
        }
        self.push(command.redirects.len());
        for redirect in &command.redirects {
            self.push(redirect.operator.index());
            self.push_word(line, redirect.target.value());
            self.push_span(line, redirect.span);
        }
    }

    fn push_word(&mut self, line: &mut Line<'_>, word: Option<&str>) {
        match word.map(|word| (line.place(word), word)) {
            None => self.numbers.push(ABSENT),
            Some((Some(span), _)) => self.push_span(line, span),
            Some((None, word)) => {
                self.numbers.push(IN_TEXT);
                self.push_text(Some(word));
            }
        }
    }

    fn push_span(&mut self, line: &mut Line<'_>, span: Span) {
        let span = line.units.span(span);
        self.push(span.start);
        self.push(span.end);
    }
}

/// The line of a reading.
struct Line<'t> {
    text: &'t str,
    units: Utf16<'t>,
}

impl Line<'_> {
    /// Where a word that was borrowed from the line stands in it.
    fn place(&self, word: &str) -> Option<Span> {
        let start = word.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let end = start.checked_add(word.len())?;
        (end <= self.text.len()).then(|| Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::{ABSENT, IN_TEXT, Row};
    use crate::shell::read;

    #[track_caller]
    fn check(line: &str, numbers: &[u32], text: &str) {
        let mut row = Row::default();
        row.push_reading(&read(line));
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
