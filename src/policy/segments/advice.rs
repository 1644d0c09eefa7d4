//! What to tell the author of a rule of this grammar (`qwen-code.md` section 13, last paragraph).

use crate::diagnostic::Diagnostic;
use crate::dialect::{ContentKind, Dialect, Grammar};
use crate::engine::entry::Entry;
use crate::rule::{self, Matcher, Shape};
use crate::text;
use crate::vocabulary::Severity;

/// What there is to say about one rule.
pub(in crate::policy) fn on(
    entry: &Entry,
    shape: Shape,
    dialect: &Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Grammar::Verbatim(kinds) = dialect.grammar else { return };
    let parsed = &entry.rule.rule;
    let name = parsed.tool.as_str();
    let mcp = name.starts_with("mcp__");
    if name.contains(['*']) && !mcp {
        let message = "a star in a tool's name means something for MCP tools only";
        let hint = "write the tool's exact name";
        diagnostics.push(warning(entry, "name-glob-unsupported", message).hint(hint));
    }
    let Shape::Content(span) = shape else { return };
    let content = parsed.content.as_deref().unwrap_or_default();
    let mut say = |code, message, hint: String| {
        diagnostics.push(warning(entry, code, message).at(span).hint(hint));
    };
    match (rule::content_kind(name, kinds), &parsed.matcher) {
        _ if mcp => {
            say(
                "mcp-rule-with-content",
                "a rule of an MCP tool with content accepts nothing",
                ["write `", name, "`"].concat(),
            );
        }
        (ContentKind::Host, Some(Matcher::Domain(domain))) => {
            let host = text::trim(domain.hostname());
            if host.is_empty() {
                let hint = "write a host name: `WebFetch(example.com)`".into();
                say("invalid-domain", "an empty host accepts nothing", hint);
            } else if host.contains(['*']) {
                let bare = host.trim_start_matches(['*', '.']);
                say(
                    "domain-wildcard-never",
                    "a host with a star accepts nothing",
                    ["write `", bare, "`: hosts below it are meant too"].concat(),
                );
            }
        }
        (ContentKind::Command, Some(matcher)) => on_pattern(content, matcher, &mut say),
        (ContentKind::Literal, matcher) => {
            let first = match matcher {
                Some(Matcher::Parameter(parameter)) => Some(parameter),
                _ => None,
            };
            let mut values =
                first.into_iter().chain(&parsed.parameters).map(|parameter| parameter.value.as_str());
            if values.any(|value| matches!(value, "true" | "false")) {
                let hint = "compare a text or a number".into();
                say("parameter-boolean", "an argument that is true or false is never equal to a text", hint);
            }
        }
        _ => {}
    }
}

fn on_pattern(content: &str, matcher: &Matcher, say: &mut dyn FnMut(&'static str, &'static str, String)) {
    let middle = content.strip_suffix(":*").unwrap_or(content);
    let pattern = match matcher {
        Matcher::Wildcard(wildcard) => wildcard.pattern(),
        _ => content,
    };
    if text::contains(middle, ":*") {
        say("colon-star-rewritten", "every `:*` is read as ` *`", ["write `", pattern, "`"].concat());
    }
    // A star at the end stands for whatever follows; what is asked is whether the words before it can be met.
    let fixed = pattern.trim_end_matches(['*']);
    let own = rule::retokenise(fixed);
    let met = rule::accepts_line(matcher, &own) || own == text::trim(fixed);
    if !met {
        let star = pattern.get(fixed.len()..).unwrap_or_default();
        let gap = if fixed.ends_with([' ']) && !own.is_empty() { " " } else { "" };
        let message = "a command is put together again before this is tried, and never looks like it";
        say("pattern-not-retokenised", message, ["write `", &own, gap, star, "`"].concat());
    }
}

fn warning(entry: &Entry, code: &'static str, message: &'static str) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, message, entry.path())
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(rule: &str, expected: &[&str]) {
        let config =
            [r#"{"dialect":"qwen-code-0.24","rules":{"deny":[""#, &rule.replace('"', "\\\""), "\"]}}"]
                .concat();
        let checked = crate::policy::check(&config, crate::host::Host::ASCII);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, expected, "{rule}");
    }

    #[test]
    fn patterns() {
        for rule in [
            "Bash(git *)",
            "Bash(git*)",
            "Bash(npm run:*)",
            "Bash(* --version)",
            "Bash(npm test)",
            "Bash(git push --force*)",
        ] {
            check(rule, &[]);
        }
        for rule in
            ["Bash(echo \"a b\")", "Bash(ls *.ts)", "Bash(A=1 npm test)", "Bash(rm $X)", "Bash(echo  a)"]
        {
            check(rule, &["pattern-not-retokenised"]);
        }
        check("Bash(git:* push)", &["colon-star-rewritten"]);
    }

    #[test]
    fn others() {
        check("mcp__s__t(x)", &["mcp-rule-with-content"]);
        check("WebFetch(*.example.com)", &["domain-wildcard-never"]);
        check("WebFetch(domain:)", &["invalid-domain"]);
        check("Agent(coder,n:true)", &["parameter-boolean"]);
        check("*", &["name-glob-unsupported"]);
        check("mcp__*", &[]);
    }
}
