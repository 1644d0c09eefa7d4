//! A policy decides: rows out, rules and grants by their places.

use toolgate::vocabulary::{Kind, PermissionMode, Stage};
use toolgate::wasm::CompiledPolicy;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{call, value};

/// The parts of a call that these tests use.
#[derive(Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    pub(crate) command: Option<&'a str>,
    pub(crate) url: Option<&'a str>,
    pub(crate) grants: Option<&'a str>,
}

/// The row of one call. The exported method has one parameter for each text, so it is called here alone.
#[track_caller]
pub(crate) fn decide(policy: &CompiledPolicy, tool: &str, call: Call<'_>) -> serde_json::Value {
    let [command, url, grants] = [call.command, call.url, call.grants].map(|text| text.map(str::to_owned));
    let row = policy.decide(
        false, tool, None, command, None, None, None, url, None, None, None, false, None, grants, None,
    );
    value(&row.unwrap())
}

#[track_caller]
fn run(policy: &CompiledPolicy, command: &str) -> serde_json::Value {
    decide(policy, "Bash", Call { command: Some(command), ..Call::default() })
}

/// The kind that a row names by its index.
#[track_caller]
pub(crate) fn kind(row: &serde_json::Value) -> &'static str {
    let index = usize::try_from(row[0].as_u64().unwrap()).unwrap();
    Kind::ALL.get(index).unwrap().as_str()
}

const CONFIG: &str = r#"{
    "layers": [{ "source": "projectSettings", "allow": ["Bash(npm )"] }],
    "rules": { "deny": ["Bash(rm )"], "ask": ["Bash(git push)"] }
}"#;

#[wasm_bindgen_test]
fn a_policy_decides() {
    let policy = CompiledPolicy::new(CONFIG).unwrap();
    assert_eq!((policy.dialect().as_str(), policy.rule_count()), ("standard", 3));
    assert_eq!(policy.fingerprint().len(), 64);
    for (command, expected) in
        [("npm test", "allow"), ("git push", "ask"), ("rm -r x", "deny"), ("ls", "passthrough")]
    {
        assert_eq!(kind(&run(&policy, command)), expected, "{command}");
    }
}

#[wasm_bindgen_test]
fn a_row_names_the_stage_the_mode_and_the_rule() {
    let policy = CompiledPolicy::new(CONFIG).unwrap();
    let row = run(&policy, "rm -r x");
    assert_eq!(row[2], Stage::ContentRule.index());
    assert_eq!(row[3], PermissionMode::Default.index());
    assert_eq!(row[6], "denied by permission rule Bash(rm ) [config]");
    let rank = usize::try_from(row[5].as_u64().unwrap()).unwrap();
    let rule = value(&policy.rule(rank));
    assert_eq!(
        (&rule["text"], &rule["path"]),
        (&"Bash(rm )".into(), &serde_json::json!(["rules", "deny", 0]))
    );
}

#[wasm_bindgen_test]
fn a_grant_is_named_by_its_place() {
    let policy = CompiledPolicy::new("{}").unwrap();
    let grants = r#"["Read","Bash(make )"]"#;
    let row =
        decide(&policy, "Bash", Call { command: Some("make all"), grants: Some(grants), ..Call::default() });
    assert_eq!((kind(&row), &row[5]), ("allow", &serde_json::json!(-3)));
    assert_eq!(value(&policy.grants(grants).unwrap())[1]["source"], "session");
}

#[wasm_bindgen_test]
fn a_check_throws_nothing() {
    let diagnostics = value(&check_policy(r#"{"rules":{"allow":["Bash(","Read",7]}}"#));
    let codes: Vec<&str> =
        diagnostics.as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unclosed-paren", "not-a-string"]);
    assert_eq!(value(&check_policy("nothing"))[0]["code"], "not-json");
}

fn check_policy(config: &str) -> String {
    call("checkPolicy", [Some(config), None, None]).unwrap()
}
