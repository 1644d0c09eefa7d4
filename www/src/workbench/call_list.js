// The calls with their decisions: a list of any length, by pointer and by keys.
import { element } from "../element.js";
import { visible } from "../hidden.js";
import { VirtualList } from "./virtual_list.js";

/** Nobody reads more in one row. */
const MOST_UNITS = 300;
const NARROW = matchMedia("(max-width: 40rem)");
const HEIGHTS = { wide: 38, narrow: 58 };

export class CallList {
  #root;
  #list;
  #rowOf;
  #count = 0;
  #chosen = -1;
  #choose;
  #seen;

  /**
   * `rowOf` gives `{ kind, mark, call, number, aside, said }` of a row: the decision, nodes in front, the call `{ tool, subject }`, its line, nodes on the
   * right, and what makes nodes of the subject. `choose` takes a row's number, `seen` the numbers of those that are in view.
   */
  constructor(root, rowOf, choose, seen = () => {}) {
    this.#seen = seen;
    this.#root = root;
    this.#rowOf = rowOf;
    this.#choose = choose;
    this.#make();
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row !== null) this.#pick(Number(row.dataset.row));
    });
    NARROW.addEventListener("change", () => {
      root.replaceChildren();
      this.#make();
      this.#list.render(this.#count);
    });
  }

  get chosen() {
    return this.#chosen;
  }

  /** Draws anew. `chosen` is the row that is looked at, -1 where none is. */
  render(count, chosen) {
    this.#count = count;
    this.#chosen = chosen;
    this.#list.render(count);
    this.#tell();
  }

  reveal(row) {
    this.#list.reveal(row);
    this.#tell();
  }

  #make() {
    this.#list = new VirtualList(this.#root, { height: NARROW.matches ? HEIGHTS.narrow : HEIGHTS.wide, row: (at) => this.#row(at), role: "presentation", drawn: (rows) => this.#drawn(rows) });
  }

  #drawn(rows) {
    this.#tell();
    this.#seen(rows);
  }

  #row(at) {
    const { kind, mark, call, number, aside = [], said = (text) => visible(text, { line: true }) } = this.#rowOf(at);
    const { tool, subject, isShell } = call;
    const clipped = subject.length > MOST_UNITS ? `${subject.slice(0, MOST_UNITS)}…` : subject;
    const row = element(
      "div",
      { className: "call-row", id: `${this.#root.id}-${at}`, data: { row: at, tint: kind ?? "none" } },
      element("span", { className: "call-number", textContent: number }),
      ...mark,
      element("span", { className: "call-text" }, ...(isShell ? [] : [element("b", {}, ...visible(tool, { line: true })), " "]), ...said(clipped)),
      element("span", { className: "call-rule" }, ...aside),
    );
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(at === this.#chosen));
    row.setAttribute("aria-setsize", String(this.#count));
    row.setAttribute("aria-posinset", String(at + 1));
    return row;
  }

  #key(event) {
    const at = Math.max(0, this.#chosen);
    const go = {
      ArrowDown: () => (this.#chosen < 0 ? 0 : at + 1),
      ArrowUp: () => at - 1,
      PageDown: () => at + this.#list.page,
      PageUp: () => at - this.#list.page,
      Home: () => 0,
      End: () => this.#count - 1,
    }[event.key];
    if (go === undefined || this.#count === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#pick(Math.min(this.#count - 1, Math.max(0, go())));
  }

  #pick(row) {
    this.#list.rowAt(this.#chosen)?.setAttribute("aria-selected", "false");
    this.#chosen = row;
    this.#list.reveal(row);
    this.#list.rowAt(row)?.setAttribute("aria-selected", "true");
    this.#tell();
    this.#choose(row);
  }

  /** Says which row the keys are at. */
  #tell() {
    const row = this.#list?.rowAt(this.#chosen);
    if (row === undefined) this.#root.removeAttribute("aria-activedescendant");
    else this.#root.setAttribute("aria-activedescendant", row.id);
  }
}
