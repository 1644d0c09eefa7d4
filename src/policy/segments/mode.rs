//! What a mode makes of what the rules came to (`qwen-code.md` section 11).
//!
//! | mode | makes of it |
//! |---|---|
//! | `acceptEdits` | an edit without a rule is allowed |
//! | `plan` | edits and lines that write are denied, lines of which nothing is known are asked |
//! | `bypassPermissions` | what is not denied is allowed, but for what only a person can answer |
//! | `auto` | an allow stands or is reviewed; of the rest what is harmless is allowed, what destroys is denied, all else asks |

use super::reads::Effect;
use super::review::Review;
use super::rules::Settled;
use super::{Run, Trace, guarded};
use crate::dialect::ContentKind;
use crate::path::Lexical;
use crate::vocabulary::{Kind, PermissionMode, Stage};

/// The decision.
pub(super) fn apply(run: &Run<'_>, trace: &mut Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    if ruled.kind == Kind::Deny {
        return ruled;
    }
    match run.mode {
        PermissionMode::Default | PermissionMode::DontAsk => ruled,
        PermissionMode::AcceptEdits if ruled.kind == Kind::Passthrough && run.edits_files() => {
            Settled::unruled(Kind::Allow, Stage::Mode)
        }
        PermissionMode::AcceptEdits => ruled,
        PermissionMode::Plan => plan(run, trace),
        PermissionMode::BypassPermissions => bypass(run, trace),
        PermissionMode::Auto => auto(run, trace),
    }
}

fn plan(run: &Run<'_>, trace: &Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    let writes = trace.kind == ContentKind::Command && trace.effect == Effect::Writes;
    if writes || run.edits_files() {
        return Settled::unruled(Kind::Deny, Stage::PlanWrap);
    }
    let unknown = trace.kind == ContentKind::Command && trace.effect == Effect::Unknown;
    if unknown && ruled.kind == Kind::Allow {
        return Settled::unruled(Kind::Ask, Stage::PlanWrap);
    }
    ruled
}

fn bypass(run: &Run<'_>, trace: &Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    if trace.tool == run.tables.person {
        // Nobody but a person can answer, whatever a rule says.
        return if ruled.kind == Kind::Ask { ruled } else { Settled::unruled(Kind::Ask, Stage::NoMatch) };
    }
    if ruled.kind == Kind::Allow { ruled } else { Settled::unruled(Kind::Allow, Stage::Mode) }
}

fn auto(run: &Run<'_>, trace: &mut Trace<'_>) -> Settled {
    let ruled = trace.ruled;
    let review =
        Review { tables: run.tables, more: run.config.protected_files.as_deref().unwrap_or_default() };
    let auto = &run.tables.auto;
    let is_line = trace.kind == ContentKind::Command;
    if is_line {
        trace.risk = guarded(trace.subject.as_deref().unwrap_or_default(), run.config.dialect.risk);
    }
    let paths = || trace.path.iter().chain(&trace.real_path);
    let touches_protected = paths().any(|path| review.is_protected(path));
    if ruled.kind == Kind::Allow {
        let reviewed = match &trace.reading {
            Some(reading) => review.of_line(reading, &trace.operations),
            None => run.edits_files() && touches_protected,
        };
        return if reviewed { Settled::unruled(Kind::Ask, Stage::Risk) } else { ruled };
    }
    let by_rule = ruled.kind == Kind::Ask && ruled.rule.is_some();
    let inside = || trace.path.is_some() && paths().all(|path| is_inside(run, path));
    let left_alone =
        auto.harmless.has(trace.tool) || (auto.edits.has(trace.tool) && !touches_protected && inside());
    if left_alone && !by_rule {
        return Settled::unruled(Kind::Allow, Stage::Mode);
    }
    if is_line && !trace.risk.findings.is_empty() {
        return Settled::unruled(Kind::Deny, Stage::Risk);
    }
    if by_rule { ruled } else { Settled::unruled(Kind::Ask, Stage::NoMatch) }
}

/// Whether a path lies in the project.
fn is_inside(run: &Run<'_>, path: &str) -> bool {
    let project = run.config.project_root.as_deref().or(run.state.cwd).filter(|project| !project.is_empty());
    project.is_some_and(|project| Lexical::read(path).is_under(&Lexical::read(project)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::host::Host;
    use crate::policy::{Call, CallState, Policy};
    use crate::vocabulary::Kind;
    use crate::vocabulary::PermissionMode::{self, AcceptEdits, Auto, BypassPermissions, Default, Plan};

    /// `rules` are the members of `rules`; a call of the shell unless `tool path` names another.
    #[track_caller]
    fn check(mode: PermissionMode, rules: &str, call: &str, expected: &str) {
        let config = [
            r#"{"dialect":"qwen-code-0.24","projectRoot":"/r","protectedFiles":["notes"],"rules":{"#,
            rules,
            "}}",
        ];
        let policy = Policy::new(&config.concat(), Host::ASCII).unwrap();
        let call = match call.split_once(" @") {
            Some((tool, "")) => Call { tool, ..Call::default() },
            Some((tool, path)) => Call { tool, file_path: Some(path), ..Call::default() },
            None => Call { tool: "Bash", command: Some(call), ..Call::default() },
        };
        let state = CallState { mode: Some(mode), cwd: Some("/r"), ..CallState::default() };
        let decision = policy.decide(&call, &state, &[]);
        let found = [decision.outcome.kind.as_str(), " ", decision.outcome.stage.as_str()].concat();
        assert_eq!(found, expected, "{mode:?} {rules} {call:?}");
        policy.explain(&call, &state, &[], |explanation| assert_eq!(explanation.decision, decision));
    }

    proptest! {
        #[test]
        fn never_fails(line in "[ab;&|<>()$ '\"\\\\{}#*\n~./=-]{0,60}", mode in 0usize..5) {
            let config = r#"{"dialect":"qwen-code-0.24","rules":{"allow":["Bash(a *)"],"deny":["Read(**/b)","Edit(b)"]}}"#;
            let policy = Policy::new(config, Host::ASCII).unwrap();
            let call = Call { tool: "Bash", command: Some(&line), ..Call::default() };
            let state = CallState { mode: PermissionMode::ALL.get(mode).copied(), cwd: Some("/r"), ..CallState::default() };
            let decision = policy.decide(&call, &state, &[]);
            prop_assert_eq!(decision.effective, decision.outcome.kind);
            prop_assert_ne!(decision.effective, Kind::Passthrough);
        }

        /// What is denied without an allow rule is denied with one, and nothing that could not be read is allowed by content.
        #[test]
        fn allow_rules_lift_no_denial(line in "(cat|rm|echo|cd|git) [ab ;&|<>()$'\"#*\n./-]{0,30}") {
            let with = |rules: &str| {
                let config = [r#"{"dialect":"qwen-code-0.24","rules":{"deny":["Read(**/b)","Bash(rm *)"]"#, rules, "}}"];
                let policy = Policy::new(&config.concat(), Host::ASCII).unwrap();
                let call = Call { tool: "Bash", command: Some(&line), ..Call::default() };
                policy.decide(&call, &CallState { cwd: Some("/r"), ..CallState::default() }, &[]).outcome.kind
            };
            let (without, with) = (with(""), with(r#","allow":["Bash(* *)"]"#));
            prop_assert_eq!(without == Kind::Deny, with == Kind::Deny);
            prop_assert!(with != Kind::Allow || without == Kind::Allow || crate::shell::read(&line).is_complete());
        }
    }

    #[test]
    fn edits() {
        check(AcceptEdits, "", "edit @/r/a", "allow mode");
        check(AcceptEdits, r#""ask":["Edit"]"#, "edit @/r/a", "ask tool-ask");
        check(AcceptEdits, "", "npm test", "ask no-match");
        check(Plan, r#""allow":["Edit"]"#, "write_file @/r/a", "deny plan-wrap");
        check(Plan, r#""deny":["Edit"]"#, "write_file @/r/a", "deny tool-deny");
        check(Auto, "", "edit @/r/a", "allow mode");
        check(Auto, "", "edit @../x", "ask no-match");
        check(Auto, "", "edit @notes/x", "ask no-match");
        check(Auto, r#""allow":["Edit"]"#, "edit @notes/x", "ask risk");
        check(Auto, r#""ask":["Edit(a)"]"#, "edit @a", "ask content-rule");
        check(Auto, "", "notebook_edit @a", "ask no-match");
    }

    #[test]
    fn lines_in_plan() {
        check(Plan, "", "ls", "allow no-match");
        check(Plan, "", "rm x", "deny plan-wrap");
        check(Plan, r#""allow":["Bash"]"#, "npm test", "ask plan-wrap");
        check(Plan, "", "npm test", "ask no-match");
        check(Plan, r#""ask":["Bash(npm *)"]"#, "npm test", "ask content-rule");
    }

    #[test]
    fn bypass() {
        check(BypassPermissions, r#""ask":["Bash(rm *)"]"#, "rm x", "allow mode");
        check(BypassPermissions, r#""deny":["Bash(rm *)"]"#, "rm x", "deny content-rule");
        check(BypassPermissions, "", "mcp__a__b @", "allow mode");
        check(BypassPermissions, r#""allow":["ask_user_question"]"#, "ask_user_question @", "ask no-match");
        check(BypassPermissions, r#""bypassImmune":["Bash(rm *)"]"#, "rm x", "deny bypass-immune");
    }

    #[test]
    fn auto() {
        check(Auto, r#""allow":["Bash"]"#, "npm test", "ask no-match");
        check(Auto, r#""allow":["Bash(npm test)"]"#, "npm test", "allow content-rule");
        check(Auto, r#""ask":["Bash"]"#, "git reset --hard", "deny risk");
        check(Auto, r#""allow":["Bash(git *)"]"#, "git reset --hard", "allow content-rule");
        check(Auto, "", "todo_write @", "allow mode");
        check(Auto, r#""ask":["todo_write"]"#, "todo_write @", "ask tool-ask");
        check(Auto, "", "mcp__a__b @", "ask no-match");
        check(Auto, r#""allow":["mcp__a"]"#, "mcp__a__b @", "allow tool-allow");
        check(Auto, r#""allow":["Bash(printf *)"]"#, "printf x >> \"$X/.git/config\"", "ask risk");
        check(Auto, r#""allow":["Bash(cd *)","Bash(touch *)"]"#, "cd $X && touch a", "ask risk");
        check(Auto, r#""allow":["Bash(tar *)"]"#, "tar cf x.tar a --exclude=.git/x", "ask risk");
        check(Auto, "", "monitor @", "ask no-match");
    }

    #[test]
    fn rules_alone() {
        check(Default, "", "edit @/r/a", "passthrough no-match");
        check(Default, r#""allow":["Bash(a)"]"#, "a; ls", "allow content-rule");
        check(Default, r#""allow":["Bash(a)"]"#, "a; npm x", "ask no-match");
        check(Default, r#""allow":["Bash(a *)"]"#, "a 'x", "ask no-match");
        check(Default, "", "ls && && ls", "ask no-match");
        check(Default, r#""allow":["Bash"]"#, "a 'x", "allow tool-allow");
        check(Default, r#""deny":["Bash(rm *)"]"#, "ls 'x; rm y", "ask no-match");
        check(Default, r#""allow":["Bash(cat *)"],"deny":["Read"]"#, "cat x", "deny tool-deny");
        check(Default, r#""allow":["Bash(cat *)"],"deny":["Grep"]"#, "cat x", "allow content-rule");
        check(Default, r#""deny":["Read(./x)"]"#, "cd $D; cat y", "ask no-match");
        check(Default, r#""deny":["Read(x)"]"#, "find . -exec cat {} \\;", "ask no-match");
        check(Default, r#""ask":["Read(**)"],"deny":["Read(/s)"]"#, "cat s t", "deny content-rule");
    }
}
