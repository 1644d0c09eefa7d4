// Simple commands as `unbash` parses them, put into the words of a reading.
import { parse } from "unbash";

/** Parts of a word whose value is known only at run time. */
const RUN_TIME = new Set(["SimpleExpansion", "ParameterExpansion", "CommandExpansion", "ArithmeticExpansion", "ProcessSubstitution"]);

const hasPart = (word, types) => word.parts?.some((part) => types.has(part.type) || (Array.isArray(part.parts) && hasPart(part, types))) ?? false;
const BRACES = new Set(["BraceExpansion"]);

/** A word's value; `undefined` at run time. */
export const value = (word) => (hasPart(word, RUN_TIME) ? undefined : word.value);

/**
 * The simple commands of a line at any depth, in the order in which they begin; `undefined` where it does not parse. Braces
 * are not expanded by the peer: such a command has `braces` set.
 */
export function commandsOf(line) {
  const script = parse(line);
  if (script.errors?.length > 0) return undefined;
  const found = [];
  walk(script, found);
  return found.sort((a, b) => a.start - b.start);
}

function walk(node, found) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, found);
  } else if (node !== null && typeof node === "object") {
    if (node.type === "Command") found.push(simple(node));
    for (const [key, member] of members(node)) {
      if (key !== "parent" && typeof member === "object") walk(member, found);
    }
  }
}

/** Own members, and those that are made when they are first asked for. */
function* members(node) {
  const seen = new Set();
  for (const key of Object.keys(node)) {
    seen.add(key);
    yield [key, node[key]];
  }
  for (const key of ["parts", "script", "expression", "body", "value", "index", "elements"]) {
    if (!seen.has(key) && node[key] !== undefined) yield [key, node[key]];
  }
}

/** A descriptor that is copied, moved or closed is no file. */
function copies({ operator, target }) {
  return (operator === ">&" || operator === "<&") && /^(\d+-?|-)$/.test(target?.value ?? "");
}

/** `NAME=value` as an operand; that of an array is known only at run time. */
function assigned({ name, append, index, value: word }) {
  const text = index === undefined && word.type === "Word" ? value(word) : undefined;
  return text === undefined ? undefined : `${name}${append ? "+" : ""}=${text}`;
}

function simple({ name, args, prefix, pos, redirects }) {
  const words = [...(name === undefined ? [] : [name]), ...args];
  return {
    start: pos,
    words: words.map((word) => (word.type === "Assignment" ? assigned(word) : value(word))),
    braces: words.some((word) => hasPart(word, BRACES)),
    assignments: prefix.filter((part) => part.type === "Assignment").map((part) => part.name),
    redirects: redirects.filter((redirect) => !copies(redirect)).map(({ operator }) => operator),
  };
}
