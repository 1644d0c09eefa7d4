// The example host in a terminal, from end to end: what it says to a person that answers so.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { install } from "../consumers/install.mjs";

const example = fileURLToPath(new URL("../../examples/node-host", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "toolgate-host-"));
for (const part of ["src", "scripts", "settings.json"]) cpSync(join(example, part), join(dir, part), { recursive: true });
install(process.env.TOOLGATE_TARBALL, dir);
after(() => rmSync(dir, { recursive: true, force: true }));

/** One start of the host on that log; what it said, line by line. */
function start(log, answers) {
  const input = answers.map((answer) => `${answer}\n`).join("");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.mjs", log], { cwd: dir, input, encoding: "utf8", timeout: 20_000 });
  assert.deepEqual([status, stderr], [0, ""], stdout);
  assert.ok(!stdout.includes("SECRET"), "nothing of what a model said or threw is shown");
  return stdout.trimEnd().split("\n");
}

const events = (log) => readFileSync(join(dir, log), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const ORDINARY = ["  1 Allow once", "  2 Allow for this session", "  3 Reject"];
const SWITCH = ["  1 Allow once", "  2 Switch to Default Mode and allow once", "  3 Reject"];
const unavailable = (reason) => `! Auto mode could not judge this action (${reason}). Please decide yourself. If this keeps happening, switch to Default Mode.`;

test("decision, model, prompts, the switch of the mode and a grant, and what a second start finds", () => {
  assert.deepEqual(start("whole.jsonl", ["1", "1", "1", "3", "3", "2", "2"]), [
    "runs  Read src/app.ts (policy)",
    "stops Bash sudo make install (policy: blocked by risk classifier: runs a command with another user's rights)",
    "runs  Bash make docs (model)",
    "? Bash git push origin main (publishes commits)",
    ...ORDINARY,
    "runs  Bash git push origin main (person)",
    "  the model looks at scripts/release.mjs",
    "runs  Bash node scripts/release.mjs (model: a release was asked for, and the script only prints)",
    unavailable("invalid-response"),
    "? Bash node scripts/notes.mjs",
    ...SWITCH,
    "runs  Bash node scripts/notes.mjs (person)",
    unavailable("classifier timed out"),
    "? Bash make slow",
    ...SWITCH,
    "runs  Bash make slow (person)",
    unavailable("classifier output unparseable"),
    "? Bash make garbled",
    ...SWITCH,
    "stops Bash make garbled (person)",
    "warning: auto mode: the classifier failed several times in a row and is not asked any more",
    unavailable("classifier error"),
    "? Bash make broken",
    ...SWITCH,
    "stops Bash make broken (person)",
    "! Auto mode could not judge the last actions, so it was not asked about this one. Please decide yourself, or switch to Default Mode.",
    "? Bash make next",
    ...SWITCH,
    "  the mode is default from now on",
    "runs  Bash make next (person)",
    "? Bash make last",
    ...ORDINARY,
    "  Bash(make last) is allowed from now on",
    "runs  Bash make last (person)",
    "runs  Bash make last (policy)",
    "mode default; 1 allow, 3 ask, 1 timeout, 1 malformed, 1 breaker, 1 error",
  ]);
  const log = events("whole.jsonl");
  assert.deepEqual(
    log.map(({ type, data }) => data.failure ?? data.verdict ?? data.mode ?? type),
    ["allow", "ask", "ask", "ask", "timeout", "malformed", "breaker", "error", "default", "permission/session-allow"],
  );
  assert.ok(!/make|git|scripts|SECRET/.test(JSON.stringify(log.slice(0, 9))), "records have no text of a call");

  // The mode and the grant are those of the log; nobody is there to answer, so nothing is approved.
  const again = start("whole.jsonl", []);
  assert.equal(again.filter((line) => line.startsWith("runs ")).length, 3);
  assert.deepEqual(again.slice(-3), [
    "runs  Bash make last (policy)",
    "runs  Bash make last (policy)",
    "mode default; 1 allow, 3 ask, 1 timeout, 1 malformed, 1 breaker, 1 error",
  ]);
});

test("a command at a prompt switches the mode, and the same call is decided again", () => {
  const lines = start("command.jsonl", ["/permissions turbo", "what?", "/permissions default", "3"]);
  assert.equal(lines.filter((line) => line.startsWith("? Bash git push")).length, 3);
  assert.ok(lines.includes("  1 to 3, or /permissions MODE"));
  assert.ok(lines.includes("  the mode is default from now on"));
  assert.ok(lines.includes("? Bash git push origin main (requires approval by permission rule Bash(git push) [userSettings])"));
  // A mode that does not exist changes nothing: the model's answer was kept, and is given once more.
  assert.equal(lines.at(-1), "mode default; 1 allow, 2 ask");
});

test("where nobody answers from the start nothing is approved, and the model is not asked for long", () => {
  const lines = start("nobody.jsonl", []);
  assert.deepEqual(lines.filter((line) => line.startsWith("runs ")), [
    "runs  Read src/app.ts (policy)",
    "runs  Bash make docs (model)",
    "runs  Bash node scripts/release.mjs (model: a release was asked for, and the script only prints)",
  ]);
  // A script without a verdict and a call without an answer are two in a row.
  assert.equal(lines.at(-1), "mode auto; 1 allow, 3 ask, 1 timeout");
});

test("a log that was cut in the middle of a line costs no more than that line", () => {
  start("cut.jsonl", ["1", "1", "1", "3", "3", "2", "2"]);
  const file = join(dir, "cut.jsonl");
  const text = readFileSync(file, "utf8");

  writeFileSync(file, `{"type":"permission/mo\n${text}`);
  assert.equal(start("cut.jsonl", []).at(-1).split(";")[0], "mode default");
});
