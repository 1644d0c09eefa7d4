//! A gate: who may answer it how, and how it was answered (review.md section 11.2).

use std::rc::Rc;

use super::basis::Basis;
use super::context::{Context, Coordinates};
use super::refusal::{Checked, Refusal, ensure};
use super::request::Request;
use super::shape::{Part, parse, part, record};
use super::text::is_id;
use super::words::{Action, Field, Reason, SourceKind};
use crate::json::{Json, read_with_problems};
use crate::limits;

record! {
    /// An answer from outside.
    pub Answer {
        /// One of the gate's actions.
        action: String,
        /// Whose answer it is.
        source: Source,
    }
}

record! {
    /// Who answers, and why.
    pub Source {
        /// `user` or `policy`; `classifier` is the session's own.
        kind: String,
        /// In the host's words.
        reason: String,
    }
}

record! {
    /// What is made durable.
    pub Resolution {
        /// The gate.
        gate_id as "gateId": String,
        /// What was answered.
        action: String,
        /// By whom.
        source: Source,
    }
}

pub(super) const fn refuse(reason: Reason) -> Refusal {
    Refusal::new(Field::Gate, reason)
}

impl Answer {
    /// Reads an answer from outside; whether its action fits is told by the gate.
    pub(super) fn read(text: &str) -> Checked<Self> {
        let invalid = refuse(Reason::ActionInvalid);
        let answer: Self = parse(text, Field::Gate).map_err(|_| invalid)?;
        let from_outside = [SourceKind::User, SourceKind::Policy].map(SourceKind::as_str);
        let fits = answer.source.reason.len() <= limits::REVIEW_REASON_BYTES
            && from_outside.contains(&answer.source.kind.as_str());
        if fits { Ok(answer) } else { Err(invalid) }
    }
}

/// What a host hands over to open a gate: the JSON text of each member that is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The gate is an object without other members.
    pub is_gate: bool,
    /// `basis`
    pub basis: Option<String>,
    /// `request`
    pub request: Option<String>,
    /// `context`
    pub context: Option<String>,
    /// `actions`
    pub actions: Option<String>,
}

/// How far a gate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Anybody may answer.
    Open,
    /// Somebody did, and the host makes it durable.
    Claimed(Resolution),
    /// It is durable.
    Resolved(Resolution),
}

/// A gate of a session.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) id: String,
    pub(super) state: State,
    pub(super) actions: Vec<Action>,
    /// What a review would be made of, until it begins.
    pub(super) material: Option<Material>,
}

/// What a review is made of.
#[derive(Clone, Debug)]
pub(super) struct Material {
    pub(super) basis: Basis,
    /// The turn, where it is an id.
    pub(super) turn: Option<String>,
    /// Where the call stands, where all of it are ids.
    pub(super) coordinates: Option<Coordinates>,
    pub(super) request: Checked<Rc<Request>>,
    /// `None`: the host could not capture it.
    pub(super) context: Option<Checked<Rc<Context>>>,
}

impl Gate {
    /// Checks an opening. Nothing of request or context refuses it.
    pub(super) fn open(opening: &Opening, is_reviewed: bool) -> Checked<Self> {
        ensure(opening.is_gate, Field::Gate, Reason::Invalid)?;
        let basis: Basis = parse(opening.basis.as_deref().unwrap_or("null"), Field::Basis)?;
        basis.check_ids()?;
        let actions = match &opening.actions {
            None => Action::ALL.to_vec(),
            Some(text) => actions(text).ok_or(refuse(Reason::ActionInvalid))?,
        };
        let id = basis.gate_id.clone();
        let can_be_reviewed = is_reviewed && actions.contains(&Action::Approve);
        let material = can_be_reviewed.then(|| Material::read(basis, opening));
        Ok(Self { id, state: State::Open, actions, material })
    }
}

/// A list of distinct actions that is not empty.
fn actions(text: &str) -> Option<Vec<Action>> {
    let names: Vec<String> = parse(text, Field::Gate).ok()?;
    let mut actions = vec![];
    for name in &names {
        let action = Action::parse(name).filter(|action| !actions.contains(action))?;
        actions.push(action);
    }
    if actions.is_empty() { None } else { Some(actions) }
}

impl Material {
    fn read(basis: Basis, opening: &Opening) -> Self {
        let request = parse(opening.request.as_deref().unwrap_or("null"), Field::Request);
        let (value, problems) = read_with_problems(opening.context.as_deref().unwrap_or("null"));
        let mut coordinates = Coordinates::default();
        let Coordinates { session_id, loop_id, turn_id, step_id } = &mut coordinates;
        let mut has_all = true;
        for (name, id) in Coordinates::MEMBERS.iter().zip([session_id, loop_id, turn_id, step_id]) {
            let given = value.get("coordinates").and_then(|given| given.get(name)).and_then(Json::as_str);
            match given.filter(|given| is_id(given)) {
                Some(given) => *id = given.into(),
                None => has_all = false,
            }
        }
        let turn = (!coordinates.turn_id.is_empty()).then(|| coordinates.turn_id.clone());
        let coordinates = has_all.then_some(coordinates);
        let is_missing = (value == Json::Null && problems.is_empty())
            || value.get("context_revision").and_then(Json::as_str) == Some("");
        let context = (!is_missing).then(|| match problems.is_empty() {
            true => part(Some(value), Field::Context),
            false => Err(Refusal::new(Field::Context, Reason::Invalid)),
        });
        Self { basis, turn, coordinates, request, context }
    }
}
