//! Whatever a configuration is: `check` reports it with a place, and never stops; what has no error compiles.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod common;

use common::reported::{MEMBERS, is_reported};
use common::{HOST, cases, dialects};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use toolgate::json::Json;
use toolgate::policy::from_settings;
use toolgate::wire;

/// Members that mean nothing.
const OTHER_MEMBERS: &[&str] = &["toString", "__proto__", "", "rule"];

fn members() -> impl Strategy<Value = &'static str> {
    select([MEMBERS, OTHER_MEMBERS].concat())
}

const TEXTS: &[&str] = &[
    "standard",
    "dsh-0.5",
    "claude-code-2.1",
    "plan",
    "dontAsk",
    "session",
    "disable",
    "Bash",
    "Bash(git *)",
    "Bash(",
    "(x)",
    "Read(~/x)",
    "WebFetch(domain:*)",
    "mcp__a__*",
    "/repo",
    "repo",
    "C:\\x",
    "",
    " ",
    "é😀(ü)",
    "a{9999}",
    "(?=x)",
    "[",
    "\u{FDD0}",
    "*",
    "Agent(a:b)",
    "Bash(a:* b)",
];

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![select(TEXTS).prop_map(str::to_owned), "\\PC{0,12}", "[A-Za-z]{0,6}\\([^\n]{0,12}\\)?"]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        let member = prop_oneof![members().prop_map(str::to_owned), any_text()];
        let members = prop::collection::vec((member, inner.clone()), 0..8);
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Value::from),
            members.prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A configuration in which a few members are whatever they are.
fn spoiled() -> impl Strategy<Value = Value> {
    let valid = cases::in_any(cases::config);
    (valid, prop::collection::vec((members(), any_json()), 1..4)).prop_map(|(mut config, members)| {
        for (member, value) in members {
            config[member] = value;
        }
        config
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_reported(mut config in any_json(), dialect in select(dialects().collect::<Vec<_>>())) {
        is_reported(&config.to_string());
        if let Some(members) = config.as_object_mut() {
            members.insert("dialect".into(), dialect.into());
            is_reported(&config.to_string());
        }
    }

    #[test]
    fn any_member_is_reported(config in spoiled()) {
        is_reported(&config.to_string());
    }

    #[test]
    fn any_rule_is_reported(
        rules in prop::collection::vec(any_text(), 0..6), list in select(vec!["allow", "deny", "ask", "bypassImmune"]),
        dialect in select(dialects().collect::<Vec<_>>()),
    ) {
        is_reported(&json!({ "dialect": dialect, "rules": { list: rules } }).to_string());
    }

    #[test]
    fn any_text_is_reported(text in "\\PC{0,40}") {
        is_reported(&text);
    }

    #[test]
    fn any_settings_become_a_configuration(settings in any_json(), base in any_json()) {
        let base = toolgate::json::read(&base.to_string()).unwrap();
        let source = Json::Text("userSettings".into());
        let from = from_settings(&settings.to_string(), base, source, None);
        is_reported(&from.config.text());
    }
}

/// What a configuration is told: codes, severities and places.
#[track_caller]
fn told(config: &Value, expected: &[(&str, &str, &str)]) {
    let told: Value = serde_json::from_str(&wire::check_policy(&config.to_string(), HOST)).unwrap();
    let line = |d: &Value| (text(&d["code"]), text(&d["severity"]), d["path"].to_string());
    let told: Vec<_> = told.as_array().unwrap().iter().map(line).collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(code, severity, path)| ((*code).into(), (*severity).into(), (*path).into()))
        .collect();
    assert_eq!(told, expected, "{config}");
    let failure = wire::compile_policy(&config.to_string(), HOST).err();
    let failure: Option<Value> = failure.map(|failure| serde_json::from_str(&failure).unwrap());
    let refused = expected.iter().any(|(_, severity, _): &(String, String, String)| severity == "error");
    assert_eq!(
        failure.map(|failure| text(&failure["name"])),
        refused.then(|| "PolicyError".into()),
        "{config}"
    );
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

#[test]
fn unknown_words_are_errors_with_a_place() {
    told(&json!({ "dialect": "toString" }), &[("unknown-dialect", "error", r#"["dialect"]"#)]);
    told(&json!({ "dialect": "Standard" }), &[("unknown-dialect", "error", r#"["dialect"]"#)]);
    told(&json!({ "dialect": 7 }), &[("not-a-string", "error", r#"["dialect"]"#)]);
    told(&json!({ "dialect": "" }), &[("unknown-dialect", "error", r#"["dialect"]"#)]);
    for dialect in dialects() {
        let mode = |mode: &str| json!({ "dialect": dialect, "defaultMode": mode });
        told(&mode("allowEdits"), &[("unknown-mode", "error", r#"["defaultMode"]"#)]);
        told(&mode("__proto__"), &[("unknown-mode", "error", r#"["defaultMode"]"#)]);
        let layer =
            |source: Value| json!({ "dialect": dialect, "layers": [{ "source": source, "deny": ["Bash"] }] });
        let source = r#"["layers",0,"source"]"#;
        told(&layer("user".into()), &[("unknown-source", "error", source)]);
        told(&layer("constructor".into()), &[("unknown-source", "error", source)]);
        told(&layer(json!(1)), &[("not-a-string", "error", source)]);
        told(&layer(Value::Null), &[("unknown-source", "error", source)]);
    }
}

#[test]
fn an_unknown_field_is_a_warning() {
    for dialect in dialects() {
        let unknown = |path| [("unknown-field", "warning", path)];
        told(&json!({ "dialect": dialect, "colour": 1 }), &unknown(r#"["colour"]"#));
        told(&json!({ "dialect": dialect, "toString": null }), &unknown(r#"["toString"]"#));
        told(
            &json!({ "dialect": dialect, "rules": { "denny": ["Bash"] } }),
            &unknown(r#"["rules","denny"]"#),
        );
        let layer = json!({ "source": "session", "sources": [] });
        told(&json!({ "dialect": dialect, "layers": [layer] }), &unknown(r#"["layers",0,"sources"]"#));
    }
}
