//! Scripts for review sessions, on a fake host in virtual time. It does what the façade's driver does: an event is handled
//! at once, effects wait in one queue, promises settle when that is empty.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value, json};
use toolgate::dialect::Dialect;
use toolgate::json::Json;
use toolgate::machine::{Effect, Event, Machine, Number, Settlement};
use toolgate::review::{Ask, Opening, Place, Reply, ReviewSession, Start};
use toolgate::wire::machine::Crosses;

use super::super::crossing::{crossed, json_of, text_of};
use super::super::notation::expand;
use super::{Came, session};

/// `{host, gate, script}`; what came at each `expect` step, and at the end.
pub(crate) fn script(input: &Value, _: &'static Dialect) -> Came {
    let (host, gate) = (expand(&input["host"]), expand(&input["gate"]));
    let session = match session(&host) {
        Ok(session) => session,
        Err(refusal) => return Some(Ok(json!({ "refused": refusal }))),
    };
    let mut world = World {
        revision: host.get("policyRevision").or(host["policy"].get("revision")).cloned().unwrap_or_default(),
        current_basis: host["currentBasis"].clone(),
        host,
        gate,
        session,
        queue: VecDeque::new(),
        now_ms: 0.0,
        timers: BTreeMap::new(),
        runs: BTreeMap::new(),
        pending: Vec::new(),
        ready: VecDeque::new(),
        begins: VecDeque::new(),
        results: BTreeMap::new(),
        subjects: BTreeMap::new(),
        opened: BTreeMap::new(),
        calls: BTreeMap::new(),
        next_call: 0,
        log: Vec::new(),
        settled: Map::new(),
        resolutions: Map::new(),
    };
    let mut steps = Vec::new();
    for step in input["script"].as_array()? {
        match step.get("expect") {
            Some(_) => steps.push(world.look()),
            None => world.step(&expand(step))?,
        }
    }
    steps.push(world.look());
    Some(Ok(json!({ "steps": steps })))
}

/// A callback of the host that has not come to its end.
struct Pending {
    number: Number,
    what: What,
    is_aborted: bool,
}

#[derive(Clone, PartialEq)]
enum What {
    Run(Place),
    Verify,
    Append,
    Audit,
}

/// A promise of the host that settles by itself.
struct Ready {
    number: Number,
    observations: Vec<Value>,
    settlement: Settlement,
}

/// Who called, and what is to be done with the reply.
enum Called {
    Open(String, Option<String>),
    Labelled(String),
    Resolution(String),
    Unheard,
}

struct World {
    host: Value,
    gate: Value,
    session: ReviewSession,
    queue: VecDeque<Effect<Ask, Reply>>,
    now_ms: f64,
    timers: BTreeMap<Number, f64>,
    /// What the policy's revision and the basis are now.
    revision: Value,
    current_basis: Value,
    /// How often each classifier has run.
    runs: BTreeMap<usize, usize>,
    pending: Vec<Pending>,
    ready: VecDeque<Ready>,
    begins: VecDeque<String>,
    /// What the last run for a gate gave, and its subject.
    results: BTreeMap<String, Value>,
    subjects: BTreeMap<String, Value>,
    /// The basis of each gate, as it was opened.
    opened: BTreeMap<String, Value>,
    calls: BTreeMap<Number, Called>,
    next_call: u32,
    log: Vec<Value>,
    settled: Map<String, Value>,
    resolutions: Map<String, Value>,
}

impl World {
    fn step(&mut self, step: &Value) -> Option<()> {
        let label = step["as"].as_str().map(str::to_owned);
        let called = || label.clone().map_or(Called::Unheard, Called::Labelled);
        let gate = step["gate"].as_str().or(self.gate["basis"]["gate_id"].as_str())?.to_owned();
        match step["do"].as_str()? {
            "openGate" => {
                let gate = changed(&self.gate, step)?;
                let id = gate["basis"]["gate_id"].as_str().unwrap_or_default().to_owned();
                self.opened.entry(id.clone()).or_insert_with(|| gate["basis"].clone());
                self.start(Called::Open(id, label), Start::Open(opening(&gate)));
            }
            "respond" => self.start(called(), Start::Respond(gate, text_of(&step["answer"]))),
            "humanAnswers" => {
                let source = json!({ "kind": "user", "reason": "answered" });
                let answer = json!({ "action": step["action"], "source": source });
                self.start(called(), Start::Respond(gate, answer.to_string()));
            }
            "resolution" => self.start(called(), Start::Resolution(gate)),
            "settleRun" => {
                let name = step["classifier"].as_str()?;
                let is_its = |pending: &Pending| match &pending.what {
                    What::Run(place) => self.classifier(place.classifier)["name"] == name,
                    _ => false,
                };
                let at = if step["newest"] == true {
                    self.pending.iter().rposition(is_its)?
                } else {
                    self.pending.iter().position(is_its)?
                };
                let pending = self.pending.remove(at);
                let What::Run(place) = pending.what else { return None };
                self.end_run(pending.number, &place, &step["with"]);
            }
            "observe" => {
                let name = step["classifier"].as_str()?;
                let number = self.newest_run(name)?;
                for _ in 0..step["times"].as_u64().unwrap_or(1) {
                    self.observe(number, &step["observation"]);
                }
            }
            "settleVerify" => {
                let number = self.oldest(&What::Verify)?;
                let settlement = if step["value"] == "reject" {
                    Settlement::Rejected(Json::Null)
                } else {
                    Settlement::Fulfilled(Json::Bool(step["value"] == true))
                };
                self.ready.push_back(Ready { number, observations: Vec::new(), settlement });
            }
            "settleAppend" => self.settle(&What::Append, &step["ok"])?,
            "settleAudit" => self.settle(&What::Audit, &step["ok"])?,
            "setPolicyRevision" => self.revision = step["value"].clone(),
            "setCurrentBasis" => self.current_basis = step["value"].clone(),
            "advance" => self.advance(step["ms"].as_f64()?),
            "endTurn" => self.start(Called::Unheard, Start::EndTurn(step["turn"].as_str()?.to_owned())),
            "close" => self.start(Called::Unheard, Start::Close),
            "repeat" => {
                for n in step["from"].as_u64()?..=step["to"].as_u64()? {
                    for step in step["steps"].as_array()? {
                        let text = step.to_string().replace("{n}", &format!("{n:04x}"));
                        self.step(&serde_json::from_str(&text).ok()?)?;
                    }
                }
            }
            _ => return None,
        }
        self.drain();
        Some(())
    }

    /// Everything that is ready happens.
    fn drain(&mut self) {
        loop {
            if let Some(effect) = self.queue.pop_front() {
                self.run(effect);
            } else if let Some(Ready { number, observations, settlement }) = self.ready.pop_front() {
                for observation in &observations {
                    self.observe(number, observation);
                }
                self.handle(Event::Settled { number, settlement });
            } else if let Some(gate) = self.begins.pop_front() {
                self.start(Called::Unheard, Start::Begin(gate));
            } else {
                return;
            }
        }
    }

    fn start(&mut self, called: Called, start: Start) {
        let call = Number(self.next_call);
        self.next_call += 1;
        if let Called::Labelled(label) | Called::Open(_, Some(label)) = &called {
            self.settled.insert(label.clone(), "pending".into());
        }
        self.calls.insert(call, called);
        self.handle(Event::Start { call, start, is_cancelled: false });
    }

    fn handle(&mut self, event: Event<Start>) {
        // A late event changes nothing; that is what is looked at.
        let _ = self.session.handle(event, self.now_ms);
        while let Some(effect) = self.session.poll() {
            // What is given up before its turn has come is not begun.
            let withdrawn = match effect {
                Effect::Abort { number } => self.queue.iter().position(|other| begins(other, number)),
                _ => None,
            };
            match withdrawn {
                Some(at) => drop(self.queue.remove(at)),
                None => self.queue.push_back(effect),
            }
        }
    }

    fn advance(&mut self, ms: f64) {
        let until = self.now_ms + ms;
        loop {
            self.drain();
            let due = self.timers.iter().filter(|(_, due)| **due <= until);
            let Some((number, due)) = due.min_by(|a, b| a.1.total_cmp(b.1)).map(|(n, due)| (*n, *due)) else {
                break;
            };
            self.timers.remove(&number);
            self.now_ms = due;
            self.handle(Event::TimerFired { number });
        }
        self.now_ms = until;
    }

    fn run(&mut self, effect: Effect<Ask, Reply>) {
        match effect {
            Effect::Ask { number, ask } => {
                let settlement = self.answer(&ask);
                self.handle(Event::Settled { number, settlement });
            }
            Effect::Call { number, ask } => self.call(number, &ask),
            Effect::Tell { ask } => match &ask {
                Ask::Warn(_) => self.log.push(json!({ "warn": value_of(&ask) })),
                Ask::Interrupt(_) if self.host["interrupt"] == true => {
                    self.log.push(json!({ "interrupt": value_of(&ask) }));
                }
                _ => {}
            },
            Effect::Abort { number } => self.abort(number),
            Effect::Arm { number, after_ms } => {
                self.timers.insert(number, self.now_ms + f64::from(after_ms));
            }
            Effect::Disarm { number } => {
                self.timers.remove(&number);
            }
            Effect::Return { call, result } => self.returned(call, &result),
            Effect::Rethrow { .. } | Effect::Keep { .. } => {}
        }
    }

    fn returned(&mut self, call: Number, result: &Reply) {
        let value = crossed(|to| ReviewSession::write_result(result, to))[0].take();
        let outcome = |fulfilled: Value| match value["refused"].as_str() {
            None => fulfilled,
            Some(text) => {
                let refusal: Value = serde_json::from_str(text).unwrap_or_default();
                json!({ "field": refusal["field"], "reason": refusal["reason"] })
            }
        };
        match self.calls.remove(&call) {
            Some(Called::Open(id, label)) => {
                self.settled.extend(label.map(|label| (label, outcome("ok".into()))));
                if value["refused"].is_null() {
                    self.log.push(json!({ "opened": id }));
                    self.resolutions.insert(id.clone(), "pending".into());
                    self.start(Called::Resolution(id.clone()), Start::Resolution(id.clone()));
                    self.begins.push_back(id);
                }
            }
            Some(Called::Labelled(label)) => {
                self.settled.insert(label, outcome("ok".into()));
            }
            Some(Called::Resolution(id)) => {
                self.resolutions.insert(id, outcome(value["resolution"].clone()));
            }
            Some(Called::Unheard) | None => {}
        }
    }

    /// What a callback gives at once.
    fn answer(&mut self, ask: &Ask) -> Settlement {
        let value = value_of(ask);
        match ask {
            Ask::Applies(place, _) => {
                self.subjects.insert(place.gate.clone(), value["subject"].clone());
                self.note("applies", place);
                thrown_or(&self.classifier(place.classifier)["applies"], true)
            }
            Ask::MarshalInput(place) => {
                self.note("marshalInput", place);
                match thrown_or(&self.classifier(place.classifier)["marshalInput"], true) {
                    Settlement::Threw => Settlement::Threw,
                    _ => Settlement::Fulfilled(Json::Null),
                }
            }
            Ask::ValidateResult(place) => {
                self.note("validateResult", place);
                self.validated(place)
            }
            Ask::Live(gate) => {
                let revision = if self.revision == "throw" { Value::Null } else { self.revision.clone() };
                let basis = self.current_basis.as_object().map(|changes| {
                    let own = &self.opened[gate];
                    let names = ["tool_execution_id", "context_revision", "security_ceiling"];
                    let member =
                        |name: &str| (name.to_owned(), changes.get(name).unwrap_or(&own[name]).clone());
                    names.map(member).into_iter().collect::<Map<_, _>>()
                });
                Settlement::Fulfilled(json_of(&json!({ "revision": revision, "basis": basis })))
            }
            _ => Settlement::Threw,
        }
    }

    /// A callback that may take its time.
    fn call(&mut self, number: Number, ask: &Ask) {
        let value = value_of(ask);
        let manner = |name: &str| self.host[name].as_str().unwrap_or("ok").to_owned();
        let (what, manner) = match ask {
            Ask::Run(place, _) => {
                self.note("run", place);
                return self.begin_run(number, place);
            }
            Ask::Verify(_) => {
                self.log.push(json!({ "verify": value }));
                (What::Verify, manner("verify"))
            }
            Ask::Append(_) => {
                self.log.push(json!({ "append": value }));
                (What::Append, manner("append"))
            }
            _ => {
                self.log.push(json!({ "audit": value }));
                (What::Audit, manner("audit"))
            }
        };
        let settlement = match manner.as_str() {
            "manual" => return self.pending.push(Pending { number, what, is_aborted: false }),
            "throw" => return self.handle(Event::Settled { number, settlement: Settlement::Threw }),
            "reject" => Settlement::Rejected(Json::Null),
            manner => Settlement::Fulfilled(Json::Bool(manner != "false")),
        };
        self.ready.push_back(Ready { number, observations: Vec::new(), settlement });
    }

    fn begin_run(&mut self, number: Number, place: &Place) {
        let count = self.runs.entry(place.classifier).or_default();
        let at = *count;
        *count += 1;
        let runs = self.classifier(place.classifier)["runs"].as_array().cloned().unwrap_or_default();
        let run = runs.get(at).or(runs.last()).cloned().unwrap_or_else(|| json!({ "answer": "allow" }));
        if run["throw"] == true {
            self.handle(Event::Settled { number, settlement: Settlement::Threw });
        } else if run["manual"] == true {
            self.pending.push(Pending { number, what: What::Run(place.clone()), is_aborted: false });
        } else {
            self.end_run(number, place, &run);
        }
    }

    fn end_run(&mut self, number: Number, place: &Place, run: &Value) {
        let observations = run["observe"].as_array().cloned().unwrap_or_default();
        let settlement = if run["reject"] == true {
            Settlement::Rejected(Json::Null)
        } else {
            self.results.insert(place.gate.clone(), run.clone());
            Settlement::Fulfilled(Json::Null)
        };
        self.ready.push_back(Ready { number, observations, settlement });
    }

    /// What `validateResult` makes of what the run gave.
    fn validated(&self, place: &Place) -> Settlement {
        let run = &self.results[&place.gate];
        if run["throwValidate"] == true {
            return Settlement::Threw;
        }
        if let Some(returns) = run.get("returns") {
            return Settlement::Fulfilled(json_of(returns));
        }
        let mut assessment = match &run["answer"] {
            Value::String(_) => json!({
                "risk": "low", "authorization": "unknown", "categories": [], "recommendation": "allow", "rationale": "",
            }),
            answer => answer.clone(),
        };
        assessment["basis"] = self.subjects[&place.gate]["basis"].clone();
        for (name, value) in run["basis"].as_object().into_iter().flatten() {
            assessment["basis"][name] = value.clone();
        }
        Settlement::Fulfilled(json_of(&assessment))
    }

    fn abort(&mut self, number: Number) {
        let Some(pending) = self.pending.iter_mut().find(|pending| pending.number == number) else { return };
        pending.is_aborted = true;
        let what = pending.what.clone();
        match &what {
            What::Run(place) => self.note("abort", place),
            What::Verify => self.log.push("abort verify".into()),
            What::Append | What::Audit => {}
        }
    }

    fn observe(&mut self, number: Number, observation: &Value) {
        self.start(Called::Unheard, Start::Observe(number, text_of(observation)));
    }

    /// The newest run of a classifier, whether it has ended or not: an observer outlives its run.
    fn newest_run(&self, name: &str) -> Option<Number> {
        let is_its = |pending: &&Pending| match &pending.what {
            What::Run(place) => self.classifier(place.classifier)["name"] == name,
            _ => false,
        };
        // A number that nobody waits for stands for a run that has ended.
        Some(self.pending.iter().rev().find(is_its).map_or(Number(u32::MAX), |pending| pending.number))
    }

    fn oldest(&mut self, what: &What) -> Option<Number> {
        let at = self.pending.iter().position(|pending| pending.what == *what)?;
        Some(self.pending.remove(at).number)
    }

    fn settle(&mut self, what: &What, ok: &Value) -> Option<()> {
        let number = self.oldest(what)?;
        let settlement =
            if *ok == true { Settlement::Fulfilled(Json::Null) } else { Settlement::Rejected(Json::Null) };
        self.ready.push_back(Ready { number, observations: Vec::new(), settlement });
        Some(())
    }

    fn classifier(&self, at: usize) -> &Value {
        &self.host["classifiers"][at]
    }

    fn note(&mut self, what: &str, place: &Place) {
        let name = self.classifier(place.classifier)["name"].as_str().unwrap_or_default().to_owned();
        self.log.push(format!("{what} {name}").into());
    }

    /// What is seen now, and since the last look.
    fn look(&mut self) -> Value {
        let log = std::mem::take(&mut self.log);
        let of =
            |name: &str| -> Vec<Value> { log.iter().filter_map(|entry| entry.get(name)).cloned().collect() };
        let audits = of("audit");
        let of_type =
            |name: &str| -> Vec<&Value> { audits.iter().filter(|event| event["type"] == name).collect() };
        let reviewed: Vec<_> =
            of_type("PermissionReviewStarted").iter().map(|event| &event["gate_id"]).collect();
        let completed: Vec<_> = of_type("PermissionReviewCompleted")
            .iter()
            .map(|event| json!([event["gate_id"], event["classifier"], event["status"]]))
            .collect();
        let mut seen = json!({
            "log": log,
            "audits": audits,
            "reviewed": reviewed,
            "completed": completed,
            "warns": of("warn"),
            "interrupts": of("interrupt").len(),
            "appends": of("append"),
            "tripped": self.session.has_tripped(),
        });
        for (kind, values) in [("settled", &self.settled), ("resolutions", &self.resolutions)] {
            for (name, value) in values {
                seen[format!("{kind} {name}")] = value.clone();
            }
        }
        seen
    }
}

fn begins(effect: &Effect<Ask, Reply>, number: Number) -> bool {
    matches!(effect, Effect::Ask { number: other, .. } | Effect::Call { number: other, .. } if *other == number)
}

/// The gate with values put or removed at JSON pointers.
fn changed(gate: &Value, step: &Value) -> Option<Value> {
    let mut gate = gate.clone();
    for (pointer, value) in step["set"].as_object().into_iter().flatten() {
        let (parent, name) = pointer.rsplit_once('/')?;
        match gate.pointer_mut(parent)? {
            Value::Object(members) => drop(members.insert(name.to_owned(), value.clone())),
            Value::Array(items) => *items.get_mut(name.parse::<usize>().ok()?)? = value.clone(),
            _ => return None,
        }
    }
    for pointer in step["unset"].as_array().into_iter().flatten() {
        let (parent, name) = pointer.as_str()?.rsplit_once('/')?;
        gate.pointer_mut(parent)?.as_object_mut()?.remove(name);
    }
    Some(gate)
}

/// A gate as the façade hands it over.
fn opening(gate: &Value) -> Opening {
    let text = |name: &str| gate.get(name).map(text_of);
    let known = ["basis", "request", "context", "actions"];
    let is_gate = gate.as_object().is_some_and(|gate| gate.keys().all(|name| known.contains(&name.as_str())));
    Opening {
        is_gate,
        basis: text("basis"),
        request: text("request"),
        context: text("context"),
        actions: text("actions"),
    }
}

fn thrown_or(value: &Value, default: bool) -> Settlement {
    match value {
        Value::Null => Settlement::Fulfilled(Json::Bool(default)),
        Value::String(text) if text == "throw" => Settlement::Threw,
        value => Settlement::Fulfilled(json_of(value)),
    }
}

/// What a port is handed.
fn value_of(ask: &Ask) -> Value {
    crossed(|to| ReviewSession::write_ask(ask, to))[1].take()
}
