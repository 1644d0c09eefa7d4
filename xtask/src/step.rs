//! Steps with a name and a time, and the count of what ran.

use std::time::Instant;

use anyhow::{Context, Result};

/// Runs steps one after another; the first failure ends it and carries the step's name.
pub(crate) struct Steps {
    begun: Instant,
    passed: usize,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), passed: 0 }
    }

    /// A step that counts as nothing: it makes what later steps need.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        self.count(name, || step().map(|()| 0))
    }

    /// A step that gives the number of tests or checks that it ran and that passed.
    pub(crate) fn count(&mut self, name: &str, step: impl FnOnce() -> Result<usize>) -> Result<()> {
        let begun = Instant::now();
        let passed = step().with_context(|| format!("step `{name}` failed"))?;
        self.passed += passed;
        let seconds = begun.elapsed().as_secs_f64();
        if passed == 0 {
            println!("── {name}: {seconds:.1} s");
        } else {
            println!("── {name}: {passed} passed, {seconds:.1} s");
        }
        Ok(())
    }

    pub(crate) fn passed(&self) -> usize {
        self.passed
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}
