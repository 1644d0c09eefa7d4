//! Model text to verdict, strictly (auto-stage.md sections 6 and 7).
//!
//! ```text
//! answer  = [blanks] [fence] one JSON object [fence] [blanks]
//! object  = {"verdict": "allow" or "ask", "reason": text, …}
//! ```
//!
//! Nothing is looked for inside prose: a model that repeats what it was shown must not be able to smuggle a verdict in.
//! Only the reason of a verdict ever leaves, and what people see of it is [`shown`].

use crate::json::{self, Json};
use crate::limits::REASON_UNITS;
use crate::text::{cut, trim};

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the word is `allow`; else it is `ask`.
    pub allows: bool,
    /// The model's reason, as it came; empty where it gave none.
    pub reason: String,
}

/// The word of a verdict.
pub const fn word(allows: bool) -> &'static str {
    if allows { "allow" } else { "ask" }
}

/// Reads one verdict; `None` for everything else (section 7). Half of a surrogate pair is everything else too, and
/// nesting over [`INPUT_DEPTH`](crate::limits::INPUT_DEPTH).
///
/// ```
/// use toolgate::verdict::parse;
/// assert!(parse("```json\n{\"verdict\":\"allow\"}\n```").is_some_and(|verdict| verdict.allows));
/// assert_eq!(parse("Sure: {\"verdict\":\"allow\"}"), None);
/// ```
pub fn parse(text: &str) -> Option<Verdict> {
    let (value, problems) = json::read_with_problems(without_fences(trim(text)));
    if problems.iter().any(|problem| problem.code != "duplicate-member") || !value.is_object() {
        return None;
    }
    let allows = match last(&value, "verdict") {
        Some("allow") => true,
        Some("ask") => false,
        _ => return None,
    };
    Some(Verdict { allows, reason: last(&value, "reason").unwrap_or_default().into() })
}

const FENCE: &str = "```";

fn without_fences(text: &str) -> &str {
    let mut inside = text;
    if let Some(opened) = text.strip_prefix(FENCE) {
        let language = opened.get(..4).filter(|language| language.eq_ignore_ascii_case("json"));
        inside = opened.get(language.map_or(0, str::len)..).unwrap_or_default();
        inside = inside.trim_start_matches(crate::text::is_blank);
    }
    inside.strip_suffix(FENCE).unwrap_or(inside)
}

/// The text of a member; of several with one name the last counts, whatever it is.
fn last<'j>(value: &'j Json, name: &str) -> Option<&'j str> {
    value.members().iter().rev().find(|(key, _)| key == name)?.1.as_str()
}

/// A model's reason as a person may see it (section 6): a run of control characters becomes one blank, outer blanks go,
/// it has at most 500 units, and there always is one. What is shown once is shown the same again.
pub fn shown(reason: &str) -> String {
    let mut plain = String::new();
    let mut is_behind_control = false;
    for c in reason.chars() {
        let is_control = matches!(c, '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}');
        if !is_control {
            plain.push(c);
        } else if !is_behind_control {
            plain.push(' ');
        }
        is_behind_control = is_control;
    }
    let plain = trim(&plain);
    if plain.is_empty() {
        return "classifier asks for approval".into();
    }
    if cut(plain, REASON_UNITS).len() == plain.len() {
        return plain.into();
    }
    let mut short = String::from(cut(plain, REASON_UNITS.saturating_sub(1)));
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(bool, &str)>) {
        let verdict = parse(text);
        assert_eq!(
            verdict.as_ref().map(|verdict| (verdict.allows, verdict.reason.as_str())),
            expected,
            "{text:?}"
        );
    }

    #[test]
    fn one_object_alone_or_in_one_fence() {
        check("\u{FEFF}\u{A0}{\"verdict\":\"ask\",\"reason\":\"a\"}\u{2028}", Some((false, "a")));
        check("```JSON\u{A0}{\"verdict\":\"allow\"}```", Some((true, "")));
        check("{\"verdict\":\"allow\"}```", Some((true, "")));
        check("````{\"verdict\":\"allow\"}````", None);
        check("```js {\"verdict\":\"allow\"}```", None);
        check("```\n```json\n{\"verdict\":\"allow\"}\n```\n```", None);
        check("```", None);
        check("{\"verdict\":\"allow\"} {\"verdict\":\"ask\"}", None);
    }

    #[test]
    fn the_last_of_several_counts_whatever_it_is() {
        check("{\"verdict\":\"allow\",\"verdict\":\"ask\"}", Some((false, "")));
        check("{\"verdict\":\"allow\",\"verdict\":null}", None);
        check("{\"verdict\":\"ask\",\"reason\":\"x\",\"reason\":7}", Some((false, "")));
    }

    #[test]
    fn doubt_is_no_verdict() {
        check("{\"verdict\":\"allow\",\"reason\":\"\\ud800\"}", None);
        check("{\"verdict\":\"allow\"", None);
        check("{\"__proto__\":{\"verdict\":\"allow\"}}", None);
        let deep = ["{\"verdict\":\"allow\",\"x\":", &"[".repeat(200), &"]".repeat(200), "}"].concat();
        check(&deep, None);
    }

    #[test]
    fn a_reason_is_short_and_plain() {
        assert_eq!(shown("\u{1B}[31m bad\n\nnews \u{9F}"), "[31m bad news");
        assert_eq!(shown(" \n\u{FEFF}"), "classifier asks for approval");
        assert_eq!(shown(&"x".repeat(500)), "x".repeat(500));
        let long = shown(&["x".repeat(498).as_str(), "😀", "y"].concat());
        assert_eq!(long, ["x".repeat(498).as_str(), "…"].concat());
        assert_eq!(shown(&long), long);
        assert_eq!(shown(&"x".repeat(900)).chars().count(), 500);
    }
}
