// The calls on the page's side: where each stands in its text, and what was decided of it, in few bytes.
import { callOfJson, callOfLine, subjectOf } from "./call_of.js";
import { isList } from "./calls_text.js";
import { KINDS, UNDECIDED } from "./kind.js";

export class Table {
  #text = "";
  #read = callOfLine;
  #shell = "Bash";
  #starts = new Uint32Array(0);
  #ends = new Uint32Array(0);
  #kinds = new Uint8Array(0);
  #rules = new Int32Array(0);
  /** The rules that decided something, `{ text, behavior, path, place }`, by number. */
  named = [];
  counts = [0, 0, 0, 0];

  load(text, shell, { starts, ends }) {
    this.#text = text;
    this.#read = isList(text) ? callOfJson : callOfLine;
    this.#shell = shell;
    this.#starts = starts;
    this.#ends = ends;
    this.forget();
  }

  /** What was decided does not hold any more. */
  forget() {
    this.#kinds = new Uint8Array(this.count).fill(UNDECIDED);
    this.#rules = new Int32Array(this.count).fill(-1);
    this.named = [];
    this.counts = [0, 0, 0, 0];
  }

  /** Takes what was decided of some calls. */
  decided({ from, kinds, rules }) {
    this.#kinds.set(kinds, from);
    this.#rules.set(rules, from);
    for (const kind of kinds) this.counts[kind] += 1;
  }

  get count() {
    return this.#starts.length;
  }

  start(index) {
    return this.#starts[index];
  }

  /** `{ tool, subject, isShell }`, for people. */
  call(index) {
    const call = this.#read(this.#text.slice(this.#starts[index], this.#ends[index]), this.#shell);
    return { tool: call.tool, subject: subjectOf(call), isShell: call.tool === this.#shell };
  }

  /** Undefined: nothing was decided yet. */
  kind(index) {
    return KINDS[this.#kinds[index]];
  }

  /** The number of the rule at a path; one that no rule has where it decided nothing. */
  numberOf(path) {
    const number = this.named.findIndex((rule) => rule.path.join("/") === path.join("/"));
    return number < 0 ? this.named.length : number;
  }

  rule(index) {
    return this.named[this.#rules[index]];
  }
}
