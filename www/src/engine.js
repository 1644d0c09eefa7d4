// The package behind the page: compiles the rules when they change, explains at every change.
import { DIALECTS, Policy } from "toolgate";
import { hiddenIn } from "./hidden.js";
import { rulesOf } from "./rule_text.js";

/** Of one rule. */
const MOST_HIDDEN = 5;
export const BEHAVIORS = ["allow", "ask", "deny"];

export class Engine {
  #compiled = new Map();

  /**
   * What comes out of a state: `diagnostics` by behavior, each with its line; the `explanation`, or the `problem` where
   * there is none; and for every dialect its `decision` or `problem`. Nothing throws: whatever the user types is an answer
   * too.
   */
  explain(state) {
    const lists = Object.fromEntries(BEHAVIORS.map((behavior) => [behavior, rulesOf(state[behavior])]));
    const outcomes = new Map(DIALECTS.map((dialect) => [dialect, this.#outcome(dialect, lists, state)]));
    const { diagnostics, ...outcome } = outcomes.get(state.dialect);
    return {
      ...outcome,
      diagnostics: [...diagnostics.map((diagnostic) => placed(diagnostic, lists)), ...hidden(lists)],
      dialects: [...outcomes].map(([dialect, { explanation, problem }]) => ({ dialect, decision: explanation?.decision, problem })),
      placeOf: (path) => placeOf(path, lists),
    };
  }

  #outcome(dialect, lists, state) {
    const { policy, diagnostics } = this.#policy(dialect, lists);
    if (policy === undefined) return { diagnostics, problem: "rules" };
    try {
      return { diagnostics, explanation: policy.explain(callOf(state), stateOf(state)) };
    } catch (error) {
      return { diagnostics, problem: "call", message: error.message };
    }
  }

  #policy(dialect, lists) {
    const rules = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map(({ text }) => text)]));
    const key = JSON.stringify(rules);
    const old = this.#compiled.get(dialect);
    if (old?.key === key) return old;
    old?.policy?.free();
    const fresh = { key, ...compiled({ dialect, rules }) };
    this.#compiled.set(dialect, fresh);
    return fresh;
  }
}

function compiled(config) {
  try {
    const diagnostics = Policy.check(config);
    const broken = diagnostics.some(({ severity }) => severity === "error");
    return { diagnostics, policy: broken ? undefined : new Policy(config) };
  } catch (error) {
    // A limit: there is more than the package reads at all.
    return { diagnostics: [{ severity: "error", code: error.code ?? "failed", message: error.message, path: [] }] };
  }
}

function callOf({ tool, subject }) {
  return subject === "" ? { tool } : { tool, subject };
}

function stateOf({ mode, cwd }) {
  return cwd === "" ? { mode } : { mode, cwd };
}

/** A text field shows no hidden characters, so they are said. */
function hidden(lists) {
  return BEHAVIORS.flatMap((behavior) =>
    lists[behavior].flatMap(({ text, line, indent }) =>
      hiddenIn(text, MOST_HIDDEN).map(({ at, length, code, name }) => ({
        severity: "warning",
        code: "hidden-character",
        message: `a hidden character: ${name === undefined ? code : `${name}, ${code}`}`,
        place: { behavior, line, indent, length: text.length },
        columns: { start: at + indent, end: at + indent + length },
      })),
    ),
  );
}

/** Which list and which line of it a path of the configuration means. */
function placeOf([first, behavior, index], lists) {
  const rule = first === "rules" ? lists[behavior]?.[index] : undefined;
  return rule && { behavior, line: rule.line, indent: rule.indent, length: rule.text.length };
}

function placed(diagnostic, lists) {
  const place = placeOf(diagnostic.path, lists);
  if (place === undefined) return diagnostic;
  // The span counts in the rule, the editor in the line.
  const { start, end } = diagnostic.span ?? { start: 0, end: place.length };
  return { ...diagnostic, place, columns: { start: start + place.indent, end: end + place.indent } };
}
