//! The fallback's functions over text. A tracker's state crosses as JSON text: the façade keeps the text that came back
//! last, so nothing of a tracker lives in the core.

use super::call::Given;
use super::decode::{self, known_members, on_object, optional_text, place, unknown_word};
use super::error::{Failure, Fallible};
use super::functions::check_rule_count;
use crate::diagnostic::{Path, Step, join};
use crate::fallback::{
    self, Confirmation, DenialState, Offer, Outcome, Selection, Unselectable, Verdict, confirmation,
    from_acp, is_shown,
};
use crate::json::{Json, Writer};
use crate::order::Grow as _;
use crate::policy;
use crate::text;
use crate::vocabulary::{ConfirmationOutcome, FallbackReason, OptionKind};

const STATE: [&str; 5] = [
    "consecutiveBlock",
    "consecutiveUnavailable",
    "totalBlock",
    "totalUnavailable",
    "pendingManualRetryFingerprint",
];

/// One step of a `DenialTracker`: of the JSON text of its state, or none, which is that of a new session, of what is done
/// (`state`, `shouldFallback`, `resolve CHOICE` or `apply KIND`), a reason, and a fingerprint. Gives the JSON text of the
/// state that follows, a line feed, and what comes of it. A kind or reason that is not known becomes a prompt.
pub(super) fn denial_step(given: &Given<'_>) -> Fallible<String> {
    let mut state = read_state(given.optional(0))?;
    let (reason, fingerprint) = (given.text(2), given.optional(3));
    let (step, word) = text::split_once(given.text(1), " ").unwrap_or((given.text(1), ""));
    let mut came = String::new();
    match step {
        "shouldFallback" => {
            came = state.should_fallback(fingerprint).map_or("", FallbackReason::as_str).into();
        }
        "resolve" => state.resolve(choice(word)?),
        "apply" => {
            let verdict = match word {
                "allow" => Verdict::Allow,
                "block" => Verdict::Block(reason),
                "unavailable" => Verdict::Unavailable(reason),
                "destructive" => Verdict::Destructive(reason),
                "fallback" => FallbackReason::parse(reason).map_or(Verdict::Unknown, Verdict::Fallback),
                _ => Verdict::Unknown,
            };
            came = outcome_text(&state.apply(&verdict, fingerprint));
        }
        _ => {}
    }
    Ok([&state_text(state), "\n", &came].concat())
}

fn choice(name: &str) -> Fallible<ConfirmationOutcome> {
    ConfirmationOutcome::parse(name).ok_or_else(|| unknown_word("unknown-outcome", place(&["outcome"])))
}

#[inline(never)]
fn read_state(text: Option<&str>) -> Fallible<DenialState> {
    let Some(text) = text else { return Ok(DenialState::default()) };
    let path: Path = place(&["state"]);
    let value = decode::value(text, path.clone())?;
    let value = decode::object(Some(&value), path.clone())?;
    known_members(value, &STATE, &path)?;
    let [counters @ .., mark] = STATE;
    let mut counts = [0; 4];
    for (name, counter) in counters.iter().zip(&mut counts) {
        *counter = value.get(name).and_then(count).ok_or_else(|| {
            let message = "a counter is a safe integer that is not negative";
            Failure::argument("not-a-count", message, join(&path, *name))
        })?;
    }
    let [consecutive_block, consecutive_unavailable, total_block, total_unavailable] = counts;
    let mark = optional_text(value, mark, &path)?.map(Into::into);
    Ok(DenialState { consecutive_block, consecutive_unavailable, total_block, total_unavailable, mark })
}

fn count(value: &Json) -> Option<u64> {
    let Json::Number(number) = value else { return None };
    // Digits alone are neither negative nor fractions.
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    value.as_safe_integer().filter(|_| digits)
}

#[inline(never)]
fn state_text(state: DenialState) -> String {
    let [counters @ .., mark] = STATE;
    let counts =
        [state.consecutive_block, state.consecutive_unavailable, state.total_block, state.total_unavailable];
    let mut to = Writer::default();
    to.open("{");
    for (name, count) in counters.iter().zip(counts) {
        to.name(name);
        to.count(count);
    }
    to.optional_member(mark, state.mark.as_deref());
    to.close("}");
    to.text
}

fn outcome_text(outcome: &Outcome) -> String {
    let mut to = Writer::default();
    to.open("{");
    let (kind, word, message, hook) = match outcome {
        Outcome::Approved => ("approved", None, None, None),
        Outcome::Blocked { message, permission_denied_hook } => {
            ("blocked", Some(("code", "classifier_blocked")), Some(message), Some(permission_denied_hook))
        }
        Outcome::Fallback { reason, message, permission_denied_hook } => {
            ("fallback", Some(("reason", reason.as_str())), message.as_ref(), Some(permission_denied_hook))
        }
    };
    to.member("kind", kind);
    if let Some((name, word)) = word {
        to.member(name, word);
    }
    to.optional_member("message", message.map(String::as_str));
    if let Some(hook) = hook {
        to.name("permissionDeniedHook");
        to.flag(*hook);
    }
    to.close("}");
    to.text
}

/// `fallbackConfirmation`: of the JSON texts of the outcome and of the caller's options.
pub(super) fn fallback_confirmation(given: &Given<'_>) -> Fallible<String> {
    on_object(given.text(0), "outcome", OUTCOME, &mut |outcome, path| {
        if decode::text(outcome, "kind", path)? != "fallback" {
            return Err(unknown_word("not-a-fallback", join(path, "kind")));
        }
        let reason = read_reason(outcome, path)?;
        let told = optional_text(outcome, "message", path)?;
        let path = place(&["options"]);
        let Some(options) = given.optional(1) else {
            return Ok(confirmation_text(&confirmation(reason, told, None), &[]));
        };
        let options = decode::value(options, path.clone())?;
        let read = read_options(&options, &path)?;
        let made = confirmation(reason, told, Some(&read));
        Ok(confirmation_text(&made, options.as_list().unwrap_or_default()))
    })
}

const OUTCOME: &[&str] = &["kind", "reason", "message", "permissionDeniedHook"];

fn confirmation_text(confirmation: &Confirmation, given: &[Json]) -> String {
    let mut to = Writer::default();
    to.open("{");
    to.name("hideAlwaysAllow");
    to.flag(confirmation.hide_always_allow);
    if let Some(notice) = &confirmation.notice {
        to.name("autoModeFallback");
        to.open("{");
        to.member("reason", notice.reason.as_str());
        to.member("message", &notice.message);
        to.close("}");
    }
    to.name("options");
    to.open("[");
    for offer in &confirmation.options {
        match offer {
            Offer::Own(own) => {
                to.open("{");
                to.member("id", own.id.as_str());
                to.member("label", own.label);
                to.member("acpKind", own.kind.as_str());
                to.close("}");
            }
            // As it was given, with whatever else the host keeps in it.
            Offer::Given(at) => to.plain(&given.get(*at).map(Json::text).unwrap_or_default()),
        }
    }
    to.close("]");
    to.close("}");
    to.text
}

#[inline(never)]
fn read_reason(value: &Json, path: &[Step]) -> Fallible<FallbackReason> {
    FallbackReason::parse(decode::text(value, "reason", path)?)
        .ok_or_else(|| unknown_word("unknown-reason", join(path, "reason")))
}

/// The id and kind of each option; each has a label as well.
#[inline(never)]
fn read_options<'j>(list: &'j Json, path: &[Step]) -> Fallible<Vec<(&'j str, OptionKind)>> {
    let items =
        list.as_list().ok_or_else(|| Failure::argument("not-a-list", "a list is needed", path.to_vec()))?;
    let mut options = vec![];
    for (index, item) in items.iter().enumerate() {
        let path = join(path, index);
        let item = decode::object(Some(item), path.clone())?;
        decode::text(item, "label", &path)?;
        let kind = OptionKind::parse(decode::text(item, "acpKind", &path)?)
            .ok_or_else(|| unknown_word("unknown-option-kind", join(&path, "acpKind")))?;
        options.push((decode::text(item, "id", &path)?, kind));
    }
    Ok(options)
}

/// `normalizeConfirmation`: of a choice.
pub(super) fn normalize_confirmation(given: &Given<'_>) -> Fallible<String> {
    let normalized = fallback::normalize(choice(given.text(0))?);
    let mut to = Writer::default();
    to.open("{");
    to.member("outcome", normalized.outcome.as_str());
    to.optional_member("switchModeTo", normalized.switch_mode_to.map(|mode| mode.as_str()));
    to.member("telemetry", normalized.telemetry.as_str());
    to.close("}");
    Ok(to.text)
}

/// What is made of a confirmation as a client is shown it: of its notice, and of the options.
type OfShown<'f> = dyn FnMut(Option<&str>, &[&Json]) -> Fallible<String> + 'f;

/// Hands on a confirmation as a client of the Agent Client Protocol is shown it.
#[inline(never)]
fn on_confirmation(text: &str, go_on: &mut OfShown<'_>) -> Fallible<String> {
    let path: Path = place(&["confirmation"]);
    let value = decode::value(text, path.clone())?;
    decode::object(Some(&value), path.clone())?;
    let hides = decode::flag(&value, "hideAlwaysAllow", &path)?;
    let mut notice = None;
    if let Some(told) = value.get("autoModeFallback") {
        let path = join(&path, "autoModeFallback");
        decode::object(Some(told), path.clone())?;
        read_reason(told, &path)?;
        notice = Some(decode::text(told, "message", &path)?);
    }
    let list = value.get("options").unwrap_or(&Json::Null);
    let mut shown = vec![];
    let options = read_options(list, &join(&path, "options"))?;
    for ((_, kind), option) in options.iter().zip(list.as_list().unwrap_or_default()) {
        if is_shown(*kind, notice.is_some(), hides) {
            shown.push(option);
        }
    }
    go_on(notice, &shown)
}

/// `toAcpPermissionRequest`: of the JSON text of a confirmation. The caller's content needs no reading.
pub(super) fn to_acp_permission_request(given: &Given<'_>) -> Fallible<String> {
    on_confirmation(given.text(0), &mut |notice, shown| {
        let mut to = Writer::default();
        to.open("{");
        to.name("content");
        to.open("[");
        if let Some(message) = notice {
            to.open("{");
            to.member("type", "content");
            to.name("content");
            to.open("{");
            to.member("type", "text");
            to.member("text", message);
            to.close("}");
            to.close("}");
        }
        to.close("]");
        to.name("options");
        to.open("[");
        for option in shown {
            to.open("{");
            for (name, own) in [("optionId", "id"), ("name", "label"), ("kind", "acpKind")] {
                to.optional_member(name, option.get(own).and_then(Json::as_str));
            }
            to.close("}");
        }
        to.close("]");
        to.close("}");
        Ok(to.text)
    })
}

/// `fromAcpOutcome`: of the JSON text of a confirmation, the kind of the answer and the option that it selects.
pub(super) fn from_acp_outcome(given: &Given<'_>) -> Fallible<String> {
    on_confirmation(given.text(0), &mut |_, shown| {
        let mut ids = vec![];
        for option in shown {
            ids.grow(option.get("id").and_then(Json::as_str));
        }
        let selection = match given.text(1) {
            "cancelled" => Selection::Cancelled,
            "selected" => Selection::Selected(given.text(2)),
            _ => return Err(unknown_word("unknown-outcome", place(&["outcome", "outcome"]))),
        };
        from_acp(selection, &ids).map(|choice| choice.as_str().into()).map_err(|why| {
            let (code, message) = match why {
                Unselectable::Unoffered => ("unoffered-option", "no option of this id was shown"),
                Unselectable::UnknownOutcome => ("unknown-outcome", "the option is no choice that is known"),
            };
            Failure::argument(code, message, place(&["outcome", "optionId"]))
        })
    })
}

/// `dangerousAllowRules`: of the JSON text of a list of rules, in a dialect.
pub(super) fn dangerous_allow_rules(given: &Given<'_>) -> Fallible<String> {
    let dialect = decode::dialect(given.optional(1), place(&["dialect"]))?;
    let path: Path = place(&["rules"]);
    let value = decode::value(given.text(0), path.clone())?;
    let rules = decode::texts(&value, &path)?;
    check_rule_count(rules.len())?;
    let mut to = Writer::default();
    to.open("[");
    for rule in policy::dangerous(&rules, dialect, given.host) {
        to.string(rule);
    }
    to.close("]");
    Ok(to.text)
}

/// `callFingerprint`: of a tool, a folder, and the JSON text of the parameters.
pub(super) fn call_fingerprint(given: &Given<'_>) -> Fallible<String> {
    let params = decode::value(given.text(2), place(&["params"]))?;
    Ok(fallback::call_fingerprint(given.text(0), given.text(1), params))
}
