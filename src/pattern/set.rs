//! Sets of characters, as sorted ranges of code points.

use crate::order::sort;

/// First and last code point of a run. Surrogates may stand in it; no text contains them.
pub(super) type Range = (u32, u32);

const LAST: u32 = 0x10_FFFF;

const DIGIT: &[Range] = &[(0x30, 0x39)];
const WORD: &[Range] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// ECMAScript's `WhiteSpace` and `LineTerminator` together.
const SPACE: &[Range] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
const LINE_END: &[Range] = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

/// A set of characters.
#[derive(Clone, Debug)]
pub(super) struct Set {
    ranges: Vec<Range>,
}

impl Set {
    /// The union of `ranges`, or all that is not in it.
    pub(super) fn new(ranges: &[Range], negated: bool) -> Self {
        let mut merged: Vec<Range> = Vec::new();
        for (low, high) in sort(ranges.to_vec(), Range::cmp) {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self { ranges: if negated { complement(&merged) } else { merged } }
    }

    /// What `.` accepts.
    pub(super) fn dot() -> Self {
        Self::new(LINE_END, true)
    }

    /// What `\d`, `\w`, `\s` and their complements accept, as ranges.
    pub(super) fn shorthand(letter: char) -> Option<Vec<Range>> {
        let ranges = match letter {
            'd' | 'D' => DIGIT,
            'w' | 'W' => WORD,
            's' | 'S' => SPACE,
            _ => return None,
        };
        Some(if letter.is_ascii_uppercase() { complement(ranges) } else { ranges.to_vec() })
    }

    pub(super) fn contains(&self, point: u32) -> bool {
        // Most sets have a handful of ranges, and most characters fall into the first.
        self.ranges.iter().take_while(|range| range.0 <= point).any(|range| point <= range.1)
    }

    /// Its runs, in order.
    pub(super) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// Bytes that the set takes in a program.
    pub(super) fn size(&self) -> usize {
        self.ranges.len().saturating_mul(size_of::<Range>())
    }
}

fn complement(ranges: &[Range]) -> Vec<Range> {
    let mut gaps = Vec::with_capacity(ranges.len().saturating_add(1));
    let mut from = 0u32;
    for &(low, high) in ranges {
        if from < low {
            gaps.push((from, low.saturating_sub(1)));
        }
        from = high.saturating_add(1);
    }
    if from <= LAST {
        gaps.push((from, LAST));
    }
    gaps
}
