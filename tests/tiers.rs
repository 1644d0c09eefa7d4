//! Shell lines under `claude-code-2.1`: a line a case, in the order of its document (claude-code.md sections 7 to 15).
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it fails")]

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use toolgate::host::Host;
use toolgate::policy::{Call, CallState, Decision, Policy};
use toolgate::vocabulary::{Kind, PermissionMode};

/// Mode, rules each with its list, line, kind and stage.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("default", &["allow Bash(safe-cmd *)"], "safe-cmd a && other", "ask no-match"),
    ("default", &["deny Bash(rm *)"], "x | y | rm z", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "case x in a) rm y;; esac", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "f() { rm x; }; f", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "while true; do rm x; done", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "cat <<EOF\n$(rm x)\nEOF", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "echo \"$(rm x)\"", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "echo $((1+$(rm x)))", "deny content-rule"),
    ("default", &["allow Bash(ls *)"], "ls; )", "ask no-match"),
    ("default", &["allow Bash"], "ls; )", "allow tool-allow"),
    ("default", &["allow Bash(ls *)"], "", "ask no-match"),
    ("default", &["allow Bash"], "# x", "allow tool-allow"),
    ("default", &["allow Edit"], "> a", "allow tool-allow"),
    ("default", &["allow Edit"], "> a; coproc x", "ask no-match"),
    ("acceptEdits", &["allow Edit"], "> a; coproc x", "ask no-match"),
    ("default", &["allow Edit", "allow Bash"], "> a; coproc x", "allow tool-allow"),
    ("default", &["allow Bash(git commit -m x)"], "git  commit   -m x", "allow content-rule"),
    ("default", &["allow Bash(npm test)"], "npm \\\n test", "allow content-rule"),
    ("default", &["allow Bash(git log *)"], "git --no-pager log", "allow content-rule"),
    ("default", &["allow Bash(git log *)"], "git -P log -p", "allow content-rule"),
    ("default", &["allow Bash(git log:*)"], "git -C /srv log", "ask no-match"),
    ("default", &["allow Bash(git log:*)"], "git -C \"$X\" log", "ask no-match"),
    ("default", &["deny Bash(git push *)"], "git --no-pager -C x -c a=b push o", "deny content-rule"),
    ("default", &["deny Bash(git push *)"], "/usr/bin/git 'push' o", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "sudo -u x env A=1 timeout 5 /bin/rm x", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "find . -execdir sudo rm {} +", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "fd x -X rm -f", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "fd x --exec-batch rm", "deny content-rule"),
    ("default", &["allow Bash(fd *)"], "fd x -x rm", "ask no-match"),
    ("default", &["allow Bash(find *)"], "find . -ok rm {} ;", "ask no-match"),
    ("default", &["allow Bash(env *)"], "env find . -delete", "ask no-match"),
    ("default", &["allow Bash(timeout:*)"], "timeout 5 npm publish", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "timeout -s KILL 5 npm test", "allow content-rule"),
    ("default", &["allow Bash(npm test)"], "nice -10 npm test", "allow content-rule"),
    ("default", &["allow Bash(command -v *)"], "command -v node", "allow content-rule"),
    ("default", &["allow Bash(node *)"], "command -v node", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "command -p npm test", "ask no-match"),
    ("default", &["allow Bash(xargs *)"], "xargs -n1 grep x", "allow content-rule"),
    ("default", &["allow Bash(xargs *)"], "xargs grep x", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "time -o f npm test", "ask no-match"),
    ("default", &["deny Bash(npm test)"], "time -o f npm test", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "noglob rm x", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "watch rm x", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "watch 'rm x; ls'", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "doas rm x", "deny content-rule"),
    ("default", &["deny Bash(rm *)"], "sudo FOO=1 rm x", "deny content-rule"),
    ("default", &["allow Bash(sudo *)"], "sudo systemctl stop x", "allow content-rule"),
    ("default", &["allow Bash(npm test)"], "timeout 5 sudo npm test", "ask no-match"),
    ("default", &["allow Bash(sudo npm test)"], "timeout 5 sudo npm test", "allow content-rule"),
    ("default", &["deny Bash(exec *)"], "exec rm x", "deny content-rule"),
    ("default", &["allow Bash(npm test)"], "NODE_ENV=x timeout 5 npm test", "allow content-rule"),
    ("default", &["allow Bash(npm test)"], "FOO=x timeout 5 npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "LANG=$X npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "LANG=`x` npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "TZ=:x npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "TZ=~ npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "TZ=\"UTC\" npm test", "allow content-rule"),
    ("default", &["allow Bash(npm test)"], "TZ=\"a b\" npm test", "ask no-match"),
    ("default", &["allow Bash(npm test)"], "LANG[0]=x npm test", "ask no-match"),
    ("default", &["allow Bash(CC=$X make *)"], "CC=$X make a", "ask no-match"),
    ("default", &["allow Bash(CC=$X make a)"], "CC=$X make a", "allow content-rule"),
    ("default", &[], "NO_COLOR=1 FORCE_COLOR=0", "allow no-match"),
    ("default", &[], "NO_COLOR=$X", "ask no-match"),
    ("default", &[], "PATH=x", "ask no-match"),
    ("default", &["allow Bash(FOO=1)"], "FOO=1", "allow content-rule"),
    ("default", &["deny Bash(FOO=*)"], "FOO=bar", "deny content-rule"),
    ("default", &["allow Bash(mytool *)"], "mytool $X", "ask no-match"),
    ("default", &["allow Bash(mytool *)"], "mytool {a,b}", "ask no-match"),
    ("default", &["allow Bash(mytool *)"], "mytool {} x", "allow content-rule"),
    ("default", &["allow Bash(mytool *)"], "mytool *.ts", "allow content-rule"),
    ("default", &["allow Bash(mytool *)"], "mytool <(ls)", "ask no-match"),
    ("default", &["allow Bash(mytool *)"], "mytool ~/x", "allow content-rule"),
    ("default", &["allow Bash(mytool *)"], "mytool ~bob/x", "ask no-match"),
    ("default", &["allow Bash(mytool *)"], "mytool $((1+2)) $# $?", "allow content-rule"),
    ("default", &["allow Bash(mytool *)"], "mytool $((x))", "ask no-match"),
    ("default", &["allow Bash(mytool *)", "allow Bash(HOME=/x)"], "HOME=/x; mytool $HOME", "ask no-match"),
    ("default", &["allow Bash(mytool *)"], "mytool $1", "ask no-match"),
    ("default", &["allow Bash($X y)"], "$X y", "ask no-match"),
    ("default", &["allow Bash(npm test)", "allow Edit"], "npm test > $F", "ask no-match"),
    ("default", &["allow Bash(npm test)", "allow Edit(*.log)"], "npm test > a.log", "allow content-rule"),
    ("acceptEdits", &["allow Bash(npm test)"], "npm test > /etc/x", "ask no-match"),
    ("acceptEdits", &["allow Bash(npm test)"], "npm test > x", "allow content-rule"),
    ("auto", &["allow Bash(npm test)"], "npm test > x", "allow content-rule"),
    ("default", &["deny Read(.env)", "allow Bash"], "npm test < .env", "deny content-rule"),
    ("default", &["ask Read(.env)", "allow Bash"], "npm test < .env", "ask content-rule"),
    ("default", &["allow Bash"], "npm test < /etc/passwd", "allow tool-allow"),
    ("default", &["ask Edit(b.txt)", "allow Bash"], "cat a > b.txt", "ask content-rule"),
    ("default", &["allow Edit"], "ls > \"~/x\"", "ask no-match"),
    ("default", &["deny Edit(.env)", "allow Bash"], "ls <> .env", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "(ls; pwd) > src/x", "deny content-rule"),
    ("default", &[], "(ls; pwd) > src/x", "ask no-match"),
    ("default", &["allow Edit"], "(ls; pwd) > src/x", "allow tool-allow"),
    ("default", &["deny Edit(src/**)"], "timeout 5 ls > src/x", "deny content-rule"),
    ("default", &["allow Bash(echo *)"], "echo $(ls > x)", "ask no-match"),
    ("default", &[], "ls 2>/dev/null", "allow no-match"),
    ("default", &[], "ls >/dev/null 2>&1", "allow no-match"),
    ("default", &[], "ls &> x", "ask no-match"),
    ("default", &["allow Edit"], "ls >/dev/tcp/a/1", "ask no-match"),
    ("default", &[], "cat ~/proj/x", "allow no-match"),
    ("default", &[], "cat ~/x", "ask no-match"),
    ("default", &[], "cat /etc/passwd", "ask no-match"),
    ("default", &[], "grep -rn \"/etc\" src", "allow no-match"),
    ("default", &[], "grep -f /etc/x src", "ask no-match"),
    ("default", &[], "ls //srv/x", "ask no-match"),
    ("default", &[], "git -C sub status", "ask no-match"),
    ("default", &[], "git -C /home/u/proj status", "allow no-match"),
    ("default", &[], "cd sub; git status", "ask no-match"),
    ("default", &[], "git status", "allow no-match"),
    ("default", &[], "(cd sub); git status", "ask no-match"),
    ("default", &[], "cd \"$X\" > y", "ask no-match"),
    ("default", &[], "cd sub && cat a", "allow no-match"),
    ("default", &[], "cd sub && cat ../../a", "ask no-match"),
    ("default", &[], "cd sub && cat ../a", "allow no-match"),
    ("default", &[], "sed -n 3,+2p f", "allow no-match"),
    ("default", &[], "sed -n 1p -i f", "ask no-match"),
    ("default", &[], "sed -n 's/a/b/p' f", "ask no-match"),
    ("default", &[], "sed 5p f", "ask no-match"),
    ("default", &[], "sort -u f", "allow no-match"),
    ("default", &[], "sort -uof g f", "ask no-match"),
    ("default", &[], "date 0101", "ask no-match"),
    ("default", &[], "docker logs x", "allow no-match"),
    ("default", &[], "docker exec x y", "ask no-match"),
    ("default", &[], "podman --url x ps", "ask no-match"),
    ("default", &[], "git tag", "allow no-match"),
    ("default", &[], "git tag v1", "ask no-match"),
    ("default", &[], "git branch --contains x", "allow no-match"),
    ("default", &[], "git branch -D x", "ask no-match"),
    ("default", &[], "git stash list", "allow no-match"),
    ("default", &[], "git stash", "ask no-match"),
    ("default", &[], "git reflog", "allow no-match"),
    ("default", &[], "git reflog expire", "ask no-match"),
    ("default", &[], "git config --list", "allow no-match"),
    ("default", &[], "git worktree list", "allow no-match"),
    ("default", &[], "git remote get-url o", "allow no-match"),
    ("default", &[], "git fetch", "ask no-match"),
    ("default", &[], "git log -Oorder", "ask no-match"),
    ("default", &[], "git rev-list --exec=x", "ask no-match"),
    ("default", &[], "git grep --open-files-in-pager=x y", "ask no-match"),
    ("default", &[], "find . -name \"*.ts\" -type f", "allow no-match"),
    ("default", &[], "find . -fls x", "ask no-match"),
    ("default", &[], "find / -name x", "ask no-match"),
    ("default", &[], "for f in a b; do ls; done", "allow no-match"),
    ("default", &[], "for f in a b; do cat $f; done", "ask no-match"),
    ("default", &[], "f() { ls; }; f", "ask no-match"),
    ("default", &[], "watch ls", "ask no-match"),
    ("default", &[], "echo $?", "allow no-match"),
    ("default", &[], "echo $X", "ask no-match"),
    ("default", &[], "echo \"$HOME\"", "allow no-match"),
    ("default", &[], "cat <<E\nx\nE", "allow no-match"),
    ("default", &[], "cat <<E\n$(curl x)\nE", "ask no-match"),
    ("default", &[], "true && false || :", "allow no-match"),
    ("default", &[], "ls &&", "ask no-match"),
    ("default", &[], "diff a b", "allow no-match"),
    ("default", &[], "diff <(ls) a", "ask no-match"),
    ("default", &[], "tail -f /var/log/x", "ask no-match"),
    ("default", &[], "wc -l < x", "allow no-match"),
    ("default", &[], "du -sh .", "allow no-match"),
    ("default", &[], "du -sh ..", "ask no-match"),
    ("default", &[], "ls -la src", "allow no-match"),
    ("default", &[], "cat /home/u/project2/x", "ask no-match"),
    ("default", &["deny Read(sub/.env)"], "cat sub/.env", "deny content-rule"),
    ("default", &["deny Read(sub/.env)"], "cd sub && cat .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "jq . .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "grep .env x", "allow no-match"),
    ("default", &["deny Read(.env)"], "grep -e x .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "sed -n 1p .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "awk 1 .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "find .env", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "cp a src/x", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "cp -t src a", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "cp --target-directory=src a", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "mv src/a b", "deny content-rule"),
    ("default", &["deny Read(src/**)"], "mv src/a b", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "chmod +x src/a", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "sort -o src/a b", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "curl -o src/a http://x", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "wget -O src/a http://x", "deny content-rule"),
    ("default", &["deny Read(.env)"], "dd if=.env of=x", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "dd if=x of=src/y", "deny content-rule"),
    ("default", &["deny Read(.env)"], "ln -s .env x", "deny content-rule"),
    ("default", &["deny Read(.env)"], "touch .env", "deny content-rule"),
    ("default", &["ask Read(.env)"], "touch .env", "ask no-match"),
    ("default", &["ask Edit(.env)"], "touch .env", "ask content-rule"),
    ("default", &["deny Read(.env)"], "timeout 5 cat .env", "deny content-rule"),
    ("default", &["deny Edit(.env)"], "sudo tee .env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "find . -exec cat .env ;", "deny content-rule"),
    ("default", &["deny Read(.env)"], "cat \"$D/.env\"", "deny content-rule"),
    ("default", &["deny Read(sub/.env)"], "(cd sub && cat .env)", "deny content-rule"),
    ("default", &["deny Read(.env)"], "cat ./a/../.env", "deny content-rule"),
    ("default", &["deny Read(.env)"], "base64 .env", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "sed -i.bak s/a/b/ src/x", "deny content-rule"),
    ("default", &["deny Edit(src/**)"], "truncate -s 0 src/x", "deny content-rule"),
    ("default", &["allow Bash"], "find . -exec rm -rf / ;", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /home", "ask risk"),
    ("default", &["allow Bash"], "rm -rf ../../..", "ask risk"),
    ("default", &["allow Bash"], "rm -rf ~/", "ask risk"),
    ("default", &["allow Bash"], "rm -rf ~/*", "ask risk"),
    ("default", &["allow Bash"], "rm -rf .*", "ask risk"),
    ("default", &["allow Bash"], "rmdir /data", "ask risk"),
    ("default", &["allow Bash"], "rm -rf \"$X/y\"", "ask risk"),
    ("default", &["allow Bash"], "rm -rf $X*", "ask risk"),
    ("default", &["allow Bash"], "rm -rf \"$X\"", "allow tool-allow"),
    ("default", &["allow Bash"], "rm -rf '*'", "allow tool-allow"),
    ("default", &["allow Bash"], "rm -rf ${X:?}/a", "allow tool-allow"),
    ("default", &["allow Bash"], "rm -rf ${X:?}/$Y/*", "ask risk"),
    ("default", &["allow Bash"], "cd / && rm -rf *", "ask risk"),
    ("default", &["allow Bash"], "cd \"$D\" && rm -rf *", "ask risk"),
    ("default", &["allow Bash"], "cd sub && rm -rf *", "allow tool-allow"),
    ("default", &["allow Bash"], "rm -rf -- /", "ask risk"),
    ("default", &["allow Bash"], "fd x -x rm -rf /", "ask risk"),
    ("default", &["allow Bash"], "xargs rm -rf /", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /{a,b}", "ask risk"),
    ("default", &["allow Bash"], "rm -rf $PWD", "ask risk"),
    ("default", &["allow Bash"], "rm -rf //", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /./", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /home/u/proj/../proj", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /home/u/*", "ask risk"),
    ("default", &["allow Bash"], "rm -rf /home/u/x", "allow tool-allow"),
    ("default", &["ask Bash"], "rm -rf /", "ask tool-ask"),
    ("default", &["allow Bash"], "sh -c \"rm -rf /\"", "allow tool-allow"),
    ("default", &["allow Bash"], "rm -rf $HOME/", "ask risk"),
    ("default", &["allow Bash"], "rm -r \"$(pwd)\"/*", "ask risk"),
    ("default", &["allow Bash"], "rm -rf C:\\\\", "ask risk"),
    ("acceptEdits", &[], "cp a b && mkdir c", "allow mode"),
    ("acceptEdits", &[], "cp a /srv/b", "ask no-match"),
    ("acceptEdits", &[], "sed -i \"s/a/b/e\" f", "ask no-match"),
    ("acceptEdits", &[], "/bin/rm a", "ask no-match"),
    ("acceptEdits", &[], "timeout 5 rm a", "ask no-match"),
    ("acceptEdits", &[], "rm {a,b}", "ask no-match"),
    ("acceptEdits", &[], "rm *.o", "allow mode"),
    ("acceptEdits", &[], "FOO=1 rm a", "ask no-match"),
    ("acceptEdits", &[], "cd /srv && rm a", "ask no-match"),
    ("acceptEdits", &[], "cd sub && rm a", "allow mode"),
    ("acceptEdits", &[], "touch a &&", "ask no-match"),
    ("plan", &[], "ls", "allow no-match"),
    ("plan", &["allow Bash"], "ls", "allow tool-allow"),
    ("plan", &["allow Bash"], "npm test", "ask plan-wrap"),
    ("plan", &["allow Bash", "allow Edit"], "ls > x", "ask plan-wrap"),
    ("dontAsk", &["ask Bash(npm *)"], "npm x", "deny content-rule"),
    ("bypassPermissions", &[], "ls > .git/x", "allow mode"),
    ("bypassPermissions", &[], "rm -rf /", "ask risk"),
    ("bypassPermissions", &["ask Bash(npm *)"], "npm x", "ask content-rule"),
    ("bypassPermissions", &["ask Bash"], "npm x", "ask tool-ask"),
    ("default", &["allow Monitor"], "npm publish", "ask no-match"),
    ("default", &["deny Bash(dangerouslyDisableSandbox:true)"], "npm test", "ask no-match"),
    ("default", &["deny Edit", "allow Bash"], "ls > x", "deny tool-deny"),
    ("default", &["ask Edit", "allow Bash"], "ls > x", "ask tool-ask"),
    ("default", &["deny Edit", "allow Bash"], "rm x", "allow tool-allow"),
    ("acceptEdits", &["deny Edit"], "touch x", "ask no-match"),
    ("default", &["deny Read"], "ls < x", "deny tool-deny"),
    ("default", &["allow Bash"], "rm -rf $'\\x2f'", "ask risk"),
    ("default", &["allow Bash"], "rm -rf */", "ask risk"),
    ("default", &["allow Bash(npm test)", "allow Edit(file~)"], "npm test > file~", "allow content-rule"),
    ("default", &[], "find . -newer /etc/x", "ask no-match"),
    ("default", &[], "git grep -f /etc/x y", "ask no-match"),
    ("default", &[], "git grep -f pat y", "allow no-match"),
    ("default", &[], "date -r /etc/x", "ask no-match"),
    ("default", &[], "date -d tomorrow", "allow no-match"),
    ("default", &[], "git config --get x --file=/etc/y", "ask no-match"),
    ("default", &["allow Bash(x *)"], "x \"$(cat <<'E'\na $(b) c\nE\n)\"", "allow content-rule"),
    ("default", &["allow Bash(x *)"], "x \"$(cat <<E\na $(b) c\nE\n)\"", "ask no-match"),
    ("default", &["allow Bash(x *)"], "x \"$(cat f)\"", "ask no-match"),
];

fn policy(rules: &[&str]) -> Policy {
    let list = |wanted: &str| -> Vec<Value> {
        let own = rules.iter().filter_map(|rule| rule.split_once(' ')).filter(|(list, _)| *list == wanted);
        own.map(|(_, rule)| json!(rule)).collect()
    };
    let rules = json!({"deny": list("deny"), "ask": list("ask"), "allow": list("allow")});
    let config = json!({
        "dialect": "claude-code-2.1", "home": "/home/u", "projectRoot": "/home/u/proj", "rules": rules,
    });
    Policy::new(&config.to_string(), Host::ASCII).unwrap()
}

fn decide(policy: &Policy, mode: &str, line: &str) -> Decision {
    let call = Call { tool: "Bash", subject: Some(line), ..Call::default() };
    let state =
        CallState { mode: PermissionMode::parse(mode), cwd: Some("/home/u/proj"), ..CallState::default() };
    policy.decide(&call, &state, &[])
}

#[track_caller]
fn check((mode, rules, line, expected): Case) {
    let outcome = decide(&policy(rules), mode, line).outcome;
    let found = [outcome.kind.as_str(), outcome.stage.as_str()].join(" ");
    assert_eq!(found, expected, "{rules:?} on {line:?} in {mode}");
}

#[test]
fn lines_are_decided_as_documented() {
    CASES.iter().copied().for_each(check);
}

const LINE: &str = r"(ls|rm|git|find|sudo|timeout 5|xargs|cd|cat|sed|fd|-x|-exec|a/b|/|~|\$X|\$HOME|\$\(|`|'|\x22|\{a,b\}|<<E|>|<|&&|\|\||;|\||\n|\(|\)|\*|\\| ){0,14}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_line_stops_it(line in LINE, mode in select(PermissionMode::ALL)) {
        let policy = policy(&["deny Read(.env)", "ask Bash(git * x)", "allow Bash(ls *)", "allow Edit(a/**)"]);
        decide(&policy, mode.as_str(), &line);
    }

    /// A further rule that denies or asks never makes a decision looser.
    #[test]
    fn restrictions_restrict(line in LINE, rule in select(vec!["Bash(ls *)", "Read(a/**)", "Edit", "Bash(:*)"]), deny in any::<bool>()) {
        let base = ["allow Bash", "allow Edit"];
        let list = if deny { "deny " } else { "ask " };
        let more = [list, rule].concat();
        let (without, with) = (policy(&base), policy(&[base[0], base[1], &more]));
        let rank = |policy: &Policy| match decide(policy, "default", &line).outcome.kind {
            Kind::Allow => 0,
            Kind::Passthrough | Kind::Ask => 1,
            Kind::Deny => 2,
        };
        prop_assert!(rank(&with) >= rank(&without));
    }

    /// What cannot be read is allowed by no content.
    #[test]
    fn nothing_unread_is_allowed(line in LINE) {
        let policy = policy(&["allow Bash(ls *)", "allow Bash(cat *)", "allow Bash(* *)"]);
        let allowed = decide(&policy, "acceptEdits", &line).outcome.kind == Kind::Allow;
        prop_assert!(!allowed || toolgate::shell::read(&line).is_complete());
    }
}
