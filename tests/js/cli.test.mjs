// The command `toolgate`, as it is installed: every exit code, both outputs, and input that means harm.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const command = join(import.meta.dirname, "node_modules/.bin/toolgate");
const dir = mkdtempSync(join(tmpdir(), "toolgate-cli-"));
after(() => rmSync(dir, { recursive: true, force: true }));

/** Writes a file; gives its name. */
function file(name, content) {
  const path = join(dir, name);
  writeFileSync(path, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
}

function toolgate(...words) {
  const input = typeof words.at(-1) === "object" ? words.pop().input : "";
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: dir, input, encoding: "utf8", maxBuffer: 1 << 28 });
  // Whatever was asked: nothing that a terminal would obey, but for line ends.
  for (const text of [stdout, stderr]) {
    assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/u);
    assert.doesNotMatch(text, /\n\s+at .*\.js:\d+/, "no stack");
  }
  return { status, stdout, stderr };
}

function exits(status, { status: was, stdout, stderr }) {
  assert.equal(was, status, `${stdout}\n${stderr}`);
}

const agent = file("agent.json", {
  permissions: { allow: ["Read", "Bash(git status)"], ask: ["Bash(git push)"], deny: ["Bash(git push --force)"], defaultMode: "acceptEdits" },
  model: "any",
});
const bare = file("bare.json", { allow: ["Bash(ls)"] });
const own = file("own.json", { dialect: "dsh-0.5", rules: { deny: ["Bash(git )"], allow: ["Bash(git status)"] } });

test("help teaches, and needs nothing", () => {
  for (const words of [["--help"], ["-h"], ["help"], ["help", "explain"], ["explain", "--help"], ["replay", "-h"], ["help", "toString"]]) {
    const { status, stdout, stderr } = toolgate(...words);
    assert.deepEqual([status, stderr], [0, ""], words.join(" "));
    assert.match(stdout, /toolgate/);
    assert.ok(stdout.split("\n").every((line) => line.length <= 126));
  }
  for (const name of ["explain", "replay"]) {
    for (const said of [/Exit codes/, /--settings FILE/, /--dialect/, /--mode/, /--json/, /NO_COLOR/]) assert.match(toolgate("help", name).stdout, said);
  }
});

test("the version is the package's", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "node_modules/toolgate/package.json"), "utf8"));
  assert.equal(toolgate("--version").stdout, `${version}\n`);
});

test("a command line that is wrong exits with 2 and names the help", () => {
  const wrong = [
    [],
    ["nothing"],
    ["toString"],
    ["explain"],
    ["explain", "--settings", agent],
    ["explain", "--settings", agent, "--settings", bare, "--", "Bash", "ls"],
    ["explain", "--settings", agent, "--unknown", "--", "Bash", "ls"],
    ["explain", "--settings", agent, "--mode", "none", "--", "Bash", "ls"],
    ["explain", "--settings", agent, "--mode"],
    ["explain", "--settings", agent, "--", "Bash", "git", "status"],
    ["explain", "--settings", agent, "Bash", "git status", "--force"],
    ["replay", "--settings", agent],
    ["replay", "--settings", agent, "a", "b"],
    ["replay", "--settings", agent, "--examples", "-1", "a"],
    ["replay", "--settings", agent, "--examples", "101", "a"],
    ["replay", "--settings", agent, "\u001b[31m", "b"],
  ];
  for (const words of wrong) {
    const result = toolgate(...words);
    exits(2, result);
    assert.equal(result.stdout, "");
    assert.match(result.stderr, /--help|toolgate help/, words.join(" "));
  }
  assert.match(toolgate("explain", "--settings", agent, "--dialect", "none", "--", "Bash").stderr, /error\[unknown-dialect\]/);
});

test("explain: allowed is 0, anything else is 1", () => {
  const outcome = (...words) => {
    const { status, stdout } = toolgate("explain", "--settings", agent, ...words);
    return [status, stdout.split("  ")[0]];
  };
  assert.deepEqual(outcome("--", "Bash", "git status"), [0, "ALLOW"]);
  assert.deepEqual(outcome("--", "Bash", "git push origin"), [1, "ASK"]);
  assert.deepEqual(outcome("--", "Bash", "git push --force"), [1, "DENY"]);
  assert.deepEqual(outcome("--", "Bash", "make"), [1, "PASSTHROUGH"]);
  assert.deepEqual(outcome("--", "Read"), [0, "ALLOW"]);
  assert.deepEqual(outcome("--", "Edit", "a.txt"), [0, "ALLOW"]);
  assert.deepEqual(outcome("--mode", "default", "--", "Edit", "a.txt"), [1, "PASSTHROUGH"]);
  assert.deepEqual(outcome("--mode", "plan", "--", "Edit", "a.txt"), [1, "DENY"]);
});

test("explain says which rule, where it stands, and why", () => {
  const { stdout } = toolgate("explain", "--settings", agent, "--", "Bash", "git push --force origin");
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  for (const line of [
    "decision deny",
    "effective deny",
    "reason denied by permission rule Bash(git push --force) [userSettings]",
    "mode acceptEdits",
    "dialect standard",
  ]) {
    assert.ok(lines.includes(line), `${line} in\n${stdout}`);
  }
  assert.ok(lines.some((line) => line.startsWith("stage content-rule:")));
  assert.ok(lines.includes(`rule deny Bash(git push --force) [userSettings] ${agent}:1:86 permissions.deny[0]`), stdout);
});

test("explain as JSON is the decision of the package", () => {
  const { status, stdout, stderr } = toolgate("explain", "--settings", agent, "--json", "--", "Bash", "git push --force");
  assert.deepEqual([status, stderr], [1, ""]);
  const { call, dialect, decision, diagnostics } = JSON.parse(stdout);
  assert.deepEqual([call, dialect, diagnostics], [{ tool: "Bash", subject: "git push --force" }, "standard", []]);
  assert.deepEqual([decision.kind, decision.stage, decision.rule.text], ["deny", "content-rule", "Bash(git push --force)"]);
});

test("three kinds of settings, and the dialect on the command line stands over the file's", () => {
  exits(0, toolgate("explain", "--settings", bare, "--", "Bash", "ls"));
  exits(0, toolgate("explain", "--settings", own, "--", "Bash", "git status"));
  exits(1, toolgate("explain", "--settings", own, "--dialect", "standard", "--", "Bash", "git status"));
  const dialects = [bare, own, agent].map((path) => JSON.parse(toolgate("explain", "--settings", path, "--json", "--dialect", "dsh-0.5", "--", "Read").stdout).dialect);
  assert.deepEqual(dialects, ["dsh-0.5", "dsh-0.5", "dsh-0.5"]);
});

test("errors of the rules: place in the file, text, caret under the span, hint; all of them", () => {
  const broken = file("broken.json", '{\n  "permissions": {\n    "allow": ["Read", "Bash(git"],\n    "deny": ["Bash(rm é) x"]\n  }\n}\n');
  const result = toolgate("explain", "--settings", broken, "--", "Bash", "ls");
  exits(2, result);
  assert.equal(result.stdout, "");
  assert.equal(
    result.stderr,
    [
      `error: ${broken} has 2 errors`,
      "error[unclosed-paren] the parenthesis is never closed",
      `  at ${broken}:3:23 permissions.allow[1]`,
      "    Bash(git",
      "        ^^^^",
      "  hint: Bash(git)",
      "error[content-after-paren] nothing may follow the closing parenthesis",
      `  at ${broken}:4:14 permissions.deny[0]`,
      "    Bash(rm é) x",
      "              ^^",
      "  hint: Bash(rm é)",
      "",
    ].join("\n"),
  );
  const { error } = JSON.parse(toolgate("explain", "--settings", broken, "--json", "--", "Bash", "ls").stdout);
  assert.equal(error.code, "unclosed-paren");
  assert.deepEqual(error.diagnostics[1].inFile, { path: ["permissions", "deny", 0], line: 4, column: 14 });
});

test("warnings are told and do not stop anything", () => {
  const warned = file("warned.json", { allow: ["Bash(npm run test:*)"] });
  const result = toolgate("explain", "--settings", warned, "--", "Bash", "npm run test:unit");
  exits(0, result);
  assert.match(result.stderr, /^warning\[prefix-ends-in-colon\] .*\n {2}at .*:1:11 allow\[0\]\n {4}Bash\(npm run test:\*\)\n {9}\^+\n {2}hint: /);
  const calls = file("one.jsonl", '{"command":"npm run test:unit"}\n');
  exits(1, toolgate("replay", "--settings", warned, calls));
});

test("settings that are no JSON: line, column and caret", () => {
  const cases = [
    ["", /:1:1: there is nothing here/],
    ["{\n  \"allow\": [\"a\",]\n}", /:2:16: no comma may stand before the end\n {4}"allow": \["a",\]\n {17}\^/],
    ["{\n  // why\n}", /:2:3: comments are no part of JSON/],
    ["{'a': 1}", /:1:2: a member's name in double quotes is needed/],
    ['{"allow": ["a\nb"]}', /:1:12: this text is never closed/],
    ['{"allow": [], "allow": ["Bash"]}', /:1:15: this member is there twice/],
    ['{"allow": ["\u001b[2J"]}', /:1:13: a control character has to be escaped\n.*\\u\{1b\}/],
    ['{"allow": ["\\x"]}', /:1:13: no such escape exists/],
    ["[1, 2", /:1:1: this is never closed with \]/],
    ["{} {}", /:1:4: something follows/],
    ["[".repeat(100_000), /:1:202: nested deeper than 200/],
    ["01", /:1:2: something follows/],
    ["[]", /settings are a JSON object/],
    ["null", /settings are a JSON object/],
    [new Uint8Array([0x7b, 0xff, 0x7d]), /not UTF-8/],
    [new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), /:1:1: a value is needed here/],
  ];
  for (const [content, said] of cases) {
    const result = toolgate("explain", "--settings", file("bad.json", content), "--", "Bash", "ls");
    exits(2, result);
    assert.match(result.stderr, said);
    assert.equal(result.stdout, "");
  }
  assert.match(toolgate("explain", "--settings", join(dir, "none.json"), "--", "Bash").stderr, /there is no such file/);
  assert.match(toolgate("explain", "--settings", dir, "--", "Bash").stderr, /this is a folder/);
});

test("settings with CRLF, and with a mark of byte order", () => {
  const windows = file("crlf.json", '\ufeff{\r\n  "allow": [\r\n    "Bash(ls"\r\n  ]\r\n}\r\n');
  const result = toolgate("explain", "--settings", windows, "--", "Bash", "ls");
  exits(2, result);
  assert.match(result.stderr, /crlf\.json:3:5 allow\[0\]/);
  exits(0, toolgate("explain", "--settings", file("crlf2.json", '\ufeff{\r\n  "allow": ["Bash(ls)"]\r\n}\r\n'), "--", "Bash", "ls"));
});

test("text that means harm is shown as it is, never obeyed", () => {
  const evil = "\u001b]0;x\u0007\u001b[2J\r\u202egnp.exe\u2066\u200b\u009b31m";
  const rules = file("evil.json", { deny: [`Bash(${evil}) x`], [evil]: 1 });
  const broken = toolgate("explain", "--settings", rules, "--", "Bash", evil);
  exits(2, broken);
  assert.match(broken.stderr, /\\u\{1b\}\[2J\\r\\u\{202e\}gnp\.exe\\u\{2066\}\\u\{200b\}\\u\{9b\}31m/);
  const denied = toolgate("explain", "--settings", file("evil2.json", { deny: [`Bash(${evil})`] }), "--", "Bash", evil);
  exits(1, denied);
  assert.match(denied.stdout, /^DENY {2}Bash {2}\\u\{1b\}\]0;x\\u\{7\}/);
  const told = toolgate("replay", "--settings", file("evil3.json", { deny: [`Bash(${evil})`] }), "-", { input: `${JSON.stringify({ command: evil, [evil]: 1 })}\n` });
  exits(1, told);
  exits(2, toolgate(evil));
  exits(2, toolgate("explain", "--settings", evil, "--", "Bash"));
  exits(2, toolgate("explain", `--${evil}`, "--settings", bare, "--", "Bash"));
  exits(2, toolgate("explain", "--settings", bare, "--mode", evil, "--", "Bash"));
});

const CALLS = [
  { command: "git status" },
  { command: "git push origin" },
  { command: "git push --force" },
  { command: "git push --force origin" },
  { command: "make" },
  { command: "make all" },
  { tool: "Edit", arguments: { file_path: "a" } },
  { tool: "Bash", subject: "git status" },
];
const jsonl = (calls) => calls.map((call) => `${JSON.stringify(call)}\n`).join("");

test("replay counts by decision and by what decided", () => {
  const result = toolgate("replay", "--settings", agent, "--json", file("calls.jsonl", jsonl(CALLS)));
  exits(1, result);
  assert.equal(result.stderr, "");
  const { calls, kinds, effective, groups, mode, dialect, ignoredMembers } = JSON.parse(result.stdout);
  assert.deepEqual([calls, mode, dialect, ignoredMembers], [8, "acceptEdits", "standard", {}]);
  assert.deepEqual(kinds, { allow: 3, ask: 1, deny: 2, passthrough: 2 });
  assert.deepEqual(effective, kinds);
  assert.deepEqual(
    groups.map(({ effective: what, stage, count, rule }) => [what, stage, count, rule?.text]),
    [
      ["allow", "content-rule", 2, "Bash(git status)"],
      ["allow", "mode", 1, undefined],
      ["ask", "content-rule", 1, "Bash(git push)"],
      ["deny", "content-rule", 2, "Bash(git push --force)"],
      ["passthrough", "no-match", 2, undefined],
    ],
  );
  assert.deepEqual(groups[3].examples, ["git push --force", "git push --force origin"]);
  assert.equal(groups[3].rule.inFile.line, 1);
  assert.deepEqual(groups[4].firstWords, { make: 2 });
});

test("replay in words, from a file and from standard input", () => {
  const fromFile = toolgate("replay", "--settings", agent, "--examples", "1", file("calls.jsonl", jsonl(CALLS)));
  exits(1, fromFile);
  for (const said of [/^8 calls under/, /ALLOWED {8}3 {2}37\.5%/, /DENIED by\n {5}2 {2}Bash\(git push --force\) \[userSettings\] {2}line 1/, /most often: make 2/]) {
    assert.match(fromFile.stdout, said);
  }
  const piped = toolgate("replay", "--settings", agent, "--examples", "1", "-", { input: jsonl(CALLS).replaceAll("\n", "\r\n") + "\n  \n" });
  assert.equal(piped.stdout, fromFile.stdout);
});

test("replay: nothing denied is 0", () => {
  exits(0, toolgate("replay", "--settings", agent, "-", { input: jsonl(CALLS.slice(0, 2)).trimEnd() }));
  exits(1, toolgate("replay", "--settings", agent, "--mode", "plan", "-", { input: jsonl([{ command: "make" }]) }));
});

test("members that mean nothing here are named, not lost", () => {
  const result = toolgate("replay", "--settings", bare, "-", { input: jsonl([{ command: "ls", source: "x" }, { command: "ls", source: "y", id: 1 }]) });
  exits(0, result);
  assert.match(result.stderr, /^\nIgnored members of calls: source \(2\), id \(1\)\n$/);
});

test("a bad line ends it with 2, its number, and no count", () => {
  const cases = [
    ["{", /:3:2: the text ends where a member's name in double quotes is needed|:3:1: this is never closed/],
    ["nonsense", /:3:1: a value is needed here\n {2}nonsense\n {2}\^/],
    ["[]", /:3: a call is a JSON object/],
    ["7", /:3: a call is a JSON object/],
    ["{}", /:3: a call has a tool, or a command/],
    ['{"command": 1}', /:3: a command is a text/],
    ['{"tool": 1}', /:3: .*\(tool\)/],
    ['{"tool": "Bash", "command": "ls"}', /:3: beside a tool/],
    ['{"tool": "Bash", "arguments": 1}', /:3: .*\(arguments\)/],
    ['{"tool": "Bash", "subject": 1}', /:3: .*\(subject\)/],
    ['{"command": "\\ud800"}', /:3: .*\(arguments\.command\)/],
    ['{"command": "a", "command": "b"}', /:3:18: this member is there twice/],
    [`{"command": "${"x".repeat(1_100_000)}"}`, /:3: a text has at most 1048576/],
    ["x".repeat(9 << 20), /:3: a line has at most 8 MiB/],
  ];
  for (const [line, said] of cases) {
    const result = toolgate("replay", "--settings", bare, "-", { input: `{"command":"ls"}\n\n${line}\n{"command":"ls"}\n` });
    exits(2, result);
    assert.match(result.stderr, said);
    assert.ok(result.stderr.length < 2000, "a long line is cut");
    assert.equal(result.stdout, "");
  }
  const binary = file("binary.jsonl", new Uint8Array([0x7b, 0x7d, 0xff, 0xfe, 0x00, 0x0a]));
  assert.match(toolgate("replay", "--settings", bare, binary).stderr, /binary\.jsonl:1: this is not UTF-8 text/);
  const { error } = JSON.parse(toolgate("replay", "--settings", bare, "--json", "-", { input: '{"command":"ls"}\n{]\n' }).stdout);
  assert.deepEqual([error.code, error.line, error.column], ["bad-json", 2, 2]);
});

test("no calls, no file, a folder: 2", () => {
  assert.match(toolgate("replay", "--settings", bare, file("empty.jsonl", "")).stderr, /there is no call in it/);
  assert.match(toolgate("replay", "--settings", bare, join(dir, "none.jsonl")).stderr, /there is no such file/);
  assert.match(toolgate("replay", "--settings", bare, dir).stderr, /this is a folder/);
  for (const path of [file("empty.jsonl", "\n\n"), join(dir, "none.jsonl"), dir]) exits(2, toolgate("replay", "--settings", bare, path));
});

test("a large settings file with thousands of mistakes is answered quickly, and not with thousands of lines", () => {
  const allow = Array.from({ length: 15_000 }, (_, n) => `Bash(echo ${"x".repeat(200)}${n}`);
  const large = file("large.json", JSON.stringify({ allow }, undefined, 1));
  const begun = performance.now();
  const result = toolgate("explain", "--settings", large, "--", "Bash", "ls");
  exits(2, result);
  assert.match(result.stderr, /has 15000 errors/);
  assert.match(result.stderr, /and 14950 more; --json shows all\n$/);
  assert.ok(result.stderr.length < 30_000);
  const { error } = JSON.parse(toolgate("explain", "--settings", large, "--json", "--", "Bash", "ls").stdout);
  assert.deepEqual([error.diagnostics.length, error.diagnostics.at(-1).inFile.line], [15_000, 15_002]);
  assert.ok(performance.now() - begun < 30_000);
});

test("a long file is streamed: memory does not grow with it", async () => {
  const child = spawn(process.execPath, ["--max-old-space-size=64", command, "replay", "--settings", agent, "--json", "-"], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  const block = jsonl(Array.from({ length: 1000 }, (_, n) => ({ command: `git status ${"x".repeat(1000)}${n}` })));
  for (let n = 0; n < 100; n += 1) {
    if (!child.stdin.write(block)) await new Promise((next) => child.stdin.once("drain", next));
  }
  child.stdin.end();
  const status = await new Promise((done) => child.once("close", done));
  assert.equal(status, 0);
  assert.equal(JSON.parse(out).kinds.allow, 100_000);
});

test("a reader that goes away early is no failure", async () => {
  const child = spawn(command, ["replay", "--settings", agent, "-"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdout.destroy();
  child.stdin.end(jsonl(CALLS));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  await new Promise((done) => child.once("close", done));
  assert.equal(said, "");
});

test("colours on a terminal only, and never against the user's word", async () => {
  const { inks } = await import("./node_modules/toolgate/cli/terminal.js");
  const red = "\u001b[1m\u001b[31mx\u001b[39m\u001b[22m";
  assert.equal(inks({ isTTY: true }, {}).deny("x"), red);
  for (const [stream, environment] of [
    [{ isTTY: true }, { NO_COLOR: "1" }],
    [{ isTTY: true }, { NO_COLOR: "" }],
    [{ isTTY: true }, { TERM: "dumb" }],
    [{ isTTY: false }, {}],
    [{}, {}],
  ]) {
    assert.equal(inks(stream, environment).deny("x"), "x");
  }
});

test("carets stand under what they mean, also in wide, invisible and long text", async () => {
  const { underlined } = await import("./node_modules/toolgate/cli/terminal.js");
  const check = (text, start, end, line, carets, columns = 40) => assert.deepEqual(underlined(text, { start, end }, columns), { line, carets });
  check("Bash(ls) x", 8, 10, "Bash(ls) x", "        ^^");
  check("Bash", 4, 4, "Bash", "    ^");
  check("", 0, 0, "", "^");
  check("日本(é", 2, 4, "日本(é", "    ^^");
  check("a\u0000\u200bb", 3, 4, "a\\u{0}\\u{200b}b", "              ^", 60);
  check("a\u0000\u200bb", 3, 4, "…\\u{200b}b", "         ^");
  check("a\tb", 1, 2, "a\\tb", " ^^");
  check(`${"x".repeat(100)}(y`, 100, 102, `…${"x".repeat(12)}(y`, `${" ".repeat(13)}^^`);
  check(`(${"y".repeat(100)}`, 0, 101, `(${"y".repeat(37)}…`, "^".repeat(39));
});

test("the demo's own data: every kind of decision, no diagnostics but notes", () => {
  const root = process.env.TOOLGATE_ROOT;
  assert.ok(root, "TOOLGATE_ROOT names the repository");
  const demo = join(root, "tests/corpus/demo");
  const result = toolgate("replay", "--settings", join(demo, "settings.json"), "--json", join(demo, "calls.jsonl"));
  exits(1, result);
  const { calls, kinds, diagnostics } = JSON.parse(result.stdout);
  assert.ok(calls >= 500);
  for (const [kind, count] of Object.entries(kinds)) assert.ok(count >= 10, `${kind}: ${count}`);
  assert.deepEqual(diagnostics.filter(({ severity }) => severity !== "info"), []);
});
