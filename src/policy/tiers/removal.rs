//! Removals that no rule approves (claude-code.md section 15).

use super::line::{Line, Run, base};
use super::place::{Ground, Place};
use super::spelling::Spelling;
use crate::shell::Word;
use crate::span::Span;

impl<'r> Line<'r> {
    /// Where the line removes what nobody should remove without a person.
    pub(super) fn critical_removals(&self, ground: &Ground) -> Vec<Span> {
        let mut found = vec![];
        for run in &self.runs {
            let name = run.words.first().and_then(Word::value).map(base).unwrap_or_default();
            if !self.tiers.removers.has(name) {
                continue;
            }
            let mut only_operands = false;
            for word in run.words.iter().skip(1) {
                if !only_operands && word.literal().starts_with('-') {
                    only_operands = word.value() == Some("--");
                    continue;
                }
                if self.is_critical(&self.spelling(word, run), run, ground) {
                    found.push(word.span());
                }
            }
        }
        found
    }

    fn is_critical(&self, operand: &Spelling, run: &Run<'_>, ground: &Ground) -> bool {
        if operand.exposed {
            return true;
        }
        if !operand.known && operand.text.starts_with(['$', '`']) {
            // Where it leads is not known, and what it names is not exposed.
            return false;
        }
        let own = operand.text.trim_end_matches('/');
        let own = if own.is_empty() { operand.text.as_str() } else { own };
        let (parent, name) = own.rsplit_once('/').unwrap_or((".", own));
        let parent = if parent.is_empty() { "/" } else { parent };
        let all = operand.bare_end && matches!(name, "*" | ".*");
        let text = if all { parent } else { own };
        if text == "~" {
            return true;
        }
        self.seen(text, run, ground)
            .iter()
            .any(|place| is_vital(place, ground) || (all && holds_extra(place, ground)))
    }
}

/// The root, what lies directly below it, a drive and what lies directly below it, home, the working directory and
/// what it lies in.
fn is_vital(place: &Place, ground: &Ground) -> bool {
    if place.floating {
        return false;
    }
    let drive = usize::from(place.folds && place.names.first().is_some_and(|name| name.len() == 1));
    place.names.len() <= drive.saturating_add(1)
        || ground.home.as_ref().is_some_and(|home| place.is(home))
        || ground.cwd.as_ref().is_some_and(|cwd| cwd.below(place).is_some())
}

/// An additional directory is the place or lies in it.
fn holds_extra(place: &Place, ground: &Ground) -> bool {
    !place.floating && ground.extra.iter().any(|extra| extra.below(place).is_some())
}
