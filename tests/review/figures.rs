//! The inner figures that vectors give beside their results.

use std::fs;
use std::path::Path;

use serde_json::Value;
use toolgate::json::Canonical;
use toolgate::review::{Context, Field, Part, Request, Subject, content_key, parse};

/// The vectors that have such figures: input and figures.
fn derived() -> Vec<(String, Value, Value)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/vectors/review.json");
    let vectors: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let of = |vector: &Value| {
        let derived = vector["expect"].get("derived")?.clone();
        Some((vector["id"].as_str()?.to_owned(), expand(&vector["input"]), derived))
    };
    vectors.iter().filter_map(of).collect()
}

/// The notation of these vectors: repeated and joined texts, repeated items.
fn expand(value: &Value) -> Value {
    match value {
        Value::Object(members) => match (members.get("$repeat"), members.get("$concat")) {
            (Some(of), _) => {
                let times = usize::try_from(of[1].as_u64().unwrap()).unwrap();
                expand(&of[0]).as_str().unwrap().repeat(times).into()
            }
            (_, Some(of)) => {
                let parts = of.as_array().unwrap().iter().map(expand);
                parts.map(|part| part.as_str().unwrap().to_owned()).collect::<String>().into()
            }
            _ => Value::Object(members.iter().map(|(key, value)| (key.clone(), expand(value))).collect()),
        },
        Value::Array(items) => items.iter().flat_map(items_of).collect(),
        plain => plain.clone(),
    }
}

fn items_of(item: &Value) -> Vec<Value> {
    match item.get("$times") {
        Some(of) => vec![expand(&of[0]); usize::try_from(of[1].as_u64().unwrap()).unwrap()],
        None => vec![expand(item)],
    }
}

fn figure(derived: &Value, name: &str) -> Option<usize> {
    usize::try_from(derived.get(name)?.as_u64()?).ok()
}

#[test]
fn subjects_have_the_canonical_form_and_common_digest_of_the_vectors() {
    let mut compared = 0;
    for (name, input, derived) in derived() {
        if input["call"] != "createReviewSubject" {
            continue;
        }
        let text = |member: &str| input[member].to_string();
        let subject = Subject::new(
            parse(&text("basis"), Field::Basis).unwrap(),
            parse(&text("request"), Field::Request).unwrap(),
            parse(&text("context"), Field::Context).unwrap(),
        );
        let subject = subject.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let canonical = subject.canonical_text();
        assert_eq!(Some(canonical.len()), figure(&derived, "canonical_bytes"), "{name}");
        assert_eq!(Some(subject.common_digest().as_str()), derived["common_digest"].as_str(), "{name}");
        if let Some(expected) = derived["canonical_json"].as_str() {
            assert_eq!(canonical, expected, "{name}");
        }
        if let Some(expected) = derived["content_key"].as_str() {
            let request: Request = parse(&text("request"), Field::Request).unwrap();
            assert_eq!(content_key(Some(&request)), expected, "{name}");
        }
        compared += 1;
    }
    assert_eq!(compared, 19);
}

#[test]
fn contexts_have_the_measures_of_the_vectors() {
    let mut compared = 0;
    for (name, input, derived) in derived() {
        if input["call"] != "buildReviewContext" {
            continue;
        }
        let context: Context = parse(&input["input"].to_string(), Field::Context).unwrap();
        let policy = parse(&input["policy"].to_string(), Field::ContextPolicy).unwrap();
        let built = toolgate::review::build_context(context, &policy).unwrap();
        let mut to = Canonical::counted();
        built.write(&mut to);
        assert_eq!(Some(to.len()), figure(&derived, "context_bytes"), "{name}");
        let bytes: usize = built.entries.iter().map(|entry| entry.content.len()).sum();
        assert_eq!(Some(bytes.div_ceil(4)), figure(&derived, "estimated_tokens"), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 46);
}
