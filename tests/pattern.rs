//! The expression engine against a runtime's own: every case of the fixture, span for span.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

use serde_json::Value;
use toolgate::pattern::{Pattern, PatternFault};
use toolgate::span::Span;

#[test]
fn finds_what_the_runtime_finds() {
    let cases: Value = serde_json::from_str(include_str!("corpus/pattern/node.json")).unwrap();
    let mut wrong = Vec::new();
    for case in cases.as_array().unwrap() {
        let source = case[0].as_str().unwrap();
        let compiled = Pattern::compile(source);
        let Some(text) = case[1].as_str() else {
            if compiled.map_err(|error| error.fault).err() != Some(PatternFault::Invalid) {
                wrong.push(format!("{source:?} should be invalid"));
            }
            continue;
        };
        match compiled {
            Err(error) if error.fault == PatternFault::Unsupported => {}
            Err(error) => wrong.push(format!("{source:?}: {error:?}")),
            Ok(pattern) => {
                let found = pattern.find(text).map(|span| span.to_utf16(text));
                let number = |at: usize| case[at].as_u64().map(|n| n as usize);
                let expected = number(2).zip(number(3)).map(|(start, end)| Span { start, end });
                if found != expected {
                    wrong.push(format!("{source:?} in {text:?}: {found:?}, not {expected:?}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.iter().take(25).cloned().collect::<Vec<_>>().join("\n")
    );
}
