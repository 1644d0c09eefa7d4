//! What a machine wants done and nobody has polled yet.

use super::Effect;

/// Effects, polled in the order in which they were wanted.
///
/// ```
/// use toolgate::machine::{Effect, Effects};
///
/// let mut effects = Effects::<&str, ()>::default();
/// effects.want(Effect::Tell { ask: "warn" });
/// effects.want_first(Effect::Keep { snapshot: "{}".into() });
/// assert_eq!(effects.poll(), Some(Effect::Keep { snapshot: "{}".into() }));
/// assert_eq!(effects.poll(), Some(Effect::Tell { ask: "warn" }));
/// assert_eq!(effects.poll(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<A, R>(Vec<Effect<A, R>>);

impl<A, R> Effects<A, R> {
    /// Behind all others.
    pub fn want(&mut self, effect: Effect<A, R>) {
        self.0.push(effect);
    }

    /// Before all others.
    pub fn want_first(&mut self, effect: Effect<A, R>) {
        self.0.insert(0, effect);
    }

    /// The next one. There are few at a time, so the others move up.
    pub fn poll(&mut self) -> Option<Effect<A, R>> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }
}

impl<A, R> Default for Effects<A, R> {
    fn default() -> Self {
        Self(vec![])
    }
}
