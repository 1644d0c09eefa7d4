//! What is suggested covers its call, and opens no door: in the neighbourhood of two thousand real commands nothing that is
//! on the ban list becomes allowed by it (rules.md section 16).
//!
//! The commands are the repository's own, or those of the folder that `TOOLGATE_CORPUS` names. The ban list stands here
//! once more, as the document has it, so that a list that was thinned in the sources is found.
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

use common::{HOST, Question, compile, dialects, files};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use toolgate::dialect::Dialect;
use toolgate::policy::{Policy, Suggestion, dangerous};
use toolgate::rule;
use toolgate::shell;
use toolgate::vocabulary::Kind;

const COMMANDS: usize = 2_000;

/// Simple commands that no rule for something else may accept.
const PROBES: &[&str] = &[
    "bash -c id",
    "sh -c id",
    "zsh -c id",
    "python -c 1",
    "python3 -c 1",
    "node -e 1",
    "perl -e 1",
    "ruby -e 1",
    "php -r 1",
    "deno eval 1",
    "bun -e 1",
    "osascript -e 1",
    "pwsh -c 1",
    "npx x",
    "npm exec x",
    "pnpm dlx x",
    "yarn dlx x",
    "bunx x",
    "uvx x",
    "uv run x",
    "pipx run x",
    "env id",
    "xargs id",
    "nohup id",
    "timeout 1 id",
    "nice id",
    "watch id",
    "find . -exec id {} +",
    "eval id",
    "exec id",
    "command id",
    "ssh h id",
    "docker run x",
    "docker exec x id",
    "kubectl exec p -- id",
    "git -c core.pager=id log",
    "tar --to-command=id -xf x",
    "rsync -e id x y",
    "awk 'BEGIN{system(\"id\")}'",
    "sudo id",
    "rm -rf x",
    "dd of=x",
    "chmod -R 777 x",
    "git push --force",
    "git reset --hard",
    "git clean -fd",
    "npm publish",
    "gh repo delete x",
    "docker system prune -f",
    "kubectl delete x",
    "helm uninstall x",
    "terraform destroy",
];

/// Programs for which nothing is suggested, each with something behind it.
const REFUSED: &[&str] = &[
    "rm x",
    "dd if=x",
    "shred x",
    "truncate -s 0 x",
    "chmod +x x",
    "chown a x",
    "chgrp a x",
    "kill 1",
    "pkill x",
    "killall x",
    "crontab x",
    "eval x",
    "exec x",
    "source x",
    ". x",
    "find . -name x",
    "ssh h",
];

fn banned() -> impl Iterator<Item = &'static str> {
    PROBES.iter().chain(REFUSED).copied()
}

/// What a dialect sees of a line, as far as it decides what stands behind a command.
#[derive(Clone, Copy, PartialEq)]
enum Sees {
    /// Everything that `standard` sees.
    Everything,
    /// Commands behind an operator, not those in substitutions (qwen-code.md section 13).
    Operators,
    /// Nothing: a rule accepts whatever follows its text (rules.md section 8.3).
    Nothing,
}

fn sight(dialect: &str) -> Sees {
    match dialect {
        "dsh-0.5" => Sees::Nothing,
        "qwen-code-0.24" => Sees::Operators,
        _ => Sees::Everything,
    }
}

/// How a banned command is brought in behind a text, and what has to be seen of it.
const WAYS: &[(&str, Sees)] = &[
    ("{}; {b}", Sees::Operators),
    ("{} && {b}", Sees::Operators),
    ("{} || {b}", Sees::Operators),
    ("{} | {b}", Sees::Operators),
    ("{} & {b}", Sees::Operators),
    ("{}\n{b}", Sees::Operators),
    ("{} > f; {b}", Sees::Operators),
    ("{} x --y=z && {b}", Sees::Operators),
    ("{b} && {}", Sees::Operators),
    ("{} $({b})", Sees::Everything),
    ("{} \"$({b})\"", Sees::Everything),
    ("{} `{b}`", Sees::Everything),
    ("{} <({b})", Sees::Everything),
    ("{} > $({b})", Sees::Everything),
    ("A=$({b}) {}", Sees::Everything),
    ("({}; {b})", Sees::Everything),
    ("for x in 1; do {}; {b}; done", Sees::Everything),
    ("f() { {b}; }; {}; f", Sees::Everything),
    ("{} <<E\n$({b})\nE", Sees::Everything),
    ("sudo {}", Sees::Everything),
    ("env {}", Sees::Everything),
];

/// The lines round a text that a rule was made for.
fn neighbourhood(text: &str, turn: usize, sees: Sees) -> Vec<String> {
    let trimmed = text.trim_end();
    let mut lines: Vec<String> = banned().map(Into::into).collect();
    for tail in ["x", " x", " --help", " -f /x", " --exec id", " > f"] {
        lines.push([text, tail].concat());
    }
    let words: Vec<&str> = trimmed.split(' ').collect();
    // The same program with the subcommand of a banned one, and shorter.
    lines.extend((1..words.len()).map(|n| words[..n].join(" ")));
    let name = words[0];
    let own = banned()
        .enumerate()
        .filter(|(n, banned)| banned.split(' ').next() == Some(name) || n % 9 == turn % 9);
    lines.extend(own.filter_map(|(_, banned)| Some([name, " ", banned.split_once(' ')?.1].concat())));
    for (n, (way, needs)) in WAYS.iter().enumerate() {
        let seen = sees == Sees::Everything || (sees == Sees::Operators && *needs == Sees::Operators);
        let banned = banned().nth((turn * 7 + n) % (PROBES.len() + REFUSED.len())).unwrap();
        if seen {
            lines.push(way.replace("{}", trimmed).replace("{b}", banned));
        }
    }
    lines
}

/// The banned commands of a line.
fn banned_in(line: &str) -> Vec<String> {
    let reading = shell::read(line);
    let is_banned = |command: &&shell::Command<'_>| {
        let Some(name) = command.name() else { return false };
        let second = command.words.get(1).and_then(|word| word.value());
        let is_probe = PROBES.iter().any(|probe| {
            let mut words = probe.split(' ');
            words.next() == Some(name) && words.next() == second
        });
        is_probe || REFUSED.iter().any(|refused| refused.split(' ').next() == Some(name))
    };
    reading.commands().iter().filter(is_banned).map(|command| command.written(line).to_owned()).collect()
}

fn commands() -> Vec<String> {
    let folder = std::env::var_os("TOOLGATE_CORPUS").map_or(files::own("commands"), Into::into);
    let text = files::text(&folder.join("commands.jsonl"));
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(all.len() >= COMMANDS);
    // Evenly over the whole of it.
    (0..COMMANDS).map(|n| all[n * all.len() / COMMANDS]["command"].as_str().unwrap().to_owned()).collect()
}

fn policy(dialect: &str, allow: &[&str]) -> Policy {
    let rules = json!({ "allow": allow });
    compile(&json!({ "dialect": dialect, "projectRoot": "/repo", "home": "/home/u", "rules": rules }))
}

fn suggest(policy: &Policy, command: &str) -> Vec<Suggestion> {
    Question::line(command).put(policy, |call, state, grants| policy.suggest(call, state, grants))
}

fn is_allowed(policy: &Policy, line: &str) -> bool {
    Question::line(line).decide(policy).outcome.kind == Kind::Allow
}

/// The text that a rule begins with, or is.
fn content(rule: &str, dialect: &'static Dialect) -> Option<String> {
    rule::parse(rule, dialect, HOST).unwrap().content
}

#[test]
fn suggestions_cover_their_calls_and_nothing_that_is_banned() {
    let commands = commands();
    for dialect in dialects() {
        let constant = Dialect::find(dialect).unwrap();
        let bare = policy(dialect, &[]);
        let mut free: BTreeMap<String, bool> = BTreeMap::new();
        let (mut calls, mut rules, mut tried) = (0, 0, 0);
        for (turn, command) in commands.iter().enumerate() {
            let suggestions = suggest(&bare, command);
            if suggestions.is_empty() {
                continue;
            }
            calls += 1;
            let texts: Vec<&str> = suggestions.iter().map(|one| one.rule.as_str()).collect();
            assert_eq!(dangerous(&texts, constant, HOST), Vec::<&str>::new(), "{dialect} {command:?}");
            let cut = suggestions[0].rest.contains("more of them");
            assert!(cut || is_allowed(&policy(dialect, &texts), command), "{dialect} {command:?} {texts:?}");
            for suggestion in &suggestions {
                rules += 1;
                let with = policy(dialect, &[&suggestion.rule]);
                let title = format!("{dialect} {command:?} {}", suggestion.rule);
                Question::line(command).explain(&with, |explanation| {
                    assert!(explanation.rules.iter().any(|rule| rule.matched), "{title}: does not accept it");
                });
                if suggestion.rest.is_empty() {
                    assert!(is_allowed(&with, command), "{title}: does not cover it");
                }
                for subject in &suggestion.also_covers {
                    let accepts = rule::parse(&suggestion.rule, constant, HOST).unwrap();
                    assert!(accepts.content_accepts(subject, constant), "{title}: {subject:?}");
                }
                if !suggestion.rule.starts_with("Bash(") {
                    continue;
                }
                let text = content(&suggestion.rule, constant).unwrap();
                for line in neighbourhood(&text, turn, sight(dialect)) {
                    tried += 1;
                    if !is_allowed(&with, &line) {
                        continue;
                    }
                    // What needs no rule, alone or in this line, does not become allowed by one.
                    let mut free =
                        |text: &str| *free.entry(text.to_owned()).or_insert_with(|| is_allowed(&bare, text));
                    let opened = banned_in(&line).into_iter().find(|banned| !free(banned));
                    if let Some(banned) = opened {
                        assert!(free(&line), "{title}: {line:?} becomes allowed with {banned:?}");
                    }
                }
            }
        }
        println!("{dialect}: {calls} of {} calls have {rules} rules, {tried} neighbours", commands.len());
        assert!(calls * 10 >= commands.len(), "{dialect}: {calls} calls only");
    }
}

#[test]
fn what_is_banned_has_no_suggestion() {
    for dialect in dialects() {
        let policy = policy(dialect, &[]);
        for line in banned() {
            assert_eq!(suggest(&policy, line), [], "{dialect} {line}");
            assert_eq!(suggest(&policy, &["ls && ", line].concat()), [], "{dialect} {line}");
        }
    }
}
