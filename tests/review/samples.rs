//! A gate that everything agrees about.

use std::rc::Rc;

use toolgate::review::{Basis, Context, Coordinates, Entry, NO_DIGEST, Request, Requirement, Truncation};

/// The id that ends in those digits.
pub(crate) fn id(digits: &str) -> String {
    format!("123e4567-e89b-12d3-a456-426614174{digits}")
}

/// A basis that agrees with [`context`].
pub(crate) fn basis() -> Basis {
    Basis {
        gate_id: id("109"),
        tool_execution_id: id("110"),
        subject_digest: NO_DIGEST.into(),
        context_revision: "context-v1".into(),
        gate_policy_revision: "gate-policy-v1".into(),
        classifier_revision: "a-1".into(),
        security_ceiling: "workspace-write".into(),
    }
}

/// A request of a tool that needs one permission.
pub(crate) fn request() -> Rc<Request> {
    let requirement = Requirement {
        kind: "file.write".into(),
        pattern: "/workspace/a".into(),
        description: "write a".into(),
        ..Requirement::default()
    };
    Rc::new(Request { tool_name: "Write".into(), requirements: vec![requirement], ..Request::default() })
}

pub(crate) fn entry(origin: &str, kind: &str, content: &str) -> Entry {
    Entry { origin: origin.into(), kind: kind.into(), content: content.into(), truncated: false }
}

/// A context of a user's message and the call that it led to.
pub(crate) fn context() -> Context {
    Context {
        coordinates: Coordinates {
            session_id: id("101"),
            loop_id: id("102"),
            turn_id: id("103"),
            step_id: id("104"),
        },
        context_revision: "context-v1".into(),
        workspace_root: "/workspace".into(),
        working_directory: "/workspace/repo".into(),
        retry_reason: String::new(),
        security_ceiling: "workspace-write".into(),
        gate_policy_revision: "gate-policy-v1".into(),
        entries: vec![
            entry("user", "user_message", "write a"),
            entry("assistant", "assistant_tool_request", "{\"path\":\"a\"}"),
        ],
        truncation: Truncation::default(),
    }
}
