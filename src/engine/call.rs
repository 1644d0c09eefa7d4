//! A call and the state it is made in, as the boundary hands them over.

use crate::json::Json;
use crate::vocabulary::{PermissionMode, SandboxMode};

/// A tool call: its name, and those of its arguments that rules can look at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// The subject where the host named it itself; it overrides what the arguments say.
    pub subject: Option<&'a str>,
    /// `arguments.command`, if a string.
    pub command: Option<&'a str>,
    /// `arguments.file_path`, if a string.
    pub file_path: Option<&'a str>,
    /// `arguments.notebook_path`, if a string.
    pub notebook_path: Option<&'a str>,
    /// `arguments.path`, if a string.
    pub path: Option<&'a str>,
    /// `arguments.url`, if a string.
    pub url: Option<&'a str>,
    /// All arguments, where the dialect looks at more than these.
    pub arguments: Option<&'a Json>,
}

/// What a call's decision depends on beside the policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallState<'a> {
    /// The session's mode.
    pub mode: Option<PermissionMode>,
    /// The working directory.
    pub cwd: Option<&'a str>,
    /// Whether a plan is under way.
    pub plan_active: bool,
    /// The sandbox that shell calls run in.
    pub sandbox: Option<SandboxMode>,
    /// The real path of the call's file, where the host resolved links.
    pub real_path: Option<&'a str>,
}
