//! What of a session outlives a stop of the core: which gates there are, how they were answered, and what was counted.
//!
//! Reviews do not: a gate whose review was lost stays open, for the person.

use super::breaker::Counts;
use super::gate::{Gate, Resolution, State};
use super::shape::{Part, parse, record};
use super::words::{Action, Field};
use crate::json::Canonical;
use crate::order::Grow as _;

record! {
    pub(super) Kept {
        is_closed: bool,
        has_failed_audit: bool,
        counts: Counts,
        gates: Vec<KeptGate>,
    }
}

record! {
    pub(super) KeptGate {
        gate_id: String,
        actions: Vec<String>,
        /// The number under which the host makes its resolution durable; -1 where it does not.
        append: i64,
        /// Whether it is resolved.
        is_resolved: bool,
        /// Empty of an open gate.
        resolution: Resolution,
    }
}

impl Kept {
    pub(super) fn parse(text: &str) -> Option<Self> {
        parse(text, Field::Host).ok()
    }

    pub(super) fn text(&self) -> String {
        let mut to = Canonical::kept();
        self.write(&mut to);
        to.into_text()
    }

    /// The gates, and the numbers of pending appends. `appends` says of gates whose append has come to an end meanwhile
    /// whether it succeeded.
    pub(super) fn gates(self, appends: &[(String, bool)]) -> (Vec<Gate>, Vec<(i64, String)>) {
        let (mut gates, mut pending) = (vec![], vec![]);
        for KeptGate { gate_id: id, actions: names, append, is_resolved, resolution } in self.gates {
            let was_claimed = append >= 0;
            let ended = appends
                .iter()
                .find(|(gate, _)| was_claimed && *gate == id)
                .map(|(_, is_durable)| *is_durable);
            let state = if is_resolved || ended == Some(true) {
                State::Resolved(resolution)
            } else if was_claimed && ended.is_none() {
                pending.push((append, id.clone()));
                State::Claimed(resolution)
            } else {
                State::Open
            };
            let mut actions = vec![];
            for name in &names {
                actions.grow(Action::parse(name));
            }
            // A session that is closed has no open gates.
            if !self.is_closed || state != State::Open {
                gates.push(Gate { id, state, actions, material: None });
            }
        }
        (gates, pending)
    }
}

impl KeptGate {
    pub(super) fn of(gate: &Gate, append: Option<u32>) -> Self {
        let (is_resolved, resolution) = match &gate.state {
            State::Open => (false, Resolution::default()),
            State::Claimed(resolution) => (false, resolution.clone()),
            State::Resolved(resolution) => (true, resolution.clone()),
        };
        let mut actions = vec![];
        for action in &gate.actions {
            actions.push(action.as_str().into());
        }
        Self {
            gate_id: gate.id.clone(),
            actions,
            append: append.map_or(-1, i64::from),
            is_resolved,
            resolution,
        }
    }
}
