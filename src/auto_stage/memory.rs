//! What the stage remembers: failures of routes, what was said of which session, verdicts (auto-stage.md sections 8 and
//! 9).

use super::BREAKER_THRESHOLD;
use super::cache::Cache;

/// A route that has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    /// `provider/model`
    pub(super) key: String,
    /// Since its last verdict; at most the threshold.
    pub(super) failures: usize,
    /// Whether it is not asked any more.
    pub(super) is_open: bool,
}

/// What was done once for a session; a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Its log was read.
    Seeded = 1,
    /// It has its record of an open route.
    BreakerAudited = 2,
    /// It has its record of a missing model.
    UnarmedAudited = 4,
}

/// What the stage remembers between calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Routes that have failed, in the order in which they did first.
    pub(super) routes: Vec<Route>,
    /// The marks of each session, by its name.
    pub(super) sessions: Vec<(String, usize)>,
    pub(super) has_warned_of_breaker: bool,
    pub(super) has_warned_of_missing_model: bool,
    pub(super) cache: Cache,
    /// Whether anything but the verdicts has changed since this was last asked.
    is_changed: bool,
}

impl Memory {
    pub(super) fn has(&self, session: &str, mark: Mark) -> bool {
        let found = self.place(session).ok().and_then(|place| self.sessions.get(place));
        found.is_some_and(|(_, marks)| marks & mark as usize != 0)
    }

    /// Marks a session; whether it was not marked before.
    pub(super) fn mark(&mut self, session: &str, mark: Mark) -> bool {
        if self.has(session, mark) {
            return false;
        }
        self.restore_mark(session, mark);
        self.is_changed = true;
        true
    }

    pub(super) fn restore_mark(&mut self, session: &str, mark: Mark) {
        let place = self.place(session).unwrap_or_else(|place| {
            self.sessions.insert(place, (session.into(), 0));
            place
        });
        if let Some((_, marks)) = self.sessions.get_mut(place) {
            *marks |= mark as usize;
        }
    }

    /// Where a session stands, or would.
    fn place(&self, session: &str) -> Result<usize, usize> {
        self.sessions.binary_search_by(|(own, _)| own.as_str().cmp(session))
    }

    fn route(&self, key: &str) -> Option<&Route> {
        self.routes.iter().find(|route| route.key == key)
    }

    pub(super) fn route_mut(&mut self, key: &str) -> Option<&mut Route> {
        self.routes.iter_mut().find(|route| route.key == key)
    }

    pub(super) fn failures(&self, key: &str) -> usize {
        self.route(key).map_or(0, |route| route.failures)
    }

    pub(super) fn is_open(&self, key: &str) -> bool {
        self.route(key).is_some_and(|route| route.is_open)
    }

    /// The route has failed so often; whether it opens by it.
    pub(super) fn count(&mut self, key: &str, failures: usize) -> bool {
        self.is_changed = true;
        let failures = failures.min(BREAKER_THRESHOLD);
        let opens = failures == BREAKER_THRESHOLD && !self.is_open(key);
        match self.route_mut(key) {
            Some(route) => {
                route.failures = failures;
                route.is_open |= opens;
            }
            None => self.routes.push(Route { key: key.into(), failures, is_open: opens }),
        }
        opens
    }

    /// The route gave a verdict. One that is open stays open.
    pub(super) fn succeed(&mut self, key: &str) {
        let has_failed = |route: &Route| route.key == key && !route.is_open && route.failures > 0;
        if let Some(place) = self.routes.iter().position(has_failed) {
            self.routes.remove(place);
            self.is_changed = true;
        }
    }

    /// Whether the host is still to be told that a route is open.
    pub(super) fn warns_of_breaker(&mut self) -> bool {
        !std::mem::replace(&mut self.has_warned_of_breaker, true)
    }

    /// Whether the host is still to be told that there is no model.
    pub(super) fn warns_of_missing_model(&mut self) -> bool {
        self.is_changed |= !self.has_warned_of_missing_model;
        !std::mem::replace(&mut self.has_warned_of_missing_model, true)
    }

    /// Settings have changed: routes are asked again, and verdicts given again. Which sessions were read, or have no
    /// model, stays.
    pub(super) fn rebuild(&mut self) {
        self.routes.clear();
        for (_, marks) in &mut self.sessions {
            *marks &= !(Mark::BreakerAudited as usize);
        }
        self.has_warned_of_breaker = false;
        self.cache.clear();
        self.is_changed = true;
    }

    /// Whether something has changed that must not be lost, asked once.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }
}
