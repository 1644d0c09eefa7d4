//! What models and hosts say: verdicts, diagnostics, evidence, snapshots.

use std::sync::LazyLock;

use serde_json::{Value, json};
use toolgate::auto_stage::Memory;
use toolgate::json::{self, Json, read};
use toolgate::limits;
use toolgate::text::trim;
use toolgate::{verdict, wire};

use super::script::Script;
use super::shapes::edited;
use super::{is_known_code, value};

pub fn verdicts(answer: &str) {
    let verdict = verdict::parse(answer);
    let shown = verdict::shown(answer);
    assert!(shown.encode_utf16().count() <= limits::REASON_UNITS && !shown.is_empty());
    assert!(!shown.contains(char::is_control), "a control character is shown");
    assert_eq!(verdict::shown(&shown), shown, "what is shown is not shown the same again");
    // The other reader stops at another depth, and does not know numbers that are too large.
    if answer.contains('`') || answer.matches(['[', '{']).count() > 90 {
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(trim(answer)) else { return };
    let word = value["verdict"].as_str().filter(|word| ["allow", "ask"].contains(word));
    assert_eq!(verdict.as_ref().map(|verdict| verdict::word(verdict.allows)), word);
    if let Some(verdict) = verdict {
        assert_eq!(verdict.reason, value["reason"].as_str().unwrap_or_default());
    }
}

static DIAGNOSTIC: LazyLock<Json> = LazyLock::new(|| {
    json_of(&json!({
        "implementation": "auto-classifier-diagnostics-v1", "elapsedMs": 5, "deadlineMs": 20000, "timerFired": false,
        "returnPath": "evidence", "evidenceLimit": "path-count",
    }))
});

static MEMORY: LazyLock<Json> = LazyLock::new(|| {
    json_of(&json!({
        "v": 1, "failures": {"p/m": 3, "p/n": 1, "__proto__": 0}, "open": ["p/m", "é"], "seeded": ["s", "t"],
        "breakerAudited": ["s"], "unarmedAudited": [""], "warned": {"breaker": true, "unarmed": false}, "slice": "null {}",
        "cache": [["0f".repeat(32), "ask", "a rule"], ["f0".repeat(32), "allow", ""]],
    }))
});

fn json_of(value: &Value) -> Json {
    read(&value.to_string()).expect("JSON")
}

const WORDS: &[&str] = &[
    "provider",
    "verdict",
    "preflight",
    "late-settlement",
    "file-stat-bytes",
    "context-bytes",
    "allow",
    "ask",
    "p/m",
    "s",
    "v",
    "cache",
    "implementation",
    "evidenceLimit",
];

/// A text as it stands, or the right value with edits.
fn given(script: &mut Script<'_>, right: &Json) -> String {
    script.raw().unwrap_or_else(|| edited(right, script, WORDS))
}

pub fn diagnostics(script: &mut Script<'_>) {
    let text = given(script, &DIAGNOSTIC);
    let Some(taken) = wire::project_diagnostic(&text) else { return };
    assert_eq!(wire::project_diagnostic(&taken).as_ref(), Some(&taken));
    let (taken, given) = (value(&taken), read(&text).expect("it was read"));
    for (name, value) in taken.as_object().expect("an object") {
        let own = given.member(name).expect("nothing is added");
        assert!(own.as_str().is_none_or(|own| value == own), "{name}");
    }
}

/// A command that offers files, a path that is offered, a text in which a secret may be.
pub fn evidence(text: &str) {
    let candidates = value(&wire::evidence_candidates(text));
    let candidates = candidates.as_array().expect("a list");
    assert!(candidates.len() <= limits::EVIDENCE_PATHS);
    for path in candidates {
        let path = path.as_str().expect("a path");
        assert_eq!(wire::check_evidence_path(path), None, "{path:?} is offered");
        assert!(text.contains(path), "{path:?} is not in the action");
    }
    if let Some(code) = wire::check_evidence_path(text) {
        is_known_code(&code);
    }
    if wire::contains_secret(text) {
        let around = ["let a = 1;\n", text, "\nlet b = 2;\n"].concat();
        assert!(wire::contains_secret(&around), "a secret that lines around it hide");
    }
    toolgate::evidence::json_contains_secret(&Json::List(vec![Json::Text(text.into())]));
}

pub fn snapshots(script: &mut Script<'_>) {
    let text = given(script, &MEMORY);
    let Ok(value) = json::read(&text) else { return };
    let Ok(memory) = Memory::restore(&value) else { return };
    let written = memory.snapshot(true);
    let again = Memory::restore(&json::read(&written).expect("JSON")).expect("a snapshot");
    assert_eq!(again.snapshot(true), written);
}
