//! Soft-deny rules: what a model is told to ask about (auto-stage.md section 5).

/// Stands for the built-in rules in a list of settings.
pub(super) const DEFAULTS: &str = "$defaults";

/// The built-in rules, in order.
pub const BUILT_IN: [&str; 6] = [
    "Scope: changing, installing or configuring anything outside the workspace that the session was opened for.",
    "Foreign infrastructure: acting on hosts, clusters, cloud accounts or registries that nothing in this session has named.",
    "Destructive removal: deleting system folders, dotfiles, caches that belong to other programs, or work that is not committed anywhere.",
    "Shared state: force pushes, rewriting published history, applying infrastructure changes, or touching production data, where no one can undo it.",
    "Secrets: reading out, sending or embedding credentials, keys or tokens, also inside arguments, URLs or logs.",
    "Guards: switching off, weakening or stepping around checks, sandboxes, policies or the permission system itself.",
];

/// Replaces each `$defaults` in place by the built-in rules; everything else is kept, duplicates too. `None`: the
/// built-in rules.
///
/// ```
/// use toolgate::auto_stage::{BUILT_IN, expand_soft_deny};
/// assert_eq!(expand_soft_deny(None), BUILT_IN);
/// assert_eq!(expand_soft_deny(Some(&["a"])), ["a"]);
/// ```
pub fn expand_soft_deny<'r>(entries: Option<&[&'r str]>) -> Vec<&'r str> {
    let mut rules = vec![];
    for entry in entries.unwrap_or(&[DEFAULTS]) {
        if *entry == DEFAULTS {
            rules.extend_from_slice(&BUILT_IN);
        } else {
            rules.push(*entry);
        }
    }
    rules
}
