//! A policy decides: rows out, rules and grants by their places.

use toolgate::row::ABSENT;
use toolgate::vocabulary::{Kind, PermissionMode, Stage};
use toolgate::wasm::{CompiledPolicy, inbox};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{call, value};

/// The parts of a call that these tests use.
#[derive(Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    pub(crate) command: Option<&'a str>,
    pub(crate) url: Option<&'a str>,
    pub(crate) grants: Option<&'a str>,
}

/// A decision as it stands in memory (`src/row.rs`).
pub(crate) struct Row {
    numbers: Vec<u32>,
}

impl Row {
    fn read(place: *const u32) -> Self {
        let at = |place: usize| u32::try_from(place).unwrap();
        let cells = |place, length| {
            js_sys::Uint32Array::new_with_byte_offset_and_length(&memory(), at(place), length).to_vec()
        };
        let mut numbers = cells(place.addr(), 3 + 8);
        let decision = numbers.split_off(3);
        assert_eq!(numbers[0], 0);
        Self { numbers: decision }
    }

    /// The rule's list and its place there.
    fn rule(&self) -> (u32, usize) {
        (self.numbers[5], usize::try_from(self.numbers[6]).unwrap())
    }

    /// What is said of the rule.
    fn reason(&self, policy: &CompiledPolicy) -> String {
        let said = usize::try_from(self.numbers[7]).unwrap();
        policy.reason(self.rule().1, said.checked_sub(1).unwrap())
    }
}

/// The row of one call, which crosses as `src/wire/asking.rs` tells.
#[track_caller]
pub(crate) fn decide(policy: &CompiledPolicy, tool: &str, call: Call<'_>) -> Row {
    let Call { command, url, grants } = call;
    let crossing = [None, grants, None, Some(tool), None, command, None, None, None, url, None];
    let bytes = |text: &Option<&str>| text.map_or(ABSENT, |text| u32::try_from(text.len()).unwrap());
    let mut numbers = vec![0, ABSENT, 0, ABSENT];
    numbers.extend(crossing.iter().map(bytes));
    let texts = crossing.map(Option::unwrap_or_default).concat();
    let head = inbox(numbers.len(), texts.len()).addr();
    let cells = |place: usize, length: usize| {
        let place = u32::try_from(place).unwrap();
        js_sys::Uint32Array::new_with_byte_offset_and_length(&memory(), place, u32::try_from(length).unwrap())
    };
    let place = cells(head, 1).get_index(0);
    cells(head.checked_add(8).unwrap(), numbers.len()).copy_from(&numbers);
    let length = u32::try_from(texts.len()).unwrap();
    js_sys::Uint8Array::new_with_byte_offset_and_length(&memory(), place, length).copy_from(texts.as_bytes());
    Row::read(policy.ask(numbers.len(), texts.len()))
}

fn memory() -> JsValue {
    wasm_bindgen::memory().unchecked_into::<js_sys::WebAssembly::Memory>().buffer()
}

#[track_caller]
fn run(policy: &CompiledPolicy, command: &str) -> Row {
    decide(policy, "Bash", Call { command: Some(command), ..Call::default() })
}

/// The kind that a row names by its index.
#[track_caller]
pub(crate) fn kind(row: &Row) -> &'static str {
    let index = usize::try_from(row.numbers[0]).unwrap();
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
    assert_eq!(
        row.numbers[2..4],
        [Stage::ContentRule.index() as u32, PermissionMode::Default.index() as u32]
    );
    assert_eq!(row.reason(&policy), "denied by permission rule Bash(rm ) [config]");
    let (list, rank) = row.rule();
    assert_eq!(list, 1);
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
    assert_eq!((kind(&row), row.rule()), ("allow", (2, 1)));
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
