// Plays a recorded scene: its entries one by one, how things stand, and how it ended.
import { element, quiet, setText } from "../element.js";
import { fill } from "../choice.js";

/** Long enough to read an entry. */
const WAIT_MS = 900;
const NOT_YET = { kind: "none", word: "Not played", says: "Press Play, or go step by step." };
const UNDER_WAY = { kind: "none", word: "Under way", says: "Nothing is decided yet." };

export class Player {
  #root;
  #scripts;
  #record;
  #tape = { steps: [], first: [] };
  #shown = 0;
  #timer;
  /** The recording that is waited for. */
  #wanted;

  /** `root` is filled from the page's templates; `facts` gives `[name, value]` of every script, `record` the tape of one. */
  constructor(root, { scripts, record, facts }) {
    root.querySelector(".scene").append(copyOf("#player"));
    root.append(copyOf("#playing"));
    this.#root = root;
    this.#scripts = scripts;
    this.#record = record;
    root.querySelector(".says").prepend(document.querySelector(".sign").cloneNode(true));
    fill(this.#at("select"), scripts.map(({ name }) => name), () => this.#load());
    this.#at(".facts").replaceChildren(...facts().flatMap(fact));
    this.#at(".play").addEventListener("click", () => this.#toggle());
    this.#at(".forward").addEventListener("click", () => this.#stop(() => this.#step()));
    this.#at(".again").addEventListener("click", () => this.#stop(() => this.#reset()));
    this.#load();
  }

  /** Nobody looks any more. */
  pause() {
    this.#stop();
  }

  async #load() {
    const script = this.#scripts.find(({ name }) => name === this.#at("select").value);
    this.#wanted = script;
    this.#stop();
    this.#at(".script-says").textContent = script.says;
    this.#tape = { steps: [], first: [] };
    this.#reset();
    const tape = await this.#record(script);
    // Another script may have been chosen meanwhile.
    if (this.#wanted === script) this.#tape = tape;
    this.#draw();
  }

  #toggle() {
    if (this.#timer !== undefined) return this.#stop();
    if (this.#shown === this.#tape.steps.length) this.#reset();
    this.#timer = setInterval(() => this.#step(), WAIT_MS);
    this.#step();
  }

  #stop(then) {
    clearInterval(this.#timer);
    this.#timer = undefined;
    then?.();
    this.#draw();
  }

  #reset() {
    this.#shown = 0;
    this.#at(".timeline").replaceChildren();
    this.#draw();
  }

  #step() {
    const entry = this.#tape.steps[this.#shown];
    if (entry === undefined) return;
    this.#shown += 1;
    const line = row(entry);
    const timeline = this.#at(".timeline");
    // What was under way has come to its end.
    if (entry.line < timeline.children.length) timeline.children[entry.line].replaceWith(line);
    else timeline.append(line);
    if (this.#shown === this.#tape.steps.length) this.#stop();
    this.#draw();
    line.scrollIntoView({ block: "nearest" });
  }

  #draw() {
    const shown = this.#tape.steps.slice(0, this.#shown);
    const ended = shown.findLast(({ outcome }) => outcome !== undefined)?.outcome;
    const { kind, word, says } = ended ?? (shown.length === 0 ? NOT_YET : UNDER_WAY);
    const isAtEnd = this.#shown === this.#tape.steps.length;
    this.#at(".verdict").dataset.kind = kind;
    setText(this.#at(".outcome-word"), word);
    setText(this.#at(".outcome-says"), says);
    setText(this.#at(".play"), this.#timer !== undefined ? "Pause" : isAtEnd && this.#shown > 0 ? "Replay" : "Play");
    this.#able(".forward", !isAtEnd);
    this.#able(".again", this.#shown > 0);
    setText(this.#at(".progress"), `${this.#shown} of ${this.#tape.steps.length}`);
    this.#at(".state").replaceChildren(...(shown.at(-1)?.state ?? this.#tape.first).map(standing));
  }

  /** Whoever pressed a button that is of no use any more is not to lose the place. */
  #able(selector, isUseful) {
    const button = this.#at(selector);
    if (!isUseful && button === document.activeElement) this.#at(".play").focus();
    button.disabled = !isUseful;
  }

  #at(selector) {
    return this.#root.querySelector(selector);
  }
}

function copyOf(template) {
  return document.querySelector(template).content.cloneNode(true);
}

function fact([name, value]) {
  return [element("dt", { textContent: name }), element("dd", {}, element("code", { textContent: value }))];
}

/** How one thing stands: a measure where there is a most of it. */
function standing({ name, value, most }) {
  const label = element("span", { className: "state-name", textContent: name });
  if (most === undefined) return element("li", {}, label, " ", element("strong", { textContent: value }));
  // Beside its value in words it says nothing new.
  const bar = element("progress", { max: most, value, aria: { hidden: true } });
  return element("li", {}, label, " ", element("span", { className: "state-value", textContent: inFull({ value, most }) }), bar);
}

function row({ at, until = at, kind, title, what = "", came, tone = "", state, more, isCode }) {
  const head = element("span", { className: "head" }, element("strong", { textContent: title }), " ", quiet(what));
  const result = element(isCode ? "code" : "span", { className: "came", textContent: came ?? "under way" });
  const times = until === at ? [inMs(at)] : [inMs(at), element("span", { className: "until", textContent: `to ${inMs(until)}` })];
  const spent = state.map(({ name, ...rest }) => `${name} ${inShort(rest)}`).join(" · ");
  return element(
    "li",
    { data: { kind, tone } },
    element("span", { className: "at" }, ...times),
    element("div", { className: "entry" }, head, result, ...details(more), element("span", { className: "spent", textContent: spent })),
  );
}

function inMs(time) {
  return `${time.toLocaleString("en")} ms`;
}

function inFull({ value, most }) {
  return most === undefined ? value : `${value.toLocaleString("en")} of ${most.toLocaleString("en")}`;
}

function inShort({ value, most }) {
  return most === undefined ? value : `${value.toLocaleString("en")}/${most.toLocaleString("en")}`;
}

function details(more) {
  if (more === undefined) return [];
  const [caption, text] = more;
  return [element("details", {}, element("summary", { textContent: caption }), element("pre", { textContent: text }))];
}
