// What the element says, in one place.

export const BEHAVIORS = ["allow", "ask", "deny"];

export const LISTS = {
  allow: "may run",
  ask: "a person says yes first",
  deny: "must not run",
  bypassImmune: "must not run, in no mode at all",
};

export const MEANS = {
  allow: "This call may run.",
  ask: "A person has to say yes first.",
  deny: "This call must not run.",
  passthrough: "No rule says anything; the agent's own default holds.",
};

/** The word on a badge. */
export const KINDS = { allow: "Allow", ask: "Ask", deny: "Deny", passthrough: "No rule", none: "No decision" };

export const MODES = {
  default: "default",
  acceptEdits: "accept edits",
  plan: "plan",
  bypassPermissions: "bypass permissions",
  auto: "auto",
  dontAsk: "don't ask",
};

export function plural(count, one, many = `${one}s`) {
  return `${count === 0 ? "no" : count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** How many of each severity; empty where there is nothing. */
export function tally(problems) {
  const of = (severity) => problems.filter((problem) => problem.severity === severity).length;
  const parts = [
    [of("error"), "error"],
    [of("warning"), "warning"],
    [of("info"), "note"],
  ];
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [plural(count, word)])).join(", ");
}

/** Which rules a group holds. */
export function titleOf(group) {
  return group.source === undefined ? "configuration" : group.source;
}

/** A line as people call it; its source is named where there are several. */
export function nameOf({ group, list, line }, groups) {
  return `${list}, line ${line + 1}${groups.length < 2 ? "" : ` of ${titleOf(group)}`}`;
}
