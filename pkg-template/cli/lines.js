// The lines of a file or of standard input, one after another: memory does not grow with the file.
import { createReadStream } from "node:fs";
import { BadInput } from "./bad_input.js";
import { nameOf, STANDARD_INPUT, unreadable } from "./files.js";
import { shown } from "./terminal.js";

const MOST_BYTES = 8 << 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Gives `{ number, text, bytes }`: the line's number from 1, and how many bytes were read so far; a line that cannot be
 * read has a `fault` in the place of its text. @throws BadInput for the file as a whole
 */
export async function* linesOf(file) {
  const line = new Line(file);
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      yield { ...line.end(), bytes: bytes + end + 1 };
      start = end + 1;
    }
    line.add(chunk.subarray(start));
    bytes += chunk.length;
  }
  if (line.size > 0) yield { ...line.end(), bytes };
}

/** Something is wrong with a line. */
export function badLine(file, line, code, message) {
  return new BadInput(code, `${shown(nameOf(file))}:${line}: ${message}`, { details: { file, line } });
}

async function* chunksOf(file) {
  try {
    yield* file === STANDARD_INPUT ? process.stdin : createReadStream(file, { highWaterMark: 1 << 16 });
  } catch (error) {
    throw error instanceof BadInput ? error : unreadable(file, error);
  }
}

/** The line that is being read. */
class Line {
  size = 0;
  #file;
  #number = 1;
  #parts = [];

  constructor(file) {
    this.#file = file;
  }

  add(part) {
    this.size += part.length;
    // What is over the limit is passed over, up to the line's end.
    if (this.size <= MOST_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  /** The line as it is; the next one begins. */
  end() {
    const number = this.#number;
    const [parts, size] = [this.#parts, this.size];
    [this.#parts, this.size, this.#number] = [[], 0, number + 1];
    if (size > MOST_BYTES) {
      return { number, fault: badLine(this.#file, number, "line-too-long", `a line has at most ${MOST_BYTES >> 20} MiB`) };
    }
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const plain = whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole;
    try {
      // Only the first line may begin with a mark of byte order.
      return { number, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: number > 1 }).decode(plain) };
    } catch {
      return { number, fault: badLine(this.#file, number, "not-utf-8", "this is not UTF-8 text") };
    }
  }
}
