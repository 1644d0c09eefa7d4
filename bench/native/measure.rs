//! What is measured natively, for `cargo xtask test` and `cargo xtask bench`.
//!
//! ```text
//! measure instructions     calls `measured` once for each shape and length; callgrind counts what it costs
//! measure seconds          the same, with times: a JSON list of seconds in the same order
//! measure shapes           a JSON list of what is measured, in that order
//! measure read FILE        nanoseconds that reading a command of FILE takes: a JSON list
//! measure decide FILE      the same for deciding it, as `measured` does
//! ```
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool that measures has a clock and files, and stops where it fails"
)]

mod shapes;

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};
use shapes::{SHAPES, Shape, TEXTS, line};
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Policy};

/// 1 to 64 KiB.
const LENGTHS: &[usize] = &[1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16];

/// Texts go on as they begin: a value of a key is looked at up to a length, so that short ones say nothing of long ones.
const LONG: &[usize] = &[1 << 14, 1 << 15, 1 << 16];

/// What is done with a line.
#[derive(Clone, Copy)]
enum Work {
    /// Reading, risk, rules.
    Decide,
    /// Looking for a secret.
    Search,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments.as_slice() {
        ["shapes"] => Value::Array(cases().map(|case| json!([case.name, case.length])).collect()),
        ["instructions"] => Value::Array(measure(|work| work().into())),
        ["seconds"] => Value::Array(measure(|work| json!(quickest(9, || black_box(work()))))),
        ["read", file] => each_line(file, |line| {
            black_box(toolgate::shell::read(black_box(line)));
        }),
        ["decide", file] => {
            let policy = policy();
            each_line(file, |line| {
                black_box(measured(&policy, line, Work::Decide));
            })
        }
        _ => panic!("instructions, seconds, shapes, read FILE or decide FILE"),
    };
    println!("{answer}");
}

struct Case {
    name: &'static str,
    line: String,
    length: usize,
    work: Work,
}

fn cases() -> impl Iterator<Item = Case> {
    let of = |work, lengths: &'static [usize]| {
        move |shape: &'static Shape| {
            let case = move |length: &usize| Case {
                name: shape.0,
                line: line(shape, *length),
                length: *length,
                work,
            };
            lengths.iter().map(case)
        }
    };
    SHAPES.iter().flat_map(of(Work::Decide, LENGTHS)).chain(TEXTS.iter().flat_map(of(Work::Search, LONG)))
}

fn measure(mut with: impl FnMut(&dyn Fn() -> usize) -> Value) -> Vec<Value> {
    let policy = policy();
    // What is set up once does not belong to the first line.
    measured(&policy, "echo a", Work::Decide);
    cases().map(|case| with(&|| measured(&policy, &case.line, case.work))).collect()
}

fn policy() -> Policy {
    let rules = r#"{"rules":{"allow":["Bash(echo )","Bash(* b)"],"deny":["Bash(rm )"],"ask":["Bash(*x*y*)"]},"projectRoot":"/repo"}"#;
    Policy::new(rules, Host::ASCII).expect("a policy")
}

/// All that is done with a line. Its name is what callgrind looks for.
#[inline(never)]
fn measured(policy: &Policy, line: &str, work: Work) -> usize {
    if let Work::Search = work {
        return usize::from(toolgate::evidence::contains_secret(black_box(line)));
    }
    let call = Call { tool: "Bash", command: Some(line), ..Call::default() };
    let decision = policy.decide(black_box(&call), &CallState::default(), &[]);
    black_box(decision).outcome.kind.index()
}

fn each_line(file: &str, work: impl Fn(&str)) -> Value {
    let text = std::fs::read_to_string(file).expect("a file of commands");
    let command = |line: &str| -> String { serde_json::from_str(line).expect("a JSON text a line") };
    let lines: Vec<String> = text.lines().map(command).collect();
    let each = |line: &String| json!(quickest(5, || (0..8).for_each(|_| work(line))) * 1e9 / 8.0);
    Value::Array(lines.iter().map(each).collect())
}

fn quickest<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed().as_secs_f64()
    };
    (0..rounds).map(once).fold(f64::INFINITY, f64::min)
}
