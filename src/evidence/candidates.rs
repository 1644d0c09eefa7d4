//! The files that a compound shell action offers (evidence.md section 5).
//!
//! ```text
//! action  = [SP] segment *3( [SP] "&&" [SP] segment ) [SP]          SP = 1*( blank / tab )
//! segment = "git" SP "diff" SP "--check"
//!         / "node" *( SP flag ) 1*( SP operand )
//! flag    = "--experimental-strip-types" / "--test"
//! operand = 1*( letter / digit / "." / "_" / "/" / "@" / "+" / "-" ), not starting with "-" or "/",
//!           ending in .js .mjs .cjs .ts .mts or .cts
//! ```
//!
//! Selection only: a text of another form offers nothing at all, and no segment inherits a verdict.
//!
//! ```
//! use toolgate::evidence::candidates;
//! assert_eq!(candidates("node --test a.mjs && git diff --check"), ["a.mjs"]);
//! assert!(candidates("node a.mjs && npm test").is_empty());
//! ```

use super::confinement::check_path;
use crate::dialect::tiers::Words;
use crate::limits;

const EXTENSIONS: &str = "js mjs cjs ts mts cts";

/// The confined operands of a text of the known form, in order, each once; none of any other text, and none where they
/// are more than may be offered.
pub fn candidates(command: &str) -> Vec<String> {
    let paths = read(command).unwrap_or_default();
    if paths.len() > limits::EVIDENCE_PATHS { vec![] } else { paths }
}

fn read(command: &str) -> Option<Vec<String>> {
    // What is of the form is ASCII, so its bytes are its units.
    if command.len() > limits::COMPOUND_UNITS {
        return None;
    }
    let mut paths = vec![];
    let mut segments = 1usize;
    let mut words: Vec<&str> = vec![];
    let mut rest = command;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let ends = rest.is_empty();
        if ends || rest.starts_with("&&") {
            read_segment(&words, &mut paths)?;
            words.clear();
            if ends {
                return Some(paths);
            }
            segments = segments.saturating_add(1);
            if segments > limits::COMPOUND_SEGMENTS {
                return None;
            }
            rest = rest.get(2..)?;
        } else {
            let length = rest.bytes().take_while(|byte| is_operand_byte(*byte)).count();
            let (word, after) = rest.split_at_checked(length)?;
            if length == 0 || !matches!(after.as_bytes(), [] | [b' ' | b'\t' | b'&', ..]) {
                return None;
            }
            words.push(word);
            rest = after;
        }
    }
}

/// Adds the operands of a segment to `paths`, or nothing if the segment is of no known form.
fn read_segment(words: &[&str], paths: &mut Vec<String>) -> Option<()> {
    match words {
        ["git", "diff", "--check"] => Some(()),
        ["node", words @ ..] => {
            let flags =
                words.iter().take_while(|word| matches!(**word, "--experimental-strip-types" | "--test"));
            let operands = words.get(flags.count()..).filter(|operands| !operands.is_empty())?;
            for operand in operands {
                let extension = operand.rsplit(['.']).next()?;
                if operand.starts_with(['-', '/'])
                    || extension.len() == operand.len()
                    || !Words(EXTENSIONS).has(extension)
                {
                    return None;
                }
                let path = operand.strip_prefix("./").unwrap_or(operand);
                if check_path(path).is_none() && !paths.iter().any(|known| known == path) {
                    paths.push(path.into());
                }
            }
            Some(())
        }
        _ => None,
    }
}

fn is_operand_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'/' | b'@' | b'+' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        assert_eq!(candidates(command), expected, "{command:?}");
    }

    #[test]
    fn reads_the_form_and_nothing_else() {
        check("node a.js&&node b.js", &["a.js", "b.js"]);
        check("node a.js &&& node b.js", &[]);
        check("node a.js && ", &[]);
        check("&& node a.js", &[]);
        check("node a.js && && node b.js", &[]);
        check("node ./././a.js", &[]);
        check("node .js", &[".js"]);
        check("node js", &[]);
        check("git  diff\t--check && node x.cts", &["x.cts"]);
        check("git diff --check --stat && node x.cts", &[]);
        check("node a.js\u{a0}b.js", &[]);
        check("node a.js && node b.js && node c.js && node d.js && node e.js", &[]);
    }

    #[test]
    fn offers_eight_and_not_some_of_nine() {
        let eight = ["a1.js", "a2.js", "a3.js", "a4.js", "a5.js", "a6.js", "a7.js", "a8.js"];
        let node = ["node ", &eight.join(" ")].concat();
        check(&node, &eight);
        check(&[&node, " a9.js"].concat(), &[]);
        // What is not confined, or named twice, takes no place.
        check(&[&node, " a8.js ../x.js"].concat(), &eight);
    }
}
