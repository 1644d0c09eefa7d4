//! What is refused comes out as JSON text with a name, a code and a place, its spans in UTF-16 units.

use toolgate::wasm::{CompiledPolicy, evaluate_permission};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{call, parse_rule_string, value};

#[wasm_bindgen_test]
fn a_rule_error_counts_as_javascript_does() {
    // Three units before the parenthesis, five bytes more.
    let error = value(&parse_rule_string("\u{1F600}\u{E9}(x", None).unwrap_err());
    let expected = serde_json::json!({
        "name": "RuleError",
        "code": "unclosed-paren",
        "message": "the parenthesis is never closed",
        "rule": "\u{1F600}\u{E9}(x",
        "span": { "start": 3, "end": 5 },
        "hint": "\u{1F600}\u{E9}(x)",
    });
    assert_eq!(error, expected);
}

#[wasm_bindgen_test]
fn a_policy_error_has_every_diagnostic() {
    let config =
        r#"{"layers":[{"source":"config","deny":["Bash(😀) x"]}],"rules":{"allow":["",7]},"home":"h"}"#;
    let error = value(&CompiledPolicy::new(config).err().unwrap());
    assert_eq!((&error["name"], &error["code"]), (&"PolicyError".into(), &"path-not-absolute".into()));
    let found: Vec<(&str, String)> = error["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (found["code"].as_str().unwrap(), found["path"].to_string()))
        .collect();
    let expected = [
        ("path-not-absolute", r#"["home"]"#.to_owned()),
        ("content-after-paren", r#"["layers",0,"deny",0]"#.to_owned()),
        ("empty-rule", r#"["rules","allow",0]"#.to_owned()),
        ("not-a-string", r#"["rules","allow",1]"#.to_owned()),
    ];
    assert_eq!(found, expected);
    assert_eq!(error["diagnostics"][1]["span"], serde_json::json!({ "start": 8, "end": 10 }));
}

#[track_caller]
fn refuses(answer: Result<String, String>, name: &str, code: &str, path: &serde_json::Value) {
    let error = value(&answer.unwrap_err());
    assert_eq!((&error["name"], &error["code"], &error["path"]), (&name.into(), &code.into(), path));
}

#[wasm_bindgen_test]
fn an_argument_error_has_a_path() {
    let path = serde_json::json!(["dialect"]);
    refuses(parse_rule_string("Bash", Some("toString")), "TypeError", "unknown-dialect", &path);
    let path = serde_json::json!(["input", "rules", "deny", 0, "toolName"]);
    let input =
        r#"{"toolName":"Bash","mode":"default","rules":{"deny":[{"behavior":"deny","source":"config"}]}}"#;
    refuses(evaluate_permission(input), "TypeError", "not-a-string", &path);
    let path = serde_json::json!(["sets", 0, "allow", 1, "content"]);
    refuses(
        call("mergeRuleSets", [Some(r#"[{"allow":[{},{"content":"\ud800"}]}]"#), None, None]),
        "TypeError",
        "lone-surrogate",
        &path,
    );
}

#[wasm_bindgen_test]
fn a_limit_error_names_the_limit() {
    let subject = "x".repeat(1_048_577);
    let input = format!(r#"{{"toolName":"Bash","mode":"default","rules":{{}},"subject":"{subject}"}}"#);
    let error = value(&evaluate_permission(&input).unwrap_err());
    assert_eq!(
        (&error["name"], &error["code"], &error["limit"]),
        (&"LimitError".into(), &"subject-too-long".into(), &1_048_576.into())
    );
}
