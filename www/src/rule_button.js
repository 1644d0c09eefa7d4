// A rule as it is written, in the colour of what it does; pressed, it shows the line that it stands in.
import { element } from "./element.js";

/** `content` is the rule's text, with marks or without. */
export function ruleButton({ behavior }, place, show, content) {
  const button = element("button", { type: "button", className: "rule", data: { behavior } }, ...content);
  if (place === undefined) {
    button.disabled = true;
    return button;
  }
  button.title = "Show this rule";
  button.addEventListener("click", () => show({ ...place, start: place.indent, end: place.indent + place.length }));
  return button;
}
