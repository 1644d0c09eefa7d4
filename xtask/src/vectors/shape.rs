//! The shapes of vectors: which one a vector has, told from the members of its input, and what it needs of the package.

use serde_json::{Value, json};

use super::case::Case;
use super::compare::Manner;

/// One shape. Both runners are told its name.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// Members that the input has; every other member must be in `may`.
    needs: &'static [&'static str],
    may: &'static [&'static str],
    /// A member that the expectation has; empty where any will do.
    expects: &'static str,
    manner: Manner,
    /// The export that it calls, `Class.method` for a method; empty where the input names it.
    pub(crate) function: &'static str,
}

const WHOLE: Manner = Manner::Whole;

/// The first that fits is the shape; where one shape's members are another's too, the narrower stands first.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    Shape { name: "matches", needs: &["rule", "subject"], may: &[], expects: "matches", manner: WHOLE, function: "contentMatches" },
    Shape { name: "matches", needs: &["parsedRule", "subject"], may: &[], expects: "matches", manner: WHOLE, function: "contentMatches" },
    Shape { name: "parse", needs: &["rule"], may: &[], expects: "", manner: WHOLE, function: "parseRuleString" },
    Shape { name: "escape", needs: &["content"], may: &[], expects: "escaped", manner: WHOLE, function: "escapeRuleContent" },
    Shape { name: "tracker", needs: &["call", "steps"], may: &["state"], expects: "", manner: Manner::Full, function: "DenialTracker" },
    Shape { name: "review", needs: &["call"], may: REVIEW, expects: "", manner: Manner::Exact(1), function: "" },
    Shape { name: "review-script", needs: &["host", "gate", "script"], may: &[], expects: "", manner: Manner::Exact(3), function: "ReviewSession" },
    Shape { name: "call", needs: &["call", "args"], may: &[], expects: "", manner: WHOLE, function: "" },
    Shape { name: "answering", needs: &["answering"], may: &[], expects: "answering", manner: WHOLE, function: "Policy.decide" },
    Shape { name: "lint", needs: &["config"], may: &[], expects: "lint", manner: Manner::Contains("lint"), function: "Policy.lint" },
    Shape { name: "codes", needs: &["config"], may: &[], expects: "diagnostics", manner: WHOLE, function: "Policy.check" },
    Shape { name: "refuse", needs: &["config"], may: &[], expects: "error", manner: WHOLE, function: "Policy.check" },
    Shape { name: "check", needs: &["config"], may: &[], expects: "diagnostics", manner: Manner::Contains("diagnostics"), function: "Policy.check" },
    Shape { name: "check", needs: &["config"], may: &[], expects: "error", manner: Manner::Contains("diagnostics"), function: "Policy.check" },
    Shape { name: "dangerous", needs: &["rules"], may: &[], expects: "dangerous", manner: WHOLE, function: "dangerousAllowRules" },
    Shape { name: "grant", needs: &["grant"], may: &[], expects: "grant", manner: WHOLE, function: "deriveGrant" },
    Shape { name: "explain", needs: &["config", "explain"], may: &["state"], expects: "explain", manner: WHOLE, function: "Policy.explain" },
    Shape { name: "suggest", needs: &["config", "suggest"], may: &["state"], expects: "suggest", manner: Manner::Suggested, function: "Policy.suggest" },
    Shape { name: "coverage", needs: &["config", "coverage"], may: &["state"], expects: "coverage", manner: WHOLE, function: "Policy.coverage" },
    Shape { name: "told", needs: &["config", "call"], may: &["state"], expects: "matched", manner: WHOLE, function: "Policy.explain" },
    Shape { name: "told", needs: &["config", "call"], may: &["state"], expects: "why", manner: WHOLE, function: "Policy.explain" },
    Shape { name: "dangerous", needs: &["rules"], may: &[], expects: "dangerous", manner: WHOLE, function: "dangerousAllowRules" },
    Shape { name: "grant", needs: &["grant"], may: &[], expects: "grant", manner: WHOLE, function: "deriveGrant" },
    Shape { name: "decide", needs: &["config", "call"], may: &["state"], expects: "kind", manner: WHOLE, function: "Policy.decide" },
    Shape { name: "compare", needs: &["compare"], may: &[], expects: "changes", manner: WHOLE, function: "comparePolicies" },
    Shape { name: "read", needs: &["command"], may: &[], expects: "reading", manner: WHOLE, function: "readShellCommand" },
    Shape { name: "assess-command", needs: &["command"], may: &["patterns"], expects: "", manner: WHOLE, function: "assessBashCommand" },
    Shape { name: "assess-path", needs: &["filePath", "options"], may: &[], expects: "", manner: WHOLE, function: "assessFilePath" },
    Shape { name: "render", needs: &["render"], may: &[], expects: "digest", manner: WHOLE, function: "AutoStage" },
    Shape { name: "cache-key", needs: &["cacheKey"], may: &[], expects: "key", manner: WHOLE, function: "AutoStage" },
    Shape { name: "stage", needs: &["stage"], may: &[], expects: "outcomes", manner: WHOLE, function: "AutoStage" },
    Shape { name: "classify", needs: &["call", "request", "script"], may: &["files", "host", "runUntil"], expects: "", manner: Manner::Played, function: "EvidenceClassifier" },
    Shape { name: "inspector", needs: &["call", "tree", "inspect"], may: &[], expects: "status", manner: WHOLE, function: "createFileInspector" },
    Shape { name: "inspector", needs: &["call", "tree", "stat"], may: &[], expects: "", manner: WHOLE, function: "createFileInspector" },
    Shape { name: "evaluate", needs: &["toolName", "rules", "mode"], may: EVALUATE, expects: "kind", manner: WHOLE, function: "evaluatePermission" },
];

/// Arguments of the functions about reviews, by name.
const REVIEW: &[&str] = &[
    "assessment",
    "basis",
    "classifiers",
    "context",
    "host",
    "input",
    "outcomes",
    "policy",
    "request",
    "subject",
    "text",
];

const EVALUATE: &[&str] = &[
    "subject",
    "dialect",
    "bypassDisabled",
    "isFileEdit",
    "isReadOnly",
    "sandboxedBashExempt",
    "cwd",
    "home",
    "projectRoot",
];

/// Functions whose results are compared in full.
const IN_FULL: &[&str] = &[
    "approveSandboxEscalation",
    "callFingerprint",
    "dangerousAllowRules",
    "fallbackConfirmation",
    "foldClassifiers",
    "fromAcpOutcome",
    "normalizeConfirmation",
    "sessionAllowEvent",
    "setPermissionMode",
    "toAcpPermissionRequest",
];

/// The shape of a vector; `None` is a failure of the runner, never a skip.
pub(crate) fn of(case: &Case) -> Option<&'static Shape> {
    let input = case.input.as_object()?;
    let expect = case.expect.as_object()?;
    SHAPES.iter().find(|shape| {
        let known = |key: &str| shape.needs.contains(&key) || shape.may.contains(&key);
        shape.needs.iter().all(|key| input.contains_key(*key))
            && input.keys().all(|key| known(key))
            && (shape.expects.is_empty() || expect.contains_key(shape.expects))
            && (shape.name != "codes" || is_codes(&case.expect))
    })
}

impl Shape {
    /// The export that must exist for the vector to be run.
    pub(crate) fn function<'c>(&self, case: &'c Case) -> &'c str
    where
        Self: 'c,
    {
        let named = case.input.get("call").and_then(Value::as_str);
        match self.name {
            "review" if named == Some("new ReviewSession") => "ReviewSession",
            "call" | "review" => named.unwrap_or("a function without a name"),
            // What is wrong with a pattern is known where patterns are compiled.
            "check" if has_patterns(&case.input) => "assessBashCommand",
            _ => self.function,
        }
    }

    /// How the expectation is compared: results of the fallback's functions in full.
    pub(crate) fn manner(&self, case: &Case) -> Manner {
        if self.name == "call" && IN_FULL.contains(&self.function(case)) { Manner::Full } else { self.manner }
    }

    /// Whether a `null` of the input is one, and no absent value: parameters of a call are taken as they are, and so is
    /// what a script hands over.
    pub(crate) fn keeps_null(&self, case: &Case) -> bool {
        matches!(self.name, "classify" | "review" | "review-script")
            || self.function(case) == "callFingerprint"
    }

    /// What is compared: the written expectation, and what the shape itself promises.
    pub(crate) fn expectation(&self, case: &Case) -> Value {
        let mut expect = super::notation::expand(&case.expect);
        // Some files write `{"throws": {name, code}}`, others the two side by side.
        if let Some(Value::Object(thrown)) = expect.get("throws").cloned() {
            expect = json!({ "throws": thrown.get("name"), "code": thrown.get("code") });
            if thrown.get("code").is_none()
                && let Some(expect) = expect.as_object_mut()
            {
                expect.remove("code");
            }
        }
        if self.name == "review"
            && let Some(expect) = expect.as_object_mut()
        {
            // Inner figures, for `tests/review.rs`.
            expect.remove("derived");
        }
        if self.name == "review-script" {
            return steps(case, &expect);
        }
        if self.name == "escape"
            && let (Some(expect), Some(content)) = (expect.as_object_mut(), case.input.get("content"))
        {
            expect.insert("unescaped".to_owned(), super::notation::expand(content));
        }
        expect
    }
}

/// What is expected at each `expect` step of a script, and at its end. What came of each label and gate is a member of its own.
fn steps(case: &Case, last: &Value) -> Value {
    let script = case.input["script"].as_array().map(Vec::as_slice).unwrap_or_default();
    let looks = script.iter().filter_map(|step| step.get("expect")).map(super::notation::expand);
    let flat = |look: Value| {
        let mut members = serde_json::Map::new();
        for (name, value) in look.as_object().into_iter().flatten() {
            match value.as_object().filter(|_| name == "settled" || name == "resolutions") {
                None => drop(members.insert(name.clone(), value.clone())),
                Some(of) => {
                    members.extend(of.iter().map(|(key, value)| (format!("{name} {key}"), value.clone())))
                }
            }
        }
        Value::Object(members)
    };
    json!({ "steps": looks.chain([last.clone()]).map(flat).collect::<Value>() })
}

/// Whether the diagnostics are no more than their codes: then they are all of them.
fn is_codes(expect: &Value) -> bool {
    let members = expect.as_object().map_or(0, serde_json::Map::len);
    members == 1 && expect["diagnostics"].as_array().is_some_and(|codes| codes.iter().all(Value::is_string))
}

fn has_patterns(input: &Value) -> bool {
    input["config"]["dangerousPatterns"] != json!(null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: Value, expect: Value, expected: Option<&str>) {
        let text =
            json!({"id": "i", "area": "a", "title": "t", "input": input, "expect": expect}).to_string();
        let case: Case = serde_json::from_str(&text).unwrap();
        assert_eq!(of(&case).map(|shape| shape.name), expected, "{text}");
    }

    #[test]
    fn tells_shapes_by_their_members() {
        check(json!({"rule": "Bash"}), json!({"parsed": {}}), Some("parse"));
        check(json!({"rule": "Bash", "subject": "ls"}), json!({"matches": true}), Some("matches"));
        check(json!({"call": "ruleString", "args": []}), json!({"returns": "x"}), Some("call"));
        check(json!({"call": "DenialTracker", "steps": []}), json!({"steps": []}), Some("tracker"));
        check(json!({"config": {}}), json!({"lint": []}), Some("lint"));
        check(json!({"config": {}}), json!({"diagnostics": [], "absent": []}), Some("check"));
        check(json!({"config": {}, "call": {}, "state": {}}), json!({"kind": "deny"}), Some("decide"));
        check(
            json!({"toolName": "Bash", "rules": {}, "mode": "auto"}),
            json!({"kind": "deny"}),
            Some("evaluate"),
        );
    }

    #[test]
    fn what_it_does_not_know_has_no_shape() {
        check(json!({"rule": "Bash", "other": 1}), json!({"parsed": {}}), None);
        check(json!({"config": {}}), json!({"unheard": []}), None);
        check(json!({"toolName": "Bash", "rules": {}}), json!({"kind": "deny"}), None);
    }
}
