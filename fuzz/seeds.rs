//! What the fuzz targets begin with: vectors, the corpus, and scripts of no meaning.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolgate::dialect::DIALECTS;
use toolgate::wire;

pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every string in a JSON value.
fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Value::Object(members) => members.values().for_each(|member| strings(member, into)),
        _ => {}
    }
}

/// The texts in the inputs of a file of vectors.
fn inputs(file: &str) -> Vec<String> {
    let vectors: Vec<Value> = serde_json::from_str(&fs::read_to_string(at(file)).unwrap()).unwrap();
    let mut texts = Vec::new();
    vectors.iter().for_each(|vector| strings(&vector["input"], &mut texts));
    assert!(!texts.is_empty(), "{file} has no input");
    texts
}

/// Expressions, each with the text that it was tried on or, where it was refused, with itself.
fn pattern_seeds() -> Vec<String> {
    let cases: Vec<Vec<Value>> =
        serde_json::from_str(include_str!("../tests/corpus/pattern/node.json")).unwrap();
    cases.iter().map(|case| case.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")).collect()
}

/// Commands of the repository and, where it is named, of the larger corpus.
fn commands() -> Vec<String> {
    let mut files = vec![at("tests/corpus/commands/commands.jsonl")];
    files.extend(std::env::var_os("TOOLGATE_CORPUS").map(|folder| Path::new(&folder).join("commands.jsonl")));
    let command = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        entry["command"].as_str().unwrap().to_owned()
    };
    files
        .iter()
        .flat_map(|file| fs::read_to_string(file).unwrap().lines().map(command).collect::<Vec<_>>())
        .collect()
}

/// A policy input for each fixture of `bypasses.json`, with its rules and its subject, under every mode and dialect.
fn policy_seeds() -> Vec<String> {
    let fixtures: Vec<Value> = serde_json::from_str(include_str!("../tests/corpus/bypasses.json")).unwrap();
    let seed = |(number, fixture): (usize, &Value)| {
        let mark = |(list, mark): (&str, char)| {
            let rules = fixture["config"]["rules"][list].as_array().cloned().unwrap_or_default();
            rules.iter().map(|rule| format!("{mark}{}\n", rule.as_str().unwrap())).collect::<String>()
        };
        let rules: String = [("allow", '+'), ("deny", '-'), ("ask", '?'), ("bypassImmune", '!')]
            .into_iter()
            .map(mark)
            .collect();
        let (tool, argument) = match fixture["call"]["tool"].as_str().unwrap() {
            "Bash" => (0, "command"),
            "WebFetch" => (4, "url"),
            _ => (2, "file_path"),
        };
        let subject = fixture["call"]["arguments"][argument].as_str().unwrap_or_default();
        let seed = move |dialect| format!("{dialect} {} {tool}\n{rules}\n{subject}", number % 6);
        (0..DIALECTS.len()).map(seed).collect::<Vec<_>>()
    };
    fixtures.iter().enumerate().flat_map(seed).collect()
}

/// The arguments of the vectors about reviews, a line each.
fn review_seeds() -> Vec<String> {
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../tests/corpus/vectors/review.json")).unwrap();
    let seed = |vector: &Value| {
        let input = vector["input"].as_object()?;
        let lines = |names: &[&str]| {
            let texts = names.iter().map(|name| match input.get(*name) {
                Some(Value::String(text)) => text.clone(),
                value => value.map_or_else(|| "null".to_owned(), Value::to_string),
            });
            texts.collect::<Vec<_>>().join("\n")
        };
        Some(match input.get("call")?.as_str()? {
            "buildReviewContext" => lines(&["input", "policy"]),
            "createReviewSubject" => lines(&["basis", "request", "context"]),
            "subjectDigest" => lines(&["subject"]),
            "createReviewPolicy" => lines(&["policy"]),
            "evaluateAssessment" => lines(&["policy", "subject", "assessment"]),
            "combineAssessments" => lines(&["policy", "classifiers", "outcomes"]),
            _ => lines(&["text", "subject"]),
        })
    };
    vectors.iter().filter_map(seed).collect()
}

/// Vectors of one file whose input has a call of a function by its name, with its arguments.
fn calls(file: &str) -> Vec<(String, Vec<Value>)> {
    let vectors: Vec<Value> = serde_json::from_str(&fs::read_to_string(at(file)).unwrap()).unwrap();
    let call = |vector: &Value| {
        let name = vector["input"]["call"].as_str()?;
        Some((name.to_owned(), vector["input"]["args"].as_array()?.clone()))
    };
    vectors.iter().filter_map(call).collect()
}

/// A text as it is, anything else as JSON.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The events of a list, a line each.
fn lines_of(events: &Value) -> String {
    let events = events.as_array().or_else(|| events["events"].as_array());
    events.into_iter().flatten().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn log_seeds() -> Vec<String> {
    let calls = calls("tests/corpus/vectors/session.json").into_iter().enumerate();
    let logs = calls.filter(|(_, (name, _))| {
        name.starts_with("fold") || name.ends_with("Events") || name == "setPermissionMode"
    });
    logs.map(|(number, (_, args))| format!("{}{}", number % DIALECTS.len(), lines_of(&args[0]))).collect()
}

/// Arguments of each function that is called by name: those of its vectors, and those that its neighbours have.
fn function_seeds() -> Vec<String> {
    let areas = ["auto-stage", "evidence", "fallback", "rules", "session"];
    let mut calls: Vec<(String, Vec<Value>)> =
        areas.iter().flat_map(|area| calls(&format!("tests/corpus/vectors/{area}.json"))).collect();
    let more = [
        ("assessBashCommand", json!(["rm -rf /", "[\"x+\"]", "standard"])),
        (
            "assessFilePath",
            json!([
                "/repo/.env",
                "{\"cwd\":\"/repo\",\"home\":\"/home/u\",\"additionalDirectories\":[\"/a\"],\"protectedFiles\":[\".x\"]}"
            ]),
        ),
        ("checkPolicy", json!(["{\"rules\":{\"deny\":[\"Bash(\"]}}"])),
        (
            "contentMatches",
            json!([
                "{\"toolName\":\"Bash\",\"content\":\"a\",\"matcher\":{\"kind\":\"prefix\",\"prefix\":\"a\"}}",
                "a b",
                "standard"
            ]),
        ),
        (
            "denialStep",
            json!([
                "{\"consecutiveBlock\":2,\"consecutiveUnavailable\":0,\"totalBlock\":2,\"totalUnavailable\":0}",
                "apply block",
                "no",
                "f"
            ]),
        ),
        ("deriveGrant", json!(["Bash", "\u{1}", "{\"command\":\"npm test\"}", "claude-code-2.1"])),
        ("escapeRuleContent", json!(["a(b)", "standard"])),
        ("parseRuleString", json!(["Bash(git *)", "standard"])),
        ("unescapeRuleContent", json!(["a\\(b\\)", "standard"])),
        (
            "fromAcpOutcome",
            json!([
                "{\"hideAlwaysAllow\":true,\"options\":[{\"id\":\"cancel\",\"label\":\"x\",\"acpKind\":\"reject_once\"}]}",
                "selected",
                "cancel"
            ]),
        ),
        ("sessionAllowEvent", json!(["Bash(npm )", "{\"toolName\":\"Bash\",\"timestamp\":1}", "standard"])),
    ];
    calls.extend(more.map(|(name, args)| (name.to_owned(), args.as_array().unwrap().clone())));
    let names = wire::names();
    // The letter that picks a function: letters are enough for all of them.
    let letter = |at: usize| {
        (b'A'..=b'~').find(|byte| usize::from(*byte) % names.len() == at).map(char::from).unwrap()
    };
    let seed = |(name, args): &(String, Vec<Value>)| {
        let at = names.iter().position(|known| {
            known.strip_suffix("Rules").unwrap_or(known) == name.strip_suffix("Rules").unwrap_or(name)
        })?;
        let is_log =
            names[at].starts_with("fold") || ["checkModeEvents", "setPermissionMode"].contains(&names[at]);
        let text = |(place, arg)| if is_log && place == 0 { lines_of(arg) } else { text_of(arg) };
        let texts: Vec<String> = args.iter().enumerate().map(text).collect();
        Some(format!("{}{}", letter(at), texts.join("\0")))
    };
    let seeds: Vec<String> = calls.iter().filter_map(seed).collect();
    for at in 0..names.len() {
        let is_there =
            |seed: &String| seed.chars().next().is_some_and(|first| first as usize % names.len() == at);
        assert!(seeds.iter().any(is_there), "{} has no seed", names[at]);
    }
    seeds
}

/// Bytes of no meaning, always the same.
fn scripts(count: u64) -> Vec<Vec<u8>> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|number| (0..8 + number % 56).map(|_| byte()).collect()).collect()
}

/// JSON texts that are taken as they are, and scripts.
fn scripted(texts: Vec<String>, count: u64) -> Vec<Vec<u8>> {
    let texts = texts.into_iter().map(String::into_bytes);
    texts.chain(scripts(count)).collect()
}

/// The configurations of a file of vectors.
fn configurations(file: &str) -> Vec<String> {
    let vectors: Vec<Value> = serde_json::from_str(&fs::read_to_string(at(file)).unwrap()).unwrap();
    vectors.iter().filter_map(|vector| vector["input"].get("config")).map(Value::to_string).collect()
}

/// Settings of the vectors and, where it is named, of the larger corpus.
fn setting_seeds() -> Vec<String> {
    let calls = calls("tests/corpus/vectors/rules.json").into_iter();
    let mut seeds: Vec<String> =
        calls.filter(|(name, _)| name == "configFromSettings").map(|(_, args)| args[0].to_string()).collect();
    if let Some(folder) = std::env::var_os("TOOLGATE_CORPUS") {
        let files = fs::read_to_string(Path::new(&folder).join("settings.jsonl")).unwrap();
        let permissions =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["permissions"].to_string();
        seeds.extend(files.lines().map(permissions).filter(|text| text.len() < 2_000));
    }
    seeds
}

/// Rules of the vectors with a subject behind each and, where it is named, those of the larger corpus.
fn rule_seeds() -> Vec<String> {
    let mut rules = inputs("tests/corpus/vectors/rules.json");
    if let Some(folder) = std::env::var_os("TOOLGATE_CORPUS") {
        let file = fs::read_to_string(Path::new(&folder).join("rules.txt")).unwrap();
        let rule = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["rule"].as_str()?.to_owned());
        rules.extend(file.lines().filter_map(rule).take(4_000));
    }
    in_dialects(pairs(&rules))
}

/// Each text behind the digit of a dialect; which one goes round.
fn in_dialects(texts: Vec<String>) -> Vec<String> {
    texts.iter().enumerate().map(|(number, text)| format!("{}{text}", number % DIALECTS.len())).collect()
}

fn pairs(texts: &[String]) -> Vec<String> {
    texts.windows(2).map(|two| two.join("\n")).collect()
}

/// The seeds of every target.
pub fn seeds() -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let lines =
        || [inputs("tests/corpus/vectors/shell.json"), inputs("tests/corpus/vectors/risk.json")].concat();
    let tricky = include_str!("../tests/corpus/shell-tricky.txt").split("\n%%\n").map(str::to_owned);
    let all_lines: Vec<String> = commands().into_iter().chain(lines()).chain(tricky).collect();
    let configs = ["decide", "rules", "claude-code", "qwen-code"]
        .map(|area| configurations(&format!("tests/corpus/vectors/{area}.json")))
        .concat();
    // Bounded, as the targets are.
    let short: Vec<String> = policy_seeds().into_iter().filter(|seed| seed.len() <= 200).collect();
    let bytes = |texts: Vec<String>| texts.into_iter().map(String::into_bytes).collect::<Vec<_>>();
    BTreeMap::from([
        ("reader", bytes(all_lines.clone())),
        ("commands", bytes(in_dialects(all_lines))),
        ("paths", bytes(in_dialects(pairs(&inputs("tests/corpus/vectors/risk.json"))))),
        ("patterns", bytes(pattern_seeds())),
        ("rules", bytes(rule_seeds())),
        ("policies", bytes(policy_seeds())),
        ("configs", scripted(configs, 300)),
        ("settings", scripted(setting_seeds(), 300)),
        ("lint", bytes(short.clone())),
        ("suggestions", bytes(short)),
        ("verdicts", bytes(inputs("tests/corpus/vectors/auto-stage.json"))),
        (
            "diagnostics",
            scripted(inputs("tests/corpus/vectors/evidence.json").into_iter().take(50).collect(), 100),
        ),
        ("evidence", bytes(inputs("tests/corpus/vectors/evidence.json"))),
        ("snapshots", scripts(300)),
        ("reviews", bytes(review_seeds())),
        ("subjects", scripts(400)),
        ("assessments", scripts(300)),
        ("logs", bytes(log_seeds())),
        ("functions", bytes(function_seeds())),
        ("stage", scripts(300)),
        ("classifier", scripts(400)),
        ("gates", scripts(300)),
        ("denials", scripts(200)),
    ])
}
