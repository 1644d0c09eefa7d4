// A configuration as texts that can be edited, and back.
//
// Everything works on a snapshot that went through JSON once, so that no getter or proxy of a host is met a second time. What cannot
// be shown as one rule a line is left as it is: nothing that came in gets lost by editing something else.
import { BREAK } from "./unseen.js";
import { BEHAVIORS } from "./words.js";

export const ALL_LISTS = [...BEHAVIORS, "bypassImmune"];

/** A rule a line. */
function documentOf(rules) {
  return rules.map((rule) => rule.replaceAll("\n", BREAK)).join("\n");
}

/** The text of a rule as an editor has it. */
export function lineOf(rule) {
  return rule.replaceAll("\n", BREAK);
}

/** The rules of a document with the line of each; blank lines are none. */
export function rulesOf(document) {
  return document.split("\n").flatMap((text, line) => (text.trim() === "" ? [] : [{ text: text.replaceAll(BREAK, "\n"), line }]));
}

/** A configuration that is being edited. */
export class Draft {
  /** `{ path, source?, lists }`: `rules`, then each layer. */
  groups;
  #given;

  constructor(given) {
    this.#given = given;
    const root = isObject(given) ? given : {};
    const layers = Array.isArray(root.layers) ? root.layers : [];
    this.groups = layers.flatMap((layer, index) => (isObject(layer) ? [new Group(["layers", index], layer)] : []));
    const own = root.rules === undefined ? {} : root.rules;
    // Rules of its own come first where there are any, and where there is nothing else to edit.
    if (isObject(own) && (root.rules !== undefined || this.groups.length === 0)) this.groups.unshift(new Group(["rules"], own));
  }

  get given() {
    return this.#given;
  }

  /** The configuration as it is written now. */
  get config() {
    if (!this.groups.some((group) => group.isEdited)) return this.#given;
    // What is no configuration has nothing that could be kept.
    const config = isObject(this.#given) ? { ...this.#given } : {};
    for (const group of this.groups.filter(({ isEdited }) => isEdited)) {
      const [first, index] = group.path;
      if (index === undefined) config.rules = group.lists;
      else config.layers = config.layers.map((layer, at) => (at === index ? group.lists : layer));
    }
    return config;
  }

  /** `{ group, list, line }` of a path into the configuration; undefined where it leads to no rule. */
  placeOf([first, ...path]) {
    const [list, index] = path.slice(-2);
    const depth = first === "rules" ? 2 : 3;
    const group = this.groups.find((each) => each.path[0] === first && (first === "rules" || each.path[1] === path[0]));
    if (group === undefined || path.length + 1 < depth || !ALL_LISTS.includes(list)) return undefined;
    const line = group.texts.get(list)?.lineOf(index);
    return line === undefined ? undefined : { group, list, line };
  }
}

/** The lists of `rules` or of a layer. */
class Group {
  texts = new Map();
  #given;

  constructor(path, given) {
    this.path = path;
    this.#given = given;
    if (path[0] === "layers") this.source = String(given.source ?? `layer ${path[1] + 1}`);
    for (const list of ALL_LISTS) {
      const text = ListText.of(Object.hasOwn(given, list) ? given[list] : []);
      if (text !== undefined) this.texts.set(list, text);
    }
  }

  get key() {
    return this.path.join("/");
  }

  get isEdited() {
    return [...this.texts.values()].some((text) => text.isEdited);
  }

  /** The group as it is written now. */
  get lists() {
    const lists = { ...this.#given };
    for (const [list, text] of this.texts) if (text.isEdited) lists[list] = text.rules;
    return lists;
  }
}

/** A list of rules as a text. */
class ListText {
  #given;
  #initial;
  #document;
  #read;

  /** Undefined for what is no list of texts. */
  static of(given) {
    const fits = Array.isArray(given) && given.every((rule) => typeof rule === "string" && !rule.includes(BREAK));
    return fits ? new ListText(given) : undefined;
  }

  constructor(given) {
    this.#given = given;
    this.#initial = documentOf(given);
    this.document = this.#initial;
  }

  get document() {
    return this.#document;
  }

  set document(document) {
    this.#document = document;
    this.#read = undefined;
  }

  get isEdited() {
    return this.#document !== this.#initial;
  }

  get rules() {
    return this.isEdited ? this.#rules().map(({ text }) => text) : this.#given;
  }

  lineOf(index) {
    // As it was given, also a blank rule has a line.
    return this.isEdited ? this.#rules()[index]?.line : index < this.#given.length ? index : undefined;
  }

  #rules() {
    return (this.#read ??= rulesOf(this.#document));
  }
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
