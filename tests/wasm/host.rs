//! The runtime's own URL parser and letter cases, as domain rules and fetches use them.

use toolgate::wasm::CompiledPolicy;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::policy::{Call, decide, kind};
use crate::{call, parse_rule_string, value};

#[track_caller]
fn hostname(rule: &str, dialect: Option<&str>, expected: &str) {
    let parsed = parse_rule_string(rule, dialect).unwrap();
    assert_eq!(value(&parsed)["matcher"]["hostname"], expected, "{rule}");
}

/// What a policy that denies one domain says of fetches.
#[track_caller]
fn fetches(rule: &str, cases: &[(&str, bool)]) {
    let config = serde_json::json!({ "rules": { "deny": [rule] } }).to_string();
    let policy = CompiledPolicy::new(&config).unwrap();
    for (url, denied) in cases {
        let row = decide(&policy, "WebFetch", Call { url: Some(url), ..Call::default() });
        assert_eq!(kind(&row) == "deny", *denied, "{rule} on {url}");
    }
}

#[wasm_bindgen_test]
fn labels_are_brought_into_the_form_of_urls() {
    hostname("WebFetch(domain:Example.COM.)", None, "example.com");
    hostname("WebFetch(domain:*.B\u{DC}CHER.example)", None, "*.xn--bcher-kva.example");
    hostname("WebFetch(domain:stra\u{DF}e.example)", None, "xn--strae-oqa.example");
    // Not ASCII alone: only the runtime knows that this letter has a lower case.
    hostname("WebFetch(domain:B\u{DC}CHER.example)", Some("dsh-0.5"), "b\u{FC}cher.example");
}

#[wasm_bindgen_test]
fn a_label_that_is_no_host_name_is_refused() {
    for rule in ["WebFetch(domain:a\u{3002}b.example\u{FFFD})", "WebFetch(domain:\u{AD}.example)"] {
        let error = parse_rule_string(rule, None).unwrap_err();
        assert_eq!(value(&error)["code"], "invalid-domain", "{rule}");
    }
}

#[wasm_bindgen_test]
fn hosts_of_urls_are_those_that_the_runtime_would_ask() {
    fetches(
        "WebFetch(domain:example.com)",
        &[
            ("https://example.com/a", true),
            ("https://EXAMPLE.com.:8443/?q#f", true),
            ("https://user:word@example.com", true),
            ("https:\\\\example.com\\a", true),
            ("https://ex\u{AD}ample.com/", true),
            ("https://example.com.evil.example/", false),
            ("https://evil.example/https://example.com", false),
            ("example.com", false),
            ("data:text/plain,example.com", false),
            ("https://[", false),
        ],
    );
    fetches("WebFetch(domain:127.0.0.1)", &[("http://2130706433/", true), ("http://0x7f.1/", true)]);
    fetches("WebFetch(domain:*.b\u{FC}cher.example)", &[("https://A.B\u{DC}cher.example/", true)]);
}

#[wasm_bindgen_test]
fn a_matcher_accepts_hosts_in_the_form_of_urls() {
    let parsed = parse_rule_string("WebFetch(domain:*.b\u{FC}cher.example)", None).unwrap();
    let matches = |subject| call("contentMatches", [Some(&parsed), Some(subject), None]).unwrap();
    assert_eq!(matches("a.xn--bcher-kva.example"), "true");
    assert_eq!(matches("xn--bcher-kva.example.org"), "");
}
