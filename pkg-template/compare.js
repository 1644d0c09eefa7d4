// What changes where a policy is another one, or where another agent reads it.
import { elements, member, object, tryJsonText, word } from "./arguments.js";
import { PolicyError, RuleError, argumentError } from "./errors.js";
import { Policy, changesFrom, isPolicy } from "./policy.js";
import vocabulary from "./vocabulary.js";

export function comparePolicies(before, after, calls, state) {
  for (const [value, name] of [
    [before, "before"],
    [after, "after"],
  ]) {
    if (!isPolicy(value)) throw argumentError("not-a-policy", "a Policy is needed", [name]);
  }
  return changesFrom(before, [after], calls, state)[0];
}

export function compareDialects(config, calls, options = {}) {
  const given = object(options, ["options"]);
  const state = member(given, "state", ["options"]);
  const asked = member(given, "dialects", ["options"]) ?? undefined;
  // Read once: every dialect is asked about the same configuration.
  const json = tryJsonText(config);
  const read = json === undefined ? config : JSON.parse(json);
  const compiled = [];
  try {
    const own = new Policy(read);
    compiled.push(own);
    // What is wrong with the state in every dialect is thrown here.
    own.decide(PROBE, state);
    const names = asked === undefined ? vocabulary.dialects.filter((name) => name !== own.dialect) : dialectsOf(asked);
    const differences = names.map((dialect) => {
      const theirs = { ...read, dialect };
      const [policy, refusal] = under(theirs, state);
      if (policy === undefined) return { dialect, diagnostics: refusal };
      compiled.push(policy);
      return { dialect, diagnostics: Policy.check(theirs), changes: policy };
    });
    const compared = differences.filter(({ changes }) => changes !== undefined);
    const changes = changesFrom(own, compared.map(({ changes }) => changes), calls, state);
    compared.forEach((difference, nth) => (difference.changes = changes[nth]));
    return differences;
  } finally {
    for (const policy of compiled) policy.free();
  }
}

/** Any call: what is asked is whether the state can be. */
const PROBE = Object.freeze({ tool: "Read" });

/** The policy, or the diagnostics of what another dialect does not take: a configuration, a grant, a mode. */
function under(config, state) {
  let policy;
  try {
    policy = new Policy(config);
    policy.decide(PROBE, state);
    return [policy];
  } catch (error) {
    policy?.free();
    if (error instanceof PolicyError) return [undefined, error.diagnostics];
    const { code, message, path, span, hint } = error;
    if (!(error instanceof RuleError) && code !== "mode-not-in-dialect") throw error;
    const refusal = { severity: "error", code, message, path };
    if (span) refusal.span = span;
    if (hint) refusal.hint = hint;
    return [undefined, [refusal]];
  }
}

function dialectsOf(list) {
  const path = ["options", "dialects"];
  const { dialects } = vocabulary;
  return Array.from(elements(list, path), (name, at) => dialects[word(name, dialects, "unknown-dialect", [...path, at])]);
}
