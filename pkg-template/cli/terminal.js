// Text that is safe to show, colours, and excerpts with carets.
//
// Whatever comes from a file, a call or the command line passes through `shown` before it reaches a terminal: controls,
// invisible characters and those that turn the writing direction become visible escapes.

export const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;
const SHORT = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };
/** Two columns wide in most terminals. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Of a plain terminal. */
export const COLUMNS = 80;

export function shown(text) {
  return text.replace(UNSEEN, (unseen) => SHORT[unseen] ?? `\\u{${unseen.codePointAt(0).toString(16)}}`);
}

/** At most that many columns of a text, safe to show. */
export function clipped(text, columns) {
  // No need to look at a megabyte for the sake of a line.
  const pieces = [...text.slice(0, columns + 1)].map(shown);
  const whole = pieces.join("");
  if (text.length <= columns && width(whole) <= columns) return whole;
  return `${fill(pieces, columns - 1).join("")}…`;
}

/** How many columns a safe text takes. */
export function width(text) {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

/**
 * A text and, under the part from `start` to `end` (UTF-16 units), carets; cut to `columns` around that part.
 */
export function underlined(text, { start, end }, columns = 96) {
  const from = Math.min(start, text.length);
  // What stands before the part gets a third, and whatever the rest leaves free.
  const free = columns - width(clipped(text.slice(from), columns)) - 1;
  const lead = cutLead(text, from, Math.max(Math.floor(columns / 3), free));
  const inside = clipped(text.slice(from, Math.max(from, Math.min(end, text.length))), columns - width(lead) - 1);
  const room = columns - width(lead) - width(inside);
  const tail = end < text.length && room > 1 && !inside.endsWith("…") ? clipped(text.slice(Math.max(from, end)), room) : "";
  return { line: lead + inside + tail, carets: " ".repeat(width(lead)) + "^".repeat(Math.max(1, width(inside))) };
}

/**
 * The same for several parts. Where the text is too long to be shown whole, the first part alone is shown, and `more` says
 * how many are left.
 */
export function underlinedAll(text, spans, columns = 96) {
  const pieces = text.length > columns ? [] : unitsOf(text);
  if (spans.length < 2 || pieces.length === 0 || width(pieces.map(({ piece }) => piece).join("")) > columns) {
    const [first = { start: 0, end: text.length }] = spans;
    return { ...underlined(text, first, columns), more: Math.max(0, spans.length - 1) };
  }
  const covered = (at) => spans.some(({ start, end }) => start <= at && at < end);
  const carets = pieces.map(({ piece, at }) => (covered(at) ? "^" : " ").repeat(width(piece))).join("").trimEnd();
  return { line: pieces.map(({ piece }) => piece).join(""), carets, more: 0 };
}

/** Words in lines of at most so many columns; what is longer than a line stands alone in one. */
function wrapped(text, columns) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : undefined;
    if (longer !== undefined && width(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A text behind a head of so many columns; its further lines stand below its first. */
export function hanging(head, columns, text) {
  const [first, ...more] = wrapped(text, COLUMNS - columns);
  return [`${head}${first}`, ...more.map((line) => `${" ".repeat(columns)}${line}`)];
}

/** Colours only where a terminal will show them, and the user has not said no. */
export function inks(stream, environment = process.env) {
  const on = stream.isTTY === true && environment.NO_COLOR === undefined && environment.TERM !== "dumb";
  const ink = (open, close) => (text) => (on ? `\u001b[${open}m${text}\u001b[${close}m` : text);
  const strong = ink(1, 22);
  const coloured = (number) => (text) => strong(ink(number, 39)(text));
  return {
    strong,
    faint: ink(2, 22),
    // Told apart by the word too, never by colour alone.
    allow: coloured(32),
    ask: coloured(33),
    deny: coloured(31),
    passthrough: coloured(36),
    error: coloured(31),
    warning: coloured(33),
    info: coloured(36),
  };
}

function columnsOf(character) {
  if (/\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The characters as they are shown, each with its first unit. */
function unitsOf(text) {
  let at = 0;
  return [...text].map((character) => {
    const unit = { piece: shown(character), at };
    at += character.length;
    return unit;
  });
}

/** As many pieces as fit; an escape is shown whole or not at all. */
function fill(pieces, columns) {
  let used = 0;
  const over = pieces.findIndex((piece) => (used += width(piece)) > columns);
  return over < 0 ? pieces : pieces.slice(0, over);
}

/** What stands before the place, its last part where it is long. */
function cutLead(text, from, columns) {
  const pieces = [...text.slice(Math.max(0, from - columns), from)].map(shown);
  const whole = pieces.join("");
  if (from <= columns && width(whole) <= columns) return whole;
  return `…${fill(pieces.reverse(), columns - 1).reverse().join("")}`;
}
