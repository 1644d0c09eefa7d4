//! An event log, read as far as permissions are about it.

use crate::json::{self, Json};
use crate::order::Grow as _;
use crate::vocabulary::EventKind;

/// The events of a log that permissions are about, in order. One of another type is not among them, nor one that cannot
/// be read.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub(super) events: Vec<Event>,
}

/// One event that permissions are about.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Its place in the log.
    pub(super) at: usize,
    pub(super) kind: EventKind,
    /// `null` where there is none.
    pub(super) data: Json,
    /// Every text of it is well formed, and no member is named twice.
    pub(super) sound: bool,
}

impl Log {
    /// Reads the JSON text of an event `{type, data}` a line.
    pub fn read(lines: &str) -> Self {
        let mut log = Self::default();
        for (at, line) in lines.split(['\n']).enumerate() {
            log.events.grow(Event::read(at, line));
        }
        log
    }

    /// `foldClassifiers`: the records of the auto stage, as they stand: objects with a tool and a known verdict.
    pub fn classifiers(&self) -> Vec<&Json> {
        let mut records = vec![];
        for event in &self.events {
            let known =
                matches!(event.text("verdict"), Some("allow" | "ask")) && event.text("tool").is_some();
            if event.kind == EventKind::Classifier && event.sound && known {
                records.push(&event.data);
            }
        }
        records
    }
}

impl Event {
    fn read(at: usize, line: &str) -> Option<Self> {
        // Half a surrogate pair in one text must not hide what the others say.
        let (event, problems) = json::read_with_problems(line);
        let kind = EventKind::parse(event.get("type")?.as_str()?)?;
        let data = event.get("data").cloned().unwrap_or(Json::Null);
        Some(Self { at, kind, data, sound: problems.is_empty() })
    }

    /// A member of the data that is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.data.get(name)?.as_str()
    }
}
