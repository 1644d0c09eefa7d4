//! Raw devices, and commands that make file systems.

use super::args::{Options, arguments, operands};
use super::line::{Line, PathWord, is_one_of, name};
use super::target::targets;
use crate::path::{Lexical, Root};
use crate::span::Span;

const ERASERS: &str = "shred wipefs blkdiscard";

/// The first write to a raw device.
pub(super) fn raw_write(line: &Line<'_, '_>) -> Option<Span> {
    let written = targets(line).into_iter().filter(|target| target.places(line).iter().any(is_raw));
    let erased = line.commands().filter(|(index, command)| {
        let operands = operands(&arguments(&command.words, Options::default()));
        name(command).is_some_and(|name| is_one_of(ERASERS, name))
            && operands
                .into_iter()
                .filter_map(|word| PathWord::of(word, 0).known())
                .any(|path| line.resolve(&path, *index).iter().any(is_raw))
    });
    // The first in reading order, of whichever kind.
    let written = written.map(|target| (target.command, target.span)).next();
    let erased = erased.map(|(index, command)| (index, command.span)).next();
    written.into_iter().chain(erased).min_by_key(|(index, _)| *index).map(|(_, span)| span)
}

fn is_raw(path: &Lexical<'_>) -> bool {
    path.root() == Root::Absolute
        && matches!(path.segments(), ["dev", name, ..] if !matches!(*name, "tcp" | "udp"))
}

/// The first command that makes a file system or a swap area.
pub(super) fn make_filesystem(line: &Line<'_, '_>) -> Option<Span> {
    let makes = |name: &str| {
        is_one_of("mkfs mke2fs mkswap newfs", name) || name.starts_with("mkfs.") || name.starts_with("newfs_")
    };
    line.commands().find(|(_, command)| name(command).is_some_and(makes)).map(|(_, command)| command.span)
}
