//! Whether what came is what was expected.
//!
//! `null` stands for undefined or absent. Members that the expectation does not name are not compared, unless results are
//! compared in full; lists are compared whole, but for those that a shape compares by *containing* them.

use serde_json::Value;

/// How an expectation is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Member by member.
    Whole,
    /// Each member that is named in full: nothing else may have come in it.
    Full,
    /// The named list holds every expected item, `count` is the number of its items, and none has a code of `absent`.
    Contains(&'static str),
    /// Rules that were suggested: whole, or all of `includes`, none of `excludes`, no more than `atMost`.
    Suggested,
    /// A script that was played: member by member, but for `lacks` of a model call, whose texts are in none of its parts, and
    /// `others`, whose members are all named.
    Played,
    /// Exactly, `null` and members that are not named included; but so many levels of objects and lists from the outside, of
    /// which only the members that are named count.
    Exact(usize),
}

/// Where the two part first, or `None`.
pub(crate) fn difference(manner: Manner, expect: &Value, came: &Value) -> Option<String> {
    match manner {
        Manner::Whole => whole("", expect, came),
        Manner::Full => whole("", expect, came).or_else(|| {
            let named = expect.as_object().into_iter().flatten();
            // What is compared both ways is the same.
            named.into_iter().find_map(|(key, member)| {
                let back = whole("", came.get(key).unwrap_or(&Value::Null), member)?;
                Some(format!(".{key}: more came than was expected: {back}"))
            })
        }),
        Manner::Contains(list) => contains(list, expect, came),
        Manner::Suggested => suggested(&expect["suggest"], &came["suggest"]),
        Manner::Played => played(expect.clone(), came),
        Manner::Exact(levels) => exact("", levels, expect, came),
    }
}

fn exact(at: &str, levels: usize, expect: &Value, came: &Value) -> Option<String> {
    let inner = levels.saturating_sub(1);
    match (expect, came) {
        (Value::Object(members), Value::Object(others)) => {
            let extra = others.keys().find(|key| levels == 0 && !members.contains_key(*key));
            let missing = members.keys().find(|key| !others.contains_key(*key));
            if let Some(key) = missing.or(extra) {
                return Some(format!("{at}.{key} is not on both sides"));
            }
            members.iter().find_map(|(key, member)| exact(&format!("{at}.{key}"), inner, member, &came[key]))
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.find_map(|(n, (item, other))| exact(&format!("{at}[{n}]"), inner, item, other))
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        _ if expect == came => None,
        _ => Some(format!("{at}: expected {expect}, came {came}")),
    }
}

fn whole(at: &str, expect: &Value, came: &Value) -> Option<String> {
    let differs = || Some(format!("{at}: expected {expect}, came {came}"));
    match (expect, came) {
        (Value::Object(members), Value::Object(_)) => members.iter().find_map(|(key, member)| {
            whole(&format!("{at}.{key}"), member, came.get(key).unwrap_or(&Value::Null))
        }),
        (Value::Array(items), Value::Array(others)) => {
            if items.len() != others.len() {
                return Some(format!("{at}: expected {} items, came {}: {came}", items.len(), others.len()));
            }
            let pairs = items.iter().zip(others).enumerate();
            pairs.into_iter().find_map(|(n, (item, other))| whole(&format!("{at}[{n}]"), item, other))
        }
        // 1 and 1.0 are one number in JavaScript.
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        _ if expect == came => None,
        _ => differs(),
    }
}

fn played(mut expect: Value, came: &Value) -> Option<String> {
    let calls = expect.get_mut("calls").and_then(Value::as_array_mut);
    for (n, call) in calls.into_iter().flatten().enumerate() {
        let lacks = call.as_object_mut().and_then(|call| call.remove("lacks")).unwrap_or_default();
        for text in lacks.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let sent = ["system", "prompt"].map(|name| came["calls"][n][name].as_str().unwrap_or_default());
            if sent.iter().any(|sent| sent.contains(text)) {
                return Some(format!(".calls[{n}]: {text} was sent"));
            }
        }
    }
    let unnamed = expect["others"].as_object().into_iter().flatten().find_map(|(name, other)| {
        let members = came["others"][name].as_object()?;
        members.keys().find(|key| other.get(key.as_str()).is_none())
    });
    unnamed.map(|key| format!(".others: {key} came, and must not")).or_else(|| whole("", &expect, came))
}

fn suggested(expect: &Value, came: &Value) -> Option<String> {
    let Some(rules) = came["rules"].as_array() else { return Some(format!("no rules came: {came}")) };
    for (key, wanted) in expect.as_object().into_iter().flatten() {
        let named = || wanted.as_array().into_iter().flatten();
        let holds = match key.as_str() {
            "rules" => whole("", wanted, &came["rules"]).is_none(),
            "includes" => named().all(|rule| rules.contains(rule)),
            "excludes" => !named().any(|rule| rules.contains(rule)),
            "atMost" => wanted.as_u64() >= u64::try_from(rules.len()).ok(),
            _ => false,
        };
        if !holds {
            return Some(format!(".suggest.{key}: expected {wanted}, came {}", came["rules"]));
        }
    }
    expect.is_null().then(|| "nothing is expected of the suggestions".to_owned())
}

fn contains(list: &str, expect: &Value, came: &Value) -> Option<String> {
    let Some(items) = came.get(list).and_then(Value::as_array) else {
        return Some(format!("no .{list} came: {came}"));
    };
    let members = expect.as_object()?;
    if let (1, Some(Value::Array(codes))) = (members.len(), members.get(list))
        && codes.iter().all(Value::is_string)
    {
        return codes_of(codes, items);
    }
    for (key, wanted) in members {
        match (key.as_str(), wanted) {
            (key, Value::Array(wanted)) if key == list => {
                let missing =
                    wanted.iter().find(|wanted| items.iter().all(|item| whole("", wanted, item).is_some()));
                if let Some(missing) = missing {
                    return Some(format!("no {missing} among .{list}: {}", Value::Array(items.clone())));
                }
            }
            ("error", Value::String(_)) if has_error(items, wanted) => {}
            ("count", Value::Number(_)) if wanted.as_u64() == u64::try_from(items.len()).ok() => {}
            ("absent", Value::Array(absent)) => {
                let present =
                    items.iter().filter_map(|item| item.get("code")).find(|code| absent.contains(code));
                if let Some(code) = present {
                    return Some(format!("{code} came, and must not"));
                }
            }
            _ => return Some(format!(".{key}: expected {wanted}, came {} items", items.len())),
        }
    }
    None
}

fn has_error(items: &[Value], code: &Value) -> bool {
    items.iter().any(|item| item["severity"] == "error" && item["code"] == *code)
}

/// A list of codes alone: each came, as often as it is named.
fn codes_of(wanted: &[Value], items: &[Value]) -> Option<String> {
    let mut came: Vec<&Value> = items.iter().filter_map(|item| item.get("code")).collect();
    let missing = wanted.iter().find(|wanted| match came.iter().position(|code| code == wanted) {
        Some(place) => {
            came.remove(place);
            false
        }
        None => true,
    });
    missing.map(|code| format!("no {code} more among {}", Value::Array(items.to_vec())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(manner: Manner, expect: Value, came: Value, same: bool) {
        assert_eq!(difference(manner, &expect, &came).is_none(), same, "{expect} {came}");
    }

    #[test]
    fn compares_what_is_named() {
        let whole = Manner::Whole;
        check(whole, json!({"a": 1}), json!({"a": 1.0, "b": 2}), true);
        check(whole, json!({"a": 1, "b": 2}), json!({"a": 1}), false);
        check(whole, json!({"a": null}), json!({}), true);
        check(whole, json!({"a": null}), json!({"a": "x"}), false);
        check(whole, json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2, "c": 3}]}), true);
        check(whole, json!([1]), json!([1, 2]), false);
        check(whole, json!([]), json!({}), false);
        check(whole, json!({}), json!("x"), false);
    }

    #[test]
    fn compares_in_full() {
        let full = Manner::Full;
        check(full, json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": null}, "d": 2}), true);
        check(full, json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}}), false);
        check(full, json!({"a": [{"b": 1}]}), json!({"a": [{"b": 1, "c": 2}]}), false);
        check(full, json!({"a": null}), json!({"b": 1}), true);
        check(full, json!({"a": {"b": 1, "c": 2}}), json!({"a": {"b": 1}}), false);
    }

    #[test]
    fn compares_what_was_played() {
        let came = json!({"calls": [{"system": "a", "prompt": "bc"}], "others": {"x": {"kind": "deny"}}});
        let lacking = |text| json!({"calls": [{"lacks": [text]}]});
        check(Manner::Played, lacking("d"), came.clone(), true);
        check(Manner::Played, lacking("a"), came.clone(), false);
        check(Manner::Played, lacking("c"), came.clone(), false);
        check(Manner::Played, json!({"calls": []}), came.clone(), false);
        check(Manner::Played, json!({"others": {"x": {"kind": "deny"}}}), came.clone(), true);
        check(Manner::Played, json!({"others": {"x": {}}}), came.clone(), false);
        check(Manner::Played, json!({"others": {"x": {"kind": "deny"}, "y": {}}}), came, false);
    }

    #[test]
    fn compares_exactly_from_a_level_on() {
        let exact = Manner::Exact(1);
        check(exact, json!({"a": 1}), json!({"a": 1.0, "b": 2}), true);
        check(exact, json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}}), false);
        check(exact, json!({"a": {"b": 1}}), json!({"a": {}}), false);
        check(exact, json!({"a": null}), json!({}), false);
        check(exact, json!({"a": {"b": null}}), json!({"a": {"b": null}}), true);
        check(Manner::Exact(3), json!({"s": [{"a": [1]}]}), json!({"s": [{"a": [1], "b": 2}]}), true);
        check(Manner::Exact(3), json!({"s": [{"a": [{}]}]}), json!({"s": [{"a": [{"b": 2}]}]}), false);
        check(Manner::Exact(3), json!({"s": [{}]}), json!({"s": [{}, {}]}), false);
    }

    #[test]
    fn compares_suggestions() {
        let came = json!({"suggest": {"rules": ["a", "b"]}});
        for (expect, same) in [
            (json!({"rules": ["a", "b"]}), true),
            (json!({"rules": ["b", "a"]}), false),
            (json!({"includes": ["b"], "excludes": ["c"], "atMost": 2}), true),
            (json!({"includes": ["c"]}), false),
            (json!({"excludes": ["a"]}), false),
            (json!({"atMost": 1}), false),
            (json!({"unheard": 1}), false),
        ] {
            check(Manner::Suggested, json!({"suggest": expect}), came.clone(), same);
        }
        check(Manner::Suggested, json!({}), came, false);
    }

    #[test]
    fn compares_by_containing() {
        let list = Manner::Contains("d");
        let came = json!({"d": [{"code": "a", "path": [0]}, {"code": "b"}]});
        check(list, json!({"d": [{"code": "b"}]}), came.clone(), true);
        check(list, json!({"d": [{"code": "a", "path": [1]}]}), came.clone(), false);
        check(list, json!({"d": [], "count": 2}), came.clone(), true);
        check(list, json!({"d": [], "count": 1}), came.clone(), false);
        check(list, json!({"d": [], "absent": ["c"]}), came.clone(), true);
        check(list, json!({"d": [], "absent": ["b"]}), came.clone(), false);
        check(list, json!({"d": [], "other": 1}), came, false);
        check(list, json!({"d": []}), json!({"threw": "TypeError"}), false);
        let came = json!({"d": [{"code": "a"}, {"code": "b"}, {"code": "a"}]});
        check(list, json!({"d": ["a", "a"]}), came.clone(), true);
        check(list, json!({"d": ["b", "b"]}), came, false);
    }
}
