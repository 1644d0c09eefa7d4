// `<toolgate-preview>`: rules to write, calls to try, and what is decided of them.
//
// Properties come from a host whenever and in whatever order it likes, and are taken in together with the next update. What a person does
// goes out as events. Whatever the host or the person gives, the element says what is wrong with it in words; it does not throw.
import { init } from "toolgate";
import { LitElement, html, nothing } from "lit";
import { subjectOf, toolOf, withTexts } from "./call_text.js";
import { MOST_CALLS, callsView } from "./calls_view.js";
import { ALL_LISTS } from "./configuration.js";
import { Editors } from "./editors.js";
import { copyOf, fromJson, snapshot, textOf, textsOf } from "./given.js";
import { inWords } from "./judge.js";
import { rulesView } from "./rules_view.js";
import { choice, choices, failed, loading, standing } from "./standing_view.js";
import { styles } from "./style/styles.js";
import { TextEditor } from "./text_editor.js";
import { Trial } from "./trial.js";
import { BEHAVIORS, nameOf, tally, titleOf } from "./words.js";

/** How long a person pauses before the rules are read again, in milliseconds. */
const PAUSE = 150;
/** Nobody looks through more names. */
const MOST_NAMES = 100;

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

  #trial = new Trial({ hears: () => this.#showAll(), tells: (type, detail) => this.#tell(type, detail) });
  #tools = [];
  #phase = "loading";
  #failure;
  #editors;
  /** The group of rules that is looked at. */
  #group = 0;
  #editing;
  #most = MOST_CALLS;
  #timer;
  #isMarked = false;

  get config() {
    return this.#trial.config;
  }

  set config(value) {
    if (!this.#trial.setConfig(value)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.requestUpdate();
  }

  get draft() {
    return snapshot(this.#trial.written);
  }

  get calls() {
    return copyOf(this.#trial.calls);
  }

  set calls(value) {
    if (!this.#trial.setCalls(value)) return;
    this.#editing = undefined;
    this.#most = MOST_CALLS;
    this.requestUpdate();
  }

  get state() {
    return this.#trial.state;
  }

  set state(value) {
    this.#trial.state = value;
    this.requestUpdate();
  }

  get tools() {
    return [...this.#tools];
  }

  set tools(value) {
    this.#tools = textsOf(snapshot(value));
    this.requestUpdate();
  }

  get dialect() {
    return this.#trial.dialect;
  }

  set dialect(value) {
    const old = this.dialect;
    this.#trial.dialect = textOf(value);
    this.requestUpdate("dialect", old);
  }

  get mode() {
    return this.#trial.mode;
  }

  set mode(value) {
    const old = this.mode;
    this.#trial.mode = textOf(value);
    this.requestUpdate("mode", old);
  }

  reset() {
    if (this.#phase === "ready") this.#trial.reset();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.#phase === "ready") this.#trial.again();
    else this.#start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    // The host hears of what was typed a moment ago.
    if (this.#timer !== undefined) this.#revise();
    this.#trial.rest();
  }

  async #start() {
    this.#phase = "loading";
    this.requestUpdate();
    try {
      await init(this.source ?? undefined);
      this.#phase = "ready";
      this.#trial.start();
    } catch (error) {
      this.#phase = "failed";
      this.#failure = inWords(error);
    }
    this.requestUpdate();
  }

  willUpdate(changed) {
    if (changed.has("readonly")) this.#isMarked = false;
    if (this.#trial.waits) this.#trial.settle();
    const { groups } = this.#trial.draft;
    this.#group = Math.min(this.#group, Math.max(0, groups.length - 1));
  }

  updated() {
    if (this.#isMarked || this.#phase !== "ready") return;
    this.#isMarked = true;
    const group = this.#trial.draft.groups[this.#group];
    if (group !== undefined) this.#editors.mark(group, listsOf(group), this.#trial, this.readonly);
  }

  #showAll() {
    this.#isMarked = false;
    this.requestUpdate();
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  /** What is written becomes what is in force, if it can. */
  #revise() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#trial.revise(true);
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#revise(), PAUSE);
  }

  #editorOf(group, list) {
    this.#editors ??= new Editors({
      root: this.renderRoot,
      known: () => ({ tools: this.#trial.toolNames(this.#tools), subjects: this.#trial.subjects(), dialect: this.#trial.dialect }),
      typed: () => this.#typed(),
    });
    return this.#editors.of(group, list);
  }

  /** A place with the name that it is shown by. */
  #placeOf(path) {
    const { draft } = this.#trial;
    const place = draft.placeOf(path);
    return place && { ...place, name: nameOf(place, draft.groups) };
  }

  // What a person does with rules.

  #ruleActions = {
    show: (place, span) => this.#show(place, span),
    placeOf: ({ path }) => this.#placeOf(path),
    fix: async (problem, fix) => {
      const { group, list } = problem.place;
      if (!this.#editorOf(group, list).apply(problem, fix)) return;
      this.#revise();
      await this.#show(problem.place);
    },
  };

  #standingActions = {
    notes: this.#ruleActions,
    chooseDialect: (dialect) => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#trial.chooseDialect(dialect);
      this.requestUpdate("dialect");
    },
    chooseMode: (mode) => {
      this.#trial.chooseMode(mode);
      this.requestUpdate("mode");
    },
    discard: () => {
      this.reset();
      this.#trial.tell();
    },
  };

  async #show({ group, list, line }, span) {
    this.#look(this.#trial.draft.groups.indexOf(group));
    await this.updateComplete;
    this.#editorOf(group, list)?.select(line, span);
  }

  #look(group) {
    this.#group = group;
    this.#showAll();
  }

  // What a person does with calls.

  #callActions = {
    show: (place, span) => this.#show(place, span),
    // The last good rules stand in no editor.
    placeOf: ({ path }) => (this.#trial.valid && path !== undefined ? this.#placeOf(path) : undefined),
    toggle: (index) => {
      this.#trial.look(this.#trial.open?.index === index ? undefined : index);
      this.#showAll();
    },
    more: () => {
      this.#most += MOST_CALLS;
      this.requestUpdate();
    },
    edit: (index) => this.#edit(index),
    create: () => this.#edit(this.#trial.calls.length),
    rename: (tool) => {
      this.#editing.tool = tool;
      this.requestUpdate();
    },
    save: () => {
      const { index, call, tool, subject, bashToolName } = this.#editing;
      const calls = [...this.#trial.calls];
      calls[index] = withTexts(call, tool.trim(), subject.document, bashToolName);
      this.#most = Math.max(this.#most, index + 1);
      this.#leaveForm(calls);
    },
    cancel: () => this.#leaveForm(),
    remove: async (index) => {
      this.#editing = undefined;
      this.#trial.open = undefined;
      this.#trial.changeCalls(this.#trial.calls.filter((_, at) => at !== index));
      await this.updateComplete;
      this.#focus(`[data-index="${index}"] .open`, ".add");
    },
    suggest: async () => {
      this.#trial.suggest();
      this.requestUpdate();
      await this.updateComplete;
      // The button is gone; what it brought is read out.
      this.#focus(".suggested");
    },
    add: async ({ rule, behavior }) => {
      const group = this.#trial.draft.groups[this.#group];
      const editor = group && this.#editorOf(group, behavior);
      if (editor === undefined) return;
      editor.append(rule);
      this.#revise();
      await this.updateComplete;
      this.#focus(`[data-index="${this.#trial.open?.index}"] .open`);
    },
  };

  async #edit(index) {
    const call = this.#trial.calls[index];
    const isNew = call === undefined;
    const { bashToolName = "Bash" } = this.#trial.draft.given ?? {};
    const attributes = { "aria-labelledby": "call-subject-label" };
    const subject = new TextEditor({ root: this.renderRoot, document: subjectOf(call), attributes });
    this.#editing?.subject.destroy();
    this.#editing = { index, isNew, call, tool: isNew ? bashToolName : toolOf(call), subject, bashToolName };
    this.requestUpdate();
    await this.updateComplete;
    if (isNew) this.#focus("#call-tool");
    else subject.focus();
  }

  async #leaveForm(calls) {
    const { index, subject } = this.#editing;
    subject.destroy();
    this.#editing = undefined;
    if (calls !== undefined) this.#trial.changeCalls(calls);
    this.requestUpdate();
    await this.updateComplete;
    this.#focus(`[data-index="${index}"] .open`, ".add");
  }

  /** The focus goes to the first of these that is there. */
  #focus(...selectors) {
    selectors.map((selector) => this.renderRoot.querySelector(selector)).find((found) => found !== null)?.focus();
  }

  render() {
    if (this.#phase === "loading") return loading();
    if (this.#phase === "failed") return failed(this.#failure, () => this.#start());
    const names = this.#trial.toolNames(this.#tools).slice(0, MOST_NAMES);
    return html`<div class="frame" part="frame" lang="en" dir="ltr">
      ${choices(this.#trial, this.readonly, this.#standingActions)} ${standing(this.#trial, this.readonly, this.#standingActions)}
      <div class="columns">
        <section class="side" part="rules" aria-labelledby="rules-title">${this.#rules()}</section>
        <section class="side" part="calls" aria-labelledby="calls-title">${this.#calls()}</section>
      </div>
      <datalist id="call-tools">${names.map((name) => html`<option value=${name}></option>`)}</datalist>
    </div>`;
  }

  #rules() {
    const { draft, problems } = this.#trial;
    const group = draft.groups[this.#group];
    const of = (list) => problems.filter(({ place }) => place?.group === group && place.list === list);
    const lists = group === undefined ? [] : listsOf(group).map((list) => ({ list, editor: this.#editorOf(group, list), problems: of(list) }));
    return html`<div class="title">
        <h2 id="rules-title">Rules</h2>
        ${draft.groups.length < 2 ? nothing : this.#groupChoice(draft.groups, problems)}
      </div>
      <p class="quiet">One rule a line: <code>Tool</code> for every call of a tool, <code>Tool(content)</code> for some of them.</p>
      ${rulesView(lists, this.readonly, this.#ruleActions)}`;
  }

  #groupChoice(groups, problems) {
    const said = (index) => {
      const found = tally(problems.filter(({ place }) => place?.group === groups[index]));
      return found === "" ? titleOf(groups[index]) : `${titleOf(groups[index])} (${found})`;
    };
    const values = groups.map((_, index) => String(index));
    return choice("Source", String(this.#group), values, said, (index) => this.#look(Number(index)));
  }

  #calls() {
    const { calls, callsRefusal, outcomes, changed, open } = this.#trial;
    const shown = { calls, outcomes, changed, open, editing: this.#editing, most: this.#most, readonly: this.readonly, actions: this.#callActions };
    return html`<div class="title"><h2 id="calls-title">Calls</h2></div>
      ${callsRefusal === undefined ? nothing : html`<p class="note" data-severity="error">${callsRefusal}</p>`} ${callsView(shown)}`;
  }
}

/** The lists of a group that are shown: the three that everybody uses, and what else is not empty. */
function listsOf(group) {
  return ALL_LISTS.filter((list) => {
    const text = group.texts.get(list);
    return BEHAVIORS.includes(list) || text === undefined || text.document !== "" || text.isEdited;
  });
}

globalThis.customElements?.get("toolgate-preview") ?? globalThis.customElements?.define("toolgate-preview", ToolgatePreview);
