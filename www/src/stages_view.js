// The way of the call through the stages: a strip at a glance, a sentence each on demand.
import { element } from "./element.js";

export class StagesView {
  #root;

  constructor(root) {
    this.#root = root.querySelector('[data-part="stages"]');
  }

  render(explanation) {
    this.#root.hidden = explanation === undefined;
    const stages = explanation?.stages ?? [];
    const step = ({ stage, outcome }) => {
      const title = `${stage}: ${outcome}`;
      return element("span", { className: "step", title, data: { outcome } }, outcome === "decided" ? stage : "");
    };
    this.#root.querySelector(".strip").replaceChildren(...stages.map(step));
    const row = ({ stage, outcome, note }) =>
      element(
        "li",
        { data: { outcome } },
        element("code", { textContent: stage }),
        " ",
        element("span", { className: "outcome", textContent: outcome }),
        " ",
        element("span", { className: "stage-note", textContent: note }),
      );
    this.#root.querySelector("ol").replaceChildren(...stages.map(row));
  }
}
