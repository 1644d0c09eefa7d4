//! The denial counters as a model that is written down from the contract's tables alone.
#![allow(dead_code, unreachable_pub, reason = "no test needs all of this")]

use toolgate::fallback::{DenialState, Outcome, Verdict};
use toolgate::vocabulary::ConfirmationOutcome;

/// One call of a tracker.
#[derive(Clone, Debug)]
pub enum Step {
    Apply(Verdict<'static>, Option<&'static str>),
    Resolve(ConfirmationOutcome),
    Reset,
}

/// The tables of fallback.md sections 2 and 3, over plain numbers.
#[derive(Default)]
pub struct Model {
    blocks: u64,
    unavailable: u64,
    all_blocks: u64,
    all_unavailable: u64,
    mark: Option<&'static str>,
}

impl Model {
    pub fn play(&mut self, step: &Step) {
        match step {
            Step::Reset => *self = Self::default(),
            Step::Resolve(ConfirmationOutcome::Cancel | ConfirmationOutcome::RestorePrevious) => {}
            Step::Resolve(_) => {
                if self.all_blocks + self.all_unavailable >= 20 {
                    (self.all_blocks, self.all_unavailable) = (0, 0);
                }
                (self.blocks, self.unavailable) = (0, 0);
            }
            Step::Apply(verdict, call) => {
                let blocks = matches!(verdict, Verdict::Block(_) | Verdict::Destructive(_));
                if blocks {
                    (self.blocks, self.unavailable) = (self.blocks + 1, 0);
                    self.all_blocks += 1;
                }
                if let Verdict::Unavailable(_) = verdict {
                    (self.blocks, self.unavailable) = (0, self.unavailable + 1);
                    self.all_unavailable += 1;
                }
                if *verdict == Verdict::Allow {
                    (self.blocks, self.unavailable) = (0, 0);
                }
                let at_limit = self.blocks >= 3 || self.all_blocks + self.all_unavailable >= 20;
                let keeps = matches!(verdict, Verdict::Unavailable(_) | Verdict::Destructive(_));
                let marks = matches!(verdict, Verdict::Block(_)) && !at_limit;
                if marks && call.is_some() {
                    self.mark = *call;
                } else if !marks && !keeps && self.mark == *call {
                    self.mark = None;
                }
            }
        }
    }

    pub fn is(&self, state: &DenialState) -> bool {
        (self.blocks, self.unavailable) == (state.consecutive_block, state.consecutive_unavailable)
            && (self.all_blocks, self.all_unavailable) == (state.total_block, state.total_unavailable)
            && self.mark == state.mark.as_deref()
    }
}

pub fn play(state: &mut DenialState, step: &Step) -> Option<Outcome> {
    match step {
        Step::Apply(verdict, call) => return Some(state.apply(verdict, *call)),
        Step::Resolve(choice) => state.resolve(*choice),
        Step::Reset => *state = DenialState::default(),
    }
    None
}
