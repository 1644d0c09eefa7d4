//! Text to rule: the grammar, its escapes, and the rule that comes out (rules.md sections 1 to 3).
//!
//! ```text
//! rule    = blanks tool blanks                      whole-tool rule
//!         | blanks tool blanks "(" content ")"      content rule; nothing may follow the ")"
//! tool    = one or more characters, none of them an unescaped "("
//! content = any characters; "\(" "\)" "\\" stand for "(" ")" "\"
//! ```
//!
//! ```
//! use toolgate::{dialect, rule};
//! let parsed = rule::parse("Bash(npm run test)", &dialect::STANDARD, toolgate::host::Host::ASCII).unwrap();
//! assert_eq!(parsed.tool, "Bash");
//! assert!(parsed.accepts("npm run test:unit"));
//! ```

pub mod brace_glob;
pub mod domain;
mod escape;
pub mod glob;
pub mod language;
pub mod literal;
mod matcher;
mod parse;
mod retokenise;
mod spaced;
pub mod tool;
mod verbatim;

pub use escape::{escape, unescape, written_length};
pub use matcher::{Anchor, Matcher, Parameter, Wildcard};
pub use parse::{RuleError, Shape, parse, parse_shape};
pub use retokenise::{Token, retokenise, tokens};
pub use verbatim::{accepts_host, accepts_line, accepts_parameter, content_kind};

use crate::dialect::{Dialect, Grammar};
use crate::host::Host;
use crate::vocabulary::{Behavior, RuleSource};

/// A rule that names a tool and, where it has content, what it accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedRule {
    /// The tool's name, trimmed.
    pub tool: String,
    /// The unescaped content; a whole-tool rule has none.
    pub content: Option<String>,
    /// What the content accepts; a whole-tool rule has none.
    pub matcher: Option<Matcher>,
    /// Arguments that must hold beside the matcher.
    pub parameters: Vec<Parameter>,
}

impl ParsedRule {
    /// Whether it is about every call of its tool.
    pub fn is_whole_tool(&self) -> bool {
        self.matcher.is_none()
    }

    /// Whether the matcher accepts `subject` as it stands; a rule without one accepts everything.
    pub fn accepts(&self, subject: &str) -> bool {
        self.matcher.as_ref().is_none_or(|matcher| matcher.accepts(subject))
    }

    /// How many bytes of the content have a counterpart in `text`, from the content's start.
    pub fn agreement(&self, text: &str) -> usize {
        let content = self.content.as_deref().unwrap_or_default();
        match &self.matcher {
            // A host that stands alone has no part that every address has.
            Some(Matcher::Domain(_)) if literal::domain(content).is_none() => 0,
            Some(matcher) => matcher.agreement(text).min(content.len()),
            None => 0,
        }
    }

    /// Whether a content alone accepts `subject`, as the dialect reads it.
    pub fn content_accepts(&self, subject: &str, dialect: &Dialect) -> bool {
        match dialect.grammar {
            Grammar::Escaped | Grammar::Literal(_) => self.accepts(subject),
            Grammar::Verbatim(kinds) => verbatim::accepts(self, subject, kinds),
        }
    }

    /// Completes a rule that a host hands in: a content without its matcher must not turn into the whole tool.
    pub fn completed(mut self, dialect: &Dialect) -> Self {
        let Some(content) = self.content.as_deref().filter(|_| self.matcher.is_none()) else { return self };
        match dialect.grammar {
            Grammar::Escaped => self.matcher = Some(Matcher::of_content(content)),
            Grammar::Literal(tools) => {
                self.matcher = literal::matcher(&self.tool, content, tools, Host::ASCII)
            }
            Grammar::Verbatim(kinds) => {
                let (matcher, parameters) =
                    verbatim::compile(verbatim::content_kind(&self.tool, kinds), content);
                (self.matcher, self.parameters) = (Some(matcher), parameters);
            }
        }
        self
    }

    /// The rule where the host calls the shell tool `bash_tool`: of that name it is a rule of the shell.
    pub fn under(mut self, dialect: &Dialect, bash_tool: &str) -> Self {
        if !matches!(dialect.grammar, Grammar::Verbatim(_)) || self.tool != bash_tool {
            return self;
        }
        self.tool = tool::canonical_call(bash_tool, dialect, bash_tool).into();
        self.matcher = None;
        self.completed(dialect)
    }

    /// The text that parses to this rule.
    pub fn text(&self) -> String {
        rule_string(&self.tool, self.content.as_deref())
    }
}

/// A parsed rule with what it says and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRule {
    /// Tool, content and matcher.
    pub rule: ParsedRule,
    /// What it says of the calls that it accepts.
    pub behavior: Behavior,
    /// Where it comes from.
    pub source: RuleSource,
}

impl PermissionRule {
    /// `Tool [source]` or `Tool(content) [source]`, with the unescaped content (rules.md section 12).
    pub fn label(&self) -> String {
        let (open, content, close) = match &self.rule.content {
            Some(content) => ("(", content.as_str(), ")"),
            None => ("", "", ""),
        };
        [&self.rule.tool, open, content, close, " [", self.source.as_str(), "]"].concat()
    }
}

/// The text that parses to a rule in the grammar of a dialect.
pub fn text_of(tool: &str, content: Option<&str>, dialect: &Dialect) -> String {
    match (dialect.grammar, content) {
        (Grammar::Literal(_) | Grammar::Verbatim(_), Some(content)) => [tool, "(", content, ")"].concat(),
        _ => rule_string(tool, content),
    }
}

/// Renders a rule (rules.md section 2): `tool` where content is absent or empty, else `tool(` + escaped content + `)`.
pub fn rule_string(tool: &str, content: Option<&str>) -> String {
    match content {
        None | Some("") => tool.into(),
        Some(content) => {
            // A backslash at the name's end would escape the parenthesis: a blank keeps them apart.
            let slashes = tool.bytes().rev().take_while(|byte| *byte == b'\\').count();
            let open = if slashes & 1 == 1 { " (" } else { "(" };
            [tool, open, &escape(content), ")"].concat()
        }
    }
}
