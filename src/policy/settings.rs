//! An agent's permission settings become a configuration (rules.md section 9).
//!
//! Values are handed on unread: what is wrong with them is found by the policy, which refuses the configuration. Only
//! what has no place to go is judged here.

use crate::diagnostic::{Diagnostic, Step, in_order};
use crate::dialect::tiers::Words;
use crate::json::{self, Json};
use crate::policy::config::meant;
use crate::vocabulary::Severity;

/// Settings that become the lists of one layer.
const LISTS: Words = Words("allow deny ask");

/// Settings that take the place of the member of the same name.
const REPLACED: Words = Words("defaultMode additionalDirectories protectedFiles dangerousPatterns");

/// Every setting that is taken.
const KNOWN: Words = Words(
    "allow deny ask defaultMode additionalDirectories protectedFiles dangerousPatterns \
        disableBypassPermissionsMode autoMode",
);

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
    let mut diagnostics: Vec<Diagnostic> = vec![];
    for problem in problems {
        let message = "the settings cannot be written as JSON";
        diagnostics.push(Diagnostic::error(problem.code, message, problem.path));
    }
    if !settings.is_object() && settings != Json::Null {
        diagnostics.push(Diagnostic::error("not-an-object", "settings are an object", vec![]));
    }
    let mut config = base;
    if LISTS.any(&mut |name| settings.get(name).is_some()) {
        let mut layer: Vec<(String, Json)> = vec![("source".into(), source)];
        if let Some(directory) = directory {
            layer.push(("directory".into(), directory));
        }
        for name in LISTS.iter() {
            if let Some(list) = settings.get(name) {
                layer.push((name.into(), list.clone()));
            }
        }
        add_layer(&mut config, Json::Object(layer));
    }
    for name in REPLACED.iter() {
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
    let mut auto_mode = settings.get(AUTO_MODE).cloned();
    if auto_mode.as_ref().is_some_and(|value| !value.is_object()) {
        auto_mode = None;
        let place = vec![AUTO_MODE.into()];
        diagnostics.push(Diagnostic::error("not-an-object", "an object is needed", place));
    }
    for (name, value) in settings.members() {
        if *value != Json::Null && !KNOWN.has(name) {
            let message = "this setting is not taken";
            let unknown =
                Diagnostic::new(Severity::Info, "unknown-setting", message, vec![Step::named(name)]);
            diagnostics.push(unknown.maybe_hint(meant(name, &mut KNOWN.iter())));
        }
    }
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
