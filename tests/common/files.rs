//! Files of calls and settings: those of the repository, and the corpus beside it where the environment names one.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file of the repository's own corpus.
pub fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

/// The text of a file that must be there.
#[track_caller]
pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines(path: &Path) -> Vec<Value> {
    text(path).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of a file of the corpus that `TOOLGATE_CORPUS` names; `None`, said in one line, where it names none.
pub fn corpus(name: &str) -> Option<Vec<Value>> {
    let Some(folder) = std::env::var_os("TOOLGATE_CORPUS") else {
        println!("not run over {name}: TOOLGATE_CORPUS is not set");
        return None;
    };
    Some(lines(&Path::new(&folder).join(name)))
}

/// The shell lines of the demo, which are always there.
pub fn demo_lines() -> Vec<String> {
    lines(&own("demo/calls.jsonl")).iter().filter_map(command).collect()
}

/// The permission settings of the demo.
pub fn demo_settings() -> Value {
    let mut settings: Value = serde_json::from_str(&text(&own("demo/settings.json"))).unwrap();
    settings["permissions"].take()
}

/// The shell lines of the corpus, or none.
pub fn corpus_lines() -> Vec<String> {
    corpus("commands.jsonl").unwrap_or_default().iter().filter_map(command).collect()
}

fn command(line: &Value) -> Option<String> {
    line["command"].as_str().map(Into::into)
}
