//! Review gates: subjects, contexts, policies, assessments.

use serde_json::{Value, json};
use toolgate::json::{Canonical, Json, read};
use toolgate::review::{
    Assessment, ContextPolicy, DecisionReason, Field, Part, Reason, ReviewPolicy, Subject, evaluate, parse,
    parse_assessment,
};
use toolgate::wire;

use super::gates::samples::{basis, context, request};
use super::script::Script;
use super::shapes::edited;

/// The functions that take texts and never fail, and those that may.
const DECISIONS: &[&str] = &["evaluateAssessment", "combineAssessments"];
const RECORDS: &[&str] =
    &["buildReviewContext", "createReviewSubject", "subjectDigest", "createReviewPolicy", "parseAssessment"];

/// The functions about reviews, each over the same texts.
pub fn reviews(texts: &str) {
    let mut lines = texts.splitn(3, '\n');
    let [first, second, third] = [lines.next(), lines.next(), lines.next()];
    for function in DECISIONS.iter().chain(RECORDS) {
        reviewed(function, [first, second, third]);
    }
}

fn reviewed(function: &str, texts: [Option<&str>; 3]) {
    let [first, second, third] = texts.map(|text| text.map(str::as_bytes));
    let answer = wire::review(function, first, second, third);
    let made = match answer {
        Ok(made) => made,
        Err(refusal) => {
            assert!(!DECISIONS.contains(&function), "a decision is an error");
            // One of the closed words each, and nothing else.
            let refusal = super::value(&refusal);
            let word = |name: &str| refusal[name].as_str().unwrap_or_default().to_owned();
            let field = word("field");
            let (name, index) = field.split_once('[').unwrap_or((&field, "0]"));
            assert!(
                Field::parse(name).is_some() && index.trim_end_matches(']').parse::<usize>().is_ok(),
                "{field}"
            );
            assert!(Reason::parse(&word("reason")).is_some());
            let says = format!("permission review refused {}: {}", field, word("reason"));
            assert_eq!(word("message"), says);
            return;
        }
    };
    let again = |function: &str| wire::review(function, Some(made.as_bytes()), second, third);
    match function {
        // Another build of a context with what was left out is refused; of any other it is the same.
        "buildReviewContext" if made.contains("\"truncated\":true") || made.contains("omission") => {}
        "buildReviewContext" | "createReviewPolicy" => assert_eq!(again(function), Ok(made.clone())),
        "createReviewSubject" => {
            let subject: Value = super::value(&made);
            let digest = subject["basis"]["subject_digest"].as_str().unwrap_or_default().to_owned();
            assert_eq!(again("subjectDigest"), Ok(digest));
        }
        "evaluateAssessment" | "combineAssessments" => {
            assert!(DecisionReason::parse(&made).is_some(), "{made}")
        }
        _ => {}
    }
}

/// The texts that are right for each function.
struct Right {
    context: Json,
    context_policy: Json,
    basis: Json,
    request: Json,
    subject: Json,
    policy: Json,
    assessment: Json,
    classifiers: Json,
    outcomes: Json,
    /// A subject that is valid.
    about: Subject,
}

fn text_of(part: &impl Part) -> String {
    let mut to = Canonical::kept();
    part.write(&mut to);
    to.into_text()
}

fn right() -> Right {
    let of = |text: &str| read(text).expect("JSON");
    let mut context = context();
    let long = "a long answer of a tool, ".repeat(20);
    for (origin, kind, content) in [
        ("tool", "tool_result", long.as_str()),
        ("assistant", "assistant_message", "😀é…"),
        ("external", "external_content", "x"),
    ] {
        let entry = toolgate::review::Entry {
            origin: origin.into(),
            kind: kind.into(),
            content: content.into(),
            truncated: false,
        };
        context.entries.insert(1, entry);
    }
    let about = Subject::new(basis(), request(), context.clone().into()).expect("a subject");
    let assessment = Assessment {
        basis: about.basis().clone(),
        risk: "low".into(),
        authorization: "explicit".into(),
        recommendation: "allow".into(),
        rationale: "why".into(),
        ..Assessment::default()
    };
    let mut answer = of(&assessment.text());
    answer.set("version", Json::Text("command_safety_output.v1".into()));
    let policy = ContextPolicy {
        revision: "p".into(),
        max_bytes: 1_600,
        max_estimated_tokens: 200,
        max_entries: 4,
        max_user_entry_bytes: 100,
        max_agent_entry_bytes: 100,
        max_tool_entry_bytes: 100,
        max_block_bytes: 100,
        max_active_action_bytes: 100,
    };
    let outcome = json!([{
        "classifier_revision": "a-1", "applicable": true, "status": "allowed",
        "subject": super::value(&about.text()), "assessment": super::value(&assessment.text()),
    }]);
    Right {
        context: of(&text_of(&context)),
        context_policy: of(&text_of(&policy)),
        basis: of(&text_of(&basis())),
        request: of(&text_of(&*request())),
        subject: of(&about.text()),
        policy: of(&ReviewPolicy::parse(Some(r#"{"revision":"gate-policy-v1"}"#)).expect("a policy").text()),
        assessment: answer,
        classifiers: of(r#"[{"name":"a","revision":"a-1"}]"#),
        outcomes: of(&outcome.to_string()),
        about,
    }
}

thread_local! {
    static RIGHT: Right = right();
}

const WORDS: &[&str] = &[
    "user",
    "user_message",
    "assistant",
    "assistant_message",
    "assistant_tool_request",
    "tool",
    "tool_result",
    "runtime",
    "runtime_context",
    "external",
    "external_content",
    "omission",
    "low",
    "medium",
    "high",
    "critical",
    "unknown",
    "explicit",
    "implied",
    "allow",
    "needs_human",
    "allowed",
    "not_applicable",
    "revision",
    "basis",
    "subject_digest",
    "truncated",
    "entries",
    "gate-policy-v1",
    "categories",
    "destructive",
    "network",
    "command_safety_output.v1",
    "\n…[review context truncated]…\n",
];

pub fn subjects(script: &mut Script<'_>) {
    RIGHT.with(|right| nearly_right(right, script));
}

fn nearly_right(right: &Right, script: &mut Script<'_>) {
    let (function, texts): (_, [Option<&Json>; 3]) = match script.below(6) {
        0 => ("buildReviewContext", [Some(&right.context), Some(&right.context_policy), None]),
        1 => ("createReviewSubject", [Some(&right.basis), Some(&right.request), Some(&right.context)]),
        2 => ("subjectDigest", [Some(&right.subject), None, None]),
        3 => ("createReviewPolicy", [Some(&right.policy), None, None]),
        4 => ("evaluateAssessment", [Some(&right.policy), Some(&right.subject), Some(&right.assessment)]),
        _ => ("combineAssessments", [Some(&right.policy), Some(&right.classifiers), Some(&right.outcomes)]),
    };
    let [first, second, third] = texts.map(|text| text.map(|right| edited(right, script, WORDS)));
    reviewed(function, [first.as_deref(), second.as_deref(), third.as_deref()]);
}

pub fn assessments(script: &mut Script<'_>) {
    RIGHT.with(|right| assessed(right, script));
}

fn assessed(right: &Right, script: &mut Script<'_>) {
    let text = script.raw().unwrap_or_else(|| edited(&right.assessment, script, WORDS));
    let Ok(taken) = parse_assessment(Some(&text), &right.about) else { return };
    assert_eq!(&taken.basis, right.about.basis(), "about another subject");
    assert!(taken.rate().is_ok());
    assert_eq!(parse::<Assessment>(&taken.text(), Field::Assessment).as_ref(), Ok(&taken));
    let policy = ReviewPolicy::parse(Some(&right.policy.text())).expect("a policy");
    let decision = evaluate(Some(&policy), Some(&right.about), Some(&taken));
    if decision == DecisionReason::Eligible {
        // What nobody recommended is not eligible, whatever else it says.
        assert_eq!(taken.recommendation, "allow");
        assert!(taken.risk != "critical", "{taken:?}");
    }
}
