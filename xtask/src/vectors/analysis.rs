//! The native side of what is said of policies over calls: suggestions, coverage, and what changes between two of them.

use serde_json::{Value, json};
use toolgate::dialect::Dialect;
use toolgate::policy::Policy;
use toolgate::row::Row;
use toolgate::wire::{self, Asked};

use super::native::{Came, Cells, HOST, cross, decision, put, value};

/// The rules that are suggested.
pub(super) fn suggest(input: &Value, _: &'static Dialect) -> Came {
    cross(input, &input["suggest"], |policy, crossed| {
        let mut row = Row::EMPTY;
        wire::ask(policy, Asked::Suggestions, crossed, HOST, &mut row).map_err(|failure| value(&failure))?;
        let suggested = value(&Cells::of(&row).text().unwrap_or_default());
        let rules: Value =
            suggested.as_array().into_iter().flatten().map(|one| one["rule"].clone()).collect();
        Ok(json!({ "suggest": { "rules": rules } }))
    })
}

fn compiled(config: &Value) -> Result<Policy, Value> {
    wire::compile_policy(&config.to_string(), HOST).map_err(|failure| value(&failure))
}

/// Lists in the order in which a configuration has them.
const LISTS: [&str; 4] = ["allow", "deny", "ask", "bypassImmune"];

/// Where a rule stands in its configuration: the layer, the list, the place in it.
fn place(rule: &Value) -> (u64, Option<usize>, u64) {
    let path = rule["path"].as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |step: &Value| step.as_u64().unwrap_or_default();
    match path {
        [.., list, index] => {
            let layer = if path.len() == 4 { number(&path[1]) } else { u64::MAX };
            (layer, LISTS.iter().position(|own| list == own), number(index))
        }
        _ => (u64::MAX, None, 0),
    }
}

/// A coverage, counted of what the calls meet.
pub(super) fn coverage(input: &Value, _: &'static Dialect) -> Came {
    let policy = match compiled(&input["config"]) {
        Ok(policy) => policy,
        Err(failure) => return Some(Err(failure)),
    };
    let kinds = value(&wire::vocabulary())["kinds"].clone();
    let mut by_kind = json!({ "allow": 0, "deny": 0, "ask": 0, "passthrough": 0 });
    let mut counts = vec![(0, 0); policy.config().entries.len()];
    let mut uncovered = vec![];
    for (index, call) in input["coverage"].as_array()?.iter().enumerate() {
        let came = put(&policy, call, &input["state"], |policy, crossed| {
            let mut row = Row::EMPTY;
            wire::ask(policy, Asked::Met, crossed, HOST, &mut row).map_err(|failure| value(&failure))?;
            let mut cells = Cells::of(&row);
            let kind = kinds[cells.number()].as_str().unwrap_or_default();
            by_kind[kind] = json!(by_kind[kind].as_u64().unwrap_or_default() + 1);
            if cells.number() == 1 {
                uncovered.push(index);
            }
            for _ in 0..cells.number() {
                let (list, rank, said) = (cells.number(), cells.number(), cells.number());
                if let (1, Some((decided, matched))) = (list, counts.get_mut(rank)) {
                    *matched += said & 1;
                    *decided += said >> 1;
                }
            }
            Ok(Value::Null)
        });
        if let Err(failure) = came? {
            return Some(Err(failure));
        }
    }
    let counted = counts.iter().enumerate().map(|(rank, (decided, matched))| {
        let rule = value(&wire::policy_rule(&policy, rank));
        json!({ "path": rule["path"], "text": rule["text"], "decided": decided, "matched": matched })
    });
    let mut rules: Vec<Value> = counted.collect();
    rules.sort_by_key(place);
    Some(Ok(json!({ "coverage": { "rules": rules, "byKind": by_kind, "uncovered": uncovered } })))
}

/// The calls that two policies decide differently.
pub(super) fn compare(input: &Value, _: &'static Dialect) -> Came {
    let compare = &input["compare"];
    let (before, after) = match (compiled(&compare["before"]), compiled(&compare["after"])) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(failure), _) | (_, Err(failure)) => return Some(Err(failure)),
    };
    let mut changes = vec![];
    for (index, call) in compare["calls"].as_array()?.iter().enumerate() {
        let side = |policy: &Policy| {
            put(policy, call, &compare["state"], |policy, crossed| {
                let mut row = Row::EMPTY;
                wire::ask(policy, Asked::Decision, crossed, HOST, &mut row)
                    .map_err(|failure| value(&failure))?;
                let decided = decision(policy, &mut Cells::of(&row), crossed.grants);
                Ok(json!({ "kind": decided["kind"], "effective": decided["effective"] }))
            })
        };
        match (side(&before)?, side(&after)?) {
            (Ok(before), Ok(after)) if before == after => {}
            (Ok(before), Ok(after)) => {
                changes.push(json!({ "index": index, "before": before, "after": after }));
            }
            (Err(failure), _) | (_, Err(failure)) => return Some(Err(failure)),
        }
    }
    Some(Ok(json!({ "changes": changes })))
}
