//! Assesses one path that a tool would write (`risk.md` sections 5 and 7).
//!
//! HIGH hides MEDIUM, so that there is one finding at most.
//!
//! ```
//! use toolgate::path::Places;
//! use toolgate::risk::{STANDARD, Scope};
//!
//! let scope = Scope::new(Places { cwd: Some("/repo"), home: None }, ["/other"]);
//! let protected = STANDARD.paths.protected(None::<[&str; 0]>);
//! let code = |path| STANDARD.paths.assess(path, &scope, &protected).findings.first().map(|found| found.code);
//! assert_eq!(code("sub/.SSH/id"), Some("protected-file"));
//! assert_eq!(code("../x"), Some("outside-scope"));
//! assert_eq!(code("/other/..x"), None);
//! ```

use super::protected::{Protected, Spellings};
use super::scope::Scope;
use super::{Assessment, Finding, RiskLevel};
use crate::path::{Lexical, Places};
use crate::span::Span;

/// How a dialect tells whether a path lies outside of the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// By whole names, with homes, drives and shares.
    Names,
    /// By a relative form that starts with two dots; without a working directory nothing is outside.
    Dots,
}

/// A dialect's table for paths.
#[derive(Clone, Copy, Debug)]
pub struct PathTable {
    /// What is protected unless the configuration says otherwise.
    pub protected: &'static [&'static str],
    /// How a protected pattern is tried.
    pub spellings: Spellings,
    /// What is outside.
    pub bounds: Bounds,
    /// A control character makes a path unclear.
    pub control_is_unclear: bool,
}

pub(super) const PROTECTED_REASON: &str = "path matches a protected file pattern";
pub(super) const UNCLEAR_REASON: &str = "path cannot be read with certainty";
const OUTSIDE_REASON: &str = "path resolves outside the permission scope";

impl PathTable {
    /// The protected list: `configured`, where it is there at all, in the place of the table's own.
    pub fn protected<'p>(&self, configured: Option<impl IntoIterator<Item = &'p str>>) -> Protected {
        match configured {
            Some(patterns) => Protected::compile(self.spellings, patterns),
            None => Protected::compile(self.spellings, self.protected.iter().copied()),
        }
    }

    /// The assessment of `path`; at most one finding, whose span is the whole path.
    pub fn assess(&self, path: &str, scope: &Scope<'_>, protected: &Protected) -> Assessment {
        let (code, level, reason) = if path.is_empty() {
            return Assessment::default();
        } else if protected.covers(path, scope.places()) {
            ("protected-file", RiskLevel::High, PROTECTED_REASON)
        } else if self.control_is_unclear && path.chars().any(char::is_control) {
            ("unclear-path", RiskLevel::Medium, UNCLEAR_REASON)
        } else if self.is_outside(path, scope) {
            ("outside-scope", RiskLevel::Medium, OUTSIDE_REASON)
        } else {
            return Assessment::default();
        };
        Assessment::of(vec![Finding { code, level, reason: reason.into(), span: Span::of(path) }])
    }

    fn is_outside(&self, path: &str, scope: &Scope<'_>) -> bool {
        match self.bounds {
            Bounds::Names => scope.leaves(path),
            Bounds::Dots => scope.is_dotted_from_all(path),
        }
    }
}

impl Scope<'_> {
    /// Whether the path's relative form starts with two dots, seen from the working directory and from each of the
    /// additional ones; a `~` is a name like any other.
    fn is_dotted_from_all(&self, path: &str) -> bool {
        let Places { cwd: Some(cwd), .. } = self.places() else { return false };
        if cwd.is_empty() {
            return false;
        }
        let cwd = Lexical::read_plain(cwd);
        let path = Lexical::read_plain(path).from(&cwd);
        let is_dotted = |base: &Lexical<'_>| {
            path.rest_under(base).is_none_or(|rest| rest.first().is_some_and(|name| name.starts_with("..")))
        };
        let mut additional = self.additional_texts().iter();
        is_dotted(&cwd) && additional.all(|text| is_dotted(&Lexical::read_plain(text).from(&cwd)))
    }
}

/// The table of `standard`.
pub const STANDARD: PathTable = PathTable {
    protected: &[
        ".gitconfig",
        ".bashrc",
        ".zshrc",
        ".profile",
        ".bash_profile",
        ".zprofile",
        ".bash_login",
        ".bash_logout",
        ".zshenv",
        ".zlogin",
        ".ssh/**",
        ".aws/**",
        ".gnupg/**",
        ".netrc",
        ".git-credentials",
        ".pgpass",
        ".pypirc",
        ".docker/config.json",
        ".kube/config",
        ".mcp.json",
    ],
    spellings: Spellings::Forms,
    bounds: Bounds::Names,
    control_is_unclear: true,
};

/// The table of `dsh-0.5`.
pub const DSH_0_5: PathTable = PathTable {
    protected: &[
        ".gitconfig",
        ".bashrc",
        ".zshrc",
        ".profile",
        ".bash_profile",
        ".zprofile",
        ".ssh/**",
        ".aws/**",
        ".netrc",
        ".git-credentials",
        ".mcp.json",
    ],
    spellings: Spellings::Raw,
    bounds: Bounds::Dots,
    control_is_unclear: false,
};
