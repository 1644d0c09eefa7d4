//! What rules and dialects are made of: decisions look at it, and what takes room here runs where a policy is compiled.

pub use toolgate_quick::*;

#[path = "../../diagnostic.rs"]
pub mod diagnostic;
#[path = "../../dialect/mod.rs"]
pub mod dialect;
#[path = "../../host.rs"]
pub mod host;
#[path = "../../json/mod.rs"]
pub mod json;
#[path = "../../pattern/mod.rs"]
pub mod pattern;
#[path = "../../rule/mod.rs"]
pub mod rule;
#[path = "../../vocabulary.rs"]
pub mod vocabulary;
