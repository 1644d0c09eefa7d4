//! A rule of a configuration, with its place.

use crate::diagnostic::Path;
use crate::dialect::Dialect;
use crate::rule::PermissionRule;
use crate::text;
use crate::vocabulary::RuleList;

/// A rule with its place in the configuration.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which list it stands in.
    pub list: RuleList,
    /// The rule.
    pub rule: PermissionRule,
    /// Its text as written.
    pub text: String,
    /// Its place in the list.
    pub index: usize,
    /// The layer that the list is of, where it is not the configuration's own.
    pub layer: Option<usize>,
    /// The folder that its layer's paths are anchored at, where the layer names one and the dialect looks.
    pub directory: Option<String>,
}

impl Entry {
    /// Where it stands in the configuration.
    pub fn path(&self) -> Path {
        let mut path: Path = match self.layer {
            Some(layer) => vec!["layers".into(), layer.into()],
            None => vec!["rules".into()],
        };
        path.push(self.list.as_str().into());
        path.push(self.index.into());
        path
    }

    /// The rule with its source; as it is written, where the dialect goes by segments.
    pub fn label(&self, dialect: &Dialect) -> String {
        if self.text.is_empty() || dialect.engine.segments().is_none() {
            return self.rule.label();
        }
        [text::trim(&self.text), " [", self.rule.source.as_str(), "]"].concat()
    }
}
