//! Grants that are derived from a call: sound for the call, and for little else.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use toolgate::dialect::Dialect;
use toolgate::policy::{Call, Decision, dangerous, derive_grant};
use toolgate::rule;
use toolgate::vocabulary::{Kind, PermissionMode, RiskLevel};

use super::common::{self, HOST, Question, cases, compile};
use super::{CLAUDE, DSH, QWEN, STANDARD, quick};

/// The grant of a question's call.
fn derived(dialect: &'static str, question: &Question) -> Option<String> {
    let policy = compile(&json!({ "dialect": dialect }));
    let dialect = policy.config().dialect;
    // The core looks at all arguments here, whatever the dialect.
    let arguments = question.call.get("arguments").map(|all| toolgate::json::read(&all.to_string()).unwrap());
    question.put(&policy, |call, _, _| {
        derive_grant(&Call { arguments: arguments.as_ref(), ..*call }, dialect, HOST)
    })
}

fn in_default(dialect: &'static str, question: &Question, grants: &[String]) -> Decision {
    let policy = compile(&json!({ "dialect": dialect, "home": "/home/u", "projectRoot": "/repo" }));
    let mut question = question.granted(grants).in_mode(PermissionMode::Default);
    question.state["planActive"] = false.into();
    question.state["realPath"] = serde_json::Value::Null;
    question.decide(&policy)
}

/// Simple commands that none of the calls below is, each of which would do harm or run anything.
const ELSEWHERE: &[&str] = &[
    "bash -c id",
    "python3 -c 1",
    "node -e 1",
    "npx x",
    "npm exec x",
    "env id",
    "xargs id",
    "ssh h id",
    "docker run x",
    "sudo id",
    "rm -rf x",
    "git -c core.pager=id log",
    "git push --force",
    "git reset --hard",
    "npm publish",
    "terraform destroy",
    "curl x | sh",
    "ls; rm x",
];

const PROGRAMS: &[&str] = &[
    "ls",
    "cat",
    "git",
    "git log",
    "git push",
    "npm",
    "npm run",
    "npm exec",
    "docker",
    "docker compose",
    "find",
    "python3",
    "bash",
    "make",
    "sudo",
    "timeout 5",
    "/bin/ls",
    "A=1 npm",
    "rm",
    "ssh",
    "x",
];

fn line() -> impl Strategy<Value = String> {
    let words = select(
        &[
            "-la", "src", "'a b'", "\"x\"", "*.ts", "$X", "test", "--watch", "> f", "<<E", "| wc", "&& ls",
            "$(id)", "# all", "up",
        ][..],
    );
    (select(PROGRAMS), prop::collection::vec(words, 0..4))
        .prop_map(|(program, words)| [&[program][..], &words].concat().join(" "))
}

fn question_of_line() -> impl Strategy<Value = Question> {
    (line(), prop::bool::ANY).prop_map(|(line, padded)| {
        let line = if padded { format!("  {line} ") } else { line };
        Question::line(&line)
    })
}

fn question(dialect: &'static str) -> impl Strategy<Value = Question> {
    prop_oneof![cases::question(dialect), question_of_line()]
}

proptest! {
    #![proptest_config(quick())]

    /// Not `dsh-0.5`, whose grants do nothing but lift a risk (rules.md 11), and name the first word of any line.
    #[test]
    fn a_derived_grant_covers_its_call(
        (dialect, question) in select(common::dialects().filter(|name| *name != DSH).collect::<Vec<_>>())
            .prop_flat_map(|dialect| (Just(dialect), question(dialect)))
    ) {
        let Some(grant) = derived(dialect, &question) else { return Ok(()) };
        let decision = in_default(dialect, &question, std::slice::from_ref(&grant));
        // What asks or denies whatever the rules: risk, a protected file, the file that a redirect writes.
        let elsewhere = decision.risk.level != RiskLevel::Low
            || (dialect == CLAUDE && question.call.to_string().contains('>'))
            // The arguments of a skill are no part of its name, and `~` and `..` of a path depend on where the session is.
            || (dialect == CLAUDE && grant.starts_with("Skill("));
        prop_assert!(decision.outcome.kind == Kind::Allow || elsewhere, "{dialect} {question:?} {grant} {decision:?}");
    }

    #[test]
    fn a_derived_grant_parses(
        (dialect, question) in cases::in_any(|dialect| (Just(dialect), question(dialect)))
    ) {
        let Some(grant) = derived(dialect, &question) else { return Ok(()) };
        prop_assert!(rule::parse(&grant, Dialect::find(dialect).unwrap(), HOST).is_ok(), "{grant}");
    }

    /// Not `dsh-0.5`, which grants the first word of any line (auto-stage.md 10).
    #[test]
    fn a_derived_grant_lets_nothing_else_through(
        (dialect, question) in select(vec![STANDARD, CLAUDE, QWEN])
            .prop_flat_map(|dialect| (Just(dialect), question_of_line()))
    ) {
        let Some(grant) = derived(dialect, &question) else { return Ok(()) };
        for other in ELSEWHERE {
            let decision = in_default(dialect, &Question::line(other), std::slice::from_ref(&grant));
            prop_assert!(decision.outcome.kind != Kind::Allow, "{dialect} {grant} lets {other} through");
        }
        let dialect = Dialect::find(dialect).unwrap();
        if dialect.name != STANDARD {
            prop_assert!(dangerous(&[&grant], dialect, HOST).is_empty(), "{grant}");
        }
    }
}
