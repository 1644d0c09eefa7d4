//! What bash runs, beside what the reader lists.
//!
//! Real commands go through a bash that can run nothing: in an empty root of its own, as nobody, without
//! network, every builtin off and no program in reach. All that is left is `command_not_found_handle`, which
//! prints the words it was called with. Each command goes through twice, with all commands succeeding and
//! with all failing.
//!
//! Whatever bash prints must match a command of the reading; a word known only at run time matches any words. A command
//! that stands outside conditions, loops and functions must have been printed.
//!
//! Needs `TOOLGATE_CORPUS`, `bash`, `unshare`, `chroot` and the rights to use them; says so where they are
//! missing.

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

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use toolgate::shell::{Command, Context, Reading, read};

const BATCH: usize = 200;

/// Off after this: all builtins but `enable`, which the handler needs (it runs in a process of its own), and,
/// where commands succeed, `eval` and `command`, so that what is behind them is seen too.
const PRELUDE: &str = r#"
LC_ALL=C.UTF-8; HOME='~'; PATH=/nowhere; FUNCNEST=6; PS4=; IFS=$' \t\n'; TMPDIR=/w
command_not_found_handle() {
  enable printf read kill return exit
  IFS=
  read -rN1 -u9 __token || { kill -9 $__sub; exit 1; }
  LC_ALL=C
  __all="$*"
  (( ${#__all} + $# > 3000 )) || printf '%s\0' "$__id" "$#" "${@//$'\n'/$'\001'}" >&8
  return $__rc
}
exec 8>&1 1>&2
ulimit -f 64; ulimit -c 0
__off=
for __name in $(compgen -b); do [[ $__name == enable || $__rc == 0 && ( $__name == eval || $__name == command ) ]] || __off+=" $__name"; done
__tokens=
for ((__n = 0; __n < 150; __n++)); do __tokens+=x; done
__run() { ( __id=$1; __sub=$BASHPID; ulimit -t 1; set -f; eval "enable -n $__off
$2" ) 9<<<"$__tokens"; }
"#;

/// For each line, the words of every command that was called.
type Seen = BTreeMap<usize, BTreeSet<Vec<String>>>;

struct Sandbox {
    root: PathBuf,
}

impl Sandbox {
    fn new() -> Option<Self> {
        let root = std::env::temp_dir().join(format!("toolgate-oracle-{}", std::process::id()));
        fs::create_dir_all(root.join("w")).ok()?;
        fs::create_dir_all(root.join("s")).ok()?;
        let sandbox = Self { root };
        // A file of its own in place of the device: an empty heredoc is read from it.
        fs::create_dir_all(sandbox.root.join("dev")).ok()?;
        fs::write(sandbox.root.join("dev/null"), "").ok()?;
        fs::set_permissions(sandbox.root.join("dev/null"), fs::Permissions::from_mode(0o666)).ok()?;
        fs::set_permissions(sandbox.root.join("w"), fs::Permissions::from_mode(0o1777)).ok()?;
        fs::copy("/bin/bash", sandbox.root.join("s/shell")).ok()?;
        let libraries = Process::new("ldd").arg("/bin/bash").output().ok()?;
        for library in
            String::from_utf8_lossy(&libraries.stdout).split_whitespace().filter(|word| word.starts_with('/'))
        {
            let to = sandbox.root.join(library.trim_start_matches('/'));
            fs::create_dir_all(to.parent()?).ok()?;
            fs::copy(library, to).ok()?;
        }
        let probe = sandbox.run("probe", "__run 0 'toolgate-probe  a \"b c\"'\n", 0)?;
        let wanted = ["toolgate-probe", "a", "b c"].map(String::from).to_vec();
        (probe.get(&0).is_some_and(|seen| seen.contains(&wanted))).then_some(sandbox)
    }

    /// Runs a script in the sandbox: for each number, the words of every command that was called.
    fn run(&self, name: &str, script: &str, status: u8) -> Option<Seen> {
        let file = format!("s/{name}-{status}");
        fs::write(self.root.join(&file), format!("__rc={status}\n{PRELUDE}{script}")).ok()?;
        let mut child = Process::new("unshare")
            .args([
                "--net",
                "--pid",
                "--ipc",
                "--uts",
                "--mount",
                "--fork",
                "--kill-child",
                "chroot",
                "--userspec=65533:65533",
            ])
            .arg(&self.root)
            .args(["/s/shell", "--norc", "--noprofile", &format!("/{file}")])
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("TOOLGATE_SHOW").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .ok()?;
        // A record has no newline, at which bash would write what it has, and is shorter than what a pipe
        // takes at once: records do not mix.
        let mut pipe = child.stdout.take()?;
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).map(|_| bytes)
        });
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if child.try_wait().ok()?.is_some() {
                break;
            }
            if Instant::now() > deadline {
                child.kill().ok()?;
                child.wait().ok()?;
                println!("batch {name} ran out of time");
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let bytes = reader.join().ok()?.ok()?;
        let mut fields = bytes.split(|b| *b == 0).map(|field| String::from_utf8_lossy(field).into_owned());
        let mut seen = Seen::new();
        while let (Some(id), Some(count)) = (fields.next().filter(|id| !id.is_empty()), fields.next()) {
            let (id, count): (usize, usize) =
                (id.parse().expect("a number"), count.parse().expect("a count"));
            seen.entry(id)
                .or_default()
                .insert(fields.by_ref().take(count).map(|field| field.replace('\u{1}', "\n")).collect());
        }
        Some(seen)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The words of a command as a pattern: nothing stands for any words.
fn pattern<'r>(command: &'r Command<'_>) -> Vec<Option<&'r str>> {
    command
        .words
        .iter()
        .map(|word| word.value().filter(|_| word.head() == toolgate::shell::Head::Plain))
        .collect()
}

fn matches(pattern: &[Option<&str>], words: &[String]) -> bool {
    match pattern.split_first() {
        None => words.is_empty(),
        Some((Some(known), rest)) => {
            words.first().is_some_and(|word| word == known) && matches(rest, &words[1..])
        }
        Some((None, rest)) => (0..=words.len()).any(|count| matches(rest, &words[count..])),
    }
}

/// The oracle can say something about the line, and it is safe to let bash expand it.
fn is_fit(line: &str, reading: &Reading<'_>) -> bool {
    let own_name = |f: &toolgate::shell::Function<'_>| {
        reading
            .commands()
            .iter()
            .any(|c| c.name() == Some(f.name.as_ref()) && reading.commands_of(f).count() > 8)
    };
    let unknown =
        reading.commands().iter().flat_map(|c| &c.words).filter(|word| word.value().is_none()).count();
    reading.is_complete()
        && !line.contains(['\0', '\r'])
        && !line.contains("__")
        && unknown < 24
        && !reading.commands().is_empty()
        && !reading.commands().iter().any(|c| matches!(c.name(), Some("enable")))
        && !reading.functions().iter().any(own_name)
}

/// Commands that bash comes to in one of the two runs.
fn straight<'r>(line: &str, reading: &'r Reading<'_>) -> Vec<&'r Command<'r>> {
    let tests = reading
        .commands()
        .iter()
        .any(|c| matches!(c.words.first().and_then(|word| word.value()), Some("[[" | "((")));
    let (and, or) = (line.contains("&&"), line.contains("||"));
    let mixed = (and && or) || (tests && (and || or));
    let failing =
        ["${", "$((", "$[", "$(<", "UID=", "`<", ">&", "<&", "=("].iter().any(|text| line.contains(text));
    let files =
        reading.commands().iter().flat_map(|c| &c.redirects).any(|redirect| !redirect.operator.is_text());
    // A path is not called but looked up, and not found.
    let paths = reading
        .commands()
        .iter()
        .any(|c| c.words.first().is_some_and(|name| name.literal().contains(['/', '~'])));
    let loops = reading.commands().iter().any(|c| c.context == Context::Loop);
    if mixed
        || failing
        || loops
        || ((files || paths) && line.contains("&&"))
        || line.contains('!')
        || reading.commands().iter().any(|c| c.of_construct)
    {
        return Vec::new();
    }
    let is_function = |name: &str| reading.functions().iter().any(|f| f.name == name);
    let certain = |c: &&Command<'_>| {
        let around = reading.nests_around(c.nest).all(|(_, nest)| {
            let inside = nest.owner.and_then(|owner| reading.commands().get(owner));
            let ran = inside.is_none_or(|owner| {
                owner.redirects.iter().all(|r| r.operator.is_text())
                    && !matches!(owner.words.first().and_then(|w| w.value()), Some("[[" | "(("))
            });
            ran && matches!(
                nest.context,
                Context::Top | Context::Subshell | Context::Group | Context::Substitution
            )
        });
        let name = c.words.first().and_then(|word| word.value()).unwrap_or("/");
        around
            && !name.contains('/')
            && !name.is_empty()
            && !name.starts_with('%')
            && !matches!(name, "[[" | "((" | "time" | "command" | "eval")
            && !is_function(name)
            && c.redirects.iter().all(|r| r.operator.is_text())
            && c.words.iter().map(|word| word.literal().len() + 1).sum::<usize>() < 2_900
    };
    reading.commands().iter().filter(certain).collect()
}

/// The commands that must have run and did not.
fn missing(line: &str, reading: &Reading<'_>, ran: Option<&BTreeSet<Vec<String>>>) -> Vec<String> {
    let did =
        |command: &&Command<'_>| ran.into_iter().flatten().any(|words| matches(&pattern(command), words));
    straight(line, reading)
        .iter()
        .filter(|command| !did(command))
        .map(|command| command.plain(line))
        .collect()
}

/// Runs some of the lines, each with all commands succeeding and with all failing.
fn run_all(sandbox: &Sandbox, pass: usize, lines: &[&String], ids: &[usize]) -> Seen {
    let queue = Mutex::new(ids.chunks(BATCH).enumerate());
    let seen: Mutex<Seen> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((number, batch)) = next else { return };
                    let one = |id: &usize| format!("__run {id} '{}'\n", lines[*id].replace('\'', r"'\''"));
                    let script: String = batch.iter().map(one).collect();
                    for status in [0, 1] {
                        let ran = sandbox
                            .run(&format!("pass{pass}-{number}"), &script, status)
                            .expect("the sandbox works");
                        let mut seen = seen.lock().unwrap();
                        for (id, calls) in ran {
                            seen.entry(id).or_default().extend(calls);
                        }
                    }
                }
            });
        }
    });
    seen.into_inner().unwrap()
}

#[test]
fn bash_runs_what_the_reader_lists() {
    // The repository's own commands, or those of a larger corpus; of either, most can be run.
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/commands");
    let (folder, least) = match std::env::var_os("TOOLGATE_CORPUS") {
        Some(folder) => (folder.into(), 5_000),
        None => (own, 3_000),
    };
    let Some(sandbox) = Sandbox::new() else {
        println!("skipped: no sandbox (bash, unshare and chroot as root)");
        return;
    };
    let text = fs::read_to_string(folder.join("commands.jsonl")).unwrap();
    let lines: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["command"].as_str().unwrap().to_owned())
        .chain(include_str!("corpus/shell-tricky.txt").split("\n%%\n").map(str::to_owned))
        .collect();
    let fit: Vec<&String> = lines.iter().filter(|line| is_fit(line, &read(line))).collect();
    let mut seen: Seen = BTreeMap::new();
    let mut todo: Vec<usize> = (0..fit.len()).collect();
    // What is started in the background may be cut off with its batch: ask again before saying that it did
    // not run.
    for pass in 0..3 {
        for (id, calls) in run_all(&sandbox, pass, &fit, &todo) {
            seen.entry(id).or_default().extend(calls);
        }
        todo.retain(|id| !missing(fit[*id], &read(fit[*id]), seen.get(id)).is_empty());
    }
    let (mut checked, mut calls, mut demanded, mut failures) = (0usize, 0usize, 0usize, Vec::new());
    for (id, line) in fit.iter().enumerate() {
        let reading = read(line);
        let ran = seen.get(&id);
        checked += usize::from(ran.is_some());
        demanded += straight(line, &reading).len();
        let patterns: Vec<_> = reading.commands().iter().map(pattern).collect();
        for words in ran.into_iter().flatten() {
            calls += 1;
            if !patterns.iter().any(|pattern| matches(pattern, words)) {
                failures.push(format!("not listed: {words:?}\n  in {line:?}"));
            }
        }
        failures.extend(
            missing(line, &reading, ran).iter().map(|command| format!("not run: {command:?}\n  in {line:?}")),
        );
    }
    println!(
        "{checked} of {} lines ran something; {calls} calls of bash are listed, {demanded} calls that must come came",
        fit.len()
    );
    assert!(
        failures.is_empty(),
        "{} disagreements\n{}",
        failures.len(),
        failures.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(checked >= least, "only {checked} commands checked");
}
