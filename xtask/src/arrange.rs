//! The order of a module's functions: those that look alike stand near one another, where gzip's window finds them.
//!
//! Starting with the longest, the next is always the one that shares the most runs of [`RUN`] bytes with the last
//! [`WINDOW`] bytes of code, for its length; a run counts for the more the fewer functions have it. The order is given as
//! names, by which `wasm-opt` sorts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::Result;
use wasm_encoder::{NameMap, NameSection, Section};

use crate::module::Functions;

/// Bytes that count as alike together.
const RUN: usize = 6;

/// Bytes of code that are looked back at: less than gzip's 32 KiB, since other bytes are near, too.
const WINDOW: usize = 28_000;

/// A run that stands in more functions than this tells nothing of any.
const COMMON: usize = 2_000;

/// The module with a name for each of its own functions; sorted by them they stand as said above.
pub(crate) fn named(module: &[u8]) -> Result<Vec<u8>> {
    let found = Functions::of(module)?;
    let bodies: Vec<&[u8]> = found.bodies.iter().map(|body| body.as_bytes()).collect();
    let mut place = vec![0; bodies.len()];
    order(&bodies).into_iter().enumerate().for_each(|(at, function)| place[function] = at);
    let mut functions = NameMap::new();
    for (index, place) in (found.imported..).zip(place) {
        functions.append(index, &format!("{place:06}"));
    }
    let mut names = NameSection::new();
    names.functions(&functions);
    let mut named = module.to_vec();
    names.append_to(&mut named);
    Ok(named)
}

/// The indexes of `bodies` in their new order.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let (runs, holders) = runs(bodies);
    // What each run counts for, how often it stands in the window, and what each body shares with that.
    let weights: Vec<u64> = holders.iter().map(|holders| weight(holders.len())).collect();
    let mut seen = vec![0u32; holders.len()];
    let mut shared = vec![0u64; bodies.len()];
    let mut window = VecDeque::new();
    let mut bytes = 0;
    let mut left: BTreeSet<usize> = (0..bodies.len()).collect();
    let mut order = vec![];
    let mut next = (0..bodies.len()).max_by_key(|at| bodies[*at].len());
    while let Some(body) = next {
        left.remove(&body);
        order.push(body);
        window.push_back(body);
        bytes += bodies[body].len();
        for run in &runs[body] {
            seen[*run] += 1;
            if seen[*run] == 1 {
                holders[*run].iter().for_each(|holder| shared[*holder] += weights[*run]);
            }
        }
        while bytes > WINDOW
            && let Some(gone) = window.pop_front()
        {
            bytes -= bodies[gone].len();
            for run in &runs[gone] {
                seen[*run] -= 1;
                if seen[*run] == 0 {
                    holders[*run].iter().for_each(|holder| shared[*holder] -= weights[*run]);
                }
            }
        }
        let likeness = |at: &usize| shared[*at] as f64 / (bodies[*at].len() as f64 + 20.0).powf(0.7);
        next = left.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.cmp(a)));
    }
    order
}

/// What a run counts for that so many functions have.
fn weight(holders: usize) -> u64 {
    (1_000_000.0 * (holders as f64).powf(-0.8)) as u64
}

/// The runs of each body by their number, and for each number the bodies that have it.
fn runs(bodies: &[&[u8]]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut all: BTreeMap<&[u8], BTreeSet<usize>> = BTreeMap::new();
    for (index, body) in bodies.iter().enumerate() {
        for run in body.windows(RUN) {
            all.entry(run).or_default().insert(index);
        }
    }
    let telling = all.into_values().filter(|bodies| (2..=COMMON).contains(&bodies.len()));
    let holders: Vec<Vec<usize>> = telling.map(|bodies| bodies.into_iter().collect()).collect();
    let mut runs = vec![vec![]; bodies.len()];
    for (run, bodies) in holders.iter().enumerate() {
        bodies.iter().for_each(|body| runs[*body].push(run));
    }
    (runs, holders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_stands_together() {
        let bodies = ["abcdefghijklmnop", "0123456789", "abcdefghijklmnoq", "0123456780"];
        let bodies: Vec<&[u8]> = bodies.iter().map(|body| body.as_bytes()).collect();
        let order = order(&bodies);
        assert_eq!(order.len(), bodies.len());
        assert!(matches!(order[..], [0, 2, ..] | [2, 0, ..]), "{order:?}");
    }
}
