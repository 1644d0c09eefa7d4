//! The evidence classifier: on hosts with a plan, beside the reference model; and on hosts that do anything in any order.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use toolgate::evidence::{Ask, Classifier, ClassifierError, Judgement, Start};
use toolgate::json::{Json, read};
use toolgate::machine::{Asked, Number, Scripted, Settlement};

use super::machines::{Player, Watched, play, settlement};
use super::script::Script;
use super::shapes::edited;

#[path = "../../tests/rounds/host.rs"]
mod host;
#[path = "../../tests/rounds/model.rs"]
mod model;
#[path = "../../tests/rounds/plan.rs"]
mod plan;

use plan::{File, Identity, NONCE, Plan, Random, Reply, Size};

pub fn classifier(script: &mut Script<'_>) {
    if script.one_in(2) {
        host::check(&Plan::of(&mut Random::said(script.rest())));
    } else {
        anything(script.clone());
    }
}

static REQUEST: LazyLock<Json> = LazyLock::new(|| {
    let request = r#"{"action":{"arguments":{"command":"node a.mjs"},"toolName":"mem_save"},"humanRequests":["Do it."],
        "evidencePaths":["a.mjs","b.mjs"],"timeoutMs":1000,"overallTimeoutMs":60000,"inputByteBudget":4096,
        "memoryContext":{"a":[1]},"toolHistory":[{"toolName":"x","arguments":{},"result":"y"}]}"#;
    read(request).expect("JSON")
});

const WORDS: &[&str] = &[
    "a.mjs",
    "action",
    "evidencePaths",
    "timeoutMs",
    "../x",
    "inputByteBudget",
    "toolName",
    "password: hunter2",
];

#[derive(Clone, Copy)]
enum For {
    Size,
    Identity,
    Model,
    Inspection,
}

#[derive(Default)]
struct World {
    open: BTreeMap<Number, For>,
    /// A model said `allow`.
    is_allowed: bool,
}

impl Player<Classifier> for World {
    fn start(&mut self, script: &mut Script<'_>) -> Start {
        let error: &&str = script.pick(&["stale", "provider-error", "request-too-large", "timeout"]);
        Start {
            request: (!script.one_in(16)).then(|| edited(&REQUEST, script, WORDS)),
            refusal: if script.one_in(16) { ClassifierError::parse(error) } else { None },
            has_files: !script.one_in(8),
            is_held: script.one_in(16),
            nonce: (!script.one_in(16)).then(|| NONCE.into()),
        }
    }

    fn answer(&mut self, number: Number, script: &mut Script<'_>) -> Settlement {
        if script.one_in(6) {
            return settlement(
                script,
                &["true", "null", "{}", r#"{"size":1}"#, r#"{"text":"{\"decision\":\"deny\"}"}"#],
            );
        }
        match self.open[&number] {
            For::Size => script
                .pick(&[Size::Fits, Size::Fits, Size::Missing, Size::TooLarge, Size::Nonsense])
                .settlement(),
            For::Identity => {
                script.pick(&[Identity::Yes, Identity::Yes, Identity::Yes, Identity::No]).settlement()
            }
            For::Model => {
                let replies = [
                    Reply::Allow,
                    Reply::Ask("a.mjs"),
                    Reply::Ask("b.mjs"),
                    Reply::Deny,
                    Reply::AskTwo,
                    Reply::Fails,
                ];
                let reply = *script.pick(&replies);
                self.is_allowed |= reply == Reply::Allow;
                reply.settlement(Some(script.byte().into()))
            }
            For::Inspection => {
                let files = [
                    File::Text("let x = 1;\n"),
                    File::Text(""),
                    File::Secret,
                    File::WithNonce,
                    File::Linked,
                    File::NotText,
                ];
                script.pick(&files).settlement()
            }
        }
    }
}

fn anything(script: Script<'_>) {
    let world = Rc::new(RefCell::new(World::default()));
    let script = RefCell::new(script);
    let of_host = Rc::clone(&world);
    let classifier = Watched::new(Classifier::starting_at(0));
    let mut host = Scripted::new(classifier, move |asked: &Asked<Ask>| {
        let what = match asked.ask {
            Ask::Lease(_) | Ask::LateReceipt(..) => return None,
            Ask::Size(_) => For::Size,
            Ask::Identity => For::Identity,
            Ask::Model(_) => For::Model,
            Ask::Inspection(_) => For::Inspection,
        };
        of_host.borrow_mut().open.insert(asked.number.expect("a call"), what);
        None
    });
    play(&mut host, &world, &script);
    assert!(!host.machine.machine.is_leased(), "everything has ended, and the lease is kept");
    for outcome in host.returned.values() {
        let outcome = outcome.as_ref().expect("it rethrows nothing");
        host::inert(outcome);
        if let Judgement::Allow(_) = outcome.judgement {
            assert!(world.borrow().is_allowed, "nobody allowed it");
        }
    }
}
