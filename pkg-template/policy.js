// A configuration compiled once. The handle into the core is kept beside the text that it was made of, so that a fresh
// instance can make it again.
import { jsonText, tryJsonText } from "./arguments.js";
import { DECISION, EXPLANATION, MEETINGS, SUGGESTIONS, batches, readCallAt, readState, send } from "./calls.js";
import { CoreError, PolicyError, limitError } from "./errors.js";
import { call, currentGeneration, release, run } from "./instance.js";
import { rowOf } from "./row.js";
import { withRunTimeWords } from "./shell.js";
import vocabulary from "./vocabulary.js";

const { kinds, levels, modes, stages } = vocabulary;

/** What the functions that compare need of the inside of policies. */
export let changesFrom;
export let isPolicy;

export class Policy {
  #config;
  #handle;
  #generation;
  #looksAtArguments;
  #defaultMode = 0;
  #rules = [];
  #reasons = [];

  constructor(config) {
    this.#config = tryJsonText(config);
    if (this.#config === undefined) throw unwritableError(config);
    if (this.#config.length > vocabulary.inputUnits) {
      throw limitError("input-too-large", "the configuration is too large", vocabulary.inputUnits);
    }
    this.#compile();
  }

  static check(config) {
    const json = tryJsonText(config);
    if (json === undefined || json.length > vocabulary.inputUnits) return unwritable(config, json);
    try {
      return JSON.parse(call("checkPolicy", json));
    } catch (error) {
      if (error instanceof CoreError) return [fault("core-stopped", error.message)];
      throw error;
    }
  }

  get dialect() {
    return this.#run((handle) => handle.dialect);
  }

  get ruleCount() {
    return this.#run((handle) => handle.ruleCount);
  }

  get fingerprint() {
    return this.#run((handle) => handle.fingerprint);
  }

  decide(call, state) {
    return this.#decide(this.#read(call), readState(state));
  }

  explain(call, state) {
    const given = readState(state);
    const row = this.#ask(EXPLANATION, [this.#read(call)], given);
    const decision = this.#decision(row, given);
    const explanation = JSON.parse(row.text());
    if (explanation.shell) withRunTimeWords(explanation.shell);
    return { decision, ...explanation };
  }

  lint() {
    return JSON.parse(this.#run((handle) => handle.lint()));
  }

  suggest(call, state) {
    return JSON.parse(this.#ask(SUGGESTIONS, [this.#read(call)], readState(state)).text());
  }

  decideMany(calls, state) {
    const read = readState(state);
    const decisions = [];
    for (const { batch } of batches(calls, this.#looksAtArguments)) {
      for (const decision of this.#decideBatch(batch, read)) decisions.push(decision);
    }
    return decisions;
  }

  coverage(calls, state) {
    const read = readState(state);
    const ranks = Array.from({ length: this.ruleCount }, (_, rank) => this.#rule(rank));
    const counted = (rules) => rules.map(({ path, text }) => ({ path, text, decided: 0, matched: 0 }));
    // In the order of the lists that a row names: the policy's rules, then the grants.
    const rules = [[], counted(ranks), counted(read.grants === undefined ? [] : this.#grants(read))];
    const byKind = Object.fromEntries(kinds.map((kind) => [kind, 0]));
    const uncovered = [];
    let index = 0;
    for (const { batch } of batches(calls, this.#looksAtArguments)) {
      const row = this.#ask(MEETINGS, batch, read);
      for (const last = index + batch.length; index < last; index++) {
        byKind[kinds[row.number()]] += 1;
        if (row.number() === 1) uncovered.push(index);
        for (let left = row.number(); left > 0; left--) {
          const rule = rules[row.number()][row.number()];
          const said = row.number();
          rule.matched += said & 1;
          rule.decided += said >> 1;
        }
      }
    }
    return { rules: [...rules[1].sort(byPlace), ...rules[2]], byKind, uncovered };
  }

  /** For each of the others the calls that it decides differently. Each call is read once, so that it is the same for all. */
  static #changes(policy, others, calls, state) {
    const read = readState(state);
    const changes = others.map(() => []);
    const looks = [policy, ...others].some((one) => one.#looksAtArguments);
    let first = 0;
    for (const { batch, given } of batches(calls, looks)) {
      const decisions = policy.#decideAll(batch, read);
      others.forEach((other, nth) => {
        other.#decideAll(batch, read).forEach((after, at) => {
          const before = decisions[at];
          if (before.kind === after.kind && before.effective === after.effective) return;
          changes[nth].push({ index: first + at, call: given[at], before, after });
        });
      });
      first += batch.length;
    }
    return changes;
  }

  static {
    changesFrom = Policy.#changes;
    isPolicy = (value) => typeof value === "object" && value !== null && #config in value;
  }

  /** Call by call where the core stops, so that only what stops it is denied. */
  #decideBatch(batch, state) {
    try {
      return this.#decideAll(batch, state);
    } catch (error) {
      if (error instanceof CoreError) return batch.map((call) => this.#decide(call, state));
      throw error;
    }
  }

  #decideAll(batch, state) {
    const row = this.#ask(DECISION, batch, state);
    return batch.map(() => this.#decision(row, state));
  }

  free() {
    release(this.#handle, this.#generation);
    this.#generation = undefined;
    this.#config = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #compile() {
    const config = this.#config;
    if (config === undefined) throw Object.assign(new Error("the policy was freed"), { code: "freed" });
    this.#handle = run((core) => new core.CompiledPolicy(config));
    this.#generation = currentGeneration();
    this.#looksAtArguments = run(() => this.#handle.looksAtArguments);
    this.#defaultMode = run(() => this.#handle.defaultMode);
  }

  #run(work) {
    if (this.#generation !== currentGeneration()) this.#compile();
    return run(() => work(this.#handle));
  }

  /** A row for calls, as they were read. */
  #ask(asked, calls, state) {
    if (this.#generation !== currentGeneration()) this.#compile();
    return rowOf((core) => {
      const { length, written } = send(core, asked, calls, state, this.#looksAtArguments);
      return this.#handle.ask(length, written);
    });
  }

  #read(call) {
    return readCallAt(call, undefined, this.#looksAtArguments);
  }

  #decide(call, state) {
    try {
      return this.#decision(this.#ask(DECISION, [call], state), state);
    } catch (error) {
      if (error instanceof CoreError) return this.#denial(state);
      throw error;
    }
  }

  #decision(row, state) {
    const decision = { kind: kinds[row.number()], effective: kinds[row.number()] };
    const stage = stages[row.number()];
    const mode = modes[row.number()];
    const readOnly = row.number() === 1;
    const list = row.number();
    const index = row.number();
    const said = row.number();
    const reason = said === 0 ? row.text() : this.#reason(index, said);
    const risk = row.text();
    if (reason !== undefined) decision.reason = reason;
    decision.stage = stage;
    if (list !== 0) decision.rule = list === 1 ? this.#rule(index) : this.#grants(state)[index];
    decision.risk = risk === undefined ? { level: levels[0], reasons: [], findings: [] } : JSON.parse(risk);
    decision.mode = mode;
    decision.readOnly = readOnly;
    return decision;
  }

  /** What is said where the core stopped: nothing is let through. */
  #denial(state) {
    const reason = "the permission core stopped in the middle of the call";
    const level = levels.at(-1);
    return {
      kind: "deny",
      effective: "deny",
      reason: `blocked by risk classifier: ${reason}`,
      stage: "risk",
      risk: { level, reasons: [reason], findings: [{ code: "core-stopped", level, reason, span: { start: 0, end: 0 } }] },
      mode: state.planActive ? "plan" : modes[state.mode ?? this.#defaultMode],
      readOnly: false,
    };
  }

  /** A rule of the policy. It is made once and shared, so it is frozen. */
  #rule(rank) {
    return (this.#rules[rank] ??= frozen(JSON.parse(this.#run((handle) => handle.rule(rank)))));
  }

  /** What is said of a rule that decided. */
  #reason(rank, said) {
    const reasons = (this.#reasons[rank] ??= []);
    return (reasons[said] ??= this.#run((handle) => handle.reason(rank, said - 1)));
  }

  #grants(state) {
    return JSON.parse(this.#run((handle) => handle.grants(state.grants)));
  }
}

/** Rules in the order of the configuration: layers before rules, and lists as the API names them. */
function byPlace({ path: one }, { path: other }) {
  const place = ({ length, [1]: layer, [length - 2]: list, [length - 1]: index }) => [length === 4 ? 0 : 1, length === 4 ? layer : 0, LISTS.indexOf(list), index];
  const [a, b] = [place(one), place(other)];
  return a.map((step, at) => step - b[at]).find((difference) => difference !== 0) ?? 0;
}

const LISTS = ["allow", "deny", "ask", "bypassImmune"];

/** An agent's settings, as they are, become a configuration. */
export function configFromSettings(permissions, options = {}) {
  const given = jsonText(options, ["options"]);
  const json = permissions === undefined ? "null" : tryJsonText(permissions);
  if (json === undefined) {
    const { config } = configFromSettings(undefined, options);
    return { config, diagnostics: unwritable(permissions, undefined, "the value of the settings") };
  }
  return JSON.parse(call("configFromSettings", json, given));
}

function unwritableError(config) {
  const diagnostics = unwritable(config);
  const [{ code, message }] = diagnostics;
  return Object.assign(new PolicyError(message), { code, diagnostics });
}

/** The diagnostics of a value that has no JSON text, or too much of it. */
function unwritable(value, json, what = "a configuration") {
  if (json !== undefined) return [fault("input-too-large", `${what} is too large`)];
  const absent = value === undefined || typeof value === "function" || typeof value === "symbol";
  return [absent ? fault("not-an-object", `${what} is an object`) : fault("not-json", `${what} cannot be written as JSON`)];
}

function fault(code, message) {
  return { severity: "error", code, message, path: [] };
}

function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
