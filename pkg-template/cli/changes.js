// Changes of decisions, counted by what decided before and what decides now. Its size depends on the rules, not on the calls.
import { pathText } from "./diagnostics.js";
import { aboutOf } from "./tally.js";
import { clipped, COLUMNS, inks, shown } from "./terminal.js";

/** Strictest first: what a line that runs several commands becomes. */
const STRICTEST = ["deny", "ask", "passthrough", "allow"];
/** More of them are counted, but not told apart. */
const MOST_GROUPS = 2000;

export class Changes {
  calls = 0;
  /** Calls that may do more than before, by `kind` or by `effective`. */
  looser = 0;
  /** Calls that may do less, and by neither more. */
  stricter = 0;
  #before;
  #after;
  #examples;
  #groups = new Map();
  #untold = 0;

  constructor(before, after, examples) {
    this.#before = before;
    this.#after = after;
    this.#examples = examples;
  }

  /** `found` is what `comparePolicies` gives for the calls of the batch. */
  add(batch, found) {
    this.calls += batch.length;
    for (const { index, call, before, after } of found) {
      const isLooser = loosens(before.kind, after.kind) || loosens(before.effective, after.effective);
      this[isLooser ? "looser" : "stricter"] += 1;
      const group = this.#group(isLooser, before, after);
      if (group === undefined) continue;
      group.count += 1;
      if (group.examples.length < this.#examples) group.examples.push({ line: batch[index].line, about: aboutOf(call) });
    }
  }

  /** For machines. */
  data() {
    const groups = this.#sorted();
    const places = this.#placesOf(groups);
    const side = (group, name, at) => {
      const { kind, effective, stage, reason, rule } = group[name];
      return { kind, effective, stage, ...(reason === undefined ? {} : { reason }), ...(rule === undefined ? {} : { rule: { ...rule, inFile: places[name][at] } }) };
    };
    return {
      calls: this.calls,
      changed: this.looser + this.stricter,
      looser: this.looser,
      stricter: this.stricter,
      groups: groups.map((group, at) => ({
        change: group.isLooser ? "looser" : "stricter",
        count: group.count,
        before: side(group, "before", at),
        after: side(group, "after", at),
        examples: group.examples,
      })),
      ...(this.#untold === 0 ? {} : { untold: this.#untold }),
    };
  }

  /** Lines for a terminal: what became looser comes first. */
  picture() {
    const ink = inks(process.stdout);
    const groups = this.#sorted();
    const places = this.#placesOf(groups);
    const changed = this.looser + this.stricter;
    const lines = [
      `${changed} of ${this.calls} calls ${changed === 1 ? "is" : "are"} decided differently: ${this.looser} looser, ${this.stricter} stricter`,
      ink.faint(`before  ${shown(this.#before.file)}`),
      ink.faint(`after   ${shown(this.#after.file)}`),
    ];
    groups.forEach((group, at) => {
      const name = group.isLooser ? ink.warning("looser  ") : ink.info("stricter");
      const [was, is] = [group.before.effective, group.after.effective];
      const kinds = was === is ? `${group.before.kind} → ${group.after.kind}, ${is} in the end` : `${was} → ${is}`;
      lines.push("", `${name}  ${kinds}  ${group.count === 1 ? "1 call" : `${group.count} calls`}`);
      lines.push(`  before  ${byWhat(group.before, places.before[at])}`, `  after   ${byWhat(group.after, places.after[at])}`);
      lines.push(...group.examples.map(({ line, about }) => ink.faint(`    line ${line}: ${clipped(about, COLUMNS - 20)}`)));
    });
    if (this.#untold > 0) lines.push("", `and ${this.#untold} more changes of other kinds`);
    return lines;
  }

  #group(isLooser, before, after) {
    // A reason names the rule, or what was found where no rule decided.
    const key = JSON.stringify([before, after].map(({ kind, effective, stage, reason, rule }) => [kind, effective, stage, reason, rule?.path]));
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MOST_GROUPS) {
        this.#untold += 1;
        return undefined;
      }
      group = { isLooser, before, after, count: 0, examples: [] };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Of each group, on both sides, where the rule stands. */
  #placesOf(groups) {
    const of = (settings, side) => settings.places(groups.map((group) => group[side].rule?.path ?? []));
    return { before: of(this.#before, "before"), after: of(this.#after, "after") };
  }

  #sorted() {
    return [...this.#groups.values()].sort((a, b) => Number(b.isLooser) - Number(a.isLooser) || b.count - a.count);
  }
}

function loosens(before, after) {
  return STRICTEST.indexOf(after) > STRICTEST.indexOf(before);
}

/** What decided: a rule and its line, or the stage and its reason. */
function byWhat({ rule, stage, reason }, place) {
  if (rule === undefined) return `${stage}${reason === undefined ? "" : `: ${clipped(reason, COLUMNS - stage.length - 12)}`}`;
  const where = place.line === undefined ? pathText(rule.path) : `line ${place.line}`;
  return `${rule.behavior} ${clipped(rule.text, COLUMNS - where.length - 20)}  ${where}`;
}
