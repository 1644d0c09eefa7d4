// The calls in the worker: what each is, where it stands in its text, and what was decided of it.
import { hiddenIn } from "../hidden.js";
import { subjectOf } from "./call_of.js";
import { recordsOf } from "./calls_text.js";
import { Lines } from "./lines.js";

export const KINDS = ["allow", "ask", "deny", "passthrough"];
/** More calls than that are not looked at: a browser's memory is not endless. */
export const MOST_CALLS = 500_000;
const MOST_FAULTS = 300;
const MOST_HIDDEN = 20;

export class Calls {
  list = [];
  starts = [];
  ends = [];
  faults = [];
  faultCount = 0;
  /** Whether the text has more than are looked at. */
  cut = false;

  /** Reads a text step by step. */
  static async read(text, shell, job) {
    const calls = new Calls();
    const lines = new Lines(text);
    for (const { start, end, call, fault } of recordsOf(text, shell)) {
      if (calls.list.length === MOST_CALLS) {
        calls.cut = true;
        break;
      }
      if (fault === undefined) calls.#add(call, start, end);
      else calls.#fault(fault, lines);
      if (job.tired) await job.rest(end, text.length);
    }
    for (const { at, length, code, name } of hiddenIn(text, MOST_HIDDEN)) {
      if (at === 0 && code === "U+FEFF") continue;
      const message = `a hidden character: ${name === undefined ? code : `${name}, ${code}`}`;
      calls.faults.push({ severity: "warning", code: "hidden-character", message, place: lines.place(at, at + length) });
    }
    return calls;
  }

  get count() {
    return this.list.length;
  }

  /** Which of the calls a filter lets through; `decided` may be absent. */
  async matching({ text, kinds, rule, only }, decided, job) {
    const wanted = text.toLowerCase();
    const found = [];
    const among = only === undefined ? this.count : only.length;
    await job.slices(among, 4096, (from, to) => {
      for (let at = from; at < to; at += 1) {
        const index = only === undefined ? at : only[at];
        if (decided !== undefined && kinds !== undefined && !kinds.includes(KINDS[decided.kinds[index]])) continue;
        if (rule !== undefined && decided?.rules[index] !== rule) continue;
        if (wanted !== "" && !this.#says(index, wanted)) continue;
        found.push(index);
      }
    });
    return Uint32Array.from(found);
  }

  #says(index, wanted) {
    const call = this.list[index];
    return subjectOf(call).toLowerCase().includes(wanted) || call.tool.toLowerCase().includes(wanted);
  }

  #add(call, start, end) {
    this.list.push(call);
    this.starts.push(start);
    this.ends.push(end);
  }

  #fault({ code, message, start, end }, lines) {
    this.faultCount += 1;
    if (this.faults.length < MOST_FAULTS) this.faults.push({ severity: "error", code, message, place: lines.place(start, end) });
  }
}

/** What was decided of each call, in few bytes: kinds and rules by number. */
export class Decided {
  #rules = new Map();
  /** Every rule that decided something, by its number. */
  named = [];

  constructor(count) {
    this.kinds = new Uint8Array(count);
    /** -1: no rule. */
    this.rules = new Int32Array(count);
  }

  keep(index, { effective, rule }) {
    this.kinds[index] = KINDS.indexOf(effective);
    this.rules[index] = rule === undefined ? -1 : this.#number(rule);
  }

  #number(rule) {
    // The object of a rule is made once for a policy; grants are not used here.
    const known = this.#rules.get(rule);
    if (known !== undefined) return known;
    this.#rules.set(rule, this.named.length);
    this.named.push(rule);
    return this.named.length - 1;
  }
}
