//! What a session's event log says of permissions: folds over its events, and the events to append (auto-stage.md
//! section 10).
//!
//! | event | data |
//! |---|---|
//! | `permission/mode` | `mode`, `resumeSandbox?` |
//! | `sandbox/mode` | `mode` |
//! | `permission/session-allow` | `scope`, `toolName`, `timestamp`, `rule?`, `reason?`, `cleared?` |
//! | `permission/classifier` | a record of the auto stage |
//!
//! The rule that an approval stores is derived where rules are known, in [`policy`](crate::policy::derive_grant).
//!
//! A log outlives versions and programs: what is of another type or shape is skipped, and one bad event never costs the
//! others. Invariants: (pure), (deterministic); (tightening) a record of another shape grants nothing, while `cleared`
//! counts whatever stands beside it.
//!
//! ```
//! use toolgate::session::Log;
//! use toolgate::vocabulary::{PermissionMode, SandboxMode};
//!
//! let log = Log::read(
//!     r#"{"type":"permission/mode","data":{"mode":"bypassPermissions","resumeSandbox":"read-only"}}
//! {"type":"permission/mode","data":7}
//! {"type":"permission/mode","data":{"mode":"auto"}}"#,
//! );
//! assert_eq!(log.permission_mode(), Some(PermissionMode::Auto));
//! assert_eq!(log.resume_sandbox(), Some(SandboxMode::ReadOnly));
//! assert_eq!(log.mode_violations(), [(1, "the data of a mode event is an object")]);
//! ```

mod approval;
mod log;
mod mode;

pub use approval::{approves_sandbox_escalation, is_sandbox_escalation};
pub use log::Log;
pub use mode::{Change, Current, Refusal, set_permission_mode};
