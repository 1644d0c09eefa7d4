// Rules on trial: what the host gave, what a person wrote since, and what follows from both. Knows no document.
import { DIALECTS } from "toolgate";
import { kindOf, subjectOf, toolOf, TOOLS } from "./call_text.js";
import { Draft, isObject, rulesOf } from "./configuration.js";
import { callsOf, copyOf, jsonOf, snapshot, textsOf } from "./given.js";
import { Judge } from "./judge.js";
import { problemsOf, together } from "./problems.js";

/** How long before findings are looked for, in milliseconds: that takes longer than deciding. */
const LINT_PAUSE = 350;
/** Rules of a list whose tools are offered. */
const MOST_NAMED = 200;

export class Trial {
  draft = new Draft({});
  calls = [];
  callsRefusal;
  /** Whether the draft is without errors, and so in force. */
  valid = false;
  problems = [];
  /** `{ decision }` or `{ problem }` for each call. */
  outcomes = [];
  /** What was decided of calls under the rules that were set, where that is another thing; undefined where nothing is compared. */
  changed;
  /** The call that somebody looks at: `{ index, explained, suggested? }`. */
  open;
  #config;
  #refusal;
  #state = {};
  #dialect;
  #mode;
  // What the person chose instead, until the host says something else.
  #chosen = {};
  #isReady = false;
  #isStale = true;
  #diagnostics = [];
  #judge = new Judge();
  #before = new Judge();
  #timer;
  #hears;
  #tells;

  /** `hears` that there is something else to show; `tells(type, detail)` what the host has to know. */
  constructor({ hears, tells }) {
    this.#hears = hears;
    this.#tells = tells;
  }

  get config() {
    return this.#isStale ? this.#config : (copyOf(this.#judge.config) ?? this.#config);
  }

  /** False where the host only gives back what it was told. The very object that it gave before is meant. */
  setConfig(value) {
    if (this.#isEcho(value)) return false;
    this.#config = value;
    this.#chosen.dialect = undefined;
    this.#isStale = true;
    return true;
  }

  /** The configuration as it is written now. */
  get written() {
    if (this.#isStale) return this.#config;
    const { config } = this.draft;
    const dialect = this.#chosen.dialect ?? this.#dialect;
    return dialect === undefined || !isObject(config) || config.dialect === dialect ? config : { ...config, dialect };
  }

  /** False where these are the calls that are there. */
  setCalls(value) {
    const { calls, refusal } = callsOf(value);
    if (jsonOf(calls) === jsonOf(this.calls) && refusal === this.callsRefusal) return false;
    this.calls = calls;
    this.callsRefusal = refusal;
    this.open = undefined;
    this.ask();
    return true;
  }

  get state() {
    return copyOf(this.#state);
  }

  set state(value) {
    this.#state = snapshot(value) ?? {};
    this.ask();
  }

  get dialect() {
    return this.#chosen.dialect ?? this.#dialect ?? this.draft.given?.dialect ?? DIALECTS[0];
  }

  set dialect(value) {
    this.#dialect = value;
    this.#chosen.dialect = undefined;
    this.again();
  }

  get mode() {
    return this.#chosen.mode ?? this.#mode ?? this.draft.given?.defaultMode ?? "default";
  }

  set mode(value) {
    this.#mode = value;
    this.#chosen.mode = undefined;
    this.ask();
  }

  get modes() {
    return this.#judge.modes;
  }

  /** Whether any rules are in force. */
  get isInForce() {
    return this.#judge.config !== undefined;
  }

  /** The core is there. */
  start() {
    this.#isReady = true;
    this.#isStale = true;
  }

  /** Whether a configuration waits to be taken; `settle` does that. */
  get waits() {
    return this.#isReady && this.#isStale;
  }

  settle() {
    this.#take(this.#config);
  }

  /** Drops what was written since the rules were last without errors. */
  reset() {
    this.#take(this.#judge.config ?? this.#config);
  }

  /** Gives the memory of the core back; `again` compiles anew. */
  rest() {
    clearTimeout(this.#timer);
    this.#judge.rest();
    this.#before.rest();
  }

  /** Reads the rules again, where they were read before. */
  again() {
    if (!this.#isReady || this.#isStale) return;
    this.#judge.wake();
    this.revise(false);
  }

  /** The rules, and everything that follows from them. */
  revise(byPerson) {
    // What could not be read is judged as it came, until a person writes something in its place.
    const isAsGiven = this.draft.config === this.draft.given;
    const { valid, diagnostics } = this.#judge.take(isAsGiven ? (this.#refusal ?? this.written) : this.written);
    this.valid = valid;
    this.#diagnostics = diagnostics;
    this.problems = problemsOf(diagnostics, this.draft);
    this.#lintSoon();
    this.ask();
    if (byPerson) this.tell();
  }

  /** Decides every call. */
  ask() {
    if (!this.#isReady || this.#isStale) return;
    const state = this.#callState();
    this.outcomes = this.calls.map((call) => this.#judge.decide(call, state));
    this.changed = this.#compare(state);
    if (this.open !== undefined) this.look(this.open.index);
    this.#hears();
    const decisions = this.calls.map((call, index) => ({ index, call: copyOf(call), ...this.outcomes[index] }));
    this.#tells("toolgate-decide", { decisions });
  }

  /** Opens a call, or none. */
  look(index) {
    const call = this.calls[index];
    this.open = call === undefined ? undefined : { index, explained: this.#judge.explain(call, this.#callState()) };
  }

  suggest() {
    this.open.suggested = this.#judge.suggest(this.calls[this.open.index], this.#callState());
  }

  chooseDialect(dialect) {
    this.#chosen.dialect = dialect;
    this.revise(true);
  }

  chooseMode(mode) {
    this.#chosen.mode = mode;
    this.ask();
    this.tell();
  }

  changeCalls(calls) {
    this.calls = calls;
    this.#tells("toolgate-calls", { calls: copyOf(calls) });
    this.ask();
  }

  /** Says to the host how things stand. */
  tell() {
    const { dialect, mode, valid } = this;
    const [config, draft] = [copyOf(this.#judge.config), copyOf(this.written)];
    this.#tells("toolgate-change", { config, draft, dialect, mode, valid, diagnostics: this.#diagnostics });
  }

  /** Names of tools, the configured ones first. */
  toolNames(further) {
    const { bashToolName, fileEditTools, readOnlyTools } = this.draft.given ?? {};
    const texts = this.draft.groups.flatMap((group) => [...group.texts.values()]);
    const inRules = texts.flatMap(({ document }) => rulesOf(document).slice(0, MOST_NAMED).map(({ text }) => text.split("(")[0].trim()));
    const configured = [bashToolName, ...textsOf(fileEditTools), ...textsOf(readOnlyTools)];
    const all = [...configured, ...further, ...this.calls.map((call) => call?.tool), ...inRules, ...TOOLS];
    return [...new Set(all)].filter((name) => typeof name === "string" && name !== "");
  }

  /** What the calls are about, by tool. */
  subjects() {
    const subjects = new Map();
    for (const call of this.calls) {
      const [tool, subject] = [toolOf(call), subjectOf(call)];
      if (subject !== "") subjects.set(tool, [...new Set([...(subjects.get(tool) ?? []), subject])]);
    }
    return subjects;
  }

  #isEcho(value) {
    if (this.#isStale || value === this.#config) return false;
    const json = jsonOf(value);
    return json !== undefined && [this.#judge.config, this.written].some((known) => known !== undefined && jsonOf(known) === json);
  }

  /** Another configuration: whatever was written goes. */
  #take(config) {
    this.#isStale = false;
    const given = config ?? {};
    const taken = snapshot(given);
    this.#refusal = taken === undefined ? given : undefined;
    this.draft = new Draft(taken);
    this.#judge.free();
    this.#before.free();
    this.revise(false);
  }

  #callState() {
    const mode = this.#chosen.mode ?? this.#mode;
    return mode === undefined ? this.#state : { ...this.#state, mode };
  }

  #lintSoon() {
    clearTimeout(this.#timer);
    if (!this.valid) return;
    this.#timer = setTimeout(() => {
      const findings = this.#judge.findings();
      if (findings.length === 0) return;
      this.problems = problemsOf(together(this.#diagnostics, findings), this.draft);
      this.#hears();
    }, LINT_PAUSE);
  }

  #compare(state) {
    const { given } = this.draft;
    if (given === undefined || this.written === given || !this.#before.take(given).valid) return undefined;
    const changed = new Map();
    this.calls.forEach((call, index) => {
      const was = kindOf(this.#before.decide(call, state));
      if (was !== kindOf(this.outcomes[index])) changed.set(index, was);
    });
    return changed;
  }
}
