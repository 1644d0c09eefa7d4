//! `cargo xtask growth`: twice the line costs about twice the work, whatever the line says.
//!
//! `bench/native/measure.rs` decides lines that were made to be slow, each at 1, 2, 4, … 64 KiB. Where valgrind is
//! installed, callgrind counts the instructions of each call: the same number on every machine, however busy it is.
//! Elsewhere times are taken, which say less, so only the long lines are compared and more is let pass.

use anyhow::{Context, Result, ensure};

use crate::{callgrind, flags, place, sh};

/// What twice the line may cost, in instructions.
const MOST: f64 = 2.2;

/// The same in seconds, and from which length on.
const MOST_SECONDS: f64 = 3.0;
const LONG: u64 = 1 << 15;

/// The function of the example whose calls are counted.
const MEASURED: &str = "measure::measured";

/// One line's cost.
#[derive(Debug, PartialEq)]
struct Cost {
    shape: String,
    length: u64,
    cost: f64,
}

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    flags(arguments, &[])?;
    check().map(drop)
}

/// Gives the number of comparisons.
pub(crate) fn check() -> Result<usize> {
    let with_valgrind = callgrind::is_there();
    if !with_valgrind {
        println!("valgrind is not installed: times instead of instructions, and long lines only");
    }
    let costs = costs(with_valgrind)?;
    let (most, from) = if with_valgrind { (MOST, 0) } else { (MOST_SECONDS, LONG) };
    let steps = steps(&costs, from);
    let worst = steps.iter().max_by(|a, b| a.1.total_cmp(&b.1)).context("nothing was compared")?;
    println!("the most that twice the line costs: {:.2} times ({}); {most} at most", worst.1, worst.0);
    let slow: Vec<String> = steps
        .iter()
        .filter(|(_, ratio)| *ratio > most)
        .map(|(name, ratio)| format!("{name}: {ratio:.2}"))
        .collect();
    ensure!(slow.is_empty(), "more than {most} times: {}", slow.join(", "));
    Ok(steps.len())
}

/// How many times the cost of half the line is; named for the shape and the longer line.
fn steps(costs: &[Cost], from: u64) -> Vec<(String, f64)> {
    let pairs = costs.windows(2).filter_map(|pair| match pair {
        [half, whole] if half.shape == whole.shape && half.length >= from => Some((half, whole)),
        _ => None,
    });
    pairs.map(|(half, whole)| (format!("{} {}", whole.shape, whole.length), whole.cost / half.cost)).collect()
}

fn costs(with_valgrind: bool) -> Result<Vec<Cost>> {
    let program = measure()?;
    let shapes: Vec<(String, u64)> = callgrind::json(sh::command(&program, ["shapes"]))?;
    let costs: Vec<f64> = if with_valgrind {
        instructions(&program, shapes.len())?
    } else {
        callgrind::json(sh::command(&program, ["seconds"]))?
    };
    ensure!(costs.len() == shapes.len(), "{} lines, {} costs", shapes.len(), costs.len());
    let cost = |((shape, length), cost)| Cost { shape, length, cost };
    Ok(shapes.into_iter().zip(costs).map(cost).collect())
}

/// Builds the example; gives the program.
pub(crate) fn measure() -> Result<std::path::PathBuf> {
    sh::run(&mut sh::cargo([
        "build",
        "--quiet",
        "--package",
        "toolgate",
        "--example",
        "measure",
        "--profile",
        "native",
    ]))?;
    Ok(place::target().join("native/examples/measure"))
}

/// The first call is the warm-up.
fn instructions(program: &std::path::Path, lines: usize) -> Result<Vec<f64>> {
    let (_, counted) = callgrind::run("growth", program, &["instructions"], MEASURED)?;
    ensure!(counted.len() == lines + 1, "{lines} lines, {} calls", counted.len());
    Ok(counted.iter().skip(1).map(|call| call.all).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(shape: &str, length: u64, cost: f64) -> Cost {
        Cost { shape: shape.to_owned(), length, cost }
    }

    #[test]
    fn compares_lines_of_one_shape() {
        let costs = [
            cost("a", 1, 10.0),
            cost("a", 2, 20.0),
            cost("a", 4, 60.0),
            cost("b", 1, 1.0),
            cost("b", 2, 1.5),
        ];
        let named = |steps: Vec<(String, f64)>| steps.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(steps(&costs, 0)[1], ("a 4".to_owned(), 3.0));
        assert_eq!(named(steps(&costs, 0)), ["a 2", "a 4", "b 2"]);
        assert_eq!(named(steps(&costs, 2)), ["a 4"]);
    }
}
