//! Laws of rules and policies, on generated cases: what must hold whatever the rules are, in every dialect.
//!
//! Where a dialect does not keep a law, its contract says so: the law names the dialect and the place.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

#[path = "../common/mod.rs"]
mod common;
mod grants;
mod lines;
mod merging;
mod modes;
mod rules;

use common::{Question, cases};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;
use toolgate::dialect::Dialect;

/// Dialects that are asked about by name here.
const STANDARD: &str = "standard";
const DSH: &str = "dsh-0.5";
const CLAUDE: &str = "claude-code-2.1";
const QWEN: &str = "qwen-code-0.24";

fn quick() -> ProptestConfig {
    ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() }
}

/// A configuration with a question in its dialect.
fn case() -> impl Strategy<Value = (Value, Question)> {
    cases::in_any(|dialect| (cases::config(dialect), cases::question(dialect)))
}

/// The same without the dialects that do not keep a law.
fn case_but(exempt: &'static [&'static str]) -> impl Strategy<Value = (Value, Question)> {
    let kept = || common::dialects().filter(|name| !exempt.contains(name)).collect::<Vec<_>>();
    select(kept()).prop_flat_map(|dialect| (cases::config(dialect), cases::question(dialect)))
}

/// A place for one rule more: one of the layers or the configuration's own rules, and where in the list.
#[derive(Clone, Debug)]
struct Place {
    holder: Index,
    at: Index,
}

fn place() -> impl Strategy<Value = Place> {
    (any::<Index>(), any::<Index>()).prop_map(|(holder, at)| Place { holder, at })
}

/// The configuration with one rule more.
fn with_rule(config: &Value, list: &str, rule: &str, place: &Place) -> Value {
    let mut config = config.clone();
    let layers = config["layers"].as_array().map_or(0, Vec::len);
    let holder = place.holder.index(layers + 1);
    let lists = if holder < layers { &mut config["layers"][holder] } else { &mut config["rules"] };
    let items = lists[list].as_array_mut().unwrap();
    items.insert(place.at.index(items.len() + 1), rule.into());
    config
}

/// The configuration with another value of a member.
fn with(config: &Value, member: &str, value: impl Into<Value>) -> Value {
    let mut config = config.clone();
    config[member] = value.into();
    config
}

/// Dialects by name: a law that exempts one that is not there exempts nothing.
#[test]
fn the_laws_know_the_dialects() {
    for name in [STANDARD, DSH] {
        assert!(Dialect::find(name).is_some(), "{name}");
    }
    let known = [STANDARD, DSH, CLAUDE, QWEN];
    for name in common::dialects() {
        assert!(known.contains(&name), "{name}: which laws does it keep?");
    }
}
