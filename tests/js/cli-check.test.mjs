// `toolgate check`, as it is installed: what it says, both outputs, exit codes, several files, and its use as a hook.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { command, dir, EVIL, exits, file, toolgate } from "./cli/run.mjs";

const fine = file("fine.json", { permissions: { allow: ["Read"], deny: ["Bash(rm )"] } });
const warned = file("warned.json", '{\n  // team\n  "permissions": { "allow": ["Bash(npm run test:*)"] }\n}\n');
const noted = file("noted.json", { permissions: { allow: ["Read"], theme: "dark" } });
const broken = file("broken.json", { permissions: { allow: ["Bash(ls", "Bash(npm:*)"] } });
const shadowed = file("shadowed.json", '{ "permissions": {\n  "deny": ["Bash(git )"],\n  "ask": ["Bash(git push)"]\n} }\n');

/** What a file is told, as `severity code path line`. */
function told(...words) {
  const { files } = JSON.parse(toolgate("check", "--json", ...words).stdout);
  return files.map(({ diagnostics, findings = [] }) =>
    [...diagnostics, ...findings].map(({ severity, code, inFile }) => `${severity} ${code} ${inFile.path.join(".")} ${inFile.line}`),
  );
}

test("nothing to say is 0; what is said counts from the bar on", () => {
  exits(0, toolgate("check", fine));
  exits(1, toolgate("check", warned));
  exits(0, toolgate("check", "--fail-on", "error", warned));
  exits(0, toolgate("check", noted));
  exits(1, toolgate("check", "--fail-on", "info", noted));
  exits(1, toolgate("check", "--fail-on", "error", broken));
  exits(1, toolgate("check", shadowed));
});

test("diagnostics, with their place, caret and hint", () => {
  const { stdout, stderr } = toolgate("check", warned);
  assert.equal(stderr, "");
  assert.match(stdout, /^warning\[prefix-ends-in-colon\] .*\n {2}at .*warned\.json:3:30 permissions\.allow\[0\]\n {4}Bash\(npm run test:\*\)\n {9}\^+\n {2}hint: /);
  assert.match(stdout, /\n1 file: 0 errors, \d warnings?, \d notes?\n$/);
  assert.equal(toolgate("check", fine).stdout, `${fine}: nothing to say\n\n1 file: 0 errors, 0 warnings, 0 notes\n`);
});

test("findings: rules that do not do what they seem to, with the other rule and a call", () => {
  const [all] = told(shadowed);
  assert.ok(all.includes("warning shadowed permissions.ask.0 3"), all.join("\n"));
  const { stdout } = toolgate("check", shadowed);
  assert.match(stdout, /warning\[shadowed\] .*\n {2}at .*shadowed\.json:3:11 permissions\.ask\[0\]\n {4}Bash\(git push\)\n {4} *\^+\n {2}and: Bash\(git \) {2}.*\n {4}at .*shadowed\.json:2:12 permissions\.deny\[0\]\n {2}call: Bash {2}git push/);
  const { files } = JSON.parse(toolgate("check", "--json", shadowed).stdout);
  const { witness, related } = files[0].findings.find(({ code }) => code === "shadowed");
  assert.match(witness.arguments.command, /^git push/);
  assert.deepEqual(related[0].inFile, { path: ["permissions", "deny", 0], line: 2, column: 12 });
});

test("where rules do not parse they are not compared, and that is said", () => {
  const { status, stdout } = toolgate("check", broken);
  assert.equal(status, 1);
  assert.match(stdout, /error\[unclosed-paren\].*\n/);
  assert.match(stdout, /\nRules are not compared with one another before the errors are gone\.\n/);
  const [{ findings, dialect }] = JSON.parse(toolgate("check", "--json", broken).stdout).files;
  assert.deepEqual([findings, dialect], [undefined, undefined]);
});

test("several files: each is told of, and one that cannot be read hides none", () => {
  const gone = join(dir, "gone.json");
  const { status, stdout } = toolgate("check", fine, gone, warned);
  assert.equal(status, 2);
  for (const said of [/fine\.json: nothing to say/, /error: .*gone\.json: there is no such file/, /warning\[prefix-ends-in-colon\]/, /\n3 files: /]) assert.match(stdout, said);
  const json = toolgate("check", "--json", "--fail-on", "error", fine, gone, dir, file("prose.json", "allow git"), broken);
  exits(2, json);
  const { files, counts, failOn } = JSON.parse(json.stdout);
  assert.deepEqual(files.map(({ error }) => error?.code), [undefined, "unreadable-file", "unreadable-file", "bad-json", undefined]);
  assert.deepEqual([counts.error, failOn], [1, "error"]);
});

test("a file that is there and cannot be read", async () => {
  const socket = join(dir, "socket.json");
  const server = createServer().listen(socket);
  await once(server, "listening");
  const result = toolgate("check", socket);
  server.close();
  exits(2, result);
  assert.match(result.stdout, /socket\.json: it cannot be read \(ENXIO\)/);
  const { unreadable } = await import("./node_modules/toolgate/cli/files.js");
  assert.equal(unreadable("a.json", { code: "EACCES" }).message, "a.json: no permission to read it");
});

test("the dialect decides what is said", () => {
  const rules = file("dialects.json", { allow: ["Bash(npm run test:*)"] });
  assert.ok(told(rules)[0].some((line) => line.includes("prefix-ends-in-colon")));
  assert.ok(!told(rules, "--dialect", "claude-code-2.1")[0].some((line) => line.includes("prefix-ends-in-colon")));
  assert.equal(JSON.parse(toolgate("check", "--json", "--dialect", "claude-code-2.1", rules).stdout).files[0].dialect, "claude-code-2.1");
  exits(1, toolgate("check", "--dialect", "none", rules));
});

test("rules of other agents: what was not carried over is told, with its place", () => {
  const codex = file("codex.rules", '# ours\nprefix_rule(\n  pattern = ["git", "status"],\n  justification = "it only reads",\n)\nprefix_rule(pattern = ["rm"], decision = "forbidden")\n');
  exits(0, toolgate("explain", codex, "--from", "codex", "--", "Bash", "git status -s"));
  exits(1, toolgate("explain", codex, "--from", "codex", "--", "Bash", "rm x"));
  const { files } = JSON.parse(toolgate("check", "--from", "codex", "--json", codex).stdout);
  const dropped = files[0].diagnostics.find(({ code }) => code === "justification-dropped");
  assert.deepEqual([dropped.severity, dropped.effect, dropped.inFile.line, dropped.inFile.column], ["info", "none", 2, 1]);
  const unread = toolgate("check", "--from", "codex", file("bad.rules", 'prefix_rule(pattern = ["ls"])\nload("x")\n'));
  exits(1, unread);
  assert.match(unread.stdout, /error\[unsupported-syntax\] .*\n {2}at .*bad\.rules:2:1 /);

  const opencode = file("opencode.json", '{\n  // ours\n  "permission": { "bash": { "git status *": "allow", "rm *": "deny" }, "lsp": "allow" }\n}\n');
  exits(0, toolgate("explain", opencode, "--from", "opencode", "--root", "/repo", "--home", "/home/u", "--", "Bash", "git status -s"));
  const told = JSON.parse(toolgate("check", "--from", "opencode", "--json", opencode).stdout).files[0].diagnostics;
  const losses = told.filter(({ effect }) => effect !== undefined);
  assert.ok(losses.length > 0 && losses.every(({ inFile }) => inFile.path[0] === "permission" && inFile.line === 3), JSON.stringify(told));

  for (const words of [["--from", "none"], ["--from", "toString"], ["--from", "codex", "--dialect", "standard"]]) exits(2, toolgate("check", codex, ...words));
  const evil = toolgate("check", "--from", "codex", file("evil.rules", `prefix_rule(pattern = ["${EVIL.slice(9)}"], decision = "${EVIL.slice(9)}")\n`));
  exits(1, evil);
});

test("text that means harm is shown as it is, in findings too", () => {
  const evil = file(`check${EVIL}.json`, { deny: [`Bash(${EVIL})`, `Bash(${EVIL})`], ask: [`Bash(${EVIL}x)`], allow: [`Bash(${EVIL})`], [EVIL]: 1 });
  exits(1, toolgate("check", evil));
  JSON.parse(toolgate("check", "--json", evil).stdout);
});

/** A text of the documents, by its first line. */
function documented(language, first) {
  const page = readFileSync(join(process.env.TOOLGATE_ROOT, "docs/command.md"), "utf8");
  const blocks = [...page.matchAll(/^```(\S+)(?: \S+)?\n([^]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , text]) => text);
  const found = blocks.filter((text) => text.startsWith(first));
  assert.equal(found.length, 1, `one block of ${language} that begins with ${first}`);
  return found[0];
}

/** A repository with the package installed where npm puts it. */
function repository(name) {
  const root = join(dir, name);
  mkdirSync(join(root, ".claude"), { recursive: true });
  mkdirSync(join(root, "node_modules"), { recursive: true });
  execFileSync("cp", ["-r", join(dirname(command), "../toolgate"), join(dirname(command), "../.bin"), join(root, "node_modules")]);
  writeFileSync(join(root, "package.json"), '{"private":true}');
  const git = (...words) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main", ...words], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  assert.equal(git("init", "--quiet").status, 0);
  const settings = (rules) => writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ permissions: rules }));
  return { root, git, settings };
}

test("as a git hook: what is staged is checked, and a bad rule is not committed", () => {
  const { root, git, settings } = repository("hooked");
  const hook = join(root, ".git/hooks/pre-commit");
  writeFileSync(hook, documented("sh", "#!/bin/sh"));
  chmodSync(hook, 0o755);
  settings({ allow: ["Bash(git status)"] });
  git("add", ".claude");
  const first = git("commit", "-m", "fine");
  assert.equal(first.status, 0, first.stderr);

  settings({ allow: ["Bash(git status"] });
  git("add", ".claude");
  // Mended in the folder, but not in what is staged.
  settings({ allow: ["Bash(git status)"] });
  const second = git("commit", "-m", "broken");
  assert.notEqual(second.status, 0);
  assert.match(second.stdout + second.stderr, /unclosed-paren/);
  git("add", ".claude");
  settings({ allow: ["Bash(git status"] });
  writeFileSync(join(root, "other.txt"), "x");
  git("add", "other.txt");
  const third = git("commit", "-m", "other");
  assert.equal(third.status, 0, third.stdout + third.stderr);
});

test("as a step of CI: the lines of the document, in a shell that ends at the first failure", () => {
  const { root, git, settings } = repository("ci");
  const steps = [...documented("yaml", "name: rules").matchAll(/^ +- run: (.*)$/gm)].map(([, line]) => line).filter((line) => line.startsWith("npx toolgate"));
  assert.ok(steps.length > 0);
  const run = () => spawnSync("sh", ["-e", "-c", steps.join("\n")], { cwd: root, encoding: "utf8" });
  settings({ allow: ["Bash(git status)"] });
  git("add", ".claude");
  assert.equal(run().status, 0, run().stdout);
  settings({ allow: ["Bash(git status"] });
  assert.equal(run().status, 1);
});

test("as a hook of the pre-commit framework: the names of files come behind the entry", () => {
  const { root, settings } = repository("framework");
  const hook = documented("yaml", "repos:");
  const [, entry] = /^ +entry: (.*)$/m.exec(hook);
  const [, files] = /^ +files: (.*)$/m.exec(hook);
  const names = [".claude/settings.json", ".claude/settings.local.json"];
  assert.ok(names.every((name) => new RegExp(files).test(name)) && !new RegExp(files).test("package.json"));
  writeFileSync(join(root, names[1]), '{"permissions": {"deny": ["Bash(rm )"]}}');
  const run = () => spawnSync("sh", ["-c", `${entry} "$@"`, "hook", ...names], { cwd: root, encoding: "utf8" });
  settings({ allow: ["Bash(git status)"] });
  assert.equal(run().status, 0, run().stdout);
  settings({ allow: ["Bash(git status"] });
  const { status, stdout } = run();
  assert.equal(status, 1);
  assert.match(stdout, /settings\.json:1:\d+ permissions\.allow\[0\]\n[^]*\n2 files: 1 error, /);
});
