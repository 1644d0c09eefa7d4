// `toolgate replay`, as it is installed: counts, both outputs, lines that are no calls, and long files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { command, dir, EVIL, exits, file, jsonl, toolgate } from "./cli/run.mjs";

const agent = file("agent.json", {
  permissions: { allow: ["Read", "Bash(git status)"], ask: ["Bash(git push)"], deny: ["Bash(git push --force)"], defaultMode: "acceptEdits" },
});
const bare = file("bare.json", { allow: ["Bash(ls)"] });

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

test("a bad line is told of with its number, costs none of the others, and makes it 2", () => {
  const cases = [
    ["{", /:3:1: this is never closed with }/],
    ["nonsense", /:3:1: this is no JSON.*\n {2}nonsense\n {2}\^/],
    ['{"command": "ls"} // why', /:3:19: a call has no comments/],
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
    const input = `{"command":"ls"}\n\n${line}\n{"command":"ls -l"}\n`;
    const result = toolgate("replay", bare, "-", { input });
    exits(2, result);
    assert.match(result.stderr, said);
    assert.ok(result.stderr.length < 2000, "a long line is cut");
    assert.match(result.stdout, /^2 calls under/);
    const json = toolgate("replay", bare, "--json", "-", { input });
    exits(2, json);
    const { calls, badLines } = JSON.parse(json.stdout);
    assert.deepEqual([calls, badLines.count, badLines.first[0].line], [2, 1, 3]);
  }
  const binary = file("binary.jsonl", new Uint8Array([0x7b, 0x7d, 0xff, 0xfe, 0x00, 0x0a]));
  assert.match(toolgate("replay", bare, binary).stderr, /binary\.jsonl:1: this is not UTF-8 text/);
  const { badLines } = JSON.parse(toolgate("replay", bare, "--json", "-", { input: '{"command":"ls"}\n{]\n' }).stdout);
  assert.deepEqual(badLines.first.map(({ code, line, column }) => [code, line, column]), [["bad-json", 2, 2]]);
});

test("of many bad lines the first ones are shown, and all are counted", () => {
  const input = `{"command":"ls"}\n${"{}\n".repeat(5000)}`;
  const { status, stderr } = toolgate("replay", bare, "-", { input });
  assert.equal(status, 2);
  assert.equal(stderr.trim().split("\n").length, 21);
  assert.match(stderr, /\nand 4980 more lines that could not be used\n$/);
  const { error } = JSON.parse(toolgate("replay", bare, "--json", "-", { input: "{}\n".repeat(30) }).stdout);
  assert.deepEqual([error.code, error.badLines.count, error.badLines.first.length], ["no-call", 30, 20]);
});

test("calls that mean harm are shown as they are, never obeyed", () => {
  const settings = file("evil3.json", { deny: [`Bash(${EVIL})`] });
  const input = `${JSON.stringify({ command: EVIL, [EVIL]: 1 })}\n${EVIL.slice(9)}\n`;
  for (const words of [["replay", settings], ["replay", settings, "--coverage"]]) {
    exits(2, toolgate(...words, "-", { input }));
    JSON.parse(toolgate(...words, "--json", "-", { input }).stdout);
  }
  exits(2, toolgate("replay", settings, `none${EVIL}`));
});

test("no calls, no file, a folder: 2", () => {
  assert.match(toolgate("replay", "--settings", bare, file("empty.jsonl", "")).stderr, /there is no call in it/);
  assert.match(toolgate("replay", "--settings", bare, join(dir, "none.jsonl")).stderr, /there is no such file/);
  assert.match(toolgate("replay", "--settings", bare, dir).stderr, /this is a folder/);
  for (const path of [file("empty.jsonl", "\n\n"), join(dir, "none.jsonl"), dir]) exits(2, toolgate("replay", "--settings", bare, path));
});

/** Feeds the command more than it may keep. */
async function streamed(words, line, blocks) {
  const child = spawn(process.execPath, ["--max-old-space-size=64", command, ...words, "--json", "-"], { stdio: ["pipe", "pipe", "pipe"] });
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  for (let block = 0; block < blocks; block += 1) {
    const text = jsonl(Array.from({ length: 1000 }, (_, n) => line(block * 1000 + n)));
    if (!child.stdin.write(text)) await new Promise((next) => child.stdin.once("drain", next));
  }
  child.stdin.end();
  const status = await new Promise((done) => child.once("close", done));
  return { status, data: JSON.parse(out), said };
}

test("a long file is streamed: memory does not grow with it, and progress is for terminals", async () => {
  const { status, data, said } = await streamed(["replay", agent], (n) => ({ command: `git status ${"x".repeat(500)}${n}` }), 200);
  assert.deepEqual([status, data.kinds.allow, said], [0, 200_000, ""]);
});

test("neither does it with ever new names, words and bad lines", async () => {
  const { status, data } = await streamed(["replay", agent, "--coverage"], (n) => (n % 2 === 0 ? { command: `w${n} ${"x".repeat(300)}`, [`m${n}`]: 1 } : n), 40);
  assert.deepEqual([status, data.calls, data.badLines.count, data.coverage.uncovered], [2, 20_000, 20_000, 20_000]);
  assert.equal(Object.keys(data.ignoredMembers).length, 50);
});

test("coverage: of every rule what it decided and matched, and where it stands", () => {
  const calls = file("covered.jsonl", jsonl(CALLS));
  const { coverage } = JSON.parse(toolgate("replay", agent, "--coverage", "--json", calls).stdout);
  assert.equal(coverage.uncovered, 2);
  assert.deepEqual(
    coverage.rules.map(({ text, decided, matched, inFile }) => [text, decided, matched, inFile.path.join(".")]),
    [
      ["Read", 0, 0, "permissions.allow.0"],
      ["Bash(git status)", 2, 2, "permissions.allow.1"],
      ["Bash(git push --force)", 2, 2, "permissions.deny.0"],
      ["Bash(git push)", 1, 3, "permissions.ask.0"],
    ],
  );
  const { stdout } = toolgate("replay", agent, "--coverage", calls);
  assert.match(stdout, /\nCoverage {2}2 of 8 calls fell through; 1 of 4 rules met no call\n/);
  assert.match(stdout, /\n {6}1 {8}3 {2}ask Bash\(git push\) {2}line 1\n/);
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
