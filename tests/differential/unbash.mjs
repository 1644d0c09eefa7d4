// Readings beside what `unbash` parses: the words, assignments and redirects of every simple command, over real commands.
//
//   TOOLGATE_PACKAGE=dist/package node tests/differential/unbash.mjs
//
// Over the commands of the repository and, where TOOLGATE_CORPUS names it, of the larger corpus. A difference that
// `tests/corpus/differential.json` does not list fails, and so does an entry that differs no longer. TOOLGATE_UPDATE=1
// writes new differences there under the reason `unexplained`, which fails until a person has found the reason.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { difference } from "./compare.mjs";
import { commandsOf } from "./ours.mjs";
import { commandsOf as parsed } from "./peer.mjs";

const root = resolve(import.meta.dirname, "../..");
const package_ = resolve(root, process.env.TOOLGATE_PACKAGE ?? "dist/package");
const { readShellCommand } = await import(pathToFileURL(join(package_, "node.js")));

/** Sources whose commands may be copied; of others only the place is written. */
const COPIED = new Set(["tldr", "nl2bash"]);

function entries(file) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line, at) => ({ ...JSON.parse(line), line: at + 1 }));
}

const corpus = process.env.TOOLGATE_CORPUS;
const commands = new Map();
for (const file of [join(root, "tests/corpus/commands/commands.jsonl"), ...(corpus ? [join(corpus, "commands.jsonl")] : [])]) {
  for (const { source, command, line } of entries(file)) commands.set(COPIED.has(source) ? command : `${source} ${line}`, command);
}
if (!corpus) console.log("TOOLGATE_CORPUS is not set: only the commands of the repository are compared");

const file = join(root, "tests/corpus/differential.json");
const listed = JSON.parse(readFileSync(file, "utf8"));
const known = new Map(Object.entries(listed.unbash).flatMap(([reason, names]) => names.map((name) => [name, reason])));

const counts = { same: 0, listed: 0, incomplete: 0 };
const wrong = [];
for (const [name, command] of commands) {
  const reading = readShellCommand(command);
  if (!reading.complete) {
    counts.incomplete++;
    continue;
  }
  const theirs = parsed(command);
  const found = theirs === undefined ? "not parsed" : difference(command, commandsOf(reading), theirs);
  if (found === undefined) {
    counts.same++;
    if (known.has(name)) wrong.push(`no longer differs, but is listed: ${name}`);
  } else if (known.has(name)) {
    counts.listed++;
    if (!(known.get(name) in listed.reasons)) wrong.push(`${known.get(name)} is no reason: ${name}`);
  } else {
    wrong.push(`${found} differ: ${name}`);
    if (process.env.TOOLGATE_UPDATE) (listed.unbash.unexplained ??= []).push(name);
  }
}

if (process.env.TOOLGATE_UPDATE) writeFileSync(file, `${JSON.stringify(listed, undefined, 2)}\n`);
console.log(`${commands.size} commands: ${counts.same} the same, ${counts.listed} listed, ${counts.incomplete} not read completely`);
for (const line of wrong) console.log(line);
console.log(`${counts.same + counts.listed} passed`);
process.exitCode = wrong.length === 0 ? 0 : 1;
