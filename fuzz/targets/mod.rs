//! What is fuzzed: each target takes bytes and panics where something does not hold.
//!
//! The same functions run under cargo-fuzz (`fuzz_targets/`) and over seeds and kept finds in `tests/fuzz_replay.rs`. A target
//! takes a text, or a [`Script`] whose bytes choose what happens.
//!
//! | target | input | what must hold |
//! |---|---|---|
//! | `reader` | a line | spans on the line, problems in order, parents first, the same twice |
//! | `commands` | a digit, which picks the dialect, and a line | findings with spans on the line, none at LOW |
//! | `paths` | a digit, directory, newline, path | the same, for paths |
//! | `patterns` | expression, newline, text | spans on the expression or the text |
//! | `rules` | a digit, rule, newline, subject | what parses renders to what parses the same; escapes come back |
//! | `policies` | see [`policies::Case`] | the explanation decides as the decision does; nothing unread is allowed; coverage counts what is explained |
//! | `configs` | a script, or a text | every diagnostic has a known code and a place in the configuration; it compiles exactly where none is an error |
//! | `settings` | a script, or a text | the same of the configuration that settings become, and of the settings |
//! | `lint` | as `policies` | what each finding claims is what the policy does; the same twice |
//! | `suggestions` | as `policies` | each rule accepts the call that it is for, is never a broad one, and all together allow it |
//! | `verdicts` | a model's answer | without a fence it is what another JSON reader makes of it; what is shown is short and plain |
//! | `diagnostics` | a script, or a text | what is taken from a diagnostic is taken as the same again, and holds nothing else |
//! | `evidence` | a command, a path or a text | candidates are paths that may be offered; a secret stays one in the middle of a text |
//! | `snapshots` | a script, or a text | what is restored of the auto stage is written as what restores to the same |
//! | `reviews` | up to three JSON texts, a line each | no refusal says what was refused; what is returned is taken back as the same |
//! | `subjects` | a script: texts that are nearly right | the same |
//! | `assessments` | a script, or a text | what is taken is about the subject at hand, and is taken again as the same |
//! | `logs` | an event log | folds give known words; after a switch the log is in that mode, with no violation more |
//! | `functions` | see [`wire::functions`] | JSON text or a closed word comes, or an error with a known code that repeats nothing |
//! | `stage` | a script of a host | see [`machines::Watched`]; allowed is only what a model allowed; a snapshot goes on as its stage does |
//! | `classifier` | a plan of a host, or a script | the story that the reference model tells; whatever comes in any order, nothing unsaid is allowed |
//! | `gates` | a script of a host | a gate is resolved once, by a person or by what was assessed and durable; the laws of every order |
//! | `denials` | a script of verdicts | the counters are those of the reference model, and cross the boundary as the same |

mod analysis;
mod answers;
#[path = "../../tests/common/denials.rs"]
mod denials_model;
#[path = "../../tests/common/findings.rs"]
mod findings;
mod gates;
mod machines;
mod policies;
#[path = "../../tests/common/question.rs"]
mod question;
mod reading;
#[path = "../../tests/common/reported.rs"]
mod reported;
mod reviews;
mod rounds;
mod rules;
mod script;
mod shapes;
mod stage;
mod wire;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use script::Script;
use serde_json::Value;
use toolgate::span::Span;

/// How a target takes its input.
pub enum Target {
    /// As a text; what is no UTF-8 is replaced, since no such text can come in.
    Text(fn(&str)),
    /// As choices.
    Script(fn(&mut Script<'_>)),
}

use Target::{Script as Choices, Text};

/// Every target, by its name.
pub const TARGETS: &[(&str, Target)] = &[
    ("reader", Text(reading::reader)),
    ("commands", Text(reading::commands)),
    ("paths", Text(reading::paths)),
    ("patterns", Text(rules::patterns)),
    ("rules", Text(rules::rules)),
    ("policies", Text(policies::policies)),
    ("configs", Choices(policies::configs)),
    ("settings", Choices(policies::settings)),
    ("lint", Text(analysis::lint)),
    ("suggestions", Text(analysis::suggestions)),
    ("verdicts", Text(answers::verdicts)),
    ("diagnostics", Choices(answers::diagnostics)),
    ("evidence", Text(answers::evidence)),
    ("snapshots", Choices(answers::snapshots)),
    ("reviews", Text(reviews::reviews)),
    ("subjects", Choices(reviews::subjects)),
    ("assessments", Choices(reviews::assessments)),
    ("logs", Text(wire::logs)),
    ("functions", Text(wire::functions)),
    ("stage", Choices(stage::stage)),
    ("classifier", Choices(rounds::classifier)),
    ("gates", Choices(gates::gates)),
    ("denials", Choices(stage::denials)),
];

/// Runs one target.
pub fn run(name: &str, bytes: &[u8]) {
    match TARGETS.iter().find(|(known, _)| *known == name) {
        Some((_, Text(target))) => target(&String::from_utf8_lossy(bytes)),
        Some((_, Choices(target))) => target(&mut Script::of(bytes)),
        None => panic!("no target of that name"),
    }
}

/// Every code that the page of errors has.
static CODES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("../../docs/errors.md").split('`').skip(1).step_by(2).collect());

#[track_caller]
fn is_known_code(code: &str) {
    assert!(CODES.contains(code), "docs/errors.md has no code {code:?}");
}

/// A span is a piece of the text.
#[track_caller]
fn on(text: &str, span: Span) {
    assert!(span.slice(text).is_some(), "{span:?} is off {text:?}");
    let units = span.to_utf16(text);
    assert!(units.start <= units.end);
}

/// The value of a JSON text, read by another reader.
#[track_caller]
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn halves(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, text))
}

/// What a first digit picks, and the rest; without a digit it is the first.
fn picked<'t, T>(list: &'t [T], text: &'t str) -> (&'t T, &'t str) {
    let mut rest = text.chars();
    match rest.next().and_then(|first| first.to_digit(10)) {
        Some(digit) => (&list[digit as usize % list.len()], rest.as_str()),
        None => (&list[0], text),
    }
}
