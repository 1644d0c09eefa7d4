// A rule with its place in a settings file, as a button that leads there.
import { quiet } from "../element.js";
import { ruleButton } from "../rule_button.js";

/** A place as the views of the first tab take it: they count lines from 0, and a rule from its indent. */
export function ruleLine(place) {
  return place && { ...place, line: place.line - 1, indent: 0, length: place.end - place.start, shown: place };
}

/** `rule` is `{ text, behavior, place }`, `content` its text in pieces; `show` takes the place. */
export function ruleAt({ text, behavior, place }, show, content = [text]) {
  const button = ruleButton({ behavior }, ruleLine(place), ({ shown }) => show(shown), content);
  return place === undefined ? [button] : [button, " ", quiet(`line ${place.line.toLocaleString("en")}`)];
}
