//! Sorting, in one place and small: each instance of the standard sort is several kilobytes of the module.

use core::cmp::Ordering;

/// The indexes `0..len` in the order of `compare`; equal ones keep their order. A merge sort from the bottom up.
pub fn sorted(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..len).collect();
    let mut width = 1usize;
    while width < len {
        let mut merged = Vec::with_capacity(len);
        for pair in indexes.chunks(width.saturating_mul(2)) {
            merge(pair.split_at(width.min(pair.len())), compare, &mut merged);
        }
        indexes = merged;
        width = width.saturating_mul(2);
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
    let order = sorted(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    permute(order, &mut |a, b| items.swap(a, b));
    items
}

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
