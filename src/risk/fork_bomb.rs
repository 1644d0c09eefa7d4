//! Functions that multiply themselves.

use super::line::Line;
use crate::shell::Function;
use crate::span::Span;

/// The first call inside a function that calls itself twice or more, two of the calls in different places of one pipeline
/// or one of them in the background.
pub(super) fn defined(line: &Line<'_, '_>) -> Option<Span> {
    line.reading.functions().iter().find_map(|function| multiplies(line, function))
}

fn multiplies(line: &Line<'_, '_>, function: &Function<'_>) -> Option<Span> {
    let commands = line.reading.commands();
    let mut calls: Vec<usize> = Vec::new();
    for index in line.reading.commands_of(function) {
        let name = commands.get(index).and_then(|command| command.words.first()?.value());
        if name == Some(function.name.as_ref()) {
            calls.push(index);
        }
    }
    let first = commands.get(*calls.first()?)?;
    let background = calls.iter().any(|index| commands.get(*index).is_some_and(|command| command.background));
    let piped = || calls.iter().any(|from| calls.iter().any(|to| line.reading.feeds(*from, *to)));
    (calls.len() > 1 && (background || piped())).then_some(first.span)
}
