//! Known ways around permission rules: every fixture of `corpus/bypasses.json` is decided as it says.
//!
//! `docs/bypasses.md` tells what each class looks like; here is also checked that it leaves none out. The package is asked
//! the same by `js/bypasses.test.mjs`.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Decision, Policy};
use toolgate::vocabulary::PermissionMode;

const FIXTURES: &str = include_str!("corpus/bypasses.json");
const DOCUMENT: &str = include_str!("../docs/bypasses.md");

/// The tests' stand-in for the runtime's URL parser.
const HOST: Host = Host {
    url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(str::to_owned),
    lower_case: str::to_lowercase,
};

fn fixtures() -> Vec<Value> {
    serde_json::from_str(FIXTURES).unwrap()
}

fn id(fixture: &Value) -> &str {
    fixture.get("id").and_then(Value::as_str).unwrap()
}

fn decide(fixture: &Value) -> Decision {
    let text = |parent: &str, name: &str| fixture.get(parent)?.get(name)?.as_str();
    let argument = |name: &str| fixture.get("call")?.get("arguments")?.get(name)?.as_str();
    let policy = Policy::new(&fixture.get("config").unwrap().to_string(), HOST).unwrap();
    let call = Call {
        tool: text("call", "tool").unwrap(),
        command: argument("command"),
        file_path: argument("file_path"),
        url: argument("url"),
        ..Call::default()
    };
    let state = CallState {
        mode: text("state", "mode").map(|mode| PermissionMode::parse(mode).unwrap()),
        cwd: text("state", "cwd"),
        real_path: text("state", "realPath"),
        ..CallState::default()
    };
    let decision = policy.decide(&call, &state, &[]);
    policy.explain(&call, &state, &[], |explanation| {
        assert_eq!(decision, explanation.decision, "{}: the explanation says otherwise", id(fixture));
    });
    decision
}

#[test]
fn every_fixture_is_decided_as_it_says() {
    let fixtures = fixtures();
    let wrong: Vec<String> = fixtures
        .iter()
        .filter_map(|fixture| {
            let outcome = decide(fixture).outcome;
            let expected = |name: &str| fixture.get("expect")?.get(name)?.as_str();
            let came = (Some(outcome.kind.as_str()), Some(outcome.stage.as_str()));
            let wanted = (expected("kind"), expected("stage"));
            (came != wanted).then(|| format!("{}: {came:?}, should be {wanted:?}", id(fixture)))
        })
        .collect();
    println!("{} of {} fixtures", fixtures.len() - wrong.len(), fixtures.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_document_lists_every_class_and_names_real_fixtures() {
    let fixtures = fixtures();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for fixture in &fixtures {
        assert!(known.insert(id(fixture)), "{} stands there twice", id(fixture));
        *count.entry(id(fixture).split_once('/').unwrap().0).or_default() += 1;
    }
    // A row of the table: `| class | looks like | does | `fixture` … |`, its last cell naming fixtures.
    let rows =
        DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `")).filter_map(|row| row.split_once('`'));
    let rows: BTreeMap<&str, &str> = rows.collect();
    assert_eq!(rows.keys().collect::<Vec<_>>(), count.keys().collect::<Vec<_>>(), "classes");
    for (class, row) in rows {
        let cell = row.rsplit('|').nth(1).unwrap();
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{class} names no fixture");
        for name in named {
            assert!(known.contains(format!("{class}/{name}").as_str()), "{class}/{name} is no fixture");
        }
    }
}
