//! The settings of a policy.

use super::call::CallState;
use super::entry::Entry;
use crate::dialect::Dialect;
use crate::vocabulary::PermissionMode;

/// The settings of a policy, defaults filled in.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which semantics.
    pub dialect: &'static Dialect,
    /// Every rule that parses, in the order of the configuration: layers, then `rules`.
    pub entries: Vec<Entry>,
    /// The mode where a call's state names none.
    pub default_mode: PermissionMode,
    /// Whether `bypassPermissions` is taken as `default`.
    pub bypass_disabled: bool,
    /// The name of the shell tool.
    pub bash_tool: String,
    /// Tools that edit files.
    pub file_edit_tools: Vec<String>,
    /// Tools that only read.
    pub read_only_tools: Vec<String>,
    /// Whether a sandboxed shell call is spared a whole-tool ask.
    pub exempt_sandboxed: bool,
    /// Whether risk is assessed.
    pub classifier: bool,
    /// Directories that count as the working directory does.
    pub additional_directories: Vec<String>,
    /// Replaces the built-in list of protected files.
    pub protected_files: Option<Vec<String>>,
    /// Replaces the built-in table of dangerous commands, where not empty.
    pub dangerous_patterns: Vec<String>,
    /// The home directory.
    pub home: Option<String>,
    /// The project's directory.
    pub project_root: Option<String>,
}

impl Config {
    /// The mode before the lock: overlay, state, default.
    pub fn asked_mode(&self, state: &CallState<'_>) -> PermissionMode {
        if state.plan_active { PermissionMode::Plan } else { state.mode.unwrap_or(self.default_mode) }
    }
}
