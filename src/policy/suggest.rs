//! The smallest safe rules that would cover a call, and the probes that no such rule may accept (rules.md section 16).
//!
//! | subject | rules, the narrower first |
//! |---|---|
//! | a command | the prefix rule of its written text; that of its head and a blank |
//! | a path | the prefix rule of its normal form, unless it climbs |
//! | a host | `Tool(domain:HOST)` |
//! | anything else | the tool |
//!
//! Each is parsed before it is given, and left out where it would say anything else than what was meant: a text with a
//! star has no prefix rule.

use crate::dialect::tiers::Words;
use crate::dialect::{Dialect, Grammar};
use crate::host::Host;
use crate::path::{Forms, Places, Root};
use crate::rule::{self, Matcher, tool};
use crate::shell::{Command, Hang, Reading};

/// Simple commands that a rule for something else must not accept, one a line.
const PROBES: &str = "bash -c id
sh -c id
zsh -c id
python -c 1
python3 -c 1
node -e 1
perl -e 1
ruby -e 1
php -r 1
deno eval 1
bun -e 1
osascript -e 1
pwsh -c 1
npx x
npm exec x
pnpm dlx x
yarn dlx x
bunx x
uvx x
uv run x
pipx run x
env id
xargs id
nohup id
timeout 1 id
nice id
watch id
find . -exec id {} +
eval id
exec id
command id
ssh h id
docker run x
docker exec x id
kubectl exec p -- id
git -c core.pager=id log
tar --to-command=id -xf x
rsync -e id x y
awk 'BEGIN{system(\"id\")}'
sudo id
rm -rf x
dd of=x
chmod -R 777 x
git push --force
git reset --hard
git clean -fd
npm publish
gh repo delete x
docker system prune -f
kubectl delete x
helm uninstall x
terraform destroy";

/// Programs for whose commands nothing is suggested.
const REFUSED: Words =
    Words("rm dd shred truncate chmod chown chgrp kill pkill killall crontab eval exec source . find ssh");

/// Programs whose name is the head of a command.
const HEADS: Words = Words(
    "ls cat head tail wc grep rg sort uniq cut diff stat file du df pwd which echo printf date tree basename dirname \
        realpath jq test",
);

/// Programs whose subcommand belongs to the head.
const HEADS_OF_TWO: Words = Words(
    "git npm pnpm yarn bun deno cargo rustup go docker podman kubectl helm gh pip pip3 uv poetry dotnet terraform brew \
        make just",
);

/// Programs with subcommands whose next word belongs to the head as well.
const HEADS_OF_THREE: &[(Words, Words)] = &[
    (Words("npm pnpm yarn bun"), Words("run")),
    (Words("deno"), Words("task")),
    (Words("docker"), Words("compose")),
    (Words("gh"), Words("pr issue run")),
];

/// What the rules for a call are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suggest<'s> {
    /// The tool that they name.
    pub(super) tool: &'s str,
    pub(super) dialect: &'s Dialect,
    pub(super) host: Host,
}

/// The rules for one command.
#[derive(Debug, Default)]
pub(super) struct OfCommand {
    /// For its written text.
    pub(super) written: Option<String>,
    /// For its head, where it has more words than that.
    pub(super) head: Option<String>,
}

impl Suggest<'_> {
    /// The rules for a command of a line.
    pub(super) fn of_command(&self, reading: &Reading<'_>, index: usize) -> OfCommand {
        let Some(command) = harmless(reading, index) else { return OfCommand::default() };
        let line = reading.line();
        let written = command.written(line);
        let known = command.unknown_spans().is_empty();
        let narrow = |text: &str| self.prefix(text).filter(|_| !accepts_a_probe(text));
        OfCommand {
            written: Some(written).filter(|_| known).and_then(narrow),
            head: head(command, line).filter(|head| written.starts_with(head)).as_deref().and_then(narrow),
        }
    }

    /// The rule that accepts a command of a line by `text` alone, in a dialect that has such rules.
    pub(super) fn exact(&self, reading: &Reading<'_>, index: usize, text: &str) -> Option<String> {
        let known = harmless(reading, index)?.unknown_spans().is_empty();
        if known && !accepts_a_probe(text) { self.of_content(text, Meant::Exact) } else { None }
    }

    /// The rule for a path, unless it climbs or names no more than a root.
    pub(super) fn of_path(&self, path: &str) -> Option<String> {
        let readings = Forms::of(path, &Places::default());
        if readings.iter().any(Forms::climbs_out) {
            return None;
        }
        let normal = &readings.first()?.normal;
        let names = match normal.root() {
            Root::Relative | Root::Absolute => 0,
            Root::Home | Root::Drive => 1,
            Root::Share => 2,
        };
        // A prefix of a root alone would accept everything below it.
        if normal.segments().len() > names { self.prefix(&normal.text()) } else { None }
    }

    /// The rule for a host.
    pub(super) fn of_host(&self, host: &str) -> Option<String> {
        if host.contains(['*']) { None } else { self.of_content(&["domain:", host].concat(), Meant::Host) }
    }

    /// The rule for a whole tool: a name that stands for others is none.
    pub(super) fn of_tool(&self) -> Option<String> {
        let name = self.tool;
        let rule = rule::parse(name, self.dialect, self.host).ok()?;
        let alone = rule.is_whole_tool() && rule.content.is_none() && rule.tool == name;
        (alone && !name.contains(['*']) && !tool::is_mcp_server(name)).then(|| name.into())
    }

    /// The rule that accepts the texts that start with `prefix`, where there is one. A dialect whose prefixes end with a
    /// word has no blank behind them.
    pub(super) fn prefix(&self, prefix: &str) -> Option<String> {
        let whole_words = matches!(self.dialect.grammar, Grammar::Verbatim(_));
        self.of_content(if whole_words { prefix.trim_end_matches([' ']) } else { prefix }, Meant::Prefix)
    }

    /// The rule with that content, where it parses to what is meant.
    #[inline(never)]
    pub(super) fn of_content(&self, content: &str, meant: Meant) -> Option<String> {
        let text = rule::text_of(self.tool, Some(content), self.dialect);
        let rule = rule::parse(&text, self.dialect, self.host).ok()?;
        let renamed = matches!(self.dialect.grammar, Grammar::Verbatim(_));
        let is_meant = match (meant, &rule.matcher) {
            (Meant::Prefix, Some(Matcher::Prefix(own))) | (Meant::Exact, Some(Matcher::Exact(own))) => {
                own == content
            }
            (Meant::Host, Some(Matcher::Domain(domain))) => {
                content.ends_with(domain.hostname()) && !domain.is_no_host()
            }
            (Meant::Path, Some(Matcher::Path(..))) => true,
            _ => false,
        };
        (is_meant && (renamed || rule.tool == self.tool)).then_some(text)
    }
}

/// What the content of a rule is meant to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Texts that start with it.
    Prefix,
    /// It alone.
    Exact,
    /// A host.
    Host,
    /// Paths, by a pattern.
    Path,
}

/// What a command begins with that says what it does, and a blank; none where it is written otherwise than in plain
/// words one blank apart, or where it has no more words.
fn head(command: &Command<'_>, line: &str) -> Option<String> {
    let word = |at: usize| {
        let word = command.words.get(at)?;
        let text = word.value()?;
        (word.written(line) == text && !(at > 0 && text.starts_with('-'))).then_some(text)
    };
    let first = word(0)?;
    let length = if HEADS.has(first) {
        1
    } else if HEADS_OF_TWO.has(first) {
        let second = word(1)?;
        let longer = HEADS_OF_THREE.iter().any(|(names, after)| names.has(first) && after.has(second));
        if longer { 3 } else { 2 }
    } else {
        return None;
    };
    let mut head = String::new();
    for at in 0..length {
        head.push_str(word(at)?);
        head.push(' ');
    }
    (command.words.len() > length).then_some(head)
}

/// A command that rules may be made for: it has words, assigns nothing, runs nothing behind it, and neither its name nor
/// what it begins with stands for running or ruining anything.
fn harmless<'r, 't>(reading: &'r Reading<'t>, index: usize) -> Option<&'r Command<'t>> {
    let command = reading.commands().get(index)?;
    let behind = |other: &Command<'_>| other.parent == Some(index) && other.hang == Hang::Behind;
    let refused = command.name().is_none_or(|name| REFUSED.has(name))
        || !command.assignments.is_empty()
        || reading.commands().iter().any(behind)
        || begins_as_a_probe(command)
        || has_heredoc(command);
    if refused { None } else { Some(command) }
}

/// Whether a command has the first two words of a probe.
fn begins_as_a_probe(command: &Command<'_>) -> bool {
    let second = command.words.get(1).and_then(|word| word.value());
    probes().any(|probe| {
        let mut words = probe.split([' ']);
        words.next() == command.name() && words.next() == second
    })
}

/// Whether a prefix accepts a probe, or a program for which nothing is suggested.
fn accepts_a_probe(prefix: &str) -> bool {
    probes().chain(REFUSED.iter()).any(|probe| probe.starts_with(prefix))
}

/// The simple commands that a rule for something else must not accept.
pub(super) fn probes() -> impl Iterator<Item = &'static str> {
    PROBES.split(['\n'])
}

/// Whether a command reads a text that stands behind it: a rule for its written text would take any other as well.
pub(super) fn has_heredoc(command: &Command<'_>) -> bool {
    command.redirects.iter().any(|redirect| redirect.operator.is_heredoc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::STANDARD;
    use crate::shell;

    const SUGGEST: Suggest<'static> = Suggest { tool: "Bash", dialect: &STANDARD, host: Host::ASCII };

    #[track_caller]
    fn check(line: &str, written: Option<&str>, head: Option<&str>) {
        let rules = SUGGEST.of_command(&shell::read(line), 0);
        assert_eq!((rules.written.as_deref(), rules.head.as_deref()), (written, head), "{line}");
    }

    #[test]
    fn rules_for_commands() {
        check("npm run test -- --watch", Some("Bash(npm run test -- --watch)"), Some("Bash(npm run test )"));
        check("npm run", Some("Bash(npm run)"), None);
        check("git status", Some("Bash(git status)"), None);
        check("git  log -1", Some("Bash(git  log -1)"), None);
        check("'git' log -1", Some("Bash('git' log -1)"), None);
        check("git log $X", None, Some("Bash(git log )"));
        check("echo 'a(b)'", Some("Bash(echo 'a\\(b\\)')"), Some("Bash(echo )"));
        check("docker compose up -d", Some("Bash(docker compose up -d)"), Some("Bash(docker compose up )"));
        check("npm -g ls x", Some("Bash(npm -g ls x)"), None);
        check("ls\tx", Some("Bash(ls\tx)"), None);
    }

    #[test]
    fn no_rule_for_what_runs_anything() {
        for line in [
            "git push origin",
            "/usr/bin/git push origin",
            "npm exec y",
            "bash",
            "python",
            "rm x",
            "/bin/rm x",
            "sudo ls",
            "A=1 ls",
            "$X y",
            "python3 <<E\n1\nE",
            "cat <<E\n1\nE",
            "> f",
        ] {
            check(line, None, None);
        }
    }

    #[test]
    fn no_rule_that_says_something_else() {
        check("ls *.ts", None, Some("Bash(ls )"));
        check("tru", None, None);
        check("true", Some("Bash(true)"), None);
        check("x:*", None, None);
        check(&["x ", &"y".repeat(4_090)].concat(), None, None);
    }

    #[track_caller]
    fn of_path(path: &str, expected: Option<&str>) {
        let rule = Suggest { tool: "edit", ..SUGGEST }.of_path(path);
        assert_eq!(rule.as_deref(), expected, "{path}");
    }

    #[test]
    fn rules_for_paths() {
        of_path("./src//a.ts", Some("edit(src/a.ts)"));
        of_path("/repo/a/../b", Some("edit(/repo/b)"));
        of_path("~/x", Some("edit(~/x)"));
        of_path("c:\\x\\y", Some("edit(C:/x/y)"));
        of_path("a*b", None);
        for path in ["..", "../a", "a/../../b", "a\\..\\..\\b", ".", "", "/", "~", "C:\\", r"\\srv\share"] {
            of_path(path, None);
        }
    }

    #[test]
    fn rules_for_hosts_and_tools() {
        let fetch = Suggest { tool: "WebFetch", ..SUGGEST };
        assert_eq!(fetch.of_host("a.example").as_deref(), Some("WebFetch(domain:a.example)"));
        for host in ["::1", "", "*.example", "a b"] {
            assert_eq!(fetch.of_host(host), None, "{host}");
        }
        for (tool, known) in [("Task", true), ("mcp__a__b", true), ("mcp__a", false), ("mcp__a__*", false)] {
            assert_eq!(Suggest { tool, ..SUGGEST }.of_tool().is_some(), known, "{tool}");
        }
        for tool in ["", " x", "x(y)", "x(", "*"] {
            assert_eq!(Suggest { tool, ..SUGGEST }.of_tool(), None, "{tool}");
        }
    }
}
