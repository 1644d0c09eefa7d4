//! SHA-256 as lower-case hex digits.

use sha2::{Digest, Sha256};

/// A digest that is fed piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes more bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The 64 digits.
    pub fn hex(self) -> String {
        let mut digits = [0; 64];
        for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(self.0.finalize()) {
            *pair = [hex_digit(byte >> 4), hex_digit(byte & 15)];
        }
        str::from_utf8(&digits).unwrap_or_default().into()
    }
}

pub(super) fn hex_digit(value: u8) -> u8 {
    value.saturating_add(if value < 10 { b'0' } else { b'a'.saturating_sub(10) })
}

/// Whether a text is that many lower-case hex digits.
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The digest of `bytes`.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.update(bytes);
    hasher.hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_the_known_text() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), abc);
        let mut hasher = Hasher::default();
        hasher.update(b"a");
        hasher.update(b"bc");
        assert_eq!(hasher.hex(), abc);
    }
}
