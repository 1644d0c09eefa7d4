//! JSON arguments become domain values; each refusal says where.

use super::error::{Failure, Fallible};
use crate::diagnostic::{Path, Step, join};
use crate::dialect::{Dialect, Grammar, STANDARD};
use crate::json::{self, Json};
use crate::limits;
use crate::order::Gather as _;
use crate::policy::RuleSet;
use crate::rule::domain::DomainPattern;
use crate::rule::{Anchor, Matcher, Parameter, ParsedRule, PermissionRule, Wildcard};
use crate::vocabulary::{Behavior, PermissionMode, RuleList, RuleSource};

/// The value of an argument's JSON text; `path` is the argument's own place.
pub(super) fn value(text: &str, path: Path) -> Fallible<Json> {
    if text.len() > limits::INPUT_BYTES {
        return Err(Failure::limit("input-too-large", "an argument is too large", limits::INPUT_BYTES));
    }
    json::read(text).map_err(|error| {
        let at = behind(path, error.path);
        Failure::argument(error.code, "the argument cannot be read as JSON", at)
    })
}

/// A place inside of what stands at `path`.
pub(super) fn behind(mut path: Path, mut inside: Path) -> Path {
    path.append(&mut inside);
    path
}

/// A place inside the arguments.
#[inline(never)]
pub(super) fn place(names: &[&'static str]) -> Path {
    let mut path = vec![];
    for name in names {
        path.push(Step::from(*name));
    }
    path
}

/// The dialect of that name, or the default.
pub(super) fn dialect(name: Option<&str>, path: Path) -> Fallible<&'static Dialect> {
    let Some(name) = name else { return Ok(&STANDARD) };
    Dialect::find(name).ok_or_else(|| Failure::argument("unknown-dialect", "no dialect has this name", path))
}

/// A mode of the dialect.
pub(super) fn mode(name: &str, dialect: &Dialect, path: Path) -> Fallible<PermissionMode> {
    match PermissionMode::parse(name) {
        Some(mode) if dialect.modes.contains(&mode) => Ok(mode),
        Some(_) => Err(Failure::argument("mode-not-in-dialect", "the dialect does not have this mode", path)),
        None => Err(Failure::argument("unknown-mode", "no mode has this name", path)),
    }
}

pub(super) fn behavior(name: &str, path: Path) -> Fallible<Behavior> {
    Behavior::parse(name)
        .ok_or_else(|| Failure::argument("unknown-behavior", "no behavior has this name", path))
}

pub(super) fn source(name: &str, path: Path) -> Fallible<RuleSource> {
    RuleSource::parse(name)
        .ok_or_else(|| Failure::argument("unknown-source", "no source has this name", path))
}

/// A member that is a text.
pub(super) fn text<'j>(value: &'j Json, name: &'static str, path: &[Step]) -> Fallible<&'j str> {
    optional_text(value, name, path)?.ok_or_else(|| not_a_string(join(path, name)))
}

/// A member that is a text, or absent.
pub(super) fn optional_text<'j>(
    value: &'j Json,
    name: &'static str,
    path: &[Step],
) -> Fallible<Option<&'j str>> {
    match value.get(name) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text)),
        Some(_) => Err(not_a_string(join(path, name))),
    }
}

/// A member that is `true` or `false`.
pub(super) fn flag(value: &Json, name: &'static str, path: &[Step]) -> Fallible<bool> {
    match value.get(name) {
        Some(Json::Bool(flag)) => Ok(*flag),
        _ => Err(Failure::argument("not-a-boolean", "true or false is needed", join(path, name))),
    }
}

/// A member that is a number, as it is written.
pub(super) fn number<'j>(value: &'j Json, name: &'static str, path: &[Step]) -> Fallible<&'j str> {
    match value.get(name) {
        Some(Json::Number(number)) => Ok(number),
        _ => Err(Failure::argument("not-a-number", "a finite number is needed", join(path, name))),
    }
}

/// A member that is one of some words, or absent.
pub(super) fn optional_word<W>(
    value: &Json,
    name: &'static str,
    path: &[Step],
    code: &'static str,
    parse: &dyn Fn(&str) -> Option<W>,
) -> Fallible<Option<W>> {
    let Some(word) = optional_text(value, name, path)? else { return Ok(None) };
    parse(word).map(Some).ok_or_else(|| unknown_word(code, join(path, name)))
}

/// Reads the JSON text of an argument that is an object with no other members than those known, and goes on with it and
/// its place.
#[inline(never)]
pub(super) fn on_object(
    text: &str,
    argument: &'static str,
    known: &[&str],
    go_on: &mut dyn FnMut(&Json, &Path) -> Fallible<String>,
) -> Fallible<String> {
    let path = place(&[argument]);
    let value = value(text, path.clone())?;
    object(Some(&value), path.clone())?;
    known_members(&value, known, &path)?;
    go_on(&value, &path)
}

/// A text that is none of the words that are known there.
pub(super) fn unknown_word(code: &'static str, path: Path) -> Box<Failure> {
    Failure::argument(code, "no such word is known", path)
}

/// A list of texts.
pub(super) fn texts<'j>(value: &'j Json, path: &[Step]) -> Fallible<Vec<&'j str>> {
    let items =
        value.as_list().ok_or_else(|| Failure::argument("not-a-list", "a list is needed", path.to_vec()))?;
    let mut texts = vec![];
    for (index, item) in items.iter().enumerate() {
        texts.push(item.as_str().ok_or_else(|| not_a_string(join(path, index)))?);
    }
    Ok(texts)
}

/// Refuses members that nothing reads.
pub(super) fn known_members(value: &Json, known: &[&str], path: &[Step]) -> Fallible<()> {
    for (name, _) in value.members() {
        if !known.contains(&name.as_str()) {
            let path = join(path, Step::named(name));
            return Err(Failure::argument("unknown-field", "nothing reads this member", path));
        }
    }
    Ok(())
}

pub(super) fn object(value: Option<&Json>, path: Path) -> Fallible<&Json> {
    value
        .filter(|value| value.is_object())
        .ok_or_else(|| Failure::argument("not-an-object", "an object is needed", path))
}

fn not_a_string(path: Path) -> Box<Failure> {
    Failure::argument("not-a-string", "a text is needed", path)
}

/// A parsed rule. Members beside those of a rule are left alone: a decision's rule has more.
fn parsed_rule(value: &Json, dialect: &Dialect, path: &Path) -> Fallible<ParsedRule> {
    let value = object(Some(value), path.clone())?;
    Ok(ParsedRule {
        tool: text(value, "toolName", path)?.into(),
        content: optional_text(value, "content", path)?.map(Into::into),
        matcher: match value.get("matcher") {
            Some(value) => Some(matcher(value, dialect, &join(path, "matcher"))?),
            None => None,
        },
        parameters: vec![],
    })
}

#[inline(never)]
fn matcher(value: &Json, dialect: &Dialect, path: &Path) -> Fallible<Matcher> {
    let value = object(Some(value), path.clone())?;
    match text(value, "kind", path)? {
        "exact" => Ok(Matcher::Exact(text(value, "text", path)?.into())),
        "prefix" => Ok(Matcher::Prefix(text(value, "prefix", path)?.into())),
        "wildcard" => {
            let pattern = text(value, "pattern", path)?;
            Ok(Matcher::Wildcard(match dialect.grammar {
                Grammar::Escaped => Wildcard::read(pattern),
                Grammar::Literal(_) => Wildcard::literal(pattern, true),
                Grammar::Verbatim(_) => Wildcard::literal(pattern, false),
            }))
        }
        "domain" => {
            let hostname = text(value, "hostname", path)?;
            Ok(Matcher::Domain(DomainPattern::as_it_stands(hostname, dialect.domain_labels)))
        }
        "path" => {
            let anchor = Anchor::parse(text(value, "anchor", path)?);
            let unknown =
                || Failure::argument("unknown-matcher", "no anchor has this name", join(path, "anchor"));
            Ok(Matcher::Path(anchor.ok_or_else(unknown)?, text(value, "glob", path)?.into()))
        }
        "parameter" => Ok(Matcher::Parameter(Parameter {
            name: text(value, "name", path)?.into(),
            value: text(value, "value", path)?.into(),
        })),
        _ => Err(Failure::argument("unknown-matcher", "the dialect has no such matcher", join(path, "kind"))),
    }
}

/// Four lists of rules. The list says what its rules do; a rule that says otherwise is refused, but in `bypassImmune`.
pub(super) fn rule_set(value: &Json, dialect: &Dialect, path: &Path) -> Fallible<RuleSet> {
    let names: Vec<&str> = RuleList::ALL.iter().map(|list| list.as_str()).gather();
    known_members(value, &names, path)?;
    let mut set = RuleSet::default();
    for list in RuleList::ALL {
        let Some(items) = value.get(list.as_str()) else { continue };
        let path = join(path, list.as_str());
        let items = items
            .as_list()
            .ok_or_else(|| Failure::argument("not-a-list", "a list is needed", path.clone()))?;
        for (index, item) in items.iter().enumerate() {
            set.rules.push((*list, permission_rule(item, *list, dialect, &join(&path, index))?));
        }
        if set.rules.len() > limits::RULES {
            return Err(Failure::limit("too-many-rules", "a list has at most 20000 rules", limits::RULES));
        }
    }
    Ok(set)
}

/// A parsed rule; a content that came without its matcher gets it here, so that it does not turn into a rule for
/// everything (invariant "tightening").
pub(super) fn rule_with_matcher(value: &Json, dialect: &Dialect, path: &Path) -> Fallible<ParsedRule> {
    Ok(parsed_rule(value, dialect, path)?.completed(dialect))
}

fn permission_rule(item: &Json, list: RuleList, dialect: &Dialect, path: &Path) -> Fallible<PermissionRule> {
    let rule = rule_with_matcher(item, dialect, path)?;
    let said = behavior(text(item, "behavior", path)?, join(path, "behavior"))?;
    if said != list.behavior() && list != RuleList::BypassImmune {
        return Err(Failure::argument(
            "behavior-mismatch",
            "the rule stands in the list of another behavior",
            join(path, "behavior"),
        ));
    }
    let source = source(text(item, "source", path)?, join(path, "source"))?;
    Ok(PermissionRule { rule, behavior: list.behavior(), source })
}
