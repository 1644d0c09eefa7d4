//! Why a call is denied, or a person is asked (rules.md section 12).

use super::decide::{Outcome, RuleRef};
use super::entry::Entry;
use crate::dialect::Dialect;
use crate::rule::PermissionRule;
use crate::vocabulary::{Kind, Stage};

/// A reason. That of a rule is put into words where it is told: most who decide much never look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The rule of the policy that decided says so.
    OfRule(Saying),
    /// Everything else, in words.
    Text(String),
}

/// What is said of a rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saying {
    /// It denies.
    Denied,
    /// A person has to approve.
    NeedsApproval,
    /// It denies in every mode.
    Immune,
}

impl Saying {
    /// Every one, in order.
    pub const ALL: &'static [Self] = &[Self::Denied, Self::NeedsApproval, Self::Immune];

    /// What is said of a rule that comes to `kind` at a stage; nothing of one that allows.
    pub const fn of(kind: Kind, stage: Stage) -> Option<Self> {
        match (kind, stage) {
            (Kind::Allow | Kind::Passthrough, _) => None,
            (Kind::Deny, Stage::BypassImmune) => Some(Self::Immune),
            (Kind::Deny, _) => Some(Self::Denied),
            (Kind::Ask, _) => Some(Self::NeedsApproval),
        }
    }

    /// The reason, where `rule` decided: a grant is not of the policy, so that it is named at once.
    pub fn by(self, at: RuleRef, rule: &PermissionRule) -> Reason {
        match at {
            RuleRef::Rule(_) => Reason::OfRule(self),
            RuleRef::Grant(_) => Reason::Text(self.about(&rule.label())),
        }
    }

    /// The reason, with the rule's label.
    pub fn about(self, label: &str) -> String {
        let (before, behind) = match self {
            Self::Denied => ("denied", ""),
            Self::NeedsApproval => ("requires approval", ""),
            Self::Immune => ("denied", " (bypass-immune)"),
        };
        [before, " by permission rule ", label, behind].concat()
    }
}

impl Outcome {
    /// The reason in words, where the rules are `entries`.
    pub fn reason_text(&self, entries: &[Entry], dialect: &Dialect) -> Option<String> {
        match (self.reason.as_ref()?, self.rule) {
            (Reason::OfRule(saying), Some(RuleRef::Rule(rank))) => {
                Some(saying.about(&entries.get(rank)?.label(dialect)))
            }
            (Reason::OfRule(_), _) => None,
            (Reason::Text(text), _) => Some(text.clone()),
        }
    }

    /// The outcome with its reason in words.
    pub fn told(self, entries: &[Entry], dialect: &Dialect) -> Self {
        Self { reason: self.reason_text(entries, dialect).map(Reason::Text), ..self }
    }
}
