//! What a call is matched by: its subject, the units of it that are decided alone, and the forms in which rules are
//! tried on a unit (rules.md sections 7 and 8).
//!
//! | kind | units | deny and ask see | allow accepts |
//! |---|---|---|---|
//! | command | each command of the line, then the line | forms (a) to (d); the line, the line trimmed | form (a) of full commands, nothing unknown under a literal |
//! | path | the path | the raw text and all forms, of either path | all forms but the raw and a climbing one, of both paths |
//! | host, text, raw | the text | the text | the text |

use crate::order::Grow as _;
use std::borrow::Cow;

use super::call::{Call, CallState};
use super::kind::SubjectKind;
use crate::dialect::{Dialect, Subjects};
use crate::host::Host;
use crate::path::{Forms, Places};
use crate::rule::ParsedRule;
use crate::shell::{self, Command, Reading};
use crate::span::Span;
use crate::text;

/// The text that a call is matched by, and its kind.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// What kind of text it is.
    pub kind: SubjectKind,
}

/// Finds the subject of a call of a tool whose calls have subjects of `kind`.
pub fn find<'a>(call: &Call<'a>, kind: SubjectKind, dialect: &Dialect, host: Host) -> Option<Subject<'a>> {
    let (text, kind) = match (dialect.subjects, call.subject) {
        (Subjects::Raw, Some(subject)) => (subject.into(), SubjectKind::Text),
        (Subjects::Read, Some(subject)) if kind == SubjectKind::Host => {
            (host.of_subject(subject)?.into(), kind)
        }
        (Subjects::Read, Some(subject)) => (subject.into(), kind),
        (Subjects::Raw, None) => (raw_argument(call, kind, host)?, SubjectKind::Text),
        (Subjects::Read, None) => argument(call, kind, host)?,
    };
    Some(Subject { text, kind })
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

/// Stands in a command's text for a token that is known only at run time: no rule's literal meets it, a star does. A
/// noncharacter, which a rule may not count on.
const UNKNOWN: &str = "\u{FDD0}";

/// A part of the subject that is decided alone.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    /// The part of the subject.
    pub span: Span,
    /// What deny and ask rules are tried on.
    pub seen: Seen<'a>,
    /// What allow rules are tried on.
    pub allowed: Allowed<'a>,
    /// What an allow rule that accepts does.
    pub role: Role,
    /// The command that the unit is.
    pub command: Option<&'a Command<'a>>,
    /// The unit before it is tried on the same text by every rule: whatever settles this one has settled that one.
    pub repeats: bool,
}

/// The texts that deny and ask rules are tried on, each once.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// The text as written.
    pub written: Cow<'a, str>,
    others: Vec<Cow<'a, str>>,
}

impl<'a> Seen<'a> {
    /// A text that is seen in one way only.
    pub fn of(written: &'a str) -> Self {
        Self { written: Cow::Borrowed(written), others: vec![] }
    }

    /// Every text.
    pub fn iter(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        core::iter::once(&self.written).chain(&self.others)
    }

    fn add(&mut self, form: Cow<'a, str>) {
        if self.written != form && !self.others.contains(&form) {
            self.others.push(form);
        }
    }

    /// Adds a form where there is one.
    fn add_where(&mut self, form: Option<String>) {
        if let Some(form) = form {
            self.add(form.into());
        }
    }
}

/// What an allow rule that accepts a unit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It allows the unit.
    Decides,
    /// It ends the search, and the unit says nothing: only deny and ask rules see into it.
    SeenInto,
}

/// What allow rules are tried on.
#[derive(Clone, Debug)]
pub enum Allowed<'a> {
    /// Nothing at all.
    Nothing,
    /// Any of the texts that deny and ask rules see.
    AsSeen,
    /// One text; an unknown token in it is masked.
    Text(Cow<'a, str>),
    /// Each of the paths, in one of its forms.
    Paths(Vec<PathForms>),
}

/// The forms of one path that an allow rule is tried on.
#[derive(Clone, Debug)]
pub struct PathForms {
    /// The forms.
    pub forms: Vec<String>,
    /// It leaves the working directory: only a rule that is absolute or home-anchored itself may accept it.
    pub climbs_out: bool,
}

impl Unit<'_> {
    /// Whether a deny or ask rule accepts it.
    pub fn is_seen_by(&self, rule: &ParsedRule) -> bool {
        rule.accepts(&self.seen.written) || self.seen.others.iter().any(|form| rule.accepts(form))
    }

    /// Whether an allow rule accepts it.
    pub fn is_allowed_by(&self, rule: &ParsedRule) -> bool {
        match &self.allowed {
            Allowed::Nothing => false,
            Allowed::AsSeen => self.is_seen_by(rule),
            Allowed::Text(text) => rule.accepts(text) && !counts_on_unknown(rule),
            Allowed::Paths(paths) => paths.iter().all(|path| {
                let may_climb = || rule.content.as_deref().is_some_and(is_anchored);
                (!path.climbs_out || may_climb()) && path.forms.iter().any(|form| rule.accepts(form))
            }),
        }
    }
}

fn counts_on_unknown(rule: &ParsedRule) -> bool {
    rule.content.as_deref().is_some_and(|content| text::contains(content, UNKNOWN))
}

/// Whether a rule's content begins at a root, at home or at a drive.
fn is_anchored(content: &str) -> bool {
    content.starts_with(['/', '~', '\\'])
        || matches!(content.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// A subject taken apart.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// What kind of text it is.
    pub kind: SubjectKind,
    /// What is decided one by one.
    pub units: Vec<Unit<'a>>,
    /// In what is not complete no allow rule and no grant is consulted (invariant "seen").
    pub complete: bool,
    /// Whether there is anything that an allow rule could allow.
    pub has_deciding: bool,
}

/// Takes a subject apart. `reading` is that of a command.
pub fn parts<'a>(
    subject: &'a Subject<'_>,
    reading: Option<&'a Reading<'a>>,
    state: &CallState<'a>,
    home: Option<&'a str>,
) -> Parts<'a> {
    let units = match (subject.kind, reading) {
        (SubjectKind::Command, Some(reading)) => return line_parts(reading),
        (SubjectKind::Path, _) => vec![path_unit(&subject.text, state, home)],
        _ => vec![Unit {
            span: Span::of(&subject.text),
            seen: Seen::of(subject.text.as_ref()),
            allowed: Allowed::AsSeen,
            role: Role::Decides,
            command: None,
            repeats: false,
        }],
    };
    Parts { kind: subject.kind, units, complete: true, has_deciding: true }
}

fn line_parts<'a>(reading: &'a Reading<'a>) -> Parts<'a> {
    let line = reading.line();
    let mut units: Vec<Unit<'a>> = Vec::with_capacity(reading.commands().len().saturating_add(1));
    let mut has_deciding = false;
    let mut written = vec![];
    for command in reading.commands().iter().filter(|command| !command.only_reads()) {
        let unit = command_unit(command, line);
        has_deciding |= unit.role == Role::Decides;
        if !unit.seen.others.is_empty() && unit.span != Span::of(line) {
            written.push(seen_into(unit.span, Seen::of(command.written(line))));
        }
        units.push(unit);
    }
    let mut seen = Seen::of(line);
    let trimmed = text::trim(line);
    if trimmed.len() < line.len() {
        seen.others.push(Cow::Borrowed(trimmed));
    }
    let repeats = units.last().is_some_and(|unit| {
        let allowed_as_written = matches!(&unit.allowed, Allowed::Text(text) if *text == line);
        allowed_as_written && seen.others.is_empty() && unit.seen.others.is_empty()
    });
    // What a line of one command says of its text, each command says of its own: no line is weaker than one of its parts.
    units.append(&mut written);
    units.push(Unit { repeats, ..seen_into(Span::of(line), seen) });
    Parts { kind: SubjectKind::Command, units, complete: reading.is_complete(), has_deciding }
}

/// A text that only deny and ask rules see into.
const fn seen_into(span: Span, seen: Seen<'_>) -> Unit<'_> {
    Unit { span, seen, allowed: Allowed::AsSeen, role: Role::SeenInto, command: None, repeats: false }
}

fn command_unit<'a>(command: &'a Command<'a>, line: &'a str) -> Unit<'a> {
    let written = command.written(line);
    let mut seen = Seen::of(written);
    let plain = (!is_plain(written)).then(|| command.plain(line));
    for form in [plain, command.bare(line), command.without_git_options(line)] {
        seen.add_where(form);
    }
    let named = command.words.first().is_none_or(|name| name.value().is_some());
    let allowed = match (command.full, named) {
        (true, true) => Allowed::Text(masked(written, command)),
        (true, false) => Allowed::Nothing,
        (false, _) => Allowed::AsSeen,
    };
    let role = if command.full { Role::Decides } else { Role::SeenInto };
    Unit { span: command.span, seen, allowed, role, command: Some(command), repeats: false }
}

/// Whether a written text is its own words with one space between: nothing in it is quoted, assigned or redirected.
fn is_plain(written: &str) -> bool {
    let mut before = b' ';
    for byte in written.as_bytes() {
        match byte {
            b' ' if before == b' ' => return false,
            b'\'' | b'"' | b'\\' | b'$' | b'`' | b'{' | b'<' | b'>' | b'=' | b'\t' | b'\n' => return false,
            _ => before = *byte,
        }
    }
    true
}

/// The written text with a mask in the place of every token that is known only at run time.
fn masked<'a>(written: &'a str, command: &Command<'_>) -> Cow<'a, str> {
    let unknown = command.unknown_spans();
    if unknown.is_empty() {
        return written.into();
    }
    let mut text = String::with_capacity(written.len());
    let mut at = 0usize;
    for span in unknown {
        let (start, end) =
            (span.start.saturating_sub(command.span.start), span.end.saturating_sub(command.span.start));
        text.push_str(written.get(at..start).unwrap_or_default());
        text.push_str(UNKNOWN);
        at = end.max(at);
    }
    text.push_str(written.get(at..).unwrap_or_default());
    text.into()
}

fn path_unit<'a>(path: &'a str, state: &CallState<'a>, home: Option<&'a str>) -> Unit<'a> {
    let places = Places { cwd: state.cwd, home };
    let mut seen = Seen::of(path);
    let mut paths = vec![];
    for text in core::iter::once(path).chain(state.real_path) {
        let readings = Forms::of(text, &places);
        let mut allowed: Vec<String> = vec![];
        seen.add(Cow::Borrowed(text));
        for forms in &readings {
            let relative = forms.relative.clone().filter(|relative| !leaves(relative));
            let absolute = forms.absolute.as_ref().map(|path| path.text());
            let from_home = forms.home.as_ref().map(|path| path.text());
            for form in [Some(forms.normal.text()), absolute, from_home, relative] {
                allowed.grow(form);
            }
            seen.add_where(forms.relative.clone());
        }
        for form in &allowed {
            seen.add(form.clone().into());
        }
        paths.push(PathForms { forms: allowed, climbs_out: readings.iter().any(Forms::climbs_out) });
    }
    let (span, allowed) = (Span::of(path), Allowed::Paths(paths));
    Unit { span, seen, allowed, role: Role::Decides, command: None, repeats: false }
}

/// Whether a relative form leads out of the directory that it starts in.
fn leaves(relative: &str) -> bool {
    relative == ".." || relative.starts_with("../")
}

/// The reading that the subject's kind asks for.
pub fn read<'a>(subject: Option<&'a Subject<'_>>) -> Option<Reading<'a>> {
    let subject = subject.filter(|subject| subject.kind == SubjectKind::Command)?;
    Some(shell::read(&subject.text))
}
