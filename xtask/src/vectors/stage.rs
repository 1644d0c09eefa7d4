//! The stage of auto mode natively: what a model is shown, what a verdict is kept under, and scripts on a fake host.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use toolgate::auto_stage::{self, Ask, Memory, Payload, Stage, shipped};
use toolgate::dialect::Dialect;
use toolgate::json::{self, Json};
use toolgate::machine::{Asked, Scripted, Settlement};
use toolgate::wire::machine::Crosses;

use super::crossing::{crossed, json_of};

type Came = Option<Result<Value, Value>>;

/// The dialect whose vectors show the stage as another engine shipped it.
const SHIPPED: &str = "dsh-0.5";

/// `{render: call}`
pub(super) fn render(input: &Value, dialect: &'static Dialect) -> Came {
    let call = &input["render"];
    let (tool, payload) = (call["tool"].as_str()?, Payload::of(&arguments_of(call)));
    let render = if dialect.name == SHIPPED { shipped::render } else { auto_stage::render };
    let rendered = render(tool, &payload);
    let units = rendered.prompt.encode_utf16().count();
    Some(Ok(json!({ "prompt": rendered.prompt, "promptLength": units, "digest": rendered.digest })))
}

/// `{cacheKey: {routeKey?, tool, prompt, softDeny}}`
pub(super) fn cache_key(input: &Value, dialect: &'static Dialect) -> Came {
    let of = &input["cacheKey"];
    let (tool, prompt) = (of["tool"].as_str()?, of["prompt"].as_str()?);
    let rules: Vec<&str> = of["softDeny"].as_array()?.iter().filter_map(Value::as_str).collect();
    let key = if dialect.name == SHIPPED {
        shipped::cache_key(tool, prompt, &rules)
    } else {
        auto_stage::cache_key(of["routeKey"].as_str()?, tool, prompt, &rules)
    };
    Some(Ok(json!({ "key": key })))
}

/// What the fake host answers with, and what it saw.
#[derive(Default)]
struct World {
    settings: Value,
    route: Value,
    can_complete: bool,
    history: Value,
    reply: Value,
    model_calls: usize,
    warnings: usize,
    audits: Vec<Value>,
}

impl World {
    fn answer(&mut self, ask: &Ask) -> Option<Settlement> {
        Some(Settlement::Fulfilled(match ask {
            Ask::Settings => json_of(&self.settings),
            Ask::Route { .. } if self.can_complete => json_of(&self.route),
            Ask::Route { .. } => Json::Null,
            Ask::History { session } => json_of(&self.history[session]),
            Ask::Complete { .. } => {
                self.model_calls += 1;
                if self.reply.get("error").is_some() {
                    return Some(Settlement::Rejected(Json::Null));
                }
                // What is no text hangs until its time is over, or its caller gives up.
                Json::Text(self.reply["text"].as_str()?.to_owned())
            }
            Ask::Audit { .. } => {
                let mut audit = crossed(|to| Stage::write_ask(ask, to))[1].take();
                audit[1]["session"] = audit[0].take();
                self.audits.push(audit[1].take());
                Json::Null
            }
            Ask::Warn { .. } => {
                self.warnings += 1;
                Json::Null
            }
        }))
    }
}

/// `{stage: {settings?, route?, complete, history?, steps}}`
pub(super) fn script(input: &Value, _: &'static Dialect) -> Came {
    let of = &input["stage"];
    let world = Rc::new(RefCell::new(World {
        settings: of["settings"].clone(),
        route: of["route"].clone(),
        can_complete: of["complete"] == true,
        history: of["history"].clone(),
        ..World::default()
    }));
    let mut memory = Memory::default();
    let mut steps = of["steps"].as_array()?.iter().peekable();
    let mut outcomes = Vec::new();
    while steps.peek().is_some() {
        let asked = Rc::clone(&world);
        let stage = Stage::new(memory, 0);
        let mut host =
            Scripted::new(stage, move |asking: &Asked<Ask>| asked.borrow_mut().answer(&asking.ask));
        for step in steps.by_ref() {
            match step["op"].as_str()? {
                "call" => outcomes.push(call(&mut host, &world, step)?),
                "settings" => world.borrow_mut().settings = step["settings"].clone(),
                "route" => world.borrow_mut().route = step["route"].clone(),
                "rebuild" => {
                    host.start(auto_stage::Start::Rebuild);
                }
                "restore" => break,
                _ => return None,
            }
        }
        memory = Memory::restore(&json::read(&host.machine.memory().snapshot(true)).ok()?).ok()?;
    }
    let world = world.borrow();
    Some(Ok(json!({
        "outcomes": outcomes, "modelCalls": world.model_calls, "warnings": world.warnings, "audits": world.audits,
    })))
}

fn call<H>(host: &mut Scripted<Stage, H>, world: &RefCell<World>, step: &Value) -> Option<Value>
where
    H: FnMut(&Asked<Ask>) -> Option<Settlement>,
{
    let (decision, reply) = (&step["decision"], &step["reply"]);
    world.borrow_mut().reply = reply.clone();
    let is_read_only = step["readOnly"] == true || decision["readOnly"] == true;
    let row = json!([
        step["session"],
        step["call"]["tool"],
        step["call"].get("arguments").cloned().unwrap_or_else(|| json!({})),
        decision["mode"],
        decision["level"],
        decision["kind"],
        decision["effective"],
        is_read_only,
    ]);
    let call = host.start_with(Stage::read_start(&row.to_string())?, reply["abortedBefore"] == true);
    if reply["abort"] == true {
        host.cancel(call).ok()?;
    }
    if reply["hang"] == true {
        host.advance(60_000.0);
    }
    let outcome = host.returned.get(&call)?.as_ref()?;
    Some(crossed(|to| Stage::write_result(outcome, to))[0].take())
}

fn arguments_of(call: &Value) -> Json {
    call.get("arguments").map_or(Json::Object(Vec::new()), json_of)
}
