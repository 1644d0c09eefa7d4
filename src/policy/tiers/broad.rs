//! Allow rules that are as good as none (claude-code.md section 13).

use crate::dialect::tiers::BroadTable;
use crate::rule::ParsedRule;

/// Whether an allow rule lets a program run whatever follows.
pub(in crate::policy) fn is_broad(rule: &ParsedRule, table: &BroadTable) -> bool {
    let tool = rule.tool.as_str();
    if table.every.has(tool) {
        return true;
    }
    let Some(content) = rule.content.as_deref().filter(|_| rule.matcher.is_some()) else {
        return table.whole.has(tool) && rule.content.as_deref() != Some("");
    };
    let pattern = content.strip_suffix(":*").map(|before| [before, " *"].concat());
    let pattern = pattern.as_deref().unwrap_or(content);
    if !table.patterns.has(tool) || !pattern.contains(['*']) {
        return false;
    }
    let mut words = pattern.split([' ', '\t']).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    let name = program(first.trim_end_matches('*'));
    if first.starts_with(['*']) || table.programs.has(&name) {
        return true;
    }
    let rows = || table.with_word.iter().filter(|(programs, _)| programs.has(&name));
    let starred = rows().next().is_some() || table.starred.has(&name);
    let second = if first.ends_with(['*']) { "*" } else { words.next().unwrap_or_default() };
    (starred && second.starts_with(['*'])) || rows().any(|(_, after)| after.has(second.trim_end_matches('*')))
}

/// The program that a word starts: its last name, in lower case, without `.exe` and the digits of a version.
fn program(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;
    use crate::host::Host;

    #[track_caller]
    fn check(rule: &str, expected: bool) {
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let parsed = crate::rule::parse(rule, &CLAUDE_CODE_2_1, Host::ASCII).unwrap();
        assert_eq!(is_broad(&parsed, tiers.broad), expected, "{rule}");
    }

    #[test]
    fn knows_broad_rules() {
        for rule in [
            "Bash",
            "Bash(*)",
            "Bash(python:*)",
            "Bash(python*)",
            "Bash(/usr/bin/python3.11 *)",
            "Bash(node.exe *)",
            "Bash(npm run *)",
            "Bash(npm run:*)",
            "Bash(npm *)",
            "Bash(make *)",
            "Bash(make:*)",
            "Bash(* x)",
            "Agent(Explore)",
            "PowerShell",
            "Monitor",
            "Bash(docker exec c *)",
            "Bash(node -e *)",
        ] {
            check(rule, true);
        }
        for rule in [
            "Bash(npm test)",
            "Bash(python a.py)",
            "Bash(git *)",
            "Bash(make test *)",
            "Edit",
            "mcp__a",
            "Bash(docker ps *)",
        ] {
            check(rule, false);
        }
    }
}
