// The same call in every dialect; a row leads there.
import { DIALECTS } from "toolgate";
import { element, setText } from "./element.js";
import { visible } from "./hidden.js";

export class DialectsView {
  #rows;

  /** `choose` takes a dialect. The rows stay, so that the one that was pressed keeps the focus. */
  constructor(root, choose) {
    this.#rows = new Map(DIALECTS.map((dialect) => [dialect, row(dialect, choose)]));
    root.querySelector('[data-part="dialects"] tbody').append(...[...this.#rows.values()].map(({ line }) => line));
  }

  render({ dialects }, chosen) {
    for (const { dialect, decision, problem } of dialects) {
      const { line, button, kind, stage, rule } = this.#rows.get(dialect);
      line.className = dialect === chosen ? "chosen" : "";
      button.setAttribute("aria-pressed", String(dialect === chosen));
      line.dataset.kind = decision?.effective ?? "none";
      setText(kind, decision?.effective ?? "not decided");
      setText(stage, decision?.stage ?? (problem === "rules" ? "a rule is not readable" : "the call is not taken"));
      rule.replaceChildren(...visible(decision?.rule?.text ?? ""));
    }
  }
}

function row(dialect, choose) {
  const button = element("button", { type: "button", className: "link", textContent: dialect });
  const [kind, stage, rule] = ["kind", "stage", "rule-text"].map((className) => element("span", { className }));
  const line = element(
    "tr",
    {},
    element("th", { scope: "row" }, button),
    element("td", {}, kind, " ", stage),
    element("td", {}, rule),
  );
  // The whole row is a target for the pointer; for keys and listeners it is the button.
  line.addEventListener("click", () => choose(dialect));
  return { line, button, kind, stage, rule };
}
