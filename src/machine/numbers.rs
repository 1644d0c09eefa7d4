//! The numbers of what is open.

use super::Misuse;

/// The number of a call or of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(pub u32);

/// What is open, each under a number that is given once. Invariant (once): an item is taken out one time.
///
/// ```
/// use toolgate::machine::{Misuse, Open};
/// let mut open = Open::starting_at(7);
/// let number = open.add("a model call");
/// assert_eq!(open.take(number, |_| true), Ok("a model call"));
/// assert_eq!(open.take(number, |_| true), Err(Misuse::Late));
/// ```
#[derive(Clone, Debug)]
pub struct Open<T> {
    /// In order of number. Few are open at a time, so a list is searched.
    items: Vec<(Number, T)>,
    next: u32,
}

impl<T> Open<T> {
    /// Nothing is open. Numbers begin at `first`: a machine that takes over from a lost one goes on behind its numbers,
    /// so that an answer to the lost one is late here.
    pub fn starting_at(first: u32) -> Self {
        Self { items: vec![], next: first }
    }

    /// Opens an item.
    pub fn add(&mut self, item: T) -> Number {
        let number = Number(self.next);
        // After four thousand million effects the numbers begin anew; those are long closed.
        self.next = self.next.wrapping_add(1);
        self.items.push((number, item));
        number
    }

    /// Opens an item under a number that a lost machine gave, and whose answer is still to come.
    pub fn restore(&mut self, number: Number, item: T) {
        let place = self.items.iter().take_while(|(other, _)| *other < number).count();
        self.items.insert(place, (number, item));
    }

    /// What is open under a number.
    pub fn get(&self, number: Number) -> Result<&T, Misuse> {
        let missing = if number.0 < self.next { Misuse::Late } else { Misuse::Unknown };
        self.iter().find(|(other, _)| *other == number).map(|(_, item)| item).ok_or(missing)
    }

    /// Closes an item, if it is of the kind that was answered.
    pub fn take(&mut self, number: Number, is_kind: impl FnOnce(&T) -> bool) -> Result<T, Misuse> {
        if !is_kind(self.get(number)?) {
            return Err(Misuse::Other);
        }
        self.drop(number).ok_or(Misuse::Late)
    }

    /// Closes an item of which nothing is expected any more; gives it, if it was open.
    pub fn drop(&mut self, number: Number) -> Option<T> {
        let place = self.items.iter().position(|(other, _)| *other == number)?;
        Some(self.items.remove(place).1)
    }

    /// Everything that is open, in order of number.
    pub fn iter(&self) -> impl Iterator<Item = (Number, &T)> {
        self.items.iter().map(|(number, item)| (*number, item))
    }

    /// [`iter`](Self::iter), to change what is open.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Number, &mut T)> {
        self.items.iter_mut().map(|(number, item)| (*number, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_answered_once() {
        let mut open = Open::starting_at(3);
        let (a, b) = (open.add('a'), open.add('b'));
        assert_eq!((a, b), (Number(3), Number(4)));
        assert_eq!(open.take(Number(5), |_| true), Err(Misuse::Unknown));
        assert_eq!(open.take(Number(2), |_| true), Err(Misuse::Late));
        assert_eq!(open.take(a, |item| *item == 'b'), Err(Misuse::Other));
        assert_eq!(open.take(a, |item| *item == 'a'), Ok('a'));
        assert_eq!(open.take(a, |_| true), Err(Misuse::Late));
        assert_eq!(open.drop(b), Some('b'));
        assert_eq!(open.drop(b), None);
        assert_eq!(open.iter().count(), 0);
    }
}
