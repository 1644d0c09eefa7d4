// A settings file in the worker: its text, what it says, what is wrong with it and where; and the policy that it makes.
import { Policy } from "toolgate";
import { hiddenIn } from "../hidden.js";
import { Lines } from "./lines.js";
import { configOf } from "./settings_config.js";
import { addRule, editRule, placeOf, readSettingsText, spanInLiteral } from "./settings_text.js";

/** As many notes of one file are shown. */
const MOST_NOTES = 300;
const MOST_HIDDEN = 50;
/** What matters most comes first. */
const SEVERITIES = ["error", "warning", "info"];

export class Settings {
  policy;
  config;
  /** `{ severity, code, message, hint, place }`; places are `Lines.place`. */
  notes = [];
  /** How many there are, also those that are not kept. */
  noteCount = 0;
  /** Whether the text begins like a bare list of rules. */
  isProse = false;
  #text;
  #options;
  #lines;
  #tree;
  #value;
  #inFile = (path) => path;
  #listOf = (behavior) => ["permissions", behavior];

  constructor(text, options) {
    this.#text = text;
    this.#options = options;
    this.#lines = new Lines(text);
    const { value, tree, faults } = readSettingsText(text);
    this.#tree = tree;
    this.isProse = faults.some(({ code }) => code === "not-json");
    for (const fault of faults) this.#note({ severity: "error", ...fault, place: this.#lines.place(fault.start, fault.end) });
    if (value !== undefined) this.#compile(value);
    this.#hidden();
    const rank = ({ severity }) => SEVERITIES.indexOf(severity);
    this.notes.sort((a, b) => rank(a) - rank(b) || (a.place?.start ?? 0) - (b.place?.start ?? 0));
  }

  free() {
    this.policy?.free();
  }

  /** The place of a rule, or of a part of it, by its path in the configuration. */
  placeOf(path, span) {
    const found = this.#tree && placeOf(this.#tree, this.#inFile(path));
    if (found === undefined) return undefined;
    const { start, end, exact } = found;
    const literal = this.#text.slice(start, end);
    if (!exact || !literal.startsWith('"')) return this.#lines.place(start, end);
    const { start: from, end: to } = span === undefined || span.start === span.end ? { start: 1, end: literal.length - 1 } : spanInLiteral(literal, span);
    return this.#lines.place(start + from, start + Math.max(from + 1, to));
  }

  /** Edits that give the rule at a path another text, or take it out. */
  fixed(path, rule) {
    return editRule(this.#text, this.#tree, this.#inFile(path), rule);
  }

  /** Edits that put a rule at the end of a list. */
  added(behavior, rule) {
    return addRule(this.#text, this.#tree, this.#listOf(behavior), rule);
  }

  /** The text of the rule at a path of the configuration; undefined where there is none. */
  ruleAt(path) {
    const found = path.reduce((value, name) => (typeof value === "object" && value !== null && Object.hasOwn(value, name) ? value[name] : undefined), this.config);
    return typeof found === "string" ? found : undefined;
  }

  /** The same file under another dialect: `policy`, or the `diagnostics` of what that dialect does not take. */
  under(dialect) {
    const { config, diagnostics } = configOf(this.#value, { ...this.#options, dialect });
    const errors = [...diagnostics, ...Policy.check(config)].filter(({ severity }) => severity === "error");
    return errors.length > 0 ? { diagnostics: errors } : { policy: new Policy(config) };
  }

  #compile(value) {
    try {
      const { config, diagnostics, inFile, listOf } = configOf(value, this.#options);
      this.#inFile = inFile;
      this.#listOf = listOf;
      this.config = config;
      this.#value = value;
      const all = [...diagnostics, ...Policy.check(config)];
      for (const diagnostic of all) this.#note({ ...diagnostic, place: this.placeOf(diagnostic.path, diagnostic.span) });
      if (!all.some(({ severity }) => severity === "error")) this.policy = new Policy(config);
    } catch (error) {
      this.#note({ severity: "error", code: error.code ?? "failed", message: error.message });
    }
  }

  /** What people would not see in the text; a rule that hides something else than it shows is never harmless. */
  #hidden() {
    for (const { at, length, code, name } of hiddenIn(this.#text, MOST_HIDDEN)) {
      if (at === 0 && code === "U+FEFF") continue;
      const message = `a hidden character: ${name === undefined ? code : `${name}, ${code}`}`;
      this.#note({ severity: "warning", code: "hidden-character", message, place: this.#lines.place(at, at + length) });
    }
  }

  #note({ severity, code, message, hint, place }) {
    this.noteCount += 1;
    if (this.notes.length < MOST_NOTES || severity === "error") this.notes.push({ severity, code, message, hint, place });
    if (this.notes.length > MOST_NOTES) this.notes.splice(this.notes.findIndex((note) => note.severity !== "error"), 1);
  }
}
