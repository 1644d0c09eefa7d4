//! What would cover the parts of a call that nothing covers (claude-code.md section 17): for each command the rule of its
//! text alone, for each file the rule of its path alone.

use super::grant::{derive, pattern_of};
use super::place::Place;
use super::subject::Subject;
use super::{Evaluation, Verdict};
use crate::dialect::Tiers;
use crate::dialect::tiers::{CallKind, ToolRow};
use crate::policy::suggest::{Meant, Suggest};
use crate::policy::suggestion::{EXACT, Found, HOST, ONE_PATH, TOOL, add};

impl Evaluation<'_> {
    /// Finds the rules; gives how many parts need one, or zero where one can have none.
    pub(in crate::policy) fn suggest(
        &self,
        verdict: &Verdict,
        tiers: &'static Tiers,
        suggest: &Suggest<'_>,
        found: &mut Found,
    ) -> usize {
        let row = self.tool.row;
        let of_call = || derive(self.call, tiers, suggest.dialect, suggest.host);
        let mut parts = 0usize;
        for part in verdict.parts.iter().filter(|part| part.cover.is_none()) {
            parts = parts.saturating_add(1);
            let (rule, note) = match &self.subject {
                Subject::Line(_) if part.target => {
                    let row = ToolRow::find(tiers.tools, tiers.edit_tool);
                    (row.and_then(|row| of_places(&part.places, row, suggest)), ONE_PATH)
                }
                Subject::Line(line) if line.reading.is_complete() => {
                    (self.of_run(part.run, tiers, suggest), EXACT)
                }
                Subject::File(file) => {
                    (of_places(file.certain.as_deref().unwrap_or_default(), &row, suggest), ONE_PATH)
                }
                Subject::Host(_) => (of_call(), HOST),
                Subject::Name(_) => (of_call(), EXACT),
                Subject::Nothing if row.kind == CallKind::Other => (suggest.of_tool(), TOOL),
                _ => (None, EXACT),
            };
            let Some(rule) = rule else { return 0 };
            add(found, rule, note);
        }
        parts
    }

    /// The rule for the text of a root, without its redirects: what they write is a part of its own.
    fn of_run(&self, at: usize, tiers: &'static Tiers, suggest: &Suggest<'_>) -> Option<String> {
        let Subject::Line(line) = &self.subject else { return None };
        let text = self.sights.get(at)?.allowed.written.first()?;
        let command = line.runs.get(at)?.command;
        if line.redefines || line.is_never_approved(at) || text.contains(['*']) {
            return None;
        }
        Suggest { tool: tiers.shell_tool, ..*suggest }.exact(line.reading, command, text)
    }
}

/// The rule for one place, of a tool that has such a row.
fn of_places(places: &[Place], row: &ToolRow, suggest: &Suggest<'_>) -> Option<String> {
    let [place] = places else { return None };
    let tool = row.answered_by.first().unwrap_or(row.name);
    Suggest { tool, ..*suggest }.of_content(&pattern_of(place)?, Meant::Path)
}
