//! What looks like a secret, and what only nearly does (evidence.md section 13); the vectors have one case a rule.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use proptest::prelude::*;
use proptest::sample::select;
use toolgate::evidence::{contains_secret, json_contains_secret};
use toolgate::json::{Json, read};

#[track_caller]
fn check(text: &str, expected: bool) {
    assert_eq!(contains_secret(text), expected, "{text:?}");
}

#[track_caller]
fn check_json(text: &str, expected: bool) {
    assert_eq!(json_contains_secret(&read(text).unwrap()), expected, "{text}");
}

#[test]
fn operators() {
    for operator in [":", "=", ":=", "?=", "?:", "!:", " : ", "\t=\t"] {
        check(&["password", operator, "q1w2"].concat(), true);
    }
    for none in ["::", "://", "==", "===", "=>", "=~", "?::", "!://", "+=", "", "-", "."] {
        check(&["password", none, "q1w2"].concat(), false);
    }
    check("\"password\"=>q1w2", true);
    check("\\\"password\\\": \\\"q1w2\\\"", true);
    check("x['password'] = q1w2", true);
    check("x['password'][0] = q1w2", false);
    check("${password:=q1w2}", false);
}

#[test]
fn quoted_values() {
    check("password = \"a\\\"1\"", true);
    check("password = \"\\\"\"", true);
    check("password = ''q1w2", false);
    check("password = rb'q1w2'", true);
    check("password = brf'q1w2'", true);
    check("password = \"\nq1w2\"", false);
    check("password = `\nq1w2`", true);
    check("password = \\\"q1w2\\\"", true);
    check("password = \\\"\\\", x: \\\"q1w2\\\"", false);
    check("password = \"[REDACTED]\"", false);
    check("password = \"<your password>\"", false);
    check("password = <your password>", true);
    check("password = \"Your password\"", false);
    check("password = \"Bearer \" + x", false);
    check("password = \"q", true);
    check("password = \"", false);
}

#[test]
fn announced_values() {
    check("token = await new Token(x)", false);
    check("token = await new 'q1w2'", true);
    check("Authorization: Bearer Token q1w2", true);
    check("token: Bearer\nq1w2", false);
    check("token: await, q1w2", true);
    check("token: Awaited", true);
}

#[test]
fn types() {
    check("token: &*?string", false);
    check("token: string | undefined = 'q1w2'", true);
    check("token: string; x = 'q1w2'", false);
    check("token: (string) = 'q1w2'", false);
    check("token: string => 'q1w2'", false);
    check("token: string == 'q1w2'", false);
    check("token: string === x = 'q1w2'", true);
    check("token: string = string = 'q1w2'", false);
    check("token: string = readToken()", false);
    check("token: string = await 'q1w2'", true);
    check("token: Buffer.from", false);
    check("token: Buffer-1", true);
}

#[test]
fn references() {
    for reference in
        ["${A}", "$(cat f)", "#{a}", "$A_1", "{{ a1 }}", "%A1%", "${A:-b}", "${A", "$(a b", "-${A}/$B:"]
    {
        check(&["secret=\"", reference, "\""].concat(), false);
    }
    for other in ["${A}b", "$1", "%A", "%1%", "{{ a1 }", "a${A}", "$2a$10$N9", "$"] {
        check(&["secret=\"", other, "\""].concat(), true);
    }
}

#[test]
fn numbers_and_code() {
    for number in ["-1", "+1_0", ".5", "5.", "1e9", "1E-3", "10n", "0Xff", "1_000.5e+3"] {
        check(&["token=", number].concat(), false);
        check(&["password=", number].concat(), true);
    }
    for other in ["_1", "1e", "0x", "1.2.3", "n", "1-2"] {
        check(&["token=", other].concat(), true);
    }
    for code in ["f(x", "a.b", "a?.b", "a::b", "$a[0", "m!(x", "[1", "{a", "(a", "yield", "class"] {
        check(&["password=", code].concat(), false);
    }
    for other in ["a.1", "a:b", "1(x", "!(x", "a!b", "classy", "a-b.c"] {
        check(&["password=", other].concat(), true);
    }
}

#[test]
fn shapes() {
    check("-----BEGIN RSA PRIVATE KEY-----", true);
    check("-----BEGIN PRIVATE KEY -----", false);
    check("-----BEGIN PRIVATE KEY BLOCK-----", true);
    check("-----BEGIN CERTIFICATE-----", false);
    check("bearer abcdefg1", true);
    check("bearer abcdefgh", false);
    check("Basic YTpiYw==", true);
    check("Basic YWJjZGVmZ2g=", false);
    check("x://u:p/w@h", false);
    check("x://u:@h", false);
    check("x://u:xX*.@h", false);
    check("x://u:p:w@h", true);
    check("://u:pw@h", false);
    check("x://u:$PASS@h", false);
    check("x-ghp_00000000000000000000", true);
    check("xghp_00000000000000000000", false);
    check("sk-abcdefghijklmnop", false);
    check("sk-sk-abcdefghijklmno1", true);
    check("eyJabcde.abcde.abcde", true);
    check("eyJabcde.abcde.abcd", false);
    check("eyJabcde.eyJabcde.abcde.abcde", true);
    check("eyJabcd-eyJabcde.abcde.abcde", true);
}

#[test]
fn lengths_are_counted_in_units() {
    let long = |n| ["secret=\"${", &"é".repeat(n), "}\""].concat();
    check(&long(1_021), false);
    check(&long(1_022), true);
    check(&["token: string ", &"é".repeat(256), "= 'q1w2'"].concat(), false);
    check(&["token: string ", &"é".repeat(255), "= 'q1w2'"].concat(), true);
    check(&["token: string ", &"😀".repeat(128), "= 'q1w2'"].concat(), false);
}

#[test]
fn members() {
    check_json(r#"{"password":"q1w2"}"#, true);
    check_json(r#"{"user.password":"q1w2"}"#, true);
    check_json(r#"{"password ":"q1w2"}"#, false);
    check_json(r#"{"password":["q1w2",{"x":true}],"token":5}"#, false);
    check_json(r#"{"a":[{"b":{"cookie":7}}]}"#, true);
    check_json(r#"{"password=q1w2":null}"#, true);
    check_json(r#"{"a":["x",["password=q1w2"]]}"#, true);
    check_json(r#"{"token":"f(x"}"#, true);
    check_json(r#"{"token":"${X}","password":"","secret":"[redacted]"}"#, false);
}

/// What texts with and without secrets are made of.
const PIECES: &[&str] = &[
    "password",
    "token",
    "max_",
    "api",
    "Key",
    "_",
    "-",
    "=",
    ":",
    "=>",
    "?",
    "\"",
    "'",
    "`",
    "\\",
    "${",
    "}",
    "$A",
    "%B%",
    "{{",
    "}}",
    "Bearer",
    "Basic",
    "await",
    "string",
    "Option<",
    ">",
    "null",
    "x",
    "q1w2",
    "5",
    " ",
    "\t",
    "\n",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    ".",
    "://",
    "@",
    "/",
    "sk-",
    "eyJ",
    "ghp_",
    "aaaaaaaaaaaaaaaaaaaa",
    "AKIA",
    "-----BEGIN ",
    "PRIVATE KEY",
    "-----",
    "é",
    "•",
    "😀",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_around_a_secret_do_not_hide_it(pieces in prop::collection::vec(select(PIECES), 0..14)) {
        let text = pieces.concat();
        let is_secret = contains_secret(&text);
        prop_assert_eq!(contains_secret(&["x\n", &text].concat()), is_secret);
        prop_assert!(!is_secret || contains_secret(&[&text, "\nx"].concat()));
        let value = Json::List(vec![Json::Object(vec![("a".into(), Json::Text(text.clone()))])]);
        prop_assert_eq!(json_contains_secret(&value), is_secret);
        // Its own text, where that has no escapes, is judged as strictly at least: there the quote that ends a member may be
        // taken for one that begins a value.
        let is_plain = text.chars().all(|c| c >= ' ' && c != '"' && c != '\\');
        let member = Json::Object(vec![("password".into(), Json::Text(text))]);
        if is_plain {
            prop_assert!(!json_contains_secret(&member) || contains_secret(&member.text()), "{}", member.text());
        }
    }
}
