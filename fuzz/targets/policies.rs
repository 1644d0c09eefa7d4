//! Policies: what they are made of, and what they decide.

use serde_json::{Value, json};
use toolgate::dialect::{DIALECTS, Dialect};
use toolgate::json::{Json, read, read_with_problems};
use toolgate::policy::{Call, CallState, Explanation, MetRule, Passage, Policy, check, from_settings};
use toolgate::vocabulary::{Behavior, Kind, PermissionMode, Stage};

use super::question::HOST;
use super::reading::assessment;
use super::reported::{MEMBERS, is_ambiguous, is_placed, is_refused_or_compiles, is_reported};
use super::script::Script;
use super::shapes::edited;
use super::{is_known_code, on};

/// A policy and a call, in a text: a first line of words (`dialect mode tool`, each by a number), lines of rules that begin with `+`
/// (allow), `-` (deny), `?` (ask) or `!` (for every mode), then an empty line, and the subject.
pub struct Case<'t> {
    pub dialect: &'static Dialect,
    pub mode: PermissionMode,
    pub tool: &'static str,
    pub subject: &'t str,
    pub config: Value,
}

const TOOLS: &[&str] =
    &["Bash", "bash", "Read", "edit", "WebFetch", "mcp__a__b", "Other", "run_shell_command", "Skill"];

/// What a tool is called with.
pub enum Argument {
    Command,
    Url,
    Path,
    Subject,
}

impl<'t> Case<'t> {
    /// With at most so many rules in each list.
    pub fn of(text: &'t str, most: usize) -> Self {
        let (head, subject) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let mut numbers =
            lines.next().unwrap_or_default().split(' ').map(|word| word.parse::<usize>().unwrap_or(0));
        let dialect = pick(DIALECTS, numbers.next());
        let mode = *pick(PermissionMode::ALL, numbers.next());
        let tool = *pick(TOOLS, numbers.next());
        let list = |mark: char| {
            let rules = lines.clone().filter_map(|line| line.strip_prefix(mark));
            rules.take(most).collect::<Vec<_>>()
        };
        // Assessing risk is most of the work, and has targets of its own.
        let config = json!({
            "dialect": dialect.name, "classifierEnabled": text.len().is_multiple_of(4), "home": "/home/u", "projectRoot": "/repo",
            "rules": {"allow": list('+'), "deny": list('-'), "ask": list('?'), "bypassImmune": list('!')},
        });
        Self { dialect, mode, tool, subject, config }
    }

    pub fn argument(&self) -> Argument {
        match self.tool {
            "Bash" | "bash" | "run_shell_command" => Argument::Command,
            "WebFetch" => Argument::Url,
            "Other" | "Skill" => Argument::Subject,
            _ => Argument::Path,
        }
    }

    fn call(&self) -> Call<'t> {
        let (call, subject) = (Call { tool: self.tool, ..Call::default() }, Some(self.subject));
        match self.argument() {
            Argument::Command => Call { command: subject, ..call },
            Argument::Url => Call { url: subject, ..call },
            Argument::Path => Call { file_path: subject, ..call },
            Argument::Subject => Call { subject, ..call },
        }
    }

    /// The policy, where the rules make one.
    pub fn policy(&self) -> Option<Policy> {
        match Policy::new(&self.config.to_string(), HOST) {
            Ok(policy) => Some(policy),
            Err(checked) => {
                assert!(checked.diagnostics.iter().any(|found| found.is_error()));
                None
            }
        }
    }
}

fn pick<T>(list: &[T], at: Option<usize>) -> &T {
    &list[at.unwrap_or(0) % list.len()]
}

pub fn policies(text: &str) {
    let case = Case::of(text, usize::MAX);
    if let Some(policy) = case.policy().filter(|_| case.dialect.modes.contains(&case.mode)) {
        decide(&policy, &case);
    }
}

/// Tools whose rules say nothing of commands.
const FILE_TOOLS: &[&str] = &[
    "Edit",
    "edit",
    "Write",
    "write",
    "write_file",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "read",
    "read_file",
    "Grep",
    "Glob",
    "LS",
];

fn decide(policy: &Policy, case: &Case<'_>) {
    let call = case.call();
    let state = CallState { mode: Some(case.mode), ..CallState::default() };
    let decision = policy.decide(&call, &state, &[]);
    let met = policy.meets(&call, &state, &[]);
    assert_eq!((met.kind, met.fell_through), (decision.outcome.kind, decision.fell_through()));
    policy.explain(&call, &state, &[], |explanation| {
        assert_eq!(decision, explanation.decision, "the explanation decides otherwise");
        explained(explanation);
        let notes = explanation.rules.iter().filter(|note| note.matched || note.decided);
        let notes = notes.map(|note| MetRule { at: note.at, matched: note.matched, decided: note.decided });
        assert!(notes.eq(met.rules.iter().copied()), "{:?}", met.rules);
        // A dialect that matches the raw line reads nothing, and so has no reading here.
        let unread = explanation.reading.is_some_and(|reading| !reading.is_complete());
        let allows = decision.outcome.kind == Kind::Allow;
        if unread && allows && decision.outcome.stage != Stage::Mode {
            assert_eq!(decision.outcome.stage, Stage::ToolAllow, "allowed, but not read");
            // Nothing less than a rule for every call of the shell lets what is not read run.
            let deciding = explanation.rules.iter().filter(|note| note.decided);
            let is_of_shell = |tool: &str| !FILE_TOOLS.contains(&tool);
            assert!(deciding.clone().any(|note| is_of_shell(&note.rule.rule.tool)), "allowed, but not read");
        }
    });
    assessment(decision.assessed.as_deref().unwrap_or_default(), &decision.risk);
}

fn explained(explanation: &Explanation<'_>) {
    let deciding = explanation.stages.iter().filter(|note| note.passage == Passage::Decided);
    let deciding: Vec<Stage> = deciding.map(|note| note.stage).collect();
    assert_eq!(deciding, [explanation.decision.outcome.stage]);
    let subject = explanation.subject.unwrap_or_default();
    for note in &explanation.rules {
        note.subject_spans.iter().for_each(|span| on(subject, *span));
        assert_eq!(note.why.is_none(), note.matched && note.decided, "a rule without a reason");
        assert!(note.agreement <= note.rule.rule.content.as_deref().unwrap_or_default().len());
        let allowed = explanation.decision.outcome.kind == Kind::Allow;
        assert!(!(note.decided && note.rule.behavior == Behavior::Deny && allowed), "denied and allowed");
    }
}

/// Texts that mean something there.
const TEXTS: &[&str] = &[
    "standard",
    "dsh-0.5",
    "claude-code-2.1",
    "qwen-code-0.24",
    "plan",
    "auto",
    "bypassPermissions",
    "dontAsk",
    "session",
    "userSettings",
    "disable",
    "Bash",
    "Bash(git *)",
    "Bash(",
    "(x)",
    "Read(~/x)",
    "Read(/a/**)",
    "WebFetch(domain:*)",
    "mcp__a__*",
    "/repo",
    "repo",
    "C:\\x",
    "a{9999}",
    "(?=x)",
    "[",
    "*",
    "Agent(a:b)",
    "Bash(a:* b)",
    "rm (.*)",
    "",
];

/// What an edit may put in.
static WORDS: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| [MEMBERS, TEXTS].concat());

/// A configuration with every member, and settings with every one.
static RIGHT: std::sync::LazyLock<[Json; 3]> = std::sync::LazyLock::new(|| {
    let layers = json!([
        {"source": "projectSettings", "directory": "/repo/.x", "allow": ["Bash(npm *)"], "deny": ["Read(.env)"], "ask": ["WebFetch(domain:a.b)"], "bypassImmune": ["Bash(rm )"]},
        {"source": "session", "allow": ["Edit(/src/**)"]},
    ]);
    [
        json!({
            "dialect": "standard", "rules": {"allow": ["Bash(git )"], "deny": ["mcp__a"], "ask": [], "bypassImmune": ["Write"]}, "layers": layers,
            "defaultMode": "acceptEdits", "disableBypassPermissionsMode": "disable", "bashToolName": "Bash", "fileEditTools": ["Edit"],
            "readOnlyTools": ["Read"], "exemptSandboxedBashFromToolAsk": true, "classifierEnabled": true, "additionalDirectories": ["/a"],
            "protectedFiles": [".env"], "dangerousPatterns": ["rm +-(r|f)"], "home": "/home/u", "projectRoot": "/repo",
        }),
        json!({
            "allow": ["Bash(npm *)", "Read(~/x)"], "deny": ["Bash(rm *)"], "ask": ["WebFetch"], "defaultMode": "plan",
            "additionalDirectories": ["../b"], "protectedFiles": [".env"], "dangerousPatterns": ["x"], "disableBypassPermissionsMode": "disable",
            "autoMode": {"classifier": {"enabled": true}, "soft_deny": ["$defaults"]},
        }),
        json!({"dialect": "claude-code-2.1", "home": "/home/u", "projectRoot": "/repo"}),
    ]
    .map(|right| read(&right.to_string()).expect("JSON"))
});

/// The configuration with another dialect, by a choice.
fn in_dialect(right: &Json, script: &mut Script<'_>) -> Json {
    let mut config = right.clone();
    config.set("dialect", Json::Text(script.pick(DIALECTS).name.into()));
    config
}

fn reported(text: &str) {
    // Now and then all of it: asking a policy takes longer than making one.
    if text.len().is_multiple_of(16) {
        return is_reported(text);
    }
    let checked = check(text, HOST);
    is_placed(&checked);
    checked.diagnostics.iter().for_each(|found| is_known_code(found.code));
    is_refused_or_compiles(&checked, text);
}

pub fn configs(script: &mut Script<'_>) {
    match script.raw() {
        Some(text) => reported(&text),
        None => {
            let config = in_dialect(&RIGHT[0], script);
            reported(&edited(&config, script, &WORDS));
        }
    }
}

pub fn settings(script: &mut Script<'_>) {
    let (settings, base) = match script.raw() {
        Some(text) => (text, RIGHT[2].clone()),
        None => {
            let base = in_dialect(&RIGHT[2], script);
            let base = read(&edited(&base, script, &WORDS)).unwrap_or(Json::Null);
            (edited(&RIGHT[1], script, &WORDS), base)
        }
    };
    let source = Json::Text(script.pick(&["userSettings", "projectSettings", "x"]).to_string());
    let directory = script.one_in(3).then(|| Json::Text("/repo".into()));
    let from = from_settings(&settings, base, source, directory);
    let (read, problems) = read_with_problems(&settings);
    let is_value = !problems.iter().any(|problem| matches!(problem.code, "not-json" | "too-deep"));
    for found in &from.diagnostics {
        is_known_code(found.code);
        let place = read.at(&found.path).or_else(|| read.at(found.path.split_last()?.1));
        let is_ambiguous = is_ambiguous(&from.diagnostics, found);
        assert!(place.is_some() || !is_value || is_ambiguous, "no such place: {found:?}");
    }
    reported(&from.config.text());
}
