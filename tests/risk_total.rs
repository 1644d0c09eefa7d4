//! No text breaks the rooms of risk, and what they say keeps its promises.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

use proptest::prelude::*;
use toolgate::path::{Forms, Lexical, Places};
use toolgate::pattern::Pattern;
use toolgate::risk::{CommandRisk, DSH_0_5, RiskLevel, STANDARD, Scope, assess_command};
use toolgate::shell;

/// Texts made of what the rooms look for.
fn line() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "rm", "-rf", "/", "~", "$HOME", "${X}", "*", "cd", "find", "-delete", "-exec", "{}", "+", ";", "|",
        "&", "&&", "\n", "curl", "bash", "sh -c", "'", "\"", "`", "$(", ")", "<(", "<<<", "<<E", ">", ">>",
        ">&", "tee", "cp", "-t", "sed -i", "dd of=", "chmod", "777", "o+w", "kill", "-9", "1", "f() {", "f",
        "}", "/etc/", ".bashrc", "é", "\\", "--", "-", "=", "sudo", "\u{202E}", "😀", "C:\\", "-o",
        "wget -O",
    ]);
    let blank = prop::sample::select(vec!["", " ", " ", " "]);
    prop::collection::vec((pieces, blank), 0..24)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn path() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/", "\\", "..", ".", "~", "a", "C:", "\\\\", "\\\\?\\", "UNC\\", ".ssh", "é", "*", "\0",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|parts| parts.concat())
}

fn source() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "b", "(", ")", "(?:", "(?<n>", "(?=", "[", "]", "^", "$", "|", "*", "+", "?", "{2}", "{", "}",
        "{1,}", ",", "-", "\\", "\\d", "\\b", "\\u", "\\uD83D", "\\x", "\\c", ".", "é", "😀", "1", "999",
    ]);
    prop::collection::vec(pieces, 0..16).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lines_are_assessed(line in line(), cwd in path(), home in path(), more in path()) {
        let places = Places { cwd: Some(&cwd), home: Some(&home) };
        for table in [STANDARD, DSH_0_5] {
            let protected = table.paths.protected(Some([more.as_str(), ".bashrc"]));
            let scope = Scope::new(places, [more.as_str()]);
            let (risk, _) = CommandRisk::compile(&table, &[]);
            let alone = risk.assess(&shell::read(&line), places, &protected);
            let call = risk.assess_call(&shell::read(&line), &scope, &protected);
            prop_assert!(call.level >= alone.level);
            prop_assert_eq!(call.level == RiskLevel::Low, call.findings.is_empty());
            for finding in &call.findings {
                prop_assert_eq!(finding.level, call.level);
                prop_assert!(finding.span.slice(&line).is_some(), "{:?}", finding);
            }
        }
    }

    #[test]
    fn paths_are_assessed(path in path(), cwd in path(), home in path(), more in path()) {
        let places = Places { cwd: Some(&cwd), home: Some(&home) };
        for table in [STANDARD, DSH_0_5] {
            let scope = Scope::new(places, [more.as_str()]);
            let risk = table.paths.assess(&path, &scope, &table.paths.protected(None::<[&str; 0]>));
            prop_assert!(risk.findings.len() < 2);
        }
        for forms in Forms::of(&path, &places) {
            let text = forms.normal.text();
            let again = Lexical::read(&text);
            // A share with slashes, and `./~` or `./c:`, read otherwise without what stood in front.
            prop_assert!(again.root() != forms.normal.root() || again.text() == text);
        }
    }

    #[test]
    fn patterns_compile_or_say_where(source in source(), text in line()) {
        match Pattern::compile(&source) {
            Ok(pattern) => if let Some(span) = pattern.find(&text) {
                prop_assert!(span.slice(&text).is_some());
            },
            Err(error) => prop_assert!(error.span.slice(&source).is_some(), "{:?}", error),
        }
        let _ = assess_command(&STANDARD, &text, &[&source]);
    }
}
