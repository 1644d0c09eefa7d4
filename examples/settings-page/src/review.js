// What a person should know before rules are saved. Plain data; the page puts it into words.

/** How much each decision lets through. Where no rule speaks, this agent asks. */
const LOOSENESS = { deny: 0, ask: 1, passthrough: 1, allow: 2 };

/**
 * Compares the rules that are saved with those that would be: `{ warnings, changes }`. Both configurations are without errors.
 * A warning is a finding of `lint` that the saved rules did not have; a change is a call with `before`, `after` and whether
 * more would be let through.
 */
export function review({ Policy, comparePolicies }, saved, wanted, { calls, state }) {
  const before = new Policy(saved);
  const after = new Policy(wanted);
  try {
    const known = new Set(before.lint().map((finding) => textOf(saved, finding)));
    const warnings = after
      .lint()
      .filter((finding) => finding.severity !== "info" && !known.has(textOf(wanted, finding)))
      .map((finding) => ({ ...finding, rule: ruleAt(wanted, finding.path) }));
    const changes = comparePolicies(before, after, calls, state).map(({ call, before, after }) => ({
      call,
      before: before.effective,
      after: after.effective,
      looser: LOOSENESS[after.effective] > LOOSENESS[before.effective],
    }));
    return { warnings, changes };
  } finally {
    before.free();
    after.free();
  }
}

/** A finding is the same wherever its rule stands. */
function textOf(config, { code, path }) {
  return JSON.stringify([code, ruleAt(config, path)]);
}

function ruleAt(config, path) {
  return path.reduce((value, step) => value?.[step], config);
}
