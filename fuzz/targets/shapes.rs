//! JSON that is nearly right: a value that is, with a few edits that a script chooses.

use toolgate::json::Json;

use super::script::Script;

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "1.5",
    "1e400",
    "1e1",
    "-0",
    "20000",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
];

/// Pieces that texts are refused, cut or escaped for.
const PIECES: &[&str] =
    &["", " ", "\n", "\0", "\u{202e}", "é", "😀", "a", "\"", "\\", "…", "\u{FEFF}", "0", "/", "*", "(", ")"];

/// The JSON text of the value with up to three edits; `words` are names and texts that mean something where it goes.
pub fn edited(right: &Json, script: &mut Script<'_>, words: &[&str]) -> String {
    let mut value = right.clone();
    for _ in 0..script.below(4) {
        edit(&mut value, script, words);
    }
    let mut text = value.text();
    match script.below(24) {
        1 => {
            let at = script.below(256) * text.len() / 256;
            text.truncate(text.floor_char_boundary(at));
        }
        // Half of a pair, where a text begins.
        2 => {
            let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
            if let Some(at) = quotes.get(script.below(quotes.len())) {
                text.insert_str(at + 1, "\\ud800");
            }
        }
        3 => text.insert(text.floor_char_boundary(script.byte().into()), char::from(script.byte())),
        _ => {}
    }
    text
}

fn edit(value: &mut Json, script: &mut Script<'_>, words: &[&str]) {
    match value {
        Json::Object(members) if !members.is_empty() && !script.one_in(6) => {
            let at = script.below(members.len());
            match script.below(10) {
                1 => drop(members.remove(at)),
                2 => members[at].0 = word(script, words),
                3 => members.push(members[at].clone()),
                4 => {
                    let name = word(script, words);
                    members.push((name, leaf(script, words)));
                }
                5 => members.rotate_left(at),
                _ => edit(&mut members[at].1, script, words),
            }
        }
        Json::List(items) if !items.is_empty() && !script.one_in(6) => {
            let at = script.below(items.len());
            match script.below(10) {
                1 => drop(items.remove(at)),
                2 => items.push(items[at].clone()),
                3 => items.push(leaf(script, words)),
                4 => items.rotate_left(at),
                _ => edit(&mut items[at], script, words),
            }
        }
        Json::Text(text) if !script.one_in(3) => {
            let (way, piece): (usize, &&str) = (script.below(4), script.pick(PIECES));
            match way {
                0 => text.push_str(piece),
                1 => text.insert_str(0, piece),
                2 => drop(text.pop()),
                _ => *text = text.repeat(script.below(4)),
            }
        }
        value => *value = leaf(script, words),
    }
}

fn word(script: &mut Script<'_>, words: &[&str]) -> String {
    match script.below(words.len() + 2) {
        0 => script.text(),
        1 => "__proto__".into(),
        at => words[at - 2].into(),
    }
}

fn leaf(script: &mut Script<'_>, words: &[&str]) -> Json {
    match script.below(12) {
        0 => Json::Null,
        1 => Json::Bool(false),
        2 => Json::Bool(true),
        3 | 4 => Json::Number((*script.pick(NUMBERS)).into()),
        5 => Json::List(vec![]),
        6 => Json::Object(vec![]),
        7 => Json::List(vec![leaf(script, words)]),
        8 => Json::Object(vec![(word(script, words), leaf(script, words))]),
        _ => Json::Text(word(script, words)),
    }
}
