//! The classifiers of a session, and the thresholds of its breaker: what a host hands over once (review.md section 11.1).

use super::refusal::{Checked, Refusal, ensure};
use super::shape::{Part, overlaid, part, read, record, safe_integer};
use super::text::{is_blank, is_digest, is_normal};
use super::words::{Field, Reason};
use crate::diagnostic::Step;
use crate::json::{Json, Writer, read_with_problems, take_member};
use crate::limits;

record! {
    /// A classifier's name and revision.
    pub Named {
        /// What audits call it.
        name: String,
        /// Which version of it.
        revision: String,
    }
}

/// A classifier as a session knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classifier {
    /// Its name and revision.
    pub named: Named,
    /// How long one run may take.
    pub timeout_ms: u32,
}

/// What the members of a definition must be, each under the path of objects that it stands in.
const DEFINITION: &[(&str, &[(&str, Must)])] = &[
    (
        "",
        &[
            ("name", Must::TheName),
            ("policyRevision", Must::TheRevision),
            ("blocking", Must::True),
            ("model", Must::Given),
            ("output", Must::Object),
            ("evidenceTools", Must::Object),
        ],
    ),
    (
        "output",
        &[("schemaName", Must::Revision), ("schemaDigest", Must::Digest), ("revision", Must::Revision)],
    ),
    (
        "evidenceTools",
        &[
            ("revision", Must::Revision),
            ("definitionsDigest", Must::Digest),
            ("producedNamesDigest", Must::Digest),
        ],
    ),
];

#[derive(Clone, Copy)]
enum Must {
    TheName,
    TheRevision,
    True,
    Given,
    Object,
    Revision,
    Digest,
}

/// Whether a definition has exactly the members that it must have, and is of this classifier.
fn defines(definition: &Json, named: &Named) -> bool {
    DEFINITION.iter().all(|(path, members)| {
        let object = if path.is_empty() { Some(definition) } else { definition.get(path) };
        let fits = |(name, must): &(&str, Must)| {
            let Some(value) = object.and_then(|object| object.get(name)) else { return false };
            let text = value.as_str();
            match must {
                Must::TheName => text == Some(&named.name),
                Must::TheRevision => text == Some(&named.revision),
                Must::True => *value == Json::Bool(true),
                Must::Given => text.is_some_and(|text| !is_blank(text)),
                Must::Object => value.is_object(),
                Must::Revision => text.is_some_and(is_revision),
                Must::Digest => text.is_some_and(is_digest),
            }
        };
        object.is_some_and(|object| object.members().len() == members.len()) && members.iter().all(fits)
    })
}

/// Neither blank nor too long.
fn is_revision(text: &str) -> bool {
    !is_blank(text) && text.len() <= limits::REVIEW_NAME_BYTES
}

/// What begins like this is the project's own, or that of its compatible contract.
const RESERVED: [&str; 2] = ["_toolgate.", "_looprig."];

fn is_name(name: &str) -> bool {
    is_normal(name)
        && name.len() <= limits::REVIEW_NAME_BYTES
        && !RESERVED.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
}

/// Names and revisions are such, and each is used once.
pub(super) fn check_names(classifiers: &[Named]) -> Checked<()> {
    for (at, named) in classifiers.iter().enumerate() {
        let before = || classifiers.iter().take(at);
        let checks = [
            (is_name(&named.name), Reason::Invalid),
            (before().all(|other| other.name != named.name), Reason::Duplicate),
            (is_revision(&named.revision), Reason::Invalid),
            (before().all(|other| other.revision != named.revision), Reason::Duplicate),
        ];
        for (holds, reason) in checks {
            if !holds {
                return Err(Refusal::classifier(at, reason));
            }
        }
    }
    Ok(())
}

/// Reads the list that the façade makes of a host's classifiers, `{complete, name, revision, timeoutMs?, definition?}`:
/// `complete` says that all methods are there, the rest is what the host gave.
pub fn parse_classifiers(text: &str) -> Checked<Vec<Classifier>> {
    let host = Refusal::new(Field::Host, Reason::Invalid);
    let (Json::List(items), problems) = read_with_problems(text) else { return Err(host) };
    let mut classifiers: Vec<Classifier> = vec![];
    let mut names: Vec<Named> = vec![];
    for (at, mut item) in items.into_iter().enumerate() {
        for problem in &problems {
            // What is no JSON value is of no type.
            if let (Some(Step::Index(index)), Some(Step::Key(name))) =
                (problem.path.first(), problem.path.get(1))
                && *index == at
            {
                item.set(name, Json::Null);
            }
        }
        let invalid = Refusal::classifier(at, Reason::Invalid);
        let Json::Object(mut members) = item else { return Err(invalid) };
        let mut take = |name: &str| take_member(&mut members, name);
        let (complete, name, revision) = (take("complete"), take("name"), take("revision"));
        let (Some(Json::Bool(true)), Some(Json::Text(name))) = (complete, name) else { return Err(invalid) };
        let revision = match revision {
            Some(Json::Text(revision)) => revision,
            // Blank, and refused in its turn.
            _ => String::new(),
        };
        names.push(Named { name, revision });
        check_names(&names)?;
        let Some(named) = names.last() else { return Err(invalid) };
        let timeout_ms =
            take("timeoutMs").map_or(Some(limits::REVIEW_RUN_DEFAULT_MS), |value| timeout(&value));
        let timeout_ms = timeout_ms.ok_or(invalid)?;
        if take("definition").is_some_and(|definition| !defines(&definition, named)) {
            return Err(invalid);
        }
        classifiers.push(Classifier { named: named.clone(), timeout_ms });
    }
    Ok(classifiers)
}

fn timeout(value: &Json) -> Option<u32> {
    let ms = u32::try_from(safe_integer(value)?).ok()?;
    (1..=limits::REVIEW_RUN_MS).contains(&ms).then_some(ms)
}

record! {
    /// How often something may happen in one scope; 0 is without end.
    pub Thresholds {
        /// Decisions in a row that want a person.
        needs_human as "maxConsecutiveNeedsHuman": i64,
        /// Decisions in a row that could not be made.
        failed as "maxInvalidOrFailed": i64,
        /// Decisions about equal requests.
        identical as "maxIdenticalSubjects": i64,
        /// Approvals that came too late.
        stale as "maxStaleResponses": i64,
    }
}

record! {
    /// The thresholds of the breaker.
    pub ReviewLimits {
        /// Of a turn.
        turn: Thresholds,
        /// Of the session.
        session: Thresholds,
        /// Whether the host is told to interrupt a turn that trips.
        interrupts as "interruptOnTrip": bool,
    }
}

impl ReviewLimits {
    /// Reads a host's `limits`; `None` is none given. What is not given is the project's threshold.
    pub fn parse(text: Option<&str>) -> Checked<Self> {
        let mut given = read(text.unwrap_or("{}"), Field::Limits)?;
        let usual = usual_thresholds();
        let session = given.take("session").unwrap_or(Json::Object(vec![]));
        let interrupts = given.take("interruptOnTrip").unwrap_or(Json::Bool(false));
        let limits: Self = part(
            Some(Json::Object(vec![
                ("turn".into(), overlaid(usual.clone(), given)),
                ("session".into(), overlaid(usual, session)),
                ("interruptOnTrip".into(), interrupts),
            ])),
            Field::Limits,
        )?;
        let is_negative = |of: &Thresholds| of.needs_human.min(of.failed).min(of.identical).min(of.stale) < 0;
        let fits = !is_negative(&limits.turn) && !is_negative(&limits.session);
        ensure(fits, Field::Limits, Reason::OutOfBounds)?;
        Ok(limits)
    }
}

fn usual_thresholds() -> Json {
    let mut usual = Writer::default();
    usual.number(limits::REVIEW_BREAKER_THRESHOLD);
    let mut members = vec![];
    for name in Thresholds::MEMBERS {
        members.push(((*name).into(), Json::Number(usual.text.clone())));
    }
    Json::Object(members)
}
