//! `dsh-0.5`: the shipped 0.5 engine exactly as built, its oddities included (rules.md sections 6 and 11).

use super::{
    BypassImmune, COMMON_MODES, Consult, Dialect, DomainLabels, Engine, Exempt, Grammar, ImmuneLabel,
    ListedTools, ModeAllows, RiskAxis, Step, Subjects, ToolNames,
};
use crate::vocabulary::{Behavior, Severity};

/// The engine of version 0.5.
pub const DSH_0_5: Dialect = Dialect {
    name: "dsh-0.5",
    grammar: Grammar::Escaped,
    engine: Engine::Fold,
    tool_names: ToolNames::Aliases(ALIASES),
    domain_labels: DomainLabels::AsWritten,
    subjects: Subjects::Raw,
    consult: Consult::BySource,
    within_source: [Behavior::Allow, Behavior::Deny, Behavior::Ask],
    pipeline: &[
        Step::RiskAnswers,
        Step::ToolDeny,
        Step::Mode(&[ModeAllows::Bypass]),
        Step::ToolAsk(Exempt::Allowed),
        Step::Content,
        Step::Mode(&[ModeAllows::FileEdits, ModeAllows::PlanReads]),
        Step::ToolAllow,
        Step::PlanWrap { spares_exit: false },
        Step::LateBypassImmune(ImmuneLabel::MarkedAndEscaped),
    ],
    fold: &[
        Step::BypassImmune(ImmuneLabel::Plain),
        Step::ToolDeny,
        Step::Mode(&[ModeAllows::Bypass]),
        Step::ToolAsk(Exempt::Allowed),
        Step::Content,
        Step::Mode(&[ModeAllows::FileEdits, ModeAllows::PlanReads]),
        Step::ToolAllow,
        Step::PlanWrap { spares_exit: false },
    ],
    bypass_immune: BypassImmune::ConfigContent,
    layer_directories: false,
    looks_at_arguments: false,
    modes: COMMON_MODES,
    foreign_mode: Severity::Error,
    listed_tools: ListedTools::ByName,
    file_edit_tools: &["edit", "write", "multi_edit", "notebook_edit", "str_replace_editor"],
    read_only_tools: &["read", "glob", "grep", "search", "web_fetch", "web_search"],
    grants_settle: false,
    risk: RiskAxis::Raw,
};

/// Document names and the harness names that each stands for.
const ALIASES: &[(&str, &[&str])] = &[
    ("Read", &["read", "read_image"]),
    ("Write", &["write"]),
    ("Edit", &["edit"]),
    ("MultiEdit", &["edit"]),
    ("NotebookEdit", &["NotebookEdit"]),
    ("Bash", &["bash"]),
    ("BashOutput", &["job_output"]),
    ("KillBash", &["job_kill"]),
    ("Grep", &["grep"]),
    ("Glob", &["glob"]),
    ("WebFetch", &["web_fetch"]),
    ("WebSearch", &["web_search"]),
    ("TodoWrite", &["todo_write"]),
    ("Task", &["subagent", "subagent_fork"]),
    ("Skill", &["skill"]),
    ("AskUserQuestion", &["ask_user_question"]),
    ("ExitPlanMode", &["exit_plan_mode"]),
    ("Workflow", &["workflow"]),
    ("Sleep", &["Sleep"]),
    ("ToolSearch", &["ToolSearch"]),
    ("EnterWorktree", &["EnterWorktree"]),
    ("ExitWorktree", &["ExitWorktree"]),
];
