// The decision: a word and a shape first, then everything that explains it.
// The words of the command, so that both say the same.
import { STAGES } from "../../pkg-template/cli/stages.js";
import { BEHAVIORS } from "./engine.js";

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

  render({ decision, diagnostics, problem, message, place }, { mode }) {
    if (problem === "rules") return this.#withoutRules(diagnostics);
    if (problem === "call") return this.#say("none", "No decision", message);
    const { kind, effective, stage, rule, reason, risk } = decision;
    this.#say(effective, effective, effective === kind ? MEANS[kind] : `${MEANS[effective]} Its risk is low, and the mode ${decision.mode} lifts the question.`);
    const rows = [["Rule", rule === undefined ? quiet("none") : this.#rule(rule, place)]];
    if (reason !== undefined) rows.push(["Reason", reason]);
    rows.push(["Stage", term(stage, STAGES[stage])]);
    if (effective !== kind) rows.push(["Decision", term(kind, `${effective} is what is left of it`)]);
    if (decision.mode !== mode) rows.push(["Mode", term(decision.mode, "the mode in force")]);
    if (decision.readOnly) rows.push(["Tool", "only reads"]);
    this.#rows(rows);
    this.#risk(risk);
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
    this.#root.querySelector("#verdict").dataset.kind = kind;
    // Unchanged text is not told again to those who listen.
    setText(this.#root.querySelector("#kind"), word);
    setText(this.#root.querySelector("#meaning"), meaning);
    this.#rows([]);
    this.#risk({ findings: [] });
  }

  #rows(rows) {
    const parts = rows.flatMap(([name, value]) => {
      const definition = document.createElement("dd");
      definition.append(value);
      return [Object.assign(document.createElement("dt"), { textContent: name }), definition];
    });
    this.#root.querySelector("#reasons").replaceChildren(...parts);
  }

  #rule({ text, behavior, source }, place) {
    const whole = document.createDocumentFragment();
    const code = Object.assign(document.createElement("button"), { type: "button", className: "rule", textContent: text });
    code.dataset.behavior = behavior;
    if (place === undefined) code.disabled = true;
    else {
      code.title = "Show this rule";
      code.addEventListener("click", () => this.#show({ ...place, start: place.indent, end: place.indent + place.length }));
    }
    const says = place === undefined ? `${behavior}, source ${source}` : `${behavior}, line ${place.line + 1}`;
    whole.append(code, " ", quiet(says));
    return whole;
  }

  #jump({ message, place, columns }) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: message });
    if (place === undefined) button.disabled = true;
    else button.addEventListener("click", () => this.#show({ behavior: place.behavior, line: place.line, ...columns }));
    return button;
  }

  /** Shown where there is something to say. */
  #risk({ findings }) {
    this.#root.querySelector("#risk").hidden = findings.length === 0;
    const items = findings.map(({ code, level, reason }) => {
      const item = document.createElement("li");
      item.className = level === "HIGH" ? "error" : "warning";
      item.append(Object.assign(document.createElement("span"), { className: "severity", textContent: level }));
      item.append(Object.assign(document.createElement("span"), { className: "message", textContent: reason }));
      item.append(Object.assign(document.createElement("code"), { textContent: code }));
      return item;
    });
    this.#root.querySelector("#findings").replaceChildren(...items);
  }
}

function where({ place }) {
  return place === undefined || !BEHAVIORS.includes(place.behavior) ? "Rules" : `${place.behavior}, line ${place.line + 1}`;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function quiet(text) {
  return Object.assign(document.createElement("span"), { className: "quiet-text", textContent: text });
}

function term(word, says) {
  const whole = document.createDocumentFragment();
  whole.append(Object.assign(document.createElement("code"), { textContent: word }), " ", quiet(says));
  return whole;
}
