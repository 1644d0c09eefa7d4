//! Review gates: every order of events that a script chooses on the host of the model, and any texts in any order.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use toolgate::json::{Canonical, Json, read};
use toolgate::machine::{Asked, Event, Machine, Number, Scripted, Settlement};
use toolgate::review::{Ask, Assessment, Opening, Part, Remains, Reply, ReviewSession, Start, Subject};

use super::machines::{self, Player, Watched, settlement};
use super::script::Script;
use super::shapes::edited;

#[path = "../../tests/review/checks.rs"]
mod checks;
#[path = "../../tests/review/play.rs"]
mod play;
#[path = "../../tests/review/samples.rs"]
pub mod samples;

use play::{Move, Plan, Run, World, made};
use samples::{basis, context, request};

pub fn gates(script: &mut Script<'_>) {
    if script.one_in(2) {
        ordered(script);
    } else {
        anything(script.clone());
    }
}

const RUNS: &[Run] = &[Run::Allows, Run::WantsPerson, Run::Rejects, Run::Strays];

thread_local! {
    /// Sessions that were opened, one for each way in which a host behaves.
    static OPENED: Vec<World> = [(false, false), (true, false), (false, true)]
        .map(|(has_slow_audits, observes)| World::new(Plan { has_slow_audits, observes, runs: RUNS }))
        .to_vec();
}

/// Moves of the model's own host. After them holds what holds in every state.
fn ordered(script: &mut Script<'_>) {
    let mut world = OPENED.with(|opened| script.pick(opened).clone());
    let outside = [
        Move::Person("Deny"),
        Move::Person("Approve"),
        Move::Person("Approve always for this workspace"),
        Move::Drift,
        Move::EndTurn,
        Move::Close,
        Move::Forged,
    ];
    while !script.is_over() {
        let moves = world.moves();
        let chosen =
            if moves.is_empty() || script.one_in(4) { script.pick(&outside) } else { script.pick(&moves) };
        world.play(*chosen);
        assert!(world.seen.durable.len() <= 1, "a gate that is resolved twice");
    }
    checks::check(&world);
}

struct Right {
    basis: Json,
    request: Json,
    context: Json,
    answers: [Json; 2],
    observation: Json,
}

fn text_of(part: &impl Part) -> String {
    let mut to = Canonical::kept();
    part.write(&mut to);
    to.into_text()
}

static RIGHT: LazyLock<Right> = LazyLock::new(|| {
    let of = |text: &str| read(text).expect("JSON");
    Right {
        basis: of(&text_of(&basis())),
        request: of(&text_of(&*request())),
        context: of(&text_of(&context())),
        answers: [
            of(r#"{"action":"Approve","source":{"kind":"user","reason":""}}"#),
            of(r#"{"action":"Approve","source":{"kind":"classifier","reason":"c0"}}"#),
        ],
        observation: of(r#"{"target":"/workspace/a","token":"1"}"#),
    }
});

const WORDS: &[&str] = &[
    "Approve",
    "Deny",
    "Approve always for this workspace",
    "user",
    "classifier",
    "gate-policy-v1",
    "action",
    "source",
    "low",
];

/// A host of which nothing is expected but that its numbers are the session's.
#[derive(Default)]
struct Anything {
    /// What is open, as far as its answer can be right.
    open: BTreeMap<Number, Vec<&'static str>>,
    runs: Vec<Number>,
}

impl Player<ReviewSession> for Anything {
    fn start(&mut self, script: &mut Script<'_>) -> Start {
        let right = &*RIGHT;
        let gate = if script.one_in(8) { script.text() } else { basis().gate_id };
        match script.below(12) {
            0..=2 => {
                let mut given = |right: &Json| (!script.one_in(16)).then(|| edited(right, script, WORDS));
                let (basis, request, context) =
                    (given(&right.basis), given(&right.request), given(&right.context));
                Start::Open(Opening { is_gate: !script.one_in(8), basis, request, context, actions: None })
            }
            3 | 4 => Start::Begin(gate),
            5 | 6 => {
                let right = script.pick(&right.answers);
                Start::Respond(gate, edited(right, script, WORDS))
            }
            7 => Start::Resolution(gate),
            8 => Start::EndTurn(context().coordinates.turn_id),
            9 => Start::Close,
            _ => {
                let run = self.runs.last().copied().unwrap_or(Number(script.byte().into()));
                Start::Observe(run, edited(&right.observation, script, WORDS))
            }
        }
    }

    fn answer(&mut self, number: Number, script: &mut Script<'_>) -> Settlement {
        settlement(script, self.open.get(&number).map_or(&["null"], Vec::as_slice))
    }

    /// A gate waits for its person as long as the session lasts.
    fn last(&mut self) -> Option<Start> {
        Some(Start::Close)
    }
}

fn anything(script: Script<'_>) {
    let world = Rc::new(RefCell::new(Anything::default()));
    let script = Rc::new(RefCell::new(script));
    let (of_host, of_script) = (Rc::clone(&world), Rc::clone(&script));
    // What was shown to a classifier last, and whether an assessment of it recommended to allow it.
    let shown = Rc::new(RefCell::new(None::<Subject>));
    let is_recommended = Rc::new(RefCell::new(false));
    let recommended = Rc::clone(&is_recommended);
    let session = Watched::new(made(&Remains::default()));
    let mut host = Scripted::new(session, move |asked: &Asked<Ask>| {
        let script = &mut of_script.borrow_mut();
        let texts = match &asked.ask {
            Ask::Applies(_, subject) => {
                *shown.borrow_mut() = Subject::parse(subject).ok();
                return Some(settlement(script, &["true", "true", "true", "true", "false", "null"]));
            }
            Ask::ValidateResult(_) => {
                let basis =
                    shown.borrow().as_ref().map(|subject| subject.basis().clone()).unwrap_or_default();
                let right = Assessment {
                    basis,
                    risk: "low".into(),
                    authorization: "unknown".into(),
                    recommendation: "allow".into(),
                    ..Assessment::default()
                };
                *recommended.borrow_mut() = true;
                let text = if script.one_in(3) {
                    edited(&read(&right.text()).expect("JSON"), script, WORDS)
                } else {
                    right.text()
                };
                return Some(read(&text).map_or(Settlement::Unreadable, Settlement::Fulfilled));
            }
            Ask::MarshalInput(_) => &["null", "{}"][..],
            Ask::Live(_) => &[
                r#"{"revision":"gate-policy-v1"}"#,
                r#"{"revision":"gate-policy-v1"}"#,
                r#"{"revision":"x"}"#,
                "null",
            ],
            Ask::Run(_, run) => {
                of_host.borrow_mut().runs.push(*run);
                &["null"]
            }
            Ask::Verify(_) => &["true", "true", "false"],
            Ask::Append(_) | Ask::Audit(_) => &["null"],
            Ask::Interrupt(_) | Ask::Warn(_) | Ask::Tripped | Ask::Idle => return None,
        };
        if asked.may_wait && script.one_in(2) {
            of_host.borrow_mut().open.insert(asked.number.expect("a call"), texts.to_vec());
            return None;
        }
        Some(if script.one_in(8) {
            settlement(script, texts)
        } else {
            Settlement::Fulfilled(read(texts[0]).expect("JSON"))
        })
    });
    machines::play(&mut host, &world, &script);
    let gate = basis().gate_id;
    let durable = host.machine.machine.resolution(&gate).cloned();
    for reply in host.returned.values() {
        if let Some(Reply::Resolved(resolution)) = reply {
            assert_eq!(Some(resolution), durable.as_ref(), "somebody is told of another resolution");
        }
    }
    if durable.as_ref().is_some_and(|resolution| resolution.source.kind == "classifier") {
        assert!(*is_recommended.borrow(), "a review that nobody recommended");
        assert_eq!(durable.as_ref().map(|resolution| resolution.action.as_str()), Some("Approve"));
    }
    // Whatever is left of it makes a session with the same gates.
    let kept = host.machine.machine.kept();
    let mut fresh = made(&Remains { kept: Some(&kept), first: 1_000, appends: vec![] });
    assert_eq!(fresh.resolution(&gate), durable.as_ref());
    assert_eq!(fresh.kept(), kept);
    let late = Event::Settled { number: Number(1), settlement: Settlement::Threw };
    assert!(fresh.handle(late, 0.0).is_err());
}
