//! The functions of the API over text: what `src/wasm` exports, callable natively as well.

use super::decode::{self, optional_text, place};
use super::error::{Answer, Failure, Fallible};
use super::reading::{write_reading, write_risk};
use super::shapes::{Placed, write_diagnostics, write_rule};
use crate::diagnostic::{Path, join};
use crate::dialect::{DIALECTS, Dialect, Grammar};
use crate::host::Host;
use crate::json::{self, Json, Writer};
use crate::limits;
use crate::order::sort;
use crate::path::Places;
use crate::policy::{self, Fold, Policy, Reason, Saying, evaluate};
use crate::risk::{self, Assessment, Scope};
use crate::row::Row;
use crate::rule::{self};
use crate::shell::{self, Context, Operator, ProblemCode};
use crate::span::utf16_len;
use crate::vocabulary::{
    Behavior, CLASSIFIER_DIAGNOSTICS, EventKind, Kind, PermissionMode, RiskLevel, RuleList, RuleSource,
    SandboxMode, Stage,
};

/// The closed words and limits that the façade works with, as JSON text.
pub fn vocabulary() -> String {
    let mut to = Writer::default();
    to.open("{");
    to.member("version", env!("CARGO_PKG_VERSION"));
    words(&mut to, "dialects", DIALECTS, |dialect| dialect.name);
    words(&mut to, "modes", PermissionMode::ALL, |word| word.as_str());
    words(&mut to, "behaviors", Behavior::ALL, |word| word.as_str());
    words(&mut to, "sources", RuleSource::ALL, |word| word.as_str());
    words(&mut to, "sandboxes", SandboxMode::ALL, |word| word.as_str());
    words(&mut to, "kinds", Kind::ALL, |word| word.as_str());
    words(&mut to, "stages", Stage::ALL, |word| word.as_str());
    words(&mut to, "levels", RiskLevel::ALL, |word| word.as_str());
    words(&mut to, "events", EventKind::ALL, |word| word.as_str());
    words(&mut to, "contexts", Context::ALL, |word| word.as_str());
    words(&mut to, "operators", Operator::ALL, |word| word.as_str());
    words(&mut to, "problems", ProblemCode::ALL, |word| word.as_str());
    super::stage::write_words(&mut to);
    super::review::write_words(&mut to);
    to.name("subjectUnits");
    to.number(limits::SUBJECT_UNITS);
    to.name("inputUnits");
    to.number(limits::INPUT_BYTES);
    to.member("classifierDiagnostics", CLASSIFIER_DIAGNOSTICS);
    to.name("evidenceFileBytes");
    to.number(limits::EVIDENCE_FILE_BYTES);
    to.name("classifierRequestBytes");
    to.number(limits::CLASSIFIER_REQUEST_BYTES);
    to.name("modelCallMs");
    to.count(limits::MODEL_CALL_MS.into());
    to.close("}");
    to.text
}

fn words<W>(to: &mut Writer, name: &str, all: &[W], spelling: fn(&W) -> &'static str) {
    to.name(name);
    to.open("[");
    for word in all {
        to.string(spelling(word));
    }
    to.close("]");
}

/// A row that was written, or the JSON text of a failure.
pub type Written = Result<(), String>;

pub(super) fn written(result: Fallible<()>) -> Written {
    result.map_err(|failure| failure.text())
}

/// What was written, or the JSON text of a failure.
fn answer(result: Fallible<String>) -> Answer {
    result.map_err(|failure| failure.text())
}

fn risk_text(risk: &Assessment, text: &str) -> String {
    let mut to = Writer::default();
    write_risk(&mut to, risk, text);
    to.text
}

/// `parseRuleString`
pub fn parse_rule_string(rule: &str, dialect: Option<&str>, host: Host) -> Answer {
    answer(parse(rule, dialect, host).map(|rule| {
        let mut to = Writer::default();
        write_rule(&mut to, &rule, None);
        to.text
    }))
}

fn parse(rule: &str, dialect: Option<&str>, host: Host) -> Fallible<rule::ParsedRule> {
    let dialect = decode::dialect(dialect, place(&["dialect"]))?;
    rule::parse(rule, dialect, host).map_err(|error| Failure::rule(error, rule))
}

/// `ruleString`; a plain text.
pub fn rule_string(tool: &str, content: Option<&str>, dialect: Option<&str>) -> Answer {
    with_dialect(dialect, |dialect| match content {
        None | Some("") => tool.into(),
        content => rule::text_of(tool, content, dialect),
    })
}

/// `escapeRuleContent`; a plain text.
pub fn escape_rule_content(content: &str, dialect: Option<&str>) -> Answer {
    with_dialect(dialect, |dialect| match dialect.grammar {
        Grammar::Escaped => rule::escape(content),
        Grammar::Literal(_) | Grammar::Verbatim(_) => content.into(),
    })
}

/// `unescapeRuleContent`; a plain text.
pub fn unescape_rule_content(content: &str, dialect: Option<&str>) -> Answer {
    with_dialect(dialect, |dialect| match dialect.grammar {
        Grammar::Escaped => rule::unescape(content),
        Grammar::Literal(_) | Grammar::Verbatim(_) => content.into(),
    })
}

fn with_dialect(dialect: Option<&str>, text: impl FnOnce(&'static Dialect) -> String) -> Answer {
    decode::dialect(dialect, place(&["dialect"])).map(text).map_err(|failure| failure.text())
}

/// `contentMatches`, over the JSON text of a parsed rule.
pub fn content_matches(rule: &str, subject: &str, dialect: Option<&str>) -> Result<bool, String> {
    let matches = || {
        let dialect = decode::dialect(dialect, place(&["dialect"]))?;
        check_subject(subject)?;
        let path = place(&["rule"]);
        let value = decode::value(rule, path.clone())?;
        Ok(decode::rule_with_matcher(&value, dialect, &path)?.content_accepts(subject, dialect))
    };
    matches().map_err(|failure: Box<Failure>| failure.text())
}

pub(super) fn check_subject(subject: &str) -> Fallible<()> {
    if subject.len() > limits::SUBJECT_UNITS && utf16_len(subject) > limits::SUBJECT_UNITS {
        return Err(Failure::limit(
            "subject-too-long",
            "a subject has at most 1048576 characters",
            limits::SUBJECT_UNITS,
        ));
    }
    Ok(())
}

pub(super) fn check_rule_count(rules: usize) -> Fallible<()> {
    if rules > limits::RULES {
        return Err(Failure::limit("too-many-rules", "a list has at most 20000 rules", limits::RULES));
    }
    Ok(())
}

/// `mergeRuleSets`, over the JSON text of a list of rule sets (rules.md section 9). Rules are handed on as they are.
pub fn merge_rule_sets(sets: &str) -> Answer {
    decode::value(sets, place(&["sets"]))
        .and_then(|sets| merge(&sets))
        .map(|merged| merged.text())
        .map_err(|failure| failure.text())
}

fn merge(sets: &Json) -> Fallible<Json> {
    let mut merged = vec![];
    for list in RuleList::ALL {
        let mut rules: Vec<Json> = vec![];
        for (index, set) in sets.as_list().unwrap_or_default().iter().enumerate() {
            let path = vec!["sets".into(), index.into()];
            let Some(items) = decode::object(Some(set), path.clone())?.get(list.as_str()) else { continue };
            let path = join(&path, list.as_str());
            let items =
                items.as_list().ok_or_else(|| Failure::argument("not-a-list", "a list is needed", path))?;
            rules.extend_from_slice(items);
            check_rule_count(rules.len())?;
        }
        let known = |rule: &Json| rule.get("source").and_then(Json::as_str).and_then(RuleSource::parse);
        let priority = |rule: &Json| known(rule).map_or(usize::MAX, RuleSource::index);
        // An unknown source sorts last.
        let rules = sort(rules, |a, b| priority(a).cmp(&priority(b)));
        merged.push((list.as_str().to_string(), Json::List(rules)));
    }
    Ok(Json::Object(merged))
}

/// Members of the argument of `evaluatePermission`.
const FOLD_FIELDS: &[&str] = &[
    "toolName",
    "subject",
    "rules",
    "mode",
    "bypassDisabled",
    "isFileEdit",
    "isReadOnly",
    "sandboxedBashExempt",
    "cwd",
    "home",
    "projectRoot",
    "dialect",
];

/// `readShellCommand`: its row gets the reading.
pub fn read_shell_command(command: &str, row: &mut Row) -> Written {
    written(check_subject(command).map(|()| shell::read(command).write(row)))
}

/// The same as JSON text, where a row is of no use.
pub fn shell_reading(command: &str) -> Answer {
    answer(check_subject(command).map(|()| {
        let mut to = Writer::default();
        write_reading(&mut to, &shell::read(command));
        to.text
    }))
}

/// `assessBashCommand`; `patterns` is the JSON text of a list of expressions.
pub fn assess_bash_command(command: &str, patterns: Option<&str>, dialect: Option<&str>) -> Answer {
    let assess = || {
        check_subject(command)?;
        let dialect = decode::dialect(dialect, place(&["dialect"]))?;
        if let Some(risk) = policy::guarded(command, dialect.risk) {
            return Ok(risk_text(&risk, command));
        }
        let path: Path = place(&["patterns"]);
        let patterns =
            patterns.map_or(Ok(Json::List(vec![])), |patterns| decode::value(patterns, path.clone()))?;
        let sources = decode::texts(&patterns, &path)?;
        let table = policy::risk_table(dialect.risk);
        let risk = risk::assess_command(table, command, &sources).map_err(|(index, error)| {
            let diagnostic = policy::broken_pattern(index, error, &["patterns"], dialect.risk);
            Failure::policy(&[diagnostic], &Json::Object(vec![("patterns".into(), patterns.clone())]))
        })?;
        Ok(risk_text(&risk, command))
    };
    answer(assess())
}

/// Members of the options of `assessFilePath`.
const SCOPE_FIELDS: &[&str] = &["cwd", "home", "additionalDirectories", "protectedFiles", "dialect"];

/// `assessFilePath`, over the JSON text of its options.
pub fn assess_file_path(file_path: &str, options: &str) -> Answer {
    let mut assess = |options: &Json, path: &Path| {
        let list = |name: &'static str| {
            options.get(name).map(|list| decode::texts(list, &join(path, name))).transpose()
        };
        let dialect = decode::dialect(optional_text(options, "dialect", path)?, join(path, "dialect"))?;
        let table = policy::risk_table(dialect.risk);
        let cwd = Some(decode::text(options, "cwd", path)?);
        let places = Places { cwd, home: optional_text(options, "home", path)? };
        let scope = Scope::new(places, list("additionalDirectories")?.unwrap_or_default());
        let protected = table.paths.protected(list("protectedFiles")?);
        Ok(risk_text(&table.paths.assess(file_path, &scope, &protected), file_path))
    };
    answer(
        check_subject(file_path)
            .and_then(|()| decode::on_object(options, "options", SCOPE_FIELDS, &mut assess)),
    )
}

/// `evaluatePermission`, over the JSON text of its argument.
pub fn evaluate_permission(input: &str, host: Host) -> Answer {
    answer(decode::on_object(input, "input", FOLD_FIELDS, &mut |input, path| {
        let text = |name| optional_text(input, name, path);
        let at = |name: &'static str| place(&["input", name]);
        let dialect = decode::dialect(text("dialect")?, at("dialect"))?;
        let subject = text("subject")?;
        check_subject(subject.unwrap_or_default())?;
        let (cwd, project_root) = (text("cwd")?, text("projectRoot")?);
        // A flag counts only when it is strictly true.
        let flag = |name| input.get(name) == Some(&Json::Bool(true));
        let fold = Fold {
            dialect,
            tool: decode::text(input, "toolName", path)?,
            subject,
            rules: decode::rule_set(decode::object(input.get("rules"), at("rules"))?, dialect, &at("rules"))?,
            mode: decode::mode(decode::text(input, "mode", path)?, dialect, at("mode"))?,
            bypass_disabled: flag("bypassDisabled"),
            is_file_edit: flag("isFileEdit"),
            is_read_only: flag("isReadOnly"),
            sandboxed_bash_exempt: flag("sandboxedBashExempt"),
            cwd: cwd.or(project_root),
            home: text("home")?,
            project_root,
        };
        let outcome = evaluate(fold, host);
        let mut to = Writer::default();
        to.open("{");
        to.member("kind", outcome.kind.as_str());
        if let Some(Reason::Text(reason)) = &outcome.reason {
            to.member("reason", reason);
        }
        to.close("}");
        Ok(to.text)
    }))
}

/// `configFromSettings`, over the JSON text of the settings and of the options.
pub fn config_from_settings(permissions: &str, options: &str) -> Answer {
    answer(decode::on_object(options, "options", &["base", "source", "directory"], &mut |options, path| {
        let base = match options.get("base") {
            Some(base) => decode::object(Some(base), join(path, "base"))?.clone(),
            None => Json::Object(vec![]),
        };
        let source =
            options.get("source").cloned().unwrap_or(Json::Text(RuleSource::UserSettings.as_str().into()));
        let from = policy::from_settings(permissions, base, source, options.get("directory").cloned());
        let settings = json::read_with_problems(permissions).0;
        let mut to = Writer::default();
        to.open("{");
        to.name("config");
        to.plain(&from.config.text());
        if let Some(auto_mode) = from.auto_mode {
            to.name("autoMode");
            to.plain(&auto_mode.text());
        }
        to.name("diagnostics");
        write_diagnostics(&mut to, &from.diagnostics, &settings);
        to.close("}");
        Ok(to.text)
    }))
}

/// `Policy.check`, over the JSON text of a configuration. Never an error.
pub fn check_policy(config: &str, host: Host) -> String {
    let checked = policy::check(config, host);
    let mut to = Writer::default();
    write_diagnostics(&mut to, &checked.diagnostics, &checked.json);
    to.text
}

/// `new Policy`, over the JSON text of a configuration.
pub fn compile_policy(config: &str, host: Host) -> Result<Policy, String> {
    Policy::new(config, host).map_err(|checked| Failure::policy(&checked.diagnostics, &checked.json).text())
}

/// The rule of that rank, as JSON text.
pub fn policy_rule(policy: &Policy, rank: usize) -> String {
    let Some(entry) = policy.config().entries.get(rank) else { return Json::Null.text() };
    let mut to = Writer::default();
    let placed = Placed { rule: &entry.rule, text: &entry.text, path: &entry.path() };
    write_rule(&mut to, &entry.rule.rule, Some(placed));
    to.text
}

/// What is said where the rule of that rank decided; `saying` is an index.
pub fn rule_reason(policy: &Policy, rank: usize, saying: usize) -> String {
    let saying = Saying::ALL.get(saying);
    saying.and_then(|saying| policy.reason_of_rule(rank, *saying)).unwrap_or_default()
}
