//! The evidence classifier natively: a fake host plays a script in virtual time (evidence.md section 1).

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde_json::{Map, Value, json};
use toolgate::evidence::{Ask, Classifier, ModelCall};
use toolgate::json::{self, Json};
use toolgate::machine::{Asked, Number, Scripted, Settlement};
use toolgate::wire::machine::Crosses;

use super::crossing::{crossed, text_of};

type Came = Option<Result<Value, Value>>;

/// Labels of the parts of a prompt.
const LABELS: [&str; 8] =
    ["human-request", "restriction", "action", "memory", "history", "evidence-path", "evidence", "candidate"];

/// What stands for the host's randomness.
const NONCE: &str = "8f14e45fceea167a5a36dedd4bea2543";

/// What the fake host answers with, and what it saw.
struct World {
    files: Map<String, Value>,
    host: Value,
    identity: VecDeque<Value>,
    identity_default: Value,
    /// What each number was asked for, as vectors call it.
    names: BTreeMap<Number, String>,
    /// The last call of each kind.
    last: BTreeMap<&'static str, Number>,
    calls: Vec<Value>,
    stats: Vec<String>,
    inspected: Vec<String>,
    identity_checks: usize,
    receipts: Vec<Value>,
    aborted: Vec<String>,
}

impl World {
    fn of(input: &Value) -> Self {
        let host = input["host"].clone();
        Self {
            files: input["files"].as_object().cloned().unwrap_or_default(),
            identity: host["identity"].as_array().cloned().unwrap_or_default().into(),
            host,
            identity_default: json!(true),
            names: BTreeMap::new(),
            last: BTreeMap::new(),
            calls: Vec::new(),
            stats: Vec::new(),
            inspected: Vec::new(),
            identity_checks: 0,
            receipts: Vec::new(),
            aborted: Vec::new(),
        }
    }

    fn lacks(&self, callback: &str) -> bool {
        self.host["absent"].as_array().is_some_and(|absent| absent.iter().any(|name| name == callback))
    }

    fn answer(&mut self, asked: &Asked<Ask>) -> Option<Settlement> {
        match &asked.ask {
            Ask::Lease(_) => None,
            Ask::LateReceipt(..) => {
                if !self.lacks("onLateReceipt") {
                    self.receipts.push(crossed(|to| Classifier::write_ask(&asked.ask, to))[1].take());
                }
                None
            }
            Ask::Size(path) => {
                self.stats.push(path.clone());
                self.named("stat", self.stats.len(), asked);
                self.size_of(path)
            }
            Ask::Inspection(path) => {
                self.inspected.push(path.clone());
                self.named("inspect", self.inspected.len(), asked);
                let file = self.files.get(path)?;
                match file.get("inspection") {
                    Some(given) => word(given).unwrap_or_else(|| self.inspection(path, given)),
                    None => self.inspection(path, &json!("file")),
                }
            }
            Ask::Identity if self.lacks("isCurrent") => Some(Settlement::Threw),
            Ask::Identity => {
                self.identity_checks += 1;
                self.named("identity", self.identity_checks, asked);
                let answer = self.identity.pop_front().unwrap_or_else(|| self.identity_default.clone());
                word(&answer).unwrap_or_else(|| Some(fulfilled(&answer)))
            }
            Ask::Model(call) => {
                self.calls.push(told(call));
                self.named("model", call.round, asked);
                let throws = self.host["modelCall"][call.round.to_string()] == "throw";
                throws.then_some(Settlement::Threw)
            }
        }
    }

    fn named(&mut self, kind: &'static str, count: usize, asked: &Asked<Ask>) {
        if let Some(number) = asked.number {
            self.names.insert(number, format!("{kind}:{count}"));
            self.last.insert(kind, number);
        }
    }

    fn size_of(&self, path: &str) -> Option<Settlement> {
        let Some(file) = self.files.get(path) else { return Some(Settlement::Fulfilled(Json::Null)) };
        match file.get("statSize") {
            Some(size) => word(size).unwrap_or_else(|| Some(size_settlement(size))),
            None => Some(size_settlement(&json!(content(file).len()))),
        }
    }

    /// The listed file itself for `file`, else the literal answer.
    fn inspection(&self, path: &str, answer: &Value) -> Option<Settlement> {
        if answer != "file" {
            return Some(fulfilled(answer));
        }
        let Some((position, file)) = self
            .files
            .iter()
            .enumerate()
            .find_map(|(position, (name, file))| (name == path).then_some((position, file)))
        else {
            return Some(fulfilled(&json!({ "status": "missing" })));
        };
        let bytes = content(file);
        let mut before = json!({
            "dev": 1, "ino": 100 + position, "size": bytes.len(), "mtimeMs": 1000, "ctimeMs": 1000, "nlink": 1,
        });
        lay_over(&mut before, &file["before"]);
        let mut after = before.clone();
        lay_over(&mut after, &file["after"]);
        let answer = json!({ "status": "file", "before": before, "after": after });
        Some(Settlement::WithBytes(json::read(&answer.to_string()).ok()?, bytes))
    }
}

fn lay_over(stat: &mut Value, members: &Value) {
    for (name, member) in members.as_object().into_iter().flatten() {
        stat[name.as_str()] = member.clone();
    }
}

fn content(file: &Value) -> Vec<u8> {
    match (file["text"].as_str(), file["hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (_, Some(hex)) => {
            let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
            digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + *digit as u8)).collect()
        }
        _ => Vec::new(),
    }
}

/// What the four words mean; `None` for another answer.
fn word(answer: &Value) -> Option<Option<Settlement>> {
    match answer.as_str()? {
        "throw" => Some(Some(Settlement::Threw)),
        "reject" => Some(Some(Settlement::Rejected(Json::Null))),
        "held" | "never" => Some(None),
        _ => None,
    }
}

/// A value as the façade hands it over.
fn fulfilled(value: &Value) -> Settlement {
    json::read(&text_of(value)).map_or(Settlement::Unreadable, Settlement::Fulfilled)
}

fn size_settlement(size: &Value) -> Settlement {
    if size.is_null() { Settlement::Fulfilled(Json::Null) } else { fulfilled(&json!({ "size": size })) }
}

/// A model call in the words of the vectors.
fn told(call: &ModelCall) -> Value {
    let mut told = crossed(|to| Classifier::write_ask(&Ask::Model(call.clone()), to))[1].take();
    let names: Vec<Value> =
        told["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].clone()).collect();
    told["tools"] = names.into();
    told["parts"] = parts(&call.prompt);
    told
}

/// The texts of each label.
fn parts(prompt: &str) -> Value {
    let nonce = prompt.lines().next().and_then(|line| line.strip_prefix("fence ")).unwrap_or_default();
    let texts = LABELS.iter().map(|label| {
        let (begin, end) = (format!("[[BEGIN {label} {nonce}]]\n"), format!("\n[[END {label} {nonce}]]\n"));
        let texts: Vec<&str> =
            prompt.split(&begin).skip(1).filter_map(|part| Some(part.split_once(&end)?.0)).collect();
        ((*label).to_owned(), json!(texts))
    });
    Value::Object(texts.collect())
}

/// `{call: "classify", request, script, files?, host?, runUntil?}`
pub(super) fn classify(input: &Value) -> Came {
    let world = Rc::new(RefCell::new(World::of(input)));
    let asked = Rc::clone(&world);
    let mut host = Scripted::new(Classifier::starting_at(0), move |asking: &Asked<Ask>| {
        asked.borrow_mut().answer(asking)
    });
    let start = || {
        let world = world.borrow();
        let has_files = !world.lacks("statFile") && !world.lacks("inspectFile");
        let text = json!({ "request": text_of(&input["request"]), "hasFiles": has_files, "nonce": NONCE });
        Classifier::read_start(&text.to_string())
    };
    let first = host.start_with(start()?, input["host"]["signalAborted"] == true);
    let mut others: BTreeMap<String, Number> = BTreeMap::new();
    let mut probes = Map::new();
    for entry in input["script"].as_array()? {
        host.wait_until(entry["at"].as_f64()?);
        if entry["afterTimers"] == true {
            host.advance(0.0);
        }
        note_aborted(&host, &world);
        if let Some(name) = entry["probe"].as_str() {
            let probe =
                json!({ "returned": host.returned.contains_key(&first), "leased": host.machine.is_leased() });
            probes.insert(name.to_owned(), probe);
        } else if let Some(name) = entry["classify"].as_str() {
            others.insert(name.to_owned(), host.start(start()?));
        } else if entry["cancel"] == true {
            // A cancel after the result changes nothing.
            let _ = host.cancel(first);
        } else if let Some(value) = entry.get("identityBecomes") {
            world.borrow_mut().identity_default = value.clone();
        } else {
            let (number, settlement) = settlement(&world.borrow(), entry)?;
            // A second settlement is an event that nobody waits for.
            let _ = host.settle(number, settlement);
        }
    }
    host.advance(input["runUntil"].as_f64().unwrap_or(120_000.0) - host.now_ms());
    note_aborted(&host, &world);
    let result = |call: &Number| {
        let result = host.returned.get(call)?.as_ref()?;
        Some(crossed(|to| Classifier::write_result(result, to))[0].take())
    };
    let others: Map<String, Value> = others
        .iter()
        .filter_map(|(name, call)| {
            let mut other = result(call)?;
            other["returnedAt"] = json!(host.returned_at.get(call));
            Some((name.clone(), other))
        })
        .collect();
    let world = world.borrow();
    Some(Ok(json!({
        "result": result(&first),
        "returnedAt": host.returned_at.get(&first),
        "calls": world.calls,
        "stats": world.stats,
        "inspected": world.inspected,
        "identityChecks": world.identity_checks,
        "receipts": world.receipts,
        "others": others,
        "aborted": world.aborted,
        "leasedAtEnd": host.machine.is_leased(),
        "probes": probes,
    })))
}

fn note_aborted<H>(host: &Scripted<Classifier, H>, world: &RefCell<World>) {
    let mut world = world.borrow_mut();
    for (number, _) in host.open.iter().filter(|(_, is_aborted)| **is_aborted) {
        let name = world.names.get(number).cloned().unwrap_or_default();
        if !world.aborted.contains(&name) {
            world.aborted.push(name);
        }
    }
}

/// Which call an entry settles, and how.
fn settlement(world: &World, entry: &Value) -> Option<(Number, Settlement)> {
    let last = |kind| world.last.get(kind).copied();
    if let Some(reply) = entry.get("modelReplies") {
        return Some((last("model")?, fulfilled(reply)));
    }
    if let Some(reason) = entry.get("modelRejects") {
        let known = json!({ "name": reason["name"], "code": reason["code"] });
        return Some((last("model")?, Settlement::Rejected(json::read(&known.to_string()).ok()?)));
    }
    if let Some(size) = entry.get("statSettles") {
        return Some((last("stat")?, size_settlement(size)));
    }
    if let Some(answer) = entry.get("inspectionSettles") {
        let path = world.inspected.last()?;
        return Some((last("inspect")?, world.inspection(path, answer)?));
    }
    if entry["inspectionRejects"] == true {
        return Some((last("inspect")?, Settlement::Rejected(Json::Null)));
    }
    if let Some(value) = entry.get("identitySettles") {
        return Some((last("identity")?, fulfilled(value)));
    }
    let again = entry.get("settleAgain")?;
    let (number, _) = world.names.iter().find(|(_, name)| again["call"] == **name)?;
    Some((*number, fulfilled(&again["modelReplies"])))
}
