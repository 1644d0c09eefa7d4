//! What must hold in every state of a small session.

use toolgate::machine::{Event, Machine, Misuse, Number, Settlement};
use toolgate::review::{Field, Reason, Refusal, Remains, Reply, Status};

use super::play::{CLASSIFIERS, Caller, Move, POLICY, Pending, Run, World, made};
use super::samples::basis;

/// What must hold in every state.
pub(crate) fn check(world: &World) {
    let seen = &world.seen;
    // A gate is resolved at most once, and what is durable is what the session says.
    assert!(seen.durable.len() <= 1, "{:?}", seen.durable);
    let gate = basis().gate_id;
    assert_eq!(world.session.resolution(&gate), seen.durable.first());
    let appending = world.pending.values().filter(|pending| matches!(pending, Pending::Append(_))).count();
    assert!(appending + seen.durable.len() <= 1, "claimed twice");

    for (claim, revision) in &seen.claims {
        if claim.source.kind == "classifier" {
            // A review approves, and never on another policy than was assessed.
            assert_eq!((claim.action.as_str(), *revision), ("Approve", POLICY));
        } else {
            assert_eq!(claim.source.kind, "user");
        }
    }
    let of_review = seen.claims.iter().filter(|(claim, _)| claim.source.kind == "classifier").count();
    assert!(of_review <= 1, "a review tries once");
    assert_eq!(seen.called_late, [""; 0], "a review that was given up goes on");

    check_audits(world);
    check_callers(world);
    check_late(world);
    check_forged(world);
    check_remains(world);
}

/// Each classifier is told of once, and exactly once when its review is over.
fn check_audits(world: &World) {
    let seen = &world.seen;
    let waits = world.pending.values().any(|pending| match pending {
        Pending::Append(resolution) => resolution.source.kind == "classifier",
        _ => true,
    });
    let approved = seen.durable.first().is_some_and(|resolution| resolution.source.kind == "classifier");
    for at in 0..CLASSIFIERS {
        let name = format!("c{at}");
        let of = |is_end: bool| {
            let events = seen.audits.iter().filter(|event| event.classifier.name == name);
            events.filter(|event| event.end.is_some() == is_end).collect::<Vec<_>>()
        };
        let (started, completed) = (of(false), of(true));
        assert!(started.len() <= 1 && completed.len() <= 1, "{name}: {:?}", seen.audits);
        let ran = seen.called.iter().filter(|called| **called == format!("run {at}")).count();
        assert!(ran <= started.len(), "{name} ran before it was told of");
        if !waits {
            assert_eq!(completed.len(), 1, "{name}: a review is over: {:?}", seen.audits);
        }
        for event in completed {
            let end = event.end.as_ref().unwrap();
            // Exactly what was applied is told of as applied.
            assert_eq!(end.status == Status::Allowed, approved, "{name}: {:?}", end.status);
            let decided_on = matches!(end.status, Status::Allowed | Status::NeedsHuman);
            assert_eq!(end.rated.is_some(), decided_on, "{name}: {end:?}");
            let is_of_no_use = matches!(world.ended[at], Some(Run::Strays | Run::Rejects));
            assert_eq!(end.status == Status::Failed, is_of_no_use, "{name}: {end:?}");
        }
    }
}

/// Whoever called got what is true.
fn check_callers(world: &World) {
    let durable = world.seen.durable.first();
    for (call, caller) in &world.callers {
        let Caller::Got(reply) = caller else { continue };
        match reply {
            Reply::Resolved(resolution) => assert_eq!(Some(resolution), durable, "{call:?}"),
            Reply::Refused(refusal) => assert_eq!(refusal.field, Field::Gate),
            Reply::Done => {}
        }
    }
}

/// What was answered is answered: another answer is late, and changes nothing.
fn check_late(world: &World) {
    let mut again = world.clone();
    if let Some(handled) = again.repeat() {
        // An append that was given up by nobody keeps its number until it is settled, once.
        assert_eq!(handled, Err(Misuse::Late));
        assert_eq!(format!("{:?}", again.session), format!("{:?}", world.session));
    }
    let never = Event::Settled { number: Number(u32::MAX), settlement: Settlement::Threw };
    assert_eq!(again.session.handle(never, 0.0), Err(Misuse::Unknown));
}

/// Nobody can answer in the name of a classifier, whatever the state is.
fn check_forged(world: &World) {
    let mut forged = world.clone();
    forged.play(Move::Forged);
    let refused = Reply::Refused(Refusal::new(Field::Gate, Reason::ActionInvalid));
    assert_eq!(forged.callers.values().next_back(), Some(&Caller::Got(refused)));
    assert_eq!(format!("{:?}", forged.session), format!("{:?}", world.session));
}

/// A session that is made of what this one kept has the same gates: resolved, claimed or open for the person.
fn check_remains(world: &World) {
    let kept = world.session.kept();
    let remains = Remains { kept: Some(&kept), first: 1_000, appends: vec![] };
    let mut fresh = made(&remains);
    let gate = basis().gate_id;
    assert_eq!(fresh.resolution(&gate), world.session.resolution(&gate));
    assert_eq!(fresh.has_tripped(), world.session.has_tripped());
    assert_eq!(fresh.kept(), kept);
    let appending = world.pending.iter().find_map(|(number, pending)| match pending {
        Pending::Append(resolution) => Some((*number, resolution.clone())),
        _ => None,
    });
    if let Some((number, resolution)) = appending {
        // The append that the lost session began is this one's.
        let settlement = Settlement::Fulfilled(toolgate::json::Json::Null);
        assert_eq!(fresh.handle(Event::Settled { number, settlement }, 0.0), Ok(()));
        assert_eq!(fresh.resolution(&gate), Some(&resolution));
        for is_durable in [true, false] {
            let appends = vec![(gate.clone(), is_durable)];
            let fresh = made(&Remains { appends, ..remains.clone() });
            assert_eq!(fresh.resolution(&gate).is_some(), is_durable);
        }
    }
}
