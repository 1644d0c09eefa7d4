//! When no verdict comes: what follows from a classifier's result, how a person is asked, and what becomes of the answer
//! (fallback.md).
//!
//! | room | what it knows |
//! |---|---|
//! | `denials` | the counters, and what follows from a result |
//! | `wording` | what each reason says and lets a person choose |
//! | `inert` | a model's reason made inert |
//! | `confirmation` | the prompt, and what a choice means |
//! | `acp` | the prompt as the Agent Client Protocol has it |
//! | `fingerprint` | when two calls are the same call |
//!
//! It calls no model, shows nothing and switches no mode: the host does. Invariants: (tightening) what nobody knows
//! becomes a prompt, and a counter stops at its largest value; (inert) a model's text reaches a message cleaned only.
//!
//! ```
//! use toolgate::fallback::{DenialState, Outcome, Verdict};
//!
//! let mut state = DenialState::default();
//! let outcome = state.apply(&Verdict::Block("It deletes <b>shared</b> data."), Some("call 1"));
//! let Outcome::Blocked { message, .. } = outcome else { panic!() };
//! assert!(message.starts_with("Refused by auto mode: It deletes shared data.\n"));
//! assert_eq!(state.mark.as_deref(), Some("call 1"));
//! ```

mod acp;
mod confirmation;
mod denials;
mod fingerprint;
mod inert;
mod wording;

pub use acp::{Selection, Unselectable, from_acp, is_shown};
pub use confirmation::{
    Confirmation, ConfirmationOption, Normalized, Notice, Offer, confirmation, normalize,
};
pub use denials::{DenialState, Outcome, Verdict};
pub use fingerprint::call_fingerprint;
pub use inert::inert;
