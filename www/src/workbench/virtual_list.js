// A list that draws the rows in view and no others, however many there are.
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { element } from "../element.js";

export class VirtualList {
  #root;
  #room;
  #virtual;
  #row;
  #height;
  #wasDrawn;
  #count = 0;
  #drawn = new Map();

  /** `row` makes the element of a row by its number; each is `height` pixels high. `drawn` takes the numbers of those that are drawn. */
  constructor(root, { height, row, role, drawn = () => {} }) {
    this.#root = root;
    this.#height = height;
    this.#row = row;
    this.#wasDrawn = drawn;
    this.#room = element("div", { className: "virtual-room" });
    if (role !== undefined) this.#room.setAttribute("role", role);
    root.append(this.#room);
    this.#virtual = new Virtualizer(this.#options());
    this.#virtual._didMount();
    this.#virtual._willUpdate();
  }

  /** Draws anew: rows have changed, or their number has. */
  render(count) {
    const isOther = count !== this.#count;
    this.#count = count;
    for (const drawn of this.#drawn.values()) drawn.remove();
    this.#drawn.clear();
    // The library goes through all rows where their number is another one.
    if (isOther) this.#virtual.setOptions(this.#options());
    this.#virtual._willUpdate();
    this.#draw();
  }

  /** Scrolls to a row; `align` as the library has it. */
  reveal(index, align = "auto") {
    this.#virtual.scrollToIndex(index, { align });
    this.#draw();
  }

  /** How many rows are in view. */
  get page() {
    return Math.max(1, Math.floor(this.#root.clientHeight / this.#height) - 1);
  }

  rowAt(index) {
    return this.#drawn.get(index);
  }

  #options() {
    return {
      count: this.#count,
      getScrollElement: () => this.#root,
      estimateSize: () => this.#height,
      overscan: 6,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#draw(),
    };
  }

  #draw() {
    if (this.#count === 0) this.#room.removeAttribute("style");
    else this.#room.style.height = `${this.#virtual.getTotalSize()}px`;
    const items = this.#virtual.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, row] of this.#drawn) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#drawn.delete(index);
    }
    for (const { index, start } of items) {
      if (this.#drawn.has(index) || index >= this.#count) continue;
      const row = this.#row(index);
      row.style.transform = `translateY(${start}px)`;
      row.classList.add("virtual-row");
      this.#drawn.set(index, row);
      this.#room.append(row);
    }
    this.#wasDrawn([...this.#drawn.keys()]);
  }
}
