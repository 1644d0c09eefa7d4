// Rules that would cover the call that is looked at: the smallest safe ones, with what else they would cover.
import { element, quiet } from "../element.js";
import { visible } from "../hidden.js";
import { ruleAt } from "./rule_line.js";

export class Suggestions {
  #add;

  /** `add` takes a suggestion. */
  constructor(add) {
    this.#add = add;
    this.element = element("div", { className: "suggestions", hidden: true });
  }

  /** A list of suggestions; undefined where nobody asked. */
  render(list) {
    this.element.hidden = list === undefined || list.length === 0;
    if (this.element.hidden) return;
    const items = list.map((suggestion) => {
      const { rule, behavior, alsoCovers, note } = suggestion;
      const button = element("button", { type: "button", className: "small", textContent: `Add to ${behavior}` });
      button.addEventListener("click", () => this.#add(suggestion));
      const more = alsoCovers.length === 0 ? [] : [element("p", {}, quiet("It would also cover "), ...alsoCovers.flatMap((text, at) => [at === 0 ? "" : ", ", element("code", {}, ...visible(text, { line: true }))]))];
      return element("li", {}, ...ruleAt({ text: rule, behavior }, () => {}), " ", button, element("p", { className: "quiet-text", textContent: note }), ...more);
    });
    this.element.replaceChildren(element("h3", { textContent: "Rules that would cover it" }), element("ul", { className: "asked" }, ...items));
  }
}
