// The editor of one list of rules: the custom element's own, in a shadow root of its own, so that the page's policy holds.
import { RulesEditor } from "../../element/src/rules_editor.js";
import { editor as editorStyle } from "../../element/src/style/editor.js";
import { tokens } from "../../element/src/style/tokens.js";
import { element } from "./element.js";

const FRAME = new CSSStyleSheet();
FRAME.replaceSync(".unseen { padding: 0 0.1875rem; color: var(--hidden); font-size: 0.6875rem; border: 1px solid var(--hidden); border-radius: 0.1875rem; }");

export class RulesField {
  #editor;
  #label;
  #isSet = false;

  /** `known` gives `{ tools, subjects, dialect }` for the completion. */
  constructor({ id, label, kind, known, onInput }) {
    this.element = element("div", { className: "rules-field" });
    this.#label = label;
    const root = this.element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [tokens.styleSheet, editorStyle.styleSheet, FRAME];
    const inside = element("div", { data: { kind } });
    root.append(inside);
    this.#editor = new RulesEditor({ root, known, typed: () => this.#isSet || onInput() });
    this.id = id;
    this.invalid(false);
    inside.append(this.#editor.dom);
  }

  get value() {
    return this.#editor.document;
  }

  set value(value) {
    const { doc } = this.#editor.view.state;
    if (value === this.value) return;
    // Only what a person types is told.
    this.#isSet = true;
    this.#editor.view.dispatch({ changes: { from: 0, to: doc.length, insert: value } });
    this.#isSet = false;
  }

  invalid(isInvalid) {
    this.#editor.describe(this.#attributes(this.id, isInvalid), false);
  }

  /** Marks `{ severity, message, hint, place, columns }` at their places, and the line that decided or none. */
  mark(diagnostics, line) {
    const problems = diagnostics.map((diagnostic) => ({ ...diagnostic, fixes: [] }));
    this.#editor.show(problems, line === undefined ? undefined : { line });
  }

  /** Puts the caret at a place and selects it. */
  select({ line, start, end }) {
    this.#editor.select(line, { start, end });
  }

  #attributes(id, isInvalid) {
    return { id, "aria-label": this.#label, ...(isInvalid ? { "aria-invalid": "true" } : {}) };
  }
}
