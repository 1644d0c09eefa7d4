//! A dialect needs a constant and vectors, nothing else: two that stand here, and mix the axes as none of the crate does.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod common;

use common::{HOST, Question};
use serde_json::{Value, json};
use toolgate::dialect::{
    BypassImmune, Dialect, DomainLabels, Exempt, ImmuneLabel, ListedTools, ModeAllows, RiskAxis, STANDARD,
    Step, Subjects, ToolNames,
};
use toolgate::policy::{Policy, check_among};
use toolgate::vocabulary::{Behavior, PermissionMode};

/// Whole raw lines, tool families, questions before everything, content before whole tools.
const ASKING: Dialect = Dialect {
    name: "asking-1.0",
    tool_names: ToolNames::Families(&[("Run", &["run"]), ("Shell", &["run", "exec"]), ("Look", &["look"])]),
    domain_labels: DomainLabels::AsWritten,
    subjects: Subjects::Raw,
    within_source: [Behavior::Ask, Behavior::Allow, Behavior::Deny],
    pipeline: ASKING_STEPS,
    fold: ASKING_STEPS,
    bypass_immune: BypassImmune::ConfigContent,
    modes: &[PermissionMode::Default, PermissionMode::Plan, PermissionMode::BypassPermissions],
    listed_tools: ListedTools::ByName,
    read_only_tools: &["look"],
    grants_settle: true,
    risk: RiskAxis::Raw,
    ..STANDARD
};

const ASKING_STEPS: &[Step] = &[
    Step::RiskHigh,
    Step::Content,
    Step::ToolAsk(Exempt::GoesOn),
    Step::ToolDeny,
    Step::ExemptAllow,
    Step::Mode(&[ModeAllows::PlanReads, ModeAllows::Bypass]),
    Step::ToolAllow,
    Step::RiskFloor,
    Step::PlanWrap { spares_exit: false },
    Step::LateBypassImmune(ImmuneLabel::Plain),
];

/// Commands of a line, a one-way table of names, allow rules first, risk before rules, no grants behind rules.
const TRUSTING: Dialect = Dialect {
    name: "trusting-2.1",
    tool_names: ToolNames::Aliases(&[("Bash", &["bash"]), ("Shell", &["bash"]), ("File", &["Read", "Edit"])]),
    within_source: [Behavior::Allow, Behavior::Ask, Behavior::Deny],
    pipeline: &[
        Step::BypassImmune(ImmuneLabel::MarkedAndEscaped),
        Step::RiskAnswers,
        Step::ToolAllow,
        Step::Content,
        Step::ToolDeny,
        Step::ToolAsk(Exempt::Allowed),
    ],
    modes: &[PermissionMode::Default, PermissionMode::BypassPermissions],
    grants_settle: false,
    ..STANDARD
};

/// What a host of these two would hand in.
static OWN: &[&Dialect] = &[&ASKING, &TRUSTING];

fn config(dialect: &str, rules: &Value) -> String {
    let mut config =
        json!({ "dialect": dialect, "exemptSandboxedBashFromToolAsk": true, "bashToolName": "Run" });
    let members = config.as_object_mut().unwrap();
    if dialect == TRUSTING.name {
        members.insert("bashToolName".into(), "Bash".into());
    }
    members.insert("rules".into(), rules.clone());
    config.to_string()
}

/// A vector: rules, a call, a state; the kind and the stage.
#[track_caller]
fn check(dialect: &Dialect, rules: Value, call: Value, state: Value, expected: &str) {
    let policy = Policy::among(OWN, &config(dialect.name, &rules), HOST).unwrap();
    let question = Question::new(call, state);
    let decision = question.decide(&policy);
    let came = format!("{} at {}", decision.outcome.kind.as_str(), decision.outcome.stage.as_str());
    assert_eq!(came, expected, "{}: {question:?}", dialect.name);
    question.explain(&policy, |explanation| assert_eq!(explanation.decision, decision));
}

fn run(command: &str) -> Value {
    json!({ "tool": "run", "arguments": { "command": command } })
}

fn bash(command: &str) -> Value {
    json!({ "tool": "bash", "arguments": { "command": command } })
}

#[test]
fn vectors_of_asking() {
    let none = || json!({});
    // Names: a rule answers where its set meets the call's, and the shell of the configuration is one of them.
    check(&ASKING, json!({ "deny": ["Shell"] }), run("ls"), none(), "deny at tool-deny");
    check(&ASKING, json!({ "deny": ["Shell"] }), json!({ "tool": "exec" }), none(), "deny at tool-deny");
    check(&ASKING, json!({ "deny": ["Run"] }), json!({ "tool": "exec" }), none(), "passthrough at no-match");
    check(&ASKING, json!({ "deny": ["bash"] }), json!({ "tool": "Run" }), none(), "deny at tool-deny");
    check(&ASKING, json!({ "deny": ["Bash"] }), json!({ "tool": "look" }), none(), "passthrough at no-match");
    // The raw line is the subject, whole.
    check(&ASKING, json!({ "deny": ["Run(rm )"] }), run("ls; rm x"), none(), "passthrough at no-match");
    check(&ASKING, json!({ "allow": ["Run(ls)"] }), run("ls; rm x"), none(), "allow at content-rule");
    // Ask, allow, deny within a source.
    let all = || json!({ "allow": ["Run(ls)"], "ask": ["Run(ls)"], "deny": ["Run(ls)"] });
    check(&ASKING, all(), run("ls"), none(), "ask at content-rule");
    let two = || json!({ "allow": ["Run(ls)"], "deny": ["Run(ls)", "Run"] });
    check(&ASKING, two(), run("ls"), none(), "allow at content-rule");
    check(&ASKING, two(), run("pwd"), none(), "deny at tool-deny");
    // Whole-tool questions before whole-tool denials; a sandbox spares them.
    let whole = || json!({ "ask": ["Run"], "deny": ["Run"] });
    check(&ASKING, whole(), run("ls"), none(), "ask at tool-ask");
    check(&ASKING, whole(), run("ls"), json!({ "sandbox": "read-only" }), "deny at tool-deny");
    check(
        &ASKING,
        json!({ "ask": ["Run"] }),
        run("ls"),
        json!({ "sandbox": "read-only" }),
        "allow at tool-ask",
    );
    // Modes, and the plan wrap that spares no way out.
    check(&ASKING, none(), json!({ "tool": "look" }), json!({ "mode": "plan" }), "allow at mode");
    check(
        &ASKING,
        none(),
        json!({ "tool": "exit_plan_mode" }),
        json!({ "mode": "plan" }),
        "deny at plan-wrap",
    );
    check(&ASKING, none(), run("ls"), json!({ "mode": "bypassPermissions" }), "allow at mode");
    // Risk of the raw line.
    check(&ASKING, json!({ "allow": ["Run"] }), run("rm -rf /"), none(), "deny at risk");
    // Entries for every mode come last, of this list those with content.
    let immune = || json!({ "allow": ["Run"], "bypassImmune": ["Run", "Run(dd )"] });
    check(&ASKING, immune(), run("ls"), none(), "allow at tool-allow");
    check(&ASKING, immune(), run("dd x"), json!({ "mode": "bypassPermissions" }), "deny at bypass-immune");
    // Grants stand behind rules.
    check(&ASKING, none(), run("ls"), json!({ "grants": ["Run(ls)"] }), "allow at content-rule");
}

#[test]
fn vectors_of_trusting() {
    let none = || json!({});
    // Names go one way: by the harness name every document name answers, by a document name only its own row.
    check(&TRUSTING, json!({ "deny": ["Shell"] }), bash("ls"), none(), "deny at tool-deny");
    check(
        &TRUSTING,
        json!({ "deny": ["Shell"] }),
        json!({ "tool": "Bash" }),
        none(),
        "passthrough at no-match",
    );
    check(&TRUSTING, json!({ "deny": ["File"] }), json!({ "tool": "Edit" }), none(), "deny at tool-deny");
    // Each command is decided alone; allow rules first, and first of all for whole tools.
    check(&TRUSTING, json!({ "deny": ["Bash(rm )"] }), bash("ls; rm x"), none(), "deny at content-rule");
    let both = || json!({ "allow": ["Bash(rm )"], "deny": ["Bash(rm )"] });
    check(&TRUSTING, both(), bash("rm x"), none(), "allow at content-rule");
    check(&TRUSTING, both(), bash("rm x && ls"), none(), "passthrough at no-match");
    check(
        &TRUSTING,
        json!({ "allow": ["Bash"], "deny": ["Bash"] }),
        bash("ls"),
        none(),
        "allow at tool-allow",
    );
    check(
        &TRUSTING,
        json!({ "ask": ["Bash(ls)"], "deny": ["Bash(ls)"] }),
        bash("ls"),
        none(),
        "ask at content-rule",
    );
    // There is no step that asks the mode.
    check(&TRUSTING, none(), bash("ls"), json!({ "mode": "bypassPermissions" }), "passthrough at no-match");
    // Risk answers before rules, entries for every mode before risk.
    check(&TRUSTING, json!({ "deny": ["Bash"] }), bash("echo x > ../y"), none(), "ask at risk");
    check(&TRUSTING, json!({ "bypassImmune": ["Bash"] }), bash("rm -rf /"), none(), "deny at bypass-immune");
    // Grants lift what risk asks, and nothing else.
    let granted = |grant: &str| json!({ "grants": [grant] });
    check(&TRUSTING, none(), bash("echo x > ../y"), granted("Bash(echo )"), "allow at risk");
    check(&TRUSTING, none(), bash("ls"), granted("Bash(ls)"), "passthrough at no-match");
}

/// What a configuration with these dialects is told.
#[track_caller]
fn said(config: &str, expected: &[(&str, Option<&str>)]) {
    let checked = check_among(OWN, config, HOST);
    let found: Vec<_> = checked.diagnostics.iter().map(|d| (d.code, d.hint.as_deref())).collect();
    assert_eq!(found, expected, "{config}");
}

#[test]
fn a_configuration_knows_the_dialects_that_were_handed_in() {
    said(r#"{"dialect":"asking-1.0"}"#, &[]);
    said(r#"{"dialect":"asking"}"#, &[("unknown-dialect", None)]);
    said(r#"{"dialect":"asking-1.1"}"#, &[("unknown-dialect", Some("did you mean `asking-1.0`?"))]);
    said(r#"{"dialect":"dsh-0.5"}"#, &[("unknown-dialect", None)]);
    said(r#"{"dialect":"asking-1.0","defaultMode":"auto"}"#, &[("mode-not-in-dialect", None)]);
    let plan = r#"{"dialect":"trusting-2.1","defaultMode":"plan"}"#;
    said(plan, &[("mode-not-in-dialect", None)]);
    assert!(Policy::among(OWN, plan, HOST).is_err());
    // Those of the crate do not know it.
    assert!(Policy::new(r#"{"dialect":"asking-1.0"}"#, HOST).is_err());
}

/// Advice about rules follows the axes as well.
#[test]
fn diagnostics_follow_the_axes() {
    let inert = r#"{"dialect":"asking-1.0","bashToolName":"Run","rules":{"bypassImmune":["Run","Run(ls)"]}}"#;
    said(inert, &[("inert-rule", Some("write a deny rule"))]);
    let alias = r#"{"dialect":"trusting-2.1","rules":{"bypassImmune":["Bash"]}}"#;
    said(alias, &[("one-way-alias", Some("add rules for Shell"))]);
}
