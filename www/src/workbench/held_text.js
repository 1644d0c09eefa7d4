// A long text that is only shown: the lines that are in view, and no others.
import { element } from "../element.js";
import { visible } from "../hidden.js";
import { VirtualList } from "./virtual_list.js";

/** Of a longer line the rest is cut; it is all there in the text. */
const MOST_UNITS = 400;

export class HeldText {
  #root;
  #list;
  #lines;
  #shown = -1;

  constructor(root) {
    this.#root = root;
    this.#list = new VirtualList(root, { height: 22, row: (line) => this.#row(line) });
  }

  /** Undefined: there is nothing to show. */
  render(lines) {
    this.#lines = lines;
    this.#shown = -1;
    this.#root.hidden = lines === undefined;
    this.#list.render(lines?.count ?? 0);
  }

  show(line) {
    this.#shown = line;
    this.#list.render(this.#lines.count);
    this.#list.reveal(line, "center");
    this.#root.focus({ preventScroll: true });
    this.#root.scrollIntoView({ block: "nearest" });
  }

  #row(line) {
    const text = this.#lines.text(line);
    const row = element("div", { className: line === this.#shown ? "held-line pointed" : "held-line" });
    row.append(element("span", { className: "held-number", textContent: line + 1 }), ...visible(text.slice(0, MOST_UNITS)));
    if (text.length > MOST_UNITS) row.append(element("span", { className: "quiet-text", textContent: ` … ${text.length - MOST_UNITS} more` }));
    return row;
  }
}
