//! The rules of a configuration, list by list: each is read, and told what there is to say about it.

use super::advice;
use super::config::{Reader, meant};
use super::tiers;
use crate::diagnostic::{Diagnostic, Path, join};
use crate::dialect::Dialect;
use crate::dialect::tiers::Words;
use crate::engine::config::Config;
use crate::engine::entry::Entry;
use crate::json::Json;
use crate::rule::{self, PermissionRule, Shape};
use crate::vocabulary::{RuleList, RuleSource, Severity};

/// Members of a layer: the lists and what tells of them.
const LAYER_FIELDS: Words = Words("allow deny ask bypassImmune source directory");

/// What the rules of one configuration have in common while they are read.
struct RuleReader<'c> {
    dialect: &'static Dialect,
    bash_tool: &'c str,
    entries: Vec<Entry>,
    /// How each entry is written.
    shapes: Vec<Shape>,
    layer: Option<usize>,
    directory: Option<String>,
}

/// The names of the four lists.
const RULE_LISTS: Words = Words("allow deny ask bypassImmune");

impl Reader {
    pub(super) fn entries(
        &mut self,
        json: &Json,
        dialect: &'static Dialect,
        bash_tool: &str,
    ) -> (Vec<Entry>, Vec<Shape>) {
        let mut rules =
            RuleReader { dialect, bash_tool, entries: vec![], shapes: vec![], layer: None, directory: None };
        if let Some(layers) = json.get("layers") {
            let path: Path = vec!["layers".into()];
            for (index, layer) in self.list(layers, &path).iter().enumerate() {
                rules.layer = Some(index);
                self.layer(layer, &join(&path, index), &mut rules);
            }
        }
        if let Some(lists) = json.get("rules") {
            let path: Path = vec!["rules".into()];
            self.object(lists, RULE_LISTS, &path);
            (rules.layer, rules.directory) = (None, None);
            self.rule_lists(lists, RuleSource::Config, &path, &mut rules);
        }
        (rules.entries, rules.shapes)
    }

    fn layer(&mut self, layer: &Json, path: &Path, rules: &mut RuleReader<'_>) {
        self.object(layer, LAYER_FIELDS, path);
        let source_path = join(path, "source");
        let source = match layer.get("source") {
            Some(Json::Text(name)) => RuleSource::parse(name).or_else(|| {
                let hint = meant(name, &mut RuleSource::ALL.iter().map(|source| source.as_str()));
                let message = "no source has this name";
                self.say(Severity::Error, "unknown-source", message, source_path, hint);
                None
            }),
            Some(_) => {
                self.error("not-a-string", "a text is needed", source_path);
                None
            }
            None => {
                self.error("unknown-source", "a layer names its source", source_path);
                None
            }
        };
        rules.directory = None;
        if let Some(directory) = layer.get("directory") {
            let place = join(path, "directory");
            if let (true, Some(directory)) = (rules.dialect.layer_directories, directory.as_str()) {
                rules.directory = Some(directory.into());
                self.absolute(directory, place);
            } else if directory.as_str().is_some() {
                let message = "this dialect anchors no path at a layer's directory";
                self.say(Severity::Warning, "option-ignored", message, place, None);
            } else {
                self.error("not-a-string", "a text is needed", place);
            }
        }
        // The rules of a layer without a usable source are still read for their own errors.
        self.rule_lists(layer, source.unwrap_or(RuleSource::Config), path, rules);
    }

    fn rule_lists(&mut self, lists: &Json, source: RuleSource, path: &Path, rules: &mut RuleReader<'_>) {
        for list in RuleList::ALL {
            let Some(items) = lists.get(list.as_str()) else { continue };
            let path = join(path, list.as_str());
            for (index, item) in self.list(items, &path).iter().enumerate() {
                let Some(left) = self.rules_left.checked_sub(1) else {
                    if !self.too_many {
                        self.too_many = true;
                        let message = "a configuration has at most 20000 rules";
                        self.error("too-many-rules", message, join(&path, index));
                    }
                    return;
                };
                self.rules_left = left;
                self.rule(item, *list, source, (&path, index), rules);
            }
        }
    }

    fn rule(
        &mut self,
        item: &Json,
        list: RuleList,
        source: RuleSource,
        (list_path, index): (&Path, usize),
        rules: &mut RuleReader<'_>,
    ) {
        let Some(text) = item.as_str() else {
            return self.error("not-a-string", "a rule is a text", join(list_path, index));
        };
        match rule::parse_shape(text, rules.dialect, self.host) {
            Err(error) => {
                let wrong = Diagnostic::error(error.code, error.message, join(list_path, index));
                self.push(wrong.at(error.span).maybe_hint(error.hint));
            }
            Ok((parsed, shape)) => {
                let parsed = parsed.under(rules.dialect, rules.bash_tool);
                let rule = PermissionRule { rule: parsed, behavior: list.behavior(), source };
                let (text, layer, directory) = (text.into(), rules.layer, rules.directory.clone());
                rules.entries.push(Entry { list, rule, text, index, layer, directory });
                rules.shapes.push(shape);
            }
        }
    }

    /// What there is to say about rules that parse; `shapes` has one for each.
    pub(super) fn advise(&mut self, config: &Config, shapes: &[Shape]) {
        let Config { dialect, entries, bash_tool, .. } = config;
        let rules = entries.iter().zip(shapes);
        if let Some(tiers) = dialect.engine.tiers() {
            for (entry, shape) in rules {
                tiers::advice::on(entry, *shape, tiers, config, &mut self.diagnostics);
            }
            return;
        }
        let mut advice = advice::Advice::new(dialect, bash_tool);
        for ((entry, shape), repeated) in rules.zip(advice::repeated(entries)) {
            if repeated {
                let message = "the same rule stands earlier in the same source";
                let path = entry.path();
                let warning = Diagnostic::new(Severity::Warning, "duplicate-rule", message, path);
                self.push(warning.hint("remove it"));
            }
            advice.on(entry, *shape, &mut self.diagnostics);
        }
    }
}
