//! Numbers of JSON as whole numbers, read from their text: no floating point comes in, and nothing is rounded.

use super::Json;

/// 2⁵³ − 1, the largest integer of JavaScript that no other number is taken for.
pub const LARGEST_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

impl Json {
    /// A safe integer that is not negative, however it is written.
    pub fn as_safe_integer(&self) -> Option<u64> {
        self.whole()
            .and_then(|(whole, is_exact)| (is_exact && whole <= LARGEST_SAFE_INTEGER).then_some(whole))
    }

    /// A number without its fraction, if it is at least one; one that is too large counts as `u64::MAX`.
    pub fn as_count(&self) -> Option<u64> {
        self.whole().map(|(whole, _)| whole).filter(|whole| *whole > 0)
    }

    /// The whole part of a number that has no sign, and whether it has no other part.
    fn whole(&self) -> Option<(u64, bool)> {
        let Self::Number(text) = self else { return None };
        let mut part = Part::Integer;
        // Digits before the decimal point, and how far the exponent moves it.
        let (mut integer, mut shift, mut moves_back) = (0usize, 0usize, false);
        for byte in text.bytes() {
            match (byte, part) {
                (b'.', _) => part = Part::Fraction,
                (b'e' | b'E', _) => part = Part::Exponent,
                (b'-', Part::Exponent) => moves_back = true,
                (b'0'..=b'9', Part::Exponent) => {
                    shift = shift.saturating_mul(10).saturating_add(usize::from(byte & 15));
                }
                (b'0'..=b'9', Part::Integer) => integer = integer.saturating_add(1),
                (b'0'..=b'9', Part::Fraction) | (b'+', Part::Exponent) => {}
                _ => return None,
            }
        }
        let point = if moves_back { integer.saturating_sub(shift) } else { integer.saturating_add(shift) };
        let (mut whole, mut is_exact, mut count) = (0u64, true, 0usize);
        let mantissa = text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E'));
        for digit in mantissa.filter(u8::is_ascii_digit) {
            if count < point {
                whole = whole.saturating_mul(10).saturating_add(u64::from(digit & 15));
            } else {
                is_exact &= digit == b'0';
            }
            count = count.saturating_add(1);
        }
        // Twenty more zeros take any number but zero past the largest.
        for _ in count..point.min(count.saturating_add(20)) {
            whole = whole.saturating_mul(10);
        }
        Some((whole, is_exact))
    }
}

/// A part of a number's text.
#[derive(Clone, Copy)]
enum Part {
    Integer,
    Fraction,
    Exponent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, safe: Option<u64>, count: Option<u64>) {
        let number = Json::Number(text.into());
        assert_eq!((number.as_safe_integer(), number.as_count()), (safe, count), "{text}");
    }

    #[test]
    fn reads_whole_numbers() {
        check("0", Some(0), None);
        check("-0", None, None);
        check("-5", None, None);
        check("1500.9", None, Some(1_500));
        check("0.99", None, None);
        check("1.0", Some(1), Some(1));
        check("1.5e3", Some(1_500), Some(1_500));
        check("15E-1", None, Some(1));
        check("150e-1", Some(15), Some(15));
        check("5e-324", None, None);
        check("0e99", Some(0), None);
        check("9007199254740991", Some(LARGEST_SAFE_INTEGER), Some(LARGEST_SAFE_INTEGER));
        check("9007199254740992", None, Some(9_007_199_254_740_992));
        check("1e+21", None, Some(u64::MAX));
        check("1e99999999999999999999999", None, Some(u64::MAX));
        assert_eq!(Json::Text("1".into()).as_count(), None);
    }
}
