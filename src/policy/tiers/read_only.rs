//! Commands that need no approval, since they only read (claude-code.md section 7.8).

use super::line::{Line, Run};
use super::place::{Ground, Place};
use super::spelling::Spelling;
use crate::dialect::tiers::{GitTable, ReadOnlyCheck, Words};
use crate::order::Grow as _;
use crate::shell::Word;

/// Whether a read of a place outside the working directories is covered by a rule.
pub(super) type Reads<'f> = &'f dyn Fn(&Place) -> bool;

impl<'r> Line<'r> {
    /// Whether what a root runs only reads. Assignments that allow rules look past are looked past here, too.
    pub(super) fn is_read_only(&self, root: usize, ground: &Ground, covered: Reads<'_>) -> bool {
        let at = self.innermost(root);
        let Some(run) = self.runs.get(at) else { return false };
        if self.redefines || !self.assigns_safely(at) {
            return false;
        }
        run.words.is_empty() || self.only_reads(run, ground, covered)
    }

    fn only_reads(&self, run: &Run<'r>, ground: &Ground, covered: Reads<'_>) -> bool {
        let line = self.reading.line();
        let Some((name, words)) = run.words.split_first() else { return false };
        let Some(program) = name.value().filter(|program| name.written(line) == *program) else {
            return false;
        };
        let row = self.tiers.read_only.iter().find(|row| row.names.has(program));
        let Some(row) = row else { return false };
        let spellings = self.spellings(words, run);
        // A word that stands nowhere comes from elsewhere.
        if spellings.iter().any(|word| !word.known || (word.globs && !row.globs)) {
            return false;
        }
        let texts = Spelling::texts(&spellings);
        let never = |text: &&str| has_letter(text, row.without) || is_one_option(text, row.without_words);
        let without = !texts.iter().any(never);
        let checked = match row.check {
            ReadOnlyCheck::Options => true,
            ReadOnlyCheck::ChangeDirectory => {
                return match texts.as_slice() {
                    [to] if *to != "-" && !to.is_empty() => self.is_within(to, run, ground, &|_| false),
                    _ => false,
                };
            }
            ReadOnlyCheck::PrintLines => is_printing(&texts),
            ReadOnlyCheck::Clock => clock_is_read(&texts),
            ReadOnlyCheck::Subcommand(subcommands) => {
                texts.first().is_some_and(|first| subcommands.has(first))
            }
            ReadOnlyCheck::Git => !self.leaves && self.git_reads(&texts, run, ground),
        };
        let network = |(word, text): (&Word<'_>, &&str)| is_network(text) || is_network(word.written(line));
        let named = option_files(&texts, row.file_options);
        checked
            && without
            && named.iter().all(|file| self.is_within(file, run, ground, covered))
            && !words.iter().zip(&texts).any(network)
            && self.operands(run).iter().all(|file| self.is_within(&file.spelling.text, run, ground, covered))
    }

    /// Whether a text names a place inside a working directory, or one that is covered.
    fn is_within(&self, text: &str, run: &Run<'_>, ground: &Ground, covered: Reads<'_>) -> bool {
        let places = self.certain(text, run, ground);
        places.is_some_and(|places| {
            !places.is_empty() && places.iter().all(|place| ground.is_inside(place) || covered(place))
        })
    }

    fn git_reads(&self, texts: &[&str], run: &Run<'_>, ground: &Ground) -> bool {
        let table = self.tiers.git;
        let mut rest = texts;
        loop {
            match rest {
                [option, more @ ..] if table.before.has(option) => rest = more,
                ["-C", directory, more @ ..] => {
                    let here = |place: &Place| ground.cwd.as_ref().is_some_and(|cwd| place.is(cwd));
                    let places = self.certain(directory, run, ground).unwrap_or_default();
                    if places.is_empty() || !places.iter().all(here) {
                        return false;
                    }
                    rest = more;
                }
                _ => break,
            }
        }
        let never = |text: &&str| has_letter(text, table.never_letters) || is_one_option(text, table.never);
        if rest.iter().any(never) {
            return false;
        }
        match rest {
            ["--version"] => true,
            [subcommand, arguments @ ..] => subcommand_reads(table, subcommand, arguments),
            [] => false,
        }
    }
}

fn subcommand_reads(table: &GitTable, subcommand: &str, arguments: &[&str]) -> bool {
    if table.reading.has(subcommand) {
        return true;
    }
    if let Some((_, options, listing)) = table.listing.iter().find(|(name, ..)| *name == subcommand) {
        let numbered =
            |text: &str| text.starts_with("-n") && text.bytes().skip(2).all(|b| b.is_ascii_digit());
        let listed = arguments.iter().any(|text| listing.has(option_name(text)));
        return arguments.iter().all(|text| {
            if !text.starts_with('-') {
                return listed;
            }
            let name = option_name(text);
            options.has(name) || listing.has(name) || (options.has("-n") && numbered(text))
        });
    }
    let first = arguments.first().copied().unwrap_or_default();
    let row = table.first_word.iter().find(|(name, _)| *name == subcommand);
    // Without a first word there are no words at all; a bare option is the whole command.
    row.is_some_and(|(_, words)| {
        words.has(first) && (first != "-v" && first != "--verbose" || arguments.len() == 1)
    })
}

/// The files that options name: the next word, what stands behind `=`, or what is attached to a letter.
fn option_files<'t>(texts: &[&'t str], options: Words) -> Vec<&'t str> {
    let mut files = vec![];
    for (at, text) in texts.iter().enumerate() {
        for option in options.iter() {
            match text.strip_prefix(option) {
                Some("") => files.grow(texts.get(at.saturating_add(1)).copied()),
                Some(rest) if option.starts_with("--") => files.grow(rest.strip_prefix('=')),
                Some(rest) if option.len() == 2 => files.push(rest),
                _ => {}
            }
        }
    }
    files
}

/// Whether a word is one of the options, or an abbreviation of one.
fn is_one_option(text: &str, options: Words) -> bool {
    options.any(&mut |option| is_option(text, option))
}

/// What stands before `=`.
fn option_name(text: &str) -> &str {
    text.split(['=']).next().unwrap_or_default()
}

/// Whether a word is that option, or an abbreviation of it.
fn is_option(text: &str, option: &str) -> bool {
    let name = option_name(text);
    name == option || (option.starts_with("--") && name.len() > 2 && option.starts_with(name))
}

/// Whether a word is a cluster of options with one of the letters.
fn has_letter(text: &str, letters: &str) -> bool {
    let cluster = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'));
    cluster.is_some_and(|cluster| cluster.contains(|c: char| letters.contains([c])))
}

fn is_network(text: &str) -> bool {
    text.starts_with("//") || text.starts_with(r"\\")
}

/// `-n` and one script that prints lines by number.
fn is_printing(texts: &[&str]) -> bool {
    let [option, script, files @ ..] = texts else { return false };
    let quiet = matches!(*option, "-n" | "-nE" | "-En" | "-nr");
    quiet && is_print_script(script) && !files.iter().any(|file| file.starts_with('-'))
}

fn is_print_script(script: &str) -> bool {
    let Some(address) = script.strip_suffix('p') else { return false };
    let number = |text: &str| text == "$" || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    match address.split_once(',') {
        None => number(address),
        Some((from, to)) => number(from) && number(to.strip_prefix('+').unwrap_or(to)),
    }
}

/// No operand sets the clock: each is a format, or the value of an option.
fn clock_is_read(texts: &[&str]) -> bool {
    let mut value = false;
    texts.iter().all(|text| {
        let given = core::mem::replace(
            &mut value,
            matches!(*text, "-d" | "-r" | "-f" | "--date" | "--reference" | "--file"),
        );
        given || text.starts_with(['+', '-'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::CLAUDE_CODE_2_1;
    use crate::shell;

    #[track_caller]
    fn check(command: &str, expected: bool) {
        let tiers = CLAUDE_CODE_2_1.engine.tiers().unwrap();
        let place = |text: &str| Place::absolute(text);
        let ground = Ground { cwd: place("/r"), root: place("/r"), home: place("/h"), extra: vec![] };
        let reading = shell::read(command);
        let line = Line::new(&reading, tiers, &ground);
        let found = line
            .runs
            .iter()
            .enumerate()
            .filter(|(_, run)| run.is_root())
            .all(|(at, _)| line.is_read_only(at, &ground, &|_| false));
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn knows_readers() {
        for command in [
            "ls -la",
            "cat a b/c",
            "head -n 5 a",
            "cut -d / -f 1 a",
            "grep -e /x -r .",
            "git log -p",
            "git branch -a",
            "git branch --list 'x*'",
            "git tag -n3",
            "git remote -v",
            "git remote get-url o",
            "git -C . status",
            "git config --get user.name",
            "date +%s",
            "date -d tomorrow",
            "sed -n 5p a",
            "sed -n '$p' a",
            "find . -name x",
            "sort -k 2 a",
            "docker logs -f x",
            "LANG=C sort a",
            "timeout 5 ls",
            "git stash list",
            "git --version",
        ] {
            check(command, true);
        }
        for command in [
            "cat /etc/x",
            "ls //srv/a",
            "git branch x",
            "git branch -d x",
            "git tag v1",
            "git log --outp=f",
            "git grep -nO x",
            "git -C sub status",
            "git remote add a b",
            "git config user.name x",
            "date 0101",
            "date -s x",
            "sed -n 5d a",
            "sed -n 5p -i a",
            "find . -delete",
            "sort -uo x a",
            "docker run x",
            "A=1 ls",
            "xargs cat",
            "ls $X",
            "grep --file=/x a",
            "ls {a,b}",
            "cd a && git status",
            "git remote -v show x",
            "sort --o=x a",
            "git stash",
            "file -C",
        ] {
            check(command, false);
        }
    }
}
