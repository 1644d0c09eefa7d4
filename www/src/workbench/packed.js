// The workbench's state as text: packed into a link, or in the open as a file.
import { DIALECTS, PERMISSION_MODES } from "toolgate";
import { EXAMPLE, FIELDS, VIEWS } from "./example.js";

const FORMAT = "deflate-raw";
/** What a link may unpack to: a few bytes can be made to mean gigabytes. */
const MOST_BYTES = 4 << 20;
const FILE_KIND = "workbench";
const FILE_START = /^\s*\{\s*"toolgate"\s*:\s*"workbench"/;

/** What is tried to be packed: more never becomes a link, and packing it takes long. */
const MOST_UNITS = 300_000;

/** Empty where the state is what the page starts with anyway; undefined where it is too much for any link. */
export async function pack(state) {
  if (state.settings.length + state.other.length + state.calls.length > MOST_UNITS) return undefined;
  const changed = FIELDS.filter((name) => JSON.stringify(state[name]) !== JSON.stringify(EXAMPLE[name]));
  if (changed.length === 0) return "";
  const json = JSON.stringify(Object.fromEntries(changed.map((name) => [name, state[name]])));
  const bytes = await bytesOf(new Blob([json]).stream().pipeThrough(new CompressionStream(FORMAT)), Number.POSITIVE_INFINITY);
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined where it is no such text. */
export async function unpack(packed) {
  if (packed === "") return { ...EXAMPLE };
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    const json = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(FORMAT)), MOST_BYTES);
    return known(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json)));
  } catch {
    return undefined;
  }
}

/** The state as a file that the page can open again. */
export function fileOf(state) {
  return JSON.stringify({ toolgate: FILE_KIND, version: 1, ...Object.fromEntries(FIELDS.map((name) => [name, state[name]])) }, undefined, 1);
}

/** Undefined where the text is no such file. */
export function stateOfFile(text) {
  if (!FILE_START.test(text.slice(0, 200))) return undefined;
  try {
    return known(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Only what the page knows; a word that it does not know becomes the example's. */
function known(given) {
  const word = (name, words) => (words.includes(given[name]) ? given[name] : EXAMPLE[name]);
  const texts = ["settings", "other", "calls", "cwd", "project", "home", "text"];
  return {
    ...Object.fromEntries(texts.map((name) => [name, typeof given[name] === "string" ? given[name] : EXAMPLE[name]])),
    dialect: word("dialect", ["", ...DIALECTS]),
    mode: word("mode", ["", ...PERMISSION_MODES]),
    view: word("view", VIEWS),
    kinds: Array.isArray(given.kinds) ? given.kinds.filter((kind) => typeof kind === "string") : EXAMPLE.kinds,
  };
}

async function bytesOf(stream, most) {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("it unpacks to more than is read");
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function base64(bytes) {
  let binary = "";
  for (let from = 0; from < bytes.length; from += 8192) binary += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return btoa(binary);
}
