//! What is fuzzed: each target takes bytes and panics where something does not hold.
//!
//! The same functions run under cargo-fuzz (`fuzz_targets/`) and over seeds and kept finds in `tests/fuzz_replay.rs`.
//!
//! | target | input | what must hold |
//! |---|---|---|
//! | `reader` | a line | spans on the line, problems in order, parents first, the same twice |
//! | `commands` | a line | in every dialect findings with spans on the line, none at LOW |
//! | `paths` | directory, newline, path | the same, for paths |
//! | `patterns` | expression, newline, text | spans on the expression or the text |
//! | `rules` | rule, newline, subject | what parses renders to what parses the same; escapes come back |
//! | `reviews` | up to three JSON texts, a line each | no refusal says what was refused; what is returned is taken back as the same |
//! | `verdicts` | a model's answer | without a fence it is what another JSON reader makes of it; what is shown is short and plain |
//! | `snapshots` | a snapshot of the auto stage | what is restored is written as what restores to the same |
//! | `policies` | see [`policy`] | the explanation decides as the decision does; nothing unread is allowed |

use serde_json::{Value, json};
use toolgate::auto_stage::Memory;
use toolgate::dialect::{DIALECTS, Dialect};
use toolgate::host::Host;
use toolgate::json;
use toolgate::limits;
use toolgate::pattern::Pattern;
use toolgate::policy::{Call, CallState, Explanation, Passage, Policy, risk_table};
use toolgate::review::{Field, Reason};
use toolgate::risk::{Assessment, RiskLevel, assess_command};
use toolgate::rule;
use toolgate::shell::{Hang, read};
use toolgate::span::Span;
use toolgate::text::trim;
use toolgate::verdict;
use toolgate::vocabulary::{Behavior, Kind, PermissionMode, Stage};
use toolgate::wire;

/// A target and its name.
pub type Target = (&'static str, fn(&str));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("reader", reader),
    ("commands", commands),
    ("paths", paths),
    ("patterns", patterns),
    ("rules", rules),
    ("verdicts", verdicts),
    ("snapshots", snapshots),
    ("policies", policies),
    ("reviews", reviews),
];

/// Runs one target; what is no UTF-8 is replaced, since no such text can come in.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name).expect("a target of that name");
    target.1(&String::from_utf8_lossy(bytes));
}

const HOST: Host = Host {
    url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(str::to_owned),
    lower_case: str::to_lowercase,
};

fn verdicts(answer: &str) {
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

fn snapshots(text: &str) {
    let Ok(value) = json::read(text) else { return };
    let Ok(memory) = Memory::restore(&value) else { return };
    let written = memory.snapshot(true);
    let again = Memory::restore(&json::read(&written).expect("JSON")).expect("a snapshot");
    assert_eq!(again.snapshot(true), written);
}

fn reader(line: &str) {
    let reading = read(line);
    assert_eq!(reading, read(line), "read twice, two readings");
    assert_eq!(reading.is_complete(), reading.problems().is_empty());
    assert!(reading.commands().len() <= limits::SHELL_COMMANDS, "too many commands");
    for (index, command) in reading.commands().iter().enumerate() {
        on(line, command.span);
        let words = command.words.iter().chain(command.assignments.iter().map(|assigned| &assigned.value));
        for word in words.chain(command.redirects.iter().map(|redirect| &redirect.target)) {
            on(line, word.span());
            // What a wrapper runs shares its words with the wrapper, whose substitutions stand before it.
            let behind = |at: &usize| {
                reading.commands()[*at].parent.filter(|_| reading.commands()[*at].hang == Hang::Behind)
            };
            let first = std::iter::successors(Some(index), behind).last().unwrap_or(index);
            assert!(reading.commands_in(word).all(|inside| inside > first), "a command before its parent");
        }
        command.redirects.iter().for_each(|redirect| on(line, redirect.span));
        assert!(command.parent.is_none_or(|parent| parent < index), "a command before its parent");
        assert_eq!(command.parent.is_none(), command.hang == Hang::Free);
        assert!(reading.nests_around(command.nest).count() <= limits::SHELL_DEPTH + 1, "too deep");
    }
    reading.problems().iter().for_each(|problem| on(line, problem.span));
    let starts: Vec<usize> = reading.problems().iter().map(|problem| problem.span.start).collect();
    assert!(starts.is_sorted(), "problems out of order");
    json_text(&wire::shell_reading(line));
}

fn commands(line: &str) {
    for dialect in DIALECTS {
        let risk = assess_command(risk_table(dialect.risk), line, &[]).expect("no pattern, no error");
        assessment(line, &risk);
        json_text(&wire::assess_bash_command(line, None, Some(dialect.name)));
    }
}

fn paths(text: &str) {
    let (cwd, path) = halves(text);
    for dialect in DIALECTS {
        for home in [None, Some("/home/u")] {
            let options =
                json!({"cwd": cwd, "dialect": dialect.name, "home": home, "additionalDirectories": ["/a"]});
            let shape = json_text(&wire::assess_file_path(path, &options.to_string()));
            assert_eq!(
                shape["level"] == "LOW",
                shape["findings"].as_array().is_none_or(Vec::is_empty),
                "{shape}"
            );
        }
    }
}

fn patterns(text: &str) {
    let (source, text) = halves(text);
    match Pattern::compile(source) {
        Ok(pattern) => pattern.find(text).into_iter().for_each(|span| on(text, span)),
        Err(error) => on(source, error.span),
    }
}

fn rules(text: &str) {
    let (text, subject) = halves(text);
    assert_eq!(rule::unescape(&rule::escape(text)), text, "an escape that does not come back");
    for dialect in DIALECTS {
        match rule::parse(text, dialect, HOST) {
            Ok(parsed) => {
                parsed.accepts(subject);
                assert!(parsed.agreement(subject) <= parsed.content.as_deref().unwrap_or_default().len());
                let text = rule::text_of(&parsed.tool, parsed.content.as_deref(), dialect);
                assert_eq!(
                    rule::parse(&text, dialect, HOST).as_ref(),
                    Ok(&parsed),
                    "{}: {text}",
                    dialect.name
                );
            }
            Err(error) => on(text, error.span),
        }
    }
}

/// A policy and a call: a first line of words (`dialect mode tool`, each by a number), lines of rules that begin with `+`
/// (allow), `-` (deny), `?` (ask) or `!` (for every mode), then an empty line, and the subject.
fn policies(text: &str) {
    let (head, subject) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let mut numbers =
        lines.next().unwrap_or_default().split(' ').map(|word| word.parse::<usize>().unwrap_or(0));
    let dialect = pick(DIALECTS, numbers.next());
    let mode = *pick(PermissionMode::ALL, numbers.next());
    let tool = *pick(&["Bash", "bash", "Read", "edit", "WebFetch", "mcp__a__b", "Other"], numbers.next());
    let list = |mark: char| lines.clone().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>();
    let config = json!({
        "dialect": dialect.name, "home": "/home/u", "projectRoot": "/repo",
        "rules": {"allow": list('+'), "deny": list('-'), "ask": list('?'), "bypassImmune": list('!')},
    });
    match Policy::new(&config.to_string(), HOST) {
        Err(checked) => assert!(checked.diagnostics.iter().any(|found| found.is_error())),
        Ok(policy) if dialect.modes.contains(&mode) => decide(&policy, dialect, mode, tool, subject),
        Ok(_) => {}
    }
}

fn decide(policy: &Policy, dialect: &Dialect, mode: PermissionMode, tool: &str, subject: &str) {
    let call = match tool {
        "Bash" | "bash" => Call { tool, command: Some(subject), ..Call::default() },
        "WebFetch" => Call { tool, url: Some(subject), ..Call::default() },
        "Other" => Call { tool, subject: Some(subject), ..Call::default() },
        _ => Call { tool, file_path: Some(subject), ..Call::default() },
    };
    let state = CallState { mode: Some(mode), ..CallState::default() };
    let decision = policy.decide(&call, &state, &[]);
    policy.explain(&call, &state, &[], |explanation| {
        assert_eq!(decision, explanation.decision, "the explanation decides otherwise");
        explained(explanation);
        let outcome = &decision.outcome;
        let by_content = (outcome.kind, outcome.stage) == (Kind::Allow, Stage::ContentRule);
        let unread = explanation.reading.is_some_and(|reading| !reading.is_complete());
        // A dialect that matches the raw line reads nothing, and so has no reading here.
        assert!(!(by_content && unread), "allowed, but not read ({})", dialect.name);
    });
    assessment(decision.assessed.as_deref().unwrap_or_default(), &decision.risk);
}

fn explained(explanation: &Explanation<'_>) {
    let deciding = explanation.stages.iter().filter(|note| note.passage == Passage::Decided);
    let deciding: Vec<Stage> = deciding.map(|note| note.stage).collect();
    assert_eq!(deciding, [explanation.decision.outcome.stage]);
    let subject = explanation.subject.unwrap_or_default();
    for note in &explanation.rules {
        note.subject_spans.iter().for_each(|span| on(subject, *span));
        assert_eq!(note.why.is_none(), note.matched && note.decided, "a rule without a reason");
        assert!(note.agreement <= note.rule.rule.content.as_deref().unwrap_or_default().len());
        let allowed = explanation.decision.outcome.kind == Kind::Allow;
        assert!(!(note.decided && note.rule.behavior == Behavior::Deny && allowed), "denied and allowed");
    }
}

/// The functions about reviews, each over the same texts.
fn reviews(texts: &str) {
    let mut lines = texts.splitn(3, '\n').map(str::as_bytes);
    let [first, second, third] = [lines.next(), lines.next(), lines.next()];
    let call = |function: &str, first| wire::review(function, first, second, third);
    for function in ["evaluateAssessment", "combineAssessments"] {
        assert!(call(function, first).is_ok(), "a decision is an error");
    }
    for function in [
        "buildReviewContext",
        "createReviewSubject",
        "subjectDigest",
        "createReviewPolicy",
        "parseAssessment",
    ] {
        let made = match call(function, first) {
            Ok(made) => made,
            Err(refusal) => {
                // One of the closed words each, and nothing else.
                let refusal: Value = serde_json::from_str(&refusal).expect("JSON text");
                let word = |name: &str| refusal[name].as_str().unwrap_or_default().to_owned();
                assert!(Field::parse(&word("field")).is_some() && Reason::parse(&word("reason")).is_some());
                let says = format!("permission review refused {}: {}", word("field"), word("reason"));
                assert_eq!(word("message"), says);
                continue;
            }
        };
        let again = |function: &str| wire::review(function, Some(made.as_bytes()), second, third);
        match function {
            // Another build of a context with what was left out is refused; of any other it is the same.
            "buildReviewContext" if made.contains("\"truncated\":true") || made.contains("omission") => {}
            "buildReviewContext" | "createReviewPolicy" => assert_eq!(again(function), Ok(made.clone())),
            "createReviewSubject" => {
                let subject: Value = serde_json::from_str(&made).expect("JSON text");
                let digest = subject["basis"]["subject_digest"].as_str().unwrap_or_default().to_owned();
                assert_eq!(again("subjectDigest"), Ok(digest));
            }
            _ => {}
        }
    }
}

fn assessment(text: &str, risk: &Assessment) {
    assert_eq!(risk.level == RiskLevel::Low, risk.findings.is_empty(), "{risk:?}");
    for finding in &risk.findings {
        assert_eq!(finding.level, risk.level);
        on(text, finding.span);
    }
}

/// A span is a piece of the text.
#[track_caller]
fn on(text: &str, span: Span) {
    assert!(span.slice(text).is_some(), "{span:?} is off {text:?}");
    let units = span.to_utf16(text);
    assert!(units.start <= units.end);
}

#[track_caller]
fn json_text(answer: &Result<String, String>) -> Value {
    // Only an input over a limit is refused.
    let text = answer.as_ref().unwrap_or_else(|failure| failure);
    serde_json::from_str(text).expect("JSON text")
}

fn halves(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, text))
}

fn pick<T>(list: &[T], at: Option<usize>) -> &T {
    &list[at.unwrap_or(0) % list.len()]
}
