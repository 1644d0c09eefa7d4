//! What a policy is asked of calls, as it crosses: texts and numbers in, a row out.
//!
//! ```text
//! numbers  asked mode planActive sandbox cwd grants realPath call*
//! call     tool subject command file_path notebook_path path url arguments
//! ```
//!
//! A text is its length in bytes, or [`ABSENT`]; the texts stand one behind the other in one text. Words of closed
//! lists are indexes. `grants` and `arguments` are JSON text.

use super::decision::{write_decision, write_met};
use super::decode::{self, place};
use super::error::{Answer, Failure, Fallible};
use super::explanation::explanation_text;
use super::functions::{Written, check_rule_count, check_subject, written};
use super::shapes::{Placed, write_rule};
use crate::diagnostic::{Path, join};
use crate::host::Host;
use crate::json::{Json, Writer};
use crate::policy::{Call, CallState, Policy, Suggestion};
use crate::row::{ABSENT, Row};
use crate::rule::PermissionRule;
use crate::vocabulary::{Behavior, PermissionMode, SandboxMode};

/// What a row gets of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `Policy.decide`: the decision.
    Decision,
    /// `Policy.explain`: the decision, and the JSON text of everything else.
    Explanation,
    /// `Policy.suggest`: the JSON text of a list of `{rule, behavior, alsoCovers, note}`.
    Suggestions,
    /// `Policy.coverage`: what is counted; see [`write_met`].
    Met,
}

impl Asked {
    const ALL: &'static [Self] = &[Self::Decision, Self::Explanation, Self::Suggestions, Self::Met];
}

/// A call as it crosses.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrossedCall<'a> {
    /// The texts.
    pub call: Call<'a>,
    /// The JSON text of all arguments, where the policy looks at them.
    pub arguments: Option<&'a str>,
    /// The state.
    pub state: CallState<'a>,
    /// The JSON text of a list of rule strings.
    pub grants: Option<&'a str>,
}

/// What is asked of every call under one state.
struct Asking<'a> {
    policy: &'a Policy,
    asked: Asked,
    state: CallState<'a>,
    host: Host,
    /// The session's grants, and their texts.
    grants: Vec<PermissionRule>,
    texts: Vec<String>,
}

impl<'a> Asking<'a> {
    fn new(
        policy: &'a Policy,
        asked: Asked,
        state: CallState<'a>,
        grants: Option<&str>,
        host: Host,
    ) -> Fallible<Self> {
        check_subject(state.real_path.unwrap_or_default())?;
        if let Some(mode) = state.mode {
            decode::mode(mode.as_str(), policy.config().dialect, place(&["state", "mode"]))?;
        }
        let (texts, grants) = match grants {
            Some(texts) => read_grants(policy, texts)?,
            None => (vec![], vec![]),
        };
        Ok(Self { policy, asked, state, host, grants, texts })
    }

    /// Adds to the row what is asked of a call.
    fn answer(&self, call: &Call<'_>, arguments: Option<&str>, row: &mut Row) -> Fallible<()> {
        for text in [call.subject, call.command, call.file_path, call.notebook_path, call.path, call.url] {
            check_subject(text.unwrap_or_default())?;
        }
        let arguments: Option<Json> =
            arguments.map(|text| decode::value(text, place(&["call", "arguments"]))).transpose()?;
        let call = Call { arguments: arguments.as_ref(), ..*call };
        let Self { policy, state, grants, .. } = self;
        match self.asked {
            Asked::Decision => write_decision(row, &policy.decide(&call, state, grants)),
            Asked::Met => write_met(row, &policy.meets(&call, state, grants)),
            Asked::Explanation => policy.explain(&call, state, grants, |explanation| {
                write_decision(row, &explanation.decision);
                row.push_text(Some(&explanation_text(explanation, policy, &self.texts, self.host)));
            }),
            Asked::Suggestions => {
                let suggestions = policy.suggest(&call, state, grants.clone());
                row.push_text(Some(&suggestions_text(&suggestions)));
            }
        }
        Ok(())
    }
}

/// Adds to the row what is asked of one call.
pub fn ask(policy: &Policy, asked: Asked, crossed: &CrossedCall<'_>, host: Host, row: &mut Row) -> Written {
    let CrossedCall { call, arguments, state, grants } = crossed;
    written(
        Asking::new(policy, asked, *state, *grants, host)
            .and_then(|asking| asking.answer(call, *arguments, row)),
    )
}

/// Adds to the row what is asked of calls; `texts` and `numbers` are theirs, as they cross.
pub fn ask_all(policy: &Policy, texts: &[u8], numbers: &[u32], host: Host, row: &mut Row) -> Written {
    let unread = |_| Failure::argument("not-a-string", "a text is needed", place(&["calls"]));
    let texts = str::from_utf8(texts).map_err(unread);
    written(texts.and_then(|texts| Parcel { numbers: numbers.iter(), texts }.answer(policy, host, row)))
}

/// What is left of numbers and texts.
struct Parcel<'a> {
    numbers: core::slice::Iter<'a, u32>,
    texts: &'a str,
}

impl<'a> Parcel<'a> {
    fn number(&mut self) -> usize {
        self.numbers.next().map_or(usize::MAX, |number| *number as usize)
    }

    /// The next text, or none.
    fn text(&mut self) -> Option<&'a str> {
        let bytes = *self.numbers.next().filter(|bytes| **bytes != ABSENT)?;
        let (text, rest) = self.texts.split_at_checked(bytes as usize)?;
        self.texts = rest;
        Some(text)
    }

    fn answer(&mut self, policy: &Policy, host: Host, row: &mut Row) -> Fallible<()> {
        let asked = Asked::ALL.get(self.number()).copied().unwrap_or(Asked::Decision);
        let mode = PermissionMode::ALL.get(self.number()).copied();
        let plan_active = self.number() == 1;
        let sandbox = SandboxMode::ALL.get(self.number()).copied();
        let (cwd, grants, real_path) = (self.text(), self.text(), self.text());
        let state = CallState { mode, cwd, plan_active, sandbox, real_path };
        let asking = Asking::new(policy, asked, state, grants, host)?;
        while let Some(tool) = self.text() {
            let call = Call {
                tool,
                subject: self.text(),
                command: self.text(),
                file_path: self.text(),
                notebook_path: self.text(),
                path: self.text(),
                url: self.text(),
                arguments: None,
            };
            asking.answer(&call, self.text(), row)?;
        }
        Ok(())
    }
}

fn suggestions_text(suggestions: &[Suggestion]) -> String {
    let mut to = Writer::default();
    to.open("[");
    for suggestion in suggestions {
        to.open("{");
        to.member("rule", &suggestion.rule);
        to.member("behavior", Behavior::Allow.as_str());
        to.name("alsoCovers");
        to.open("[");
        for subject in &suggestion.also_covers {
            to.string(subject);
        }
        to.close("]");
        to.member("note", &[suggestion.note, suggestion.rest].concat());
        to.close("}");
    }
    to.close("]");
    to.text
}

/// The rules that session grants are, as JSON text; `texts` is the JSON text of a list of rule strings.
pub fn grants(policy: &Policy, texts: &str) -> Answer {
    let (texts, rules) = read_grants(policy, texts).map_err(|failure| failure.text())?;
    let mut to = Writer::default();
    to.open("[");
    for (index, (text, rule)) in texts.iter().zip(&rules).enumerate() {
        let path = ["grants".into(), index.into()];
        write_rule(&mut to, &rule.rule, Some(Placed { rule, text, path: &path }));
    }
    to.close("]");
    Ok(to.text)
}

/// The texts of a list, and the rules that they are.
fn read_grants(policy: &Policy, texts: &str) -> Fallible<(Vec<String>, Vec<PermissionRule>)> {
    let path: Path = place(&["state", "grants"]);
    let value = decode::value(texts, path.clone())?;
    let items =
        value.as_list().ok_or_else(|| Failure::argument("not-a-list", "a list is needed", path.clone()))?;
    check_rule_count(items.len())?;
    let mut texts = vec![];
    let mut rules = vec![];
    for (index, item) in items.iter().enumerate() {
        let Some(text) = item.as_str() else {
            return Err(Failure::argument("not-a-string", "a rule is a text", join(&path, index)));
        };
        rules.push(policy.grant(text).map_err(|error| Failure::rule(error, text).at(join(&path, index)))?);
        texts.push(text.into());
    }
    Ok((texts, rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &str, lengths: &[u32], expected: &[Option<&str>]) {
        let mut parcel = Parcel { numbers: lengths.iter(), texts };
        let found: Vec<Option<&str>> = lengths.iter().map(|_| parcel.text()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn texts_are_cut_by_bytes() {
        check("lsa", &[2, ABSENT, 0, 1], &[Some("ls"), None, Some(""), Some("a")]);
        check("é𝒳b", &[2, 4, 1], &[Some("é"), Some("𝒳"), Some("b")]);
        check("ab", &[3], &[None]);
        check("é", &[1], &[None]);
    }
}
