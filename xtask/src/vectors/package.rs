//! The side of the package: the installed tarball in Node, one process for all vectors.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use super::case::Case;
use super::outcome::Answer;
use super::shape::Shape;
use crate::installed::Installed;

/// What `tests/js/vectors.mjs` prints for a vector.
#[derive(Deserialize)]
struct Line {
    id: String,
    came: Option<Value>,
    pending: Option<String>,
    elsewhere: Option<String>,
}

/// Runs the vectors; the answers by id.
pub(crate) fn run(
    installed: &Installed,
    cases: &[(&Case, &'static Shape)],
) -> Result<BTreeMap<String, Answer>> {
    let mut feed = String::new();
    for (case, shape) in cases {
        let line = json!({
            "id": case.id, "dialect": case.dialect, "shape": shape.name, "function": shape.function(case),
            "keepsNull": shape.keeps_null(case), "input": case.input,
        });
        feed.push_str(&line.to_string());
        feed.push('\n');
    }
    let mut node = installed.node("vectors.mjs");
    let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start node")?;
    let mut stdin = child.stdin.take().context("node has no input")?;
    let writer = std::thread::spawn(move || stdin.write_all(feed.as_bytes()));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    ensure!(output.status.success(), "vectors.mjs ended with {}", output.status);
    let mut answers = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let line: Line =
            serde_json::from_str(line).with_context(|| format!("vectors.mjs printed {line:?}"))?;
        let answer = match (line.came, line.pending, line.elsewhere) {
            (_, Some(function), _) => Answer::Pending(function),
            (_, _, Some(why)) => Answer::Elsewhere(why),
            (came, _, _) => Answer::Came(came.unwrap_or(Value::Null)),
        };
        answers.insert(line.id, answer);
    }
    Ok(answers)
}
