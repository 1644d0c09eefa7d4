// A configuration compiled once. The handle into the core is kept beside the text that it was made of, so that a fresh
// instance can make it again.
import {
  elements,
  flag,
  jsonText,
  member,
  object,
  optionalText,
  optionalWord,
  text,
  tryJsonText,
  wellFormed,
} from "./arguments.js";
import { CoreError, PolicyError, limitError } from "./errors.js";
import { call, currentGeneration, release, run } from "./instance.js";
import { rowOf } from "./row.js";
import { withRunTimeWords } from "./shell.js";
import vocabulary from "./vocabulary.js";

const { kinds, levels, modes, sandboxes, stages } = vocabulary;

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
    const read = [this.#read(call), readState(state)];
    const row = this.#row((handle) => decideBy(handle, EXPLANATION, ...read));
    const decision = this.#decision(row, read[1]);
    const explanation = JSON.parse(row.text());
    if (explanation.shell) withRunTimeWords(explanation.shell);
    return { decision, ...explanation };
  }

  lint() {
    return JSON.parse(this.#run((handle) => handle.lint()));
  }

  suggest(call, state) {
    const read = [this.#read(call), readState(state)];
    return JSON.parse(this.#row((handle) => decideBy(handle, SUGGESTIONS, ...read)).text());
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
    const rules = [[], counted(ranks), counted(read[GRANTS] === undefined ? [] : this.#grants(read))];
    const byKind = Object.fromEntries(kinds.map((kind) => [kind, 0]));
    const uncovered = [];
    let index = 0;
    for (const { batch } of batches(calls, this.#looksAtArguments)) {
      this.#meetBatch(batch, read, (row) => {
        byKind[kinds[row.number()]] += 1;
        if (row.number() === 1) uncovered.push(index);
        for (let left = row.number(); left > 0; left--) {
          const rule = rules[row.number()][row.number()];
          const said = row.number();
          rule.matched += said & 1;
          rule.decided += said >> 1;
        }
        index += 1;
      });
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

  /** Goes through what each call of a batch meets; call by call where a text cannot cross in a batch. */
  #meetBatch(batch, state, take) {
    const records = joined(batch, this.#looksAtArguments);
    if (records === undefined) {
      for (const call of batch) take(this.#row((handle) => decideBy(handle, MEETINGS, call, state)));
      return;
    }
    const row = this.#row((handle) => handle.decideMany(true, records, ...state));
    for (let left = batch.length; left > 0; left--) take(row);
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

  /** One crossing for the whole batch; call by call where a text cannot go that way. */
  #decideAll(batch, state) {
    const records = joined(batch, this.#looksAtArguments);
    if (records === undefined) return batch.map((call) => this.#decideOne(call, state));
    const row = this.#row((handle) => handle.decideMany(false, records, ...state));
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

  #row(work) {
    if (this.#generation !== currentGeneration()) this.#compile();
    return rowOf(() => work(this.#handle));
  }

  #read(call) {
    return readCallAt(call, undefined, this.#looksAtArguments);
  }

  #decideOne(call, state) {
    const row = this.#row((handle) => decideBy(handle, DECISION, call, state));
    return this.#decision(row, state);
  }

  #decide(call, state) {
    try {
      return this.#decideOne(call, state);
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
    const reason = row.text();
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
      mode: state[PLAN_ACTIVE] ? "plan" : modes[state[MODE] ?? this.#defaultMode],
      readOnly: false,
    };
  }

  /** A rule of the policy. It is made once and shared, so it is frozen. */
  #rule(rank) {
    return (this.#rules[rank] ??= frozen(JSON.parse(this.#run((handle) => handle.rule(rank)))));
  }

  #grants(state) {
    return JSON.parse(this.#run((handle) => handle.grants(state[GRANTS])));
  }
}

/** One by one: spreading two lists takes longer than deciding a call that no rule answers for. */
function decideBy(handle, asked, call, state) {
  const [tool, subject, command, filePath, notebookPath, path, url, json] = call;
  const [mode, cwd, planActive, sandbox, grants, realPath] = state;
  return handle.decide(asked, tool, subject, command, filePath, notebookPath, path, url, json, mode, cwd, planActive, sandbox, grants, realPath);
}

/** What `decide` of the core is asked for. */
const DECISION = 0;
const EXPLANATION = 1;
const SUGGESTIONS = 2;
const MEETINGS = 3;

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

/** Calls in one crossing: enough to be worth it, few enough to stay small. */
const BATCH = 512;

/** What ends a member in a batch, and what stands for an absent one. */
const MEMBER_END = "\u0000";
const ABSENT = "\u0001";
const MARKS = /[\u0000\u0001]/;

/** Calls as they are read, in batches, each with the calls that were given. */
function* batches(calls, looksAtArguments) {
  let [batch, given] = [[], []];
  let index = 0;
  for (const call of elements(calls, ["calls"])) {
    batch.push(readCallAt(call, index++, looksAtArguments));
    given.push(call);
    if (batch.length === BATCH) {
      yield { batch, given };
      [batch, given] = [[], []];
    }
  }
  if (batch.length > 0) yield { batch, given };
}

/** The calls of a batch as one text, or undefined where a text has one of the marks in it. */
function joined(batch, looksAtArguments) {
  let text = "";
  for (const call of batch) {
    for (let at = 0; at < call.length; at++) {
      // The last member is all arguments.
      const member = looksAtArguments || at < call.length - 1 ? call[at] : undefined;
      if (member === undefined) {
        text += ABSENT;
      } else {
        if (MARKS.test(member)) return undefined;
        text += member;
      }
      text += MEMBER_END;
    }
  }
  return text;
}

/** Reads a call: the one, or that of an index. */
export function readCallAt(call, index, looksAtArguments) {
  try {
    return readCall(call, looksAtArguments);
  } catch (error) {
    if (error.path) error.path = [...(index === undefined ? ["call"] : ["calls", index]), ...error.path];
    throw error;
  }
}

/** What a call is decided by, in the order of the core's parameters. Each member is read once, and most calls fail nowhere,
 * so the places of errors are made beforehand, and the place of the call is added where one is thrown. */
function readCall(call, looksAtArguments) {
  object(call, []);
  const tool = text(member(call, "tool", []), TOOL);
  const subject = optionalText(member(call, "subject", []), SUBJECT);
  let given = object(member(call, "arguments", []) ?? {}, INSIDE);
  let json;
  if (looksAtArguments) {
    json = jsonText(given, INSIDE);
    // What was read once is not read again: a getter could answer otherwise.
    given = JSON.parse(json);
  }
  const read = [tool, subject];
  for (const { name, path } of ARGUMENTS) {
    const value = member(given, name, INSIDE);
    read.push(typeof value === "string" ? wellFormed(value, path) : undefined);
  }
  read.push(json);
  return read;
}

const TOOL = ["tool"];
const SUBJECT = ["subject"];
const INSIDE = ["arguments"];

/** The arguments that rules and risk look at. */
const ARGUMENTS = ["command", "file_path", "notebook_path", "path", "url"].map((name) => ({ name, path: [...INSIDE, name] }));

/** Places in what `readState` gives. */
const MODE = 0;
const PLAN_ACTIVE = 2;
const GRANTS = 4;

/** What a call's state says, in the order of the core's parameters. */
function readState(state) {
  if (state === undefined) return NO_STATE;
  const path = ["state"];
  object(state, path);
  const read = (name) => member(state, name, path);
  const at = (name) => [...path, name];
  const grants = read("grants") ?? undefined;
  return [
    optionalWord(read("mode"), modes, "unknown-mode", at("mode")),
    optionalText(read("cwd"), at("cwd")),
    flag(read("planActive"), at("planActive")),
    optionalWord(read("sandbox"), sandboxes, "unknown-sandbox", at("sandbox")),
    grants === undefined ? undefined : jsonText(grants, at("grants")),
    optionalText(read("realPath"), at("realPath")),
  ];
}

const NO_STATE = Object.freeze([undefined, undefined, false, undefined, undefined, undefined]);

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
