//! What `lint` finds, as JavaScript gets it.

use crate::json::Writer;
use crate::policy::{Finding, Policy};

/// `Policy.lint`: a list of `{severity, code, message, path, span?, related: [{path, note}], witness?, fix?}`; a witness is
/// the call that shows the finding, `{tool, subject}` or `{tool, arguments}`.
pub fn lint(policy: &Policy) -> String {
    let mut to = Writer::default();
    to.open("[");
    for finding in &policy.lint() {
        write_finding(&mut to, policy, finding);
    }
    to.close("]");
    to.text
}

fn write_finding(to: &mut Writer, policy: &Policy, finding: &Finding) {
    to.open("{");
    to.member("severity", finding.severity.as_str());
    to.member("code", finding.code);
    to.member("message", finding.message);
    to.path(&finding.path);
    if let (Some(span), Some(entry)) = (finding.span, policy.config().entries.get(finding.rank)) {
        to.span("span", span.to_utf16(&entry.text));
    }
    to.name("related");
    to.open("[");
    if let Some((path, note)) = &finding.related {
        to.open("{");
        to.path(path);
        to.member("note", note);
        to.close("}");
    }
    to.close("]");
    if let Some(witness) = &finding.witness {
        to.name("witness");
        to.open("{");
        to.member("tool", &witness.tool);
        match witness.argument {
            Some(name) => {
                to.name("arguments");
                to.open("{");
                to.member(name, &witness.text);
                to.close("}");
            }
            None => to.member("subject", &witness.text),
        }
        to.close("}");
    }
    to.optional_member("fix", finding.fix.as_deref());
    to.close("}");
}
