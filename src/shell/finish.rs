//! Puts a reading in order: commands as they are to be listed, problems by place.

use super::problem::{Problem, ProblemCode};
use super::reader::Out;
use super::reading::{Hang, Reading};
use crate::order::{permute, sort};
use crate::span::Span;

impl<'t> Out<'t> {
    /// Notes the characters of a text that stop a reading; `carrier` is the place of a text that does not
    /// stand in the line.
    pub(super) fn characters(&mut self, text: &str, carrier: Option<Span>) {
        let (control, bidi) = super::hidden::controls(text);
        if let Some(at) = control {
            self.problem(ProblemCode::ControlCharacter, carrier.unwrap_or(at));
        }
        if let Some(at) = bidi {
            self.problem(ProblemCode::HiddenCharacter, carrier.unwrap_or(at));
        }
    }

    /// The reading.
    pub(super) fn finish(mut self, line: &'t str) -> Reading<'t> {
        if self.unordered {
            self.order();
        }
        if self.problems.len() > 1 {
            self.problems = sort(std::mem::take(&mut self.problems), Problem::cmp);
            self.problems.dedup();
            for code in [ProblemCode::ControlCharacter, ProblemCode::HiddenCharacter] {
                let mut seen = false;
                self.problems.retain(|problem| problem.code != code || !std::mem::replace(&mut seen, true));
            }
        }
        Reading {
            line,
            commands: self.commands,
            nests: self.nests,
            functions: self.functions,
            problems: self.problems,
        }
    }

    /// Parents before children; what is in a command's words and redirects before what it runs; else as they
    /// were found.
    fn order(&mut self) {
        let mut order: Vec<usize> = Vec::with_capacity(self.commands.len());
        let mut stack: Vec<usize> = Vec::new();
        self.stack_children(None, &mut stack);
        while let Some(index) = stack.pop() {
            order.push(index);
            self.stack_children(Some(index), &mut stack);
        }
        let mut place = vec![0usize; self.commands.len()];
        for (new, old) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(*old) {
                *place = new;
            }
        }
        let moved = |index: &mut Option<usize>| *index = index.and_then(|old| place.get(old).copied());
        for command in &mut self.commands {
            moved(&mut command.parent);
        }
        for nest in &mut self.nests {
            moved(&mut nest.owner);
        }
        permute(order, &mut |a, b| self.commands.swap(a, b));
    }

    /// Puts the children of a command, or those without a parent, on the stack: the first one on top.
    fn stack_children(&self, parent: Option<usize>, stack: &mut Vec<usize>) {
        for hang in [Hang::Behind, Hang::Inside, Hang::Free] {
            for (index, command) in self.commands.iter().enumerate().rev() {
                if command.parent == parent && command.hang == hang {
                    stack.push(index);
                }
            }
        }
    }
}
