// Which rules meet the calls: a bar for each rule, and what no rule settles. The picture is a table, so that it can be read too.
import { element } from "../element.js";
import { bar } from "./bars.js";
import { KINDS } from "./kind.js";
import { plural } from "./notes.js";
import { ruleAt } from "./rule_line.js";

/** As many rows are drawn at a time. */
const MOST = 100;
const ORDERS = {
  "most decided first": (a, b) => b.decided - a.decided || b.matched - a.matched,
  "as in the settings": undefined,
  "never met first": (a, b) => a.matched - b.matched || a.decided - b.decided,
};

export class CoverageView {
  #root;
  #acts;
  #answer;
  #order = Object.keys(ORDERS)[0];

  /** `acts`: `show` takes a place, `list` a rule whose calls are wanted, `uncovered` numbers of calls. */
  constructor(root, acts) {
    this.#root = root;
    this.#acts = acts;
  }

  render(answer) {
    this.#answer = answer;
    if (answer === undefined) return this.#root.replaceChildren(element("p", { className: "nothing" }, "The settings have errors. Once they are mended, their rules are counted."));
    this.#root.replaceChildren(this.#summary(answer), this.#choice(), this.#table(answer));
  }

  #summary({ byKind, uncovered, total, rules }) {
    const words = KINDS.map((kind) => element("li", { data: { kind }, className: "kind-part" }, `${kind} `, element("b", { textContent: byKind[kind].toLocaleString("en") })));
    const unmet = rules.filter(({ matched }) => matched === 0).length;
    const says = element("p", { className: "coverage-says" }, `${plural(rules.length, "rule")} over ${plural(total, "call")}. ${unmet === 0 ? "Every rule meets a call." : `${plural(unmet, "rule")} ${unmet === 1 ? "meets" : "meet"} no call.`} `);
    if (uncovered.length > 0) {
      const button = element("button", { type: "button", className: "small", textContent: `Show ${plural(uncovered.length, "call")} that nothing settles` });
      button.addEventListener("click", () => this.#acts.uncovered(uncovered));
      says.append(button);
    }
    return element("div", {}, bar(KINDS.map((kind) => [`part-${kind}`, byKind[kind]]), total), element("ul", { className: "kind-parts" }, ...words), says);
  }

  #choice() {
    const select = element("select", {}, ...Object.keys(ORDERS).map((order) => new Option(order, order, false, order === this.#order)));
    select.addEventListener("change", () => {
      this.#order = select.value;
      this.render(this.#answer);
      this.#root.querySelector("select").focus();
    });
    return element("label", { className: "choice" }, "Order ", select);
  }

  #table({ rules }) {
    const sorted = ORDERS[this.#order] === undefined ? rules : [...rules].sort(ORDERS[this.#order]);
    const most = Math.max(1, ...sorted.slice(0, MOST).map(({ matched, decided }) => Math.max(matched, decided)), ...rules.slice(0, 1000).map(({ matched }) => matched));
    const body = element("tbody", {}, ...sorted.slice(0, MOST).map((rule) => this.#row(rule, most)));
    const head = ["Rule", "", "Decided", "Matched"].map((textContent) => element("th", { scope: "col", textContent }));
    head[1].append(element("span", { className: "unseen", textContent: "Picture" }));
    const table = element("table", { className: "coverage" }, element("caption", { className: "unseen", textContent: "Calls by rule" }), element("thead", {}, element("tr", {}, ...head)), body);
    const note = element("p", { className: "quiet-text coverage-note", textContent: "A rule decides a call, or one of several commands in it; it matches where it accepts a part." });
    // On a phone rows are laid out anew, and browsers forget what they are.
    const roles = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row" };
    for (const part of [table, ...table.querySelectorAll("thead, tbody, thead tr")]) part.setAttribute("role", roles[part.localName]);
    for (const name of head) name.setAttribute("role", "columnheader");
    if (sorted.length <= MOST) return element("div", {}, table, note);
    let shown = MOST;
    const more = element("button", { type: "button", className: "small" });
    const label = () => {
      more.textContent = `Show ${Math.min(MOST, sorted.length - shown)} more of ${sorted.length - shown}`;
    };
    label();
    more.addEventListener("click", () => {
      body.append(...sorted.slice(shown, shown + MOST).map((rule) => this.#row(rule, most)));
      shown += MOST;
      if (shown >= sorted.length) more.remove();
      else label();
    });
    return element("div", {}, table, more, note);
  }

  #row(rule, most) {
    const { decided, matched, behavior } = rule;
    const met = Math.max(0, matched - decided);
    const number = element("button", { type: "button", className: "link", textContent: decided.toLocaleString("en"), disabled: decided === 0, title: "List these calls" });
    number.addEventListener("click", () => this.#acts.list(rule));
    const cells = [
      element("th", { scope: "row" }, ...ruleAt(rule, this.#acts.show)),
      element("td", { className: "picture" }, bar([["part-decided", decided], ["part-met", met]], most)),
      element("td", { className: "number" }, number),
      element("td", { className: "number", textContent: matched === 0 ? "never" : matched.toLocaleString("en") }),
    ];
    cells.forEach((cell, at) => cell.setAttribute("role", at === 0 ? "rowheader" : "cell"));
    const row = element("tr", { data: { behavior, met: matched > 0 } }, ...cells);
    row.setAttribute("role", "row");
    return row;
  }
}
