//! What of a session outlives a stop of the core: which gates there are, how they were answered, and what was counted.
//!
//! Reviews do not: a gate whose review was lost stays open, for the person.

use std::collections::BTreeMap;

use super::breaker::Counts;
use super::gate::{Gate, Resolution, State};
use super::shape::{Part, parse, record};
use super::words::{Action, Field};
use crate::json::Canonical;

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
    pub(super) fn gates(self, appends: &BTreeMap<String, bool>) -> (BTreeMap<String, Gate>, Vec<(i64, String)>) {
        let (mut gates, mut pending) = (BTreeMap::new(), vec![]);
        for KeptGate { gate_id, actions, append, is_resolved, resolution } in self.gates {
            let ended = appends.get(&gate_id).copied().filter(|_| append >= 0);
            let state = match (is_resolved || ended == Some(true), append >= 0 && ended.is_none()) {
                (true, _) => State::Resolved(resolution),
                (false, true) => {
                    pending.push((append, gate_id.clone()));
                    State::Claimed(resolution)
                }
                (false, false) => State::Open,
            };
            let actions = actions.iter().filter_map(|name| Action::parse(name)).collect();
            // A session that is closed has no open gates.
            if !self.is_closed || state != State::Open {
                gates.insert(gate_id, Gate { state, actions, material: None });
            }
        }
        (gates, pending)
    }
}

impl KeptGate {
    pub(super) fn of(gate_id: &str, gate: &Gate, append: Option<u32>) -> Self {
        let (is_resolved, resolution) = match &gate.state {
            State::Open => (false, Resolution::default()),
            State::Claimed(resolution) => (false, resolution.clone()),
            State::Resolved(resolution) => (true, resolution.clone()),
        };
        Self {
            gate_id: gate_id.into(),
            actions: gate.actions.iter().map(|action| action.as_str().to_owned()).collect(),
            append: append.map_or(-1, i64::from),
            is_resolved,
            resolution,
        }
    }
}
