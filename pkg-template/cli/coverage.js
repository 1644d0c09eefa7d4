// Which rules met which calls, added up over batches.
import { pathText } from "./diagnostics.js";
import { clipped, COLUMNS, inks } from "./terminal.js";

/** The width of a count and the blanks behind it. */
const COUNT = 9;

export class Coverage {
  #rules = [];
  #uncovered = 0;

  /** What `policy.coverage` gives for one batch; the rules are the same ones each time. */
  add({ rules, uncovered }) {
    this.#uncovered += uncovered.length;
    rules.forEach((rule, at) => {
      const sum = this.#rules[at];
      if (sum === undefined) this.#rules.push({ ...rule });
      else Object.assign(sum, { decided: sum.decided + rule.decided, matched: sum.matched + rule.matched });
    });
  }

  /** For machines. */
  data(settings) {
    const places = settings.places(this.#rules.map(({ path }) => path));
    return { coverage: { rules: this.#rules.map((rule, at) => ({ ...rule, inFile: places[at] })), uncovered: this.#uncovered } };
  }

  /** Lines for a terminal: what decided most often comes first, and what met no call last. */
  picture(settings, calls) {
    const ink = inks(process.stdout);
    const rules = [...this.#rules].sort((a, b) => b.decided - a.decided || b.matched - a.matched);
    const idle = rules.filter(({ matched }) => matched === 0).length;
    const places = settings.places(rules.map(({ path }) => path));
    const head = [
      "",
      `${ink.strong("Coverage")}  ${this.#uncovered} of ${calls} calls fell through; ${idle} of ${rules.length} rules met no call`,
      ink.faint(`${"decided".padStart(COUNT - 2)}  ${"matched".padStart(COUNT - 2)}  rule`),
    ];
    return [...head, ...rules.map((rule, at) => ruleLine(rule, places[at], ink))];
  }
}

function ruleLine({ path, text, decided, matched }, place, ink) {
  const where = place.line === undefined ? pathText(path) : `line ${place.line}`;
  const list = String(path.at(-2));
  const figures = `${String(decided).padStart(COUNT - 2)}  ${String(matched).padStart(COUNT - 2)}`;
  const line = `${figures}  ${list} ${clipped(text, COLUMNS - 2 * COUNT - list.length - where.length - 4)}  ${where}`;
  return matched === 0 ? ink.warning(line) : line;
}
