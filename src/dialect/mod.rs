//! Named semantics: the axes, and one constant a dialect (dialects.md).
//!
//! Code never asks which dialect it has; it asks for the value on an axis. A new dialect is a new constant.

mod claude_code_2_1;
mod dsh_0_5;
mod qwen_code_0_24;
pub mod segments;
mod standard;
pub mod tiers;

pub use claude_code_2_1::CLAUDE_CODE_2_1;
pub use dsh_0_5::DSH_0_5;
pub use qwen_code_0_24::QWEN_CODE_0_24;
pub use segments::Segments;
pub use standard::STANDARD;
pub use tiers::Tiers;

use crate::vocabulary::{Behavior, PermissionMode, Severity};

/// Every dialect; the first is the default.
pub const DIALECTS: &[&Dialect] = &[&STANDARD, &DSH_0_5, &CLAUDE_CODE_2_1, &QWEN_CODE_0_24];

/// A value on each axis.
#[derive(Debug)]
pub struct Dialect {
    /// The name and version, as a configuration spells it.
    pub name: &'static str,
    /// How the text of a rule is read.
    pub grammar: Grammar,
    /// What decides.
    pub engine: Engine,
    /// How a call's tool name finds its rules.
    pub tool_names: ToolNames,
    /// How the labels of a `domain:` rule are read.
    pub domain_labels: DomainLabels,
    /// What a content rule is tried on.
    pub subjects: Subjects,
    /// What comes first where rules are consulted: their source, or what they say.
    pub consult: Consult,
    /// In which order content rules of one source are consulted.
    pub within_source: [Behavior; 3],
    /// What `Policy.decide` goes through.
    pub pipeline: &'static [Step],
    /// What `evaluatePermission` goes through.
    pub fold: &'static [Step],
    /// Where `bypassImmune` lists are in force.
    pub bypass_immune: BypassImmune,
    /// Whether a layer's own directory anchors its paths.
    pub layer_directories: bool,
    /// Whether its rules look at other arguments than those that every dialect takes subjects from.
    pub looks_at_arguments: bool,
    /// The modes that it has.
    pub modes: &'static [PermissionMode],
    /// What it is to configure a mode that it does not have.
    pub foreign_mode: Severity,
    /// How listed tools are found.
    pub listed_tools: ListedTools,
    /// Tools that edit files, where the configuration names none.
    pub file_edit_tools: &'static [&'static str],
    /// Tools that only read, where the configuration names none.
    pub read_only_tools: &'static [&'static str],
    /// Whether session grants are consulted behind rules, not only under risk.
    pub grants_settle: bool,
    /// What risk is looked for in.
    pub risk: RiskAxis,
}

impl Dialect {
    /// The dialect of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        DIALECTS.iter().copied().find(|dialect| dialect.name == name)
    }
}

/// How the text of a rule is read.
#[derive(Clone, Copy, Debug)]
pub enum Grammar {
    /// Backslashes escape parentheses; a content is a prefix, a pattern with stars or a domain.
    Escaped,
    /// Every character stands for itself; the table tells what the content of a tool's rules is.
    Literal(&'static [tiers::ToolRow]),
    /// Every character stands for itself; the canonical name of the tool tells what its content is.
    Verbatim(&'static [(tiers::Words, ContentKind)]),
}

/// What decides.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// The steps of a pipeline, source by source.
    Fold,
    /// Deny, ask, allow over all sources, and every part of the call covered.
    Tiers(&'static Tiers),
    /// Segments of a line, each alone, and the operations that the line stands for.
    Segments(&'static Segments),
}

/// What the content of a rule is about, where the tool alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// Shell commands.
    Command,
    /// Paths.
    Path,
    /// Host names.
    Host,
    /// One text.
    Text,
    /// One text, and parameters.
    Literal,
}

/// What comes first where rules are consulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consult {
    /// Their source, highest priority first.
    BySource,
    /// What they say, in the order of `within_source`; of these the session's first, the others as they stand.
    ByBehavior,
}

impl Engine {
    /// The tables of a dialect that decides by tiers.
    pub const fn tiers(self) -> Option<&'static Tiers> {
        match self {
            Self::Tiers(tiers) => Some(tiers),
            Self::Fold | Self::Segments(_) => None,
        }
    }

    /// The tables of a dialect that goes by segments.
    pub const fn segments(self) -> Option<&'static Segments> {
        match self {
            Self::Segments(segments) => Some(segments),
            Self::Fold | Self::Tiers(_) => None,
        }
    }
}

/// How a call's tool name finds its rules.
#[derive(Clone, Copy, Debug)]
pub enum ToolNames {
    /// Every name has a set; a rule answers for a call when the sets meet. MCP servers answer for their tools.
    Families(&'static [(&'static str, &'static [&'static str])]),
    /// A document name stands for harness names; looked up from the call's side alone.
    Aliases(&'static [(&'static str, &'static [&'static str])]),
    /// Every name has a canonical one; the canonical name of a rule answers for further ones. MCP servers answer for
    /// their tools, and so does what ends in a star.
    Canonical {
        /// Canonical names and their aliases.
        names: &'static [(&'static str, &'static [&'static str])],
        /// Canonical names, and those that their rules answer for beside them.
        wider: &'static [(&'static str, &'static [&'static str])],
    },
}

/// How the labels of a `domain:` rule are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainLabels {
    /// As they are written.
    AsWritten,
    /// In ASCII form; empty labels and blanks are refused.
    Ascii,
    /// A first label `*` stands for one or more labels, any other star for text within a label.
    Below,
}

/// What a content rule is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subjects {
    /// The raw text, whole, for every kind of tool.
    Raw,
    /// The commands of a line, the forms of a path, the host of a URL.
    Read,
}

/// Where `bypassImmune` lists are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BypassImmune {
    /// Every entry of every layer.
    Everywhere,
    /// Entries with content, of source `config`.
    ConfigContent,
}

/// What risk is looked for in, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskAxis {
    /// The commands of a line as they are read, the files that it writes, and the paths of tools that write.
    Read,
    /// The raw line, and the paths of tools that are listed by name.
    Raw,
    /// What the engine guards against: words that stand side by side in the raw line.
    Guard(&'static [segments::Guarded]),
}

/// How listed tools are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedTools {
    /// The call's tool set meets that of a listed name.
    ByFamily,
    /// The call's name is listed.
    ByName,
}

/// A step of a pipeline. A step that settles does so only where nothing before it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Settles: an entry of `bypassImmune` that accepts denies.
    BypassImmune(ImmuneLabel),
    /// Settles: HIGH risk denies.
    RiskHigh,
    /// Settles: HIGH risk denies; MEDIUM risk is allowed under `bypassPermissions` or by a grant, else it asks.
    RiskAnswers,
    /// Settles: a whole-tool deny rule denies.
    ToolDeny,
    /// Settles: a whole-tool ask rule asks. What an exempt shell call gets instead is the second value.
    ToolAsk(Exempt),
    /// Settles: content rules, then content grants.
    Content,
    /// Settles: a call that was exempt at [`Step::ToolAsk`] is allowed.
    ExemptAllow,
    /// Settles: what the mode itself allows.
    Mode(&'static [ModeAllows]),
    /// Settles: a whole-tool allow rule, then a whole-tool grant, allows.
    ToolAllow,
    /// Tightens: MEDIUM risk asks in the place of allow and passthrough, but under `bypassPermissions` or by a grant.
    RiskFloor,
    /// Tightens: in `plan`, ask and passthrough become deny, but for read-only tools.
    PlanWrap {
        /// Whether the way out of `plan` is spared.
        spares_exit: bool,
    },
    /// Tightens: as [`Step::BypassImmune`], after everything else.
    LateBypassImmune(ImmuneLabel),
}

/// How a reason names an entry of `bypassImmune`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmuneLabel {
    /// As any rule.
    Plain,
    /// With the mark of an entry that holds in every mode.
    Marked,
    /// Marked, and with its content escaped.
    MarkedAndEscaped,
}

/// What a whole-tool ask rule means for a shell call that is exempt from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exempt {
    /// It is allowed at once.
    Allowed,
    /// Content rules still decide; there is no exemption in `plan`.
    GoesOn,
}

/// What a mode allows by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeAllows {
    /// `bypassPermissions`: everything.
    Bypass,
    /// `acceptEdits`: tools that edit files.
    FileEdits,
    /// `plan`: tools that only read.
    PlanReads,
}

/// Programs that run whatever they are told, in lower case: shells, interpreters, runners of packages and of scripts.
pub const INTERPRETERS: tiers::Words = tiers::Words(
    "bash sh zsh fish csh tcsh dash ksh cmd pwsh powershell python python3 python2 node deno tsx bun ruby perl php lua \
        julia r rscript groovy awk gawk cargo npm pnpm yarn make gmake gradle mvn rake task just go npx bunx pnpx uvx \
        pipx dlx ssh eval exec source",
);

/// The five modes that every dialect has.
pub const COMMON_MODES: &[PermissionMode] = &[
    PermissionMode::Default,
    PermissionMode::AcceptEdits,
    PermissionMode::Plan,
    PermissionMode::BypassPermissions,
    PermissionMode::Auto,
];
