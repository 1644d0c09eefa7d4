//! The shapes that cross to JavaScript, and the functions that take and give them as text.
//!
//! In: plain strings, or the text of `JSON.stringify`, decoded strictly with a path in each error. Out: JSON text by one
//! encoder. An error is JSON text too; the façade makes a real `Error` of it. Offsets become UTF-16 units here.

mod asking;
mod call;
mod decision;
mod decode;
mod error;
mod evidence;
mod explanation;
mod fallback;
mod finding;
mod functions;
pub mod machine;
mod reading;
mod review;
mod review_session;
mod session;
mod shapes;
mod stage;

pub use asking::{Asked, CrossedCall, ask, ask_all, grants};
pub use call::{call, names};
pub use error::{Answer, Failure, Fallible};
pub use evidence::{check_evidence_path, contains_secret, evidence_candidates, project_diagnostic};
pub use explanation::explanation_text;
pub use finding::lint;
pub use functions::*;
pub use review::{refusal_text, review};
pub use review_session::{review_session, warning_text};
pub use stage::{expand_soft_deny_rules, failure_streak, parse_verdict, stage};
