// Which calls are listed: by decision, by text, by the rule that decided.
import { element, setText } from "../element.js";
import { visible } from "../hidden.js";
import { KINDS } from "./kind.js";

export class Filter {
  #buttons;
  #search;
  #rule;
  #count;
  #state = { kinds: undefined, text: "", narrow: undefined };

  constructor(root, changed) {
    this.#buttons = new Map(["all", ...KINDS].map((kind) => [kind, this.#button(kind, changed)]));
    this.#search = element("input", { type: "search", id: "filter-text", placeholder: "Find in calls", autocomplete: "off", spellcheck: false });
    this.#search.setAttribute("aria-label", "Find in calls");
    this.#search.addEventListener("input", () => {
      this.#state.text = this.#search.value.trim();
      changed();
    });
    this.#rule = element("button", { type: "button", className: "filter-rule", hidden: true, title: "Show the others too" });
    this.#rule.addEventListener("click", () => {
      this.narrow();
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

  /** What the worker is asked for, with the `path` of a rule in place of its number; undefined: everything. */
  get asked() {
    const { kinds, text, narrow } = this.#state;
    if (kinds === undefined && text === "" && narrow === undefined) return undefined;
    return { kinds, text, path: narrow?.path, only: narrow?.calls };
  }

  get state() {
    const { kinds, text } = this.#state;
    return { kinds: kinds ?? [], text };
  }

  load({ kinds = [], text = "" }) {
    const known = kinds.filter((kind) => KINDS.includes(kind));
    this.#state = { kinds: known.length === 0 ? undefined : known, text, narrow: undefined };
    this.#search.value = text;
    this.narrow();
    this.#mark();
  }

  /** Only some calls: `path` of the rule that decided them, or `calls` by number; `says` what they are, with the `text` of a rule. */
  narrow(what) {
    this.#state.narrow = what;
    this.#rule.hidden = what === undefined;
    const text = what?.text === undefined ? [] : [" ", element("code", {}, ...visible(what.text, { line: true }))];
    this.#rule.replaceChildren(what?.says ?? "", ...text, " ✕");
  }

  /** Numbers of calls mean nothing once something has changed. */
  widen() {
    if (this.#state.narrow?.calls !== undefined) this.narrow();
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
