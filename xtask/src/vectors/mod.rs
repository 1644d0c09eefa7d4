//! `cargo xtask vectors`: what the spec means, one vector a line, natively and through the packed package.
//!
//! The shape of a vector is told here and run by a side; what came is compared here too, so that both sides mean the same
//! by *passed*. A shape that is not known is a failure. A shape whose function a side does not have yet is *pending*, and
//! what only one side can say is run *elsewhere*: both are listed, and counted in the committed score.

mod analysis;
mod by_texts;
mod case;
mod compare;
mod crossing;
mod evidence;
mod native;
mod notation;
mod outcome;
mod package;
mod review;
mod score;
mod shape;
mod stage;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use lexopt::{Arg, ValueExt};

use crate::installed::Installed;
use crate::{build, pack, place};
use case::{Case, VectorFile};
use outcome::{Answer, Outcome, judge};
use score::Score;

const DEFAULT_DIR: &str = "tests/corpus/vectors";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Native,
    Package,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Package => "package",
        }
    }
}

struct Options {
    dir: PathBuf,
    only: Vec<String>,
    dialect: Option<String>,
    sides: Vec<Side>,
    accept: bool,
}

impl Options {
    fn all() -> Self {
        Self {
            dir: place::at(DEFAULT_DIR),
            only: Vec::new(),
            dialect: None,
            sides: vec![Side::Native, Side::Package],
            accept: false,
        }
    }

    fn read(arguments: &mut lexopt::Parser) -> Result<Self> {
        let mut options = Self::all();
        while let Some(argument) = arguments.next()? {
            match argument {
                Arg::Long("dir") => options.dir = PathBuf::from(arguments.value()?),
                Arg::Long("only") => {
                    let names = arguments.value()?.string()?;
                    options.only =
                        names.split(',').map(|name| name.trim_end_matches(".json").to_owned()).collect();
                }
                Arg::Long("dialect") => options.dialect = Some(arguments.value()?.string()?),
                Arg::Long("native") => options.sides = vec![Side::Native],
                Arg::Long("package") => options.sides = vec![Side::Package],
                Arg::Long("accept") => options.accept = true,
                other => return Err(other.unexpected().into()),
            }
        }
        let whole = options.only.is_empty() && options.dialect.is_none() && options.sides.len() == 2;
        ensure!(
            !options.accept || (whole && options.dir == place::at(DEFAULT_DIR)),
            "--accept wants a whole run"
        );
        Ok(options)
    }
}

pub(crate) fn verb(arguments: &mut lexopt::Parser) -> Result<()> {
    let options = Options::read(arguments)?;
    let installed = if options.sides.contains(&Side::Package) {
        Some(Installed::new(&pack::tarball(&build::package()?)?)?)
    } else {
        None
    };
    let score = run(&options, installed.as_ref())?;
    if options.accept {
        score.commit()?;
    }
    match score.sum().failing.len() {
        0 => Ok(()),
        1 => bail!("1 vector failed"),
        failing => bail!("{failing} vectors failed"),
    }
}

/// All vectors on both sides; fails where the score is not the committed one. Gives the number that passed.
pub(crate) fn compare_with_score(installed: &Installed) -> Result<usize> {
    let score = run(&Options::all(), Some(installed))?;
    let differences = score.differences(&Score::committed()?);
    for difference in &differences {
        println!("{difference}");
    }
    ensure!(
        differences.is_empty(),
        "the score differs from the committed one (cargo xtask vectors --accept)"
    );
    Ok(score.sum().passed)
}

fn run(options: &Options, installed: Option<&Installed>) -> Result<Score> {
    let mut score = Score::default();
    let mut ran = 0;
    for file in case::load(&options.dir, &options.only)? {
        let chosen = |case: &&Case| options.dialect.as_ref().is_none_or(|dialect| case.dialect == *dialect);
        let cases: Vec<&Case> = file.cases.iter().filter(chosen).collect();
        ran += cases.len();
        for side in options.sides.iter().filter(|_| !cases.is_empty()) {
            let outcomes = outcomes(*side, &cases, installed)?;
            report(&file, *side, &outcomes);
            for (case, outcome) in &outcomes {
                score.add(&file.name, &case.dialect, side.name(), &case.id, outcome);
            }
        }
    }
    ensure!(ran > 0, "no vector was chosen");
    Ok(score)
}

fn outcomes<'c>(
    side: Side,
    cases: &[&'c Case],
    installed: Option<&Installed>,
) -> Result<Vec<(&'c Case, Outcome)>> {
    let shaped: Vec<_> = cases.iter().filter_map(|case| Some((*case, shape::of(case)?))).collect();
    let mut answers: BTreeMap<String, Answer> = match (side, installed) {
        (Side::Package, Some(installed)) => package::run(installed, &shaped)?,
        _ => shaped.iter().map(|(case, shape)| (case.id.clone(), native::run(case, shape))).collect(),
    };
    let outcome = |case: &&'c Case| {
        let outcome = match (shape::of(case), answers.remove(&case.id)) {
            (None, _) => Outcome::Failed(format!("no shape is known for the input {}", case.input)),
            (Some(_), None) => Outcome::Failed("no answer came".to_owned()),
            (Some(shape), Some(answer)) => judge(case, shape, answer),
        };
        (*case, outcome)
    };
    Ok(cases.iter().map(outcome).collect())
}

fn report(file: &VectorFile, side: Side, outcomes: &[(&Case, Outcome)]) {
    let mut waiting: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let passed = outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Passed).count();
    println!("{}: {passed}/{} ({})", file.name, outcomes.len(), side.name());
    for (case, outcome) in outcomes {
        match outcome {
            Outcome::Passed => {}
            Outcome::Failed(says) => println!("  FAILED {}\n    {says}", case.id),
            Outcome::Pending(function) => {
                waiting.entry(format!("pending, no {function}")).or_default().push(&case.id)
            }
            Outcome::Elsewhere(why) => {
                waiting.entry(format!("not on this side, {why}")).or_default().push(&case.id)
            }
        }
    }
    for (why, ids) in waiting {
        println!("  {why}: {} ({})", ids.len(), ids.join(" "));
    }
}
