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
  #tape = { entries: [], first: [] };
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
    this.#at(".step").addEventListener("click", () => this.#stop(() => this.#step()));
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
    this.#tape = { entries: [], first: [] };
    this.#reset();
    const tape = await this.#record(script);
    // Another script may have been chosen meanwhile.
    if (this.#wanted === script) this.#tape = tape;
    this.#draw();
  }

  #toggle() {
    if (this.#timer !== undefined) return this.#stop();
    if (this.#shown === this.#tape.entries.length) this.#reset();
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
    const entry = this.#tape.entries[this.#shown];
    if (entry === undefined) return;
    this.#shown += 1;
    const line = row(entry);
    this.#at(".timeline").append(line);
    if (this.#shown === this.#tape.entries.length) this.#stop();
    this.#draw();
    line.scrollIntoView({ block: "nearest" });
  }

  #draw() {
    const shown = this.#tape.entries.slice(0, this.#shown);
    const { kind, word, says } = shown.findLast(({ outcome }) => outcome !== undefined)?.outcome ?? (shown.length === 0 ? NOT_YET : UNDER_WAY);
    const isAtEnd = this.#shown === this.#tape.entries.length;
    this.#at(".verdict").dataset.kind = kind;
    setText(this.#at(".outcome-word"), word);
    setText(this.#at(".outcome-says"), says);
    setText(this.#at(".play"), this.#timer !== undefined ? "Pause" : isAtEnd && this.#shown > 0 ? "Play again" : "Play");
    this.#at(".step").disabled = isAtEnd;
    this.#at(".again").disabled = this.#shown === 0;
    setText(this.#at(".progress"), `${this.#shown} of ${this.#tape.entries.length}`);
    this.#at(".state").replaceChildren(...(shown.at(-1)?.state ?? this.#tape.first).map(standing));
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
  const meter = element("meter", { max: most, value, aria: { hidden: true } });
  return element("li", {}, label, " ", element("span", { className: "state-value", textContent: inFull({ value, most }) }), meter);
}

function row({ at, kind, title, what, came, tone = "", state, more, isCode }) {
  const head = element("span", { className: "head" }, element("strong", { textContent: title }), " ", quiet(what ?? ""));
  const result = came === undefined ? [] : [element(isCode ? "code" : "span", { className: "came", textContent: came })];
  const spent = state.map(({ name, ...rest }) => `${name} ${inFull(rest)}`).join(", ");
  return element(
    "li",
    { data: { kind, tone } },
    element("span", { className: "at", textContent: `${at.toLocaleString("en")} ms` }),
    element("div", { className: "entry" }, head, ...result, ...details(more), element("span", { className: "spent", textContent: spent })),
  );
}

function inFull({ value, most }) {
  return most === undefined ? value : `${value.toLocaleString("en")} of ${most.toLocaleString("en")}`;
}

function details(more) {
  if (more === undefined) return [];
  const [caption, text] = more;
  return [element("details", {}, element("summary", { textContent: caption }), element("pre", { textContent: text }))];
}
