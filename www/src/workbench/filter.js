// Which calls are listed: by decision, by text, by the rule that decided.
import { element, setText } from "../element.js";
import { visible } from "../hidden.js";
import { KINDS } from "./kind.js";

export class Filter {
  #buttons;
  #search;
  #rule;
  #count;
  #state = { kinds: undefined, text: "", rule: undefined };

  constructor(root, changed) {
    this.#buttons = new Map(["all", ...KINDS].map((kind) => [kind, this.#button(kind, changed)]));
    this.#search = element("input", { type: "search", id: "filter-text", placeholder: "Find in calls", autocomplete: "off", spellcheck: false });
    this.#search.setAttribute("aria-label", "Find in calls");
    this.#search.addEventListener("input", () => {
      this.#state.text = this.#search.value.trim();
      changed();
    });
    this.#rule = element("button", { type: "button", className: "filter-rule", hidden: true, title: "Show calls of every rule" });
    this.#rule.addEventListener("click", () => {
      this.rule();
      changed();
    });
    this.#count = element("span", { className: "quiet-text filter-count" });
    this.#count.setAttribute("role", "status");
    const kinds = element("div", { className: "kinds" }, ...[...this.#buttons.values()].map(({ button }) => button));
    kinds.setAttribute("role", "group");
    kinds.setAttribute("aria-label", "Decisions");
    root.append(kinds, this.#search, this.#rule, this.#count);
    this.#mark();
  }

  /** What the worker is asked for; undefined: everything. */
  get asked() {
    const { kinds, text, rule } = this.#state;
    return kinds === undefined && text === "" && rule === undefined ? undefined : { kinds, text, rule: rule?.number };
  }

  get state() {
    const { kinds, text } = this.#state;
    return { kinds: kinds ?? [], text };
  }

  load({ kinds = [], text = "" }) {
    const known = kinds.filter((kind) => KINDS.includes(kind));
    this.#state = { kinds: known.length === 0 ? undefined : known, text, rule: undefined };
    this.#search.value = text;
    this.rule();
    this.#mark();
  }

  /** Only calls that one rule decided: `{ number, text }`; none: of every rule. */
  rule(rule) {
    this.#state.rule = rule;
    this.#rule.hidden = rule === undefined;
    this.#rule.replaceChildren("decided by ", element("code", {}, ...visible(rule?.text ?? "", { line: true })), " ✕");
  }

  /** Every call, whatever was chosen before. */
  clear() {
    this.load({});
  }

  counts(counts, total) {
    for (const [kind, { number }] of this.#buttons) setText(number, (kind === "all" ? total : (counts[KINDS.indexOf(kind)] ?? 0)).toLocaleString("en"));
  }

  /** How many are listed. */
  says(listed, total) {
    setText(this.#count, listed === total ? "" : `${listed.toLocaleString("en")} of ${total.toLocaleString("en")} listed`);
  }

  #button(kind, changed) {
    const number = element("span", { className: "kind-count", textContent: "0" });
    const button = element("button", { type: "button", className: "kind-button", data: { kind } }, element("span", { textContent: kind }), " ", number);
    button.addEventListener("click", () => {
      this.#toggle(kind);
      changed();
    });
    return { button, number };
  }

  #toggle(kind) {
    const now = new Set(this.#state.kinds ?? []);
    if (kind === "all") now.clear();
    else if (!now.delete(kind)) now.add(kind);
    this.#state.kinds = now.size === 0 || now.size === KINDS.length ? undefined : KINDS.filter((each) => now.has(each));
    this.#mark();
  }

  #mark() {
    const { kinds } = this.#state;
    for (const [kind, { button }] of this.#buttons) button.setAttribute("aria-pressed", String(kind === "all" ? kinds === undefined : (kinds?.includes(kind) ?? false)));
  }
}
