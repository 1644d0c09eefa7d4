//! Allow rules that auto mode suspends, since they let the model run anything (`qwen-code.md` section 12).
//!
//! | rule of | where |
//! |---|---|
//! | a shell tool | whole tool or blank content |
//! | a shell tool | the first word is an interpreter, and the content has a `*`, or nothing stands behind that word and its colon |
//! | a tool of the table | always |

use crate::dialect::Segments;
use crate::policy::dangerous::ProgramWord;
use crate::rule::ParsedRule;
use crate::text;

/// Whether an allow rule is suspended.
pub(in crate::policy) fn is_suspended(rule: &ParsedRule, tables: &Segments) -> bool {
    let tool = rule.tool.as_str();
    if tables.auto.suspended.has(tool) {
        return true;
    }
    if !tables.shells.has(tool) {
        return false;
    }
    let content = text::trim(rule.content.as_deref().unwrap_or_default());
    let (first, rest) = text::split_word(content);
    let program = ProgramWord::read(first);
    let open = content.contains(['*']) || (rest.is_empty() && program.after.is_empty());
    content.is_empty() || content == "*" || (open && program.is_in(tables.auto.interpreters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Engine, QWEN_CODE_0_24};
    use crate::host::Host;

    #[track_caller]
    fn check(rule: &str, expected: bool) {
        let Engine::Segments(tables) = QWEN_CODE_0_24.engine else { panic!("another engine") };
        let parsed = crate::rule::parse(rule, &QWEN_CODE_0_24, Host::ASCII).unwrap();
        assert_eq!(is_suspended(&parsed, tables), expected, "{rule}");
    }

    #[test]
    fn what_runs_anything() {
        for rule in [
            "Bash",
            "Bash(*)",
            "Bash( )",
            "Bash(python *)",
            "Bash(python*)",
            "Bash(python:*)",
            "Bash(python: )",
            "Bash(python3)",
            "Bash(/usr/bin/Python3 *)",
            "Bash(python.exe *)",
            "Bash(npm run *)",
            "Monitor(*)",
            "Agent",
            "Skill(pdf)",
        ] {
            check(rule, true);
        }
        for rule in [
            "Bash(python script.py)",
            "Bash(git *)",
            "Bash(git:*)",
            "Bash(sudo *)",
            "Bash(python3.11 *)",
            "Bash(python:run)",
            "Bash(env python *)",
            "Monitor(tail *)",
            "Edit",
            "WebFetch",
        ] {
            check(rule, false);
        }
    }
}
