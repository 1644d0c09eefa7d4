//! What to tell the author of a rule (claude-code.md section 16).
//!
//! A rule that says less than it seems to is reported once, for the first reason that applies; what is odd about a
//! pattern that is consulted is reported beside.

use crate::diagnostic::Diagnostic;
use crate::dialect::Tiers;
use crate::dialect::tiers::{CallKind, ContentKind, ToolRow, Words};
use crate::engine::config::Config;
use crate::engine::entry::Entry;
use crate::order::{Gather as _, Grow as _};
use crate::policy::advice::has_operator;
use crate::policy::config::meant;
use crate::rule::{Anchor, Matcher, Shape, literal};
use crate::span::Span;
use crate::text;
use crate::vocabulary::{Behavior, RuleSource, Severity};

/// A rule, and what is asked again and again about it.
struct Subject<'e> {
    entry: &'e Entry,
    tiers: &'static Tiers,
    row: Option<&'static ToolRow>,
    content: &'e str,
    allows: bool,
}

/// Code, message and hint; nothing where it does not apply.
type Advice = Option<(&'static str, &'static str, String)>;

/// First names of paths that are probably meant from the root of the file system.
const ROOT_NAMES: Words =
    Words("Users home etc var usr tmp opt root mnt private Volumes Library Applications");

/// What to write in the place of a rule about commands.
enum Hint {
    /// This.
    Text(&'static str),
    /// The rule for the whole tool.
    Tool,
    /// The rule with ` *` for `:*`.
    Spaced,
    /// The rule without blanks at the ends of its content.
    Trimmed,
}

/// What can be odd about a rule about commands: code, message and hint.
const ON_COMMAND: &[(&str, &str, Hint)] = &[
    (
        "colon-star-inside",
        "only at the end does `:*` stand for ` *`; here the colon is a character",
        Hint::Text("write a blank and a star"),
    ),
    (
        "star-and-colon-star",
        "with a trailing `:*` the other star is a character for allow rules",
        Hint::Spaced,
    ),
    (
        "empty-prefix",
        "nothing stands before `:*`: an allow rule approves nothing, others take everything",
        Hint::Tool,
    ),
    ("blank-edges", "no command begins or ends with a blank", Hint::Trimmed),
    (
        "operator-in-pattern",
        "a rule is tried on one command at a time, which never contains an operator",
        Hint::Text("write one rule for each command"),
    ),
    (
        "wildcard-before-subcommand",
        "the star takes options too, so that more is approved than the word behind it tells",
        Hint::Text("write the subcommand before the star"),
    ),
    (
        "wrapper-in-pattern",
        "patterns are tried on the command behind the wrapper, never on the wrapper",
        Hint::Text("write the rule for the command that the wrapper runs"),
    ),
    (
        "never-auto-approved",
        "no pattern approves this command",
        Hint::Text("write the exact command, without a star"),
    ),
];

/// Appends what there is to say about one rule.
pub(in crate::policy) fn on(
    entry: &Entry,
    shape: Shape,
    tiers: &'static Tiers,
    config: &Config,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let rule = &entry.rule.rule;
    let subject = Subject {
        entry,
        tiers,
        row: ToolRow::find(tiers.tools, &rule.tool),
        content: rule.content.as_deref().unwrap_or_default(),
        allows: entry.list.behavior() == Behavior::Allow,
    };
    let at = text::find(&entry.text, &rule.tool).unwrap_or(0);
    let name = Span::new(at, at.saturating_add(rule.tool.len()));
    let mut push = |severity: Severity, span: Span, advice: Advice| {
        let made = advice.map(|(code, message, hint)| {
            Diagnostic::new(severity, code, message, entry.path()).at(span).hint(hint)
        });
        diagnostics.grow(made);
    };
    let host_tool = config.bash_tool == rule.tool
        || config.file_edit_tools.contains(&rule.tool)
        || config.read_only_tools.contains(&rule.tool);
    let unknown = subject.name_unknown(host_tool);
    let strange = unknown.is_some();
    push(Severity::Warning, name, unknown);
    push(Severity::Warning, name, subject.glob_unanchored());
    push(Severity::Info, name, subject.legacy_name());
    match shape {
        Shape::EmptyContent => {
            let message = if subject.allows {
                "empty content approves nothing"
            } else {
                "empty content stands for the whole tool"
            };
            push(Severity::Warning, name, Some(("empty-content", message, quoted(&[&rule.tool]))));
        }
        Shape::Content(span) => {
            let ignored = subject.ignored(strange, host_tool);
            if ignored.is_some() {
                return push(Severity::Warning, span, ignored);
            }
            for advice in [subject.on_command(), subject.on_path()].concat() {
                push(Severity::Warning, span, advice);
            }
            push(Severity::Info, span, subject.windows_spelling());
        }
        Shape::Bare | Shape::StarContent => {}
    }
}

impl Subject<'_> {
    fn tool(&self) -> &str {
        &self.entry.rule.rule.tool
    }

    fn kind(&self) -> ContentKind {
        self.row.map_or(ContentKind::Nothing, |row| row.content)
    }

    fn name_unknown(&self, host_tool: bool) -> Advice {
        let known = self.row.is_some() || host_tool || self.tool().contains(['_', '*']);
        if self.allows || known {
            return None;
        }
        let hint = meant(self.tool(), &mut self.tiers.tools.iter().map(|row| row.name))
            .unwrap_or_else(|| "write the tool's canonical name".into());
        Some(("tool-name-unknown", "no tool has this name", hint))
    }

    fn glob_unanchored(&self) -> Advice {
        let inert = self.allows && self.tool().contains(['*']) && !super::tool::is_anchored(self.tool());
        let hint = "write `mcp__SERVER__` before the star, or the tool's name".into();
        inert.then_some(("allow-glob-unanchored", "an allow rule with such a star approves nothing", hint))
    }

    fn legacy_name(&self) -> Advice {
        let new = self.tiers.tools.iter().find(|row| row.answered_by.has(self.tool()) && row.free)?;
        Some(("legacy-tool-name", "the tool has another name now", quoted(&[new.name])))
    }

    /// Why the content is not consulted.
    fn ignored(&self, strange: bool, host_tool: bool) -> Advice {
        let tool = self.tool();
        let parameter = match &self.entry.rule.rule.matcher {
            Some(Matcher::Parameter(parameter)) => Some(parameter.name.as_str()),
            _ => None,
        };
        let primary = parameter.is_some() && self.row.is_some_and(|row| row.subject.first() == parameter);
        if tool.starts_with("mcp__") {
            let consulted = parameter.is_some()
                && self.entry.list.behavior() == Behavior::Deny
                && self.entry.rule.source == RuleSource::CliArg;
            let message = "a rule of a server's tool takes no content here";
            return (!consulted).then(|| ("mcp-rule-with-content", message, quoted(&[tool])));
        }
        if primary {
            let message = "the field that the tool is matched by anyway is not matched as a parameter";
            let hint = quoted(&[tool, "(…)"]);
            return Some(("parameter-on-primary-field", message, hint));
        }
        if parameter.is_some() {
            let message = "a parameter in an allow rule approves nothing";
            return self.allows.then(|| ("parameter-in-allow", message, quoted(&[tool])));
        }
        let kind = self.row.map(|row| row.kind);
        match self.kind() {
            ContentKind::Nothing if matches!(kind, Some(CallKind::Read | CallKind::Edit)) => {
                let family = if kind == Some(CallKind::Edit) { "Edit" } else { "Read" };
                let message = "paths are consulted in the rules of the tool's family alone";
                Some(("path-rule-never-consulted", message, quoted(&[family, "(", self.content, ")"])))
            }
            ContentKind::Nothing if !strange && (self.allows || !host_tool) => {
                let message = "no call of this tool is compared with a content";
                Some(("content-never-consulted", message, quoted(&[tool])))
            }
            ContentKind::Domain => self.on_domain(),
            _ => None,
        }
    }

    fn on_domain(&self) -> Advice {
        let hint = || quoted(&[self.tool(), "(domain:example.com)"]);
        match &self.entry.rule.rule.matcher {
            Some(Matcher::Domain(domain)) if domain.is_no_host() => {
                Some(("invalid-domain", "this is no host name, so no URL has it", hint()))
            }
            Some(Matcher::Exact(_)) => {
                Some(("webfetch-without-domain", "without `domain:` the content is not consulted", hint()))
            }
            _ => None,
        }
    }

    fn on_command(&self) -> Vec<Advice> {
        if self.kind() != ContentKind::Command {
            return vec![];
        }
        let content = self.content;
        let before = content.strip_suffix(":*");
        let inner = before.unwrap_or(content);
        let star = content.contains(['*']);
        let pattern = before.map_or_else(|| content.to_owned(), |before| [before, " *"].concat());
        let words: Vec<&str> = pattern.split([' ', '\t']).filter(|word| !word.is_empty()).gather();
        let tool = self.tool();
        let shell = self.row.is_some_and(|row| row.kind == CallKind::Shell);
        let inside = text::contains(inner, ":*");
        let blank = content.starts_with(text::is_blank) || content.ends_with(text::is_blank);
        let patterns = shell && self.allows && star;
        let misplaced = patterns && !inside && before != Some("") && star_before_word(&words);
        let both = before.is_some_and(|before| before.contains(['*']) && !text::contains(before, ":*"));
        // In the order of the table.
        let found = [
            inside,
            both,
            before == Some(""),
            blank,
            shell && has_operator(content),
            misplaced,
            patterns && self.is_wrapper(&words),
            patterns && self.is_never_approved(&words),
        ];
        let mut advice = vec![];
        for (applies, (code, message, hint)) in found.into_iter().zip(ON_COMMAND) {
            if applies {
                let hint = match *hint {
                    Hint::Text(text) => text.into(),
                    Hint::Tool => quoted(&[tool]),
                    Hint::Spaced => quoted(&[tool, "(", &pattern, ")"]),
                    Hint::Trimmed => quoted(&[tool, "(", text::trim(content), ")"]),
                };
                advice.push(Some((*code, *message, hint)));
            }
        }
        advice
    }

    fn is_wrapper(&self, words: &[&str]) -> bool {
        let name = words.first().map(|word| word.trim_end_matches('*')).unwrap_or_default();
        let second = words.get(1).copied().unwrap_or_default();
        let aside = match name {
            "command" => matches!(second, "-v" | "-V"),
            "xargs" => second.starts_with('-'),
            _ => false,
        };
        !aside && self.tiers.wrappers.iter().any(|row| row.for_allow && row.name == name)
    }

    fn is_never_approved(&self, words: &[&str]) -> bool {
        let name = words.first().map(|word| word.trim_end_matches('*')).unwrap_or_default();
        self.tiers.never_approved.iter().any(|row| {
            row.names.has(name) && (row.with.is_empty() || words.iter().any(|word| row.with.has(word)))
        })
    }

    fn on_path(&self) -> Vec<Advice> {
        if !matches!(self.kind(), ContentKind::Path | ContentKind::Directory) {
            return vec![];
        }
        let (anchor, written) = literal::anchored(self.content);
        let tool = self.tool();
        if self.content.starts_with('!') {
            let message = if self.allows {
                "a negated pattern approves nothing"
            } else {
                "a negated pattern carves nothing out: it is the path of that name"
            };
            return vec![Some((
                "negated-pattern",
                message,
                "remove the rule, or write a narrower pattern".into(),
            ))];
        }
        let project = anchor == Anchor::Project;
        let first = written.split(['/', '\\']).next().unwrap_or_default();
        let drive = matches!(first.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
        let absolute = project && (ROOT_NAMES.has(first) || drive);
        let unknown = project
            && self.entry.directory.is_none()
            && matches!(self.entry.rule.source, RuleSource::FlagSettings | RuleSource::PolicySettings);
        let repair = if drive { written.clone() } else { ["//", &written].concat() };
        vec![
            absolute.then(|| {
                let message = "one slash starts at the folder of the settings, not at the root";
                ("absolute-looking-path", message, quoted(&[tool, "(", &repair, ")"]))
            }),
            unknown.then(|| {
                let message = "the folder of these settings is not known, so an allow rule never matches";
                ("anchor-unknown", message, "give the layer its `directory`, or start at `//` or `~/`".into())
            }),
        ]
    }

    fn windows_spelling(&self) -> Advice {
        let path = matches!(self.kind(), ContentKind::Path | ContentKind::Directory);
        let (anchor, written) = literal::anchored(self.content);
        let drive = anchor == Anchor::Root && !self.content.starts_with("//");
        (path && drive).then(|| {
            let hint = quoted(&[self.tool(), "(//", &written, ")"]);
            ("windows-path-spelling", "a drive is the first name of the path, in lower case", hint)
        })
    }
}

/// Whether a star is the program, or stands before a word that is neither an option nor has a star.
fn star_before_word(words: &[&str]) -> bool {
    let Some(star) = words.iter().position(|word| word.contains(['*'])) else { return false };
    let plain = |word: &&str| !word.contains(['*']) && !word.starts_with('-');
    words.first().is_some_and(|word| word.starts_with('*'))
        || words.iter().skip(star.saturating_add(1)).any(plain)
}

fn quoted(parts: &[&str]) -> String {
    ["write `", &parts.concat(), "`"].concat()
}

#[cfg(test)]
mod tests {
    use crate::host::Host;

    #[track_caller]
    fn check(list: &str, rule: &str, expected: &[&str]) {
        let config = serde_json::json!({"dialect": "claude-code-2.1", "rules": {list: [rule]}}).to_string();
        let found: Vec<&str> =
            crate::policy::check(&config, Host::ASCII).diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(found, expected, "{list} {rule}");
    }

    #[test]
    fn tells() {
        check("allow", "Bash(timeout *)", &["wrapper-in-pattern"]);
        check("deny", "Bash(timeout *)", &[]);
        check("allow", "Bash(xargs -n1 grep *)", &[]);
        check("allow", "Bash(watch *)", &["never-auto-approved"]);
        check("allow", "Bash(find . -delete *)", &["never-auto-approved"]);
        check("allow", "Bash(* --version)", &["wildcard-before-subcommand"]);
        check("allow", "Bash(:*)", &["empty-prefix"]);
        check("deny", "Bash(:*)", &["empty-prefix"]);
        check("allow", "Task", &["legacy-tool-name"]);
        check("allow", "Agent(Explore)", &[]);
        check("allow", "TodoWrite(x)", &["content-never-consulted"]);
        check("deny", "my_tool(x)", &["content-never-consulted"]);
        check("deny", "Read(C:/x/**)", &["windows-path-spelling"]);
        check("deny", "Bash()", &["empty-content"]);
        check("deny", "Write(content:*)", &[]);
        check("allow", "Skill(pdf:*)", &[]);
    }
}
