//! Grants of a dialect that goes by segments (`qwen-code.md` section 14).

use super::cut::cut;
use super::suspended::is_suspended;
use crate::dialect::{ContentKind, Dialect, Grammar, Segments};
use crate::engine::call::Call;
use crate::host::Host;
use crate::path::{Lexical, Root};
use crate::policy::grant::{host_of, is_unguarded, simple};
use crate::policy::suggest::{Meant, Suggest, probes};
use crate::rule::{self, Matcher, tool};
use crate::{shell, text};

/// The rule for calls like this one.
pub(in crate::policy) fn derive(
    call: &Call<'_>,
    tables: &'static Segments,
    dialect: &Dialect,
    host: Host,
) -> Option<String> {
    let of = |tool| Suggest { tool, dialect, host };
    let name = tool::canonical(call.tool, dialect);
    let Some((_, granted)) = tables.grants.iter().find(|(own, _)| own.has(name)) else {
        return if name.starts_with("mcp__") { of(name).of_tool() } else { None };
    };
    let Grammar::Verbatim(kinds) = dialect.grammar else { return None };
    let argument = |name: &str| call.arguments?.get(name)?.as_str();
    match rule::content_kind(name, kinds) {
        ContentKind::Command => {
            let line = text::trim(call.subject.or(call.command)?);
            let reading = shell::read(line);
            simple(&reading)?;
            let plain = cut(line, 1).len() == 1 && !line.contains(['*']) && is_unguarded(line, dialect);
            let text = of(granted).of_content(line, Meant::Prefix)?;
            let rule = rule::parse(&text, dialect, host).ok()?;
            // Without a star it still takes further words: a program alone would take any command of it.
            let narrow = !probes().any(|probe| rule.content_accepts(probe, dialect));
            (plain && narrow && rule.content_accepts(line, dialect) && !is_suspended(&rule, tables))
                .then_some(text)
        }
        ContentKind::Path => {
            let path = call.subject.or(call.file_path).or(call.notebook_path).or(call.path)?;
            let pattern = below(path, tables.directories.has(name))?;
            of(granted).of_content(&pattern, Meant::Path)
        }
        ContentKind::Host => of(granted).of_content(&host_of(call, host)?, Meant::Host),
        ContentKind::Literal => {
            let (_, key) = tables.literals.iter().find(|(own, _)| *own == name)?;
            let own = call.subject.or_else(|| argument(key))?;
            let mut content = String::from(own);
            let mut kept = 0usize;
            for key in tables.grant_keys.iter() {
                if let Some(value) = argument(key).filter(|value| *value != own) {
                    content = [&content, ",", key, ":", value].concat();
                    kept = kept.saturating_add(1);
                }
            }
            let text = rule::text_of(granted, Some(&content), dialect);
            let rule = rule::parse(&text, dialect, host).ok()?;
            // A value that holds more than one text would be read as something else.
            let named = matches!(&rule.matcher, Some(Matcher::Exact(name)) if name == own);
            let read = named && rule.parameters.len() == kept && !content.contains(['*']);
            (read && rule.parameters.iter().all(|kept| argument(&kept.name) == Some(&kept.value)))
                .then_some(text)
        }
        ContentKind::Text => None,
    }
}

/// The pattern of a path alone; none for a root.
pub(super) fn alone(path: &str) -> Option<String> {
    let pattern = below(&[path, "/"].concat(), false)?;
    Some(pattern.strip_suffix("/**")?.into())
}

/// The pattern of everything below a directory, or below the one that a file stands in; none for a whole root.
fn below(path: &str, is_directory: bool) -> Option<String> {
    let read = Lexical::read(path);
    let (root, start) = match read.root() {
        Root::Absolute => (0, "//"),
        Root::Drive => (1, ""),
        Root::Relative | Root::Home | Root::Share => return None,
    };
    let names = read.segments();
    let names = if is_directory || path.ends_with('/') { names } else { names.split_last()?.1 };
    let literal = names.iter().all(|name| !name.contains(['*', '?', '[', '{', '\\']));
    (literal && names.len() > root).then(|| [start, &names.join("/"), "/**"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::QWEN_CODE_0_24;
    use crate::json::Json;

    #[track_caller]
    fn check(tool: &str, name: &str, value: &str, expected: Option<&str>) {
        let arguments = Json::Object(vec![
            (name.into(), Json::Text(value.into())),
            ("model".into(), Json::Text("m".into())),
        ]);
        let argument = |wanted: &str| (wanted == name).then_some(value);
        let call = Call {
            tool,
            command: argument("command"),
            file_path: argument("file_path"),
            path: argument("path"),
            url: argument("url"),
            arguments: Some(&arguments),
            ..Call::default()
        };
        let host =
            Host { url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(Into::into), ..Host::ASCII };
        let tables = QWEN_CODE_0_24.engine.segments().unwrap();
        assert_eq!(derive(&call, tables, &QWEN_CODE_0_24, host).as_deref(), expected, "{tool} {value}");
    }

    #[test]
    fn one_command() {
        check("Shell", "command", " npm test ", Some("Bash(npm test)"));
        check("monitor", "command", "tail x", Some("Bash(tail x)"));
        for command in [
            "npm test && ls",
            "ls *.ts",
            "bash",
            "git",
            "git push",
            "sudo",
            "python",
            "git reset --hard",
            "echo $(id)",
            "cat <<E",
            "A=1 ls",
            "",
            "(ls)",
        ] {
            check("Bash", "command", command, None);
        }
    }

    #[test]
    fn directories_hosts_and_names() {
        check("edit", "file_path", "/r/src/./a.ts", Some("Edit(//r/src/**)"));
        check("read_file", "file_path", "/r/src/", Some("Read(//r/src/**)"));
        check("glob", "path", "/r/src", Some("Read(//r/src/**)"));
        check("write_file", "file_path", r"C:\x\y", Some("Edit(C:/x/**)"));
        for path in ["a", "~/a", "/a", "C:/a", "/", "/r[1]/a", r"\\srv\share\x\y"] {
            check("write_file", "file_path", path, None);
        }
        check("web_fetch", "url", "https://X.com/a", Some("WebFetch(x.com)"));
        check("web_fetch", "url", "x.com", None);
        check("agent", "subagent_type", "coder", Some("Agent(coder,model:m)"));
        check("task", "subagent_type", "m", Some("Agent(m)"));
        for name in ["a,b:c", "model:x", "a*"] {
            check("agent", "subagent_type", name, None);
        }
        check("mcp__a__b", "x", "y", Some("mcp__a__b"));
        check("mcp__a__b*", "x", "y", None);
        check("skill", "skill", "pdf", None);
    }
}
