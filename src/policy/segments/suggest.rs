//! What would cover the parts of a call that are asked about: for each segment the rules of its command, for a path the
//! rule of it alone, else the grant of the call.

use super::Run;
use super::grant::{alone, derive};
use super::rules::Places;
use crate::dialect::ContentKind;
use crate::policy::grant::simple;
use crate::policy::suggest::{Meant, OfCommand, Suggest};
use crate::policy::suggestion::{EXACT, Found, HOST_AND_BELOW, ONE_PATH, TOOL, WORDS, add, is_open};
use crate::rule::{self, tool};
use crate::shell;
use crate::vocabulary::Kind;

impl Run<'_> {
    /// Finds the rules; gives how many parts need one, or zero where one can have none.
    pub(in crate::policy) fn suggest(&self, found: &mut Found) -> usize {
        let grants = self.answering_grants();
        let places = Places::new(self.config, self.state.cwd);
        let trace = self.trace(&self.rules(&grants, &places));
        if !is_open(&self.decision(&trace)) || trace.unread {
            return 0;
        }
        let dialect = self.config.dialect;
        let own = tool::canonical(trace.tool, dialect);
        let granted =
            self.tables.grants.iter().find(|(names, _)| names.has(own)).map(|(_, granted)| *granted);
        let suggest = Suggest { tool: granted.unwrap_or(self.call.tool), dialect, host: self.host };
        if trace.kind == ContentKind::Command {
            let line = self.call.subject.or(self.call.command).unwrap_or_default();
            let mut parts = 0usize;
            for segment in &trace.segments {
                if segment.settled.rule.is_some() || segment.settled.kind != Kind::Ask {
                    continue;
                }
                let reading = shell::read(segment.span.slice(line).unwrap_or_default());
                let OfCommand { written, head } = match simple(&reading) {
                    Some(_) => suggest.of_command(&reading, 0),
                    None => return 0,
                };
                // The text of a rule is not put together again: not every one meets its own command.
                let meets = |text: &String| {
                    let rule = rule::parse(text, dialect, self.host);
                    let matcher = rule.ok().and_then(|rule| rule.matcher);
                    matcher.is_some_and(|matcher| rule::accepts_line(&matcher, &segment.text))
                };
                let (written, head) = (written.filter(meets), head.filter(meets));
                if written.is_none() && head.is_none() {
                    return 0;
                }
                for rule in [written, head].into_iter().flatten() {
                    add(found, rule, WORDS);
                }
                parts = parts.saturating_add(1);
            }
            return parts;
        }
        let of_call = || derive(self.call, self.tables, dialect, self.host);
        let (rule, note) = match (trace.kind, &trace.path, &trace.subject) {
            (ContentKind::Path, Some(path), _) => {
                let pattern = alone(path);
                (pattern.and_then(|pattern| suggest.of_content(&pattern, Meant::Path)), ONE_PATH)
            }
            (ContentKind::Host, ..) => (of_call(), HOST_AND_BELOW),
            (ContentKind::Literal, _, Some(_)) => (of_call(), EXACT),
            (ContentKind::Literal | ContentKind::Text, ..) => (suggest.of_tool(), TOOL),
            _ => (None, TOOL),
        };
        let Some(rule) = rule else { return 0 };
        add(found, rule, note);
        1
    }
}
