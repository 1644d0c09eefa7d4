// Suggested rules, each once, with how many calls it was suggested for.
import { clipped, COLUMNS, hanging, inks, shown } from "./terminal.js";

/** More of them are counted, but not told apart. */
const MOST_RULES = 2000;
/** Nobody reads more at once. */
const MOST_SHOWN = 40;

export class Suggestions {
  calls = 0;
  /** Calls that fell through: with a suggestion, and without one. */
  #helped = 0;
  #helpless = 0;
  #untold = 0;
  #rules = new Map();

  /** What `policy.suggest` gives for one call that fell through. */
  add(suggestions) {
    if (suggestions.length === 0) this.#helpless += 1;
    else this.#helped += 1;
    for (const suggestion of suggestions) {
      const known = this.#rules.get(suggestion.rule);
      if (known !== undefined) known.calls += 1;
      else if (this.#rules.size < MOST_RULES) this.#rules.set(suggestion.rule, { ...suggestion, calls: 1 });
      else this.#untold += 1;
    }
  }

  get size() {
    return this.#rules.size;
  }

  /** For machines. */
  data() {
    const untold = this.#untold === 0 ? {} : { untold: this.#untold };
    return { calls: this.calls, uncovered: this.#helped + this.#helpless, withoutSuggestion: this.#helpless, suggestions: this.#sorted(), ...untold };
  }

  /** Lines for a terminal: of one call. */
  picture() {
    const ink = inks(process.stdout);
    return this.#sorted().flatMap((suggestion) => paragraph(suggestion, ink.allow(suggestion.behavior), ink));
  }

  /** The same, of many calls. */
  pictureOfMany() {
    const ink = inks(process.stdout);
    const rules = this.#sorted();
    const lines = [
      `${this.#helped + this.#helpless} of ${this.calls} calls fell through; for ${this.#helpless} of them no rule is suggested`,
      ...rules.slice(0, MOST_SHOWN).flatMap((suggestion) => ["", ...paragraph(suggestion, `${String(suggestion.calls).padStart(6)}  ${ink.allow(suggestion.behavior)}`, ink)]),
    ];
    if (rules.length > MOST_SHOWN) lines.push("", `and ${rules.length - MOST_SHOWN} more rules; --json shows them`);
    if (this.#untold > 0) lines.push("", `and ${this.#untold} suggestions of further rules, which are not told apart`);
    return lines;
  }

  #sorted() {
    return [...this.#rules.values()].sort((a, b) => b.calls - a.calls);
  }
}

function paragraph({ rule, alsoCovers, note }, head, ink) {
  const lines = [`${head} ${ink.strong(clipped(rule, COLUMNS - 16))}`, ...hanging("  ", 2, shown(note))];
  return [...lines, ...alsoCovers.map((other) => `  ${ink.faint("also")} ${clipped(other, COLUMNS - 8)}`)];
}

/** Why there is nothing to suggest, in words. */
export function whyNone({ kind, stage, rule, risk }, shell) {
  const by = rule === undefined ? `stage ${stage}` : shown(rule.text);
  if (risk.level !== "LOW") return `No rule is suggested: the risk of the call is ${risk.level}.`;
  if (stage !== "no-match" && stage !== "plan-wrap") return `No rule is suggested: ${by} already says ${kind}.`;
  if (shell?.complete === false) return "No rule is suggested: the line is not read completely; toolgate explain says why.";
  return "No rule is suggested: every rule for this call would cover too much, or what runs is known only at run time.";
}
