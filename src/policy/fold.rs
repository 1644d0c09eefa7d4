//! `evaluatePermission`: the fold over rules and mode for one call, with no configuration around it
//! (rules.md sections 10 and 11, last paragraphs).

use super::segments::Run;
use super::tiers;
use crate::dialect::{Dialect, Segments, Tiers};
use crate::engine::call::{Call, CallState};
use crate::engine::config::Config;
use crate::engine::decide::{Evaluation, Outcome};
use crate::engine::entry::Entry;
use crate::engine::index::{self, Book, Index};
use crate::engine::kind::{Facts, Kinds, SubjectKind};
use crate::engine::{kind, subject, unlocked};
use crate::host::Host;
use crate::risk::Assessment;
use crate::rule::{PermissionRule, tool};
use crate::vocabulary::{PermissionMode, RuleList, SandboxMode};

/// The name of the shell tool where no configuration names another.
pub(super) const BASH_TOOL: &str = "Bash";

/// Four lists of rules.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    /// Each rule with its list, in the order of the lists.
    pub rules: Vec<(RuleList, PermissionRule)>,
}

/// One call and everything that its fold looks at.
#[derive(Clone, Debug)]
pub struct Fold<'a> {
    /// Which semantics.
    pub dialect: &'static Dialect,
    /// The call's tool.
    pub tool: &'a str,
    /// What its content rules are tried on.
    pub subject: Option<&'a str>,
    /// The rules.
    pub rules: RuleSet,
    /// The mode.
    pub mode: PermissionMode,
    /// Whether `bypassPermissions` is taken as `default`.
    pub bypass_disabled: bool,
    /// Whether the tool edits files.
    pub is_file_edit: bool,
    /// Whether the tool only reads.
    pub is_read_only: bool,
    /// Whether a whole-tool ask rule spares a shell call.
    pub sandboxed_bash_exempt: bool,
    /// The working directory, where known.
    pub cwd: Option<&'a str>,
    /// The home directory, where known.
    pub home: Option<&'a str>,
    /// The project's directory, where known.
    pub project_root: Option<&'a str>,
}

/// Folds rules and mode into one outcome.
pub fn evaluate(mut fold: Fold<'_>, host: Host) -> Outcome {
    let rules = core::mem::take(&mut fold.rules.rules);
    let fold = &fold;
    let Fold { dialect, tool, .. } = fold;
    if let Some(tables) = dialect.engine.tiers() {
        let config = config(fold, rules);
        return tiered(&config, fold, tables, host).told(&config.entries, dialect);
    }
    if let Some(tables) = dialect.engine.segments() {
        let config = config(fold, rules);
        return segments(&config, fold, tables, host).told(&config.entries, dialect);
    }
    let call = Call { tool, subject: fold.subject, ..Call::default() };
    let state = CallState { cwd: fold.cwd, ..CallState::default() };
    let facts = facts(fold);
    let subject = subject::find(&call, facts.kind, dialect, host);
    let reading = subject::read(subject.as_ref());
    let parts = subject.as_ref().map(|subject| subject::parts(subject, reading.as_ref(), &state, fold.home));
    let entries = entries(fold, rules, &|rule| kind::meets(tool, &rule.rule.tool, dialect, BASH_TOOL));
    let evaluation = Evaluation {
        entries: &entries,
        book: &Book::new(facts, &mut entries.iter().enumerate(), dialect),
        grants: &[],
        grants_settle: false,
        text: None,
        parts: parts.as_ref(),
        risk: &Assessment::default(),
        mode: unlocked(fold.mode, fold.bypass_disabled),
        asked_mode: fold.mode,
        exempt: fold.sandboxed_bash_exempt && facts.is_shell,
    };
    evaluation.run(dialect.fold).told(&entries, dialect)
}

/// The rules that were handed in and pass, in consult order; they have no text of their own.
fn entries(
    fold: &Fold<'_>,
    rules: Vec<(RuleList, PermissionRule)>,
    passes: &dyn Fn(&PermissionRule) -> bool,
) -> Vec<Entry> {
    let mut entries = vec![];
    for (list, rule) in rules {
        if passes(&rule) {
            let text = String::new();
            entries.push(Entry { list, rule, text, index: 0, layer: None, directory: None });
        }
    }
    index::sort(entries, fold.dialect)
}

/// The same in a dialect that decides by tiers: a policy of these rules alone.
fn tiered(config: &Config, fold: &Fold<'_>, tables: &'static Tiers, host: Host) -> Outcome {
    let index = tiers::Index::new(config, tables);
    let rules = tiers::Rules { tiers: tables, config, index: &index, host };
    let call = Call { tool: fold.tool, subject: fold.subject, ..Call::default() };
    let sandbox = Some(SandboxMode::WorkspaceWrite);
    rules.decide(&call, &CallState { cwd: fold.cwd, sandbox, ..CallState::default() }, &[]).outcome
}

/// The same in a dialect that goes by segments. Rules of every tool count, since a line is also what other tools do.
fn segments(config: &Config, fold: &Fold<'_>, tables: &'static Segments, host: Host) -> Outcome {
    let run = Run {
        config,
        tables,
        index: &Index::new(config),
        host,
        call: &Call { tool: fold.tool, subject: fold.subject, ..Call::default() },
        state: CallState { cwd: fold.cwd, ..CallState::default() },
        grants: &[],
        mode: unlocked(fold.mode, fold.bypass_disabled),
    };
    run.decide().outcome
}

/// The configuration that stands behind a fold.
fn config(fold: &Fold<'_>, rules: Vec<(RuleList, PermissionRule)>) -> Config {
    let listed = |listed: bool| if listed { vec![fold.tool.to_owned()] } else { vec![] };
    Config {
        dialect: fold.dialect,
        entries: entries(fold, rules, &|_| true),
        default_mode: fold.mode,
        bypass_disabled: fold.bypass_disabled,
        bash_tool: BASH_TOOL.into(),
        file_edit_tools: listed(fold.is_file_edit),
        read_only_tools: listed(fold.is_read_only),
        exempt_sandboxed: fold.sandboxed_bash_exempt,
        classifier: true,
        additional_directories: vec![],
        protected_files: None,
        dangerous_patterns: vec![],
        home: fold.home.map(Into::into),
        project_root: fold.project_root.or(fold.cwd).map(Into::into),
    }
}

/// There are no arguments: what is known of a tool follows from its name, and from the flags.
fn facts(fold: &Fold<'_>) -> Facts {
    let tokens = tool::call_tokens(fold.tool, fold.dialect, BASH_TOOL);
    let known = Kinds::of(fold.dialect, BASH_TOOL, &[], &[]).facts(fold.tool, &tokens);
    let kind = match known.kind {
        SubjectKind::Text if fold.is_file_edit => SubjectKind::Path,
        kind => kind,
    };
    Facts {
        kind,
        edits_files: fold.is_file_edit,
        only_reads: fold.is_read_only,
        writes_its_path: false,
        ..known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::QWEN_CODE_0_24;
    use crate::rule;
    use crate::vocabulary::{Kind, RuleSource};

    #[track_caller]
    fn check(rules: &[(RuleList, &str)], tool: &str, subject: &str, expected: Kind) {
        let dialect = &QWEN_CODE_0_24;
        let rule = |(list, text): &(RuleList, &str)| {
            let rule = rule::parse(text, dialect, Host::ASCII).unwrap();
            (*list, PermissionRule { rule, behavior: list.behavior(), source: RuleSource::Config })
        };
        let fold = Fold {
            dialect,
            tool,
            subject: Some(subject),
            rules: RuleSet { rules: rules.iter().map(rule).collect() },
            mode: PermissionMode::Default,
            bypass_disabled: false,
            is_file_edit: false,
            is_read_only: false,
            sandboxed_bash_exempt: false,
            cwd: Some("/repo/pkg"),
            home: None,
            project_root: Some("/repo"),
        };
        assert_eq!(evaluate(fold, Host::ASCII).kind, expected, "{tool} {subject}");
    }

    #[test]
    fn a_line_is_also_what_other_tools_do() {
        check(&[(RuleList::Allow, "Bash(cat *)")], "Bash", "cat x", Kind::Allow);
        check(
            &[(RuleList::Allow, "Bash(cat *)"), (RuleList::Deny, "Read(/x)")],
            "Bash",
            "cat ../x",
            Kind::Deny,
        );
        check(&[(RuleList::Ask, "Edit(x)")], "write_file", "/repo/pkg/x", Kind::Ask);
    }
}
