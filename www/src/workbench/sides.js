// One call under several policies: what each decides of it, and why.
import { element, quiet } from "../element.js";
import { visible } from "../hidden.js";
import { kindMark } from "./kind.js";
import { ruleAt } from "./rule_line.js";

/** Fills a place with a call and its `sides`, `{ title, decision, place, show }` each; without a decision there is a `problem`. */
export function renderSides(root, { tool, subject }, sides) {
  const parts = sides.map(({ title, ...side }) => element("div", { className: "side-of" }, element("dt", { textContent: title }), element("dd", {}, ...said(side))));
  root.hidden = false;
  root.replaceChildren(
    element("h3", { className: "detail-head", textContent: tool }),
    element("pre", { className: "call-whole" }, element("code", {}, ...visible(subject))),
    element("dl", { className: "sides" }, ...parts),
  );
}

function said({ decision, place, show, problem }) {
  if (decision === undefined) return [quiet(problem)];
  const { effective, rule, stage, reason } = decision;
  const by = rule === undefined ? [element("code", { textContent: stage })] : ruleAt({ ...rule, place }, show);
  const why = rule !== undefined || reason === undefined ? [] : [element("p", { className: "quiet-text" }, ...visible(reason))];
  return [kindMark(effective), " ", ...by, ...why];
}
