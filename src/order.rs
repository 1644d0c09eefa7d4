//! Sorting, in one place and small: each instance of the standard sort is several kilobytes of the module.

use core::cmp::Ordering;

/// The indexes `0..len` in the order of `compare`; equal ones keep their order. A merge sort from the bottom up.
pub fn sorted(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..len).collect();
    let mut width = 1usize;
    while width < len {
        let pairs = indexes.chunks(width.saturating_mul(2));
        indexes = pairs.flat_map(|pair| merge(pair.split_at(width.min(pair.len())), compare)).collect();
        width = width.saturating_mul(2);
    }
    indexes
}

fn merge(
    (left, right): (&[usize], &[usize]),
    compare: &mut dyn FnMut(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut merged = Vec::with_capacity(left.len().saturating_add(right.len()));
    let mut right = right.iter().peekable();
    for index in left {
        while let Some(next) = right.next_if(|next| compare(*index, **next) == Ordering::Greater) {
            merged.push(*next);
        }
        merged.push(*index);
    }
    merged.extend(right);
    merged
}

/// The items in the order of `compare`; equal ones keep their order.
pub fn sort<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let indexes = sorted(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    indexes.into_iter().filter_map(|index| items.get_mut(index).and_then(Option::take)).collect()
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

    #[test]
    fn sorts_stably() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        assert_eq!(sort(items, |a, b| a.0.cmp(&b.0)), [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
