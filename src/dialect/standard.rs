//! `standard`: the documented contract, read safely wherever its text is silent (rules.md sections 6 and 10).

use super::{
    BypassImmune, COMMON_MODES, Consult, Dialect, DomainLabels, Engine, Exempt, Grammar, ImmuneLabel,
    ListedTools, ModeAllows, RiskAxis, Step, Subjects, ToolNames,
};
use crate::vocabulary::{Behavior, Severity};

/// The default dialect.
pub const STANDARD: Dialect = Dialect {
    name: "standard",
    grammar: Grammar::Escaped,
    engine: Engine::Fold,
    tool_names: ToolNames::Families(FAMILIES),
    domain_labels: DomainLabels::Ascii,
    subjects: Subjects::Read,
    consult: Consult::BySource,
    within_source: [Behavior::Deny, Behavior::Ask, Behavior::Allow],
    pipeline: PIPELINE,
    fold: PIPELINE,
    bypass_immune: BypassImmune::Everywhere,
    layer_directories: false,
    looks_at_arguments: false,
    modes: COMMON_MODES,
    foreign_mode: Severity::Error,
    listed_tools: ListedTools::ByFamily,
    file_edit_tools: &["edit"],
    read_only_tools: &["read"],
    grants_settle: true,
    risk: RiskAxis::Read,
};

const PIPELINE: &[Step] = &[
    Step::BypassImmune(ImmuneLabel::Marked),
    Step::RiskHigh,
    Step::ToolDeny,
    Step::ToolAsk(Exempt::GoesOn),
    Step::Content,
    Step::ExemptAllow,
    Step::Mode(&[ModeAllows::Bypass, ModeAllows::FileEdits, ModeAllows::PlanReads]),
    Step::ToolAllow,
    Step::RiskFloor,
    Step::PlanWrap { spares_exit: true },
];

/// Document names and their tool sets; a name that is not here has the set of itself alone.
const FAMILIES: &[(&str, &[&str])] = &[
    ("Read", &["read", "read_image"]),
    ("Write", &["write"]),
    ("Edit", &["edit", "multi_edit", "str_replace_editor"]),
    ("MultiEdit", &["edit", "multi_edit"]),
    ("NotebookEdit", &["notebook_edit"]),
    ("Bash", &["bash"]),
    ("BashOutput", &["job_output"]),
    ("KillBash", &["job_kill"]),
    ("KillShell", &["job_kill"]),
    ("Grep", &["grep"]),
    ("Glob", &["glob"]),
    ("LS", &["ls"]),
    ("WebFetch", &["web_fetch"]),
    ("WebSearch", &["web_search"]),
    ("TodoWrite", &["todo_write"]),
    ("Task", &["subagent", "subagent_fork"]),
    ("Agent", &["subagent", "subagent_fork"]),
    ("Skill", &["skill"]),
    ("Workflow", &["workflow"]),
    ("Sleep", &["sleep"]),
    ("AskUserQuestion", &["ask_user_question"]),
    ("ExitPlanMode", &["exit_plan_mode"]),
    ("ToolSearch", &["tool_search"]),
    ("EnterWorktree", &["enter_worktree"]),
    ("ExitWorktree", &["exit_worktree"]),
];
