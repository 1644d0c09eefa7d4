// Which words of the calls in view, and of the rules that decided them, matched: asked for once rows stay in view.
import { marked } from "../hidden.js";

/** While someone scrolls, nothing is asked. */
const WAIT_MS = 90;
/** The oldest go: only what is in view counts. */
const MOST = 2000;

export class Highlights {
  #ask;
  #known = new Map();
  #wanted = new Set();
  #timer;

  /** `ask` takes numbers of calls, gives a promise of `{ index, subject, rule }` for each: the spans that matched; `come` is told of them. */
  constructor(ask, come) {
    this.#ask = ask;
    this.come = come;
  }

  /** What matched does not hold any more. */
  forget() {
    this.#known.clear();
    clearTimeout(this.#timer);
  }

  /** Calls that are in view. */
  want(indexes) {
    this.#wanted = new Set(indexes.filter((index) => !this.#known.has(index)));
    clearTimeout(this.#timer);
    if (this.#wanted.size > 0) this.#timer = setTimeout(() => this.#fetch(), WAIT_MS);
  }

  /** The first units of a call's subject, and of its rule, with their marks. */
  subject(index, text) {
    return marked(text, this.#spans(index, "subject"), { line: true });
  }

  rule(index, text) {
    return marked(text, this.#spans(index, "rule"), { line: true });
  }

  #spans(index, name) {
    return (this.#known.get(index)?.[name] ?? []).map((span) => ({ ...span, className: "matched" }));
  }

  async #fetch() {
    const known = this.#known;
    const found = await this.#ask([...this.#wanted]);
    if (found === undefined || found.length === 0) return;
    for (const each of found) known.set(each.index, each);
    while (known.size > MOST) known.delete(known.keys().next().value);
    this.come();
  }
}
