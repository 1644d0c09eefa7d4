// Two settings over the same calls: which decisions change, from what to what, and by which rules.
import { element } from "../element.js";
import { visible } from "../hidden.js";
import { CallList } from "./call_list.js";
import { kindMark, KINDS } from "./kind.js";
import { plural } from "./notes.js";
import { renderSides } from "./sides.js";

const SIDES = ["before", "after"];

export class CompareView {
  #says;
  #ways;
  #list;
  #detail;
  #acts;
  #answer;
  /** Places in the answer that are listed. */
  #listed = [];
  /** The change that is listed alone, as `before after`; undefined: all. */
  #way;

  /** `acts`: `call` and `line` take a call's number, `ask` a job and that number, `showIn` `before` or `after` and a place. */
  constructor(root, acts) {
    this.#acts = acts;
    this.#says = element("p", { className: "compare-says" });
    this.#says.setAttribute("role", "status");
    this.#ways = element("div", { className: "kinds" });
    this.#ways.setAttribute("role", "group");
    this.#ways.setAttribute("aria-label", "Changes");
    const list = element("div", { className: "call-list", id: "change-list", tabIndex: 0 });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Changed calls");
    this.#detail = element("div", { className: "detail", hidden: true });
    this.pane = element("div", { className: "list-and-detail", hidden: true }, list, this.#detail);
    root.append(this.#says, this.#ways, this.pane);
    this.#list = new CallList(list, (row) => this.#row(row), (row) => this.#look(row));
  }

  /** A sentence in place of an answer. */
  nothing(says) {
    this.#says.textContent = says;
    this.#ways.replaceChildren();
    this.pane.hidden = true;
  }

  render(answer) {
    this.#answer = answer;
    this.#way = undefined;
    const { indexes, total } = answer;
    if (indexes.length === 0) return this.nothing(`Nothing changes: all of ${plural(total, "call")} are decided alike.`);
    this.#says.textContent = `${plural(indexes.length, "call")} of ${total.toLocaleString("en")} would be decided otherwise.`;
    this.pane.hidden = false;
    this.#draw();
  }

  /** Draws what was laid out unseen. */
  shown() {
    if (!this.pane.hidden) this.#draw();
  }

  #draw() {
    const { indexes, before, after } = this.#answer;
    const way = (at) => `${KINDS[before.kinds[at]]} ${KINDS[after.kinds[at]]}`;
    const counts = new Map();
    for (let at = 0; at < indexes.length; at += 1) counts.set(way(at), (counts.get(way(at)) ?? 0) + 1);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    this.#ways.replaceChildren(this.#button(undefined, indexes.length), ...sorted.map(([name, count]) => this.#button(name, count)));
    this.#listed = [...indexes.keys()].filter((at) => this.#way === undefined || way(at) === this.#way);
    this.#detail.hidden = true;
    this.#list.render(this.#listed.length, -1);
  }

  #button(way, count) {
    const [from, to] = way?.split(" ") ?? [];
    const says = way === undefined ? [element("span", { textContent: "all" })] : [kindMark(from), " → ", kindMark(to)];
    const button = element("button", { type: "button", className: "kind-button", data: { kind: "all" } }, ...says, " ", element("span", { className: "kind-count", textContent: count.toLocaleString("en") }));
    button.setAttribute("aria-pressed", String(way === this.#way));
    button.addEventListener("click", () => {
      this.#way = way;
      this.#draw();
      [...this.#ways.children].find((each) => each.getAttribute("aria-pressed") === "true")?.focus();
    });
    return button;
  }

  #side(side, at) {
    const { kinds, rules, named } = this.#answer[side];
    return { kind: KINDS[kinds[at]], rule: named[rules[at]] };
  }

  #row(row) {
    const at = this.#listed[row];
    const index = this.#answer.indexes[at];
    const [before, after] = [this.#side("before", at), this.#side("after", at)];
    const mark = element("span", { className: "way" }, kindMark(before.kind), " → ", kindMark(after.kind));
    const rule = after.rule ?? before.rule;
    return { mark: [mark], call: this.#acts.call(index), number: this.#acts.line(index), aside: rule === undefined ? [] : visible(rule.text, { line: true }) };
  }

  async #look(row) {
    const index = this.#answer.indexes[this.#listed[row]];
    const sides = await this.#acts.ask("bothSides", index);
    if (sides === undefined || this.#list.chosen !== row) return;
    const [before, after] = sides.map((side, at) => ({ ...side, show: (place) => this.#acts.showIn(SIDES[at], place) }));
    renderSides(this.#detail, this.#acts.call(index), [
      { title: "With the first settings", ...before },
      { title: "With the other settings", ...after },
    ]);
  }
}
