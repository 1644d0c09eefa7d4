//! `explain` tells the truth about `decide`: over every vector, over real shell lines, over generated cases, in every
//! dialect (rules.md section 13).
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod common;

use common::{HOST, Question, cases, compile, dialects, files, vectors};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use toolgate::policy::{Decision, Explanation, Met, MetRule, Passage, Policy, RuleNote};
use toolgate::vocabulary::{Behavior, Kind, PermissionMode, Stage};
use toolgate::wire;

/// When a code is given.
#[derive(Clone, Copy, PartialEq)]
enum When {
    /// The rule matched and did not decide.
    Undecided,
    /// The rule did not match.
    Missed,
    /// Either.
    Either,
}

/// The closed set of codes (rules.md section 13; claude-code.md section 16).
const WHY: &[(&str, When)] = &[
    ("tightened", When::Undecided),
    ("earlier-stage", When::Undecided),
    ("segment-uncovered", When::Undecided),
    ("stricter-segment", When::Undecided),
    ("earlier-rule", When::Undecided),
    ("target-uncovered", When::Undecided),
    ("never-consulted", When::Missed),
    ("no-subject", When::Missed),
    ("incomplete-reading", When::Missed),
    ("unknown-word", When::Missed),
    ("assignment-in-front", When::Missed),
    ("wrapper-not-looked-past", When::Missed),
    ("space-differs", When::Missed),
    ("quoting-differs", When::Missed),
    ("target-differs", When::Missed),
    ("climbs-out", When::Missed),
    ("spelling-differs", When::Missed),
    ("other-anchor", When::Missed),
    ("case-differs", When::Missed),
    ("prefix-differs", When::Missed),
    ("literal-differs", When::Missed),
    ("other-host", When::Missed),
    ("exact-differs", When::Missed),
    ("word-boundary", When::Missed),
    ("parameter-differs", When::Missed),
    ("parameter-absent", When::Missed),
    ("assignment-not-safe", When::Missed),
    ("never-auto-approved", When::Missed),
    ("glob-differs", When::Missed),
    ("apex-not-covered", When::Missed),
    ("suspended-in-auto", When::Either),
];

/// Codes that generated cases come to by the hundred; vectors have the rarer ones.
const MET: &[&str] = &[
    "tightened",
    "earlier-stage",
    "stricter-segment",
    "earlier-rule",
    "never-consulted",
    "no-subject",
    "incomplete-reading",
    "prefix-differs",
    "literal-differs",
    "exact-differs",
];

/// Decides and explains, and holds the one against the other.
#[track_caller]
fn check(policy: &Policy, question: &Question) {
    if let Err(why) = agrees(policy, question) {
        let config = policy.config();
        let rules: Vec<_> = config.entries.iter().map(|entry| (&entry.text, entry.path())).collect();
        panic!("{} {:?}\n{question:?}\n{rules:?}\n{why}", config.dialect.name, config.default_mode);
    }
}

fn agrees(policy: &Policy, question: &Question) -> Result<(), String> {
    let decision = question.decide(policy);
    question.explain(policy, |explanation| {
        if explanation.decision != decision {
            return Err(format!("decided {decision:?}\nexplained {:?}", explanation.decision));
        }
        stages_agree(explanation)?;
        explanation.rules.iter().try_for_each(|note| {
            note_agrees(note, explanation).map_err(|why| format!("{why}: {note:?}\n{decision:?}"))
        })?;
        rules_agree(explanation, policy)?;
        met_agrees(explanation, policy, question)?;
        spans_agree(explanation, policy, question)
    })
}

/// What a coverage is counted of is what the explanation says.
fn met_agrees(explanation: &Explanation<'_>, policy: &Policy, question: &Question) -> Result<(), String> {
    let said = explanation.rules.iter().filter(|note| note.matched || note.decided);
    let said = said.map(|note| MetRule { at: note.at, matched: note.matched, decided: note.decided });
    let Decision { outcome, .. } = &explanation.decision;
    let fell_through = explanation.decision.fell_through();
    let expected = Met { kind: outcome.kind, fell_through, rules: said.collect() };
    let met = question.put(policy, |call, state, grants| policy.meets(call, state, grants));
    if met == expected { Ok(()) } else { Err(format!("met {met:?}\nexplained {expected:?}")) }
}

fn stages_agree(explanation: &Explanation<'_>) -> Result<(), String> {
    let stages: Vec<Stage> = explanation.stages.iter().map(|note| note.stage).collect();
    let decided = explanation.stages.iter().filter(|note| note.passage == Passage::Decided);
    let decided: Vec<Stage> = decided.map(|note| note.stage).collect();
    let stage = explanation.decision.outcome.stage;
    if stages == Stage::ALL && decided == [stage] {
        Ok(())
    } else {
        Err(format!("{stage:?} made the decision, the stages say {:?}", explanation.stages))
    }
}

fn note_agrees(note: &RuleNote<'_>, explanation: &Explanation<'_>) -> Result<(), &'static str> {
    let outcome = &explanation.decision.outcome;
    if note.decided && outcome.rule != Some(note.at) {
        let settles_a_part = outcome.kind == Kind::Allow && note.rule.behavior == Behavior::Allow;
        if !settles_a_part || outcome.rule.is_none() {
            return Err("it decided, and the decision has another rule");
        }
    }
    if note.decided && !note.matched {
        return Err("it decided, and did not match");
    }
    let when = note.why.map(|code| WHY.iter().find(|(known, _)| *known == code).ok_or("an unknown code"));
    match (note.matched, note.decided, when.transpose()?) {
        (true, true, None) => {}
        (true, false, Some((_, When::Undecided | When::Either))) => {}
        (false, _, Some((_, When::Missed | When::Either))) => {}
        _ => return Err("its code does not go with what it says"),
    }
    let subject = explanation.subject.unwrap_or_default();
    if !note.subject_spans.iter().all(|span| span.slice(subject).is_some()) {
        return Err("a span off the subject");
    }
    if !note.matched && !note.subject_spans.is_empty() {
        return Err("a miss that points at what it accepts");
    }
    if note.matched
        && !note.rule.rule.is_whole_tool()
        && note.subject_spans.is_empty()
        && explanation.subject.is_some()
    {
        return Err("it accepts something, and points at nothing");
    }
    Ok(())
}

/// The decision's rule is among the rules, once, and says what was decided.
fn rules_agree(explanation: &Explanation<'_>, policy: &Policy) -> Result<(), String> {
    let Decision { outcome, mode, .. } = &explanation.decision;
    let Some(at) = outcome.rule else {
        return match explanation.rules.iter().find(|note| note.decided) {
            Some(note) => Err(format!("no rule decided, but {note:?}")),
            None => Ok(()),
        };
    };
    let named: Vec<_> = explanation.rules.iter().filter(|note| note.at == at).collect();
    let [note] = named.as_slice() else {
        return Err(format!("{at:?} decided, and is listed {} times", named.len()));
    };
    let said = match (outcome.kind, note.rule.behavior) {
        (Kind::Allow, Behavior::Allow) | (Kind::Ask, Behavior::Ask) | (Kind::Deny, Behavior::Deny) => true,
        // A sandboxed call is spared the question of a rule for the whole tool.
        (Kind::Allow, Behavior::Ask) => outcome.stage == Stage::ToolAsk,
        (Kind::Deny, Behavior::Ask) => *mode == PermissionMode::DontAsk,
        _ => false,
    };
    let labelled = outcome.kind != Kind::Deny
        || policy
            .reason(&explanation.decision)
            .is_some_and(|reason| reason.contains(note.rule.source.as_str()));
    if said && labelled && note.decided { Ok(()) } else { Err(format!("{outcome:?} by {note:?}")) }
}

/// Every span of what JavaScript gets lies inside its text, on boundaries of characters.
fn spans_agree(explanation: &Explanation<'_>, policy: &Policy, question: &Question) -> Result<(), String> {
    let text = wire::explanation_text(explanation, policy, &question.grants, HOST);
    let shape: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let subject = shape["subject"].as_str().unwrap_or_default();
    for rule in shape["rules"].as_array().into_iter().flatten() {
        let spans = rule["subjectSpans"].as_array().ok_or("no list of spans")?;
        let on_subject = spans.iter().all(|span| lies_in(span, subject));
        let on_rule =
            rule.get("ruleSpan").is_none_or(|span| lies_in(span, rule["text"].as_str().unwrap_or_default()));
        if !on_subject || !on_rule {
            return Err(format!("a span off its text: {rule:?}"));
        }
    }
    let assessed = explanation.decision.assessed.as_deref().unwrap_or_default();
    let off =
        explanation.decision.risk.findings.iter().find(|finding| finding.span.slice(assessed).is_none());
    off.map_or(Ok(()), |finding| Err(format!("a finding off its text: {finding:?}")))
}

fn lies_in(span: &Value, text: &str) -> bool {
    let mut at = 0;
    let mut boundaries = vec![0];
    boundaries.extend(text.chars().map(|c| {
        at += c.len_utf16();
        at
    }));
    let place = |name: &str| {
        span[name].as_u64().and_then(|at| usize::try_from(at).ok()).filter(|at| boundaries.contains(at))
    };
    place("start").zip(place("end")).is_some_and(|(start, end)| start <= end)
}

#[test]
fn over_every_vector() {
    let mut asked = 0;
    for input in vectors::inputs() {
        let before_and_after = [&input["config"], &input["compare"]["before"], &input["compare"]["after"]];
        let lists = [&input, &input["compare"]];
        for config in before_and_after.into_iter().filter(|config| config.is_object()) {
            // What does not compile decides nothing.
            let Ok(policy) = Policy::new(&config.to_string(), HOST) else { continue };
            for question in lists.iter().flat_map(|input| vectors::questions(input)) {
                check(&policy, &question);
                asked += 1;
            }
        }
    }
    println!("{asked} calls of vectors");
    assert!(asked > 180, "{asked}");
}

/// The configurations that real lines are asked under.
fn settings() -> Vec<Value> {
    let permissions = files::demo_settings().to_string();
    let from =
        wire::config_from_settings(&permissions, r#"{"base":{"home":"/home/u","projectRoot":"/repo"}}"#);
    let from: Value = serde_json::from_str(&from.unwrap()).unwrap();
    let rules = json!({
        "allow": ["Bash(git *)", "Bash(npm *)", "Bash(ls)", "Bash(cat *)", "Bash(echo *)", "Read"],
        "deny": ["Bash(rm *)", "Bash(* push*)", "Bash(sudo *)", "Read(.env)", "Edit(/etc/**)"],
        "ask": ["Bash(curl *)", "Bash(docker *)", "WebFetch"],
        "bypassImmune": ["Bash(mkfs*)", "Bash(dd *)"],
    });
    let whole = json!({ "ask": ["Bash"], "deny": ["Bash(find *)"], "allow": ["Bash(tar *)"] });
    vec![
        from["config"].clone(),
        json!({ "rules": rules, "projectRoot": "/repo", "home": "/home/u" }),
        json!({ "rules": whole, "exemptSandboxedBashFromToolAsk": true, "readOnlyTools": ["Bash"] }),
    ]
}

/// Asks about each line in every dialect; configurations, modes, sandboxes and grants take turns.
fn check_lines(lines: &[String]) {
    let settings = settings();
    for dialect in dialects() {
        let policies: Vec<Policy> = settings
            .iter()
            .map(|config| {
                let mut config = config.clone();
                config["dialect"] = dialect.into();
                compile(&config)
            })
            .collect();
        for (turn, line) in lines.iter().enumerate() {
            let modes = cases::modes(dialect);
            let mode = modes[turn / policies.len() % modes.len()];
            let question = Question::line(line).in_mode(mode).with("cwd", Some("/repo"));
            let question = match turn % 5 {
                0 => question.with("sandbox", Some("workspace-write")),
                1 => question.granted(&["Bash(python *)".into(), "Bash(find *)".into()]),
                _ => question,
            };
            check(&policies[turn % policies.len()], &question);
        }
    }
}

#[test]
fn over_the_lines_of_the_demo() {
    let lines = files::demo_lines();
    assert!(lines.len() > 500, "{}", lines.len());
    check_lines(&lines);
}

/// A quarter of the corpus; all of it where `TOOLGATE_FULL` is set.
#[test]
fn over_the_lines_of_the_corpus() {
    let mut lines = files::corpus_lines();
    if std::env::var_os("TOOLGATE_FULL").is_none() {
        lines = lines.into_iter().step_by(4).collect();
    }
    println!("{} lines of the corpus", lines.len());
    check_lines(&lines);
}

/// Generated cases; together they come to every stage and kind, so that none is agreed upon for want of a case.
#[test]
fn over_generated_cases() {
    let config = ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() };
    let case = cases::in_any(|dialect| (cases::config(dialect), cases::question(dialect)));
    let met = RefCell::new(BTreeMap::<&str, u32>::new());
    let result = TestRunner::new(config).run(&(case, cases::grants()), |((config, question), grants)| {
        let policy = compile(&config);
        let question = question.granted(&grants);
        if let Err(why) = agrees(&policy, &question) {
            return Err(TestCaseError::fail(format!("{config}\n{question:?}\n{why}")));
        }
        question.explain(&policy, |explanation| {
            let outcome = &explanation.decision.outcome;
            let mut met = met.borrow_mut();
            let codes = explanation.rules.iter().filter_map(|note| note.why);
            for word in codes.chain([outcome.stage.as_str(), outcome.kind.as_str()]) {
                *met.entry(word).or_default() += 1;
            }
        });
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let met = met.into_inner();
    let wanted =
        Stage::ALL.iter().map(|stage| stage.as_str()).chain(Kind::ALL.iter().map(|kind| kind.as_str()));
    let missing: Vec<&str> =
        wanted.chain(MET.iter().copied()).filter(|word| !met.contains_key(word)).collect();
    assert!(missing.is_empty(), "no case came to {missing:?}");
}
