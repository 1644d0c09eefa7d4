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
use shapes::{SHAPES, line};
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Policy};

/// 1 to 64 KiB.
const LENGTHS: &[usize] = &[1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments.as_slice() {
        ["shapes"] => Value::Array(cases().map(|(name, _, length)| json!([name, length])).collect()),
        ["instructions"] => Value::Array(measure(|work| work().into())),
        ["seconds"] => Value::Array(measure(|work| json!(quickest(9, || black_box(work()))))),
        ["read", file] => each_line(file, |line| {
            black_box(toolgate::shell::read(black_box(line)));
        }),
        ["decide", file] => {
            let policy = policy();
            each_line(file, |line| {
                black_box(measured(&policy, line));
            })
        }
        _ => panic!("instructions, seconds, shapes, read FILE or decide FILE"),
    };
    println!("{answer}");
}

fn cases() -> impl Iterator<Item = (String, String, usize)> {
    let sized = |shape| LENGTHS.iter().map(move |length| (shape, *length));
    SHAPES.iter().flat_map(sized).map(|(shape, length)| (shape.0.to_owned(), line(shape, length), length))
}

fn measure(mut with: impl FnMut(&dyn Fn() -> usize) -> Value) -> Vec<Value> {
    let policy = policy();
    // What is set up once does not belong to the first line.
    measured(&policy, "echo a");
    cases().map(|(_, line, _)| with(&|| measured(&policy, &line))).collect()
}

fn policy() -> Policy {
    let rules = r#"{"rules":{"allow":["Bash(echo )","Bash(* b)"],"deny":["Bash(rm )"],"ask":["Bash(*x*y*)"]},"projectRoot":"/repo"}"#;
    Policy::new(rules, Host::ASCII).expect("a policy")
}

/// All that is done with a line: reading, risk, rules. Its name is what callgrind looks for.
#[inline(never)]
fn measured(policy: &Policy, line: &str) -> usize {
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
