//! Machines on hosts that a script plays: answers of any kind in any order, late and twice, in a time that only the script moves.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use toolgate::json::{Json, read};
use toolgate::machine::{Asked, Effect, Event, Machine, Misuse, Number, Scripted, Settlement};

use super::script::Script;

/// What of a number is still to come.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Due {
    Answer,
    Timer,
    Nothing,
}

/// A machine under watch. What must hold, whatever its host does: a number is given once and answered once at most; what nobody
/// waits for is a misuse, changes nothing and wants nothing; each caller gets one result; what is aborted or stopped was begun.
pub struct Watched<M: Machine> {
    pub machine: M,
    given: BTreeMap<Number, Due>,
    /// Whether each caller has its result.
    callers: BTreeMap<Number, bool>,
    is_refused: bool,
}

impl<M: Machine + Debug> Watched<M> {
    pub fn new(machine: M) -> Self {
        Self { machine, given: BTreeMap::new(), callers: BTreeMap::new(), is_refused: false }
    }

    fn give(&mut self, number: Number, due: Due) {
        assert_eq!(self.given.insert(number, due), None, "{number:?} is given twice");
    }

    fn end(&mut self, call: Number) {
        assert_eq!(
            self.callers.insert(call, true),
            Some(false),
            "a result that nobody waits for, or a second one"
        );
    }

    /// The number behind all that were given, if any was.
    pub fn next(&self) -> Option<u32> {
        self.given.keys().next_back().map(|last| last.0 + 1)
    }

    /// Everybody has a result.
    pub fn is_idle(&self) -> bool {
        self.callers.values().all(|is_over| *is_over)
    }
}

impl<M: Machine + Debug> Machine for Watched<M> {
    type Start = M::Start;
    type Ask = M::Ask;
    type Result = M::Result;

    fn handle(&mut self, event: Event<M::Start>, now_ms: f64) -> Result<(), Misuse> {
        let due = |number| self.given.get(&number).copied().unwrap_or(Due::Nothing);
        let (number, is_due) = match &event {
            Event::Start { call, .. } => (*call, self.callers.get(call) != Some(&false)),
            Event::Cancel { call } => (*call, self.callers.get(call) == Some(&false)),
            Event::Settled { number, .. } => (*number, due(*number) == Due::Answer),
            Event::TimerFired { number } => (*number, due(*number) == Due::Timer),
        };
        let is_start = matches!(event, Event::Start { .. });
        let answers = matches!(event, Event::Settled { .. } | Event::TimerFired { .. });
        let before = (!is_due).then(|| format!("{:?}", self.machine));
        let handled = self.machine.handle(event, now_ms);
        if let Some(before) = before {
            assert!(handled.is_err(), "{number:?} is taken, and nobody waits for it");
            assert_eq!(format!("{:?}", self.machine), before, "a misuse changes something");
        }
        if handled.is_ok() && answers {
            self.given.insert(number, Due::Nothing);
        }
        if handled.is_ok() && is_start {
            self.callers.insert(number, false);
        }
        self.is_refused = handled.is_err();
        handled
    }

    fn poll(&mut self) -> Option<Effect<M::Ask, M::Result>> {
        let effect = self.machine.poll()?;
        assert!(!self.is_refused, "a misuse wants something done");
        match &effect {
            Effect::Ask { number, .. } | Effect::Call { number, .. } => self.give(*number, Due::Answer),
            Effect::Arm { number, .. } => self.give(*number, Due::Timer),
            Effect::Abort { number } => {
                assert!(self.given.contains_key(number), "{number:?} was never begun")
            }
            Effect::Disarm { number } => {
                assert_eq!(
                    self.given.insert(*number, Due::Nothing),
                    Some(Due::Timer),
                    "{number:?} does not run"
                );
            }
            Effect::Return { call, .. } | Effect::Rethrow { call } => self.end(*call),
            Effect::Tell { .. } | Effect::Keep { .. } => {}
        }
        Some(effect)
    }
}

/// What a host does next, beside calling in.
pub trait Player<M: Machine> {
    /// What a caller hands in.
    fn start(&mut self, script: &mut Script<'_>) -> M::Start;

    /// How an open call ends.
    fn answer(&mut self, number: Number, script: &mut Script<'_>) -> Settlement;

    /// What is handed in last, where it takes that for everybody to be answered.
    fn last(&mut self) -> Option<M::Start> {
        None
    }
}

/// A settlement of any kind; texts that are JSON are values.
pub fn settlement(script: &mut Script<'_>, texts: &[&str]) -> Settlement {
    let value = |script: &mut Script<'_>| {
        let text = *script.pick(texts);
        read(text).unwrap_or_else(|_| Json::Text(text.into()))
    };
    match script.below(12) {
        8 => Settlement::Threw,
        9 => Settlement::Rejected(value(script)),
        10 => Settlement::Unreadable,
        11 => Settlement::WithBytes(value(script), script.text().into_bytes()),
        _ => Settlement::Fulfilled(value(script)),
    }
}

/// Most steps of a script.
const STEPS: usize = 48;

/// Plays a script to its end, then lets everything end that is open.
pub fn play<M, H, P>(host: &mut Scripted<Watched<M>, H>, player: &RefCell<P>, script: &RefCell<Script<'_>>)
where
    M: Machine + Debug,
    H: FnMut(&Asked<M::Ask>) -> Option<Settlement>,
    P: Player<M>,
{
    let mut latest = 0.0_f64;
    let mut starts = 0u32;
    for _ in 0..STEPS {
        if script.borrow().is_over() {
            break;
        }
        let choice = script.borrow_mut().below(10);
        match choice {
            0..=2 => {
                let start = player.borrow_mut().start(&mut script.borrow_mut());
                let is_cancelled = script.borrow_mut().one_in(16);
                host.start_with(start, is_cancelled);
                starts += 1;
            }
            3..=5 => {
                let at = script.borrow_mut().below(host.open.len());
                let Some(number) = host.open.keys().nth(at).copied() else { continue };
                let settlement = player.borrow_mut().answer(number, &mut script.borrow_mut());
                let _ = host.settle(number, settlement);
            }
            6 => {
                // Any number: late, repeated, of a timer, never given; or one that is open after all.
                let number = Number(script.borrow_mut().byte().into());
                let way = script.borrow_mut().below(3);
                let _ = match way {
                    0 => host.send(Event::TimerFired { number }),
                    1 => host.settle(number, Settlement::Fulfilled(Json::Bool(true))),
                    _ => host.settle(number, Settlement::Rejected(Json::Null)),
                };
            }
            7 => {
                let back = u32::from(script.borrow_mut().byte());
                let _ = host.cancel(Number(starts.wrapping_sub(back)));
            }
            8 => {
                let ms = *script.borrow_mut().pick(&[1.0, 0.0, 20.0, 99.0, 100.0, 5_000.0, 60_000.0]);
                host.advance(ms);
            }
            _ => {
                // A host that is busy, or whose clock goes back or leaps.
                let ms = *script.borrow_mut().pick(&[99.0, 100.0, 60_000.0, -50.0, 1e12]);
                host.stall(ms);
            }
        }
        latest = latest.max(host.now_ms());
    }
    // The clock goes on, and what is still open ends; an end may lead to another call.
    host.wait_until(latest);
    let last = player.borrow_mut().last();
    if let Some(start) = last {
        host.start(start);
    }
    for _ in 0..64 {
        latest += 1e6;
        host.wait_until(latest);
        let Some(number) = host.open.keys().next().copied() else { break };
        let _ = host.settle(number, Settlement::Threw);
    }
    assert!(host.open.is_empty(), "calls without end");
    assert_eq!(host.timers(), 0, "a timer runs on");
    assert!(host.machine.is_idle(), "a caller without a result");
}
