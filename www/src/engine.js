// The package behind the page: compiles the rules when they change, decides at every change.
import { Policy } from "toolgate";
import { rulesOf } from "./rule_text.js";

export const BEHAVIORS = ["allow", "ask", "deny"];

export class Engine {
  #key;
  #policy;
  #diagnostics = [];

  /**
   * What comes out of a state: `diagnostics` by behavior, each with its line; and the `decision`, or `problem` where there
   * is none. Nothing throws: whatever the user types is an answer too.
   */
  decide(state) {
    const lists = Object.fromEntries(BEHAVIORS.map((behavior) => [behavior, rulesOf(state[behavior])]));
    this.#compile(state.dialect, lists);
    const diagnostics = this.#diagnostics.map((diagnostic) => placed(diagnostic, lists));
    if (this.#policy === undefined) return { diagnostics, problem: "rules" };
    try {
      const decision = this.#policy.decide(callOf(state), stateOf(state));
      return { diagnostics, decision, place: decision.rule && placeOf(decision.rule.path, lists) };
    } catch (error) {
      return { diagnostics, problem: "call", message: error.message };
    }
  }

  #compile(dialect, lists) {
    const rules = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map(({ text }) => text)]));
    const config = { dialect, rules };
    const key = JSON.stringify(config);
    if (key === this.#key) return;
    this.#policy?.free();
    this.#policy = undefined;
    this.#key = key;
    try {
      this.#diagnostics = Policy.check(config);
      if (!this.#diagnostics.some(({ severity }) => severity === "error")) this.#policy = new Policy(config);
    } catch (error) {
      // A limit: there is more than the package reads at all.
      this.#diagnostics = [{ severity: "error", code: error.code ?? "failed", message: error.message, path: [] }];
    }
  }
}

function callOf({ tool, subject }) {
  return subject === "" ? { tool } : { tool, subject };
}

function stateOf({ mode, cwd }) {
  return cwd === "" ? { mode } : { mode, cwd };
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
