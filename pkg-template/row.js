// Rows: what the core answers as numbers, read where they stand in its memory (src/row.rs).
import { fromCore } from "./errors.js";
import { memory, run } from "./instance.js";

const ABSENT = 0xffffffff;
const IN_TEXT = ABSENT - 1;

const decoder = new TextDecoder(undefined, { ignoreBOM: true });

/** Calls into the core, and gives the row that it wrote; it holds until the next call. */
export function rowOf(work) {
  const row = new Row(run(work) >>> 0);
  if (row.number() === 0) return row.begin();
  throw fromCore(row.begin().text());
}

class Row {
  constructor(place) {
    this.numbers = memory();
    this.at = place >>> 2;
    this.texts = "";
    this.cut = 0;
  }

  /** Reads the rest of the head. */
  begin() {
    const place = this.number();
    const bytes = this.number();
    if (bytes > 0) this.texts = decoder.decode(new Uint8Array(this.numbers.buffer, place, bytes));
    return this;
  }

  number() {
    const number = this.numbers[this.at++];
    if (number !== undefined) return number;
    // The memory has grown meanwhile; what stands in it is the same.
    this.numbers = memory();
    return this.numbers[this.at - 1];
  }

  /** A text, or undefined. */
  text() {
    const units = this.number();
    return units === ABSENT ? undefined : this.texts.slice(this.cut, (this.cut += units));
  }

  /** A word of a line, or undefined for one that is known only at run time. */
  word(line) {
    const start = this.number();
    if (start < IN_TEXT) return line.slice(start, this.number());
    return start === ABSENT ? undefined : this.text();
  }

  span() {
    return { start: this.number(), end: this.number() };
  }

  /** As many things as the next number says; `read` takes the row and the line. */
  list(read, line) {
    const list = [];
    for (let left = this.number(); left > 0; left--) list.push(read(this, line));
    return list;
  }

  words(line) {
    const list = [];
    for (let left = this.number(); left > 0; left--) list.push(this.word(line));
    return list;
  }
}
