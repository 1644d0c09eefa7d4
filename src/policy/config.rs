//! A configuration as JSON becomes settings and rules; everything that is wrong with it is found in one pass
//! (rules.md section 14).
//!
//! Nothing is dropped in silence: what cannot be taken is a diagnostic with its place.

use crate::diagnostic::{Diagnostic, Path, Step, in_order, join};
use crate::dialect::tiers::Words;
use crate::dialect::{Dialect, Engine, STANDARD};
use crate::engine::config::Config;
use crate::engine::hazard::{Hazards, broken_pattern};
use crate::host::Host;
use crate::json::{self, Json, JsonError};
use crate::limits;
use crate::vocabulary::{PermissionMode, Severity, nearest};

/// Members of a configuration.
const FIELDS: Words = Words(
    "dialect rules layers defaultMode disableBypassPermissionsMode bashToolName fileEditTools readOnlyTools \
        exemptSandboxedBashFromToolAsk classifierEnabled additionalDirectories protectedFiles dangerousPatterns home \
        projectRoot",
);

/// A configuration as it was written, as it was read, and what there is to say about it.
#[derive(Debug)]
pub struct Checked {
    /// The value of the text; spans of diagnostics point into its strings.
    pub json: Json,
    /// To be used only where no diagnostic is an error.
    pub config: Config,
    /// In the order of their paths.
    pub diagnostics: Vec<Diagnostic>,
    /// What risk is assessed by, where the engine assesses it.
    pub(super) hazards: Option<Hazards>,
}

/// Reads the JSON text of a configuration.
pub fn check(text: &str, host: Host) -> Checked {
    check_among(crate::dialect::DIALECTS, text, host)
}

/// As [`check`]; its dialect is one of `dialects`.
pub fn check_among(dialects: &'static [&'static Dialect], text: &str, host: Host) -> Checked {
    let (json, problems) = json::read_with_problems(text);
    let mut reader = Reader {
        diagnostics: vec![],
        host,
        dialects,
        rules_left: limits::RULES,
        too_many: false,
        hazards: None,
    };
    let config = reader.config(&json);
    if problems.last().is_some_and(|problem| matches!(problem.code, "not-json" | "too-deep")) {
        // There is no value, so what was found in it means nothing.
        reader.diagnostics.clear();
    }
    for problem in problems {
        reader.push(unreadable(problem));
    }
    let diagnostics = in_order(reader.diagnostics);
    Checked { json, config, diagnostics, hazards: reader.hazards }
}

/// The diagnostic of a text that is no JSON value.
fn unreadable(error: JsonError) -> Diagnostic {
    let message = match error.code {
        "lone-surrogate" => "a text has half of a surrogate pair",
        "too-deep" => "values are nested too deeply",
        "duplicate-member" => "a member is named twice",
        _ => "the configuration cannot be written as JSON",
    };
    Diagnostic::error(error.code, message, error.path)
}

pub(super) struct Reader {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) host: Host,
    dialects: &'static [&'static Dialect],
    pub(super) rules_left: usize,
    pub(super) too_many: bool,
    hazards: Option<Hazards>,
}

impl Reader {
    fn config(&mut self, json: &Json) -> Config {
        if !json.is_object() {
            self.error("not-an-object", "a configuration is an object", vec![]);
        }
        self.unknown_fields(json, FIELDS, &[]);
        let dialect = self.dialect(json);
        let bash_tool = self.text(json, "bashToolName").unwrap_or_else(|| "Bash".into());
        let (entries, shapes) = self.entries(json, dialect, &bash_tool);
        let tools = |reader: &mut Self, name, default: &[&str]| {
            reader.texts(json, name).unwrap_or_else(|| {
                let mut tools = vec![];
                for name in default {
                    tools.push(String::from(*name));
                }
                tools
            })
        };
        let mut config = Config {
            dialect,
            entries,
            default_mode: self.default_mode(json, dialect),
            bypass_disabled: self.bypass_disabled(json),
            bash_tool,
            file_edit_tools: tools(self, "fileEditTools", dialect.file_edit_tools),
            read_only_tools: tools(self, "readOnlyTools", dialect.read_only_tools),
            exempt_sandboxed: self.flag(json, "exemptSandboxedBashFromToolAsk").unwrap_or(false),
            classifier: self.flag(json, "classifierEnabled").unwrap_or(true),
            additional_directories: self.texts(json, "additionalDirectories").unwrap_or_default(),
            protected_files: self.texts(json, "protectedFiles"),
            dangerous_patterns: self.texts(json, "dangerousPatterns").unwrap_or_default(),
            home: self.directory(json, "home"),
            project_root: self.directory(json, "projectRoot"),
        };
        self.advise(&config, &shapes);
        if !matches!(dialect.engine, Engine::Fold) {
            self.without_risk_options(&mut config, json);
            return config;
        }
        self.replaced_tables(&config);
        let (hazards, broken) = Hazards::compile(&config);
        for (index, error) in broken {
            self.push(broken_pattern(index, error, &["dangerousPatterns"], dialect.risk));
        }
        self.hazards = Some(hazards);
        config
    }

    fn dialect(&mut self, json: &Json) -> &'static Dialect {
        let Some(name) = self.text(json, "dialect") else { return &STANDARD };
        if let Some(named) = self.dialects.iter().find(|dialect| dialect.name == name) {
            return named;
        }
        let hint = meant(&name, &mut self.dialects.iter().map(|dialect| dialect.name));
        let path = vec!["dialect".into()];
        self.say(Severity::Error, "unknown-dialect", "no dialect has this name", path, hint);
        &STANDARD
    }

    fn default_mode(&mut self, json: &Json, dialect: &Dialect) -> PermissionMode {
        let Some(name) = self.text(json, "defaultMode") else { return PermissionMode::Default };
        let path = vec!["defaultMode".into()];
        match PermissionMode::parse(&name) {
            Some(mode) if dialect.modes.contains(&mode) => return mode,
            Some(_) => {
                let message = "the dialect does not have this mode";
                self.say(dialect.foreign_mode, "mode-not-in-dialect", message, path, None);
            }
            None => {
                let hint = meant(&name, &mut dialect.modes.iter().map(|mode| mode.as_str()));
                self.say(Severity::Error, "unknown-mode", "no mode has this name", path, hint);
            }
        }
        PermissionMode::Default
    }

    fn bypass_disabled(&mut self, json: &Json) -> bool {
        const NAME: &str = "disableBypassPermissionsMode";
        match json.get(NAME) {
            None | Some(Json::Bool(false)) => false,
            Some(Json::Bool(true)) => true,
            Some(Json::Text(word)) if word == "disable" => true,
            Some(_) => {
                let message = "a boolean or `disable` is needed";
                let hint = Some("write true, false or \"disable\"".into());
                self.say(Severity::Error, "not-a-boolean", message, vec![NAME.into()], hint);
                true
            }
        }
    }

    fn directory(&mut self, json: &Json, name: &'static str) -> Option<String> {
        let path = self.text(json, name)?;
        self.absolute(&path, vec![name.into()]);
        Some(path)
    }

    pub(super) fn absolute(&mut self, path: &str, place: Path) {
        if !is_absolute(path) {
            let hint = Some("write the path from the root, without `~`".into());
            self.say(Severity::Error, "path-not-absolute", "an absolute path is needed", place, hint);
        }
    }

    /// Options of a risk assessment, where the engine has none.
    fn without_risk_options(&mut self, config: &mut Config, json: &Json) {
        for name in ["dangerousPatterns", "classifierEnabled"] {
            if json.get(name).is_some() {
                let message = "this dialect has no such option";
                self.say(Severity::Warning, "option-ignored", message, vec![name.into()], None);
            }
        }
        config.dangerous_patterns.clear();
        config.classifier = true;
    }

    fn replaced_tables(&mut self, config: &Config) {
        let replaced = [
            (
                !config.dangerous_patterns.is_empty(),
                "table-replaced",
                "dangerousPatterns",
                "these patterns replace the built-in table of dangerous commands",
            ),
            (
                config.protected_files.is_some(),
                "protected-list-replaced",
                "protectedFiles",
                "this list replaces the built-in list of protected files",
            ),
            (!config.classifier, "classifier-off", "classifierEnabled", "no call is assessed for risk"),
        ];
        for (applies, code, name, message) in replaced {
            if applies {
                self.say(Severity::Info, code, message, vec![name.into()], None);
            }
        }
    }

    fn text(&mut self, json: &Json, name: &'static str) -> Option<String> {
        let value = json.get(name)?;
        let text = value.as_str();
        if text.is_none() {
            self.error("not-a-string", "a text is needed", vec![name.into()]);
        }
        text.map(Into::into)
    }

    fn flag(&mut self, json: &Json, name: &'static str) -> Option<bool> {
        match json.get(name)? {
            Json::Bool(flag) => Some(*flag),
            _ => {
                self.error("not-a-boolean", "true or false is needed", vec![name.into()]);
                None
            }
        }
    }

    fn texts(&mut self, json: &Json, name: &'static str) -> Option<Vec<String>> {
        let path: Path = vec![name.into()];
        let mut texts = vec![];
        for (index, item) in self.list(json.get(name)?, &path).iter().enumerate() {
            match item.as_str() {
                Some(text) => texts.push(text.into()),
                None => {
                    // Its place is kept, so that what is said of those behind it says where they stand.
                    texts.push(String::new());
                    self.error("not-a-string", "a text is needed", join(&path, index));
                }
            }
        }
        Some(texts)
    }

    pub(super) fn list<'j>(&mut self, value: &'j Json, path: &Path) -> &'j [Json] {
        value.as_list().unwrap_or_else(|| {
            self.error("not-a-list", "a list is needed", path.clone());
            &[]
        })
    }

    pub(super) fn object(&mut self, value: &Json, known: Words, path: &Path) {
        if value.is_object() {
            self.unknown_fields(value, known, path);
        } else {
            self.error("not-an-object", "an object is needed", path.clone());
        }
    }

    fn unknown_fields(&mut self, value: &Json, known: Words, path: &[Step]) {
        for (name, _) in value.members() {
            if !known.has(name) {
                let message = "nothing reads this member";
                let place = join(path, Step::named(name));
                let hint = meant(name, &mut known.iter());
                self.say(Severity::Warning, "unknown-field", message, place, hint);
            }
        }
    }

    pub(super) fn error(&mut self, code: &'static str, message: &'static str, path: Path) {
        self.say(Severity::Error, code, message, path, None);
    }

    #[inline(never)]
    pub(super) fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: &'static str,
        path: Path,
        hint: Option<String>,
    ) {
        self.push(Diagnostic::new(severity, code, message, path).maybe_hint(hint));
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The hint that a word was meant for the nearest of the known ones.
pub(in crate::policy) fn meant(text: &str, known: &mut dyn Iterator<Item = &str>) -> Option<String> {
    nearest(text, known).map(|word| ["did you mean `", word, "`?"].concat())
}

/// Whether a path starts at a root: `/`, a drive, or a network share.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\'])
        || matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &[crate::diagnostic::Step]) -> String {
        let mut to = crate::json::Writer::default();
        to.path(path);
        to.text.trim_start_matches("\"path\":").into()
    }

    #[track_caller]
    fn check(config: &str, expected: &[(&str, &str)]) {
        let Checked { diagnostics, .. } = super::check(config, Host::ASCII);
        let found: Vec<(&str, String)> = diagnostics.iter().map(|d| (d.code, written(&d.path))).collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
        assert_eq!(found, expected, "{config}");
    }

    #[test]
    fn every_wrong_type_has_a_place() {
        check("{}", &[]);
        check("[]", &[("not-an-object", "[]")]);
        check(r#"{"rules":[]}"#, &[("not-an-object", r#"["rules"]"#)]);
        check(r#"{"rules":{"allow":"Bash"}}"#, &[("not-a-list", r#"["rules","allow"]"#)]);
        check(r#"{"rules":{"allow":["Bash",42]}}"#, &[("not-a-string", r#"["rules","allow",1]"#)]);
        check(r#"{"layers":[{"allow":[]}]}"#, &[("unknown-source", r#"["layers",0,"source"]"#)]);
        check(
            r#"{"layers":[7]}"#,
            &[("not-an-object", r#"["layers",0]"#), ("unknown-source", r#"["layers",0,"source"]"#)],
        );
        check(r#"{"classifierEnabled":"yes"}"#, &[("not-a-boolean", r#"["classifierEnabled"]"#)]);
        check(
            r#"{"disableBypassPermissionsMode":"yes"}"#,
            &[("not-a-boolean", r#"["disableBypassPermissionsMode"]"#)],
        );
        check(r#"{"home":"home/u","projectRoot":"C:\\repo"}"#, &[("path-not-absolute", r#"["home"]"#)]);
        check(r#"{"fileEditTools":[1]}"#, &[("not-a-string", r#"["fileEditTools",0]"#)]);
        check(r#"{"rules":null,"home":null}"#, &[]);
        check("", &[("not-json", "[]")]);
    }

    #[test]
    fn half_a_pair_hides_nothing() {
        let config = r#"{"rules":{"deny":["a\ud800","Bash(","\udc00"]}}"#;
        check(
            config,
            &[
                ("lone-surrogate", r#"["rules","deny",0]"#),
                ("unclosed-paren", r#"["rules","deny",1]"#),
                ("lone-surrogate", r#"["rules","deny",2]"#),
            ],
        );
    }

    #[test]
    fn ordered_by_path() {
        check(
            r#"{"rules":{"deny":["Bash(","("]},"colour":1,"defaultMode":"dontAsk","classifierEnabled":false}"#,
            &[
                ("classifier-off", r#"["classifierEnabled"]"#),
                ("unknown-field", r#"["colour"]"#),
                ("mode-not-in-dialect", r#"["defaultMode"]"#),
                ("unclosed-paren", r#"["rules","deny",0]"#),
                ("unclosed-paren", r#"["rules","deny",1]"#),
            ],
        );
    }

    #[test]
    fn hints_name_the_nearest_word() {
        let Checked { diagnostics, .. } =
            super::check(r#"{"rules":{"denny":[]},"dialect":"standrd"}"#, Host::ASCII);
        let hints: Vec<_> = diagnostics.iter().map(|d| d.hint.as_deref().unwrap()).collect();
        assert_eq!(hints, ["did you mean `standard`?", "did you mean `deny`?"]);
    }

    #[test]
    fn one_rule_too_many_in_another_list() {
        let rules = format!(
            r#"{{"rules":{{"allow":[{}"Bash"],"deny":["Bash"]}}}}"#,
            r#""Read(x)","#.repeat(limits::RULES - 1)
        );
        let Checked { diagnostics, .. } = super::check(&rules, Host::ASCII);
        let error = diagnostics.iter().find(|d| d.is_error()).unwrap();
        assert_eq!((error.code, &error.path[1]), ("too-many-rules", &"deny".into()));
    }

    #[test]
    fn a_million_rules_are_one_error() {
        let rules = format!(r#"{{"rules":{{"allow":[{}"Bash"]}}}}"#, r#""Read(x)","#.repeat(1_000_000));
        let Checked { diagnostics, .. } = super::check(&rules, Host::ASCII);
        let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
        assert_eq!(errors.len(), 1);
        assert_eq!((errors[0].code, &errors[0].path[2]), ("too-many-rules", &limits::RULES.into()));
    }
}
