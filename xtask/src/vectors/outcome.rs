//! What a runner gives for a vector, and what is made of it.

use serde_json::Value;

use super::case::Case;
use super::compare::difference;
use super::shape::Shape;

/// What one side gave for one vector.
pub(crate) enum Answer {
    /// What came, in the shape's words.
    Came(Value),
    /// The side has no such function yet.
    Pending(String),
    /// Only the other side can say it; why.
    Elsewhere(String),
}

/// What a vector came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Pending(String),
    Elsewhere(String),
}

/// Compares what came with what was expected.
pub(crate) fn judge(case: &Case, shape: &Shape, answer: Answer) -> Outcome {
    match answer {
        Answer::Pending(function) => Outcome::Pending(function),
        Answer::Elsewhere(why) => Outcome::Elsewhere(why),
        Answer::Came(came) => {
            let expect = shape.expectation(case);
            match difference(shape.manner(case), &expect, &came) {
                None => Outcome::Passed,
                Some(first) => Outcome::Failed(format!(
                    "expected {}\n    came     {}\n    first at {first}",
                    short(&expect),
                    short(&came)
                )),
            }
        }
    }
}

fn short(value: &Value) -> String {
    const MOST: usize = 1_000;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
