//! The host of a plan, and what the classifier does on it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::model::{Story, tell};
use super::plan::{NONCE, PATHS, Plan, Random, Timed, index};
use toolgate::evidence::{Ask, Classifier, Judgement, Outcome, Start};
use toolgate::json::{Json, Writer};
use toolgate::machine::{Asked, Event, Misuse, Number, Scripted, Settlement};
use toolgate::wire::machine::Crosses;

/// The host of a plan: it answers at once, or says when it will.
struct Host {
    plan: Plan,
    seen: Story,
    names: BTreeMap<Number, &'static str>,
    /// Answers that come later.
    later: BTreeMap<Number, (u64, Settlement)>,
    leases: Vec<bool>,
    now: u64,
}

impl Host {
    fn answer(&mut self, asked: &Asked<Ask>) -> Option<Settlement> {
        let (name, answer) = match &asked.ask {
            Ask::Lease(request) => {
                self.leases.push(request.is_some());
                return None;
            }
            Ask::LateReceipt(usage, diagnostic) => {
                assert!(self.seen.receipt.is_none(), "a second receipt");
                assert_eq!(diagnostic.return_path.as_str(), "late-settlement");
                self.seen.receipt = Some((diagnostic.elapsed_ms, usage.map(tokens)));
                return None;
            }
            Ask::Size(path) => {
                self.seen.stats.push(PATHS[index(path)]);
                let Timed { answer, after } = self.plan.sizes[index(path)];
                ("stat", Timed { answer: answer.settlement(), after })
            }
            Ask::Identity if !self.plan.has_identity => return Some(Settlement::Threw),
            Ask::Identity => {
                let Timed { answer, after } = self.plan.identities[self.seen.identity_checks];
                self.seen.identity_checks += 1;
                ("identity", Timed { answer: answer.settlement(), after })
            }
            Ask::Model(call) => {
                let at = self.seen.calls.len();
                assert_eq!(call.round, at + 1);
                self.seen.calls.push((!call.candidates.is_empty(), call.deadline_ms.into()));
                let Timed { answer, after } = self.plan.replies[at];
                ("model", Timed { answer: answer.settlement(self.plan.usages[at]), after })
            }
            Ask::Inspection(path) => {
                let Timed { answer, after } = self.plan.files[self.seen.inspected.len()];
                self.seen.inspected.push(PATHS[index(path)]);
                ("inspect", Timed { answer: answer.settlement(), after })
            }
        };
        let number = asked.number.unwrap();
        self.names.insert(number, name);
        match answer.after {
            Some(0) => return Some(answer.answer),
            Some(after) => {
                self.later.insert(number, (self.now + after, answer.answer));
            }
            None => {}
        }
        None
    }
}

fn tokens(usage: toolgate::evidence::Usage) -> u64 {
    let mut to = Writer::default();
    toolgate::evidence::write_usage(Some(usage), &mut to);
    let tokens = toolgate::json::read(&to.text).unwrap();
    tokens.get("inputTokens").and_then(Json::as_safe_integer).unwrap()
}

pub(crate) fn start(plan: &Plan) -> Start {
    Start {
        request: Some(plan.request()),
        refusal: None,
        has_files: plan.has_files,
        is_held: false,
        nonce: Some(NONCE.into()),
    }
}

/// Plays a plan on the machine; what was seen.
fn play(plan: &Plan) -> Story {
    let host = Host {
        plan: plan.clone(),
        seen: Story::default(),
        names: BTreeMap::new(),
        later: BTreeMap::new(),
        leases: vec![],
        now: 0,
    };
    let host = Rc::new(RefCell::new(host));
    let asked = Rc::clone(&host);
    let mut scripted = Scripted::new(Classifier::starting_at(0), move |asking: &Asked<Ask>| {
        asked.borrow_mut().answer(asking)
    });
    let mut noise = Random::of(plan.noise);
    let call = scripted.start_with(start(plan), plan.cancelled_before);
    let mut released_at = (!scripted.machine.is_leased()).then_some(0);
    let mut cancel_at = plan.cancel_at.filter(|_| !plan.cancelled_before);
    let mut aborted = None;
    loop {
        disturb(&mut scripted, &host, plan, &mut noise);
        let next = host.borrow().later.iter().map(|(number, (at, _))| (*at, *number)).min();
        let settles = next.filter(|(at, _)| cancel_at.is_none_or(|cancel| *at <= cancel));
        let Some(at) = settles.map(|(at, _)| at).or(cancel_at) else { break };
        scripted.wait_until(at as f64);
        note(&scripted, &host, &mut aborted);
        host.borrow_mut().now = at;
        if let Some((_, number)) = settles {
            let (_, settlement) = host.borrow_mut().later.remove(&number).unwrap();
            assert_eq!(scripted.settle(number, settlement), Ok(()));
        } else {
            cancel_at = None;
            let is_open = !scripted.returned.contains_key(&call);
            assert_eq!(scripted.cancel(call).is_ok(), is_open, "a cancel after the result changes nothing");
        }
        note(&scripted, &host, &mut aborted);
        if released_at.is_none() && !scripted.machine.is_leased() {
            released_at = Some(at);
        }
    }
    scripted.advance(200_000.0);
    note(&scripted, &host, &mut aborted);
    assert_eq!(scripted.timers(), 0, "a timer runs on");

    let host = host.borrow();
    let outcome = scripted.returned[&call].as_ref().unwrap();
    let leases = if released_at.is_some() { vec![true, false] } else { vec![true] };
    assert!(host.leases == leases || host.leases.is_empty(), "{:?}", host.leases);
    assert_eq!(scripted.machine.is_leased(), released_at.is_none());
    inert(outcome);
    Story {
        said: match &outcome.judgement {
            Judgement::Allow(_) => "allow".into(),
            Judgement::Deny(_) => "deny".into(),
            Judgement::Unavailable(error) => error.as_str().into(),
        },
        place: outcome.diagnostic.return_path.as_str(),
        limit: outcome.diagnostic.limit.map(|limit| limit.as_str()),
        timer_fired: outcome.diagnostic.timer_fired,
        returned_at: scripted.returned_at[&call] as u64,
        usage: outcome.usage.map(tokens),
        memory: outcome.memory,
        aborted,
        released_at,
        ..host.seen.clone()
    }
}

fn note<H>(scripted: &Scripted<Classifier, H>, host: &RefCell<Host>, aborted: &mut Option<&'static str>) {
    for (number, _) in scripted.open.iter().filter(|(_, is_aborted)| **is_aborted) {
        *aborted = Some(host.borrow().names[number]);
    }
}

/// Events that nobody waits for change nothing, and a second caller is turned away.
fn disturb<H>(
    scripted: &mut Scripted<Classifier, H>,
    host: &RefCell<Host>,
    plan: &Plan,
    noise: &mut Random<'_>,
) where
    H: FnMut(&Asked<Ask>) -> Option<Settlement>,
{
    let (seen, returned) = (host.borrow().seen.clone(), scripted.returned.len());
    let leased = scripted.machine.is_leased();
    let settled: Vec<Number> =
        host.borrow().names.keys().copied().filter(|number| !scripted.open.contains_key(number)).collect();
    let yes = || Settlement::Fulfilled(Json::Bool(true));
    match noise.below(8) {
        0 => assert_eq!(scripted.settle(Number(9_999), yes()), Err(Misuse::Unknown)),
        1 => assert_eq!(scripted.send(Event::TimerFired { number: Number(9_999) }), Err(Misuse::Unknown)),
        2 => assert!(scripted.cancel(Number(77)).is_err()),
        3 => {
            for number in settled {
                assert_eq!(scripted.settle(number, yes()), Err(Misuse::Late));
            }
        }
        4 => {
            let open: Vec<Number> = scripted.open.keys().copied().collect();
            for number in open {
                assert_eq!(scripted.send(Event::TimerFired { number }), Err(Misuse::Other));
            }
        }
        5 if leased => {
            let other = scripted.start(start(plan));
            let outcome = scripted.returned.remove(&other).unwrap().unwrap();
            assert_eq!(outcome.judgement, Judgement::Unavailable(toolgate::evidence::ClassifierError::Busy));
            assert_eq!(outcome.usage.map(tokens), Some(0));
            assert_eq!(outcome.memory, plan.writes_memory.then_some(false));
        }
        _ => {}
    }
    assert_eq!(host.borrow().seen, seen);
    assert_eq!((scripted.returned.len(), scripted.machine.is_leased()), (returned, leased));
}

/// Nothing of what came in goes out again.
pub(crate) fn inert(outcome: &Outcome) {
    let mut to = Writer::default();
    Classifier::write_result(outcome, &mut to);
    for text in ["Do it", ".mjs", "let x", "hunter2", NONCE] {
        assert!(!to.text.contains(text), "{}", to.text);
    }
}

/// Plays a plan, and compares it with what the model tells.
#[track_caller]
pub(crate) fn check(plan: &Plan) -> Story {
    let story = play(plan);
    assert_eq!(story, tell(plan), "{plan:#?}");
    story
}
