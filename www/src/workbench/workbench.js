// The workbench: settings and many calls in, decisions and what can be learned from them out.
import { DIALECTS, PERMISSION_MODES } from "toolgate";
import { Tabs } from "../tabs.js";
import { CallList } from "./call_list.js";
import { Detail } from "./detail.js";
import { EXAMPLE } from "./example.js";
import { Filter } from "./filter.js";
import { Highlights } from "./highlights.js";
import { Insights } from "./insights.js";
import { kindMark } from "./kind.js";
import { plural, renderNotes } from "./notes.js";
import { takeDrops } from "./drops.js";
import { realCommands, save } from "./files.js";
import { stateOfFile } from "./packed.js";
import { Pipeline } from "./pipeline.js";
import { settingsFromLines } from "./prose.js";
import { Suggestions } from "./suggestions.js";
import { Table } from "./table.js";
import { TextSource } from "./text_source.js";
import { WorkBar } from "./work_bar.js";

const NARROW = matchMedia("(max-width: 56rem)");
const WORDS = ["dialect", "mode", "cwd", "project", "home"];

export class Workbench {
  #root;
  #changed;
  #table = new Table();
  #pipeline;
  #sources;
  #fields;
  #views;
  #filter;
  #list;
  #detail;
  #suggestions = new Suggestions((suggestion) => this.#edit("added", suggestion));
  #insights;
  #highlights;
  /** The calls that are listed, by number; undefined: all. */
  #listed;
  /** The number of the call that is looked at. */
  #chosen = -1;

  /** `changed` is told of every change that a link would carry. */
  constructor(root, changed) {
    this.#root = root;
    this.#changed = changed;
    const at = (selector) => root.querySelector(selector);
    this.#sources = {
      settings: this.#source("#settings-source", "before"),
      calls: this.#source("#calls-source", "calls"),
      other: this.#source("#other-source", "after"),
    };
    this.#fields = Object.fromEntries(WORDS.map((word) => [word, at(`#bench-${word}`)]));
    this.#fields.dialect.append(...DIALECTS.map((dialect) => new Option(dialect)));
    this.#fields.mode.append(new Option("as the settings say", ""), ...PERMISSION_MODES.map((mode) => new Option(mode)));
    for (const [word, field] of Object.entries(this.#fields)) field.addEventListener("input", () => this.#touch(...SLOTS[word]));
    this.#views = new Tabs(at("#views"), () => this.#turned());
    this.#filter = new Filter(at("#filter"), () => this.#filtered());
    this.#highlights = new Highlights((indexes) => this.#pipeline.ask("matches", { indexes, state: this.#given().state }), () => this.#draw());
    const seen = (seenRows) => this.#highlights.want(seenRows.map((row) => this.#index(row)).filter((index) => this.#table.rule(index) !== undefined));
    this.#list = new CallList(at("#call-list"), (row) => this.#row(row), (row) => this.#look(row), seen);
    this.#detail = new Detail(at("#detail"), ({ shown }) => this.#sources.settings.show(shown), this.#suggestions.element);
    const bar = new WorkBar(at("#work"), () => this.#pipeline.cancel(), () => this.#pipeline.run());
    this.#pipeline = new Pipeline(() => this.#given(), this.#heard(), bar);
    this.#insights = new Insights(root, this.#pipeline, this.#acts());
    at("#bench-save").addEventListener("click", () => save(this.state));
    at("#bench-demo").addEventListener("click", () => this.#demo());
    takeDrops(["settings", "calls", "other"].map((name) => ({ root: at(`#${name}-source`), source: this.#sources[name] })), () => !root.hidden);
  }

  get state() {
    const texts = Object.entries(this.#sources).map(([name, source]) => [name, source.text]);
    const words = Object.entries(this.#fields).map(([word, { value }]) => [word, value.trim()]);
    return { ...Object.fromEntries([...texts, ...words]), view: this.#views.chosen, ...this.#filter.state };
  }

  load(given) {
    const state = { ...EXAMPLE, ...given };
    // With a way back: what stood there may have been typed.
    for (const [name, source] of Object.entries(this.#sources)) source.replace(state[name]);
    for (const [word, field] of Object.entries(this.#fields)) field.value = state[word];
    this.#views.choose(state.view);
    this.#filter.load(state);
    this.#chosen = -1;
    this.#root.querySelector("#bench-credit").hidden = true;
    this.#touch("before", "after", "calls", "decided");
  }

  /** The tab is shown. */
  wake() {
    this.#pipeline.wake();
    // What was laid out unseen has no height.
    this.#draw();
  }

  #source(selector, slot) {
    return new TextSource(this.#root.querySelector(selector), () => this.#touch(slot), (text) => this.#opened(text));
  }

  /** Whether a file's text is a whole workbench; then it is shown. */
  #opened(text) {
    const state = stateOfFile(text);
    if (state !== undefined) this.load(state);
    return state !== undefined;
  }

  async #demo() {
    this.#root.dataset.reading = "";
    try {
      const { settings, calls } = await realCommands();
      this.#sources.settings.replace(settings);
      this.#sources.calls.replace(calls);
      this.#root.querySelector("#bench-credit").hidden = false;
    } catch {
      this.#sources.calls.say("The commands cannot be loaded from where this page comes from.");
    }
    delete this.#root.dataset.reading;
  }

  #touch(...slots) {
    this.#changed();
    this.#insights.forget();
    this.#highlights.forget();
    this.#pipeline.touch(...slots);
  }

  /** What the worker is given. */
  #given() {
    const { settings, other, calls, dialect, mode, cwd, project, home } = this.state;
    const state = { ...(mode === "" ? {} : { mode }), ...(cwd === "" ? {} : { cwd }) };
    return { before: settings, after: other, calls, options: { dialect, home, projectRoot: project }, state };
  }

  /** What the worker says on the way. */
  #heard() {
    const count = () => this.#filter.counts(this.#table.counts, this.#table.count);
    return {
      settings: (slot, answer) => this.#said(slot, answer),
      calls: (text, shell, answer) => {
        this.#table.load(text, shell, answer);
        const { faults, faultCount, cut } = answer;
        const says = `${plural(this.#table.count, "call")}${cut ? ", the rest is not looked at" : ""}`;
        this.#sources.calls.notes(faults, Math.max(faultCount, faults.length), faultCount === 0 ? says : `${says}, ${plural(faultCount, "line")} not readable`);
        this.#listed = undefined;
        if (this.#chosen >= this.#table.count) this.#chosen = -1;
        this.#draw();
      },
      undecided: () => this.#table.forget(),
      part: (part) => {
        this.#table.decided(part);
        count();
      },
      decided: ({ named }) => {
        this.#table.named = named;
      },
      rest: async (works, live) => {
        count();
        await this.#relist();
        if (live()) await this.#explain();
        const { other, view } = this.state;
        if (live()) await this.#insights.refresh(view, works, { state: this.#given().state, hasOther: other.trim() !== "" }, live);
      },
    };
  }

  /** What the views over everything lead to. */
  #acts() {
    const listing = (listed) => {
      this.#views.choose("calls");
      this.#changed();
      this.#listed = listed;
      this.#draw();
    };
    return {
      call: (index) => this.#table.call(index),
      line: (index) => this.#line(index),
      ask: (name, index) => this.#pipeline.ask(name, { index, state: this.#given().state }),
      show: (place) => this.#sources.settings.show(place),
      showIn: (side, place) => this.#sources[side === "before" ? "settings" : "other"].show(place),
      choose: (dialect) => {
        this.#fields.dialect.value = dialect;
        this.#touch(...SLOTS.dialect);
      },
      fix: ({ path, fix }) => this.#edit("fixed", { path, rule: fix === "" ? undefined : fix }),
      tryCall: (call) => this.#sources.calls.append(JSON.stringify(call)),
      uncovered: (calls) => listing(calls),
      list: (rule) => {
        const number = this.#table.named.findIndex(({ path }) => path.join("/") === rule.path.join("/"));
        this.#filter.clear();
        this.#filter.rule({ number, text: rule.text });
        this.#views.choose("calls");
        this.#filtered();
      },
    };
  }

  /** Changes the settings' text by what the worker makes of it. */
  async #edit(name, asked) {
    const edits = await this.#pipeline.ask(name, asked);
    if (edits !== undefined) this.#sources.settings.edit(edits);
  }

  #said(slot, { notes, noteCount, works, ruleCount, isProse }) {
    const source = slot === "before" ? this.#sources.settings : this.#sources.other;
    const errors = notes.filter(({ severity }) => severity === "error").length;
    source.notes(notes, noteCount, works ? plural(ruleCount, "rule") : `${plural(errors, "error")}: nothing is decided`);
    source.offer(isProse ? ["allow", "ask", "deny"].map((behavior) => [`Take the lines as ${behavior} rules`, () => source.replace(settingsFromLines(source.text, behavior))]) : []);
  }

  #turned() {
    this.#changed();
    this.#pipeline.turned();
  }

  async #filtered() {
    this.#changed();
    await this.#relist();
  }

  /** Lists what the filter lets through. */
  async #relist() {
    const asked = this.#filter.asked;
    const listed = asked === undefined ? undefined : await this.#pipeline.ask("filter", asked);
    // Another filter may have been chosen meanwhile.
    if (asked !== undefined && (listed === undefined || JSON.stringify(asked) !== JSON.stringify(this.#filter.asked))) return;
    this.#listed = listed;
    this.#draw();
  }

  #draw() {
    const { count } = this.#table;
    const rows = this.#listed?.length ?? count;
    this.#filter.says(rows, count);
    this.#list.render(rows, this.#listed === undefined ? this.#chosen : this.#listed.indexOf(this.#chosen));
  }

  #row(row) {
    const index = this.#index(row);
    const rule = this.#table.rule(index);
    const aside = rule === undefined ? [] : this.#highlights.rule(index, rule.text);
    const said = (text) => this.#highlights.subject(index, text);
    return { said, mark: [kindMark(this.#table.kind(index))], call: this.#table.call(index), number: this.#line(index), aside };
  }

  #index(row) {
    return this.#listed?.[row] ?? row;
  }

  #line(index) {
    return this.#sources.calls.lineAt(this.#table.start(index)) + 1;
  }

  async #look(row) {
    this.#chosen = this.#index(row);
    await this.#explain();
    // Where one stands below the other, the answer would be out of sight.
    if (NARROW.matches) this.#root.querySelector("#detail").scrollIntoView({ block: "nearest" });
  }

  async #explain() {
    const index = this.#chosen;
    if (index < 0) return this.#detail.hide();
    const { state } = this.#given();
    const answer = await this.#pipeline.ask("explain", { index, state });
    if (index !== this.#chosen) return;
    if (answer === undefined) return this.#detail.hide();
    this.#detail.render({ ...answer, number: this.#line(index) }, state.mode);
    const open = ["ask", "passthrough"].includes(answer.explanation.decision.effective);
    const suggestions = open ? await this.#pipeline.ask("suggest", { index, state }) : undefined;
    if (index === this.#chosen) this.#suggestions.render(suggestions);
  }
}

/** What has to be done again when a word changes. */
const SLOTS = {
  dialect: ["before", "after"],
  mode: ["decided"],
  cwd: ["decided"],
  project: ["before", "after"],
  home: ["before", "after"],
};
