// The decision: a word and a shape first, then the rule, reason and stage that made it.
import { element, quiet, setText } from "./element.js";
import { BEHAVIORS } from "./engine.js";
import { visible } from "./hidden.js";
import { ruleButton } from "./rule_button.js";

const MEANS = {
  allow: "This call may run.",
  ask: "A person has to say yes first.",
  deny: "This call must not run.",
  passthrough: "No rule says anything. The agent's own default holds, which mostly is to ask.",
};

export class DecisionView {
  #root;
  #show;

  /** `show` takes a place in the rules. */
  constructor(root, show) {
    this.#root = root;
    this.#show = show;
  }

  render({ explanation, diagnostics, problem, message, placeOf }, { mode }) {
    if (problem === "rules") return this.#withoutRules(diagnostics);
    if (problem === "call") return this.#say("none", "No decision", message);
    const { kind, effective, stage, rule, reason, mode: inForce, readOnly } = explanation.decision;
    this.#say(effective, effective, effective === kind ? MEANS[kind] : `${MEANS[effective]} Its risk is low, and the mode ${inForce} lifts the question.`);
    const rows = [["Rule", rule === undefined ? quiet("none") : this.#rule(rule, placeOf(rule.path))]];
    if (reason !== undefined) rows.push(["Reason", element("span", {}, ...visible(reason))]);
    rows.push(["Stage", term(stage, explanation.stages.find((each) => each.stage === stage).note)]);
    if (effective !== kind) rows.push(["Decision", term(kind, `${effective} is what is left of it`)]);
    if (inForce !== mode) rows.push(["Mode", term(inForce, "the mode in force")]);
    if (readOnly) rows.push(["Tool", "only reads"]);
    this.#rows(rows);
  }

  /** Nothing works. */
  broken(message) {
    this.#say("none", "Broken", message);
  }

  #withoutRules(diagnostics) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const count = errors.length === 1 ? "One rule is" : `${errors.length} rules are`;
    this.#say("none", "No decision", `${count} not readable. As long as that is so, nothing is decided.`);
    this.#rows(errors.slice(0, 5).map((error) => [where(error), this.#jump(error)]));
  }

  #say(kind, word, meaning) {
    this.#root.querySelector('[data-part="verdict"]').dataset.kind = kind;
    setText(this.#root.querySelector('[data-part="kind"]'), word);
    setText(this.#root.querySelector('[data-part="meaning"]'), meaning);
    this.#rows([]);
  }

  #rows(rows) {
    const parts = rows.flatMap(([name, value]) => [element("dt", { textContent: name }), element("dd", {}, value)]);
    this.#root.querySelector('[data-part="reasons"]').replaceChildren(...parts);
  }

  #rule(rule, place) {
    const says = place === undefined ? `${rule.behavior}, source ${rule.source}` : `${rule.behavior}, line ${place.line + 1}`;
    const whole = document.createDocumentFragment();
    whole.append(ruleButton(rule, place, this.#show, [rule.text]), " ", quiet(says));
    return whole;
  }

  #jump({ message, place, columns }) {
    const button = element("button", { type: "button", className: "link", textContent: message, disabled: place === undefined });
    if (place !== undefined) button.addEventListener("click", () => this.#show({ behavior: place.behavior, line: place.line, ...columns }));
    return button;
  }
}

function where({ place }) {
  return place === undefined || !BEHAVIORS.includes(place.behavior) ? "Rules" : `${place.behavior}, line ${place.line + 1}`;
}

function term(word, says) {
  const whole = document.createDocumentFragment();
  whole.append(element("code", { textContent: word }), " ", quiet(says));
  return whole;
}
