//! Several commands in one line: nothing gets weaker by being combined (dialects.md, first rule of `standard`).

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use toolgate::policy::Policy;
use toolgate::shell;
use toolgate::vocabulary::PermissionMode;

use super::common::{Question, cases, compile, files, strictness};
use super::{STANDARD, quick, with};

/// Between two commands of one line.
const BETWEEN: &[&str] = &["; ", " && ", " || ", " | ", "\n", " & "];

/// Whether a line is read completely, and reads the same with another behind it: no blank at its edges, and nothing in
/// it that would take the next command in.
fn stands_alone(line: &str) -> bool {
    let reading = shell::read(line);
    line.trim() == line
        && reading.is_complete()
        && !line.contains(['#', '\n', '\\', '<'])
        && !reading.commands().is_empty()
}

/// How strict a line is under a policy, by what was decided. `effective` is no part of the law: `auto` lifts an ask, and
/// does not lift what no rule speaks about (rules.md 10).
fn strict(policy: &Policy, line: &str, state: &Value, grants: &[String]) -> u8 {
    let question = Question { state: state.clone(), grants: grants.to_vec(), ..Question::line(line) };
    strictness(question.decide(policy).outcome.kind)
}

/// A line of two is as strict as the stricter one, at least.
fn holds(
    policy: &Policy,
    state: &Value,
    grants: &[String],
    a: &str,
    between: &str,
    b: &str,
) -> Result<(), String> {
    let line = [a, between, b].concat();
    let alone = strict(policy, a, state, grants).max(strict(policy, b, state, grants));
    let both = strict(policy, &line, state, grants);
    if both >= alone { Ok(()) } else { Err(format!("{a:?} and {b:?} are {alone}, {line:?} is {both}")) }
}

/// Words that rules and lines are made of.
const LINES: &[&str] = &[
    "git push",
    "git status",
    "git -C . push",
    "rm x",
    "rm -rf build",
    "npm test",
    "NODE_ENV=x npm test",
    "sudo rm x",
    "sh -c 'git push'",
    "echo $(git push)",
    "echo $X",
    "cat .env",
    "echo x > /etc/x",
    "echo x > .bashrc",
    "cd src",
    "cd /etc",
    "X=1",
    "git push --force",
    "chmod -R 777 .",
    "ls",
    "(rm x)",
    "true",
    "rm -rf ./*",
    "cd ..",
    "export A=b",
];

proptest! {
    #![proptest_config(quick())]

    #[test]
    fn two_commands_are_as_strict_as_the_stricter_one(
        config in cases::config(STANDARD), question in cases::question(STANDARD), grants in cases::grants(),
        a in select(LINES), b in select(LINES), between in select(BETWEEN),
    ) {
        let policy = compile(&config);
        if let Err(why) = holds(&policy, &question.state, &grants, a, between, b) {
            prop_assert!(false, "{why}\n{config}\n{:?}", question.state);
        }
    }

    #[test]
    fn three_commands_are_as_strict_as_two(
        config in cases::config(STANDARD), question in cases::question(STANDARD),
        a in select(LINES), b in select(LINES), c in select(LINES), between in select(BETWEEN),
    ) {
        let policy = compile(&config);
        let front = [a, "; ", b].concat();
        if let Err(why) = holds(&policy, &question.state, &[], &front, between, c) {
            prop_assert!(false, "{why}\n{config}\n{:?}", question.state);
        }
    }
}

/// Real lines two by two, under the settings of the demo and under rules of every behavior.
#[test]
fn real_lines_two_by_two() {
    let mut lines = files::demo_lines();
    lines.extend(files::corpus_lines().into_iter().step_by(5));
    lines.retain(|line| line.len() < 500 && stands_alone(line));
    assert!(lines.len() > 300, "{}", lines.len());
    let rules = json!({
        "allow": ["Bash(git *)", "Bash(npm *)", "Bash(cat *)", "Bash(echo *)", "Bash(ls*)", "Bash(find *)"],
        "deny": ["Bash(rm *)", "Bash(* push*)", "Bash(sudo *)", "Bash(docker *)"],
        "ask": ["Bash(curl *)", "Bash(cd *)", "Bash(grep *)"],
    });
    let config = json!({ "rules": rules, "projectRoot": "/repo", "home": "/home/u" });
    let policies = [compile(&config), compile(&with(&config, "classifierEnabled", false))];
    let mut failures = vec![];
    // Pairs at a distance, so that sources mix.
    let mut pairs = 0;
    for (turn, (a, b)) in lines.iter().zip(lines.iter().cycle().skip(lines.len() / 2)).enumerate() {
        let mode =
            [PermissionMode::Default, PermissionMode::BypassPermissions, PermissionMode::Plan][turn % 3];
        let state = json!({ "mode": mode.as_str(), "cwd": "/repo" });
        let between = BETWEEN[turn % BETWEEN.len()];
        // `a; | b` and `a | ! b` are no lines.
        if !shell::read(&[a.as_str(), between, b].concat()).is_complete() {
            continue;
        }
        pairs += 1;
        failures.extend(holds(&policies[turn % 2], &state, &[], a, between, b).err());
    }
    println!("{pairs} of {} pairs", lines.len());
    assert!(pairs * 100 > lines.len() * 95, "{pairs} of {}", lines.len());
    assert!(failures.is_empty(), "{}: {:#?}", failures.len(), &failures[..failures.len().min(10)]);
}
