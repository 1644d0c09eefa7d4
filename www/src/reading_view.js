// What the command line runs, as it was read; what could not be read; and what is risky in it.
import { CONTEXTS, inWords, PROBLEMS } from "../../pkg-template/cli/words.js";
import { element } from "./element.js";
import { visible } from "./hidden.js";
import { goesTo } from "./pointing.js";

/** Nobody reads more of one line. */
const MOST = 40;

export class ReadingView {
  #root;
  #call;

  /** `call` has `point`, `look` and `select`, all for parts of the command line. */
  constructor(root, call) {
    this.#root = root;
    this.#call = call;
  }

  render(explanation) {
    this.#risk(explanation?.decision.risk.findings ?? []);
    this.#runs(explanation?.shell);
  }

  #runs(shell) {
    this.#root.querySelector('[data-part="runs"]').hidden = shell === undefined;
    const { complete = true, problems = [], commands = [] } = shell ?? {};
    const count = commands.length === 1 ? "1 command" : `${commands.length} commands`;
    const said = this.#root.querySelector('[data-part="runs-said"]');
    said.className = complete ? "quiet-text" : "doubtful";
    said.textContent = `${count}, ${complete ? "read completely" : "not read completely"}`;
    this.#root.querySelector('[data-part="doubts"]').replaceChildren(...rows(problems, (problem) => this.#doubt(problem)));
    this.#root.querySelector('[data-part="commands"]').replaceChildren(...rows(commands, (command) => this.#command(command)));
  }

  #command({ words, assignments, redirects, context, span }) {
    const parts = [
      ...assignments.map(({ name, value }) => [...visible(`${name}=`), ...word(value, value !== "")]),
      ...words.map((each) => word(each)),
      ...redirects.map(({ operator, target }) => [element("span", { className: "redirect" }, `${operator} `, ...word(target))]),
    ];
    const line = parts.flatMap((part, at) => (at === 0 ? part : [" ", ...part]));
    const button = element("button", { type: "button", className: "command" }, element("code", {}, ...line));
    if (context !== "top") button.append(" ", element("span", { className: "context", textContent: inWords(CONTEXTS, context) }));
    goesTo(button, span, this.#call);
    return element("li", {}, button);
  }

  #doubt({ code, span }) {
    return this.#item({ className: "warning", head: "Doubt", says: inWords(PROBLEMS, code), code, span });
  }

  /** Shown where there is something to say. */
  #risk(findings) {
    this.#root.querySelector('[data-part="risk"]').hidden = findings.length === 0;
    const item = ({ code, level, reason, span }) =>
      this.#item({ className: level === "HIGH" ? "error" : "warning", head: level, says: reason, code, span });
    this.#root.querySelector('[data-part="findings"]').replaceChildren(...rows(findings, item));
  }

  #item({ className, head, says, code, span }) {
    const message = element("button", { type: "button", className: "link message", textContent: says });
    goesTo(message, span, this.#call);
    const severity = element("span", { className: "severity", textContent: head });
    return element("li", { className, data: { code } }, severity, message, " ", element("code", { textContent: code }));
  }
}

/** A word after quote removal; in quotes where it would look like several words or none. */
function word(text, quoted = true) {
  if (text === undefined) return [element("span", { className: "unknown", textContent: "known at run time" })];
  return [quoted && (text === "" || /[\s"'`\\$|&;<>()]/u.test(text)) ? `'${text}'` : text].flatMap((each) => visible(each));
}

function rows(list, row) {
  const items = list.slice(0, MOST).map(row);
  return list.length <= MOST ? items : [...items, element("li", { className: "info", textContent: `and ${list.length - MOST} more` })];
}
