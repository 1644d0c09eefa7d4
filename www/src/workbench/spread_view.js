// The same settings and calls in every dialect, side by side.
import { DIALECTS } from "toolgate";
import { element } from "../element.js";
import { bar } from "./bars.js";
import { CallList } from "./call_list.js";
import { kindMark, KINDS } from "./kind.js";
import { plural } from "./notes.js";
import { renderSides } from "./sides.js";

export class SpreadView {
  #acts;
  #says = element("p", { className: "compare-says" });
  #table = element("tbody", {});
  #list;
  #pane;
  #detail;
  #answer;

  /** `acts`: `call` and `line` take a call's number, `ask` a job and that number, `show` a place, `choose` a dialect. */
  constructor(root, acts) {
    this.#acts = acts;
    this.#says.setAttribute("role", "status");
    const head = ["Dialect", "Decisions", "Differs in"].map((textContent) => element("th", { scope: "col", textContent }));
    const table = element("table", { className: "spread" }, element("caption", { className: "unseen", textContent: "Decisions by dialect" }), element("thead", {}, element("tr", {}, ...head)), this.#table);
    const list = element("div", { className: "call-list", id: "spread-list", tabIndex: 0 });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Calls that dialects decide differently");
    this.#detail = element("div", { className: "detail", hidden: true });
    const names = element("div", { className: "four-head" }, ...DIALECTS.map((dialect) => element("span", { textContent: dialect })));
    names.setAttribute("aria-hidden", "true");
    this.#pane = element("div", { className: "list-and-detail", hidden: true }, element("div", {}, names, list), this.#detail);
    root.append(table, this.#says, this.#pane);
    this.#list = new CallList(list, (row) => this.#row(row), (row) => this.#look(row));
  }

  render(answer) {
    this.#answer = answer;
    if (answer === undefined) {
      this.#says.textContent = "The settings have errors. Once they are mended, the dialects are compared.";
      this.#table.replaceChildren();
      this.#pane.hidden = true;
      return;
    }
    const { listed, total, sides } = answer;
    this.#table.replaceChildren(...sides.map((side) => this.#line(side)));
    const count = listed.length;
    this.#says.textContent = count === 0 ? `All of ${plural(total, "call")} are decided alike, wherever the settings can be read.` : `${plural(count, "call")} of ${total.toLocaleString("en")} ${count === 1 ? "depends" : "depend"} on the dialect.`;
    this.#pane.hidden = count === 0;
    this.#detail.hidden = true;
    this.#list.render(count, -1);
  }

  #line({ dialect, problem, counts, differs }) {
    const { own, total } = this.#answer;
    const button = element("button", { type: "button", className: "link", textContent: dialect, title: "Use this dialect" });
    button.addEventListener("click", () => this.#acts.choose(dialect));
    const name = element("th", { scope: "row" }, button);
    if (problem !== undefined) {
      const { count, code, message } = problem;
      return element("tr", {}, name, element("td", { colSpan: 2 }, `does not take these settings: ${plural(count, "error")}, first `, message, " ", element("code", { className: "quiet-text", textContent: code })));
    }
    const words = KINDS.map((kind, at) => element("li", { className: "kind-part", data: { kind } }, `${kind} `, element("b", { textContent: counts[at].toLocaleString("en") })));
    const picture = element("td", {}, bar(KINDS.map((kind, at) => [`part-${kind}`, counts[at]]), total), element("ul", { className: "kind-parts" }, ...words));
    const says = dialect === own ? "chosen" : differs === 0 ? "none" : plural(differs, "call");
    return element("tr", { className: dialect === own ? "chosen" : "" }, name, picture, element("td", { className: "number", textContent: says }));
  }

  #row(row) {
    const index = this.#answer.listed[row];
    const marks = this.#answer.sides.map(({ dialect, kinds }) => Object.assign(kindMark(kinds && KINDS[kinds[index]]), { title: dialect }));
    return { mark: [element("span", { className: "four" }, ...marks)], call: this.#acts.call(index), number: this.#acts.line(index) };
  }

  async #look(row) {
    const index = this.#answer.listed[row];
    const sides = await this.#acts.ask("dialectSides", index);
    if (sides === undefined || this.#list.chosen !== row) return;
    const unread = { problem: "does not take these settings" };
    renderSides(this.#detail, this.#acts.call(index), DIALECTS.map((title, at) => ({ title, ...(sides[at] ?? unread), show: this.#acts.show })));
  }
}
