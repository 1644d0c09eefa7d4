//! What `cargo xtask counts` counts: each measure is a number of calls into the core, over the commands of a file.
//!
//! ```text
//! toolgate-counts FILE     FILE holds a JSON object with a `command` in each line
//! ```
//!
//! Prints a JSON list of `{name, calls, allocations, bytes}`. Each measure runs once for warmth, and once within
//! [`measured`]: callgrind looks for that name, and what it counts there belongs to the measure of the same place in the
//! list.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a tool that measures reads a file, and stops where it fails"
)]

use std::collections::BTreeSet;
use std::hint::black_box;

use allocation_counter::AllocationInfo;
use serde_json::{Value, json};
use toolgate::auto_stage::{Payload, render};
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Policy};
use toolgate::risk::{STANDARD, assess_command};
use toolgate::wire::lint;

/// Every so many commands of the file are taken: enough for a mean, few enough to be counted in seconds.
const STEP: usize = 8;

/// Sizes of the policies, and lengths of the lines in KiB.
const RULES: &[usize] = &[20, 200, 1_000, 10_000];
const LENGTHS: &[usize] = &[1, 4, 16, 64];

/// So many rules are linted: each pair of them is compared.
const LINTED: usize = 60;

fn main() {
    let file = std::env::args().nth(1).expect("a file of commands");
    let text = std::fs::read_to_string(file).expect("a file of commands");
    let all: Vec<String> = text.lines().map(command).collect();
    let made = Made::of(&all);
    let some: Vec<&str> = all.iter().step_by(STEP).map(String::as_str).collect();
    let mut measures = Measures(vec![]);

    for count in RULES {
        let policy = made.policy(*count);
        measures.each(&format!("decide, {} rules", grouped(*count)), &some, |line| decide(&policy, line));
    }
    let policy = made.policy(200);
    for length in LENGTHS {
        let line = line_of(length * 1_024);
        measures.each(&format!("decide, 200 rules, a line of {length} KiB"), &[&line], |line| {
            decide(&policy, line)
        });
    }
    measures.each("explain, 200 rules", &some, |line| {
        let call = Call { tool: "Bash", command: Some(line), ..Call::default() };
        policy.explain(&call, &CallState::default(), &[], |explanation| {
            black_box(explanation);
        });
    });
    for count in RULES {
        let config = made.config(*count);
        measures.each(&format!("compile {} rules", grouped(*count)), &[&config], |config| {
            black_box(compiled(config));
        });
    }
    let small = made.policy(LINTED);
    measures.each(&format!("lint {LINTED} rules"), &[""], |_| {
        black_box(lint(&small));
    });
    measures.each("read a line", &some, |line| {
        black_box(toolgate::shell::read(line));
    });
    measures.each("assess a line", &some, |line| {
        black_box(assess_command(&STANDARD, line, &[])).expect("no pattern is broken");
    });
    let long = Payload::Command("x".repeat(4_096));
    measures.each("digest of what a model is shown, 4 KiB", &[""], |_| {
        black_box(render("Bash", &long));
    });
    println!("{}", Value::Array(measures.0));
}

/// The rows so far.
struct Measures(Vec<Value>);

impl Measures {
    fn each(&mut self, name: &str, items: &[&str], work: impl Fn(&str)) {
        let all = || items.iter().for_each(|item| work(black_box(item)));
        all();
        let AllocationInfo { count_total, bytes_total, .. } = allocation_counter::measure(|| measured(&all));
        self.0.push(json!({
            "name": name, "calls": items.len(), "allocations": count_total, "bytes": bytes_total,
        }));
    }
}

/// All that is counted of a measure. Its name is what callgrind looks for.
#[inline(never)]
fn measured(work: &dyn Fn()) {
    work();
    // A call in the last place would be a jump, and the end of this function would not be seen.
    black_box(());
}

fn decide(policy: &Policy, line: &str) {
    let call = Call { tool: "Bash", command: Some(line), ..Call::default() };
    black_box(policy.decide(&call, &CallState::default(), &[]));
}

fn command(line: &str) -> String {
    let value: Value = serde_json::from_str(line).expect("a JSON text a line");
    value["command"].as_str().expect("a command").to_owned()
}

/// `length` bytes of one command and its words.
fn line_of(length: usize) -> String {
    let mut line = String::from("echo");
    line.extend(std::iter::repeat_n(" a", (length - line.len()) / 2));
    line
}

/// Rules made of what commands begin with.
struct Made {
    prefixes: Vec<String>,
}

impl Made {
    fn of(commands: &[String]) -> Self {
        let mut seen = BTreeSet::new();
        let mut prefixes = vec![];
        for command in commands {
            let mut words = command.split_ascii_whitespace().take_while(|word| is_plain(word));
            let (Some(first), second) = (words.next(), words.next()) else { continue };
            let both = second.map(|second| format!("{first} {second}"));
            for prefix in [Some(format!("{first} ")), both].into_iter().flatten() {
                if seen.insert(prefix.clone()) {
                    prefixes.push(prefix);
                }
            }
        }
        Self { prefixes }
    }

    /// A configuration of `count` rules: most allow, every seventh denies, every eleventh asks. Where the commands give no
    /// more of them, they begin anew with another word at their end.
    fn config(&self, count: usize) -> String {
        let mut lists = [("allow", vec![]), ("deny", vec![]), ("ask", vec![])];
        for at in 0..count {
            let prefix = &self.prefixes[at % self.prefixes.len()];
            let rule = match at / self.prefixes.len() {
                0 => format!("Bash({prefix})"),
                round => format!("Bash({} x{round})", prefix.trim_end()),
            };
            let list = if at % 7 == 6 { 1 } else { 2 * usize::from(at % 11 == 10) };
            lists[list].1.push(rule);
        }
        let [allow, deny, ask] = lists.map(|(_, rules)| rules);
        json!({"rules": {"allow": allow, "deny": deny, "ask": ask}}).to_string()
    }

    fn policy(&self, count: usize) -> Policy {
        compiled(&self.config(count))
    }
}

fn compiled(config: &str) -> Policy {
    Policy::new(config, Host::ASCII).expect("a policy")
}

/// A word that a rule can hold as it is.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
}

/// With a comma before each three digits.
fn grouped(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}
