// A rule as it is written, in the colour of what it does; pressed, it shows the line that it stands in.
import { element } from "./element.js";
import { visible } from "./hidden.js";

/** `content` is the rule's text in pieces, with marks or without. */
export function ruleButton({ behavior }, place, show, content) {
  const button = element("button", { type: "button", className: "rule", data: { behavior } }, ...content.flatMap((piece) => (typeof piece === "string" ? visible(piece) : [piece])));
  if (place === undefined) {
    button.disabled = true;
    return button;
  }
  button.title = "Show this rule";
  button.addEventListener("click", () => show({ ...place, start: place.indent, end: place.indent + place.length }));
  return button;
}
