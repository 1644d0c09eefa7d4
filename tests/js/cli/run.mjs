// The command as it is installed, and a folder for what a test hands to it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

export const command = join(import.meta.dirname, "../node_modules/.bin/toolgate");
export const dir = mkdtempSync(join(tmpdir(), "toolgate-cli-"));
after(() => rmSync(dir, { recursive: true, force: true }));

/** What a terminal would obey, or people would not see; line ends are neither. */
export const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2028\u2029\ufeff\u{e0000}-\u{e007f}]/u;

/** Writes a file; gives its name. */
export function file(name, content) {
  const path = join(dir, name);
  writeFileSync(path, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
}

/** Runs it; the last word may be an object with `input` or `env`. */
export function toolgate(...words) {
  const { input = "", env = {} } = typeof words.at(-1) === "object" ? words.pop() : {};
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...plain } = process.env;
  const options = { cwd: dir, input, env: { ...plain, ...env }, encoding: "utf8", maxBuffer: 1 << 28 };
  const { status, stdout, stderr } = spawnSync(command, words, options);
  // Whatever was asked: nothing that a terminal would obey, but for line ends, and colours where they were asked for.
  for (const text of [stdout, stderr]) {
    const plain = env.FORCE_COLOR === undefined ? text : text.replace(/\u001b\[\d+m/g, "");
    assert.doesNotMatch(plain.replaceAll("\n", ""), UNSEEN);
    assert.doesNotMatch(text, /\n\s+at .*\.js:\d+/, "no stack");
  }
  return { status, stdout, stderr };
}

export function exits(status, { status: was, stdout, stderr }) {
  assert.equal(was, status, `${stdout}\n${stderr}`);
}

export function jsonl(calls) {
  return calls.map((call) => `${JSON.stringify(call)}\n`).join("");
}

/** Means harm to a terminal and to people who read. */
export const EVIL = "\u001b]0;x\u0007\u001b[2J\r\u202egnp.exe\u2066\u200b\u009b31m\u2028\u{e0041}";
