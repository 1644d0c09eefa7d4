//! A host that is a closure, in a time that only its script moves: what the machines are tested with, natively.
//!
//! It is part of the room, not of its tests, so that the tests of every room, the integration tests and the runner of
//! the vectors drive machines in the same way. The order is the driver's: an event is handled at once, effects wait in
//! one queue.

use std::collections::{BTreeMap, VecDeque};

use super::{Effect, Event, Machine, Misuse, Number, Settlement};

/// A callback of the host that was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked<A> {
    /// The number to answer under; `None` where no answer is expected.
    pub number: Option<Number>,
    /// Whether it may be answered later.
    pub may_wait: bool,
    /// What for.
    pub ask: A,
}

/// A machine with its scripted host.
///
/// The closure is called for every callback, and gives its answer, or `None`: a call then stays open until
/// [`settle`](Self::settle), and what should have answered at once counts as having thrown.
pub struct Scripted<M: Machine, H> {
    /// The machine.
    pub machine: M,
    /// The host.
    pub host: H,
    /// Results that came, by the caller's number; `None` for what the host threw.
    pub returned: BTreeMap<Number, Option<M::Result>>,
    /// When they came.
    pub returned_at: BTreeMap<Number, f64>,
    /// Open calls, with whether their signal has fired, in order of number.
    pub open: BTreeMap<Number, bool>,
    /// The last thing that was to be kept.
    pub kept: Option<String>,
    now_ms: f64,
    /// When a timer is due, by its number.
    timers: BTreeMap<Number, f64>,
    queue: VecDeque<Effect<M::Ask, M::Result>>,
    calls: u32,
}

impl<M, H> Scripted<M, H>
where
    M: Machine,
    H: FnMut(&Asked<M::Ask>) -> Option<Settlement>,
{
    /// At time 0.
    pub fn new(machine: M, host: H) -> Self {
        Self {
            machine,
            host,
            returned: BTreeMap::new(),
            returned_at: BTreeMap::new(),
            open: BTreeMap::new(),
            kept: None,
            now_ms: 0.0,
            timers: BTreeMap::new(),
            queue: VecDeque::new(),
            calls: 0,
        }
    }

    /// The time.
    pub fn now_ms(&self) -> f64 {
        self.now_ms
    }

    /// How many timers run.
    pub fn timers(&self) -> usize {
        self.timers.len()
    }

    /// Somebody calls; gives the number under which the result comes.
    pub fn start(&mut self, start: M::Start) -> Number {
        self.start_with(start, false)
    }

    /// [`start`](Self::start) with a signal that may have fired before.
    pub fn start_with(&mut self, start: M::Start, is_cancelled: bool) -> Number {
        let call = Number(self.calls);
        self.calls = self.calls.saturating_add(1);
        // A number that was never used cannot be misused.
        let _ = self.send(Event::Start { call, start, is_cancelled });
        call
    }

    /// A caller's signal fires.
    pub fn cancel(&mut self, call: Number) -> Result<(), Misuse> {
        self.send(Event::Cancel { call })
    }

    /// An open call comes to its end, or one that is closed tries to.
    pub fn settle(&mut self, number: Number, settlement: Settlement) -> Result<(), Misuse> {
        self.open.remove(&number);
        self.send(Event::Settled { number, settlement })
    }

    /// Lets time pass; timers fire when they are due, those that are due together in order of number.
    pub fn advance(&mut self, ms: f64) {
        let until = self.now_ms + ms;
        self.pass(until, true);
    }

    /// Lets time pass up to a moment that lies ahead; timers that are due at that very moment do not fire yet.
    pub fn wait_until(&mut self, moment_ms: f64) {
        self.pass(moment_ms, false);
    }

    fn pass(&mut self, until: f64, with_last: bool) {
        loop {
            let mut next: Option<(Number, f64)> = None;
            for (number, due) in &self.timers {
                let is_due = *due < until || (with_last && *due == until);
                if is_due && next.is_none_or(|(_, earliest)| *due < earliest) {
                    next = Some((*number, *due));
                }
            }
            let Some((number, due)) = next else { break };
            self.now_ms = self.now_ms.max(due);
            self.timers.remove(&number);
            let _ = self.send(Event::TimerFired { number });
        }
        self.now_ms = until;
    }

    /// Lets time pass in which the host is busy: what is due fires only when time passes again.
    pub fn stall(&mut self, ms: f64) {
        self.now_ms += ms;
    }

    /// Hands an event in and does everything that comes of it.
    pub fn send(&mut self, event: Event<M::Start>) -> Result<(), Misuse> {
        let handled = self.handle(event);
        while let Some(effect) = self.queue.pop_front() {
            self.run(effect);
        }
        handled
    }

    fn handle(&mut self, event: Event<M::Start>) -> Result<(), Misuse> {
        let handled = self.machine.handle(event, self.now_ms);
        while let Some(effect) = self.machine.poll() {
            match effect {
                Effect::Keep { snapshot } => self.kept = Some(snapshot),
                Effect::Abort { number } if self.withdraw(number) => {}
                effect => self.queue.push_back(effect),
            }
        }
        handled
    }

    fn come(&mut self, call: Number, result: Option<M::Result>) {
        self.returned.insert(call, result);
        self.returned_at.insert(call, self.now_ms);
    }

    /// What is given up before its turn has come is not begun.
    fn withdraw(&mut self, number: Number) -> bool {
        let before = self.queue.len();
        self.queue.retain(|effect| {
            !matches!(effect, Effect::Ask { number: other, .. } | Effect::Call { number: other, .. } if *other == number)
        });
        self.queue.len() < before
    }

    fn run(&mut self, effect: Effect<M::Ask, M::Result>) {
        match effect {
            Effect::Ask { number, ask } => {
                let answer = (self.host)(&Asked { number: Some(number), may_wait: false, ask });
                let settlement = answer.unwrap_or(Settlement::Threw);
                let _ = self.handle(Event::Settled { number, settlement });
            }
            Effect::Call { number, ask } => {
                match (self.host)(&Asked { number: Some(number), may_wait: true, ask }) {
                    Some(settlement) => {
                        let _ = self.handle(Event::Settled { number, settlement });
                    }
                    None => {
                        self.open.insert(number, false);
                    }
                }
            }
            Effect::Tell { ask } => {
                (self.host)(&Asked { number: None, may_wait: false, ask });
            }
            Effect::Abort { number } => {
                if let Some(is_aborted) = self.open.get_mut(&number) {
                    *is_aborted = true;
                }
            }
            Effect::Arm { number, after_ms } => {
                self.timers.insert(number, self.now_ms + f64::from(after_ms));
            }
            Effect::Disarm { number } => {
                self.timers.remove(&number);
            }
            Effect::Return { call, result } => self.come(call, Some(result)),
            Effect::Rethrow { call } => self.come(call, None),
            // Taken where it came.
            Effect::Keep { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Effects, Open};
    use super::*;
    use crate::json::Json;

    /// Asks its host a question, with a deadline; gives what it said, `late` or `stopped`.
    struct Question {
        open: Open<(Number, Kind)>,
        effects: Effects<&'static str, String>,
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Answer,
        Deadline,
    }

    impl Question {
        fn end(&mut self, call: Number, result: &str) {
            let of_call: Vec<_> =
                self.open.iter().filter(|(_, item)| item.0 == call).map(|(n, item)| (n, item.1)).collect();
            if of_call.is_empty() {
                return;
            }
            for (number, kind) in of_call {
                self.open.drop(number);
                self.effects.want(match kind {
                    Kind::Answer => Effect::Abort { number },
                    Kind::Deadline => Effect::Disarm { number },
                });
            }
            self.effects.want(Effect::Return { call, result: result.into() });
        }
    }

    impl Machine for Question {
        type Start = u32;
        type Ask = &'static str;
        type Result = String;

        fn handle(&mut self, event: Event<u32>, _: f64) -> Result<(), Misuse> {
            match event {
                Event::Start { call, start, .. } => {
                    let number = self.open.add((call, Kind::Answer));
                    self.effects.want(Effect::Call { number, ask: "answer" });
                    let number = self.open.add((call, Kind::Deadline));
                    self.effects.want(Effect::Arm { number, after_ms: start });
                }
                Event::Cancel { call } => self.end(call, "stopped"),
                Event::Settled { number, settlement } => {
                    let (call, _) = self.open.take(number, |item| item.1 == Kind::Answer)?;
                    match settlement {
                        Settlement::Fulfilled(Json::Text(text)) => self.end(call, &text),
                        _ => self.end(call, "?"),
                    }
                }
                Event::TimerFired { number } => {
                    let (call, _) = self.open.take(number, |item| item.1 == Kind::Deadline)?;
                    self.end(call, "late");
                }
            }
            Ok(())
        }

        fn poll(&mut self) -> Option<Effect<&'static str, String>> {
            self.effects.poll()
        }
    }

    fn said(text: &str) -> Settlement {
        Settlement::Fulfilled(Json::Text(text.into()))
    }

    #[test]
    fn plays_a_script() {
        let question = Question { open: Open::starting_at(0), effects: Effects::default() };
        let mut host = Scripted::new(question, |_: &Asked<&str>| None);
        let (slow, quick, stopped) = (host.start(20), host.start(30), host.start(40));
        assert_eq!((host.open.len(), host.timers()), (3, 3));

        host.advance(19.0);
        assert_eq!(host.settle(Number(2), said("yes")), Ok(()));
        assert_eq!(host.settle(Number(2), said("no")), Err(Misuse::Late));
        assert_eq!(host.settle(Number(1), said("no")), Err(Misuse::Other));
        assert_eq!(host.settle(Number(9), said("no")), Err(Misuse::Unknown));
        host.advance(1.0);
        assert!(host.open[&Number(0)], "the signal of the slow call has fired");
        assert_eq!(host.settle(Number(0), said("yes")), Err(Misuse::Late));
        host.cancel(stopped).unwrap();
        host.advance(1_000.0);

        let text = |call| host.returned[&call].as_deref();
        assert_eq!((text(slow), text(quick), text(stopped)), (Some("late"), Some("yes"), Some("stopped")));
        assert_eq!((host.timers(), host.now_ms()), (0, 1_020.0));
    }
}
