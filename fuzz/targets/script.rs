//! Bytes that are read as choices.

/// Choices, made by bytes one after another; behind their end each is the first.
#[derive(Clone, Debug)]
pub struct Script<'b>(&'b [u8]);

impl<'b> Script<'b> {
    pub fn of(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `n`, which is at most 256.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 1
    }

    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A few bytes as they stand.
    pub fn text(&mut self) -> String {
        let length = self.below(24).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.0)
    }

    /// All that is left, where the first choice is that it is a text.
    pub fn raw(&mut self) -> Option<String> {
        // The brackets that JSON begins with, so that its files are seeds as they are.
        let is_raw = matches!(self.0.first(), Some(b'{' | b'[' | b'"'));
        is_raw.then(|| String::from_utf8_lossy(self.rest()).into_owned())
    }
}
