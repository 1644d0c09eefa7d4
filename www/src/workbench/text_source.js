// A text that is typed, pasted, dropped or opened from a file. What is too long for a text field is held beside it, whole.
import { element, setText } from "../element.js";
import { isList } from "./calls_text.js";
import { HeldText } from "./held_text.js";
import { Lines } from "./lines.js";
import { plural, renderNotes } from "./notes.js";

/** A browser lays out every line of a text field at every key. */
const FIELD_UNITS = 400_000;
const FIELD_LINES = 12_000;
/** What one file may have; more than that no browser keeps twice. */
const FILE_BYTES = 64 << 20;
const MOST_UNDO = 20;

export class TextSource {
  #root;
  #field;
  #held;
  #text = "";
  #lines = new Lines("");
  #undo = [];
  #redo = [];
  #changed;
  #opened;

  /** Fills `root`. `opened` is asked about a file's text first; true says that it was something else, and is dealt with. */
  constructor(root, changed, opened = () => false) {
    this.#root = root;
    this.#changed = changed;
    this.#opened = opened;
    const note = root.querySelector(".note");
    root.prepend(document.querySelector("#source").content.cloneNode(true));
    root.querySelector(".title").after(note);
    this.#label(root.id, root.dataset);
    this.#field = root.querySelector("textarea");
    this.#held = new HeldText(root.querySelector(".held"));
    this.#field.addEventListener("input", () => {
      this.#text = this.#field.value;
      this.#redo = [];
      this.#show();
      changed();
    });
    this.#field.addEventListener("paste", (event) => this.#paste(event));
    const file = root.querySelector("input[type=file]");
    root.querySelector(".open").addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      if (file.files[0] !== undefined) this.take(file.files[0]);
      file.value = "";
    });
    root.querySelector(".undo").addEventListener("click", () => this.#go(this.#undo, this.#redo));
    root.querySelector(".redo").addEventListener("click", () => this.#go(this.#redo, this.#undo));
    root.querySelector(".clear").addEventListener("click", () => this.replace(""));
    this.#show();
  }

  get text() {
    return this.#text;
  }

  /** Another text, with a way back. */
  replace(text) {
    if (text === this.#text) return;
    // The first text comes by itself: there is nothing to go back to.
    if (this.#text !== "" || this.#undo.length > 0) this.#undo.push(this.#text);
    if (this.#undo.length > MOST_UNDO) this.#undo.shift();
    this.#redo = [];
    this.#set(text);
    this.#changed();
  }

  /** A line more, or an element where the text is a list. */
  append(json) {
    const text = this.#text;
    const end = isList(text) ? text.lastIndexOf("]") : -1;
    if (end < 0) return this.replace(`${text === "" || text.endsWith("\n") ? text : `${text}\n`}${json}\n`);
    const isEmpty = /\[\s*$/.test(text.slice(0, end));
    this.replace(`${text.slice(0, end).trimEnd()}${isEmpty ? "" : ","}\n${json}\n${text.slice(end)}`);
  }

  /** Edits `{ offset, length, content }` of the text as it is. */
  edit(edits) {
    const sorted = [...edits].sort((a, b) => b.offset - a.offset);
    this.replace(sorted.reduce((text, { offset, length, content }) => text.slice(0, offset) + content + text.slice(offset + length), this.#text));
  }

  /** Takes a file's text; says why where it cannot. */
  async take(file) {
    this.#root.dataset.reading = "";
    this.say(await this.#read(file));
    delete this.#root.dataset.reading;
  }

  say(text) {
    setText(this.#root.querySelector(".source-problem"), text ?? "");
  }

  /** Goes to a part of the text. */
  show({ start, end, line }) {
    if (this.isHeld) return this.#held.show(line - 1);
    this.#field.focus({ preventScroll: true });
    this.#field.setSelectionRange(start, end);
    // Lines do not wrap here, so a line's place is known.
    const height = Number.parseFloat(getComputedStyle(this.#field).lineHeight);
    this.#field.scrollTop = Math.max(0, (line - 3) * height);
    this.#root.scrollIntoView({ block: "nearest" });
  }

  /** What was found in the text: notes with places, and how it stands in one line. */
  notes(notes, count, state) {
    const errors = notes.some(({ severity }) => severity === "error");
    const said = this.#root.querySelector(".source-state");
    setText(said, state);
    said.dataset.kind = errors ? "bad" : "good";
    if (errors) this.#field.setAttribute("aria-invalid", "true");
    else this.#field.removeAttribute("aria-invalid");
    renderNotes(this.#root.querySelector(".source-notes"), notes, count, (place) => this.show(place));
  }

  /** Buttons for what can be done about the text: `[says, act]` each. */
  offer(acts) {
    const buttons = acts.map(([textContent, act]) => {
      const button = element("button", { type: "button", textContent });
      button.addEventListener("click", act);
      return button;
    });
    this.#root.querySelector(".source-offers").replaceChildren(...buttons);
  }

  /** The line of a unit, from 0. */
  lineAt(at) {
    return this.#lines.lineAt(at);
  }

  get isHeld() {
    return this.#field.hidden;
  }

  async #read(file) {
    if (file.size > FILE_BYTES) return `${file.name} is too large: ${FILE_BYTES >> 20} MiB at most.`;
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch (error) {
      return error instanceof TypeError ? `${file.name} is not UTF-8 text.` : `${file.name} cannot be read.`;
    }
    if (!this.#opened(text)) this.replace(text);
    return undefined;
  }

  #set(text) {
    this.#text = text;
    this.#show();
  }

  #show() {
    const lines = new Lines(this.#text);
    this.#lines = lines;
    const isHeld = this.#text.length > FIELD_UNITS || lines.count > FIELD_LINES;
    this.#field.hidden = isHeld;
    if (!isHeld && this.#field.value !== this.#text) this.#field.value = this.#text;
    if (isHeld) this.#field.value = "";
    this.#held.render(isHeld ? lines : undefined);
    const count = lines.count - (this.#text.endsWith("\n") ? 1 : 0);
    const size = this.#text === "" ? "" : plural(count, "line");
    setText(this.#root.querySelector(".source-says"), isHeld ? `${size}, too long to type in: shown only` : size);
    this.#root.querySelector(".undo").hidden = this.#undo.length === 0;
    this.#root.querySelector(".redo").hidden = this.#redo.length === 0;
    this.#root.querySelector(".clear").hidden = this.#text === "";
  }

  /** A long paste goes past the field, which would stand still for it. */
  #paste(event) {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length < FIELD_UNITS / 8 && !pasted.includes("\0")) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.#field;
    this.replace(this.#text.slice(0, selectionStart) + pasted.replaceAll("\r\n", "\n") + this.#text.slice(selectionEnd));
  }

  /** Back or forth; what is left can be come back to, also what was typed since. */
  #go(from, to) {
    const text = from.pop();
    if (text === undefined) return;
    to.push(this.#text);
    this.#set(text);
    this.#changed();
    this.#field.focus();
  }

  #label(id, { name, placeholder }) {
    const title = this.#root.querySelector("h2");
    Object.assign(title, { id: `${id}-title`, textContent: name });
    this.#root.setAttribute("aria-labelledby", title.id);
    for (const part of this.#root.querySelectorAll("textarea, .held")) part.setAttribute("aria-labelledby", title.id);
    Object.assign(this.#root.querySelector("textarea"), { id: `${id}-text`, placeholder });
    for (const button of this.#root.querySelectorAll(".source-buttons button")) button.setAttribute("aria-label", `${button.textContent} (${name})`);
    this.#root.querySelector("input").setAttribute("aria-label", `File (${name})`);
  }
}
