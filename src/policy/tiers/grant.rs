//! Grants of a dialect that decides by tiers (claude-code.md section 17): each is exact.

use super::line::Line;
use super::place::{Ground, Place};
use crate::dialect::tiers::{CallKind, ToolRow};
use crate::dialect::{Dialect, Tiers};
use crate::engine::call::Call;
use crate::host::Host;
use crate::policy::grant::{host_of, simple};
use crate::policy::suggest::{Meant, Suggest};
use crate::shell;

/// The rule for calls like this one.
pub(in crate::policy) fn derive(
    call: &Call<'_>,
    tiers: &'static Tiers,
    dialect: &Dialect,
    host: Host,
) -> Option<String> {
    let of = |tool| Suggest { tool, dialect, host };
    let Some(row) = ToolRow::find(tiers.tools, call.tool) else {
        return if call.tool.starts_with("mcp__") { of(call.tool).of_tool() } else { None };
    };
    let argument = |name: &str| call.arguments?.get(name)?.as_str();
    let text = call.subject.or_else(|| row.subject.iter().find_map(argument))?;
    match row.kind {
        CallKind::Shell => of(tiers.shell_tool).of_content(&of_line(text, tiers)?, Meant::Exact),
        CallKind::Named => of(row.name).of_content(text, Meant::Exact),
        CallKind::Read | CallKind::Edit => {
            of(row.answered_by.first()?).of_content(&of_path(text)?, Meant::Path)
        }
        CallKind::Fetch => of(row.name).of_host(&host_of(call, host)?),
        _ => None,
    }
}

/// The text of a line's one command, with its redirects.
fn of_line(line: &str, tiers: &'static Tiers) -> Option<String> {
    let reading = shell::read(line);
    simple(&reading)?;
    let ground = Ground { cwd: None, root: None, home: None, extra: vec![] };
    let line = Line::new(&reading, tiers, &ground);
    if line.is_never_approved(0) {
        return None;
    }
    line.allow_forms(0, &ground).written.pop().filter(|text| !text.contains(['*']))
}

/// A path from the root, as the pattern that meets it alone.
fn of_path(path: &str) -> Option<String> {
    pattern_of(&Place::absolute(path)?)
}

/// The pattern that meets a place alone.
pub(super) fn pattern_of(place: &Place) -> Option<String> {
    if place.vague || place.floating || place.has_short_name() {
        return None;
    }
    let mut pattern = String::from("/");
    for name in &place.names {
        pattern.push('/');
        for c in name.chars() {
            if matches!(c, '[' | ']' | '*' | '?' | '\\') {
                pattern.push('\\');
            }
            pattern.push(c);
        }
    }
    (!place.names.is_empty()).then_some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;
    use crate::json::Json;

    #[track_caller]
    fn check(tool: &str, arguments: &str, expected: Option<&str>) {
        let arguments = crate::json::read(arguments).unwrap();
        let url = arguments.get("url").and_then(Json::as_str);
        let call = Call { tool, url, arguments: Some(&arguments), ..Call::default() };
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let host =
            Host { url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(Into::into), ..Host::ASCII };
        assert_eq!(derive(&call, tiers, &CLAUDE_CODE_2_1, host).as_deref(), expected, "{tool}");
    }

    #[test]
    fn commands_as_they_are_written() {
        check("Bash", r#"{"command":" npm  test  # all"}"#, Some("Bash(npm test)"));
        check("Bash", r#"{"command":"A=1 npm test"}"#, Some("Bash(A=1 npm test)"));
        check("Bash", r#"{"command":"timeout 5 npm test"}"#, Some("Bash(timeout 5 npm test)"));
        check("Bash", r#"{"command":"ls > f"}"#, Some("Bash(ls > f)"));
        check("Monitor", r#"{"command":"tail x"}"#, Some("Bash(tail x)"));
        for command in [
            "ls; ls",
            "(ls)",
            "echo $(id)",
            "ls *.ts",
            "watch ls",
            "find . -delete",
            "fd x -X rm",
            "cat <<E",
            "",
            "description: x",
            "ls 'a",
            "f() { ls; }",
        ] {
            check("Bash", &Json::Object(vec![("command".into(), Json::Text(command.into()))]).text(), None);
        }
        check("PowerShell", r#"{"command":"ls"}"#, None);
    }

    #[test]
    fn files_hosts_and_names() {
        check("Write", r#"{"file_path":"/r/a[1]*?\\b"}"#, Some(r"Edit(//r/a\[1\]\*\?\\b)"));
        check("Grep", r#"{"path":"/r/./x/../src"}"#, Some("Read(//r/src)"));
        check("Read", r#"{"file_path":"C:\\x\\y"}"#, Some("Read(//c/x/y)"));
        for path in ["a", "~/a", "/", "C:x", "//srv/share/x", "C:\\\\a~1\\\\b"] {
            check("Read", &[r#"{"file_path":""#, path, r#""}"#].concat(), None);
        }
        check("WebFetch", r#"{"url":"https://A.example/x"}"#, Some("WebFetch(domain:a.example)"));
        check("WebFetch", r#"{"url":"http://[::1]/"}"#, None);
        check("Skill", r#"{"skill":"pdf","args":"x"}"#, Some("Skill(pdf)"));
        check("Agent", r#"{"subagent_type":"coder"}"#, Some("Agent(coder)"));
        check("Agent", r#"{"subagent_type":"model:opus"}"#, None);
        check("Skill", r#"{"skill":"p*"}"#, None);
        check("mcp__a", "{}", None);
        check("WebSearch", "{}", None);
        check("toString", "{}", None);
    }
}
