// The three lists of rules and the dialect that they are read under.
import { DIALECTS } from "toolgate";
import { BEHAVIORS } from "./engine.js";
import { fill } from "./choice.js";
import { TOOLS } from "./example.js";
import { RulesField } from "./rules_field.js";

/** Nobody reads more, and a browser has to lay them out at every key. */
const MOST_NOTES = 30;
const SAYS = { allow: "may run", ask: "a person says yes first", deny: "must not run" };

export class RuleLists {
  #dialect;
  #lists;

  constructor(place, dialect, changed) {
    this.#dialect = dialect;
    fill(dialect, DIALECTS, changed);
    const known = () => ({ tools: TOOLS, subjects: new Map(), dialect: dialect.value });
    this.#lists = Object.fromEntries(BEHAVIORS.map((behavior) => [behavior, new RuleList(place, behavior, known, changed)]));
  }

  get state() {
    const texts = BEHAVIORS.map((behavior) => [behavior, this.#lists[behavior].editor.value]);
    return { dialect: this.#dialect.value, ...Object.fromEntries(texts) };
  }

  load(state) {
    this.#dialect.value = state.dialect;
    for (const behavior of BEHAVIORS) this.#lists[behavior].editor.value = state[behavior];
  }

  /** Another dialect, as if it had been chosen by hand. */
  choose(dialect) {
    this.#dialect.value = dialect;
    this.#dialect.dispatchEvent(new Event("change"));
  }

  /** Underlines what is wrong, highlights what decided. */
  mark({ diagnostics, explanation, placeOf }) {
    const rule = explanation?.decision.rule;
    const place = rule && placeOf(rule.path);
    for (const behavior of BEHAVIORS) {
      const own = diagnostics.filter((diagnostic) => (diagnostic.place?.behavior ?? "allow") === behavior);
      this.#lists[behavior].mark(own, place?.behavior === behavior ? place.line : undefined);
    }
  }

  show({ behavior, line, start, end }) {
    this.#lists[behavior].editor.select({ line, start, end });
  }
}

class RuleList {
  #notes;

  constructor(place, behavior, known, changed) {
    const section = document.createElement("div");
    section.className = "list";
    section.dataset.behavior = behavior;
    const title = Object.assign(document.createElement("h3"), { id: `${behavior}-title` });
    const name = Object.assign(document.createElement("span"), { className: "name", textContent: behavior });
    const says = Object.assign(document.createElement("span"), { className: "says-so", textContent: SAYS[behavior] });
    title.append(name, " ", says);
    this.editor = new RulesField({ id: behavior, label: `${behavior} rules, one a line`, kind: behavior, known, onInput: changed });
    this.#notes = Object.assign(document.createElement("ul"), { className: "notes", id: `${behavior}-notes` });
    section.append(title, this.editor.element, this.#notes);
    place.append(section);
  }

  mark(diagnostics, decided) {
    const marks = diagnostics.filter(({ place }) => place !== undefined);
    this.editor.mark(marks, decided);
    this.editor.invalid(diagnostics.some(({ severity }) => severity === "error"));
    const notes = diagnostics.slice(0, MOST_NOTES).map((diagnostic) => this.#note(diagnostic));
    if (diagnostics.length > MOST_NOTES) {
      const textContent = `and ${diagnostics.length - MOST_NOTES} more, underlined above`;
      notes.push(Object.assign(document.createElement("li"), { className: "info", textContent }));
    }
    this.#notes.replaceChildren(...notes);
  }

  #note({ severity, code, message, hint, place, columns }) {
    const item = document.createElement("li");
    item.className = severity;
    item.dataset.code = code;
    const kind = Object.assign(document.createElement("span"), { className: "severity", textContent: severity });
    item.append(kind);
    if (place !== undefined) {
      const jump = Object.assign(document.createElement("button"), { type: "button", textContent: `line ${place.line + 1}` });
      jump.addEventListener("click", () => this.editor.select({ line: place.line, ...columns }));
      item.append(jump);
    }
    item.append(Object.assign(document.createElement("span"), { className: "message", textContent: message }));
    if (hint !== undefined) item.append(Object.assign(document.createElement("span"), { className: "hint", textContent: `Hint: ${hint}` }));
    return item;
  }
}
