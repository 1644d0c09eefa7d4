// What the worker holds, two settings files and the calls, and everything that it can be asked about them.
//
// Each job takes what was asked and its `Job`, and gives plain data. A job that finds its settings gone was stopped
// before: whoever changes them says so first.
import { DIALECTS } from "toolgate";
import { innermost } from "../../../pkg-template/cli/spans.js";
import * as analyses from "./analyses.js";
import { subjectOf } from "./call_of.js";
import { Calls, Decided } from "./calls.js";
import { Settings } from "./settings.js";

/** As many calls are decided before anyone looks at the clock. */
const SLICE = 512;
/** As many rules of an explanation get their place in the file: more are never shown. */
const MOST_PLACED = 400;

export class Desk {
  #settings = new Map();
  #calls = new Calls();
  #decided;

  /** Another text for one of the settings, `before` or `after`. */
  settings({ slot, text, options }) {
    this.#settings.get(slot)?.free();
    const settings = new Settings(text, options);
    this.#settings.set(slot, settings);
    if (slot === "before") this.#decided = undefined;
    const { notes, noteCount, isProse, policy, config } = settings;
    const shell = typeof config?.bashToolName === "string" ? config.bashToolName : "Bash";
    return { notes, noteCount, isProse, works: policy !== undefined, ruleCount: policy?.ruleCount, shell, mode: config?.defaultMode };
  }

  async calls({ text, shell }, job) {
    const calls = await Calls.read(text, shell, job);
    this.#calls = calls;
    this.#decided = undefined;
    const { faults, faultCount, cut } = calls;
    return { starts: Uint32Array.from(calls.starts), ends: Uint32Array.from(calls.ends), faults, faultCount, cut };
  }

  async decide({ state }, job) {
    const policy = this.#policy("before");
    const { list } = this.#calls;
    const decided = new Decided(list.length);
    let told = 0;
    const part = (to) => {
      const fresh = { from: told, kinds: decided.kinds.slice(told, to), rules: decided.rules.slice(told, to) };
      told = to;
      return fresh;
    };
    for (let from = 0; from < list.length; from += SLICE) {
      const decisions = policy.decideMany(list.slice(from, from + SLICE), state);
      decisions.forEach((decision, at) => decided.keep(from + at, decision));
      if (job.tired) await job.rest(from + decisions.length, list.length, part(from + decisions.length));
    }
    this.#decided = decided;
    const rules = decided.named.map(({ text, behavior, path }) => ({ text, behavior, path, place: this.#place("before", path) }));
    return { ...part(list.length), named: rules };
  }

  filter(asked, job) {
    return this.#calls.matching(asked, this.#decided, job);
  }

  explain({ slot = "before", index, call = this.#calls.list[index], state }) {
    const explanation = this.#policy(slot).explain(call, state);
    const { decision, rules } = explanation;
    const shown = [...rules.filter(({ matched }) => matched).slice(0, MOST_PLACED / 2), ...rules.filter(({ matched }) => !matched).slice(0, MOST_PLACED / 2)];
    const paths = [...(decision.rule === undefined ? [] : [decision.rule.path]), ...shown.map(({ path }) => path)];
    return { call, explanation, places: new Map(paths.map((path) => [path.join("/"), this.#place(slot, path)])) };
  }

  lint() {
    return analyses.lint(this.#settings.get("before"));
  }

  coverage({ state }, job) {
    return analyses.coverage(this.#settings.get("before"), this.#calls.list, state, job);
  }

  compare({ state }, job) {
    return analyses.compare(this.#settings.get("before"), this.#settings.get("after"), this.#calls.list, state, job);
  }

  spread({ state }, job) {
    return analyses.spread(this.#settings.get("before"), this.#calls.list, state, job);
  }

  /** One call under the settings of each slot. */
  bothSides({ index, state }) {
    const call = this.#calls.list[index];
    return ["before", "after"].map((slot) => sideOf(this.#settings.get(slot), this.#policy(slot), call, state));
  }

  /** One call in each dialect; undefined for one that does not take the settings. */
  dialectSides({ index, state }) {
    const call = this.#calls.list[index];
    const settings = this.#settings.get("before");
    return DIALECTS.map((dialect) => {
      const { policy } = settings.under(dialect);
      try {
        return policy && sideOf(settings, policy, call, state);
      } finally {
        policy?.free();
      }
    });
  }

  /** Rules that would cover a call. */
  suggest({ index, state }) {
    return this.#policy("before").suggest(this.#calls.list[index], state);
  }

  /** Which words of some calls, and of the rules that decided them, matched. */
  async matches({ indexes, state }, job) {
    const policy = this.#policy("before");
    const found = [];
    for (const index of indexes) {
      const call = this.#calls.list[index];
      const { subject, rules } = policy.explain(call, state);
      const decided = rules.find((rule) => rule.decided);
      // Where people are shown something else than the rule saw, its places mean nothing.
      const spans = subject === subjectOf(call) ? innermost(decided?.subjectSpans ?? []) : [];
      found.push({ index, subject: spans, rule: decided?.ruleSpan === undefined ? [] : [decided.ruleSpan] });
      if (job.tired) await job.rest(found.length, indexes.length);
    }
    return found;
  }

  /** Edits of the first settings: another text for a rule, or none; a rule more. */
  fixed({ path, rule }) {
    return this.#settings.get("before").fixed(path, rule);
  }

  added({ behavior, rule }) {
    return this.#settings.get("before").added(behavior, rule);
  }

  #policy(slot) {
    return this.#settings.get(slot).policy;
  }

  #place(slot, path, span) {
    return this.#settings.get(slot).placeOf(path, span);
  }
}

function sideOf(settings, policy, call, state) {
  const decision = policy.decide(call, state);
  return { decision, place: decision.rule && settings.placeOf(decision.rule.path) };
}
