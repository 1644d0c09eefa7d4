//! Permission review gates: the inner figures of the vectors, contexts that always make subjects, and every order of events
//! of a small session.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it fails"
)]

mod contexts;
mod figures;
mod model;
mod play;

use std::rc::Rc;

use toolgate::review::{Basis, Context, Coordinates, Entry, NO_DIGEST, Request, Requirement, Truncation};

/// The id that ends in those digits.
fn id(digits: &str) -> String {
    format!("123e4567-e89b-12d3-a456-426614174{digits}")
}

/// A basis that agrees with [`context`].
fn basis() -> Basis {
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
fn request() -> Rc<Request> {
    let requirement = Requirement {
        kind: "file.write".into(),
        pattern: "/workspace/a".into(),
        description: "write a".into(),
        ..Requirement::default()
    };
    Rc::new(Request { tool_name: "Write".into(), requirements: vec![requirement], ..Request::default() })
}

fn entry(origin: &str, kind: &str, content: &str) -> Entry {
    Entry { origin: origin.into(), kind: kind.into(), content: content.into(), truncated: false }
}

/// A context of a user's message and the call that it led to.
fn context() -> Context {
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

/// Each guarantee of `docs/review.md` names what tests it, and that is there: files, and what stands in them.
#[test]
fn every_guarantee_names_a_test() {
    let read = |path: &str| {
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
    };
    let page = read("docs/review.md");
    let table = page.split("## What always holds").nth(1).and_then(|rest| rest.split("## ").next()).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 10, "{table}");
    for row in rows {
        let tests = row.split(" | ").nth(1).unwrap();
        let files: Vec<String> =
            tests.split('`').filter(|part| part.starts_with("tests/")).map(read).collect();
        assert!(!files.is_empty(), "{row}");
        let names = tests.split('`').skip(1).step_by(2).filter(|part| !part.contains('/'));
        for name in names.chain(tests.split('"').skip(1).step_by(2)) {
            assert!(files.iter().any(|file| file.contains(name)), "{name}: {row}");
        }
    }
}
