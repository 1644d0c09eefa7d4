// Policies and calls of the measures.
import { Policy } from "toolgate";
import { commands, rules, sample } from "./corpus.mjs";

/** As the dialect has them: there `npm:*` is a prefix with a colon, which its hint tells to write with a blank. */
const written = (rule) => rule.replace(/:\*\)$/, " )");

/** Rules that the dialect takes, dealt out to the lists: most allow, every seventh denies, every eleventh asks. */
export function lists(count) {
  const taken = rules(count + Math.ceil(count / 4) + 50).map(written);
  const wrong = new Set(Policy.check({ rules: { allow: taken } }).filter(({ severity }) => severity === "error").map(({ path }) => path[2]));
  // A rule that is a whole tool would settle every call at once.
  const fit = taken.filter((rule, at) => !wrong.has(at) && rule.endsWith(")")).slice(0, count);
  if (fit.length < count) throw new Error(`${fit.length} rules, ${count} wanted`);
  const list = (at) => (at % 7 === 6 ? "deny" : at % 11 === 10 ? "ask" : "allow");
  return Object.fromEntries(["allow", "deny", "ask"].map((name) => [name, fit.filter((_, at) => list(at) === name)]));
}

export const policyOf = (count) => new Policy({ rules: lists(count) });
export const calls = (count) => sample(commands, count).map((command) => ({ tool: "Bash", arguments: { command } }));
