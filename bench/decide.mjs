// Times of `Policy.decide` against a bare call into the module: a string in, a string out.
import { Policy, unescapeRuleContent } from "toolgate";
import { policyOf } from "./cases.mjs";
import { each, measure, median } from "./clock.mjs";
import { commands, sample } from "./corpus.mjs";
import { row } from "./rows.mjs";

const command = "npm run build -- --filter web";
const allow = ["npm test", "git status", "git diff", "git log", "cargo check", "cargo test", "ls", "cat src/", "rg ", "npm run lint"];
const deny = ["rm ", "curl ", "wget ", "sudo ", "git push", "dd ", "mkfs", "chmod ", "npm publish", "npm run deploy"];
const rules = {
  allow: allow.map((content) => `Bash(${content})`),
  deny: deny.map((content) => `Bash(${content})`),
};
const CROSSING = "a string's crossing";

export function bare() {
  const policy = new Policy({ dialect: "dsh-0.5", rules });
  const call = { tool: "Bash", arguments: { command } };
  const state = { mode: "default", cwd: "/repo" };
  const times = measure([() => unescapeRuleContent(command), () => policy.decide(call, state)]);
  policy.free();
  return [row("decide, dsh-0.5, 20 rules", CROSSING, times, { most: 8 })];
}

/** In the middle of all commands by length, and of those of this length by text. */
const middle = () => [...commands].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[commands.length >> 1];

/** The reading of the line is in it. Once for the one command, once for all: each against its own crossing. */
export function crossing() {
  const policy = policyOf(200);
  const decide = (command) => policy.decide({ tool: "Bash", arguments: { command } });
  const one = middle();
  console.error(`the median command: ${JSON.stringify(one)}`);
  const times = measure([() => unescapeRuleContent(one), () => decide(one)]);
  const all = sample(commands, 1_500);
  const [bases, ours] = [each(all, (command) => unescapeRuleContent(command)), each(all, decide)];
  policy.free();
  const ratios = median(ours.map((time, at) => time / bases[at]));
  const over = [{ nanoseconds: median(bases) }, { nanoseconds: median(ours), ratio: ratios }];
  return [
    row("decide at 200 rules, the median command", CROSSING, times, { most: 10 }),
    row("decide at 200 rules, median over the commands", CROSSING, over, { most: 10 }),
  ];
}
