// Reads the part of Starlark that files of rules are written in: calls of functions with plain values, and names for such
// values.
//
// statement = NAME "=" value | NAME "(" [ [ NAME "=" ] value { "," … } ] ")"
// value     = term { "+" term }      texts or lists
// term      = text | list | NAME | "None" | "True" | "False" | number | "(" value ")"
//
// Anything else is a fault of its statement, and reading goes on behind it. Time is linear, nesting is bounded.

const DEPTH = 32;

/** Units and items that `+` may put together in one text. */
const JOINED = 4_000_000;

/** What stands where a statement cannot be read. */
export class Fault {
  constructor(code, start, end) {
    this.code = code;
    this.span = { start, end };
  }
}

/** The statements of a text: `{ call, positional, named, span }`, or a `Fault`. A value is a text, a list, or `OTHER`. */
export function* statements(text) {
  const reader = new Reader(text);
  while (reader.skipLines()) {
    const start = reader.at;
    try {
      const statement = reader.statement();
      if (statement) yield { ...statement, span: { start, end: reader.at } };
      reader.endLine();
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      reader.at = start;
      reader.skipStatement();
      yield new Fault(fault.code, start, Math.max(reader.at, start + 1));
    }
  }
}

/** A value that is neither a text nor a list of values. */
const OTHER = Object.freeze({});

/** `None`: as if the argument was not there. */
export const NONE = Object.freeze({});

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /-?[0-9][0-9A-Fa-fxob_.]*/y;
const ESCAPES = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v", "\\": "\\", "'": "'", '"': '"', "\n": "" };
const BRACKETS = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };

class Reader {
  at = 0;
  #text;
  #depth = 0;
  #indented = false;
  #values = new Map();
  #left = JOINED;

  constructor(text) {
    this.#text = text;
  }

  fault(code = "unsupported-syntax") {
    return new Fault(code, this.at, this.at + 1);
  }

  /** Skips blanks and comments, and inside of brackets lines too. */
  blanks(lines = this.#depth > 0) {
    for (;;) {
      const c = this.#text[this.at];
      if (c === "#") while (this.at < this.#text.length && this.#text[this.at] !== "\n") this.at++;
      else if (c === " " || c === "\t" || c === "\r" || (lines && c === "\n")) this.at++;
      else if (c === "\\" && /^\r?\n/.test(this.#text.slice(this.at + 1, this.at + 3))) this.at += 2;
      else return;
    }
  }

  skipLines() {
    this.#depth = 0;
    const start = this.at;
    this.blanks(true);
    const line = this.#text.slice(start, this.at).lastIndexOf("\n");
    this.#indented = line < 0 ? start === 0 && this.at > 0 : start + line + 1 < this.at;
    return this.at < this.#text.length;
  }

  /** Nothing else may stand on the line. */
  endLine() {
    this.blanks();
    const c = this.#text[this.at];
    if (c === ";") this.at++;
    else if (c !== undefined && c !== "\n") throw this.fault();
  }

  /** To the end of the statement, brackets and texts in it and the block under it included. */
  skipStatement() {
    let depth = 0;
    while (this.at < this.#text.length) {
      const c = this.#text[this.at];
      if (c === "\n" && depth <= 0 && !/[ \t#]/.test(this.#text[this.at + 1] ?? "")) return;
      if (c === "#") this.blanks();
      else if (c === '"' || c === "'") this.skipText();
      else {
        depth += BRACKETS[c] ?? 0;
        this.at++;
      }
    }
  }

  /** A text that cannot be read ends with its line, or where everything ends. */
  skipText() {
    const lines = /^("""|''')/.test(this.#text.slice(this.at, this.at + 3));
    try {
      this.text();
    } catch {
      const end = lines ? -1 : this.#text.indexOf("\n", this.at);
      this.at = end < 0 ? this.#text.length : end;
    }
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  takes(c) {
    this.blanks();
    if (this.#text[this.at] !== c) return false;
    this.at++;
    return true;
  }

  expect(c) {
    if (!this.takes(c)) throw this.fault();
  }

  statement() {
    if (this.#indented) throw this.fault();
    // A text of its own says nothing.
    if (/["']/.test(this.#text[this.at])) return void this.text();
    const name = this.match(NAME);
    if (name === undefined) throw this.fault();
    if (this.takes("=")) {
      this.#values.set(name, this.value());
      return undefined;
    }
    this.expect("(");
    const call = { call: name, positional: [], named: new Map() };
    this.within(")", () => {
      const before = this.at;
      const word = this.match(NAME);
      if (word !== undefined && this.takes("=") && this.#text[this.at] !== "=") {
        if (call.named.has(word)) throw this.fault("invalid-arguments");
        call.named.set(word, this.value());
        return;
      }
      this.at = before;
      if (call.named.size > 0) throw this.fault("invalid-arguments");
      call.positional.push(this.value());
    });
    return call;
  }

  /** Items between brackets, the last comma left out or not. */
  within(close, item) {
    if (++this.#depth > DEPTH) throw this.fault("too-deep");
    while (!this.takes(close)) {
      item();
      if (!this.takes(",")) {
        this.expect(close);
        break;
      }
    }
    this.#depth--;
  }

  value() {
    let value = this.term();
    while (this.takes("+")) {
      const more = this.term();
      this.#left -= (value.length ?? 0) + (more.length ?? 0);
      if (this.#left < 0) throw this.fault();
      if (typeof value === "string" && typeof more === "string") value += more;
      else if (Array.isArray(value) && Array.isArray(more)) value = [...value, ...more];
      else throw this.fault();
    }
    return value;
  }

  term() {
    this.blanks();
    const c = this.#text[this.at];
    if (c === '"' || c === "'") return this.text();
    if (c === "[") {
      this.at++;
      const list = [];
      this.within("]", () => list.push(this.value()));
      return list;
    }
    if (c === "(") {
      this.at++;
      const values = [];
      this.within(")", () => values.push(this.value()));
      if (values.length !== 1) throw this.fault();
      return values[0];
    }
    if (this.match(NUMBER) !== undefined) return OTHER;
    const start = this.at;
    const name = this.match(NAME);
    if (name === "r" && /["']/.test(this.#text[this.at] ?? "")) return this.text(true);
    if (name === "None") return NONE;
    if (name === "True" || name === "False") return OTHER;
    if (this.#values.has(name)) return this.#values.get(name);
    this.at = start;
    throw this.fault();
  }

  text(raw = false) {
    const quote = this.#text[this.at];
    const close = this.#text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    let at = this.at + close.length;
    let text = "";
    for (;;) {
      const c = this.#text[at];
      if (c === undefined || (c === "\n" && close.length === 1)) throw this.fault();
      if (this.#text.startsWith(close, at)) break;
      if (c !== "\\") {
        text += c;
        at++;
      } else if (raw) {
        text += this.#text.slice(at, at + 2);
        at += 2;
      } else {
        const [written, meant] = this.escape(at);
        text += meant;
        at += written;
      }
    }
    this.at = at + close.length;
    return text;
  }

  /** How many units an escape takes, and what it means. */
  escape(at) {
    const c = this.#text[at + 1];
    if (Object.hasOwn(ESCAPES, c ?? "")) return [2, ESCAPES[c]];
    const digits = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{1,3}))/.exec(this.#text.slice(at + 1, at + 10));
    if (digits === null) throw this.fault();
    const [written, ...groups] = digits;
    const code = groups[3] === undefined ? parseInt(groups.find((group) => group !== undefined), 16) : parseInt(groups[3], 8);
    if (code > 0x10ffff) throw this.fault();
    return [1 + written.length, String.fromCodePoint(code)];
  }
}
