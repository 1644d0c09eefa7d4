// The workbench: settings and many calls in, decisions and what can be learned from them out.
import { DIALECTS, PERMISSION_MODES } from "toolgate";
import { Tabs } from "../tabs.js";
import { Decisions } from "./decisions.js";
import { takeDrops } from "./drops.js";
import { EXAMPLE } from "./example.js";
import { realCommands, save } from "./files.js";
import { Insights } from "./insights.js";
import { plural } from "./notes.js";
import { stateOfFile } from "./packed.js";
import { Pipeline } from "./pipeline.js";
import { settingsFromLines } from "./prose.js";
import { Table } from "./table.js";
import { TextSource } from "./text_source.js";
import { WorkBar } from "./work_bar.js";

const WORDS = ["dialect", "mode", "cwd", "project", "home"];

export class Workbench {
  #root;
  #changed;
  #table = new Table();
  #pipeline;
  #sources;
  #fields;
  #views;
  #decisions;
  #insights;

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
    for (const [word, words] of [["dialect", DIALECTS], ["mode", PERMISSION_MODES]]) {
      this.#fields[word].append(new Option("as the settings say", ""), ...words.map((each) => new Option(each)));
    }
    for (const [word, field] of Object.entries(this.#fields)) field.addEventListener("input", () => this.#touch(...SLOTS[word]));
    this.#views = new Tabs(at("#views"), () => this.#turned());
    this.#decisions = new Decisions(at("#calls-view"), this.#table, {
      ask: (name, asked) => this.#ask(name, asked),
      line: (index) => this.#line(index),
      show: (place) => this.#sources.settings.show(place),
      add: (suggestion) => this.#edit("added", suggestion),
      mode: () => this.#given().state.mode,
      changed,
    });
    const bar = new WorkBar(at("#work"), () => this.#pipeline.cancel(), () => this.#pipeline.run());
    this.#pipeline = new Pipeline(() => this.#given(), this.#heard(), bar);
    this.#insights = new Insights(root, this.#pipeline, this.#acts());
    at("#bench-save").addEventListener("click", () => save(this.state));
    at("#bench-demo").addEventListener("click", () => this.#reading(() => this.#demo()));
    takeDrops(["settings", "calls", "other"].map((name) => ({ root: at(`#${name}-source`), source: this.#sources[name] })), () => !root.hidden);
  }

  get state() {
    const texts = Object.entries(this.#sources).map(([name, source]) => [name, source.text]);
    const words = Object.entries(this.#fields).map(([word, { value }]) => [word, value.trim()]);
    return { ...Object.fromEntries([...texts, ...words]), view: this.#views.chosen, ...this.#decisions.state };
  }

  load(given) {
    const state = { ...EXAMPLE, ...given };
    // With a way back: what stood there may have been typed.
    for (const [name, source] of Object.entries(this.#sources)) source.replace(state[name]);
    for (const [word, field] of Object.entries(this.#fields)) field.value = state[word];
    this.#views.choose(state.view);
    this.#decisions.load(state);
    this.#root.querySelector("#bench-credit").hidden = true;
    this.#touch("before", "after", "calls", "decided");
  }

  /** The tab is shown. */
  wake() {
    this.#pipeline.wake();
    // What was laid out unseen has no height.
    this.#decisions.draw();
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

  /** Says that something is fetched or made, so that nobody takes what is shown for the answer. */
  async #reading(work) {
    this.#root.dataset.reading = "";
    await work();
    delete this.#root.dataset.reading;
  }

  async #demo() {
    try {
      const { settings, calls } = await realCommands();
      this.#sources.settings.replace(settings);
      this.#sources.calls.replace(calls);
      this.#root.querySelector("#bench-credit").hidden = false;
    } catch {
      this.#sources.calls.say("The commands cannot be loaded from where this page comes from.");
    }
  }

  #touch(...slots) {
    this.#changed();
    this.#insights.forget();
    this.#decisions.forget();
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
    return {
      settings: (slot, answer) => this.#said(slot, answer),
      calls: (text, shell, answer) => {
        this.#table.load(text, shell, answer);
        const { faults, faultCount, cut } = answer;
        const says = `${plural(this.#table.count, "call")}${cut ? ", the rest is not looked at" : ""}`;
        this.#sources.calls.notes(faults, Math.max(faultCount, faults.length), faultCount === 0 ? says : `${says}, ${plural(faultCount, "line")} not readable`);
        this.#decisions.renew();
      },
      undecided: () => this.#table.forget(),
      part: (part) => {
        this.#table.decided(part);
        this.#decisions.count();
      },
      decided: ({ named }) => {
        this.#table.named = named;
      },
      rest: async (works, live) => {
        this.#decisions.count();
        await this.#decisions.relist();
        if (live()) await this.#decisions.explain();
        const { other, view } = this.state;
        if (live()) await this.#insights.refresh(view, works, { state: this.#given().state, hasOther: other.trim() !== "" }, live);
      },
    };
  }

  /** What the views over everything lead to. */
  #acts() {
    const narrow = (what) => {
      this.#views.choose("calls");
      this.#decisions.narrow(what);
      this.#changed();
    };
    return {
      call: (index) => this.#table.call(index),
      line: (index) => this.#line(index),
      ask: (name, index) => this.#ask(name, { index }),
      show: (place) => this.#sources.settings.show(place),
      showIn: (side, place) => this.#sources[side === "before" ? "settings" : "other"].show(place),
      choose: (dialect) => {
        this.#fields.dialect.value = dialect;
        this.#touch(...SLOTS.dialect);
      },
      fix: ({ path, fix }) => this.#edit("fixed", { path, rule: fix === "" ? undefined : fix }),
      tryCall: (call) => this.#sources.calls.append(JSON.stringify(call)),
      uncovered: (calls) => narrow({ says: "settled by nothing", calls }),
      list: ({ text, path }) => narrow({ says: "decided by", text, path }),
    };
  }

  /** Asks the worker about single calls, in the state that was chosen. */
  #ask(name, asked) {
    return this.#pipeline.ask(name, { ...asked, state: this.#given().state });
  }

  /** Changes the settings' text by what the worker makes of it. */
  async #edit(name, asked) {
    await this.#reading(async () => {
      const edits = await this.#pipeline.ask(name, asked);
      if (edits !== undefined) this.#sources.settings.edit(edits);
    });
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

  #line(index) {
    return this.#sources.calls.lineAt(this.#table.start(index)) + 1;
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
