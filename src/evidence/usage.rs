//! Tokens that model calls say they took (evidence.md section 16).

use crate::json::{Json, LARGEST_SAFE_INTEGER, Writer};

/// The counters, the first two of which are always there.
const NAMES: [&str; 4] = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];

/// How many of them are needed.
const NEEDED: usize = 2;

/// Tokens of one call, or of several; an optional counter is there if a call had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage([Option<u64>; 4]);

impl Usage {
    /// What no call took.
    pub const ZERO: Self = Self([Some(0), Some(0), None, None]);

    /// Reads a reply's member `usage`; none, unless all of its counters are safe integers that are not negative.
    pub fn read(reply: &Json) -> Option<Self> {
        let usage = reply.member("usage")?;
        let mut counters = [None; 4];
        for (at, (counter, name)) in counters.iter_mut().zip(NAMES).enumerate() {
            *counter = match usage.member(name) {
                Some(value) => Some(value.as_safe_integer()?),
                None if at < NEEDED => return None,
                None => None,
            };
        }
        Some(Self(counters))
    }

    /// The sum; none past the safe integers.
    pub fn plus(self, other: Self) -> Option<Self> {
        let mut sum = self.0;
        for (counter, more) in sum.iter_mut().zip(other.0) {
            if let Some(more) = more {
                let total = counter.unwrap_or(0).saturating_add(more);
                *counter = Some(total).filter(|total| *total <= LARGEST_SAFE_INTEGER);
                (*counter)?;
            }
        }
        Some(Self(sum))
    }
}

/// Writes known usage as an object, else `"unknown"`.
pub fn write_usage(usage: Option<Usage>, to: &mut Writer) {
    let Some(usage) = usage else { return to.string("unknown") };
    to.open("{");
    for (name, counter) in NAMES.into_iter().zip(usage.0) {
        if let Some(counter) = counter {
            to.name(name);
            to.count(counter);
        }
    }
    to.close("}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[track_caller]
    fn sum(usages: &[&str], expected: &str) {
        let mut replies = usages.iter().map(|usage| read(&["{\"usage\":", usage, "}"].concat()).unwrap());
        let sum = replies.try_fold(Usage::ZERO, |sum, reply| sum.plus(Usage::read(&reply)?));
        let mut to = Writer::default();
        write_usage(sum, &mut to);
        assert_eq!(to.text, expected, "{usages:?}");
    }

    #[test]
    fn adds_up() {
        sum(&[], r#"{"inputTokens":0,"outputTokens":0}"#);
        sum(
            &[
                r#"{"inputTokens":1,"outputTokens":2,"cacheReadTokens":3,"cost":9}"#,
                r#"{"outputTokens":4,"inputTokens":0,"cacheWriteTokens":0}"#,
            ],
            r#"{"inputTokens":1,"outputTokens":6,"cacheReadTokens":3,"cacheWriteTokens":0}"#,
        );
        let most = r#"{"inputTokens":9007199254740991,"outputTokens":0}"#;
        sum(&[most], most);
        for unknown in [
            r#"{"inputTokens":1}"#,
            r#"{"inputTokens":1,"outputTokens":null}"#,
            r#"{"inputTokens":1,"outputTokens":1,"cacheReadTokens":null}"#,
            r#"{"inputTokens":1,"outputTokens":"1"}"#,
            r#"{"inputTokens":1,"outputTokens":9007199254740992}"#,
            "null",
            "[]",
        ] {
            sum(&[most, unknown], "\"unknown\"");
        }
        sum(&[most, r#"{"inputTokens":1,"outputTokens":0}"#], "\"unknown\"");
    }
}
