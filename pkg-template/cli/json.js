// JSON with places: what is wrong with a text, and where its values stand. With comments, for settings; without, for calls.
//
// `scan` only looks; the values themselves are made by `JSON.parse` afterwards, so that every name is a member of its own.
import { ParseErrorCode as Code, stripComments, visit } from "./jsonc.js";

const MOST_DEPTH = 200;

/** What is wrong, and at which UTF-16 unit of the text. */
export class JsonFault extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

/** Parses a whole text. @throws JsonFault */
export function parseJson(text, { comments = false } = {}) {
  scan(text, undefined, { comments });
  try {
    return JSON.parse(comments ? stripComments(text) : text);
  } catch {
    // Should the two ever differ, the stricter one holds.
    throw new JsonFault("this is not JSON", 0);
  }
}

/**
 * Walks over a whole text; `see` is told the first unit of each value, how deep it stands, and how to ask for its path: making one
 * for each value of a deep text costs more than all the rest. @throws JsonFault
 */
export function scan(text, see = () => {}, { comments = false } = {}) {
  const walk = new Walk(text, see);
  visit(text, walk.visitor(), { disallowComments: !comments, allowTrailingComma: false });
}

/** The lines of a text, looked for once. */
export class Lines {
  #text;
  #starts = [0];

  constructor(text) {
    this.#text = text;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) this.#starts.push(end + 1);
  }

  /** Line and column, from 1, of a unit; columns are UTF-16 units. */
  place(at) {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - this.#starts[low] + 1 };
  }

  /** The text of a line, without its end. */
  text(line) {
    const whole = this.#text.slice(this.#starts[line - 1], this.#starts[line]);
    return whole.replace(/\r?\n$/u, "");
  }
}

/** What the library meets, in order. It would go on after a fault; the first one ends it. */
class Walk {
  #text;
  #see;
  /** The objects and lists that are open: where each begins, and the names that an object has so far. */
  #open = [];
  /** Where the innermost one began that came to its end, or to the end of the text. */
  #closed = 0;
  /** Where the comma stands that nothing has followed yet. */
  #comma;

  constructor(text, see) {
    this.#text = text;
    this.#see = see;
  }

  visitor() {
    const begin = (at, _length, _line, _column, path) => {
      if (this.#open.length >= MOST_DEPTH + 1) throw new JsonFault(`nested deeper than ${MOST_DEPTH}`, at);
      this.#value(path, at);
      this.#open.push({ at, names: new Set() });
    };
    const end = () => {
      this.#closed = this.#open.pop().at;
    };
    return {
      onObjectBegin: begin,
      onArrayBegin: begin,
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name, at) => this.#name(name, at),
      onLiteralValue: (_value, at, _length, _line, _column, path) => this.#value(path, at),
      onSeparator: (separator, at) => {
        if (separator === ",") this.#comma = at;
      },
      onError: (code, at, length) => {
        throw this.#fault(code, at, length);
      },
    };
  }

  #value(path, at) {
    this.#comma = undefined;
    this.#see(at, this.#open.length, path);
  }

  #name(name, at) {
    this.#comma = undefined;
    const { names } = this.#open.at(-1);
    if (names.has(name)) throw new JsonFault("this member is there twice; only one of them would count", at);
    names.add(name);
  }

  #fault(code, at, length) {
    switch (code) {
      case Code.PropertyNameExpected:
        return this.#wanted("a member's name in double quotes", at);
      case Code.ValueExpected:
        return this.#wanted("a value", at);
      case Code.ColonExpected:
        return this.#wanted("a colon", at);
      case Code.CommaExpected:
        return this.#wanted(`a comma or ${this.#closer(this.#open.at(-1).at)}`, at);
      case Code.CloseBraceExpected:
      case Code.CloseBracketExpected:
        return new JsonFault(`this is never closed with ${this.#closer(this.#closed)}`, this.#closed);
      case Code.InvalidUnicode:
      case Code.InvalidEscapeCharacter:
      case Code.InvalidCharacter:
        return inString(this.#text, at, at + length);
      default:
        return new JsonFault(SAID.get(code) ?? "this is not JSON", at);
    }
  }

  #wanted(what, at) {
    if (at >= this.#text.length) {
      const message = this.#text.trim() === "" ? "there is nothing here" : `the text ends where ${what} is needed`;
      return new JsonFault(message, at);
    }
    const closes = this.#text[at] === "]" || this.#text[at] === "}";
    if (closes && this.#comma !== undefined) return new JsonFault("no comma may stand before the end", this.#comma);
    return new JsonFault(`${what} is needed here`, at);
  }

  #closer(at) {
    return this.#text[at] === "{" ? "}" : "]";
  }
}

const SAID = new Map([
  [Code.InvalidSymbol, "this is no JSON: names and texts stand in double quotes"],
  [Code.InvalidNumberFormat, "this is no number"],
  [Code.EndOfFileExpected, "something follows the end of the value"],
  [Code.InvalidCommentToken, "a call has no comments"],
  [Code.UnexpectedEndOfComment, "this comment is never closed with */"],
  [Code.UnexpectedEndOfString, "this text is never closed with a quote"],
  [Code.UnexpectedEndOfNumber, "this number is not complete"],
]);

/** The library names the string alone; where in it, a look at its escapes tells. */
function inString(text, start, end) {
  const pieces = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\\\u0000-\u001f]/gu;
  pieces.lastIndex = start;
  for (let piece = pieces.exec(text); piece !== null && piece.index < end; piece = pieces.exec(text)) {
    if (piece[0] === "\\") return new JsonFault("no such escape exists", piece.index);
    if (piece[0].length === 1) return new JsonFault("a control character has to be escaped", piece.index);
  }
  return new JsonFault("this is not JSON", start);
}
