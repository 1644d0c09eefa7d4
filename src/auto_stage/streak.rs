//! How often a route failed at the end of a log (auto-stage.md section 8).

use crate::json::Json;
use crate::vocabulary::ClassifierFailure;

/// What of an audit record is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past<'r> {
    /// The provider that was asked, where one was.
    pub provider: Option<&'r str>,
    /// The model that was asked, where one was.
    pub model: Option<&'r str>,
    /// Why there was no verdict; `None` for one.
    pub failure: Option<&'r str>,
}

impl<'r> Past<'r> {
    /// Reads `{provider?, model?, failure?}`. A provider or model that is empty, or no text, counts as absent; a
    /// failure that is no text is still one.
    pub fn of(record: &'r Json) -> Self {
        let name = |name: &str| record.get(name).and_then(Json::as_str).filter(|text| !text.is_empty());
        let failure = record.get("failure").map(|failure| failure.as_str().unwrap_or_default());
        Self { provider: name("provider"), model: name("model"), failure }
    }
}

/// Failures of the route `key` since its last verdict, at most `threshold`. What is not about the route, or neither
/// failure nor verdict, changes nothing.
pub fn trailing_route_failure_streak(past: &[Past<'_>], key: &str, threshold: usize) -> usize {
    let mut streak = 0usize;
    for record in past {
        let (Some(provider), Some(model)) = (record.provider, record.model) else { continue };
        if !is_route(key, provider, model) {
            continue;
        }
        match record.failure {
            None => streak = 0,
            Some(word) if ClassifierFailure::parse(word).is_some_and(counts) => {
                streak = streak.saturating_add(1).min(threshold);
            }
            Some(_) => {}
        }
    }
    streak
}

/// Whether a failure says something about its route.
pub(super) fn counts(failure: ClassifierFailure) -> bool {
    matches!(failure, ClassifierFailure::Timeout | ClassifierFailure::Error | ClassifierFailure::Malformed)
}

fn is_route(key: &str, provider: &str, model: &str) -> bool {
    key.strip_prefix(provider).and_then(|rest| rest.strip_prefix('/')) == Some(model)
}
