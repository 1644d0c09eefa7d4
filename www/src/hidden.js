// Characters that people would not see, or not where they stand, shown as marks: nothing in a rule or command hides.
import { UNSEEN } from "../../pkg-template/cli/terminal.js";
import { element } from "./element.js";

const HIDDEN = new RegExp(UNSEEN.source, "u");
/** Lines and tabs are white space that everybody sees. */
const PLAIN = /[\n\r\t]/;

const NAMES = {
  0x09: "tab",
  0x0a: "line feed",
  0x0d: "carriage return",
  0x1b: "escape",
  0xa0: "no-break space",
  0xad: "soft hyphen",
  0x061c: "Arabic letter mark",
  0x200b: "zero width space",
  0x200c: "zero width non-joiner",
  0x200d: "zero width joiner",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "pop directional isolate",
  0xfeff: "zero width no-break space",
};

/** Where hidden characters stand in a text: `{ at, code, name }`, the first `most` of them. Lines and tabs do not count. */
export function hiddenIn(text, most) {
  const found = [];
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (PLAIN.test(character)) continue;
    found.push({ at: index, length: character.length, code: codeOf(character), name: NAMES[character.codePointAt(0)] });
    if (found.length === most) break;
  }
  return found;
}

export function hides(text) {
  return hiddenIn(text, 1).length > 0;
}

/** A text as nodes. `line`: it has to stay one line, so that breaks and tabs are marks too. */
export function visible(text, { line = false } = {}) {
  if (!HIDDEN.test(text)) return [text];
  const nodes = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (!line && PLAIN.test(character)) continue;
    if (from < index) nodes.push(text.slice(from, index));
    nodes.push(mark(character));
    from = index + character.length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

/** A text as nodes, with marks at parts of it: `{ start, end, className }`; where they overlap, a part has every class. */
export function marked(text, marks, options) {
  const inside = marks.filter(({ start, end }) => start < end && start < text.length);
  const cuts = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, Math.min(end, text.length)])])];
  cuts.sort((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((at, number) => {
    const end = cuts[number + 1];
    const nodes = visible(text.slice(at, end), options);
    const names = inside.filter((each) => each.start <= at && end <= each.end).map(({ className }) => className);
    return names.length === 0 ? nodes : [element("mark", { className: [...new Set(names)].join(" ") }, ...nodes)];
  });
}

function mark(character) {
  const code = codeOf(character);
  const name = NAMES[character.codePointAt(0)];
  const title = name === undefined ? `a hidden character, ${code}` : `${name}, ${code}`;
  return element("span", { className: "hidden-mark", title, textContent: SHORT[character] ?? code });
}

const SHORT = { "\n": "⏎", "\r": "␍", "\t": "⇥" };

function codeOf(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
