//! What a caller asks, read once from its JSON text (evidence.md sections 2 and 3).

use super::words::{ClassifierError, EvidenceLimit};
use crate::json::{Json, read_to_depth};
use crate::limits;

/// The tools whose actions write to a memory (section 18).
const MEMORY_TOOLS: [&str; 2] = ["mem_save", "mem_session_summary"];

/// What every result tells of its request, be it of the right shape or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// Milliseconds of one model call.
    pub(super) deadline_ms: u32,
    /// Whether a memory context came with an action that writes to a memory; none for other actions.
    pub(super) memory: Option<bool>,
}

/// A request of the right shape.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) human_requests: Vec<String>,
    pub(super) restrictions: Vec<String>,
    /// Its `toolName` and `arguments` alone.
    pub(super) action: Json,
    /// The context, where it is sent: for actions that write to a memory.
    pub(super) memory: Option<Json>,
    /// Of each its `toolName` and `arguments` alone, oldest first.
    pub(super) history: Vec<Json>,
    pub(super) evidence_paths: Vec<String>,
    /// Milliseconds of the whole classification.
    pub(super) overall_ms: u32,
    /// Bytes of what may be sent; none where the request gives a number that is no budget.
    pub(super) byte_budget: Option<usize>,
}

/// Why a request is not classified.
pub(super) type Refusal = (ClassifierError, Option<EvidenceLimit>);

const MALFORMED: Refusal = (ClassifierError::InvalidRequest, None);

/// Reads the text; what cannot be read has the facts of a request that says nothing.
pub(super) fn read(text: &str) -> (Facts, Result<Request, Refusal>) {
    if text.len() > limits::CLASSIFIER_REQUEST_BYTES {
        return (Facts::of(&Json::Null), Err((ClassifierError::ContextOverflow, None)));
    }
    let (value, problems) = read_to_depth(text, limits::CLASSIFIER_REQUEST_DEPTH);
    let facts = Facts::of(&value);
    let request = if problems.is_empty() { request(&value, facts) } else { None };
    (facts, request.ok_or(MALFORMED))
}

impl Facts {
    fn of(request: &Json) -> Self {
        let deadline_ms = time(request, "timeoutMs", limits::MODEL_CALL_MS).unwrap_or(limits::MODEL_CALL_MS);
        let tool =
            request.member("action").and_then(|action| action.member("toolName")).and_then(Json::as_str);
        let writes_memory = tool.is_some_and(|tool| MEMORY_TOOLS.contains(&tool));
        Self { deadline_ms, memory: writes_memory.then(|| request.get("memoryContext").is_some()) }
    }
}

fn request(value: &Json, facts: Facts) -> Option<Request> {
    let overall_ms = facts.deadline_ms.saturating_mul(3);
    let byte_budget = match value.member("inputByteBudget") {
        None => Some(limits::CLASSIFIER_BYTES),
        Some(budget) => budget
            .as_safe_integer()
            .filter(|budget| *budget > 0)
            .map(|budget| usize::try_from(budget).unwrap_or(usize::MAX).min(limits::CLASSIFIER_MOST_BYTES)),
    };
    let mut history = vec![];
    if let Some(records) = value.member("history") {
        for record in records.as_list()? {
            history.push(call(record)?);
        }
    }
    let memory = value.get("memoryContext").filter(|_| facts.memory == Some(true));
    Some(Request {
        human_requests: texts(value.member("humanRequests")?)?,
        restrictions: optional_texts(value, "restrictions")?,
        action: call(value.member("action")?)?,
        memory: memory.cloned(),
        history,
        evidence_paths: optional_texts(value, "evidencePaths")?,
        overall_ms: time(value, "overallTimeoutMs", limits::CLASSIFICATION_MS)
            .unwrap_or(overall_ms.min(limits::CLASSIFICATION_MS)),
        byte_budget,
    })
}

/// A time that is given, at most `most`.
fn time(request: &Json, name: &str, most: u32) -> Option<u32> {
    let time = request.member(name)?.as_count()?;
    Some(u32::try_from(time).unwrap_or(most).min(most))
}

/// The two members of a call that count.
fn call(value: &Json) -> Option<Json> {
    let (tool, arguments) = (value.member("toolName")?, value.member("arguments")?);
    let is_call = tool.as_str().is_some() && arguments.is_object();
    is_call.then(|| {
        Json::Object(vec![("arguments".into(), arguments.clone()), ("toolName".into(), tool.clone())])
    })
}

fn optional_texts(value: &Json, name: &str) -> Option<Vec<String>> {
    value.member(name).map_or(Some(vec![]), texts)
}

fn texts(list: &Json) -> Option<Vec<String>> {
    let mut texts = vec![];
    for item in list.as_list()? {
        texts.push(item.as_str()?.into());
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: &str = r#""action":{"toolName":"x","arguments":{}},"humanRequests":[]"#;

    fn of(more: &str) -> (Facts, Result<Request, Refusal>) {
        read(&["{", FINE, more, "}"].concat())
    }

    #[track_caller]
    fn check_times(more: &str, deadline_ms: u32, overall_ms: u32) {
        let (facts, request) = of(more);
        assert_eq!((facts.deadline_ms, request.unwrap().overall_ms), (deadline_ms, overall_ms), "{more}");
    }

    #[test]
    fn times() {
        check_times("", 20_000, 60_000);
        check_times(r#","timeoutMs":1500.9"#, 1_500, 4_500);
        check_times(r#","timeoutMs":0.9,"overallTimeoutMs":-1"#, 20_000, 60_000);
        check_times(r#","timeoutMs":null,"overallTimeoutMs":"1""#, 20_000, 60_000);
        check_times(r#","timeoutMs":1e99,"overallTimeoutMs":1e99"#, 20_000, 60_000);
        check_times(r#","timeoutMs":19999,"overallTimeoutMs":7"#, 19_999, 7);
    }

    #[track_caller]
    fn check_budget(budget: &str, expected: Option<usize>) {
        let (_, request) = of(&[r#","inputByteBudget":"#, budget].concat());
        assert_eq!(request.unwrap().byte_budget, expected, "{budget}");
    }

    #[test]
    fn budgets() {
        assert_eq!(of("").1.unwrap().byte_budget, Some(131_072));
        check_budget("1", Some(1));
        check_budget("1048576", Some(1_048_576));
        check_budget("1048577", Some(1_048_576));
        check_budget("9007199254740991", Some(1_048_576));
        for none in ["0", "-1", "1.5", "9007199254740992", "null", "\"1\"", "[]"] {
            check_budget(none, None);
        }
    }

    #[test]
    fn facts_are_there_in_any_shape() {
        let (facts, request) = read(
            r#"{"action":{"toolName":"mem_save"},"memoryContext":0,"timeoutMs":5,"humanRequests":"\ud800"}"#,
        );
        assert_eq!(facts, Facts { deadline_ms: 5, memory: Some(true) });
        assert_eq!(request.unwrap_err(), MALFORMED);
        let (facts, _) = read("null");
        assert_eq!(facts, Facts { deadline_ms: 20_000, memory: None });
    }

    #[test]
    fn size_and_nesting() {
        let nested = |depth: usize| of(&[",\"x\":", &"[".repeat(depth), &"]".repeat(depth)].concat()).1;
        assert!(nested(127).is_ok());
        assert_eq!(nested(128).unwrap_err(), MALFORMED);
        let large = |bytes: usize| of(&[",\"x\":\"", &"x".repeat(bytes - FINE.len() - 9), "\""].concat()).1;
        assert!(large(limits::CLASSIFIER_REQUEST_BYTES).is_ok());
        let refusal = large(limits::CLASSIFIER_REQUEST_BYTES + 1).unwrap_err();
        assert_eq!(refusal, (ClassifierError::ContextOverflow, None));
    }
}
