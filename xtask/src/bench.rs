//! `cargo xtask bench`: times through the packed package and its size, against the committed snapshot.
//!
//! Times of one machine say nothing about another, so what is compared are ratios that were measured in one run. The
//! scripts of `bench/` print a JSON object; what it holds is told by [`Snapshot`].

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::installed::{Installed, copy_tree};
use crate::size::Size;
use crate::{build, chromium, counts, flags, growth, pack, place, sh, weights};

const FILE: &str = "bench/snapshot.json";

/// Gzip bytes of module and glue that the package may cost.
const SIZE_LIMIT: usize = 300 * 1024;

/// How much of a ratio or a size may come on top of the snapshot before it counts as a regression.
const TIME_SLACK: f64 = 1.5;
const SIZE_SLACK: f64 = 1.03;

/// What was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Snapshot {
    size: Sizes,
    times: Vec<Time>,
    memory: Memory,
}

/// What `bench/all.mjs` prints.
#[derive(Deserialize)]
struct Printed {
    times: Vec<Time>,
    memory: Memory,
}

/// Bytes of the module's memory, which can only grow, once it is warm and after so many decisions more.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Memory {
    calls: u64,
    before: u64,
    after: u64,
}

/// Bytes.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Sizes {
    wasm: usize,
    wasm_gzip: usize,
    glue: usize,
    glue_gzip: usize,
}

/// One measure: medians of one run, and how often the bare call fits into it.
#[derive(Serialize, Deserialize)]
struct Time {
    /// What is done. With what it is measured against, no two rows have the same.
    name: String,
    /// What the base is: the same done by something else, a lesser call, or a promised time.
    against: String,
    /// The base is what others would use in our place: the row is one of the comparison in the README.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    peer: bool,
    nanoseconds: f64,
    bare_nanoseconds: f64,
    ratio: f64,
    /// The ratio that the project promises, where it promises one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    most: Option<f64>,
    /// Both sides were measured in this run, so that the ratio may be held to; else the base is a promised time, and the
    /// row is only shown.
    stable: bool,
}

impl Time {
    fn title(&self) -> String {
        format!("{}, to {}", self.name, self.against)
    }
}

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let accept = flags(arguments, &["accept"])?.contains(&"accept");
    chromium::install()?;
    let package = build::package()?;
    let installed = Installed::new(&pack::tarball(&package)?)?;
    copy_tree(&place::at("bench"), installed.dir())?;
    let printed = sh::quiet(installed.node("all.mjs").env("TOOLGATE_MEASURE", growth::measure()?))?;
    let Printed { times, memory } = serde_json::from_str(&printed).context("bench/all.mjs")?;
    let fresh = Snapshot { size: sizes(&package)?, times, memory };

    Size::of(&package)?.print();
    print!("{}", table(&fresh.times));
    let Memory { calls, before, after } = memory;
    println!("memory after {calls} decisions: {after} bytes, before them {before}");
    let counted = counts::count()?;
    if accept {
        let mut text = serde_json::to_string_pretty(&fresh)?;
        text.push('\n');
        fs::write(place::at(FILE), text).context(FILE)?;
        counts::write(&counted)?;
        weights::write(Size::of(&package)?)?;
    }
    counts::compare(&counted)?;
    let committed = read()?.with_context(|| format!("{FILE} is missing (cargo xtask bench --accept)"))?;
    let complaints = complaints(&fresh, &committed);
    for complaint in &complaints {
        println!("{complaint}");
    }
    ensure!(complaints.is_empty(), "slower or larger than promised");
    Ok(())
}

/// Fails where the package is larger than it may be.
pub(crate) fn check_size(package: &Path) -> Result<()> {
    let size = Size::of(package)?;
    size.print();
    let committed = read()?.map_or(usize::MAX, |snapshot| snapshot.size.gzip());
    let complaint = size_complaint(size.gzip(), committed);
    ensure!(complaint.is_none(), "{}", complaint.unwrap_or_default());
    Ok(())
}

/// A Markdown table of the snapshot's sizes, for documents.
pub(crate) fn sizes_table() -> Option<String> {
    let Sizes { wasm, wasm_gzip, glue, glue_gzip } = read().ok()??.size;
    let row = |name: &str, raw: usize, gzip: usize| {
        format!("| {name} | {:.1} KB | {:.1} KB |\n", raw as f64 / 1024.0, gzip as f64 / 1024.0)
    };
    let mut table = String::from("| file | bytes | gzip |\n|---|---:|---:|\n");
    table.push_str(&row("`toolgate.wasm`", wasm, wasm_gzip));
    table.push_str(&row("`core.js`", glue, glue_gzip));
    table.push_str(&row("together", wasm + glue, wasm_gzip + glue_gzip));
    Some(table)
}

impl Sizes {
    fn gzip(self) -> usize {
        self.wasm_gzip + self.glue_gzip
    }
}

fn sizes(package: &Path) -> Result<Sizes> {
    let Size { wasm, wasm_gzip, glue, glue_gzip } = Size::of(package)?;
    Ok(Sizes { wasm, wasm_gzip, glue, glue_gzip })
}

fn read() -> Result<Option<Snapshot>> {
    match fs::read(place::at(FILE)) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).context(FILE),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(FILE),
    }
}

/// A Markdown table of the measures against what others would use, for documents.
pub(crate) fn peers_table() -> Option<String> {
    let mut table =
        String::from("| work | toolgate | | beside it | times as fast |\n|---|---:|---|---:|---:|\n");
    for Time { name, against, nanoseconds, bare_nanoseconds, ratio, .. } in
        read().ok()??.times.iter().filter(|time| time.peer)
    {
        table.push_str(&format!(
            "| {name} | {} | {against} | {} | {:.1} |\n",
            duration(*nanoseconds),
            duration(*bare_nanoseconds),
            1.0 / ratio,
        ));
    }
    Some(table)
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        0.0..1e3 => format!("{nanoseconds:.0} ns"),
        1e3..1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{:.1} ms", nanoseconds / 1e6),
    }
}

/// The measures as a person reads them.
fn table(times: &[Time]) -> String {
    let mut table =
        format!("{:<66} {:>14} {:>14} {:>7} {:>7}\n", "measure", "nanoseconds", "base", "ratio", "at most");
    for time in times {
        let Time { nanoseconds, bare_nanoseconds, ratio, most, stable, .. } = time;
        let note = if *stable { "" } else { "  (shown, not checked)" };
        let most = most.map_or_else(String::new, |most| format!("{most:.2}"));
        let title = time.title();
        table.push_str(&format!(
            "{title:<66} {nanoseconds:>14.0} {bare_nanoseconds:>14.0} {ratio:>7.2} {most:>7}{note}\n"
        ));
    }
    table
}

fn complaints(fresh: &Snapshot, committed: &Snapshot) -> Vec<String> {
    let mut complaints: Vec<String> =
        size_complaint(fresh.size.gzip(), committed.size.gzip()).into_iter().collect();
    let Memory { before, after, .. } = fresh.memory;
    if after != before {
        complaints.push(format!("the module's memory grew from {before} to {after} bytes"));
    }
    let find = |snapshot: &Snapshot, title: &str| {
        snapshot.times.iter().find(|other| other.title() == title).map(|other| other.ratio)
    };
    for time in &fresh.times {
        let (title, ratio) = (time.title(), time.ratio);
        if let Some(most) = time.most.filter(|most| time.stable && ratio > *most) {
            complaints.push(format!("{title}: ratio {ratio:.2}, at most {most}"));
        }
        match find(committed, &title) {
            Some(was) if time.stable && ratio > was * TIME_SLACK => {
                complaints.push(format!("{title}: ratio {ratio:.2}, was {was:.2}"));
            }
            Some(_) => {}
            None => complaints.push(format!("{title}: not in the snapshot")),
        }
    }
    let titles = committed.times.iter().map(Time::title);
    let gone = titles.filter(|title| find(fresh, title).is_none());
    complaints.extend(gone.map(|title| format!("{title}: no longer measured")));
    complaints
}

fn size_complaint(gzip: usize, committed: usize) -> Option<String> {
    if gzip > SIZE_LIMIT {
        return Some(format!("{gzip} bytes after gzip, {SIZE_LIMIT} at most"));
    }
    let grown = gzip as f64 > committed as f64 * SIZE_SLACK;
    grown.then(|| format!("{gzip} bytes after gzip, were {committed} (cargo xtask bench --accept)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(gzip: usize, ratio: f64) -> Snapshot {
        let time = Time {
            name: "decide".into(),
            against: "nothing".into(),
            peer: false,
            nanoseconds: 1.0,
            bare_nanoseconds: 1.0,
            ratio,
            most: Some(8.0),
            stable: true,
        };
        Snapshot {
            size: Sizes { wasm: 0, wasm_gzip: gzip, glue: 0, glue_gzip: 0 },
            times: vec![time],
            memory: Memory { calls: 1, before: 1, after: 1 },
        }
    }

    #[test]
    fn a_regression_shows_up() {
        let committed = snapshot(50_000, 4.0);
        assert!(complaints(&snapshot(51_400, 5.0), &committed).is_empty());
        assert_eq!(complaints(&snapshot(51_600, 4.0), &committed).len(), 1);
        assert_eq!(complaints(&snapshot(50_000, 6.5), &committed).len(), 1);
        assert_eq!(complaints(&snapshot(50_000, 8.5), &snapshot(50_000, 8.0)).len(), 1);
        assert!(size_complaint(SIZE_LIMIT + 1, usize::MAX).is_some());
    }

    #[test]
    fn measures_and_snapshot_name_the_same() {
        let mut other = snapshot(50_000, 4.0);
        other.times[0].name = "explain".into();
        assert_eq!(complaints(&snapshot(50_000, 4.0), &other).len(), 2);
    }
    #[test]
    fn memory_that_grows_shows_up() {
        let mut grown = snapshot(50_000, 4.0);
        grown.memory.after = 2;
        assert_eq!(complaints(&grown, &snapshot(50_000, 4.0)).len(), 1);
    }
}
