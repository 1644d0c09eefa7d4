//! The one protocol of all that waits for a model, a person or a file: events in, effects out.
//!
//! ```text
//! handle(event, now_ms) -> Result<(), Misuse>     the only mutation
//! poll() -> Option<Effect>                        drained until `None` after every `handle`
//! ```
//!
//! A machine decides; its host acts. The host numbers the *calls* that it makes of the machine; the machine numbers
//! whatever it wants answered, callbacks and timers alike, and an answer repeats the number. [`Open`] keeps the
//! numbers, and with them the invariant (once): what nobody waits for is a [`Misuse`], and the state stays as it was.
//!
//! | event | means |
//! |---|---|
//! | `Start` | somebody calls; `is_cancelled` where the caller's signal had fired before |
//! | `Cancel` | the caller's signal fires |
//! | `Settled` | a callback that was asked or called has come to an end |
//! | `TimerFired` | an armed timer was due |
//!
//! | effect | means | answered by |
//! |---|---|---|
//! | `Ask` | call the host; what the callback gives or throws is the answer, at once | `Settled` |
//! | `Call` | call the host with a signal, and wait for what it gives | `Settled` |
//! | `Tell` | call the host; whatever it gives or throws is nobody's business | |
//! | `Abort` | fire the signal of an open `Call`; an `Ask` or `Call` whose turn has not come is not begun | |
//! | `Arm` · `Disarm` | a timer | `TimerFired` |
//! | `Return` | the end of a `Start`, with its result | |
//! | `Rethrow` | the end of a `Start`, with what the host's own callback has just thrown | |
//! | `Keep` | what a fresh machine has to be made of, should this one be lost | |
//!
//! # The next machine
//!
//! 1. A room above this one has a type that implements [`Machine`]: an enum of what it asks for, one of its results, and a
//!    struct for each state, consumed on transition. It holds an [`Open`] whose items say what a number belongs to, and its
//!    [`Effects`].
//! 2. Its stories are played by [`Scripted`]: a host that is a closure, and a clock that only the test moves.
//! 3. `src/wire/machine.rs` has the trait `Crosses`: how a start is read, how what it asks for and its results are written.
//!    `src/wasm` gets a constructor of a line.
//! 4. Its façade in `pkg-template` is a `Driver` (`driver.js`) with one port for each callback of its host, and what is
//!    answered where the core stops. There is no other driver.
//!
//! Time is in milliseconds of a clock that never goes back. A clock that gives no number counts as one on which every
//! deadline has passed (invariant "tightening").

mod effects;
mod numbers;
mod scripted;

pub use effects::Effects;
pub use numbers::{Number, Open};
pub use scripted::{Asked, Scripted};

use crate::json::Json;

/// Something that waits.
pub trait Machine {
    /// What a caller hands in.
    type Start;
    /// What it wants of its host.
    type Ask;
    /// What a caller gets.
    type Result;

    /// Takes an event in. An event that nobody waits for changes nothing.
    fn handle(&mut self, event: Event<Self::Start>, now_ms: f64) -> Result<(), Misuse>;

    /// The next thing to do.
    fn poll(&mut self) -> Option<Effect<Self::Ask, Self::Result>>;
}

/// What a machine is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<S> {
    /// Somebody calls.
    Start {
        /// The caller's number, which the host chose.
        call: Number,
        /// What was handed in.
        start: S,
        /// Whether the caller's signal had fired before.
        is_cancelled: bool,
    },
    /// The caller's signal fires.
    Cancel {
        /// The caller's number.
        call: Number,
    },
    /// A callback has come to an end.
    Settled {
        /// The number of the effect.
        number: Number,
        /// Which end.
        settlement: Settlement,
    },
    /// A timer was due.
    TimerFired {
        /// The number of the effect.
        number: Number,
    },
}

/// How a callback ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// It gave a value; `null` for one that has no JSON text by nature, like `undefined`.
    Fulfilled(Json),
    /// It gave a value and bytes that were taken off it.
    WithBytes(Json, Vec<u8>),
    /// It gave something that cannot be read as JSON.
    Unreadable,
    /// It threw at once, or is no function.
    Threw,
    /// What it gave was rejected later; what a port reads off the error, or `null`.
    Rejected(Json),
}

/// What a machine wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<A, R> {
    /// Call the host, which answers at once.
    Ask {
        /// Repeated by the answer.
        number: Number,
        /// What for.
        ask: A,
    },
    /// Call the host with a signal, and wait.
    Call {
        /// Repeated by the answer.
        number: Number,
        /// What for.
        ask: A,
    },
    /// Call the host, and do not look at what comes.
    Tell {
        /// What for.
        ask: A,
    },
    /// Fire the signal of an open call. What the host has not been asked yet, it is not asked.
    Abort {
        /// The number of the call.
        number: Number,
    },
    /// Start a timer.
    Arm {
        /// Repeated by the answer.
        number: Number,
        /// In so many milliseconds; at most [`TIMER_MS`](crate::limits::TIMER_MS).
        after_ms: u32,
    },
    /// Stop a timer.
    Disarm {
        /// The number of the timer.
        number: Number,
    },
    /// The end of a call.
    Return {
        /// The caller's number.
        call: Number,
        /// What it gets.
        result: R,
    },
    /// The end of a call, with what the host's callback has just thrown.
    Rethrow {
        /// The caller's number.
        call: Number,
    },
    /// What a fresh machine has to be made of, should this one be lost. It comes before every other effect of the same
    /// event.
    Keep {
        /// JSON text.
        snapshot: String,
    },
}

/// An event that nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// No effect or call has had this number yet.
    Unknown,
    /// It was answered before, or is not waited for any more.
    Late,
    /// A call with this number is open.
    InUse,
    /// The number belongs to another kind of effect; it stays open.
    Other,
}
