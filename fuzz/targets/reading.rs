//! Shell lines and paths.

use serde_json::json;
use toolgate::dialect::DIALECTS;
use toolgate::limits;
use toolgate::policy::risk_table;
use toolgate::risk::{Assessment, RiskLevel, assess_command};
use toolgate::shell::{Hang, read};
use toolgate::wire;

use super::{halves, on, picked, value};

pub fn reader(line: &str) {
    let reading = read(line);
    assert_eq!(reading, read(line), "read twice, two readings");
    assert_eq!(reading.is_complete(), reading.problems().is_empty());
    assert!(reading.commands().len() <= limits::SHELL_COMMANDS, "too many commands");
    for (index, command) in reading.commands().iter().enumerate() {
        on(line, command.span);
        let words = command.words.iter().chain(command.assignments.iter().map(|assigned| &assigned.value));
        for word in words.chain(command.redirects.iter().map(|redirect| &redirect.target)) {
            on(line, word.span());
            // What a wrapper runs shares its words with the wrapper, whose substitutions stand before it.
            let behind = |at: &usize| {
                reading.commands()[*at].parent.filter(|_| reading.commands()[*at].hang == Hang::Behind)
            };
            let first = std::iter::successors(Some(index), behind).last().unwrap_or(index);
            assert!(reading.commands_in(word).all(|inside| inside > first), "a command before its parent");
        }
        command.redirects.iter().for_each(|redirect| on(line, redirect.span));
        assert!(command.parent.is_none_or(|parent| parent < index), "a command before its parent");
        assert_eq!(command.parent.is_none(), command.hang == Hang::Free);
        assert!(reading.nests_around(command.nest).count() <= limits::SHELL_DEPTH + 1, "too deep");
    }
    reading.problems().iter().for_each(|problem| on(line, problem.span));
    let starts: Vec<usize> = reading.problems().iter().map(|problem| problem.span.start).collect();
    assert!(starts.is_sorted(), "problems out of order");
    let written = wire::shell_reading(line).expect("no line is as long as a subject may be");
    value(&written);
}

pub fn commands(text: &str) {
    let (dialect, line) = picked(DIALECTS, text);
    let risk = assess_command(risk_table(dialect.risk), line, &[]).expect("no pattern, no error");
    assessment(line, &risk);
    let written = wire::assess_bash_command(line, None, Some(dialect.name)).expect("a line of any words");
    value(&written);
}

pub fn assessment(text: &str, risk: &Assessment) {
    assert_eq!(risk.level == RiskLevel::Low, risk.findings.is_empty(), "{risk:?}");
    for finding in &risk.findings {
        assert_eq!(finding.level, risk.level);
        on(text, finding.span);
        super::is_known_code(finding.code);
    }
}

pub fn paths(text: &str) {
    let (dialect, text) = picked(DIALECTS, text);
    let (cwd, path) = halves(text);
    let home = (!path.len().is_multiple_of(4)).then_some("/home/u");
    let options = json!({"cwd": cwd, "dialect": dialect.name, "home": home, "additionalDirectories": ["/a"]});
    let written = wire::assess_file_path(path, &options.to_string()).expect("texts of any words");
    let shape = value(&written);
    assert_eq!(shape["level"] == "LOW", shape["findings"].as_array().is_none_or(Vec::is_empty), "{shape}");
}
