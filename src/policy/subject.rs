//! What a call is matched by: the subject, its kind, and the forms in which rules are tried on it
//! (rules.md sections 7 and 8).

use std::borrow::Cow;

use super::call::{Call, CallState};
use super::kind::{SubjectKind, kind_of_rule};
use crate::dialect::{Dialect, Subjects};
use crate::host::Host;
use crate::text;

/// A subject, read.
#[derive(Clone, Debug)]
pub(super) struct Subject<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) kind: SubjectKind,
    /// Whether nothing in it is left in doubt; in what is not complete an allow rule accepts nothing.
    pub(super) complete: bool,
    /// Further texts that deny and ask rules are tried on, beside the text itself.
    pub(super) seen: Vec<Cow<'a, str>>,
}

/// Reads the subject of a call.
pub(super) fn read<'a>(
    call: &Call<'a>,
    state: &CallState<'_>,
    dialect: &Dialect,
    bash_tool: &str,
    host: Host,
) -> Option<Subject<'a>> {
    let kind = kind_of_rule(call.tool, dialect, bash_tool);
    let (text, kind): (Cow<'a, str>, SubjectKind) = match (dialect.subjects, call.subject) {
        (Subjects::Raw, Some(subject)) => (subject.into(), SubjectKind::Text),
        (Subjects::Read, Some(subject)) if kind == SubjectKind::Host => {
            (host.of_subject(subject)?.into(), kind)
        }
        (Subjects::Read, Some(subject)) => (subject.into(), kind),
        (Subjects::Raw, None) => (raw_argument(call, kind, host)?, SubjectKind::Text),
        (Subjects::Read, None) => argument(call, kind, host)?,
    };
    let mut subject = Subject { text, kind, complete: true, seen: vec![] };
    match kind {
        SubjectKind::Command => subject.complete = read_plain_command(&subject.text),
        SubjectKind::Path => subject.complete = is_normal_path(&subject.text) && state.real_path.is_none(),
        SubjectKind::Host | SubjectKind::Text => {}
    }
    if !subject.complete {
        let trimmed = text::trim(&subject.text).to_string();
        subject.seen.push(trimmed.into());
        subject.seen.extend(state.real_path.map(|path| Cow::Owned(path.into())));
    }
    Some(subject)
}

fn argument<'a>(call: &Call<'a>, kind: SubjectKind, host: Host) -> Option<(Cow<'a, str>, SubjectKind)> {
    match kind {
        SubjectKind::Command => Some((call.command?.into(), kind)),
        SubjectKind::Host => Some((host.of_url(call.url?)?.into(), kind)),
        SubjectKind::Path | SubjectKind::Text => {
            let path = call.file_path.or(call.notebook_path).or(call.path)?;
            Some((path.into(), SubjectKind::Path))
        }
    }
}

/// As the 0.5 engine takes it: the command of a shell tool, else the file of any tool, else the host of a fetch.
fn raw_argument<'a>(call: &Call<'a>, kind: SubjectKind, host: Host) -> Option<Cow<'a, str>> {
    let command = call.command.filter(|_| kind == SubjectKind::Command);
    if let Some(text) = command.or(call.file_path) {
        return Some(text.into());
    }
    let url = call.url.filter(|_| kind == SubjectKind::Host)?;
    Some(host.of_url(url)?.into())
}

/// Whether a line is one command of plain words: nothing quoted, expanded, redirected, joined or grouped, no assignment
/// in front, no blank at its ends, and no word of the shell's own or wrapper as its name.
fn read_plain_command(line: &str) -> bool {
    const PLAIN: &[u8] = b"-_./:=@%+,";
    const NOT_A_NAME: &[&str] = &[
        "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select",
        "function", "coproc", "time", "in", "eval", "exec", "source", ".", "command", "builtin", "trap",
    ];
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    line.split(' ')
        .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || PLAIN.contains(&b)))
        && !name.contains(['='])
        && !NOT_A_NAME.contains(&name)
}

/// Whether a path is written in its normal form and stays below the working directory, or is absolute.
fn is_normal_path(path: &str) -> bool {
    let rest = path.strip_prefix('/').unwrap_or(path);
    !rest.contains(['\\'])
        && !rest.starts_with('~')
        && rest.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_commands() {
        for line in ["ls", "npm run test", "git log --format=%h", "cp a/b.txt ./c"] {
            assert!(read_plain_command(line), "{line:?}");
        }
        for line in [
            "",
            " ls",
            "ls ",
            "a && b",
            "a;b",
            "$X",
            "a 'b'",
            "A=1 ls",
            "a  b",
            "a\nb",
            "ls *",
            "a > b",
            "ls\u{A0}x",
            "exec ls",
            "~/x",
        ] {
            assert!(!read_plain_command(line), "{line:?}");
        }
    }

    #[test]
    fn normal_paths() {
        for path in ["a", "src/a.ts", "/etc/passwd", "..a/b"] {
            assert!(is_normal_path(path), "{path:?}");
        }
        for path in ["", "/", "./a", "a//b", "a/../b", "../a", "~/a", "a\\b", "C:\\a"] {
            assert!(!is_normal_path(path), "{path:?}");
        }
    }
}
