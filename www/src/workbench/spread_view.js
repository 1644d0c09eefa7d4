// The same settings and calls in every dialect, side by side.
import { DIALECTS } from "toolgate";
import { element } from "../element.js";
import { visible } from "../hidden.js";
import { bar } from "./bars.js";
import { CallList } from "./call_list.js";
import { kindMark, KINDS, UNDECIDED } from "./kind.js";
import { plural } from "./notes.js";
import { ruleAt } from "./rule_line.js";

export class SpreadView {
  #root;
  #acts;
  #says = element("p", { className: "compare-says" });
  #table = element("tbody", {});
  #list;
  #pane;
  #detail;
  #answer;
  /** Of each dialect the kinds of all calls, by number; undefined where it does not take the settings. */
  #kinds = new Map();
  #listed = [];

  /** `acts`: `call`, `line` and `rule` take a call's number; `kinds` gives the kinds of all; `show` a place, `choose` a dialect. */
  constructor(root, acts) {
    this.#root = root;
    this.#acts = acts;
    this.#says.setAttribute("role", "status");
    const head = ["Dialect", "Decisions", "Differs in"].map((textContent) => element("th", { scope: "col", textContent }));
    const table = element("table", { className: "spread" }, element("caption", { className: "unseen", textContent: "Decisions by dialect" }), element("thead", {}, element("tr", {}, ...head)), this.#table);
    const list = element("div", { className: "call-list", id: "spread-list", tabIndex: 0 });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Calls that dialects decide differently");
    this.#detail = element("div", { className: "detail", hidden: true });
    this.#pane = element("div", { className: "list-and-detail", hidden: true }, list, this.#detail);
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
    const { own, others, total } = answer;
    const base = this.#acts.kinds();
    const differs = new Uint8Array(total);
    this.#kinds = new Map([[own, base]]);
    for (const { dialect, diagnostics, indexes, after } of others) {
      if (diagnostics !== undefined) continue;
      const kinds = base.slice();
      indexes.forEach((index, at) => {
        kinds[index] = after.kinds[at];
        differs[index] = 1;
      });
      this.#kinds.set(dialect, kinds);
    }
    this.#listed = [...differs.keys()].filter((index) => differs[index] === 1);
    this.#table.replaceChildren(...DIALECTS.map((dialect) => this.#line(dialect)));
    const count = this.#listed.length;
    this.#says.textContent = count === 0 ? `All of ${plural(total, "call")} are decided alike, wherever the settings can be read.` : `${plural(count, "call")} of ${total.toLocaleString("en")} ${count === 1 ? "depends" : "depend"} on the dialect.`;
    this.#pane.hidden = count === 0;
    this.#detail.hidden = true;
    this.#list.render(count, -1);
  }

  #line(dialect) {
    const { own, others, total } = this.#answer;
    const other = others.find((each) => each.dialect === dialect);
    const button = element("button", { type: "button", className: "link", textContent: dialect, title: "Use this dialect" });
    button.addEventListener("click", () => this.#acts.choose(dialect));
    const name = element("th", { scope: "row" }, button);
    if (other?.diagnostics !== undefined) {
      const [first] = other.diagnostics;
      return element("tr", {}, name, element("td", { colSpan: 2 }, `does not take these settings: ${plural(other.errors, "error")}, first `, element("span", { textContent: first.message }), " ", element("code", { className: "quiet-text", textContent: first.code })));
    }
    const kinds = this.#kinds.get(dialect);
    const counts = KINDS.map((_, kind) => kinds.reduce((sum, each) => sum + (each === kind ? 1 : 0), 0));
    const words = KINDS.map((kind, at) => element("li", { className: "kind-part", data: { kind } }, `${kind} `, element("b", { textContent: counts[at].toLocaleString("en") })));
    const picture = element("td", {}, bar(KINDS.map((kind, at) => [`part-${kind}`, counts[at]]), total), element("ul", { className: "kind-parts" }, ...words));
    const differs = dialect === own ? "chosen" : other.indexes.length === 0 ? "none" : plural(other.indexes.length, "call");
    return element("tr", { className: dialect === own ? "chosen" : "" }, name, picture, element("td", { className: "number", textContent: differs }));
  }

  #kind(dialect, index) {
    const kind = this.#kinds.get(dialect)?.[index] ?? UNDECIDED;
    return KINDS[kind];
  }

  #row(row) {
    const index = this.#listed[row];
    const marks = DIALECTS.map((dialect) => Object.assign(kindMark(this.#kind(dialect, index)), { title: dialect }));
    return { mark: [element("span", { className: "four" }, ...marks)], call: this.#acts.call(index), number: this.#acts.line(index) };
  }

  #look(row) {
    const index = this.#listed[row];
    const { tool, subject } = this.#acts.call(index);
    const { own, others } = this.#answer;
    const sides = DIALECTS.map((dialect) => {
      const other = others.find((each) => each.dialect === dialect);
      const at = other?.indexes.indexOf(index) ?? -1;
      const rule = at < 0 ? this.#acts.rule(index) : other.after.named[other.after.rules[at]];
      const unread = dialect !== own && other.diagnostics !== undefined;
      // Of a call that is decided alike only the own dialect's rule is known.
      const by = unread ? ["does not take these settings"] : rule === undefined ? ["no rule; risk or mode decides"] : at < 0 && dialect !== own ? ["as in the chosen dialect"] : ruleAt(rule, this.#acts.show);
      return element("div", { className: "side-of" }, element("dt", { textContent: dialect }), element("dd", {}, kindMark(this.#kind(dialect, index)), " ", ...by));
    });
    this.#detail.hidden = false;
    this.#detail.replaceChildren(element("h3", { textContent: tool }), element("pre", { className: "call-whole" }, element("code", {}, ...visible(subject))), element("dl", { className: "sides" }, ...sides));
  }
}
