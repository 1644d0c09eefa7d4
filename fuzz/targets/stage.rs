//! The stage of auto mode on a host that a script plays, and the counters of denials.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use toolgate::auto_stage::{Ask, Considered, Memory, Outcome, Payload, Proposed, Stage, Start};
use toolgate::fallback::{DenialState, Verdict};
use toolgate::json::read;
use toolgate::machine::{Asked, Number, Scripted, Settlement};
use toolgate::vocabulary::{ConfirmationOutcome, FallbackReason, Kind, PermissionMode, RiskLevel};
use toolgate::wire;

use super::machines::{Player, Watched, play, settlement};
use super::question::HOST;
use super::script::Script;

const ALLOW: &str = r#"{"verdict":"allow"}"#;
const ANSWERS: &[&str] = &[
    "\"{\\\"verdict\\\":\\\"allow\\\"}\"",
    "\"{\\\"verdict\\\":\\\"ask\\\",\\\"reason\\\":\\\"a rule\\\"}\"",
    "\"sure\"",
    "\"{\\\"verdict\\\":\\\"deny\\\"}\"",
    ALLOW,
    "null",
];
const SETTINGS: &[&str] = &[
    r#"{"classifier":{"enabled":true,"timeoutMs":100}}"#,
    r#"{"classifier":{"enabled":true,"timeoutMs":100,"cacheMaxEntries":1}}"#,
    r#"{"classifier":{"enabled":true,"timeoutMs":0,"route":"other"},"soft_deny":["$defaults","a rule"]}"#,
    r#"{"classifier":{"enabled":true,"timeoutMs":100},"soft_deny":[7]}"#,
    r#"{"classifier":{"enabled":"true"}}"#,
    "null",
];
const ROUTES: &[&str] = &[
    r#"{"provider":"p","model":"m"}"#,
    r#"{"provider":"p","model":"n"}"#,
    "null",
    r#"{"provider":"p"}"#,
    "\"p/m\"",
];
const HISTORIES: &[&str] = &[
    "[]",
    r#"[{"provider":"p","model":"m","failure":"error"},{"provider":"p","model":"m","failure":"timeout"}]"#,
    r#"[7,null,{"failure":"error"}]"#,
    "{}",
];

/// The host: the answers of its model stay open, for the script to settle.
#[derive(Default)]
struct World {
    /// What was shown in each model call.
    shown: BTreeMap<Number, String>,
    /// What a model was shown and allowed.
    allowed: Vec<String>,
    /// The line of each call, in order.
    lines: Vec<String>,
}

impl Player<Stage> for World {
    fn start(&mut self, script: &mut Script<'_>) -> Start {
        if script.one_in(16) {
            self.lines.push(String::new());
            return Start::Rebuild;
        }
        let line = format!("line {}.", script.below(5));
        self.lines.push(line.clone());
        // Mostly a question that is open.
        let (mode, level, kind, effective) = match script.below(8) {
            5 => (*script.pick(PermissionMode::ALL), RiskLevel::Low, Kind::Passthrough, Kind::Passthrough),
            6 => (
                PermissionMode::Auto,
                *script.pick(RiskLevel::ALL),
                *script.pick(Kind::ALL),
                *script.pick(Kind::ALL),
            ),
            7 => (PermissionMode::Auto, RiskLevel::Low, Kind::Ask, Kind::Allow),
            _ => (PermissionMode::Auto, RiskLevel::Low, Kind::Passthrough, Kind::Passthrough),
        };
        let payload = if script.one_in(8) {
            Payload::of(&read(&format!(r#"{{"a":[1,{{"b":"{line}"}}],"content":"x"}}"#)).expect("JSON"))
        } else {
            Payload::Command(line)
        };
        Start::Call(Box::new(Proposed {
            session: script.pick(&["s", "t", ""]).to_string(),
            tool: "Bash".into(),
            payload,
            decision: Considered { mode, level, kind, effective },
            is_read_only: script.one_in(16),
        }))
    }

    fn answer(&mut self, number: Number, script: &mut Script<'_>) -> Settlement {
        let settlement = settlement(script, ANSWERS);
        let allows = Settlement::Fulfilled(read(ANSWERS[0]).expect("JSON"));
        if settlement == allows {
            self.allowed.push(self.shown[&number].clone());
        }
        settlement
    }
}

fn asked(world: &RefCell<World>, script: &RefCell<Script<'_>>, asked: &Asked<Ask>) -> Option<Settlement> {
    let script = &mut script.borrow_mut();
    let texts = match &asked.ask {
        Ask::Settings => SETTINGS,
        Ask::Route { .. } => ROUTES,
        Ask::History { .. } => HISTORIES,
        Ask::Audit { .. } | Ask::Warn { .. } => &["null"],
        Ask::Complete { prompt, .. } => {
            world.borrow_mut().shown.insert(asked.number.expect("a call"), prompt.clone());
            return None;
        }
    };
    // Mostly the first.
    if script.one_in(4) {
        Some(settlement(script, texts))
    } else {
        Some(Settlement::Fulfilled(read(texts[0]).expect("JSON")))
    }
}

/// What came of a script.
struct Played {
    /// By caller; none where the host threw.
    outcomes: Vec<Option<Outcome>>,
    stage: Stage,
    /// Behind the numbers that it gave.
    next: u32,
    /// What a model was shown and allowed.
    allowed: Vec<String>,
}

fn played(stage: Stage, first: u32, kept: &[String], bytes: &[u8]) -> Played {
    let world = Rc::new(RefCell::new(World::default()));
    let script = Rc::new(RefCell::new(Script::of(bytes)));
    let (of_host, of_script) = (Rc::clone(&world), Rc::clone(&script));
    let mut host =
        Scripted::new(Watched::new(stage), move |asking: &Asked<Ask>| asked(&of_host, &of_script, asking));
    play(&mut host, &world, &script);
    for (outcome, line) in host.returned.values().zip(&world.borrow().lines) {
        if *outcome == Some(Outcome::Allow) {
            let is_said = world.borrow().allowed.iter().chain(kept).any(|prompt| prompt.contains(line));
            assert!(is_said, "{line:?} was never allowed");
        }
    }
    let allowed = world.borrow().allowed.clone();
    let outcomes: Vec<_> = host.returned.into_values().collect();
    Played { outcomes, allowed, next: host.machine.next().unwrap_or(first), stage: host.machine.machine }
}

/// Half of a script; then the other half, on that stage and on one that is made of its snapshot.
pub fn stage(script: &mut Script<'_>) {
    let bytes = script.rest();
    let (before, after) = bytes.split_at(bytes.len() / 2);
    let Played { stage, next, allowed, .. } = played(Stage::default(), 0, &[], before);
    let snapshot = stage.memory().snapshot(true);
    let restored = Memory::restore(&read(&snapshot).expect("JSON")).expect("a snapshot");
    let [one, other] = [stage, Stage::new(restored, next)].map(|stage| played(stage, next, &allowed, after));
    assert_eq!(one.outcomes, other.outcomes, "a snapshot that goes on otherwise: {snapshot}");
    assert_eq!(one.stage.memory().snapshot(true), other.stage.memory().snapshot(true));
}

pub fn denials(script: &mut Script<'_>) {
    let (mut state, mut model) = (DenialState::default(), super::denials_model::Model::default());
    let mut crossing: Option<String> = None;
    while !script.is_over() {
        use super::denials_model::{Step, play};
        let call = *script.pick(&[None, Some("a"), Some("b")]);
        let step = match script.below(10) {
            0 => Step::Apply(Verdict::Allow, call),
            1 | 2 => Step::Apply(Verdict::Block("no"), call),
            3 | 4 => Step::Apply(Verdict::Unavailable("late"), call),
            5 => Step::Apply(Verdict::Destructive("rm"), call),
            6 => Step::Apply(Verdict::Fallback(*script.pick(FallbackReason::ALL)), call),
            7 => Step::Apply(Verdict::Unknown, call),
            8 => Step::Resolve(*script.pick(ConfirmationOutcome::ALL)),
            _ => Step::Reset,
        };
        play(&mut state, &step);
        model.play(&step);
        assert!(model.is(&state), "{step:?} {state:?}");
        // The same over text.
        let (what, reason, call) = match &step {
            Step::Apply(verdict, call) => {
                let (word, reason) = match verdict {
                    Verdict::Allow => ("apply allow", ""),
                    Verdict::Block(reason) => ("apply block", *reason),
                    Verdict::Unavailable(reason) => ("apply unavailable", *reason),
                    Verdict::Destructive(reason) => ("apply destructive", *reason),
                    Verdict::Fallback(reason) => ("apply fallback", reason.as_str()),
                    Verdict::Unknown => ("apply it", ""),
                };
                (word.to_owned(), reason, *call)
            }
            Step::Resolve(choice) => (format!("resolve {}", choice.as_str()), "", None),
            Step::Reset => {
                crossing = None;
                continue;
            }
        };
        let answer = wire::call("denialStep", &[crossing.as_deref(), Some(&what), Some(reason), call], HOST)
            .expect("a step");
        let (text, _) = answer.split_once('\n').expect("a state, and what comes of it");
        let other = super::value(text);
        assert_eq!(
            (other["consecutiveBlock"].as_u64(), other["totalUnavailable"].as_u64()),
            (Some(state.consecutive_block), Some(state.total_unavailable))
        );
        assert_eq!(other["pendingManualRetryFingerprint"].as_str(), state.mark.as_deref());
        crossing = Some(text.to_owned());
    }
}
