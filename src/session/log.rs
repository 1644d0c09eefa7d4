//! An event log, read as far as permissions are about it.

use crate::json::{self, Json};
use crate::vocabulary::EventKind;

/// The events of a log, in order.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// `None` stands for an event of another type, or one that cannot be read.
    pub(super) events: Vec<Option<Event>>,
}

/// One event that permissions are about.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    /// `null` where there is none.
    pub(super) data: Json,
    /// Every text of it is well formed, and no member is named twice.
    pub(super) sound: bool,
}

impl Log {
    /// Reads the JSON text of an event `{type, data}` a line. A line that is none keeps its place.
    pub fn read(lines: &str) -> Self {
        let mut log = Self::default();
        for line in lines.split(['\n']) {
            log.events.push(Event::read(line));
        }
        log
    }

    /// The events of one kind, the last first.
    pub(super) fn backwards(&self, kind: EventKind) -> impl Iterator<Item = &Event> {
        self.events.iter().rev().flatten().filter(move |event| event.kind == kind)
    }

    /// The events of one kind with their places.
    pub(super) fn of(&self, kind: EventKind) -> impl Iterator<Item = (usize, &Event)> {
        let events = self.events.iter().enumerate();
        events.filter_map(move |(at, event)| Some((at, event.as_ref().filter(|event| event.kind == kind)?)))
    }

    /// The records of the auto stage, as they stand: objects with a tool and a known verdict.
    pub fn classifiers(&self) -> Vec<&Json> {
        let mut records = vec![];
        for (_, event) in self.of(EventKind::Classifier) {
            let verdict = event.text("verdict");
            if event.sound && event.text("tool").is_some() && matches!(verdict, Some("allow" | "ask")) {
                records.push(&event.data);
            }
        }
        records
    }
}

impl Event {
    fn read(line: &str) -> Option<Self> {
        // Half a surrogate pair in one text must not hide what the others say.
        let (event, problems) = json::read_with_problems(line);
        let kind = EventKind::parse(event.get("type")?.as_str()?)?;
        let data = event.get("data").cloned().unwrap_or(Json::Null);
        Some(Self { kind, data, sound: problems.is_empty() })
    }

    /// A member of the data that is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.data.get(name)?.as_str()
    }
}
