//! Puts a reading in order: commands as they are to be listed, problems by place.

use super::problem::ProblemCode;
use super::reader::Out;
use super::reading::{Command, Hang, Reading};
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
            self.problems.sort_unstable();
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
        let count = self.commands.len();
        let mut order: Vec<usize> = Vec::with_capacity(count);
        let mut stack: Vec<usize> = self.children(None).rev().collect();
        while let Some(index) = stack.pop() {
            order.push(index);
            stack.extend(self.children(Some(index)).rev());
        }
        let mut place = vec![0usize; count];
        for (new, old) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(*old) {
                *place = new;
            }
        }
        let moved = |index: &mut Option<usize>| *index = index.and_then(|old| place.get(old).copied());
        let mut commands: Vec<(usize, Command<'t>)> = Vec::with_capacity(count);
        for (old, mut command) in std::mem::take(&mut self.commands).into_iter().enumerate() {
            moved(&mut command.parent);
            commands.push((place.get(old).copied().unwrap_or(old), command));
        }
        commands.sort_by_key(|(new, _)| *new);
        self.commands = commands.into_iter().map(|(_, command)| command).collect();
        self.nests.iter_mut().for_each(|nest| moved(&mut nest.owner));
    }

    fn children(&self, parent: Option<usize>) -> std::vec::IntoIter<usize> {
        let of = |hang: Hang| {
            let wanted =
                move |(_, command): &(usize, &Command<'t>)| command.parent == parent && command.hang == hang;
            self.commands.iter().enumerate().filter(wanted).map(|(index, _)| index)
        };
        of(Hang::Free).chain(of(Hang::Inside)).chain(of(Hang::Behind)).collect::<Vec<_>>().into_iter()
    }
}
