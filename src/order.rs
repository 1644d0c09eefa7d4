//! Lists made and sorted, in one place and small: each instance of the standard sort is several kilobytes of the module,
//! and each of the standard way to collect a list is half of one.

use core::cmp::Ordering;

/// The indexes `0..len` in the order of `compare`; equal ones keep their order. A merge sort from the bottom up, which
/// begins with the runs that are in order already.
pub fn sorted(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..len).collect();
    let mut ends: Vec<usize> = vec![];
    for at in 1..len {
        if compare(at.saturating_sub(1), at) == Ordering::Greater {
            ends.push(at);
        }
    }
    ends.push(len);
    while ends.len() > 1 {
        let mut merged = Vec::with_capacity(len);
        let mut start = 0usize;
        for pair in ends.chunks(2) {
            let (middle, end) = match pair {
                [middle, end] => (*middle, *end),
                alone => alone.first().map_or((len, len), |end| (*end, *end)),
            };
            let run = |from: usize, to: usize| indexes.get(from..to).unwrap_or_default();
            merge((run(start, middle), run(middle, end)), compare, &mut merged);
            start = end;
        }
        indexes = merged;
        // Of each pair the second end is left, or that of the run that stood alone.
        ends = ends.chunks(2).filter_map(|pair| pair.last().copied()).collect();
    }
    indexes
}

fn merge(
    (mut left, mut right): (&[usize], &[usize]),
    compare: &mut dyn FnMut(usize, usize) -> Ordering,
    merged: &mut Vec<usize>,
) {
    while let ([first, later_left @ ..], [other, later_right @ ..]) = (left, right) {
        if compare(*first, *other) == Ordering::Greater {
            merged.push(*other);
            right = later_right;
        } else {
            merged.push(*first);
            left = later_left;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
}

/// The items in the order of `compare`; equal ones keep their order.
pub fn sort<T>(mut items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    let order = sorted(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    permute(order, &mut |a, b| items.swap(a, b));
    items
}

/// Numbers in their order, each once.
pub fn ascending(mut numbers: Vec<usize>) -> Vec<usize> {
    if numbers.len() > FEW {
        numbers = sort(numbers, usize::cmp);
    } else {
        for end in 1..numbers.len() {
            let mut at = end;
            while let Some(before) = at.checked_sub(1)
                && numbers.get(before) > numbers.get(at)
            {
                numbers.swap(before, at);
                at = before;
            }
        }
    }
    numbers.dedup();
    numbers
}

/// The first bytes of a text as a number: of two texts whose keys differ, the one with the smaller key comes first.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the place is below both lengths"
)]
pub const fn key(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let mut place = 0;
    while place < bytes.len() && place < text.len() {
        bytes[place] = text[place];
        place += 1;
    }
    u64::from_be_bytes(bytes)
}

/// So many numbers are brought to their places one by one.
const FEW: usize = 24;

/// Brings to each place the item whose index stands there in `order`, by swaps along the cycles.
pub fn permute(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        // What belongs here comes in; what stood here moves on to where that came from.
        while let Some(place) = order.get_mut(at) {
            let from = std::mem::replace(place, at);
            if from == at || from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

/// What `collect` does, where the target is a list, in one loop instead of three. For code that is not hot: the list is not
/// made as long as it will be before it is filled.
pub trait Gather: Iterator + Sized {
    /// All items, in their order.
    fn gather(self) -> Vec<Self::Item> {
        let mut items = vec![];
        for item in self {
            items.push(item);
        }
        items
    }
}

impl<I: Iterator> Gather for I {}

/// What `extend` does of a list, in one loop; as [`Gather`], for code that is not hot.
pub trait Grow<T> {
    /// All items behind those that it has, in their order.
    fn grow(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> Grow<T> for Vec<T> {
    fn grow(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_sort_does(items in proptest::collection::vec((0u8..4, 0u8..255), 0..70)) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            prop_assert_eq!(sort(items, |a, b| a.0.cmp(&b.0)), expected);
        }
    }

    proptest! {
        #[test]
        fn brings_each_number_once(numbers in proptest::collection::vec(0usize..40, 0..40)) {
            let mut expected = numbers.clone();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(ascending(numbers), expected);
        }
    }

    #[test]
    fn sorts_stably() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        assert_eq!(sort(items, |a, b| a.0.cmp(&b.0)), [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
