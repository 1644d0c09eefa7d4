//! The native side: each shape calls the functions over JSON text that the boundary is made of (`toolgate::wire`), with
//! the crate `url` in place of the runtime's URL parser.

use serde_json::{Map, Value, json};
use toolgate::dialect::{Dialect, STANDARD};
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Policy};
use toolgate::row::Row;
use toolgate::rule;
use toolgate::vocabulary::{PermissionMode, SandboxMode};
use toolgate::wire;

use super::by_texts;
use super::case::Case;
use super::compare::Manner;
use super::evidence;
use super::notation::{expand, is_beyond_json, without_absent};
use super::outcome::Answer;
use super::shape::Shape;
use super::{analysis, review, stage};

/// What came, or the failure that was thrown; an input that the runner cannot read gives nothing.
pub(super) type Came = Option<Result<Value, Value>>;

/// How a shape or function is run: its input and the dialect.
pub(super) type Run = fn(&Value, &'static Dialect) -> Came;

/// The functions that the crate has, by their names in JavaScript; what calls another is pending.
const HAS: &[&str] = &[
    "AutoStage",
    "DenialTracker",
    "EvidenceClassifier",
    "ReviewSession",
    "Policy.check",
    "Policy.coverage",
    "Policy.decide",
    "Policy.explain",
    "Policy.lint",
    "Policy.suggest",
    "approveSandboxEscalation",
    "assessBashCommand",
    "assessFilePath",
    "callFingerprint",
    "checkModeEvents",
    "checkEvidencePath",
    "buildReviewContext",
    "combineAssessments",
    "comparePolicies",
    "configFromSettings",
    "containsSecret",
    "contentMatches",
    "dangerousAllowRules",
    "deriveGrant",
    "createFileInspector",
    "createReviewPolicy",
    "createReviewSubject",
    "escapeRuleContent",
    "evaluateAssessment",
    "evaluatePermission",
    "evidenceCandidates",
    "expandSoftDeny",
    "fallbackConfirmation",
    "foldClassifiers",
    "foldPermissionMode",
    "foldResumeSandbox",
    "foldSessionAllow",
    "fromAcpOutcome",
    "isSandboxEscalation",
    "mergeRuleSets",
    "normalizeConfirmation",
    "parseAssessment",
    "parseRuleString",
    "parseVerdict",
    "projectDiagnostic",
    "readShellCommand",
    "ruleString",
    "subjectDigest",
    "trailingRouteFailureStreak",
    "sessionAllowEvent",
    "setPermissionMode",
    "toAcpPermissionRequest",
    "unescapeRuleContent",
];

const SHAPES: &[(&str, Run)] = &[
    ("parse", parse),
    ("matches", matches),
    ("escape", escape),
    ("answering", answering),
    ("check", check),
    ("codes", codes),
    ("refuse", refuse),
    ("told", told),
    ("decide", decide),
    ("explain", explain),
    ("lint", lint),
    ("suggest", analysis::suggest),
    ("coverage", analysis::coverage),
    ("compare", analysis::compare),
    ("read", |input, _| Some(read(input["command"].as_str()?))),
    ("assess-command", |input, dialect| {
        let patterns = input.get("patterns").map(Value::to_string);
        Some(risk(wire::assess_bash_command(
            input["command"].as_str()?,
            patterns.as_deref(),
            Some(dialect.name),
        )))
    }),
    ("assess-path", |input, dialect| {
        let mut options = input["options"].clone();
        options["dialect"] = json!(dialect.name);
        Some(risk(wire::assess_file_path(input["filePath"].as_str()?, &options.to_string())))
    }),
    ("render", stage::render),
    ("cache-key", stage::cache_key),
    ("stage", stage::script),
    ("classify", |input, _| evidence::classify(input)),
    ("review", review::call),
    ("review-script", review::script),
    ("evaluate", |input, _| Some(json_of(wire::evaluate_permission(&input.to_string(), HOST)))),
    ("dangerous", |input, dialect| {
        let texts = [Some(input["rules"].to_string()), Some(dialect.name.to_owned())];
        Some(by_texts::json("dangerousAllowRules", &texts).map(|came| json!({ "dangerous": came })))
    }),
    ("grant", by_texts::grant),
    ("tracker", by_texts::tracker),
];

/// Functions of the shape `call`.
const FUNCTIONS: &[(&str, Run)] = &[
    ("ruleString", |input, dialect| {
        Some(text_of(wire::rule_string(argument(input, 0)?, argument(input, 1), Some(dialect.name))))
    }),
    ("escapeRuleContent", |input, dialect| {
        Some(text_of(wire::escape_rule_content(argument(input, 0)?, Some(dialect.name))))
    }),
    ("unescapeRuleContent", |input, dialect| {
        Some(text_of(wire::unescape_rule_content(argument(input, 0)?, Some(dialect.name))))
    }),
    ("mergeRuleSets", merge),
    ("evidenceCandidates", |input, _| {
        Some(Ok(json!({ "returns": value(&wire::evidence_candidates(argument(input, 0)?)) })))
    }),
    ("checkEvidencePath", |input, _| {
        Some(Ok(json!({ "returns": wire::check_evidence_path(argument(input, 0)?) })))
    }),
    ("containsSecret", |input, _| Some(Ok(json!({ "returns": wire::contains_secret(argument(input, 0)?) })))),
    ("projectDiagnostic", |input, _| {
        let diagnostic = wire::project_diagnostic(&input["args"].get(0)?.to_string());
        Some(Ok(json!({ "returns": diagnostic.as_deref().map(value) })))
    }),
    ("parseVerdict", |input, _| {
        Some(Ok(json!({ "returns": value(&wire::parse_verdict(argument(input, 0)?)) })))
    }),
    ("expandSoftDeny", |input, _| {
        let entries = input["args"].get(0).map_or("null".to_owned(), Value::to_string);
        Some(json_of(wire::expand_soft_deny_rules(&entries)).map(|rules| json!({ "returns": rules })))
    }),
    ("trailingRouteFailureStreak", |input, _| {
        let threshold = input["args"].get(2)?.to_string();
        let records = input["args"].get(0)?.to_string();
        Some(
            json_of(wire::failure_streak(&records, argument(input, 1)?, &threshold))
                .map(|streak| json!({ "returns": streak })),
        )
    }),
    ("configFromSettings", |input, _| {
        let text = |n: usize, absent: &str| input["args"].get(n).map_or(absent.to_owned(), Value::to_string);
        let answer = wire::config_from_settings(&text(0, "null"), &text(1, "{}"));
        Some(json_of(answer).map(|returns| json!({ "returns": returns })))
    }),
];

/// Runs one vector.
pub(crate) fn run(case: &Case, shape: &Shape) -> Answer {
    let function = shape.function(case);
    if !HAS.contains(&function) {
        return Answer::Pending(function.to_owned());
    }
    if shape.name == "inspector" {
        return Answer::Elsewhere("files are read on Node".to_owned());
    }
    // In reviews `null` is a value, and half of a surrogate pair is written as JSON writes it.
    let is_exact = matches!(shape.manner(case), Manner::Exact(_));
    let mut input = if is_exact { case.input.clone() } else { expand(&case.input) };
    if is_exact && review::needs_javascript(&input) {
        return Answer::Elsewhere("callbacks that are missing exist in JavaScript only".to_owned());
    }
    if !is_exact && !shape.keeps_null(case) {
        input = without_absent(&input);
    }
    // In a script half of a surrogate pair is handed over as its escape.
    if is_beyond_json(&input) && !is_exact && shape.name != "classify" {
        return Answer::Elsewhere("lone surrogates and NaN exist in JavaScript only".to_owned());
    }
    let run = match shape.name {
        "call" => [FUNCTIONS, by_texts::FUNCTIONS].concat().into_iter().find(|(known, _)| *known == function),
        name => SHAPES.iter().copied().find(|(known, _)| *known == name),
    };
    let dialect = if case.dialect == "any" { Some(&STANDARD) } else { Dialect::find(&case.dialect) };
    Answer::Came(match (run, dialect) {
        (None, _) => json!({ "unread": "the native side does not run this shape" }),
        (_, None) => json!({ "unread": "the crate has no such dialect" }),
        (Some((_, run)), Some(dialect)) => match run(&input, dialect) {
            None => json!({ "unread": "the native side could not read the input" }),
            Some(Ok(came)) => came,
            Some(Err(failure)) => {
                json!({ "throws": failure["name"], "code": failure["code"], "failure": failure })
            }
        },
    })
}

pub(super) const HOST: Host = Host {
    url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(str::to_owned),
    lower_case: str::to_lowercase,
};

/// An answer whose text is JSON.
pub(super) fn json_of(answer: wire::Answer) -> Result<Value, Value> {
    answer.map(|text| value(&text)).map_err(|text| value(&text))
}

/// An answer whose text is the result, as the shape `call` has it.
fn text_of(answer: wire::Answer) -> Result<Value, Value> {
    answer.map(|text| json!({ "returns": text })).map_err(|text| value(&text))
}

pub(super) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!({ "unread": text }))
}

pub(super) fn argument(input: &Value, n: usize) -> Option<&str> {
    input["args"].get(n)?.as_str()
}

fn parse(input: &Value, dialect: &'static Dialect) -> Came {
    let rule = input["rule"].as_str()?;
    Some(match json_of(wire::parse_rule_string(rule, Some(dialect.name), HOST)) {
        Ok(parsed) => Ok(json!({ "parsed": parsed })),
        Err(failure) if failure["name"] == "RuleError" => Ok(
            json!({ "error": failure["code"], "span": failure["span"], "hint": failure["hint"], "rule": failure["rule"] }),
        ),
        Err(failure) => Err(failure),
    })
}

fn matches(input: &Value, dialect: &'static Dialect) -> Came {
    let subject = input["subject"].as_str()?;
    let rule = match input["rule"].as_str() {
        Some(rule) => match wire::parse_rule_string(rule, Some(dialect.name), HOST) {
            Ok(parsed) => parsed,
            Err(failure) => return Some(Err(value(&failure))),
        },
        None => input["parsedRule"].to_string(),
    };
    let matches = wire::content_matches(&rule, subject, Some(dialect.name));
    Some(matches.map(|matches| json!({ "matches": matches })).map_err(|failure| value(&failure)))
}

fn escape(input: &Value, _: &'static Dialect) -> Came {
    let escaped = rule::escape(input["content"].as_str()?);
    Some(Ok(json!({ "unescaped": rule::unescape(&escaped), "escaped": escaped })))
}

/// The table of tool names itself; through the package the same question is put to whole-tool rules.
fn answering(input: &Value, dialect: &'static Dialect) -> Came {
    let (call, rules) = (input["answering"]["call"].as_str()?, input["answering"]["rules"].as_array()?);
    let asked = rule::tool::call_tokens(call, dialect, "bash");
    let answers = |name: &&Value| {
        let tokens = rule::tool::rule_tokens(name.as_str().unwrap_or_default(), dialect, "bash");
        tokens.iter().any(|token| asked.contains(token))
    };
    Some(Ok(json!({ "answering": rules.iter().filter(answers).collect::<Vec<_>>() })))
}

fn check(input: &Value, _: &'static Dialect) -> Came {
    Some(Ok(json!({ "diagnostics": value(&wire::check_policy(&input["config"].to_string(), HOST)) })))
}

/// The findings; of related rules only where they stand.
fn lint(input: &Value, _: &'static Dialect) -> Came {
    Some(match wire::compile_policy(&input["config"].to_string(), HOST) {
        Err(failure) => Err(value(&failure)),
        Ok(policy) => {
            let mut findings = value(&wire::lint(&policy));
            for finding in findings.as_array_mut().into_iter().flatten() {
                let related = finding["related"].as_array().into_iter().flatten();
                finding["related"] = related.map(|related| related["path"].clone()).collect();
            }
            Ok(json!({ "lint": findings }))
        }
    })
}

/// The merged sets and, as the rules document labels rules, the labels of each list.
fn merge(input: &Value, _: &'static Dialect) -> Came {
    let label = |rule: &Value| {
        let (tool, source) = (rule["toolName"].as_str()?, rule["source"].as_str()?);
        Some(match rule["content"].as_str() {
            Some(content) => format!("{tool}({content}) [{source}]"),
            None => format!("{tool} [{source}]"),
        })
    };
    Some(json_of(wire::merge_rule_sets(&input["args"].to_string())).map(|merged| {
        let lists = merged.as_object().into_iter().flatten();
        let labels: Map<String, Value> = lists
            .map(|(list, rules)| {
                let labels: Option<Vec<String>> = rules.as_array().into_iter().flatten().map(label).collect();
                (list.clone(), json!(labels))
            })
            .collect();
        json!({ "returns": merged, "labels": labels })
    }))
}

fn read(command: &str) -> Result<Value, Value> {
    json_of(wire::shell_reading(command)).map(|reading| {
        let count = reading["commands"].as_array().map(Vec::len);
        json!({ "reading": reading, "commandCount": count })
    })
}

fn risk(answer: wire::Answer) -> Result<Value, Value> {
    json_of(answer).map(|mut risk| {
        let codes = risk["findings"].as_array().into_iter().flatten().map(|finding| finding["code"].clone());
        risk["codes"] = codes.collect();
        json!({ "risk": risk })
    })
}

/// The codes of errors and warnings, in order.
fn codes(input: &Value, _: &'static Dialect) -> Came {
    let checked = value(&wire::check_policy(&input["config"].to_string(), HOST));
    let grave = checked.as_array()?.iter().filter(|diagnostic| diagnostic["severity"] != "info");
    let mut codes: Vec<&str> = grave.filter_map(|diagnostic| diagnostic["code"].as_str()).collect();
    codes.sort_unstable();
    Some(Ok(json!({ "diagnostics": codes })))
}

/// The code of the first error for which a configuration is refused.
fn refuse(input: &Value, _: &'static Dialect) -> Came {
    Some(match wire::compile_policy(&input["config"].to_string(), HOST) {
        Ok(_) => Ok(json!({})),
        Err(failure) => Ok(json!({ "error": value(&failure)["code"] })),
    })
}

/// The decision of an explanation, whether one of its rules matched, and why the first one did not.
fn told(input: &Value, _: &'static Dialect) -> Came {
    cross(input, &input["call"], |policy, crossed| {
        let (mut told, explanation) = explained(policy, crossed)?;
        let rules = explanation["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
        told["matched"] = rules.iter().any(|rule| rule["matched"] == true).into();
        told["why"] = rules.first().map_or(Value::Null, |rule| rule["why"].clone());
        Ok(told)
    })
}

fn decide(input: &Value, _: &'static Dialect) -> Came {
    cross(input, &input["call"], |policy, crossed| {
        let mut row = Row::EMPTY;
        wire::ask(policy, wire::Asked::Decision, crossed, HOST, &mut row)
            .map_err(|failure| value(&failure))?;
        let mut made = decision(policy, &mut Cells::of(&row), crossed.grants);
        // Some vectors say why the first rule did nothing.
        made["why"] = explained(policy, crossed)?.1["rules"][0]["why"].clone();
        Ok(made)
    })
}

fn explain(input: &Value, _: &'static Dialect) -> Came {
    cross(input, &input["explain"], |policy, crossed| {
        let (decision, mut explanation) = explained(policy, crossed)?;
        explanation["decision"] = decision;
        Ok(json!({ "explain": explanation }))
    })
}

/// A decision, and everything else that an explanation has.
fn explained(policy: &Policy, crossed: &wire::CrossedCall<'_>) -> Result<(Value, Value), Value> {
    let mut row = Row::EMPTY;
    wire::ask(policy, wire::Asked::Explanation, crossed, HOST, &mut row)
        .map_err(|failure| value(&failure))?;
    let mut cells = Cells::of(&row);
    let decision = decision(policy, &mut cells, crossed.grants);
    Ok((decision, value(&cells.text().unwrap_or_default())))
}

/// A row, read as the façade does.
pub(super) struct Cells<'r> {
    numbers: std::slice::Iter<'r, u32>,
    text: Vec<u16>,
    cut: usize,
}

impl<'r> Cells<'r> {
    pub(super) fn of(row: &'r Row) -> Self {
        Self { numbers: row.numbers().iter(), text: row.text().encode_utf16().collect(), cut: 0 }
    }

    pub(super) fn number(&mut self) -> usize {
        self.numbers.next().map_or(usize::MAX, |number| *number as usize)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let units = self.number();
        let text = self.text.get(self.cut..self.cut.checked_add(units)?)?;
        self.cut += units;
        String::from_utf16(text).ok()
    }
}

/// Compiles the configuration and hands it on with the call and the state, as they cross.
pub(super) fn cross(
    input: &Value,
    call: &Value,
    go_on: impl FnOnce(&Policy, &wire::CrossedCall<'_>) -> Result<Value, Value>,
) -> Came {
    match wire::compile_policy(&input["config"].to_string(), HOST) {
        Ok(policy) => put(&policy, call, &input["state"], go_on),
        Err(failure) => Some(Err(value(&failure))),
    }
}

/// Hands on a policy with the call and the state, as they cross.
pub(super) fn put(
    policy: &Policy,
    call: &Value,
    state: &Value,
    go_on: impl FnOnce(&Policy, &wire::CrossedCall<'_>) -> Result<Value, Value>,
) -> Came {
    let mode = word(state, "mode", PermissionMode::parse)?;
    let sandbox = word(state, "sandbox", SandboxMode::parse)?;
    let argument = |name: &str| call["arguments"][name].as_str();
    let arguments = call.get("arguments").map(Value::to_string);
    let grants = state.get("grants").map(Value::to_string);
    let crossed = wire::CrossedCall {
        call: Call {
            tool: call["tool"].as_str()?,
            subject: call["subject"].as_str(),
            command: argument("command"),
            file_path: argument("file_path"),
            notebook_path: argument("notebook_path"),
            path: argument("path"),
            url: argument("url"),
            arguments: None,
        },
        arguments: arguments.as_deref().filter(|_| policy.config().dialect.looks_at_arguments),
        state: CallState {
            mode,
            cwd: state["cwd"].as_str(),
            plan_active: state["planActive"] == true,
            sandbox,
            real_path: state["realPath"].as_str(),
        },
        grants: grants.as_deref(),
    };
    Some(go_on(policy, &crossed))
}

/// A closed word of the state: absent, or one that is known.
fn word<W>(state: &Value, name: &str, parse: fn(&str) -> Option<W>) -> Option<Option<W>> {
    state.get(name).map_or(Some(None), |word| word.as_str().and_then(parse).map(Some))
}

/// The decision that a row stands for, as the façade builds it.
pub(super) fn decision(policy: &Policy, row: &mut Cells<'_>, grants: Option<&str>) -> Value {
    let words = value(&wire::vocabulary());
    let mut word = |list: &str| words[list][row.number()].clone();
    let (kind, effective, stage, mode) = (word("kinds"), word("kinds"), word("stages"), word("modes"));
    let read_only = row.number() == 1;
    let (list, index) = (row.number(), row.number());
    let rule = match list {
        1 => value(&wire::policy_rule(policy, index)),
        2 => value(&wire::grants(policy, grants.unwrap_or("[]")).unwrap_or_default())[index].clone(),
        _ => Value::Null,
    };
    let reason = match row.number() {
        0 => row.text(),
        said => Some(wire::rule_reason(policy, index, said - 1)),
    };
    let risk = row.text();
    json!({
        "kind": kind,
        "effective": effective,
        "stage": stage,
        "mode": mode,
        "readOnly": read_only,
        "rule": rule,
        "reason": reason,
        "risk": risk.map_or_else(|| json!({ "level": words["levels"][0], "reasons": [], "findings": [] }), |risk| value(&risk)),
    })
}
