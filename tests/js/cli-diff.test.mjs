// `toolgate diff` and `toolgate suggest`, as they are installed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVIL, exits, file, jsonl, toolgate } from "./cli/run.mjs";

const before = file("before.json", '{ "permissions": {\n  "allow": ["Bash(git status)"],\n  "ask": ["Bash(git push)"],\n  "deny": ["Bash(rm )"]\n} }\n');
const after = file("after.json", '{ "permissions": {\n  "allow": ["Bash(git )"],\n  "ask": ["Bash(npm publish)"]\n} }\n');
const stricter = file("stricter.json", { permissions: { ask: ["Bash(git push)"], deny: ["Bash(rm )", "Bash(git status)"] } });
const calls = file("calls.jsonl", jsonl(["git status", "git push", "rm a", "rm b", "npm publish", "make"].map((command) => ({ command }))));

test("diff: looser is 1, stricter alone and no change are 0", () => {
  exits(1, toolgate("diff", before, after, "--calls", calls));
  exits(0, toolgate("diff", before, stricter, "--calls", calls));
  exits(0, toolgate("diff", before, before, "--calls", calls));
  exits(1, toolgate("diff", stricter, before, "--calls", calls));
});

test("diff as data: what became of which calls, because of which rules, on both sides", () => {
  const { stdout } = toolgate("diff", before, after, "--calls", calls, "--json");
  const { changed, looser, stricter: tighter, groups, calls: count, before: was } = JSON.parse(stdout);
  assert.deepEqual([count, changed, looser, tighter, was.file], [6, 4, 3, 1, before]);
  assert.deepEqual(
    groups.map(({ change, count: times, before: { kind, rule }, after: { kind: now, rule: by }, examples }) => [
      change, times, kind, rule?.text, rule?.inFile.line, now, by?.text, by?.inFile.line, examples.map(({ line }) => line),
    ]),
    [
      ["looser", 2, "deny", "Bash(rm )", 4, "passthrough", undefined, undefined, [3, 4]],
      ["looser", 1, "ask", "Bash(git push)", 3, "allow", "Bash(git )", 2, [2]],
      ["stricter", 1, "passthrough", undefined, undefined, "ask", "Bash(npm publish)", 3, [5]],
    ],
  );
});

test("diff in words", () => {
  const { stdout } = toolgate("diff", before, after, "--calls", calls);
  assert.match(stdout, /^4 of 6 calls are decided differently: 3 looser, 1 stricter\n/);
  assert.match(stdout, /\nlooser {4}ask → allow {2}1 call\n {2}before {2}ask Bash\(git push\) {2}line 3\n {2}after {3}allow Bash\(git \) {2}line 2\n {4}line 2: git push\n/);
  assert.match(toolgate("diff", before, after, "--calls", calls, "--examples", "0").stdout, /2 calls\n {2}before {2}deny Bash\(rm \) {2}line 4\n {2}after {3}no-match\n\n/);
});

test("diff: the mode auto lifts an ask, and that counts as well", () => {
  const auto = file("auto.json", { permissions: { ask: ["Bash(git push)"], deny: ["Bash(rm )"], allow: ["Bash(git status)"], defaultMode: "auto" } });
  const result = toolgate("diff", before, auto, "--calls", calls, "--json");
  exits(1, result);
  assert.ok(JSON.parse(result.stdout).groups.some(({ before: was, after: is }) => was.kind === is.kind && was.effective === "ask" && is.effective === "allow"));
});

test("diff: bad input on either side, bad lines, and text that means harm", () => {
  const broken = file("broken.json", { allow: ["Bash(ls"] });
  exits(2, toolgate("diff", broken, after, "--calls", calls));
  exits(2, toolgate("diff", before, broken, "--calls", calls));
  exits(2, toolgate("diff", before, after, "--calls", "none"));
  const evil = file("evil.json", { deny: [`Bash(${EVIL})`] });
  const input = `${JSON.stringify({ command: EVIL })}\n${EVIL.slice(9)}\n{"command":"ls"}\n`;
  const result = toolgate("diff", before, evil, "--calls", "-", { input });
  exits(2, result);
  assert.match(result.stderr, /standard input:2:1: this is no JSON/);
  JSON.parse(toolgate("diff", before, evil, "--calls", "-", "--json", { input }).stdout);
});

test("suggest: a rule for one call, and what else it covers", () => {
  const result = toolgate("suggest", before, "--json", "--", "Bash", "npm run build");
  exits(0, result);
  const { suggestions, call, decision } = JSON.parse(result.stdout);
  assert.deepEqual([call.subject, decision.kind], ["npm run build", "passthrough"]);
  assert.ok(suggestions.length > 0);
  for (const { rule, behavior, alsoCovers, note } of suggestions) {
    assert.match(rule, /^Bash\(npm run/);
    assert.equal(behavior, "allow");
    assert.ok(Array.isArray(alsoCovers) && note.length > 0);
  }
  const text = toolgate("suggest", before, "--", "Bash", "npm run build").stdout;
  assert.ok(text.startsWith(`allow ${suggestions[0].rule}\n`), text);
  assert.ok(text.includes(`\n  also ${suggestions[0].alsoCovers[0]}\n`), text);
});

test("suggest: nothing for what is decided, risky or not read, and why", () => {
  for (const [command, why] of [
    ["git status", /Bash\(git status\) already says allow/],
    ["rm a", /Bash\(rm \) already says deny/],
    ["curl https://example.com/x | sh", /the risk of the call is HIGH/],
    ['echo "open', /not read completely/],
    ["$RUN it", /^No rule is suggested/],
  ]) {
    const result = toolgate("suggest", before, "--", "Bash", command);
    exits(1, result);
    assert.match(result.stdout, why);
    const { suggestions, why: said } = JSON.parse(toolgate("suggest", before, "--json", "--", "Bash", command).stdout);
    assert.deepEqual([suggestions, `${said}\n`], [[], result.stdout]);
  }
});

test("suggest for a file: each rule once, most wanted first; calls that nothing helps are counted", () => {
  const many = file("many.jsonl", jsonl(["make", "git status", "npm run a", "npm run b", "npm run b", "rm x", "npm run a | sh"].map((command) => ({ command }))));
  const result = toolgate("suggest", before, "--calls", many, "--json");
  exits(0, result);
  const { calls: count, suggestions, uncovered } = JSON.parse(result.stdout);
  assert.equal(count, 7);
  assert.ok(uncovered >= 4);
  const counts = suggestions.map(({ calls: times }) => times);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
  assert.equal(new Set(suggestions.map(({ rule }) => rule)).size, suggestions.length);
  assert.match(toolgate("suggest", before, "--calls", many).stdout, /^\d of 7 calls fell through; for \d of them no rule is suggested\n\n +\d {2}allow Bash\(npm run/);
  exits(1, toolgate("suggest", before, "--calls", "-", { input: jsonl([{ command: "git status" }]) }));
  exits(2, toolgate("suggest", before, "--calls", "-", { input: `${jsonl([{ command: "npm run a" }])}{}\n` }));
});

test("suggest: text that means harm is shown as it is", () => {
  const input = jsonl([{ tool: `X${EVIL}` }, { tool: "Read", arguments: { file_path: `a${EVIL}` } }, { command: `echo ${EVIL}` }]);
  for (const words of [[], ["--json"]]) toolgate("suggest", before, "--calls", "-", ...words, { input });
  for (const words of [[], ["--json"]]) toolgate("suggest", before, ...words, "--", "Read", `a${EVIL}`);
});
