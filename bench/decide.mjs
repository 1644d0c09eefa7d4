// Times of `Policy.decide` against a bare call into the module: a string in, a string out.
// Prints a JSON list; `cargo xtask bench` knows what it holds.
import { Policy, unescapeRuleContent } from "toolgate";
import { measure } from "./clock.mjs";

const command = "npm run build -- --filter web";
const allow = ["npm test", "git status", "git diff", "git log", "cargo check", "cargo test", "ls", "cat src/", "rg ", "npm run lint"];
const deny = ["rm ", "curl ", "wget ", "sudo ", "git push", "dd ", "mkfs", "chmod ", "npm publish", "npm run deploy"];
const rules = {
  allow: allow.map((content) => `Bash(${content})`),
  deny: deny.map((content) => `Bash(${content})`),
};

const policy = new Policy({ dialect: "dsh-0.5", rules });
const call = { tool: "Bash", arguments: { command } };
const state = { mode: "default", cwd: "/repo" };

const [bare, decide] = measure([() => unescapeRuleContent(command), () => policy.decide(call, state)]);
policy.free();

const line = (name, { nanoseconds, ratio }, most) => ({
  name,
  nanoseconds: Math.round(nanoseconds),
  bare_nanoseconds: Math.round(bare.nanoseconds),
  ratio: Number(ratio.toFixed(2)),
  most,
});
console.log(JSON.stringify([line("decide, dsh-0.5, 20 rules", decide, 8)]));
