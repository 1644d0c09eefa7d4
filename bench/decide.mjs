// Times of `Policy.decide` against a bare call into the module: a string in, a string out.
import { Policy, unescapeRuleContent } from "toolgate";
import { measure } from "./clock.mjs";

const command = "npm run build -- --filter web";
const allow = ["npm test", "git status", "git diff", "git log", "cargo check", "cargo test", "ls", "cat src/", "rg ", "npm run lint"];
const deny = ["rm ", "curl ", "wget ", "sudo ", "git push", "dd ", "mkfs", "chmod ", "npm publish", "npm run deploy"];
const rules = {
  allow: allow.map((content) => `Bash(${content})`),
  deny: deny.map((content) => `Bash(${content})`),
};

export function bare() {
  const policy = new Policy({ dialect: "dsh-0.5", rules });
  const call = { tool: "Bash", arguments: { command } };
  const state = { mode: "default", cwd: "/repo" };
  const [base, decide] = measure([() => unescapeRuleContent(command), () => policy.decide(call, state)]);
  policy.free();
  const { nanoseconds, ratio } = decide;
  return [{ name: "decide, dsh-0.5, 20 rules", nanoseconds, bare_nanoseconds: base.nanoseconds, ratio, most: 8, stable: true }];
}
