//! The closed words of the API: each is an enum with one spelling, in the order in which the API lists it.
//!
//! ```
//! use toolgate::vocabulary::RuleSource;
//! assert_eq!(RuleSource::parse("cliArg"), Some(RuleSource::CliArg));
//! assert_eq!(RuleSource::ALL[0].as_str(), "session");
//! ```

use crate::order::Gather as _;
use crate::span::utf16_len;

/// Declares an enum of closed words: `ALL` in order, `as_str`, `parse`.
#[macro_export]
macro_rules! closed_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$word_doc])* $word,)+ }

        impl $name {
            /// Every word, in order.
            pub const ALL: &'static [Self] = &[$(Self::$word,)+];

            /// Every spelling, in order.
            const SPELLINGS: $crate::vocabulary::Spellings = $crate::vocabulary::Spellings {
                text: concat!($($text),+),
                ends: &$crate::vocabulary::ends([$($text),+]),
            };

            /// The spelling.
            pub fn as_str(self) -> &'static str {
                Self::SPELLINGS.at(self.index())
            }

            /// The word with that spelling.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.get(Self::SPELLINGS.find(text)?).copied()
            }

            /// Its place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

#[doc(hidden)]
pub use closed_words;

/// The spellings of closed words, one behind the other: by place, and by text.
#[derive(Clone, Copy)]
pub struct Spellings {
    /// All of them.
    pub text: &'static str,
    /// Where each of them ends.
    pub ends: &'static [u16],
}

/// Where each of the texts ends, one behind the other.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "only the compiler runs it, which stops at an overflow or a place that is not there"
)]
pub const fn ends<const N: usize>(texts: [&str; N]) -> [u16; N] {
    let mut ends = [0u16; N];
    let (mut place, mut end) = (0, 0);
    while place < N {
        end += texts[place].len() as u16;
        ends[place] = end;
        place += 1;
    }
    ends
}

impl Spellings {
    /// The spelling at a place; empty where there is none.
    #[inline(never)]
    pub fn at(self, place: usize) -> &'static str {
        let end = |place: Option<usize>| self.ends.get(place?).map(|end| usize::from(*end));
        let start = end(place.checked_sub(1)).unwrap_or_default();
        self.text.get(start..end(Some(place)).unwrap_or_default()).unwrap_or_default()
    }

    /// The place of a spelling.
    #[inline(never)]
    pub fn find(self, text: &str) -> Option<usize> {
        (0..self.ends.len()).find(|place| self.at(*place) == text)
    }
}

closed_words! {
    /// What a rule says of the calls that it accepts.
    Behavior {
        /// The call may run.
        Allow = "allow",
        /// The call may not run.
        Deny = "deny",
        /// A person decides.
        Ask = "ask",
    }
}

closed_words! {
    /// The four lists of a rule set.
    RuleList {
        /// Rules that allow.
        Allow = "allow",
        /// Rules that deny.
        Deny = "deny",
        /// Rules that ask.
        Ask = "ask",
        /// Rules that deny in every mode.
        BypassImmune = "bypassImmune",
    }
}

impl RuleList {
    /// What the rules of the list say.
    pub const fn behavior(self) -> Behavior {
        match self {
            Self::Allow => Behavior::Allow,
            Self::Ask => Behavior::Ask,
            Self::Deny | Self::BypassImmune => Behavior::Deny,
        }
    }
}

closed_words! {
    /// Where a rule comes from; highest priority first.
    RuleSource {
        /// Granted in this session.
        Session = "session",
        /// Given on the command line.
        CliArg = "cliArg",
        /// Managed policy.
        PolicySettings = "policySettings",
        /// A settings file named by a flag.
        FlagSettings = "flagSettings",
        /// The project's local settings.
        LocalSettings = "localSettings",
        /// The project's shared settings.
        ProjectSettings = "projectSettings",
        /// The user's settings.
        UserSettings = "userSettings",
        /// The host's own configuration.
        Config = "config",
    }
}

closed_words! {
    /// How calls that no rule settles are taken.
    PermissionMode {
        /// Ask.
        Default = "default",
        /// File edits are allowed.
        AcceptEdits = "acceptEdits",
        /// Reading only.
        Plan = "plan",
        /// Everything that no rule denies is allowed.
        BypassPermissions = "bypassPermissions",
        /// A classifier stands in for the person.
        Auto = "auto",
        /// Every ask becomes deny; a mode of some dialects only.
        DontAsk = "dontAsk",
    }
}

closed_words! {
    /// What the operating system lets a shell call do.
    SandboxMode {
        /// Nothing may be written.
        ReadOnly = "read-only",
        /// The workspace may be written.
        WorkspaceWrite = "workspace-write",
        /// No sandbox.
        DangerFullAccess = "danger-full-access",
    }
}

closed_words! {
    /// What was decided.
    Kind {
        /// The call may run.
        Allow = "allow",
        /// The call may not run.
        Deny = "deny",
        /// A person decides.
        Ask = "ask",
        /// Nothing was said: the host's own default decides.
        Passthrough = "passthrough",
    }
}

closed_words! {
    /// A step of the pipeline, in table order.
    Stage {
        /// Entries that hold in every mode.
        BypassImmune = "bypass-immune",
        /// The risk assessment.
        Risk = "risk",
        /// Whole-tool deny rules.
        ToolDeny = "tool-deny",
        /// Whole-tool ask rules.
        ToolAsk = "tool-ask",
        /// Rules with content.
        ContentRule = "content-rule",
        /// What the mode itself allows.
        Mode = "mode",
        /// Whole-tool allow rules.
        ToolAllow = "tool-allow",
        /// Nothing matched.
        NoMatch = "no-match",
        /// Plan mode's own denial.
        PlanWrap = "plan-wrap",
    }
}

closed_words! {
    /// How dangerous a call is; ordered.
    #[derive(Default)]
    RiskLevel {
        /// Nothing was found.
        #[default]
        Low = "LOW",
        /// A person should see it.
        Medium = "MEDIUM",
        /// Denied in every mode.
        High = "HIGH",
    }
}

closed_words! {
    /// How much a diagnostic matters.
    Severity {
        /// The configuration does not compile.
        Error = "error",
        /// It compiles, and does not do what it seems to say.
        Warning = "warning",
        /// Worth knowing.
        Info = "info",
    }
}

closed_words! {
    /// Why a classifier gave no verdict, as its audit records have it.
    ClassifierFailure {
        /// The deadline passed.
        Timeout = "timeout",
        /// The call failed, or gave no text.
        Error = "error",
        /// The text is no verdict.
        Malformed = "malformed",
        /// There is no model to ask.
        Unarmed = "unarmed",
        /// The route failed too often, and is not asked any more.
        Breaker = "breaker",
        /// The caller gave up.
        Cancelled = "cancelled",
    }
}

closed_words! {
    /// The events of a session's log that permissions are about; everything else in a log is skipped.
    EventKind {
        /// A switch of the mode.
        Mode = "permission/mode",
        /// A change of the sandbox.
        Sandbox = "sandbox/mode",
        /// An approval that lasts for the session, or one that the sandbox rule gave.
        SessionAllow = "permission/session-allow",
        /// A record of the auto stage.
        Classifier = "permission/classifier",
    }
}

closed_words! {
    /// What a record of an approval is about.
    GrantScope {
        /// A rule for the rest of the session.
        Session = "session",
        /// One call that was let out of the sandbox; it grants nothing.
        SandboxAuto = "sandbox-auto",
    }
}

/// The outcome of an approval that holds for one call.
pub const ALLOWED_ONCE: &str = "allowed-once";

closed_words! {
    /// Why a person is asked where an automatic mode would have decided.
    FallbackReason {
        /// Nobody knows what came.
        SafetyCheck = "safety_check",
        /// A rule asks.
        AskRule = "ask_rule",
        /// Plan mode asks.
        PlanModeFloor = "plan_mode_floor",
        /// The call writes outside of the workspace.
        ExternalWrite = "external_write",
        /// No verdict was reached.
        ClassifierUnavailable = "classifier_unavailable",
        /// Exactly this call was refused before.
        ClassifierBlockedRetry = "classifier_blocked_retry",
        /// Too many calls in a row were refused.
        ConsecutiveBlock = "consecutive_block",
        /// Too many calls in a row could not be judged.
        ConsecutiveUnavailable = "consecutive_unavailable",
        /// Too many calls of the session were refused or not judged.
        TotalDenial = "total_denial",
    }
}

closed_words! {
    /// What a person chose in a prompt.
    ConfirmationOutcome {
        /// Allow this call.
        ProceedOnce = "proceed_once",
        /// Switch to the default mode and allow this call.
        ProceedOnceAndSwitchToDefault = "proceed_once_and_switch_to_default",
        /// Allow from now on.
        ProceedAlways = "proceed_always",
        /// Allow from now on in this project.
        ProceedAlwaysProject = "proceed_always_project",
        /// Allow from now on for this user.
        ProceedAlwaysUser = "proceed_always_user",
        /// Allow everything of this server from now on.
        ProceedAlwaysServer = "proceed_always_server",
        /// Allow this tool from now on.
        ProceedAlwaysTool = "proceed_always_tool",
        /// Change the call in an editor, then run it.
        ModifyWithEditor = "modify_with_editor",
        /// Go back to the mode before.
        RestorePrevious = "restore_previous",
        /// Do not run it.
        Cancel = "cancel",
    }
}

closed_words! {
    /// What an option of a prompt means to a client of the Agent Client Protocol.
    OptionKind {
        /// Allows this call.
        AllowOnce = "allow_once",
        /// Allows from now on.
        AllowAlways = "allow_always",
        /// Refuses this call.
        RejectOnce = "reject_once",
    }
}

closed_words! {
    /// What a choice counts as in a host's figures.
    Telemetry {
        /// Allowed once.
        Accept = "accept",
        /// Allowed from now on.
        AutoAccept = "auto_accept",
        /// Changed.
        Modify = "modify",
        /// Refused.
        Reject = "reject",
    }
}

impl From<Behavior> for Kind {
    fn from(behavior: Behavior) -> Self {
        match behavior {
            Behavior::Allow => Self::Allow,
            Behavior::Deny => Self::Deny,
            Behavior::Ask => Self::Ask,
        }
    }
}

/// What marks the diagnostics of the evidence classifier.
pub const CLASSIFIER_DIAGNOSTICS: &str = "auto-classifier-diagnostics-v1";

/// The known word that `text` was probably meant to be: the nearest within a third of its letters.
pub fn nearest<'w>(text: &str, known: &mut dyn Iterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = utf16_len(text).div_ceil(3);
    let mut nearest: Option<(usize, &str)> = None;
    for word in known {
        let distance = edit_distance(text, word, allowed);
        if distance <= allowed && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, word));
        }
    }
    nearest.map(|(_, word)| word)
}

/// Insertions, deletions and replacements between two words, without regard to ASCII case; anything over `most`
/// may be reported as `most + 1`, so that a long text costs nothing.
fn edit_distance(a: &str, b: &str, most: usize) -> usize {
    let over = most.saturating_add(1);
    let b: Vec<char> = b.chars().gather();
    if utf16_len(a).abs_diff(b.len()) > most {
        return over;
    }
    let mut row: Vec<usize> = (0..=b.len()).gather();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i.saturating_add(1);
        let mut next = vec![left];
        for (y, above) in b.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(!x.eq_ignore_ascii_case(y)));
            left = replaced.min(left.saturating_add(1)).min(above.saturating_add(1));
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(over)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_spellings_agree() {
        for source in RuleSource::ALL {
            assert_eq!(RuleSource::parse(source.as_str()), Some(*source));
        }
        assert_eq!(RuleSource::parse("toString"), None);
        assert!(RiskLevel::Low < RiskLevel::Medium && RiskLevel::Medium < RiskLevel::High);
    }

    #[test]
    fn finds_the_nearest_word() {
        let modes = || PermissionMode::ALL.iter().map(|mode| mode.as_str());
        assert_eq!(nearest("acceptedits", &mut modes()), Some("acceptEdits"));
        assert_eq!(nearest("bypasPermission", &mut modes()), Some("bypassPermissions"));
        assert_eq!(nearest("turbo", &mut modes()), None);
        assert_eq!(nearest(&"x".repeat(100_000), &mut modes()), None);
    }
}
