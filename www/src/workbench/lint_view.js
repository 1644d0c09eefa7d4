// What is wrong or odd with the rules: each finding with its place, a call that shows it, and a fix where there is one.
import { element, quiet } from "../element.js";
import { marked, visible } from "../hidden.js";
import { subjectOf } from "./call_of.js";
import { plural } from "./notes.js";
import { ruleAt } from "./rule_line.js";

/** As many are drawn at a time. */
const MOST = 60;
const SEVERITIES = ["error", "warning", "info"];

export class LintView {
  #root;
  #acts;

  /** `acts`: `show` takes a place, `fix` a finding, `tryCall` a call. */
  constructor(root, acts) {
    this.#root = root;
    this.#acts = acts;
  }

  /** Undefined: nothing could be looked at. */
  render(answer) {
    if (answer === undefined) return this.#root.replaceChildren(element("p", { className: "nothing" }, "The settings have errors. Once they are mended, their rules are looked at."));
    const { findings, count } = answer;
    const found = SEVERITIES.map((severity) => [severity, findings.filter((finding) => finding.severity === severity)]).filter(([, list]) => list.length > 0);
    const says = count === 0 ? "Nothing to mend: no rule is shadowed, redundant, too broad or fragile." : `${plural(count, "finding")}: ${found.map(([severity, list]) => `${list.length} ${severity}`).join(", ")}`;
    this.#root.replaceChildren(element("p", { className: "lint-says" }, says), ...this.#page(found.flatMap(([, list]) => list), 0));
  }

  #page(findings, from) {
    const list = element("ul", { className: "lint" }, ...findings.slice(from, from + MOST).map((finding) => this.#item(finding)));
    const left = findings.length - from - MOST;
    if (left <= 0) return [list];
    const more = element("button", { type: "button", textContent: `Show ${Math.min(MOST, left)} more of ${left}` });
    more.addEventListener("click", () => more.replaceWith(...this.#page(findings, from + MOST)));
    return [list, more];
  }

  #item(finding) {
    const { severity, code, message, rule, span, path, place, related, witness, fix } = finding;
    const head = element("p", { className: "lint-head" }, element("span", { className: "severity", textContent: severity }), message, " ", element("code", { className: "quiet-text", textContent: code }));
    const parts = [head];
    if (rule !== undefined) {
      const content = span === undefined ? [rule] : marked(rule, [{ ...span, className: "agrees" }]);
      parts.push(element("p", {}, ...ruleAt({ text: rule, behavior: behaviorOf(path), place }, this.#acts.show, content)));
    }
    for (const { rule: other, note, path: at, place: where } of related) {
      const button = other === undefined ? [] : ruleAt({ text: other, behavior: behaviorOf(at), place: where }, this.#acts.show);
      parts.push(element("p", { className: "related" }, ...button, " ", quiet(note)));
    }
    if (witness !== undefined) parts.push(this.#witness(witness));
    if (fix !== undefined) parts.push(this.#fix(finding));
    return element("li", { className: severity, data: { code } }, ...parts);
  }

  #witness(call) {
    const subject = subjectOf(call);
    const button = element("button", { type: "button", className: "small", textContent: "Add to the calls" });
    button.addEventListener("click", () => this.#acts.tryCall(call));
    return element("p", { className: "witness" }, quiet("For example"), " ", element("code", {}, element("b", {}, ...visible(call.tool)), " ", ...visible(subject, { line: true })), " ", button);
  }

  /** An empty fix takes the rule away. */
  #fix(finding) {
    const { rule = "", fix } = finding;
    const button = element("button", { type: "button", className: "small strong", textContent: fix === "" ? "Remove the rule" : "Apply the fix" });
    button.addEventListener("click", () => this.#acts.fix(finding));
    const becomes = fix === "" ? [] : [" → ", element("ins", {}, ...visible(fix))];
    return element("p", { className: "fix" }, element("del", {}, ...visible(rule)), ...becomes, " ", button);
  }
}

function behaviorOf(path) {
  return path.at(-2);
}
