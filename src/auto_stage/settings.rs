//! The settings of the stage, read anew for every call (auto-stage.md section 2).

use super::soft_deny::DEFAULTS;
use crate::json::Json;
use crate::limits::TIMER_MS;

/// What counts of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What the host finds the route by.
    pub route: String,
    /// Of one model call.
    pub timeout_ms: u32,
    /// How many verdicts are kept.
    pub cache_max_entries: usize,
    /// The soft-deny rules as they are listed; `None` for the built-in ones.
    pub soft_deny: Option<Vec<String>>,
    /// The text of all that verdicts depend on: where it differs, those that are kept count no more.
    pub slice: String,
}

impl Settings {
    /// Reads `{soft_deny?, classifier?: {enabled?, route?, timeoutMs?, cacheMaxEntries?}}`; `None` where the stage is
    /// off. Members of another type count as absent; an item of the rules that is no text stands for the built-in ones.
    pub fn read(settings: &Json) -> Option<Self> {
        let classifier = settings.get("classifier")?;
        if classifier.get("enabled") != Some(&Json::Bool(true)) {
            return None;
        }
        let soft_deny = settings.get("soft_deny");
        let number = |name: &str, default: u32| classifier.get(name).and_then(whole).unwrap_or(default);
        let slice = [soft_deny.unwrap_or(&Json::Null), classifier].map(Json::text).join(" ");
        Some(Self {
            route: classifier.get("route").and_then(Json::as_str).unwrap_or("haiku").into(),
            timeout_ms: number("timeoutMs", 8_000).min(TIMER_MS),
            cache_max_entries: usize::try_from(number("cacheMaxEntries", 256)).unwrap_or(usize::MAX),
            soft_deny: soft_deny.and_then(Json::as_list).map(texts),
            slice,
        })
    }
}

fn texts(items: &[Json]) -> Vec<String> {
    let mut texts = vec![];
    for item in items {
        texts.push(item.as_str().unwrap_or(DEFAULTS).into());
    }
    texts
}

/// The whole part of a number as `JSON.stringify` writes it: negative ones count as 0, those that are too large as the
/// largest.
fn whole(value: &Json) -> Option<u32> {
    // Below one there is no count.
    let count = value.as_count().unwrap_or(0);
    matches!(value, Json::Number(_)).then(|| u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[track_caller]
    fn check(text: &str, expected: Option<u32>) {
        assert_eq!(whole(&read(text).unwrap()), expected, "{text}");
    }

    #[test]
    fn takes_the_whole_part() {
        check("30", Some(30));
        check("30.9", Some(30));
        check("0.9", Some(0));
        check("1.5e-7", Some(0));
        check("-4", Some(0));
        check("1e+21", Some(u32::MAX));
        check("1.5e+300", Some(u32::MAX));
        check("99999999999", Some(u32::MAX));
        check("null", None);
        check("\"30\"", None);
    }

    #[test]
    fn reads_what_counts() {
        let read = |text: &str| Settings::read(&read(text).unwrap());
        assert_eq!(read("null"), None);
        assert_eq!(read(r#"{"classifier":{"enabled":"true"}}"#), None);
        let plain = read(r#"{"classifier":{"enabled":true}}"#).unwrap();
        assert_eq!((plain.route.as_str(), plain.timeout_ms, plain.cache_max_entries), ("haiku", 8_000, 256));
        assert_eq!(plain.soft_deny, None);
        let other = read(
            r#"{"soft_deny":["a",1],"classifier":{"enabled":true,"route":7,"timeoutMs":1e12,"cacheMaxEntries":-1}}"#,
        )
        .unwrap();
        assert_eq!((other.route.as_str(), other.cache_max_entries), ("haiku", 0));
        assert_eq!(other.timeout_ms, TIMER_MS);
        assert_eq!(other.soft_deny, Some(vec!["a".into(), DEFAULTS.into()]));
        assert_ne!(plain.slice, other.slice);
    }
}
