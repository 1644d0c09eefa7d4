// What importers of other agents' rules have in common: rules of `standard`, and the report of what was not carried over
// as it stands. They approximate towards stricter only: an allow never accepts more than in the agent that it is of.
import { tryJsonText } from "./arguments.js";
import vocabulary from "./vocabulary.js";

/** A configuration in the making. */
export class Draft {
  diagnostics = [];
  losses = [];
  /** The rules of each list of each source. */
  #layers = new Map();

  /** A rule of a list in a layer of that source; `content` is unescaped, absent for the whole tool. */
  add(source, list, tool, content) {
    if (!this.#layers.has(source)) this.#layers.set(source, {});
    const lists = this.#layers.get(source);
    (lists[list] ??= new Set()).add(content === undefined ? tool : `${tool}(${content.replace(/[\\()]/g, "\\$&")})`);
  }

  error(code, message, place) {
    this.diagnostics.push({ severity: "error", code, message, path: [], ...place });
  }

  /** `effect` says what it does to decisions: `stricter`, `weaker` (a deny or an ask that holds less) or `none`. */
  loss(code, effect, message, place) {
    this.losses.push({ code, effect, message, path: [], ...place });
  }

  /** The result. Where something was not read, no rule allows: a rule that would deny may be among it. */
  finish() {
    const unread = this.diagnostics.length > 0;
    const layers = [];
    for (const source of vocabulary.sources) {
      const { allow, ...others } = this.#layers.get(source) ?? {};
      const lists = unread || allow === undefined ? others : { allow, ...others };
      const named = Object.entries(lists).map(([list, rules]) => [list, [...rules]]);
      if (named.length > 0) layers.push({ source, ...Object.fromEntries(named) });
    }
    const { diagnostics, losses } = this;
    return { config: { dialect: "standard", layers }, diagnostics, losses };
  }
}

/** Units of a content that fits into a rule, whatever of it has to be escaped. */
const CONTENT_UNITS = 2_000;

/** Whether a content makes a rule that is too long. */
export function isTooLong(content) {
  return content.length > CONTENT_UNITS;
}

/** A pattern that accepts at least what `pattern` does, and fits. */
export function shortened(pattern) {
  if (!isTooLong(pattern)) return pattern;
  // A backslash at the end would make a literal of the star.
  return `${pattern.slice(0, CONTENT_UNITS).replace(/\p{Surrogate}$/u, "").replace(/\\+$/, "")}*`;
}

/** The content that accepts every text that starts with `text`: a prefix where it can be one, else a pattern. */
export function startingWith(text) {
  // Two stars: a single one behind a colon would make a literal of all of them.
  return text.includes("*") || isTooLong(text) ? shortened(`${text.replace(/[\\*]/g, "\\$&")}**`) : text;
}

/** Whether a text holds half of a surrogate pair. */
export function isBroken(text) {
  return /\p{Surrogate}/u.test(text);
}

/** An importer's options: those that `takes` knows and accepts. What it refuses is reported, and is as if it was absent. */
export function readOptions(draft, options, takes) {
  if (options === undefined) return {};
  const json = tryJsonText(options);
  const given = json === undefined ? undefined : JSON.parse(json);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    draft.error("not-an-object", "an object is needed", { path: ["options"] });
    return {};
  }
  const taken = {};
  for (const [name, value] of Object.entries(given)) {
    const path = ["options", name];
    if (!Object.hasOwn(takes, name)) draft.error("unknown-option", "no option has this name", { path });
    else if (value !== null && takes[name](value)) taken[name] = value;
    else if (value !== null) draft.error("invalid-option", "the option does not take this value", { path });
  }
  return taken;
}

export const isSource = (value) => vocabulary.sources.includes(value);

/** A directory from the root in its normal form, without anything that would be a sign in a pattern. */
export const isDirectory = (value) =>
  typeof value === "string" && value.length < 1_000 && /^(?:\/(?!\.{1,2}(?:\/|$))[^*?\\\s/]+)+\/?$/.test(value) && !isBroken(value);
