// Every rule that answers for the tool: those that accept the call first, the others where someone asks for them.
import { innermost } from "../../pkg-template/cli/spans.js";
import { inWords, WHY } from "../../pkg-template/cli/words.js";
import { element, quiet } from "./element.js";
import { visible } from "./hidden.js";
import { pointsAt } from "./pointing.js";
import { ruleButton } from "./rule_button.js";

/** A browser has to lay them out at every key. */
const MOST = 200;

export class AnswersView {
  #root;
  #show;
  #point;

  /** `show` takes a place in the rules, `point` parts of the call. */
  constructor(root, show, { point }) {
    this.#root = root.querySelector('[data-part="answers"]');
    this.#show = show;
    this.#point = point;
  }

  render({ explanation, placeOf }) {
    this.#root.hidden = explanation === undefined;
    const rules = explanation?.rules ?? [];
    const matched = rules.filter((rule) => rule.matched);
    const missed = rules.filter((rule) => !rule.matched);
    this.#root.querySelector('[data-part="answers-said"]').textContent = count(rules.length, matched.length);
    this.#root.querySelector('[data-part="accepting"]').replaceChildren(...matched.slice(0, MOST).map((rule) => this.#accepting(rule, placeOf(rule.path))));
    this.#root.querySelector('[data-part="missing"]').hidden = missed.length === 0;
    this.#root.querySelector("summary").textContent = missed.length === 1 ? "1 rule does not accept it" : `${missed.length} rules do not accept it`;
    const groups = [...byWhy(missed.slice(0, MOST))].flatMap(([why, list]) => [
      element("p", {}, because(why)),
      element("ul", { className: "asked" }, ...list.map((rule) => element("li", {}, ...this.#rule(rule, placeOf(rule.path), "parts")))),
    ]);
    this.#root.querySelector('[data-part="misses"]').replaceChildren(...groups);
  }

  #accepting(rule, place) {
    const { decided, why, subjectSpans } = rule;
    const [button, ...more] = this.#rule(rule, place, "agrees");
    const verdict = decided ? element("strong", { className: "decisive", textContent: "decided" }) : because(why);
    const item = element("li", { data: { decided } }, button, ...more, verdict);
    const spans = innermost(subjectSpans);
    // The button for keys, the row for the pointer.
    for (const target of [button, item]) pointsAt(target, spans, this.#point);
    return item;
  }

  /** The rule with a mark at the part that accepted, or first refused. */
  #rule({ text, behavior, source, ruleSpan }, place, className) {
    const { start, end } = ruleSpan ?? { start: 0, end: 0 };
    const mark = element("mark", { className }, ...visible(text.slice(start, end)));
    const content = start === end ? [text] : [text.slice(0, start), mark, text.slice(end)];
    const where = place === undefined ? source : `line ${place.line + 1}`;
    return [ruleButton({ behavior }, place, this.#show, content), " ", quiet(`${behavior}, ${where}`), " "];
  }
}

function byWhy(rules) {
  const groups = new Map();
  for (const rule of rules) {
    if (groups.has(rule.why)) groups.get(rule.why).push(rule);
    else groups.set(rule.why, [rule]);
  }
  return groups;
}

function because(code) {
  const said = inWords(WHY, code);
  return element("span", { className: "because" }, said === code ? "" : `${said} `, element("code", { textContent: code }));
}

function count(rules, matched) {
  if (rules === 0) return "none answers for this tool";
  return `${rules === 1 ? "1 answers" : `${rules} answer`} for this tool, ${matched === 0 ? "none" : matched} ${matched === 1 ? "accepts" : "accept"} the call or a part of it`;
}
