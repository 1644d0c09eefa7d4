//! The directories that a line may be in when a command is reached.
//!
//! They only grow: the working directory, and in reading order what `cd` and `pushd` name, seen from each directory that
//! was known before. Where a subshell ends, or a `cd` fails, is not followed.

use super::line::{PathWord, name};
use crate::path::Lexical;
use crate::shell::Command;

/// More directories than these are not told apart.
const MOST: usize = 16;
/// A directory with more names is not followed: every relative word of the line would be as long.
const NAMES: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Directories<'r> {
    known: Vec<Lexical<'r>>,
    /// For each command how many are known when it is reached, and whether others are possible.
    reached: Vec<(usize, bool)>,
}

impl<'r> Directories<'r> {
    pub(super) fn of(
        commands: &'r [Command<'r>],
        cwd: Option<Lexical<'r>>,
        home: Option<&Lexical<'r>>,
    ) -> Self {
        // An unknown working directory is the relative path of no names.
        let mut known = vec![cwd.unwrap_or_else(|| Lexical::read(""))];
        let mut reached = Vec::with_capacity(commands.len());
        let mut doubtful = false;
        for command in commands {
            reached.push((known.len(), doubtful));
            let entered = match (name(command), operand(command)) {
                (Some("cd" | "pushd"), Operand::None) => Some(Lexical::read("~")),
                (Some("cd" | "pushd"), Operand::Word(word)) => PathWord::of(word, 0).known(),
                _ => continue,
            };
            let Some(entered) = entered else {
                doubtful = true;
                continue;
            };
            let entered = home.map_or_else(|| entered.clone(), |home| entered.at_home(home));
            for base in known.clone() {
                let path = entered.from(&base);
                if known.contains(&path) {
                    continue;
                }
                if known.len() < MOST && path.segments().len() <= NAMES {
                    known.push(path);
                } else {
                    doubtful = true;
                }
            }
        }
        Self { known, reached }
    }

    /// The directories known when the command is reached.
    pub(super) fn at(&self, command: usize) -> &[Lexical<'r>] {
        let count = self.reached.get(command).map_or(self.known.len(), |reached| reached.0);
        self.known.get(..count).unwrap_or(&self.known)
    }

    /// Whether the line may then be in a directory that its text does not tell.
    pub(super) fn is_doubtful_at(&self, command: usize) -> bool {
        self.reached.get(command).is_none_or(|reached| reached.1)
    }
}

enum Operand<'r> {
    None,
    /// `cd -`, and what turns the stack of `pushd`.
    Back,
    Word(&'r crate::shell::Word<'r>),
}

fn operand<'r>(command: &'r Command<'r>) -> Operand<'r> {
    let mut ended = false;
    for word in command.words.iter().skip(1) {
        let text = word.value().unwrap_or("");
        let turns =
            text.strip_prefix(['+', '-']).is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
        if ended || (!text.starts_with('-') && !turns) {
            return Operand::Word(word);
        }
        if text == "-" || (turns && name(command) == Some("pushd")) {
            return Operand::Back;
        }
        if text == "--" {
            ended = true;
        } else if text.starts_with('+') {
            return Operand::Word(word);
        }
    }
    Operand::None
}
