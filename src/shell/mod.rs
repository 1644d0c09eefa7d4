//! Reads a shell line: which commands it would run, as far as its text tells.
//!
//! ```text
//! line -> reader (lists, pipelines) -> construct | simple -> word_reader -> expansion -> reader …
//!                                                 simple -> behind (wrapper, program) -> reader …
//! ```
//!
//! The reader follows bash, and says so where it is not certain: every doubt is a [`Problem`] with a place,
//! and a reading with a problem is incomplete. It knows nothing of rules or risk.
//!
//! Invariants: (total), (pure), (deterministic); time linear in the text; nesting bounded by
//! `limits::SHELL_DEPTH`, and with it recursion.
//!
//! ```
//! let reading = toolgate::shell::read("cd src && sudo rm -rf \"$DIR\"");
//! assert!(reading.is_complete());
//! let commands: Vec<_> = reading.commands().iter().map(|c| (c.context.as_str(), c.plain(reading.line()))).collect();
//! assert_eq!(commands, [
//!     ("top", "cd src".to_owned()),
//!     ("top", "sudo rm -rf \"$DIR\"".to_owned()),
//!     ("wrapper", "rm -rf \"$DIR\"".to_owned()),
//! ]);
//! ```

mod behind;
mod brace;
mod construct;
mod crossing;
mod expansion;
mod finish;
mod forms;
mod git;
mod hidden;
mod named;
mod problem;
mod program;
mod reader;
mod reading;
mod redirect;
mod simple;
mod source;
mod word;
mod word_reader;
mod wrapped;
mod wrapper;

pub use problem::{Problem, ProblemCode};
pub use program::{Program, program};
pub use reading::{
    Assignment, Command, Context, Function, Hang, Nest, NestId, Operator, Pipe, Reading, Redirect,
};
pub use word::{Head, Runs, Word};

use crate::limits;
use crate::span::{Span, utf16_len};
use reader::{Level, Out, Reader};
use source::Source;

/// Reads a line. Never fails: what cannot be read is a problem of the reading (`risk.md` section 2).
pub fn read(line: &str) -> Reading<'_> {
    let mut out = Out::new();
    if line.len() > limits::SHELL_LINE_UNITS && utf16_len(line) > limits::SHELL_LINE_UNITS {
        out.problem(ProblemCode::TooLong, Span::of(line));
    } else {
        out.characters(line, None);
        Reader::new(Source::line(line), &mut out, Level::TOP).read_text();
    }
    out.finish(line)
}

/// The command's name is that of a shell whose texts are read.
pub fn is_shell(name: &str) -> bool {
    behind::SHELLS.contains(&name)
}
