//! Words that name a credential.

use crate::dialect::tiers::Words;
/// Last parts that make a word a credential key; so does any that ends in `password`.
const LAST: &str = "password passwd passphrase secret token tokens authorization cookie apikey apitoken privatekey \
    secretkey accesskey authtoken accesstoken refreshtoken githubtoken clientsecret";

/// What stands before a last part `key`.
const BEFORE_KEY: &str = "api private secret access";

/// Earlier parts with which `tokens` are counted, not kept.
const COUNTED: &str = "max min total prompt completion input output reasoning cached num";

/// The same for one `token`.
const BOUND: &str = "max min";

/// A credential key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// Its last part is `token` or `tokens`: numbers under it are counts.
    pub(super) is_token: bool,
}

impl Key {
    /// The word as a credential key, if it is one.
    pub(super) fn of(word: &str) -> Option<Self> {
        let parts = parts(word);
        let (last, earlier) = parts.split_last()?;
        let is_key = Words(LAST).has(last)
            || last.ends_with("password")
            || (last == "key" && earlier.last().is_some_and(|before| Words(BEFORE_KEY).has(before)));
        let excuses = match last.as_str() {
            "tokens" => COUNTED,
            "token" => BOUND,
            _ => "",
        };
        let is_excused = earlier.iter().any(|part| Words(excuses).has(part));
        (is_key && !is_excused).then(|| Self { is_token: last == "token" || last == "tokens" })
    }
}

/// The parts of a word, in lower case: split at `_`, `-`, blanks and where capitals begin a part; digits at the end of the
/// last part are dropped.
fn parts(word: &str) -> Vec<String> {
    let bytes = word.as_bytes();
    let mut parts: Vec<String> = vec![];
    let mut part = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b'_');
        let after = bytes.get(at.saturating_add(1)).copied().unwrap_or(b'_');
        let begins =
            byte.is_ascii_uppercase() && (!before.is_ascii_uppercase() || after.is_ascii_lowercase());
        if (begins || !byte.is_ascii_alphanumeric()) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if byte.is_ascii_alphanumeric() {
            part.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    parts.push(part);
    while let Some(last) = parts.last_mut() {
        while last.ends_with(|c: char| c.is_ascii_digit()) {
            last.pop();
        }
        if !last.is_empty() {
            break;
        }
        parts.pop();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: &[&str]) {
        assert_eq!(parts(word), expected, "{word}");
    }

    #[test]
    fn splits_words() {
        check("APIKey", &["api", "key"]);
        check("x-api-key", &["x", "api", "key"]);
        check("AWS_SECRET_ACCESS_KEY", &["aws", "secret", "access", "key"]);
        check("oauth2Token", &["oauth2", "token"]);
        check("password1", &["password"]);
        check("token_2", &["token"]);
        check("--password", &["password"]);
        check("password_", &["password"]);
        check("API", &["api"]);
        check("12", &[]);
        check("", &[]);
    }

    #[test]
    fn knows_credential_keys() {
        let is_key = |word| Key::of(word).is_some();
        assert!(["dbpassword", "PrivateKey", "my_secret", "token9", "sessionTokens"].into_iter().all(is_key));
        assert!(!["maxTokens", "max_token", "key", "publicKey", "tokenizer", ""].into_iter().any(is_key));
        assert_eq!(Key::of("access_token"), Some(Key { is_token: true }));
        assert_eq!(Key::of("secretKey"), Some(Key { is_token: false }));
    }
}
