//! Raw devices, and commands that make file systems.

use super::line::Line;
use super::mark::FORMATS;
use super::target::View;
use crate::path::{Lexical, Root};
use crate::span::Span;

/// The first write to a raw device.
pub(super) fn raw_write(line: &Line<'_, '_>) -> Option<Span> {
    line.first_target(&|target| target.lies(line, View::Whole, &is_raw))
}

fn is_raw(path: &Lexical<'_>) -> bool {
    path.root() == Root::Absolute
        && matches!(path.segments(), ["dev", name, ..] if !matches!(*name, "tcp" | "udp"))
}

/// The first command that makes a file system or a swap area.
pub(super) fn make_filesystem(line: &Line<'_, '_>) -> Option<Span> {
    line.first(FORMATS, &|_, _| true)
}
