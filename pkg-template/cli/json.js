// JSON with places: what `JSON.parse` refuses without saying where, and members that it would drop in silence.
//
// `scan` only looks; the values themselves are made by `JSON.parse` afterwards.

const MOST_DEPTH = 200;
const BLANKS = /[ \t\n\r]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
/** Without the quotes, up to the first unit that does not belong. */
const STRING_BODY = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const WORD = /true|false|null/uy;

/** What is wrong, and at which UTF-16 unit of the text. */
export class JsonFault extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

/** Parses a whole text. @throws JsonFault */
export function parseJson(text) {
  try {
    return scan(text) && JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonFault) throw error;
    throw new JsonFault("this is not JSON", 0);
  }
}

/** Walks over a whole text; `visit` sees the path and the first unit of each value. @throws JsonFault */
export function scan(text, visit = () => {}) {
  const scanner = new Scanner(text, visit);
  scanner.blanks();
  if (scanner.at === text.length) throw new JsonFault("there is nothing here", scanner.at);
  scanner.value([]);
  scanner.blanks();
  if (scanner.at < text.length) throw new JsonFault("something follows the end of the value", scanner.at);
  return true;
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

class Scanner {
  at = 0;

  constructor(text, visit) {
    this.text = text;
    this.visit = visit;
  }

  value(path) {
    if (path.length > MOST_DEPTH) throw new JsonFault(`nested deeper than ${MOST_DEPTH}`, this.at);
    this.visit(path, this.at);
    const first = this.text[this.at];
    if (first === "{") this.object(path);
    else if (first === "[") this.list(path);
    else if (first === '"') this.string();
    else if (this.take(NUMBER) === "" && this.take(WORD) === "") throw this.unexpected("a value");
  }

  object(path) {
    const names = new Set();
    this.members("}", () => {
      const start = this.at;
      if (this.text[start] !== '"') throw this.unexpected("a member's name in double quotes");
      const name = this.string();
      if (names.has(name)) throw new JsonFault("this member is there twice; only one of them would count", start);
      names.add(name);
      this.blanks();
      if (this.text[this.at] !== ":") throw this.unexpected("a colon");
      this.at += 1;
      this.blanks();
      this.value([...path, name]);
    });
  }

  list(path) {
    let index = 0;
    this.members("]", () => this.value([...path, index++]));
  }

  members(close, member) {
    const open = this.at;
    this.at += 1;
    this.blanks();
    if (this.text[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      member();
      this.blanks();
      const next = this.text[this.at];
      if (next === close) break;
      if (next === undefined) throw new JsonFault(`this is never closed with ${close}`, open);
      if (next !== ",") throw this.unexpected(`a comma or ${close}`);
      const comma = this.at;
      this.at += 1;
      this.blanks();
      if (this.text[this.at] === close) throw new JsonFault("no comma may stand before the end", comma);
    }
    this.at += 1;
  }

  string() {
    const start = this.at;
    this.at += 1;
    this.take(STRING_BODY);
    const next = this.text[this.at];
    if (next === undefined || next === "\n" || next === "\r") throw new JsonFault("this text is never closed with a quote", start);
    if (next === "\\") throw new JsonFault("no such escape exists", this.at);
    if (next !== '"') throw new JsonFault("a control character has to be escaped", this.at);
    this.at += 1;
    return JSON.parse(this.text.slice(start, this.at));
  }

  blanks() {
    this.take(BLANKS);
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const [taken] = pattern.exec(this.text) ?? [""];
    this.at += taken.length;
    return taken;
  }

  unexpected(wanted) {
    if (this.at >= this.text.length) return new JsonFault(`the text ends where ${wanted} is needed`, this.at);
    const comment = this.text.startsWith("//", this.at) || this.text.startsWith("/*", this.at);
    return new JsonFault(comment ? "comments are no part of JSON" : `${wanted} is needed here`, this.at);
  }
}
