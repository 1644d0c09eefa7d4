//! The risk stage of auto mode: one model call that may turn an undecided LOW call into an allow or an ask
//! (auto-stage.md).
//!
//! | state | what it waits for | then |
//! |---|---|---|
//! | `Settings` | `Ask::Settings` | off, or not a call for this stage: no opinion; else `Route` |
//! | `Route` | `Ask::Route` | none: unarmed; else `History`, or what follows it for a session that was seen before |
//! | `History` | `Ask::History` | open route: no opinion; kept verdict: that; cancelled: ask; else `Model` |
//! | `Model` | `Ask::Complete`, a deadline | the verdict, or an ask that says which failure it stands for |
//! | `Audit` | `Ask::Audit` | the next record, then the result |
//!
//! It can never deny, and never lift a deny, a MEDIUM or an ask that the decision itself did not lift (invariant
//! "tightening"). Whatever goes wrong on the way to a verdict is an ask. Only a host that throws in `Settings`,
//! `History` or `Audit` ends a call otherwise: with what it threw.
//!
//! ```
//! use toolgate::auto_stage::{Ask, Considered, Outcome, Payload, Proposed, Stage, Start};
//! use toolgate::json::{Json, read};
//! use toolgate::machine::{Asked, Scripted, Settlement};
//! use toolgate::vocabulary::{Kind, PermissionMode, RiskLevel};
//!
//! let json = |text: &str| Some(Settlement::Fulfilled(read(text).unwrap()));
//! let mut host = Scripted::new(Stage::default(), |asked: &Asked<Ask>| match &asked.ask {
//!     Ask::Settings => json(r#"{"classifier":{"enabled":true}}"#),
//!     Ask::Route { .. } => json(r#"{"provider":"p","model":"m"}"#),
//!     Ask::Complete { .. } => Some(Settlement::Fulfilled(Json::Text(r#"{"verdict":"allow"}"#.into()))),
//!     _ => json("[]"),
//! });
//! let call = host.start(Start::Call(Box::new(Proposed {
//!     session: "s".into(),
//!     tool: "Bash".into(),
//!     payload: Payload::Command("make".into()),
//!     decision: Considered {
//!         mode: PermissionMode::Auto,
//!         level: RiskLevel::Low,
//!         kind: Kind::Passthrough,
//!         effective: Kind::Passthrough,
//!     },
//!     is_read_only: false,
//! })));
//! assert_eq!(host.returned[&call], Some(Outcome::Allow));
//! ```

mod cache;
mod memory;
mod prompt;
mod record;
mod settings;
mod snapshot;
mod soft_deny;
mod stage;
mod streak;

pub use memory::Memory;
pub use prompt::{MAX_TOKENS, Payload, Rendered, cache_key, render, shipped, system};
pub use record::{Outcome, Record, Route};
pub use settings::Settings;
pub use soft_deny::{BUILT_IN, expand_soft_deny};
pub use stage::{Ask, Considered, Proposed, Stage, Start};
pub use streak::{Past, trailing_route_failure_streak};

/// So many failures in a row open a route.
pub const BREAKER_THRESHOLD: usize = 3;
