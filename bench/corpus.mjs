// What the measures are taken on: real commands and rules where TOOLGATE_CORPUS names a folder of them, else the
// repository's own commands and rules made from their words.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.env.TOOLGATE_ROOT;
const corpus = process.env.TOOLGATE_CORPUS;
const lines = (file) => readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

export const commands = lines(corpus ? join(corpus, "commands.jsonl") : join(root, "tests/corpus/commands/commands.jsonl")).map(({ command }) => command);

/** Real rules, most frequent first, so that some decide; else whole commands and their first words. */
const written = corpus ? lines(join(corpus, "rules.txt")).map(({ rule }) => rule) : commands.flatMap(made);

function made(command) {
  const [name, second] = command.split(/\s+/);
  const text = (content) => `Bash(${content.replace(/[\\()]/g, "\\$&")})`;
  return [text(`${name} `), ...(second ? [text(`${name} ${second}`)] : []), ...(/[\n;&|]/.test(command) ? [] : [text(command)])];
}

/** `count` different rules: the real ones in their order, then ones that differ from them by a word at their end. */
export function rules(count) {
  const found = new Set();
  for (let round = 0; found.size < count; round++) {
    for (const rule of written) {
      if (found.size === count) break;
      const content = rule.endsWith(")") && rule.includes("(");
      if (round === 0) found.add(rule);
      else if (content) found.add(`${rule.slice(0, -1).replace(/:?\*$/, "")} x${round})`);
    }
  }
  return [...found];
}

/** A few of them, spread over all, so that a round stays short. */
export const sample = (list, count) => list.filter((_, at) => at % Math.ceil(list.length / count) === 0);

export const source = corpus ? "real commands and rules (TOOLGATE_CORPUS)" : "the repository's commands, and rules made from them";
