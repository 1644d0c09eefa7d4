//! A row: numbers in a fixed order, and one text that the texts among them are cut from. What is asked often crosses to
//! JavaScript as one.
//!
//! The façade reads the numbers where they stand in the module's memory and builds the objects, at a fraction of what
//! writing and parsing JSON costs. A closed word is its index; a text is its length in UTF-16 units; a word of a line is a
//! range of the line wherever it stands there as it is, so that most of a reading needs no text at all.
//!
//! ```text
//! text   length | ABSENT
//! word   start end (of the line) | IN_TEXT length | ABSENT: known only at run time
//! ```

use crate::span::{Span, Utf16, utf16_len};

/// In the place of a text that is not there.
pub const ABSENT: u32 = u32::MAX;

/// In the place of a start: the text does not stand in the line.
pub const IN_TEXT: u32 = ABSENT - 1;

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

    /// Adds a range of a line.
    pub fn push_span(&mut self, line: &mut Line<'_>, span: Span) {
        let span = line.units.span(span);
        self.push(span.start);
        self.push(span.end);
    }

    /// Adds a word of a line.
    pub fn push_word(&mut self, line: &mut Line<'_>, word: Option<&str>) {
        match word.map(|word| (line.place(word), word)) {
            None => self.numbers.push(ABSENT),
            Some((Some(span), _)) => self.push_span(line, span),
            Some((None, word)) => {
                self.numbers.push(IN_TEXT);
                self.push_text(Some(word));
            }
        }
    }
}

/// A line that words are ranges of.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    text: &'t str,
    units: Utf16<'t>,
}

impl<'t> Line<'t> {
    /// That of a text.
    pub fn of(text: &'t str) -> Self {
        Self { text, units: Utf16::of(text) }
    }

    /// Where a word that was borrowed from the line stands in it.
    fn place(&self, word: &str) -> Option<Span> {
        let start = word.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let end = start.checked_add(word.len())?;
        (end <= self.text.len()).then(|| Span::new(start, end))
    }
}
