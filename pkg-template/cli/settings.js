// A settings file, whatever kind it is, as a configuration, and the way back from the configuration to the file.
import { closeSync, openSync, readSync } from "node:fs";
import { configFromSettings } from "../node.js";
import { BadInput } from "./bad_input.js";
import { nameOf, STANDARD_INPUT, unreadable } from "./files.js";
import { imported } from "./imported.js";
import { JsonFault, Lines, parseJson, scan } from "./json.js";
import { shown, underlined } from "./terminal.js";

const MOST_BYTES = 32 << 20;
/** Members that only a configuration of toolgate has. */
const OWN = ["rules", "layers", "dialect"];

/**
 * Reads the file. Gives the configuration, what was said about it on the way, and `places`: of paths of the
 * configuration, path, line and column in the file. Of the options `from` says what kind of file it is where it is no
 * settings of ours; the others stand over what the file says. @throws BadInput
 */
export function readSettings(name, { from, ...over }) {
  const file = nameOf(name);
  const text = decoded(file, readBytes(name));
  const value = from === "codex" ? undefined : object(file, text);
  if (from !== undefined) {
    const { config, diagnostics } = imported(from, text, value, over);
    // Its rules have no counterparts in the file.
    return { config: { ...config, ...overOf(over) }, diagnostics, file, places: (paths) => paths.map((path) => ({ path })) };
  }
  const read = OWN.some((member) => Object.hasOwn(value, member)) ? ownConfig(value, overOf(over)) : agentConfig(value, overOf(over));
  return { ...read, file, places: (paths) => placesOf(text, paths.map(read.inFile)) };
}

/** Members of a configuration that options give. */
function overOf({ dialect, home, root }) {
  const members = Object.entries({ dialect, home, projectRoot: root });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function object(file, text) {
  const value = parsed(file, text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new BadInput("not-an-object", `${shown(file)}: settings are a JSON object`, { details: { file } });
}

function ownConfig(value, over) {
  return { config: { ...value, ...over }, diagnostics: [], inFile: (path) => path };
}

/** What an agent keeps its permissions in: under `permissions`, or those alone. */
function agentConfig(value, base) {
  const wrapped = Object.hasOwn(value, "permissions");
  const prefix = wrapped ? ["permissions"] : [];
  const { config, diagnostics } = configFromSettings(wrapped ? value.permissions : value, { base });
  const inFile = (path) => [...prefix, ...(path[0] === "layers" ? path.slice(2) : path)];
  return { config, diagnostics, inFile };
}

function readBytes(file) {
  let descriptor;
  try {
    descriptor = file === STANDARD_INPUT ? process.stdin.fd : openSync(file, "r");
    const chunks = [];
    for (let size = 0; size <= MOST_BYTES; ) {
      const chunk = Buffer.allocUnsafe(1 << 16);
      const taken = readSync(descriptor, chunk);
      if (taken === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, taken));
      size += taken;
    }
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    if (descriptor !== undefined && file !== STANDARD_INPUT) closeSync(descriptor);
  }
  throw new BadInput("too-large", `${shown(file)}: settings have at most ${MOST_BYTES >> 20} MiB`, { details: { file } });
}

function decoded(file, bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadInput("not-utf-8", `${shown(file)}: this is not UTF-8 text`, { details: { file } });
  }
}

function parsed(file, text) {
  try {
    return parseJson(text, { comments: true });
  } catch (error) {
    if (error instanceof JsonFault) throw badJson(file, text, error);
    throw error;
  }
}

/** A fault of JSON with its line, column and caret; `firstLine` is the number of the text's first line in the file. */
export function badJson(file, text, fault, firstLine = 1) {
  const lines = new Lines(text);
  const { line: within, column } = lines.place(fault.at);
  const line = within + firstLine - 1;
  const message = `${shown(file)}:${line}:${column}: ${fault.message}`;
  const excerpt = (ink) => {
    const { line: shownLine, carets } = underlined(lines.text(within), { start: column - 1, end: column });
    return [`  ${shownLine}`, `  ${ink.error(carets)}`];
  };
  return new BadInput("bad-json", message, { details: { file, line, column }, excerpt });
}

function placesOf(text, paths) {
  const wanted = new Map(paths.map((path) => [JSON.stringify(path), undefined]));
  const depths = new Set(paths.map(({ length }) => length));
  const see = (at, depth, path) => {
    if (!depths.has(depth)) return;
    const key = JSON.stringify(path());
    if (wanted.has(key)) wanted.set(key, at);
  };
  scan(text, see, { comments: true });
  const lines = new Lines(text);
  return paths.map((path) => {
    const at = wanted.get(JSON.stringify(path));
    return at === undefined ? { path } : { path, ...lines.place(at) };
  });
}
