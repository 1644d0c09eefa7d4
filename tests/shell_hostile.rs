//! Lines made to be hard: none panics, wherever it is cut. What they cost is counted by `cargo xtask growth`.

#![cfg(all(unix, not(target_arch = "wasm32")))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

use std::sync::Mutex;
use toolgate::shell::read;

/// A beginning, what is repeated, and an end.
const SHAPES: &[(&str, &str, &str)] = &[
    ("echo ", "a ", ""),
    ("echo ", "'x\"' ", ""),
    ("echo ", "$((", ""),
    ("echo ", "$((1)) ", ""),
    ("echo ", "$((1) ) ", ""),
    ("", "((", ""),
    ("", "((a));", ""),
    ("", "( ", ""),
    ("echo ", "$(", ""),
    ("echo ", "\"$((\" ", ""),
    ("echo ", "`", ""),
    ("echo ", "\\`", ""),
    ("echo `", "\\\\", "`"),
    ("echo ", "`a` ", ""),
    ("echo ", "${x:-", ""),
    ("echo ", "${x:-a} ", ""),
    ("echo \"", "${x:-'", ""),
    ("echo ", "{", ""),
    ("echo ", "{a,", ""),
    ("echo ", "{a,b", "}"),
    ("echo ", "{a,b}", ""),
    ("echo ", "{a,b} ", ""),
    ("echo ", "{1..256} ", ""),
    ("echo {", "a,", "}"),
    ("echo ", "a{", ",}"),
    ("echo ", "}{", ",}"),
    ("echo ", "{a..", "b}"),
    ("cat ", "<<E ", "\n"),
    ("cat ", "<<E ", "\nE\nE\nE\n"),
    ("cat <<E\n", "$x\n", "E\n"),
    ("cat <<E\n", "\\\n", "E\n"),
    ("cat <<-E\n", "\t\t$(a)\n", "E\n"),
    ("cat <<E\n", "`a`", "\nE\n"),
    ("", "cat <<E\nx\nE\n", ""),
    ("", "a[", ""),
    ("", "a[1]=2 ", ""),
    ("declare ", "a[ ", ""),
    ("a=(", "b ", ")"),
    ("", "a=b ", ""),
    ("", ">a ", ""),
    ("", ">{a,b} ", ""),
    ("", "2>&1 ", ""),
    ("", "a;", ""),
    ("", "a\n", ""),
    ("", "\\\n", ""),
    ("", "#\n", ""),
    ("", "! ", ""),
    ("", "time ", ""),
    ("", "if ", ""),
    ("", "f() ", ""),
    ("", "function f ", ""),
    ("", "{ ", ""),
    ("", "case x in ", ""),
    ("[[ ", "a ", "]]"),
    ("[[ ", "( ", ""),
    ("", "sudo ", "a"),
    ("sudo ", "-u x ", "a"),
    ("sudo ", "A=b ", "c"),
    ("find ", "-exec a \\; ", ""),
    ("find ", "-exec ", ""),
    ("eval ", "a ", ""),
    ("", "eval ", "a"),
    ("eval '", "a;", "'"),
    ("sh -c \"", "\\\"", "\""),
    ("xargs -I{} ", "{} ", ""),
    ("env -S '", "a ", "'"),
    ("sh -c ", "$'\\x41'", ""),
    ("echo ", "é\u{200b}", ""),
    ("echo ", "$'", ""),
    ("echo ", "<(a) ", ""),
    ("echo ", "<(", ""),
    ("echo ", "$[", ""),
    ("echo ", "$x{a,b} ", ""),
    ("echo \"", "$x", "\""),
    ("bash ", "<<<a ", ""),
    ("for x in ", "a ", "; do b; done"),
];

fn line(shape: &(&str, &str, &str), units: usize) -> String {
    let (start, middle, end) = shape;
    let count = units.saturating_sub(start.len() + end.len()) / middle.encode_utf16().count();
    format!("{start}{}{end}", middle.repeat(count))
}

/// The tests of this file take turns, so that they do not disturb the measurement.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn cut_anywhere_a_line_is_still_read() {
    let _turn = TURN.lock();
    for text in include_str!("corpus/shell-tricky.txt").split("\n%%\n") {
        for (at, _) in text.char_indices() {
            let reading = read(&text[..at]);
            assert!(reading.commands().iter().all(|c| c.span.slice(reading.line()).is_some()));
            read(&text[at..]);
        }
    }
}

#[test]
fn deep_nesting_fits_a_small_stack() {
    let _turn = TURN.lock();
    let deepest = |shape: &(&str, &str, &str)| line(shape, 60_000);
    let lines: Vec<String> = SHAPES.iter().map(deepest).collect();
    let read_all = move || lines.iter().map(|line| read(line).problems().len()).sum::<usize>();
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(read_all).expect("a thread");
    assert!(thread.join().is_ok());
}
