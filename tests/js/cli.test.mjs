// The command `toolgate`, as it is installed: options, settings and `explain`; every exit code, and input that means harm.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dir, EVIL, exits, file, toolgate } from "./cli/run.mjs";

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
    assert.ok(stdout.split("\n").every((line) => line.length <= 126), stdout);
  }
  for (const name of ["check", "explain", "replay", "diff", "suggest"]) {
    const { stdout } = toolgate(name, "--help");
    for (const said of [/Exit codes\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /, /SETTINGS is a JSON file/, /--dialect/, /--json/, /NO_COLOR/]) assert.match(stdout, said, name);
    assert.match(stdout, new RegExp(`^ {2}toolgate ${name} \\S`, "m"), "an example");
    assert.ok(toolgate("--help").stdout.includes(`toolgate ${name} `));
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
    ["explain", agent, "--", "Bash", "git", "status"],
    ["explain", agent, "--fail-on", "error", "--", "Bash"],
    ["check"],
    ["check", agent, "--fail-on", "none"],
    ["check", agent, "--mode", "plan"],
    ["diff", agent],
    ["diff", agent, bare],
    ["diff", agent, bare, own, "--calls", "a"],
    ["diff", "-", agent, "--calls", "-"],
    ["suggest", agent],
    ["suggest", agent, "--calls", "a", "--", "Bash", "ls"],
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
  assert.ok(lines.includes("stage content-rule: Rules with content decided."));
  const rule = lines.indexOf("rule deny Bash(git push --force) [userSettings]");
  assert.equal(lines[rule + 1], `${agent}:1:86 permissions.deny[0]`, stdout);
});

test("explain as JSON is the explanation of the package", async () => {
  const { status, stdout, stderr } = toolgate("explain", "--settings", agent, "--json", "--", "Bash", "git push --force");
  assert.deepEqual([status, stderr], [1, ""]);
  const { call, dialect, state, diagnostics, ...explanation } = JSON.parse(stdout);
  const { decision } = explanation;
  const { configFromSettings, Policy } = await import("toolgate");
  const { config } = configFromSettings(JSON.parse(readFileSync(agent, "utf8")).permissions);
  assert.deepEqual([explanation, state], [JSON.parse(JSON.stringify(new Policy(config).explain(call))), {}]);
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
    ["{\n  /* why\n}", /:2:3: this comment is never closed/],
    ["{'a': 1}", /:1:2: this is no JSON: names and texts stand in double quotes/],
    ["Allow git, please. Deny rm.", /:1:1: this is no JSON.*\n {2}Allow git/],
    ['{"allow": ["a" "b"]}', /:1:16: a comma or \] is needed here/],
    ['{"allow": [}', /:1:12: a value is needed here/],
    ['{"allow"', /:1:9: the text ends where a colon is needed/],
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
    [new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), /:1:1: this is no JSON/],
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

test("text that means harm is shown as it is, never obeyed: in rules, names of members, calls, options, file names", () => {
  const rules = file("evil.json", { deny: [`Bash(${EVIL}) x`], [EVIL]: 1 });
  const broken = toolgate("explain", rules, "--", "Bash", EVIL);
  exits(2, broken);
  assert.match(broken.stderr, /\\u\{1b\}\[2J\\r\\u\{202e\}gnp\.exe\\u\{2066\}\\u\{200b\}\\u\{9b\}31m\\u\{2028\}\\u\{e0041\}/);
  const evil2 = file("evil2.json", { deny: [`Bash(${EVIL})`], [EVIL]: 1 });
  const denied = toolgate("explain", evil2, "--", "Bash", EVIL);
  exits(1, denied);
  assert.match(denied.stdout, /^DENY {2}Bash {2}\\u\{1b\}\]0;x\\u\{7\}/);
  const named = file(`evil${EVIL}.json`, '{"allow": ["Bash(ls"]}');
  for (const [name, ...words] of [
    [EVIL],
    ["explain", EVIL, "--", "Bash"],
    ["explain", named, "--", "Bash"],
    ["explain", evil2, "--", EVIL, EVIL],
    ["explain", evil2, "--dialect", "all", "--", "Bash", EVIL],
    ["explain", `--${EVIL}`, "--settings", bare, "--", "Bash"],
    ["explain", bare, "--mode", EVIL, "--", "Bash"],
    ["explain", bare, "--dialect", EVIL, "--", "Bash"],
    ["explain", bare, "--cwd", EVIL, "--", "Read", EVIL],
    ["explain", file("evil3.json", `{"allow": ["${EVIL.slice(9)}`), "--", "Bash"],
    ["explain", file("evil4.json", `${EVIL.slice(9)} is what I want`), "--", "Bash"],
    ["help", EVIL],
  ]) {
    // What is asked of both outputs is asked in the helper.
    const text = toolgate(name, ...words);
    const json = toolgate(name, "--json", ...words);
    if (name === "explain" && text.status !== 0) JSON.parse(json.stdout);
  }
  const { call } = JSON.parse(toolgate("explain", evil2, "--json", "--", "Bash", EVIL).stdout);
  assert.equal(call.subject, EVIL, "as JSON it is the same text");
});

test("settings may have comments, and places count them", () => {
  const commented = '// ours\n{\n  /* of the\n     team */ "allow": [\n    "Bash(ls)", // harmless\n    "Bash(git"\n  ]\n}\n';
  const result = toolgate("explain", file("commented.json", commented), "--", "Bash", "ls");
  exits(2, result);
  assert.match(result.stderr, /commented\.json:6:5 allow\[1\]/);
  exits(0, toolgate("explain", file("commented2.json", commented.replace("(git", "(git)")), "--", "Bash", "ls"));
  const text = file("slashes.json", { allow: ["WebFetch(domain:example.com)", "Bash(echo // /* */)"] });
  exits(0, toolgate("explain", text, "--", "Bash", "echo // /* */"));
});

test("settings are the first word, or an option; standard input too, once", () => {
  exits(0, toolgate("explain", bare, "--", "Bash", "ls"));
  exits(0, toolgate("explain", "-", "--", "Bash", "ls", { input: '{"allow": ["Bash(ls)"]}' }));
  const broken = toolgate("explain", "-", "--", "Bash", "ls", { input: '{"allow": ["Bash(ls"]}' });
  assert.match(broken.stderr, /^error: standard input has 1 error\n.*\n {2}at standard input:1:12 allow\[0\]/);
  exits(2, toolgate("replay", "-", "-", { input: "{}" }));
  exits(2, toolgate("explain", "Bash", "ls"));
});

test("a fault of the command itself has an exit code of its own, and no stack", () => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('String.prototype.padEnd=()=>{throw new Error("\\u001b[31m")}')}` };
  const result = toolgate("explain", bare, "--", "Bash", { env });
  exits(3, result);
  assert.equal(result.stderr, "error: toolgate itself failed: Error: \\u{1b}[31m\n");
});

test("a file of five megabytes is read, in seconds", () => {
  const rules = Array.from({ length: 19_000 }, (_, n) => `Bash(echo ${"y".repeat(250)}${n})`);
  const large = file("five.json", JSON.stringify({ deny: rules }, undefined, 1));
  const begun = performance.now();
  exits(1, toolgate("explain", large, "--json", "--", "Bash", `echo ${"y".repeat(250)}18999`));
  assert.ok(performance.now() - begun < 15_000);
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

test("colours on a terminal only, and never against the user's word", async () => {
  const { inks } = await import("./node_modules/toolgate/cli/terminal.js");
  const red = "\u001b[1m\u001b[31mx\u001b[39m\u001b[22m";
  assert.equal(inks({ isTTY: true }, {}).deny("x"), red);
  for (const FORCE_COLOR of ["", "1", "true", "3"]) assert.equal(inks({}, { FORCE_COLOR, TERM: "dumb" }).deny("x"), red);
  for (const [stream, environment] of [
    [{ isTTY: true }, { NO_COLOR: "1" }],
    [{ isTTY: true }, { NO_COLOR: "" }],
    [{ isTTY: true }, { TERM: "dumb" }],
    [{ isTTY: true }, { FORCE_COLOR: "0" }],
    [{ isTTY: true }, { FORCE_COLOR: "false" }],
    [{ isTTY: true }, { NO_COLOR: "1", FORCE_COLOR: "1" }],
    [{ isTTY: false }, {}],
    [{}, {}],
  ]) {
    assert.equal(inks(stream, environment).deny("x"), "x");
  }
  const forced = toolgate("explain", bare, "--", "Bash", "ls", { env: { FORCE_COLOR: "1" } });
  assert.match(forced.stdout, /^\u001b\[1m\u001b\[32mALLOW\u001b\[39m\u001b\[22m {2}Bash/);
  assert.match(toolgate("explain", bare, "--", "Bash", "ls").stdout, /^ALLOW {2}Bash/);
});

test("carets stand under what they mean, also in wide, invisible and long text", async () => {
  const { underlined } = await import("./node_modules/toolgate/cli/terminal.js");
  const check = (text, start, end, line, carets, columns = 40) => assert.deepEqual(underlined(text, { start, end }, columns), { line, carets });
  check("Bash(ls) x", 8, 10, "Bash(ls) x", "        ^^");
  check("Bash", 4, 4, "Bash", "    ^");
  check("", 0, 0, "", "^");
  check("日本(é", 2, 4, "日本(é", "    ^^");
  check("a\u0000\u200bb", 3, 4, "a\\u{0}\\u{200b}b", "              ^");
  check("a\tb", 1, 2, "a\\tb", " ^^");
  check("a\u0000\u200bb", 3, 4, "…\\u{200b}b", "         ^", 12);
  check(`${"x".repeat(100)}(y`, 100, 102, `…${"x".repeat(36)}(y`, `${" ".repeat(37)}^^`);
  check(`${"x".repeat(100)}(y${"z".repeat(100)}`, 100, 102, `…${"x".repeat(12)}(y${"z".repeat(24)}…`, `${" ".repeat(13)}^^`);
  check(`(${"y".repeat(100)}`, 0, 101, `(${"y".repeat(37)}…`, "^".repeat(39));
});
