// Reading a line through the package, and natively, against parsing it with `unbash` and walking out the same: medians over
// the commands of what each command takes.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readShellCommand } from "toolgate";
import { each, median } from "./clock.mjs";
import { commands, sample } from "./corpus.mjs";
import { row } from "./rows.mjs";
import { commandsOf } from "./stack/walk.mjs";

const COMMANDS = 1500;

/** A command that another one runs; a parser does not look for those. */
export const isBehind = ({ context }) => BEHIND.has(context);

const BEHIND = new Set(["wrapper", "xargs", "find-exec", "shell-text", "eval", "shell-input"]);

/** A walk that leaves commands out would be quick for nothing. */
function assertSameWork(lines) {
  const count = (found) => found.filter(({ words, assignments }) => words.length > 0 || assignments.length > 0).length;
  const own = (line) => count(readShellCommand(line).commands.filter((command) => !isBehind(command)).filter(({ words }) => words[0] !== "[[" && words[0] !== "(("));
  const both = lines.filter((line) => readShellCommand(line).complete && commandsOf(line) !== undefined);
  const same = both.filter((line) => own(line) === count(commandsOf(line)));
  console.error(`reading: as many commands as unbash on ${same.length} of ${both.length} lines`);
  if (same.length < both.length * 0.98) throw new Error("the walk over unbash's tree is not the same work");
}

export function reading() {
  const lines = sample(commands, COMMANDS);
  assertSameWork(lines);
  const peer = each(lines, commandsOf);
  const ours = each(lines, readShellCommand);
  const file = join(import.meta.dirname, "lines.jsonl");
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const native = JSON.parse(execFileSync(process.env.TOOLGATE_MEASURE, ["read", file], { encoding: "utf8" }));
  const of = (name, times, most) => {
    const ratio = median(times.map((time, at) => time / peer[at]));
    return row(name, "unbash", [{ nanoseconds: median(peer) }, { nanoseconds: median(times), ratio }], { most, peer: true });
  };
  return [of("read a line", ours, 1), of("read a line natively", native, 1 / 1.5)];
}
