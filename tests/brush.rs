//! Readings beside what the crate `brush-parser` parses: the words of every simple command of the line itself.
//!
//! Over the commands of the repository and, where `TOOLGATE_CORPUS` names it, of the larger corpus. A difference that
//! `corpus/differential.json` does not list fails, and so does an entry that differs no longer. `TOOLGATE_UPDATE=1` writes
//! new ones there under the reason `unexplained`, which fails until a person has found the reason.
//!
//! The peer leaves substitutions as text and C escapes and braces unexpanded; those are not compared.
#![cfg(all(unix, not(target_arch = "wasm32")))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use brush_parser::ast::{
    Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, Pipeline, SimpleCommand, Word,
};
use brush_parser::word::{WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};
use serde_json::Value;
use toolgate::shell::{Context, Reading, read};

/// What is known of a word.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Text(String),
    AtRunTime,
    /// Not to be compared.
    Anything,
}

/// The words of one command; `None` where braces make other words of them.
type Words = Option<Vec<Seen>>;

/// The line's own commands as the peer has them; an error where it does not parse.
fn parsed(line: &str) -> Result<Vec<Words>, String> {
    let program = Parser::new(line.as_bytes(), &ParserOptions::default())
        .parse_program()
        .map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    program.complete_commands.iter().for_each(|list| walk_list(list, &mut found));
    Ok(found)
}

fn walk_list(list: &CompoundList, found: &mut Vec<Words>) {
    for item in &list.0 {
        for (_, pipeline) in &item.0 {
            walk_pipeline(pipeline, found);
        }
    }
}

fn walk_pipeline(pipeline: &Pipeline, found: &mut Vec<Words>) {
    pipeline.seq.iter().for_each(|command| walk(command, found));
}

fn walk(command: &Command, found: &mut Vec<Words>) {
    match command {
        Command::Simple(simple) => found.extend(words(simple)),
        Command::Compound(compound, _) => walk_compound(compound, found),
        Command::Function(function) => walk_compound(&function.body.0, found),
        Command::ExtendedTest(..) => {}
    }
}

fn walk_compound(compound: &CompoundCommand, found: &mut Vec<Words>) {
    match compound {
        CompoundCommand::Arithmetic(_) | CompoundCommand::Coprocess(_) => {}
        CompoundCommand::ArithmeticForClause(clause) => walk_list(&clause.body.list, found),
        CompoundCommand::BraceGroup(group) => walk_list(&group.list, found),
        CompoundCommand::Subshell(subshell) => walk_list(&subshell.list, found),
        CompoundCommand::ForClause(clause) => walk_list(&clause.body.list, found),
        CompoundCommand::CaseClause(clause) => {
            clause.cases.iter().filter_map(|case| case.cmd.as_ref()).for_each(|list| walk_list(list, found));
        }
        CompoundCommand::IfClause(clause) => {
            walk_list(&clause.condition, found);
            walk_list(&clause.then, found);
            for other in clause.elses.iter().flatten() {
                other.condition.iter().for_each(|list| walk_list(list, found));
                walk_list(&other.body, found);
            }
        }
        CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
            walk_list(&clause.0, found);
            walk_list(&clause.1.list, found);
        }
    }
}

/// The words; nothing for a command without any.
fn words(simple: &SimpleCommand) -> Option<Words> {
    let mut words: Vec<Seen> = simple.word_or_name.iter().map(seen).collect();
    let mut braces = simple.word_or_name.iter().any(has_braces);
    for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
        match item {
            CommandPrefixOrSuffixItem::Word(word) | CommandPrefixOrSuffixItem::AssignmentWord(_, word) => {
                braces |= has_braces(word);
                words.push(seen(word));
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(..) => words.push(Seen::AtRunTime),
            CommandPrefixOrSuffixItem::IoRedirect(_) => {}
        }
    }
    (!words.is_empty()).then(|| (!braces).then_some(words))
}

fn has_braces(word: &Word) -> bool {
    word.value.contains('{')
        && (word.value.contains(',') || word.value.contains(".."))
        && word.value.contains('}')
}

fn seen(word: &Word) -> Seen {
    match brush_parser::word::parse(&word.value, &ParserOptions::default()) {
        Ok(pieces) => joined(&pieces, &word.value, false),
        Err(_) => Seen::Anything,
    }
}

fn joined(pieces: &[WordPieceWithSource], source: &str, quoted: bool) -> Seen {
    let mut text = String::new();
    let mut unsure = false;
    for piece in pieces {
        match &piece.piece {
            WordPiece::Text(part) | WordPiece::SingleQuotedText(part) => text.push_str(part),
            WordPiece::EscapeSequence(part) => text.push_str(match part.strip_prefix('\\') {
                Some("\n") => "",
                Some(rest) => rest,
                None => part,
            }),
            WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                match joined(inner, source, true) {
                    Seen::Text(part) => text.push_str(&part),
                    Seen::AtRunTime => return Seen::AtRunTime,
                    Seen::Anything => unsure = true,
                }
            }
            WordPiece::TildeExpansion(_) => {
                text.push_str(source.get(piece.start_index..piece.end_index).unwrap_or("~"));
            }
            // C escapes are left as they are written, and mean nothing inside double quotes.
            WordPiece::AnsiCQuotedText(_) if !quoted => unsure = true,
            WordPiece::AnsiCQuotedText(part) => text.push_str(part),
            WordPiece::ParameterExpansion(_)
            | WordPiece::CommandSubstitution(_)
            | WordPiece::BackquotedCommandSubstitution(_)
            | WordPiece::ArithmeticExpression(_) => return Seen::AtRunTime,
        }
    }
    if unsure { Seen::Anything } else { Seen::Text(text) }
}

/// The same of a reading: no substitutions, and nothing behind a command.
fn own(reading: &Reading<'_>) -> Vec<Vec<Seen>> {
    let hidden = |context: Context| {
        context.is_indirect() || matches!(context, Context::Substitution | Context::ProcessSubstitution)
    };
    let plain = |command: &&toolgate::shell::Command<'_>| {
        let name = command.words.first().and_then(|word| word.value());
        !command.words.is_empty()
            && !matches!(name, Some("[[" | "(("))
            && !hidden(command.context)
            && !reading.nests_around(command.nest).any(|(_, nest)| hidden(nest.context))
    };
    let mut commands: Vec<_> = reading.commands().iter().filter(plain).collect();
    commands.sort_by_key(|command| command.span.start);
    let word = |word: &toolgate::shell::Word<'_>| {
        word.value().map_or(Seen::AtRunTime, |value| Seen::Text(value.to_owned()))
    };
    commands.into_iter().map(|command| command.words.iter().map(word).collect()).collect()
}

fn difference(own: &[Vec<Seen>], theirs: &[Words]) -> Option<&'static str> {
    if own.len() != theirs.len() {
        return Some("commands");
    }
    let differ = |(one, other): (&Vec<Seen>, &Words)| {
        let Some(other) = other else { return false };
        let same = |(a, b): (&Seen, &Seen)| *b == Seen::Anything || a == b;
        one.len() != other.len() || !one.iter().zip(other).all(same)
    };
    own.iter().zip(theirs).any(differ).then_some("words")
}

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Commands by the name that they have in the list: those whose licence lets them be copied by their text.
fn commands() -> BTreeMap<String, String> {
    let mut files = vec![at("tests/corpus/commands/commands.jsonl")];
    match std::env::var_os("TOOLGATE_CORPUS") {
        Some(folder) => files.push(Path::new(&folder).join("commands.jsonl")),
        None => println!("TOOLGATE_CORPUS is not set: only the commands of the repository are compared"),
    }
    let mut commands = BTreeMap::new();
    for file in files {
        for (number, line) in fs::read_to_string(file).unwrap().lines().enumerate() {
            let entry: Value = serde_json::from_str(line).unwrap();
            let (source, command) = (entry["source"].as_str().unwrap(), entry["command"].as_str().unwrap());
            let name = match source {
                "tldr" | "nl2bash" => command.to_owned(),
                _ => format!("{source} {}", number + 1),
            };
            commands.insert(name, command.to_owned());
        }
    }
    commands
}

#[test]
fn every_difference_is_listed_with_its_reason() {
    let file = at("tests/corpus/differential.json");
    let mut listed: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let mut known = BTreeMap::new();
    for (reason, names) in listed["brush"].as_object().unwrap() {
        names
            .as_array()
            .unwrap()
            .iter()
            .for_each(|name| drop(known.insert(name.as_str().unwrap().to_owned(), reason.clone())));
    }
    let (mut same, mut incomplete, mut wrong) = (0, 0, Vec::new());
    let commands = commands();
    for (name, command) in &commands {
        let reading = read(command);
        if !reading.is_complete() {
            incomplete += 1;
            continue;
        }
        let found = match parsed(command) {
            Ok(theirs) => difference(&own(&reading), &theirs),
            Err(_) => Some("not parsed"),
        };
        match (found, known.get(name)) {
            (None, None) => same += 1,
            (None, Some(_)) => wrong.push(format!("no longer differs, but is listed: {name}")),
            (Some(_), Some(reason)) if listed["reasons"].get(reason).is_some() => {}
            (Some(_), Some(reason)) => wrong.push(format!("{reason} is no reason: {name}")),
            (Some(found), None) => {
                wrong.push(format!("{found}: {name}"));
                if std::env::var_os("TOOLGATE_SHOW").is_some() {
                    println!("{found}: {command:?}\n  {:?}\n  {:?}", own(&reading), parsed(command));
                }
                if std::env::var_os("TOOLGATE_UPDATE").is_some() {
                    let new = listed["brush"].as_object_mut().unwrap().entry(format!("unexplained {found}"));
                    new.or_insert(Value::Array(vec![])).as_array_mut().unwrap().push(name.as_str().into());
                }
            }
        }
    }
    if std::env::var_os("TOOLGATE_UPDATE").is_some() {
        fs::write(&file, format!("{listed:#}\n")).unwrap();
    }
    println!(
        "{} commands: {same} the same, {} listed, {incomplete} not read completely",
        commands.len(),
        known.len()
    );
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}
