//! What kind of text a tool's calls are matched by (rules.md section 7).

use crate::order::Gather as _;
use std::borrow::Cow;

use crate::dialect::{Dialect, ListedTools, RiskAxis};
use crate::rule::tool;

/// The kind of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// A shell line.
    Command,
    /// A file's path.
    Path,
    /// A host name.
    Host,
    /// Any other text.
    Text,
}

/// What a policy knows of a tool by its name alone; made once for every name that it knows.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What kind of text its calls are matched by.
    pub kind: SubjectKind,
    /// It is the shell tool, under this or another name.
    pub is_shell: bool,
    /// It leaves `plan`.
    pub exits_plan: bool,
    /// It is listed as one that edits files.
    pub edits_files: bool,
    /// It is listed as one that only reads.
    pub only_reads: bool,
    /// It writes the file that its path names.
    pub writes_its_path: bool,
}

/// The tools that decisions ask for, by the tokens that rules of their names have; read once for all names.
#[derive(Debug)]
pub struct Kinds {
    /// How listed tools are found: the lists hold their names, or tokens as the others do.
    listed: ListedTools,
    shell: Vec<String>,
    hosts: Vec<String>,
    paths: Vec<String>,
    exits: Vec<String>,
    edits: Vec<String>,
    reads: Vec<String>,
    writes: Vec<String>,
}

impl Kinds {
    /// What a dialect and a configuration say of tools; `edits` and `reads` are its lists.
    pub fn of(dialect: &Dialect, bash_tool: &str, edits: &[String], reads: &[String]) -> Self {
        let tokens = |names: &[&str]| {
            let mut tokens = vec![];
            for name in names {
                for token in tool::rule_tokens(name, dialect, bash_tool) {
                    tokens.push(token.into_owned());
                }
            }
            tokens
        };
        let listed = |list: &[String]| match dialect.listed_tools {
            ListedTools::ByName => list.to_vec(),
            ListedTools::ByFamily => tokens(&list.iter().map(String::as_str).gather()),
        };
        Self {
            listed: dialect.listed_tools,
            shell: tokens(&[bash_tool]),
            hosts: tokens(&["WebFetch"]),
            paths: tokens(PATH_TOOLS),
            exits: tokens(&["ExitPlanMode"]),
            edits: listed(edits),
            reads: listed(reads),
            writes: if dialect.risk == RiskAxis::Read { tokens(WRITING_TOOLS) } else { vec![] },
        }
    }

    /// The kind that a name with these tokens tells.
    pub fn kind(&self, tokens: &[Cow<'_, str>]) -> SubjectKind {
        if share(&self.shell, tokens) {
            SubjectKind::Command
        } else if share(&self.hosts, tokens) {
            SubjectKind::Host
        } else if share(&self.paths, tokens) {
            SubjectKind::Path
        } else {
            SubjectKind::Text
        }
    }

    /// What is known of a tool whose calls have these tokens.
    pub fn facts(&self, name: &str, tokens: &[Cow<'_, str>]) -> Facts {
        let listed = |list: &[String]| match self.listed {
            ListedTools::ByName => list.iter().any(|listed| listed == name),
            ListedTools::ByFamily => share(list, tokens),
        };
        let edits_files = listed(&self.edits);
        Facts {
            kind: self.kind(tokens),
            is_shell: share(&self.shell, tokens),
            exits_plan: name == "exit_plan_mode" || share(&self.exits, tokens),
            edits_files,
            only_reads: listed(&self.reads),
            writes_its_path: edits_files || share(&self.writes, tokens),
        }
    }
}

fn share(own: &[String], tokens: &[Cow<'_, str>]) -> bool {
    tokens.iter().any(|token| own.iter().any(|own| own == token))
}

/// Document names of the tools that write the file of their path.
const WRITING_TOOLS: &[&str] = &["Write", "Edit", "MultiEdit", "NotebookEdit"];

/// Document names of the tools whose subject is a path.
const PATH_TOOLS: &[&str] = &["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Grep", "Glob", "LS"];

/// Whether a rule of the name `listed` would answer for a call of the name `call`.
pub fn meets(call: &str, listed: &str, dialect: &Dialect, bash_tool: &str) -> bool {
    let listed = tool::rule_tokens(listed, dialect, bash_tool);
    tool::call_tokens(call, dialect, bash_tool).iter().any(|token| listed.contains(token))
}

/// Whether a tool is one of a configured list.
pub fn is_listed(tool: &str, list: &[String], dialect: &Dialect, bash_tool: &str) -> bool {
    list.iter().any(|listed| match dialect.listed_tools {
        ListedTools::ByName => listed == tool,
        ListedTools::ByFamily => meets(tool, listed, dialect, bash_tool),
    })
}
