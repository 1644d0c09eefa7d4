//! What to tell the author of a rule (claude-code.md section 16).

use crate::diagnostic::Diagnostic;
use crate::dialect::Tiers;
use crate::policy::config::Entry;
use crate::rule::Shape;

/// Appends what there is to say about one rule.
pub(in crate::policy) fn on(
    _entry: &Entry,
    _shape: Shape,
    _tiers: &'static Tiers,
    _bash_tool: &str,
    _diagnostics: &mut Vec<Diagnostic>,
) {
}
