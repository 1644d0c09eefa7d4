//! Who may know whom: nothing in `src` points upwards, and rooms of one level do not know one another.
//!
//! A room is a top-level module. What it knows is read from its paths: `crate::ROOM…`, and `super` where that is the crate.

use super::paths::{Named, paths};
use super::{Complaint, Source};

/// The rooms by level, lowest first. A new room gets its place here.
pub(super) const LEVELS: &[&[&str]] = &[
    &[
        "limits",
        "span",
        "diagnostic",
        "vocabulary",
        "text",
        "escape",
        "json",
        "host",
        "order",
        "heads",
        "path",
        "row",
    ],
    &["dialect"],
    &["rule", "shell", "pattern"],
    &["risk"],
    &["engine"],
    &["policy"],
    &["session", "verdict"],
    &["machine"],
    &["auto_stage", "evidence", "fallback", "review"],
    &["wire"],
    &["wasm"],
];

/// Rooms of the lowest level are the ground: they may know one another.
const GROUND: usize = 0;

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    sources.iter().flat_map(check_file).collect()
}

fn check_file(source: &Source) -> Vec<Complaint> {
    let Some(place) = Place::of(&source.path) else { return Vec::new() };
    let Some(own) = level(place.room) else {
        return vec![Complaint::new(
            &source.path,
            0,
            format!("room `{}` has no level in the table of xtask", place.room),
        )];
    };
    let complain = |named: &Named| {
        let known = place.room_named(named)?;
        let says = match level(known) {
            _ if known == place.room => return None,
            None => format!("`crate::{known}` is no room: name the room that it comes from"),
            Some(other) if other > own => {
                format!("`{}` must not know `{known}`, which stands above it", place.room)
            }
            Some(other) if other == own && own != GROUND => {
                format!("`{}` must not know `{known}`, which stands beside it", place.room)
            }
            Some(_) => return None,
        };
        Some(Complaint::new(&source.path, named.line, says))
    };
    paths(&source.text).iter().filter_map(complain).collect()
}

fn level(room: &str) -> Option<usize> {
    LEVELS.iter().position(|rooms| rooms.contains(&room))
}

/// Where a file stands in the module tree.
struct Place<'p> {
    room: &'p str,
    /// `src/ROOM.rs` and `src/ROOM/mod.rs`: here one `super` is already the crate.
    is_top: bool,
}

impl<'p> Place<'p> {
    /// `None` for files outside the core, and for the roots of its crates, which only list rooms.
    fn of(path: &'p str) -> Option<Self> {
        let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
        match inside.split_once('/') {
            _ if inside == "lib" || inside.starts_with("crates/") => None,
            None => Some(Self { room: inside, is_top: true }),
            Some((room, rest)) => Some(Self { room, is_top: rest == "mod" }),
        }
    }

    /// The room that a path begins in, if it begins at the crate.
    fn room_named<'n>(&self, named: &'n Named) -> Option<&'n str> {
        let segments: Vec<&str> = named.segments.iter().map(String::as_str).collect();
        match segments[..] {
            ["crate", room, ..] => Some(room),
            // Inside `mod tests` this is the room itself; only a name of the table can be another room.
            ["super", room, ..] if self.is_top && level(room).is_some() => Some(room),
            ["super", "super", room, ..] if level(room).is_some() => Some(room),
            ["super", "super", "super", room, ..] if level(room).is_some() => Some(room),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[track_caller]
    fn refuses(path: &str, text: &str, says: &str) {
        let complaints = check(&[source(path, text)]);
        assert_eq!(complaints.len(), 1, "{path}: {text}: {complaints:?}");
        assert!(complaints[0].says.contains(says), "{:?}", complaints[0]);
    }

    #[track_caller]
    fn accepts(path: &str, text: &str) {
        assert_eq!(check(&[source(path, text)]), [], "{path}: {text}");
    }

    #[test]
    fn nothing_points_upwards() {
        refuses("src/rule/parse.rs", "use crate::policy::Policy;", "above");
        refuses("src/limits.rs", "use crate::{span::Span, dialect::Dialect};", "above");
        refuses("src/risk/mod.rs", "fn f() { super::policy::x() }", "above");
        refuses("src/risk/bash.rs", "use super::super::policy;", "above");
        refuses("src/text.rs", "fn f() { crate::wasm::now() }", "above");
        accepts("src/policy/decide.rs", "use crate::{limits, rule::Rule};");
        accepts("src/lib.rs", "pub use crate::policy::Policy;");
    }

    #[test]
    fn rooms_of_one_level_do_not_know_one_another() {
        refuses("src/rule/parse.rs", "use crate::shell::read;", "beside");
        accepts("src/span.rs", "use crate::text::units;");
        accepts("src/rule/parse.rs", "use crate::rule::escape;");
    }

    #[test]
    fn every_room_and_every_name_is_in_the_table() {
        refuses("src/helpers.rs", "", "no level");
        refuses("src/rule/parse.rs", "use crate::Policy;", "no room");
    }

    #[test]
    fn prose_and_other_trees_do_not_count() {
        accepts("src/rule/parse.rs", "// see crate::policy\nconst X: &str = \"crate::policy\";");
        accepts("src/rule/parse.rs", "#[cfg(test)] mod tests { use super::*; use super::super::escape; }");
        accepts("xtask/src/main.rs", "use crate::anything;");
    }
}
