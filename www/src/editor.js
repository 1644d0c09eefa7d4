// A plain textarea that can show underlines: what a call is about.
//
// Behind the textarea lies a layer with the same text in the same type, invisible but for its marks. The layer is what has a
// height: the textarea covers it and never scrolls, so the two cannot drift apart.

export class Editor {
  #text;
  #layer;
  #marks = [];
  #pointed = [];
  #drawn = [];

  /** `marks`: `{ line, start, end, severity }`; columns are UTF-16 units of the line. */
  constructor({ id, onInput }) {
    this.element = document.createElement("div");
    this.element.className = "editor";
    this.#layer = document.createElement("div");
    this.#layer.className = "layer";
    this.#layer.setAttribute("aria-hidden", "true");
    this.#text = Object.assign(document.createElement("textarea"), { id, rows: 1, spellcheck: false });
    this.#text.autocapitalize = "none";
    this.#text.setAttribute("autocomplete", "off");
    this.#text.addEventListener("input", () => {
      this.#marks = [];
      this.#pointed = [];
      this.#draw();
      onInput();
    });
    this.element.append(this.#layer, this.#text);
    this.#draw();
  }

  get value() {
    return this.#text.value;
  }

  set value(value) {
    if (value === this.#text.value) return;
    this.#text.value = value;
    this.#marks = [];
    this.#pointed = [];
    this.#draw();
  }

  /** Shows underlines. */
  mark(marks) {
    this.#marks = marks;
    this.#draw();
  }

  /** Shows further marks beside those, until others come. */
  point(marks) {
    if (marks.length === 0 && this.#pointed.length === 0) return;
    this.#pointed = marks;
    this.#draw();
  }

  /** Puts the caret at a place, which counts from the start of the text, and selects it. */
  selectSpan({ start, end }) {
    this.#text.focus();
    this.#text.setSelectionRange(start, end);
    this.element.scrollIntoView({ block: "nearest" });
  }

  focus() {
    this.#text.focus();
  }

  /** Draws the lines that are not as they were; in a long text a key then costs a line, not all of them. */
  #draw() {
    const marks = byLine([...this.#marks, ...this.#pointed]);
    const lines = this.value.split("\n").map((text, number) => ({ text, marks: marks.get(number) ?? [] }));
    const keys = lines.map((line) => JSON.stringify(line));
    const old = this.#drawn;
    const least = Math.min(keys.length, old.length);
    let head = 0;
    while (head < least && keys[head] === old[head]) head += 1;
    let tail = 0;
    while (tail < least - head && keys.at(-1 - tail) === old.at(-1 - tail)) tail += 1;
    for (let gone = old.length - head - tail; gone > 0; gone -= 1) this.#layer.children[head].remove();
    const fresh = lines.slice(head, lines.length - tail).map(drawLine);
    this.#layer.insertBefore(fragmentOf(fresh), this.#layer.children[head] ?? null);
    this.#drawn = keys;
  }
}

function drawLine({ text, marks }) {
  const line = document.createElement("div");
  line.className = "line";
  const wide = marks.filter(({ start, end }) => start < end);
  const empty = new Map(marks.filter(({ start, end }) => start >= end).map((mark) => [mark.start, mark]));
  const cuts = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  cuts.forEach((at, number) => {
    // Where nothing stands, something has to carry the underline.
    if (empty.has(at)) line.append(drawMark([empty.get(at)], "empty", ""));
    const end = cuts[number + 1];
    if (end === undefined) return;
    const over = wide.filter((mark) => mark.start <= at && end <= mark.end);
    line.append(over.length === 0 ? text.slice(at, end) : drawMark(over, "", text.slice(at, end)));
  });
  // An empty line is as high as any other.
  if (text === "") line.append("\u200b");
  return line;
}

/** Where marks overlap, the strongest gives the underline. */
const STRENGTH = ["error", "warning", "doubt", "info"];

function drawMark(marks, more, text) {
  const mark = document.createElement("mark");
  const has = (name) => marks.some(({ severity }) => severity === name);
  const names = [STRENGTH.find(has), has("pointed") ? "pointed" : "", more];
  mark.className = names.filter((name) => name !== undefined && name !== "").join(" ");
  mark.textContent = text;
  return mark;
}

function fragmentOf(elements) {
  const fragment = document.createDocumentFragment();
  fragment.append(...elements);
  return fragment;
}

function byLine(marks) {
  const lines = new Map();
  for (const mark of marks) lines.set(mark.line, [...(lines.get(mark.line) ?? []), mark]);
  return lines;
}
