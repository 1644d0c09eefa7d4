// The lines of a text, looked for once.

export class Lines {
  #text;
  #starts = [0];

  constructor(text) {
    this.#text = text;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) this.#starts.push(end + 1);
  }

  get count() {
    return this.#starts.length;
  }

  /** The line of a unit, from 0. */
  lineAt(at) {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  start(line) {
    return this.#starts[line];
  }

  /** The text of a line, without its end. */
  text(line) {
    return this.#text.slice(this.#starts[line], this.#starts[line + 1]).replace(/\r?\n$/, "");
  }

  /** A part of the text as people look for it: `{ start, end, line, column }`, both from 1, and the line around it with the part's columns. */
  place(start, end = start + 1) {
    const line = this.lineAt(start);
    const from = start - this.#starts[line];
    return { start, end, line: line + 1, column: from + 1, excerpt: excerpt(this.text(line), from, from + end - start) };
  }
}

/** More of a line helps nobody. */
const AROUND = 60;

/** The part of a line around some columns. */
function excerpt(text, start, end) {
  const last = Math.min(Math.max(end, start + 1), text.length + 1);
  const from = start <= AROUND ? 0 : start - AROUND / 2;
  const until = Math.min(text.length, Math.max(last, from) + AROUND, from + 4 * AROUND);
  return {
    text: text.slice(from, until),
    start: start - from,
    end: Math.min(last, until + 1) - from,
    before: from > 0,
    after: until < text.length,
  };
}
