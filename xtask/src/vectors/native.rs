//! The native side: each shape calls the crate, with the runtime's URL parser stood in by the crate `url`.

use serde_json::{Map, Value, json};
use toolgate::dialect::{Dialect, STANDARD};
use toolgate::rule::{self, Matcher, ParsedRule, RuleError};

use super::case::Case;
use super::notation::{expand, is_beyond_json};
use super::outcome::Answer;
use super::shape::Shape;

/// What a shape calls: the input with its notation expanded, the dialect. An input that it cannot read gives nothing.
type Run = fn(&Value, &'static Dialect) -> Option<Value>;

/// Shapes that the crate can run so far; every other is pending.
const RUNS: &[(&str, Run)] =
    &[("parse", parse), ("matches", matches), ("escape", escape), ("answering", answering)];

/// Functions of the shape `call` that the crate has so far, by their names in JavaScript.
const FUNCTIONS: &[(&str, Run)] = &[
    ("ruleString", |input, _| returns(rule::rule_string(argument(input, 0)?, argument(input, 1)))),
    ("escapeRuleContent", |input, _| returns(rule::escape(argument(input, 0)?))),
    ("unescapeRuleContent", |input, _| returns(rule::unescape(argument(input, 0)?))),
];

/// Runs one vector.
pub(crate) fn run(case: &Case, shape: &Shape) -> Answer {
    let input = expand(&case.input);
    if is_beyond_json(&input) {
        return Answer::Elsewhere("lone surrogates and NaN exist in JavaScript only".to_owned());
    }
    let dialect = if case.dialect == "any" { Some(&STANDARD) } else { Dialect::find(&case.dialect) };
    let (table, name) =
        if shape.name == "call" { (FUNCTIONS, shape.function(case)) } else { (RUNS, shape.name) };
    let run = table.iter().find(|(known, _)| *known == name);
    match (dialect, run) {
        (Some(dialect), Some((_, run))) => {
            let came = run(&input, dialect);
            Answer::Came(came.unwrap_or_else(|| json!({ "unread": "the runner could not read the input" })))
        }
        _ => Answer::Pending(shape.function(case).to_owned()),
    }
}

fn returns(value: impl Into<Value>) -> Option<Value> {
    Some(json!({ "returns": value.into() }))
}

fn argument(input: &Value, n: usize) -> Option<&str> {
    input["args"].get(n)?.as_str()
}

fn host(url: &str) -> Option<String> {
    url::Url::parse(url).ok()?.host_str().map(str::to_owned)
}

fn parse(input: &Value, dialect: &'static Dialect) -> Option<Value> {
    let text = input["rule"].as_str()?;
    Some(match rule::parse(text, dialect, host) {
        Ok(parsed) => json!({ "parsed": shown(&parsed) }),
        Err(error) => refused(&error, text),
    })
}

fn refused(error: &RuleError, text: &str) -> Value {
    let span = error.span.to_utf16(text);
    json!({ "error": error.code, "span": { "start": span.start, "end": span.end }, "hint": error.hint, "rule": text })
}

fn matches(input: &Value, dialect: &'static Dialect) -> Option<Value> {
    let subject = input["subject"].as_str()?;
    let rule = match input["rule"].as_str() {
        Some(text) => match rule::parse(text, dialect, host) {
            Ok(parsed) => parsed,
            Err(error) => return Some(refused(&error, text)),
        },
        None => handed_in(&input["parsedRule"])?,
    };
    Some(json!({ "matches": rule.accepts(subject) }))
}

fn escape(input: &Value, _: &'static Dialect) -> Option<Value> {
    let escaped = rule::escape(input["content"].as_str()?);
    Some(json!({ "unescaped": rule::unescape(&escaped), "escaped": escaped }))
}

fn answering(input: &Value, dialect: &'static Dialect) -> Option<Value> {
    let (call, rules) = (input["answering"]["call"].as_str()?, input["answering"]["rules"].as_array()?);
    let asked = rule::tool::call_tokens(call, dialect, "bash");
    let answers = |name: &&Value| {
        let tokens = rule::tool::rule_tokens(name.as_str().unwrap_or_default(), dialect, "bash");
        tokens.iter().any(|token| asked.contains(token))
    };
    Some(json!({ "answering": rules.iter().filter(answers).collect::<Vec<_>>() }))
}

/// A rule as JavaScript sees it.
fn shown(parsed: &ParsedRule) -> Value {
    let mut members = Map::new();
    members.insert("toolName".into(), json!(parsed.tool));
    if let Some(content) = &parsed.content {
        members.insert("content".into(), json!(content));
    }
    if let Some(matcher) = &parsed.matcher {
        members.insert(
            "matcher".into(),
            match matcher {
                Matcher::Exact(text) => json!({ "kind": "exact", "text": text }),
                Matcher::Prefix(prefix) => json!({ "kind": "prefix", "prefix": prefix }),
                Matcher::Wildcard(wildcard) => json!({ "kind": "wildcard", "pattern": wildcard.pattern() }),
                Matcher::Domain(domain) => json!({ "kind": "domain", "hostname": domain.hostname() }),
            },
        );
    }
    Value::Object(members)
}

/// A rule that a host hands in, matcher and all.
fn handed_in(value: &Value) -> Option<ParsedRule> {
    let matcher = &value["matcher"];
    let text = |name: &str| matcher[name].as_str();
    let matcher = match text("kind") {
        None => None,
        Some("exact") => Some(Matcher::Exact(text("text")?.into())),
        Some("prefix") => Some(Matcher::Prefix(text("prefix")?.into())),
        Some("wildcard") => Some(Matcher::Wildcard(rule::Wildcard::read(text("pattern")?)?)),
        Some("domain") => Some(Matcher::Domain(rule::domain::DomainPattern::as_it_stands(text("hostname")?))),
        Some(_) => return None,
    };
    Some(ParsedRule {
        tool: value["toolName"].as_str()?.into(),
        content: value["content"].as_str().map(Into::into),
        matcher,
    })
}
