// The text of a settings file as a value: JSON, comments and trailing commas allowed, with the place of every value.
import { applyEdits, findNodeAtLocation, modify, parseTree, printParseErrorCode } from "jsonc-parser";

const READING = { allowTrailingComma: true, disallowComments: false };
const SAYS = {
  InvalidSymbol: "this is no word of JSON",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a member's name in double quotes is needed here",
  ValueExpected: "a value is needed here",
  ColonExpected: "a colon is needed here",
  CommaExpected: "a comma is needed here",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "something follows the end of the value",
  InvalidCommentToken: "no comment may stand here",
  UnexpectedEndOfComment: "this comment is never closed",
  UnexpectedEndOfString: "this text is never closed with a quote",
  UnexpectedEndOfNumber: "this number ends too early",
  InvalidUnicode: "no such escape exists",
  InvalidEscapeCharacter: "no such escape exists",
  InvalidCharacter: "a control character has to be escaped",
};

/** Nobody reads more, and each costs. */
const MOST_FAULTS = 200;

/** Gives `value` and `tree`, or what is wrong with the text: `faults` with `code`, `message`, `start` and `end`. */
export function readSettingsText(text) {
  if (text.trim() === "") return { value: {}, faults: [] };
  const errors = [];
  let tree;
  try {
    // A mark of byte order is no part of the text.
    tree = parseTree(text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text, errors, READING);
  } catch {
    return { faults: [{ code: "too-deep", message: "this is nested deeper than anybody writes", start: 0, end: 1 }] };
  }
  const faults = errors.slice(0, MOST_FAULTS).map(({ error, offset, length }) => {
    const message = SAYS[printParseErrorCode(error)] ?? "this is not JSON";
    return { code: "bad-json", message, start: offset, end: offset + Math.max(1, length) };
  });
  if (faults.length > 0) return { faults: /^\s*[[{]/.test(text) ? faults : [prose(text), ...faults.slice(0, 5)] };
  const value = valueOf(tree, faults);
  if (faults.length === 0 && tree.type !== "object") {
    faults.push({ code: "not-an-object", message: "settings are a JSON object", start: tree.offset, end: tree.offset + tree.length });
  }
  return faults.length === 0 ? { value, tree, faults } : { faults };
}

/** What the user most likely meant by text that does not even begin as JSON. */
function prose(text) {
  const start = text.search(/\S/);
  const message = "a settings file is a JSON object; this begins like prose or a bare list of rules";
  return { code: "not-json", message, start, end: start + 1, hint: "the lines can be taken as rules, see below" };
}

/** Values as `JSON.parse` makes them, but a member that is there twice is a fault: one of the two would be lost. */
function valueOf(node, faults) {
  if (node.type === "array") return (node.children ?? []).map((child) => valueOf(child, faults));
  if (node.type !== "object") return node.value;
  const value = {};
  for (const { children: [name, content] } of node.children ?? []) {
    if (Object.hasOwn(value, name.value) && faults.length < MOST_FAULTS) {
      const message = "this member is there twice; only one of them would count";
      faults.push({ code: "duplicate-member", message, start: name.offset, end: name.offset + name.length });
    }
    Object.defineProperty(value, name.value, { value: valueOf(content, faults), enumerable: true, configurable: true, writable: true });
  }
  return value;
}

/** Where the value at a path of the file stands, or the nearest that is there around it. */
export function placeOf(tree, path) {
  for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return { start: node.offset, end: node.offset + node.length, exact: length === path.length };
  }
  return undefined;
}

/**
 * Where each unit of a rule stands in its literal, so that a span of the rule becomes one of the file: escapes make the two differ.
 * The literal includes its quotes.
 */
export function spanInLiteral(literal, { start, end }) {
  const units = [];
  const ESCAPE = /\\u[0-9a-fA-F]{4}|\\[^]|[^]/gy;
  ESCAPE.lastIndex = 1;
  for (let at = 1; at < literal.length - 1; at = ESCAPE.lastIndex) {
    units.push(at);
    if (ESCAPE.exec(literal) === null) break;
  }
  const place = (unit) => units[unit] ?? literal.length - 1;
  return { start: place(start), end: place(end) };
}

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** Edits of the text, `{ offset, length, content }`: another text for the rule at a path; undefined takes it out. Nothing else changes. */
export function editRule(text, tree, path, rule) {
  const node = findNodeAtLocation(tree, path);
  if (node === undefined) return [];
  const { offset, length } = node;
  if (rule !== undefined) return [{ offset, length, content: JSON.stringify(rule) }];
  const end = offset + length;
  // With the comma and the blanks behind it, so that what follows takes its place; the last one goes with the comma in front.
  const behind = /^\s*,\s*/.exec(text.slice(end, end + 1000))?.[0];
  const { children } = node.parent;
  const isLast = children.at(-1) === node;
  // A comment in front of the comma goes too.
  if (!isLast) return [{ offset, length: behind === undefined ? children[children.indexOf(node) + 1].offset - offset : length + behind.length, content: "" }];
  const before = children.at(-2);
  if (before !== undefined) {
    const from = before.offset + before.length;
    return [{ offset: from, length: end - from, content: "" }];
  }
  const comma = /^\s*,/.exec(text.slice(end, end + 1000))?.[0] ?? "";
  return [{ offset, length: length + comma.length, content: "" }];
}

/** Edits that put a rule at the end of a list, which is made where it is missing. */
export function addRule(text, tree, path, rule) {
  const list = tree && findNodeAtLocation(tree, path);
  const last = list?.type === "array" ? list.children?.at(-1) : undefined;
  if (last === undefined) return [whole(text, path, rule)];
  // As the entry before it: on a line of its own, or in the same.
  const [room] = /\s*$/.exec(text.slice(0, last.offset));
  return [{ offset: last.offset + last.length, length: 0, content: `,${room === "" ? " " : room}${JSON.stringify(rule)}` }];
}

function whole(text, path, rule) {
  const source = text.trim() === "" ? "{}" : text;
  const content = applyEdits(source, modify(source, path, [rule], FORMAT));
  return { offset: 0, length: text.length, content };
}
