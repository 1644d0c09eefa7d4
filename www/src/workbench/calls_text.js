// A text as a list of calls: JSON Lines, a JSON list, or commands one a line. What cannot be read is said; the rest goes on.
import { createScanner } from "jsonc-parser";
import { callOfJson, callOfLine, RecordFault } from "./call_of.js";

/** A list begins so; `[ -f x ]` is a command. */
const LIST_START = /^\s*\[\s*(?:[{"\]]|\/[/*]|$)/;
const NEXT_RECORD = /^[ \t]*[{"]/gm;
/** How far one is looked for the end of a value, once too much was read again. */
const MOST_AGAIN = 4096;
/** `SyntaxKind` of the scanner. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, STRING, END] = [1, 2, 3, 4, 5, 10, 17];

export function isList(text) {
  return LIST_START.test(text.slice(0, 1000));
}

/** Walks over a text; gives for each record `{ start, end, call }` or `{ start, end, fault }`. */
export function recordsOf(text, shell) {
  return isList(text) ? elements(text, shell) : lines(text, shell);
}

function* lines(text, shell) {
  for (let start = text.startsWith("\ufeff") ? 1 : 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found < 0 ? text.length : found + 1;
    const end = found < 0 ? next : found - (text[found - 1] === "\r" ? 1 : 0);
    const line = text.slice(start, end);
    if (line.trim() !== "") yield record(start, end, () => callOfLine(line, shell));
    start = next;
  }
}

/** The elements of a list. After one that cannot be read it goes on with the next line that begins as one. */
function* elements(text, shell) {
  const scanner = createScanner(text, true);
  scanner.setPosition(text.indexOf("[") + 1);
  // What is read again is bounded, or a list with a bracket missing in every line would take time squared.
  let again = 4 * text.length;
  for (;;) {
    const kind = scanner.scan();
    const start = scanner.getTokenOffset();
    if (kind === COMMA) continue;
    if (kind === END) return yield fault(start, start, new RecordFault("bad-list", "the list is never closed with ]"));
    if (kind === CLOSE_BRACKET) return yield* rest(scanner);
    const whole = skip(scanner, kind, again > 0 ? text.length : start + MOST_AGAIN);
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    const read = whole ? record(start, end, () => callOfJson(text.slice(start, end), shell)) : undefined;
    if (read?.call !== undefined) {
      yield read;
      continue;
    }
    // A bracket that is missing swallows what follows: only the first line of it is given up.
    NEXT_RECORD.lastIndex = text.indexOf("\n", start) + 1 || text.length;
    const next = NEXT_RECORD.exec(text)?.index ?? text.length;
    const until = Math.min(end, next);
    yield read !== undefined && until === end ? read : record(start, until, () => callOfJson(text.slice(start, until).replace(/,?\s*$/, ""), shell));
    if (until < end || !whole) {
      again -= end - start;
      scanner.setPosition(next);
    }
  }
}

/** Goes to the end of a value whose first token was read; false where the text or the patience ends before it does. */
function skip(scanner, first, most) {
  let depth = 0;
  for (let kind = first; ; kind = scanner.scan()) {
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET) depth += 1;
    else if (kind === CLOSE_BRACE || kind === CLOSE_BRACKET) depth -= 1;
    else if (kind === END || scanner.getTokenOffset() > most) return false;
    else if (kind === STRING && scanner.getTokenError() !== 0) return false;
    if (depth <= 0) return true;
  }
}

function* rest(scanner) {
  if (scanner.scan() === END) return;
  const start = scanner.getTokenOffset();
  yield fault(start, start + scanner.getTokenLength(), new RecordFault("bad-list", "something follows the end of the list"));
}

function record(start, end, read) {
  try {
    return { start, end, call: read() };
  } catch (error) {
    if (error instanceof RecordFault) return fault(start, end, error);
    throw error;
  }
}

function fault(start, end, { code, message, at = 0 }) {
  return { start, end, fault: { code, message, start: Math.min(start + at, end), end: Math.min(start + at, end) + 1 } };
}
