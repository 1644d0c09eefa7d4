// `<toolgate-preview>`: rules to write, calls to try, and what is decided of them.
//
// Properties come from a host whenever and in whatever order it likes; they are read once, through JSON, and taken in together with the
// next update. What a person does goes out as events. Whatever the host or the person gives, the element says what is wrong with it in
// words; it does not throw.
import { DIALECTS, init } from "toolgate";
import { LitElement, html, nothing } from "lit";
import { subjectOf, TOOLS, withTexts } from "./call_text.js";
import { MOST_CALLS, callsView, changesInWords, kindOf, toolOf } from "./calls_view.js";
import { ALL_LISTS, Draft, jsonOf, rulesOf } from "./configuration.js";
import { decisive } from "./decision_card.js";
import { Judge, inWords } from "./judge.js";
import { problemsOf, together } from "./problems.js";
import { RulesEditor } from "./rules_editor.js";
import { note, rulesView } from "./rules_view.js";
import { styles } from "./style/styles.js";
import { TextEditor } from "./text_editor.js";
import { BEHAVIORS, MODES, nameOf, plural, tally, titleOf } from "./words.js";

/** How long a person pauses before the rules are read again, in milliseconds. */
const PAUSE = 150;
/** How long before findings are looked for, which takes longer. */
const LINT_PAUSE = 350;

/** An attribute with JSON in it; what is none is kept as the text that it is, and refused as that. */
const fromJson = {
  fromAttribute(text) {
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};

export class ToolgatePreview extends LitElement {
  static styles = styles;
  static properties = {
    config: { converter: fromJson, noAccessor: true },
    calls: { converter: fromJson, noAccessor: true },
    state: { converter: fromJson, noAccessor: true },
    tools: { converter: fromJson, noAccessor: true },
    dialect: { reflect: true, noAccessor: true },
    mode: { reflect: true, noAccessor: true },
    readonly: { type: Boolean, reflect: true },
    source: {},
  };

  // What the host gave.
  #config;
  #state = {};
  #tools = [];
  #dialect;
  #mode;
  // What the person chose instead, until the host says something else.
  #chosen = {};

  #phase = "loading";
  #failure;
  #stale = true;
  #draft = new Draft({});
  #refusal;
  #judge = new Judge();
  #before = new Judge();
  #editors = new Map();
  #group = 0;
  #calls = [];
  #callsRefusal;
  #valid = false;
  #diagnostics = [];
  #problems = [];
  #outcomes = [];
  #changed;
  #open;
  #editing;
  #most = MOST_CALLS;
  #timer;
  #lintTimer;
  #marked = false;

  /** The configuration in force: what was set, with what a person has changed since, as far as it is without errors. */
  get config() {
    return this.#stale ? this.#config : (copyOf(this.#judge.config) ?? this.#config);
  }

  set config(value) {
    if (this.#isEcho(value)) return;
    this.#config = value;
    this.#chosen.dialect = undefined;
    this.#stale = true;
    this.requestUpdate();
  }

  /** The configuration as it is written, with its errors. */
  get draft() {
    return this.#stale ? this.#config : copyOf(this.#written());
  }

  get calls() {
    return copyOf(this.#calls) ?? [];
  }

  set calls(value) {
    const [calls, refusal] = listOf(value);
    const isSame = jsonOf(calls) === jsonOf(this.#calls) && refusal === this.#callsRefusal;
    if (isSame) return;
    this.#calls = calls;
    this.#callsRefusal = refusal;
    this.#open = this.#editing = undefined;
    this.#most = MOST_CALLS;
    this.#ask();
    this.requestUpdate();
  }

  /** What holds for every call: working folder, grants and so on, but for the mode. */
  get state() {
    return copyOf(this.#state);
  }

  set state(value) {
    this.#state = snapshot(value) ?? {};
    this.#ask();
    this.requestUpdate();
  }

  /** Further names for the completion. */
  get tools() {
    return [...this.#tools];
  }

  set tools(value) {
    const tools = snapshot(value);
    this.#tools = Array.isArray(tools) ? tools.filter((name) => typeof name === "string") : [];
    this.requestUpdate();
  }

  get dialect() {
    return this.#chosen.dialect ?? this.#dialect ?? this.#draft.given?.dialect ?? DIALECTS[0];
  }

  set dialect(value) {
    const old = this.dialect;
    this.#dialect = textOf(value);
    this.#chosen.dialect = undefined;
    this.#again();
    this.requestUpdate("dialect", old);
  }

  get mode() {
    return this.#chosen.mode ?? this.#mode ?? this.#draft.given?.defaultMode ?? "default";
  }

  set mode(value) {
    const old = this.mode;
    this.#mode = textOf(value);
    this.#chosen.mode = undefined;
    this.#ask();
    this.requestUpdate("mode", old);
  }

  /** Drops what a person wrote since the rules were last without errors. */
  reset() {
    this.#take(this.#judge.config ?? this.#config);
    this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.#phase === "ready") this.#again();
    else this.#start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    // The host hears of what was typed a moment ago.
    if (this.#timer !== undefined) this.#revise(true);
    clearTimeout(this.#lintTimer);
    // An element that comes back compiles its rules again.
    this.#judge.free();
    this.#before.free();
  }

  async #start() {
    this.#phase = "loading";
    this.requestUpdate();
    try {
      await init(this.source ?? undefined);
      this.#phase = "ready";
      this.#stale = true;
    } catch (error) {
      this.#phase = "failed";
      this.#failure = inWords(error);
    }
    this.requestUpdate();
  }

  willUpdate(changed) {
    if (changed.has("readonly")) this.#marked = false;
    if (this.#phase === "ready" && this.#stale) this.#take(this.#config);
  }

  updated() {
    if (!this.#marked) this.#mark();
  }

  /** Whether a host only gives back what it was told. The very object that it gave before is meant. */
  #isEcho(value) {
    if (this.#stale || value === this.#config) return false;
    const json = jsonOf(value);
    return json !== undefined && [this.#judge.config, this.#written()].some((known) => known !== undefined && jsonOf(known) === json);
  }

  /** Another configuration: whatever was written goes. */
  #take(config) {
    this.#stale = false;
    const given = config ?? {};
    const taken = snapshot(given);
    this.#refusal = taken === undefined ? given : undefined;
    this.#draft = new Draft(taken);
    this.#judge.free();
    this.#before.free();
    this.#group = Math.min(this.#group, Math.max(0, this.#draft.groups.length - 1));
    for (const editor of this.#editors.values()) editor.destroy();
    this.#editors.clear();
    this.#revise(false);
  }

  #written() {
    const config = this.#draft.config;
    const dialect = this.#chosen.dialect ?? this.#dialect;
    return dialect === undefined || config?.dialect === dialect ? config : { ...config, dialect };
  }

  #callState() {
    const mode = this.#chosen.mode ?? this.#mode;
    return mode === undefined ? this.#state : { ...this.#state, mode };
  }

  /** Reads the rules again, where they were read before. */
  #again() {
    if (this.#phase === "ready" && !this.#stale) this.#revise(false);
  }

  /** The rules, and everything that follows from them. */
  #revise(byPerson) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#refusal ?? this.#written();
    const { valid, diagnostics } = this.#judge.take(written);
    this.#valid = valid;
    this.#diagnostics = diagnostics;
    this.#problems = problemsOf(diagnostics, this.#draft);
    this.#lintSoon();
    this.#ask();
    if (byPerson) this.#tell("toolgate-change", this.#says());
  }

  #says() {
    const { dialect, mode } = this;
    return { config: copyOf(this.#judge.config), draft: copyOf(this.#written()), dialect, mode, valid: this.#valid, diagnostics: this.#diagnostics };
  }

  #lintSoon() {
    clearTimeout(this.#lintTimer);
    if (!this.#valid || !this.isConnected) return;
    this.#lintTimer = setTimeout(() => {
      const findings = this.#judge.findings();
      if (findings.length === 0) return;
      this.#problems = problemsOf(together(this.#diagnostics, findings), this.#draft);
      this.#marked = false;
      this.requestUpdate();
    }, LINT_PAUSE);
  }

  /** Decides every call. */
  #ask() {
    if (this.#phase !== "ready" || this.#stale) return;
    const state = this.#callState();
    this.#outcomes = this.#calls.map((call) => this.#judge.decide(call, state));
    this.#changed = this.#compare(state);
    if (this.#open !== undefined) this.#openRow(this.#open.index);
    this.#marked = false;
    this.requestUpdate();
    const decisions = this.#calls.map((call, index) => ({ index, call: copyOf(call), ...this.#outcomes[index] }));
    this.#tell("toolgate-decide", { decisions });
  }

  /** Which calls were decided otherwise under the rules that were set; undefined where nothing is to be compared. */
  #compare(state) {
    const given = this.#draft.given;
    if (given === undefined || this.#written() === given || !this.#before.take(given).valid) return undefined;
    const changed = new Map();
    this.#calls.forEach((call, index) => {
      const was = kindOf(this.#before.decide(call, state));
      if (was !== kindOf(this.#outcomes[index])) changed.set(index, was);
    });
    return changed;
  }

  #openRow(index) {
    const call = this.#calls[index];
    this.#open = call === undefined ? undefined : { index, explained: this.#judge.explain(call, this.#callState()) };
  }

  /** Shows in the editors what there is to see. */
  #mark() {
    this.#marked = true;
    const { explanation } = this.#open?.explained ?? {};
    const rule = this.#valid && explanation ? decisive(explanation.rules) : undefined;
    const decided = rule && this.#draft.placeOf(rule.path);
    for (const [key, { editor, group, list }] of this.#shown()) {
      const own = this.#problemsOf(group, list);
      const isHere = decided?.group === group && decided.list === list;
      editor.show(own, isHere ? { line: decided.line, span: rule.ruleSpan } : undefined);
      const isBad = own.some(({ severity }) => severity === "error");
      const attributes = { "aria-labelledby": `list-${list}`, ...(own.length > 0 ? { "aria-describedby": `notes-${list}` } : {}) };
      editor.describe({ ...attributes, ...(isBad ? { "aria-invalid": "true" } : {}) }, this.readonly);
      editor.key = `${editor.key}${key}`;
    }
  }

  /** The editors of the group that is looked at. */
  #shown() {
    const group = this.#draft.groups[this.#group];
    const lists = group === undefined ? [] : ALL_LISTS.filter((list) => this.#editors.has(`${group.key}/${list}`));
    return lists.map((list) => [`${group.key}/${list}`, { editor: this.#editors.get(`${group.key}/${list}`), group, list }]);
  }

  #problemsOf(group, list) {
    return this.#problems.filter(({ place }) => place?.group === group && place.list === list);
  }

  #editorOf(group, list) {
    const text = group.texts.get(list);
    if (text === undefined) return undefined;
    const key = `${group.key}/${list}`;
    if (!this.#editors.has(key)) {
      const changed = (document) => {
        text.document = document;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#revise(true), PAUSE);
      };
      const editor = new RulesEditor({ root: this.renderRoot, document: text.document, known: () => this.#known(), changed });
      this.#editors.set(key, editor);
      this.#marked = false;
    }
    return this.#editors.get(key);
  }

  /** What the completion offers. */
  #known() {
    const subjects = new Map();
    for (const call of this.#calls) {
      const subject = subjectOf(call);
      if (subject !== "") subjects.set(toolOf(call), [...new Set([...(subjects.get(toolOf(call)) ?? []), subject])]);
    }
    return { tools: this.#toolNames(), subjects, dialect: this.#judge.config?.dialect };
  }

  #toolNames() {
    const { bashToolName, fileEditTools, readOnlyTools } = this.#draft.given ?? {};
    const inRules = this.#draft.groups.flatMap((group) =>
      [...group.texts.values()].flatMap(({ document }) => rulesOf(document).slice(0, 200).map(({ text }) => text.split("(")[0].trim())),
    );
    const configured = [bashToolName, ...list(fileEditTools), ...list(readOnlyTools)].filter((name) => typeof name === "string");
    const all = [...configured, ...this.#tools, ...this.#calls.map((call) => call?.tool), ...inRules, ...TOOLS];
    return [...new Set(all)].filter((name) => typeof name === "string" && name !== "");
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #changeCalls(calls) {
    this.#calls = calls;
    this.#editing = undefined;
    this.#tell("toolgate-calls", { calls: this.calls });
    this.#ask();
  }

  // What a person does.

  #chooseDialect(dialect) {
    this.#chosen.dialect = dialect;
    this.#revise(true);
    this.requestUpdate("dialect");
  }

  #chooseMode(mode) {
    this.#chosen.mode = mode;
    this.#ask();
    this.#tell("toolgate-change", this.#says());
    this.requestUpdate("mode");
  }

  async #show({ group, list, line }, span) {
    this.#group = this.#draft.groups.indexOf(group);
    this.requestUpdate();
    await this.updateComplete;
    this.#editorOf(group, list)?.select(line, span);
  }

  async #fix(problem, fix) {
    const { group, list, line } = problem.place;
    if (!this.#editorOf(group, list).apply(problem, fix)) return;
    this.#revise(true);
    await this.#show({ group, list, line });
  }

  async #add({ rule, behavior }) {
    const group = this.#draft.groups[this.#group];
    const editor = group && this.#editorOf(group, behavior);
    if (editor === undefined) return;
    editor.append(rule);
    this.#revise(true);
    await this.updateComplete;
    this.#focus(`[data-index="${this.#open?.index}"] .open`);
  }

  #toggle(index) {
    if (this.#open?.index === index) this.#open = undefined;
    else this.#openRow(index);
    this.#marked = false;
    this.requestUpdate();
  }

  async #suggest() {
    this.#open.suggested = this.#judge.suggest(this.#calls[this.#open.index], this.#callState());
    this.requestUpdate();
    await this.updateComplete;
    // The button is gone; what it brought is read out.
    this.#focus(".suggested");
  }

  async #edit(index) {
    const call = this.#calls[index];
    const subject = new TextEditor({
      root: this.renderRoot,
      document: subjectOf(call),
      attributes: { "aria-labelledby": "call-subject-label" },
      changed() {},
    });
    const { bashToolName } = this.#draft.given ?? {};
    this.#editing?.subject.destroy();
    this.#editing = { index, isNew: call === undefined, call, tool: call === undefined ? (bashToolName ?? "Bash") : toolOf(call), subject, bashToolName };
    this.requestUpdate();
    await this.updateComplete;
    if (call === undefined) this.#focus("#call-tool");
    else subject.focus();
  }

  #save() {
    const { index, call, tool, subject, bashToolName } = this.#editing;
    const calls = [...this.#calls];
    calls[index] = withTexts(call, tool.trim(), subject.document, bashToolName);
    this.#most = Math.max(this.#most, index + 1);
    this.#changeCalls(calls);
    this.#leaveForm(index);
  }

  #cancel() {
    const { index } = this.#editing;
    this.#editing = undefined;
    this.requestUpdate();
    this.#leaveForm(index);
  }

  async #leaveForm(index) {
    await this.updateComplete;
    this.#focus(`[data-index="${index}"] .open`, ".add");
  }

  async #remove(index) {
    this.#open = undefined;
    this.#changeCalls(this.#calls.filter((_, at) => at !== index));
    await this.updateComplete;
    this.#focus(`[data-index="${index}"] .open`, ".add");
  }

  /** The focus goes to the first of these that is there. */
  #focus(...selectors) {
    selectors.map((selector) => this.renderRoot.querySelector(selector)).find((found) => found !== null)?.focus();
  }

  render() {
    if (this.#phase === "loading") return html`<div class="frame" part="frame"><p role="status">Loading the rules engine.</p></div>`;
    if (this.#phase === "failed") return this.#failed();
    return html`<div class="frame" part="frame">
      ${this.#choices()} ${this.#standing()}
      <div class="columns">
        <section class="side" part="rules" aria-labelledby="rules-title">${this.#rules()}</section>
        <section class="side" part="calls" aria-labelledby="calls-title">${this.#callList()}</section>
      </div>
      <datalist id="call-tools">${this.#toolNames().slice(0, 100).map((name) => html`<option value=${name}></option>`)}</datalist>
    </div>`;
  }

  #failed() {
    return html`<div class="frame" part="frame">
      <div role="alert" class="standing" part="status" data-standing="bad">
        <p><strong>The rules engine did not start.</strong> ${this.#failure}. Nothing is decided here.</p>
        <button type="button" part="button" @click=${() => this.#start()}>Try again</button>
      </div>
    </div>`;
  }

  #choices() {
    return html`<div class="choices" part="choices">
      ${choice("Dialect", this.dialect, DIALECTS, (dialect) => dialect, this.readonly, (value) => this.#chooseDialect(value))}
      ${choice("Mode", this.mode, this.#judge.modes, (mode) => MODES[mode] ?? mode, false, (value) => this.#chooseMode(value))}
    </div>`;
  }

  /** Whether what is written is in force. */
  #standing() {
    const errors = this.#problems.filter(({ severity }) => severity === "error");
    const elsewhere = this.#problems.filter(({ place }) => place === undefined);
    const isKept = this.#judge.config !== undefined;
    const said = this.#valid
      ? html`<p>${inForce(this.#draft, this.#problems)} ${changesInWords(this.#changed, this.#calls.length)}</p>`
      : html`<p>
          <strong>${errors.length === 1 ? "One error" : plural(errors.length, "error")}: these rules are not in force.</strong>
          ${isKept ? "The last good rules stay in force, and the decisions here are theirs. What you wrote is kept." : "Nothing is in force, so nothing is decided here."}
        </p>`;
    return html`<div class="standing" part="status" data-standing=${this.#valid ? "good" : "bad"}>
        <div role="status">${said}</div>
        ${this.#valid || !isKept || this.readonly ? nothing : html`<button type="button" part="button" @click=${() => this.#discard()}>Go back to the last good rules</button>`}
      </div>
      ${elsewhere.length === 0 ? nothing : html`<ul class="notes" part="notes" role="list" aria-label="About the configuration">${elsewhere.map((problem) => note(problem, true, this.#noteActions))}</ul>`}`;
  }

  #discard() {
    this.reset();
    this.#tell("toolgate-change", this.#says());
  }

  /** A place with the name that it is shown by. */
  #placeOf(path) {
    const place = this.#draft.placeOf(path);
    return place && { ...place, name: nameOf(place, this.#draft.groups) };
  }

  #noteActions = {
    show: (place, span) => this.#show(place, span),
    fix: (problem, fix) => this.#fix(problem, fix),
    placeOf: ({ path }) => this.#placeOf(path),
  };

  #rules() {
    const { groups } = this.#draft;
    const group = groups[this.#group];
    const lists = group === undefined ? [] : this.#lists(group);
    return html`<div class="title">
        <h2 id="rules-title">Rules</h2>
        ${groups.length < 2 ? nothing : this.#groupChoice(groups)}
      </div>
      <p class="quiet">One rule a line: <code>Tool</code> for every call of a tool, <code>Tool(content)</code> for some of them.</p>
      ${rulesView(lists, this.readonly, this.#noteActions)}`;
  }

  #lists(group) {
    const isUsed = (list) => BEHAVIORS.includes(list) || group.texts.get(list) === undefined || group.texts.get(list).document !== "" || group.texts.get(list).isEdited;
    return ALL_LISTS.filter(isUsed).map((list) => ({ list, editor: this.#editorOf(group, list), problems: this.#problemsOf(group, list) }));
  }

  #groupChoice(groups) {
    const said = (group) => {
      const found = tally(this.#problems.filter(({ place }) => place?.group === group));
      return found === "" ? titleOf(group) : `${titleOf(group)} (${found})`;
    };
    const set = (value) => {
      this.#group = Number(value);
      this.#marked = false;
      this.requestUpdate();
    };
    return choice("Source", String(this.#group), groups.map((_, index) => String(index)), (index) => said(groups[index]), false, set);
  }

  #callList() {
    const actions = {
      toggle: (index) => this.#toggle(index),
      edit: (index) => this.#edit(index),
      remove: (index) => this.#remove(index),
      create: () => this.#edit(this.#calls.length),
      save: () => this.#save(),
      cancel: () => this.#cancel(),
      rename: (tool) => {
        this.#editing.tool = tool;
        this.requestUpdate();
      },
      more: () => {
        this.#most += MOST_CALLS;
        this.requestUpdate();
      },
      suggest: () => this.#suggest(),
      add: (suggestion) => this.#add(suggestion),
      show: (place, span) => this.#show(place, span),
      placeOf: ({ path }) => (this.#valid && path !== undefined ? this.#placeOf(path) : undefined),
    };
    return html`<div class="title"><h2 id="calls-title">Calls</h2></div>
      ${this.#callsRefusal === undefined ? nothing : html`<p class="note" data-severity="error">${this.#callsRefusal}</p>`}
      ${callsView({
        calls: this.#calls,
        outcomes: this.#outcomes,
        changed: this.#changed,
        open: this.#open,
        editing: this.#editing,
        most: this.#most,
        readonly: this.readonly,
        actions,
      })}`;
  }
}

function choice(label, value, values, said, disabled, chosen) {
  const all = values.includes(value) ? values : [...values, value];
  return html`<label class="choice"
    ><span>${label}</span>
    <select part="select" .value=${value} ?disabled=${disabled} @change=${(event) => chosen(event.target.value)}>
      ${all.map((each) => html`<option value=${each} ?selected=${each === value}>${said(each)}</option>`)}
    </select></label
  >`;
}

function inForce(draft, problems) {
  const rules = draft.groups.flatMap((group) => [...group.texts.values()]).reduce((sum, { rules }) => sum + rules.length, 0);
  const found = tally(problems);
  return `${plural(rules, "rule")} in force${found === "" ? "" : `, with ${found}`}.`.replace(/^no/, "No");
}

/** A value through JSON; undefined where it has no JSON text. */
function snapshot(value) {
  const json = jsonOf(value);
  return json === undefined ? undefined : JSON.parse(json);
}

function copyOf(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function textOf(value) {
  return value === undefined || value === null ? undefined : String(value);
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Calls that a host gave, each on its own: one that cannot be read costs none of the others. */
function listOf(value) {
  if (value === undefined || value === null) return [[], undefined];
  try {
    if (!Array.isArray(value)) return [[], "The calls are not a list, so there is nothing to try."];
    // `null` is no call, and is refused as one.
    return [Array.from(value, (call) => snapshot(call) ?? null), undefined];
  } catch {
    return [[], "The calls cannot be read, so there is nothing to try."];
  }
}

globalThis.customElements?.get("toolgate-preview") ?? globalThis.customElements?.define("toolgate-preview", ToolgatePreview);
