//! An agent's permission settings become a configuration (rules.md section 9).
//!
//! Values are handed on unread: what is wrong with them is found by the policy, which refuses the configuration. Only
//! what has no place to go is judged here.

use crate::diagnostic::{Diagnostic, Path, Step, in_order};
use crate::json::{self, Json};
use crate::order::{Gather as _, Grow as _};
use crate::policy::config::meant;
use crate::vocabulary::Severity;

/// Settings that become the lists of one layer.
const LISTS: &[&str] = &["allow", "deny", "ask"];

/// Settings that take the place of the member of the same name.
const REPLACED: &[&str] = &["defaultMode", "additionalDirectories", "protectedFiles", "dangerousPatterns"];

const DISABLE_BYPASS: &str = "disableBypassPermissionsMode";

const AUTO_MODE: &str = "autoMode";

/// What settings come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSettings {
    /// The base with the settings over it.
    pub config: Json,
    /// The settings of the automatic mode, as they stand.
    pub auto_mode: Option<Json>,
    /// In the order of their paths.
    pub diagnostics: Vec<Diagnostic>,
}

/// Puts the JSON text of permission settings over `base`. `source` and `directory` are those of the layer that the
/// lists become.
pub fn from_settings(permissions: &str, base: Json, source: Json, directory: Option<Json>) -> FromSettings {
    let (settings, problems) = json::read_with_problems(permissions);
    let unreadable = |problem: json::JsonError| {
        Diagnostic::error(problem.code, "the settings cannot be written as JSON", problem.path)
    };
    let mut diagnostics: Vec<Diagnostic> = problems.into_iter().map(unreadable).gather();
    if !settings.is_object() && settings != Json::Null {
        diagnostics.push(Diagnostic::error("not-an-object", "settings are an object", vec![]));
    }
    let mut config = base;
    if LISTS.iter().any(|name| settings.get(name).is_some()) {
        let mut layer: Vec<(String, Json)> = vec![("source".into(), source)];
        layer.grow(directory.map(|directory| ("directory".into(), directory)));
        for name in LISTS {
            layer.grow(settings.get(name).map(|list| ((*name).into(), list.clone())));
        }
        add_layer(&mut config, Json::Object(layer));
    }
    for name in REPLACED {
        if let Some(value) = settings.get(name) {
            config.set(name, value.clone());
        }
    }
    match settings.get(DISABLE_BYPASS) {
        // Settings can lock the bypass, never unlock it.
        Some(Json::Bool(false)) if config.get(DISABLE_BYPASS).is_some() => {}
        Some(value) => config.set(DISABLE_BYPASS, value.clone()),
        None => {}
    }
    let auto_mode = settings.get(AUTO_MODE).filter(|value| {
        if !value.is_object() {
            diagnostics.push(Diagnostic::error(
                "not-an-object",
                "an object is needed",
                vec![AUTO_MODE.into()],
            ));
        }
        value.is_object()
    });
    let auto_mode = auto_mode.cloned();
    diagnostics.grow(settings.members().iter().filter_map(|(name, value)| unknown(name, value)));
    FromSettings { config, auto_mode, diagnostics: in_order(diagnostics) }
}

/// Appends a layer. Where `layers` is no list, the policy will say so.
fn add_layer(config: &mut Json, layer: Json) {
    let mut layers = config.get("layers").cloned().unwrap_or_else(|| Json::List(vec![]));
    if let Json::List(layers) = &mut layers {
        layers.push(layer);
    }
    config.set("layers", layers);
}

fn unknown(name: &str, value: &Json) -> Option<Diagnostic> {
    let known = [LISTS, REPLACED, &[DISABLE_BYPASS, AUTO_MODE]].concat();
    if *value == Json::Null || known.contains(&name) {
        return None;
    }
    let path: Path = vec![Step::named(name)];
    let hint = meant(name, &mut known.into_iter());
    Some(
        Diagnostic::new(Severity::Info, "unknown-setting", "this setting is not taken", path)
            .maybe_hint(hint),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(permissions: &str, base: &str, config: &str, codes: &[&str]) {
        let from =
            from_settings(permissions, json::read(base).unwrap(), Json::Text("userSettings".into()), None);
        let found: Vec<_> = from.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!((from.config.text().as_str(), found.as_slice()), (config, codes), "{permissions}");
    }

    #[test]
    fn lists_become_a_layer() {
        check(
            r#"{"deny":["Bash"],"ask":null}"#,
            "{}",
            r#"{"layers":[{"source":"userSettings","deny":["Bash"]}]}"#,
            &[],
        );
        check(r#"{"allow":null}"#, "{}", "{}", &[]);
        check("null", r#"{"home":"/h"}"#, r#"{"home":"/h"}"#, &[]);
        check(r#"{"deny":"x"}"#, r#"{"layers":7}"#, r#"{"layers":7}"#, &[]);
    }

    #[test]
    fn a_lock_stays() {
        let locked = r#"{"disableBypassPermissionsMode":"disable"}"#;
        check(r#"{"disableBypassPermissionsMode":false}"#, locked, locked, &[]);
        check(locked, "{}", locked, &[]);
    }

    #[test]
    fn nothing_is_lost_in_silence() {
        check(r#"{"alow":["x"],"bypassImmune":[]}"#, "{}", "{}", &["unknown-setting", "unknown-setting"]);
        check(r#"{"autoMode":7}"#, "{}", "{}", &["not-an-object"]);
        check("[]", "{}", "{}", &["not-an-object"]);
        check(r#"{"defaultMode":"\ud800"}"#, "{}", "{\"defaultMode\":\"\u{FFFD}\"}", &["lone-surrogate"]);
    }
}
