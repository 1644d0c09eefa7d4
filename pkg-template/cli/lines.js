// The lines of a file or of standard input, one after another: memory does not grow with the file.
import { createReadStream } from "node:fs";
import { BadInput } from "./bad_input.js";
import { unreadable } from "./settings.js";
import { shown } from "./terminal.js";

const MOST_BYTES = 8 << 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** What messages call it. */
export function nameOf(file) {
  return file === "-" ? "standard input" : file;
}

/** Gives `{ number, text, bytes }`: the line's number from 1, and how many bytes were read so far. @throws BadInput */
export async function* linesOf(file) {
  let rest = [];
  let size = 0;
  let number = 0;
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      rest.push(chunk.subarray(start, end));
      number += 1;
      yield { number, text: decoded(file, number, rest), bytes: bytes + end + 1 };
      rest = [];
      size = 0;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    size += chunk.length - start;
    bytes += chunk.length;
    if (size > MOST_BYTES) throw badLine(file, number + 1, "line-too-long", `a line has at most ${MOST_BYTES >> 20} MiB`);
  }
  if (size > 0) yield { number: number + 1, text: decoded(file, number + 1, rest), bytes };
}

/** Something is wrong with a line. */
export function badLine(file, line, code, message) {
  return new BadInput(code, `${shown(nameOf(file))}:${line}: ${message}`, { details: { file, line } });
}

async function* chunksOf(file) {
  try {
    yield* file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1 << 16 });
  } catch (error) {
    throw error instanceof BadInput ? error : unreadable(nameOf(file), error);
  }
}

function decoded(file, number, parts) {
  const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
  const line = whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole;
  try {
    // Only the first line may begin with a mark of byte order.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: number > 1 }).decode(line);
  } catch {
    throw badLine(file, number, "not-utf-8", "this is not UTF-8 text");
  }
}
