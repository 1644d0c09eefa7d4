//! What a call is about, as its kind of tool has it (claude-code.md sections 3, 9 and 11).

use super::line::Line;
use super::place::{Ground, Place};
use super::tool::Tool;
use crate::dialect::tiers::{CallKind, Words};
use crate::engine::call::{Call, CallState};
use crate::host::Host;
use crate::json::Json;

/// The subject of a call.
#[derive(Debug)]
pub(super) enum Subject<'s> {
    /// A shell line.
    Line(&'s Line<'s>),
    /// The text of a shell that is not read.
    Foreign(&'s str),
    /// A file.
    File(File),
    /// The host of a URL; none where it has none.
    Host(Option<String>),
    /// A name, and what follows it.
    Name(&'s str),
    /// A directory.
    Directory(File),
    /// Nothing.
    Nothing,
}

/// A path as rules try it, and as the host resolved it.
#[derive(Debug)]
pub(super) struct File {
    /// What rules that restrict try.
    pub(super) seen: Vec<Place>,
    /// What an allow rule must accept, each; none where one is not known.
    pub(super) certain: Option<Vec<Place>>,
    /// The host resolved links.
    pub(super) resolved: bool,
}

impl File {
    pub(super) fn new(text: &str, real: Option<&str>, ground: &Ground) -> Self {
        let base = ground.cwd.as_ref();
        let mut seen = ground.readings(text, base);
        let mut certain = ground.resolve(text, base).map(|place| vec![place]);
        if let Some(real) = real {
            seen.append(&mut ground.readings(real, base));
            let place = ground.resolve(real, base);
            certain = certain.zip(place).map(|(mut places, place)| {
                places.push(place);
                places
            });
        }
        Self { seen, certain, resolved: real.is_some() }
    }

    /// Whether it lies in a working directory, by every path.
    pub(super) fn is_inside(&self, ground: &Ground) -> bool {
        let inside = |place: &Place| ground.is_inside(place) && (self.resolved || !place.has_short_name());
        self.certain.as_ref().is_some_and(|places| places.iter().all(inside))
    }
}

/// The text that a call is matched by.
pub(super) fn text_of(call: &Call<'_>, tool: &Tool<'_>, state: &CallState<'_>) -> Option<String> {
    if let Some(subject) = call.subject {
        return Some(subject.into());
    }
    let argument =
        |name: &str| call.arguments.and_then(|arguments| arguments.get(name)).and_then(Json::as_str);
    let found = tool.row.subject.iter().find_map(argument);
    match (tool.row.kind, found) {
        (CallKind::Named, Some(name)) => {
            let rest = argument(tool.row.rest).filter(|rest| !rest.is_empty());
            Some(rest.map_or_else(|| name.into(), |rest| [name, " ", rest].concat()))
        }
        (_, Some(text)) => Some(text.into()),
        (CallKind::Read | CallKind::Directory, None) if tool.row.subject == Words("path") => {
            state.cwd.map(Into::into)
        }
        (_, None) => None,
    }
}

impl<'s> Subject<'s> {
    pub(super) fn new(
        text: Option<&'s str>,
        line: Option<&'s Line<'s>>,
        call: &Call<'_>,
        tool: &Tool<'_>,
        state: &CallState<'_>,
        ground: &Ground,
        host: Host,
    ) -> Self {
        if let Some(line) = line {
            return Self::Line(line);
        }
        let Some(text) = text else { return Self::Nothing };
        match tool.row.kind {
            CallKind::ForeignShell => Self::Foreign(text),
            CallKind::Read | CallKind::Edit => Self::File(File::new(text, state.real_path, ground)),
            CallKind::Directory => Self::Directory(File::new(text, state.real_path, ground)),
            CallKind::Fetch => {
                Self::Host(if call.subject.is_some() { host.of_subject(text) } else { host.of_url(text) })
            }
            CallKind::Named => Self::Name(text),
            _ => Self::Nothing,
        }
    }
}
