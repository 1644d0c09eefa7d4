// Codex's `.rules` files become a configuration: prefix rules of words, the strictest of those that match.
import { Draft, isBroken, isSource, isTooLong, readOptions, startingWith } from "./imports.js";
import { Fault, NONE, statements } from "./starlark.js";
import vocabulary from "./vocabulary.js";

export function fromCodexRules(text, options) {
  const draft = new Draft();
  const { source = "config" } = readOptions(draft, options, { source: isSource });
  if (typeof text !== "string") draft.error("not-a-string", "a text is needed");
  else if (text.length > vocabulary.subjectUnits) draft.error("input-too-large", "the text is too large");
  else if (isBroken(text)) draft.error("lone-surrogate", "half of a surrogate pair stands in the text");
  else new Rules(draft, source).read(text);
  return draft.finish();
}

/** Texts of commands that no rule of Codex matches: what they run or write is not in their words. */
const SYNTAX = ["*$*", "*`*", "*<*", "*>*"];

/** Decisions, and the lists that they are. */
const DECISIONS = { allow: "allow", prompt: "ask", forbidden: "deny" };

/** Rules that the alternatives of one may make. */
const COMBINATIONS = 1_000;

/** A word that is written as it is, without quotes. */
const PLAIN = /^[\w@%+=:,./~-]+$/;

/** A word that would be an assignment, or an option, where a program's name stands. */
const NO_NAME = /^(?:[A-Za-z_]\w*\+?=|-)/;

const MESSAGES = {
  "unsupported-syntax": "only calls of functions with plain values are read",
  "invalid-arguments": "the arguments of the call are not those of its function",
  "too-deep": "values are nested too deep",
};

/** The arguments of each function, in order. */
const FUNCTIONS = {
  prefix_rule: ["pattern", "decision", "match", "not_match", "justification"],
  network_rule: ["host", "protocol", "decision", "justification"],
  host_executable: ["name", "paths"],
};

const isText = (value) => typeof value === "string";
const isWords = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

class Rules {
  #draft;
  #source;
  #allows = false;
  #left = 20_000;

  constructor(draft, source) {
    this.#draft = draft;
    this.#source = source;
  }

  read(text) {
    for (const statement of statements(text)) {
      const { span } = statement;
      if (statement instanceof Fault) this.#refuse(statement.code, span);
      else this.#call(statement, { span });
    }
    if (!this.#allows) return;
    for (const pattern of SYNTAX) this.#draft.add(this.#source, "ask", "Bash", pattern);
    this.#draft.loss("shell-syntax-asks", "stricter", "no rule of Codex matches a command with a substitution, variable or redirect: each such command asks");
  }

  #refuse(code, span) {
    this.#draft.error(code, MESSAGES[code], { span });
  }

  #call({ call, positional, named }, place) {
    const names = Object.hasOwn(FUNCTIONS, call) ? FUNCTIONS[call] : undefined;
    if (names === undefined) return this.#refuse("unsupported-syntax", place.span);
    const given = new Map(named);
    for (const [at, value] of positional.entries()) {
      if (at >= names.length || given.has(names[at])) return this.#refuse("invalid-arguments", place.span);
      given.set(names[at], value);
    }
    if ([...given.keys()].some((name) => !names.includes(name))) return this.#refuse("invalid-arguments", place.span);
    for (const [name, value] of given) if (value === NONE) given.delete(name);
    const justification = given.get("justification");
    if (justification !== undefined) {
      if (!isText(justification) || justification.trim() === "") return this.#refuse("invalid-arguments", place.span);
      this.#draft.loss("justification-dropped", "none", "a rule has no place for a justification", place);
    }
    if (call === "prefix_rule") this.#prefixRule(given, place);
    else if (call === "network_rule") this.#networkRule(given, place);
    else this.#draft.loss("host-executable-dropped", "stricter", "a rule that allows a program's name allows no path of it", place);
  }

  #prefixRule(given, place) {
    const pattern = given.get("pattern");
    const alternatives = (word) => (isText(word) ? [word] : word);
    if (!Array.isArray(pattern) || pattern.length === 0 || !pattern.map(alternatives).every(isWords)) {
      return this.#refuse("invalid-arguments", place.span);
    }
    const list = this.#decision(given.get("decision") ?? "allow", place);
    if (list === undefined) return;
    const words = pattern.map(alternatives);
    if (!this.#examplesHold(given, words, place)) return;
    if (list === "allow") this.#allow(words, place);
    else this.#hold(list, words, place);
  }

  #decision(decision, place) {
    const known = isText(decision) && Object.hasOwn(DECISIONS, decision);
    if (!known) this.#draft.error("unknown-decision", "a decision is allow, prompt or forbidden", place);
    return known ? DECISIONS[decision] : undefined;
  }

  /** Codex takes no file whose examples say otherwise than its rules. */
  #examplesHold(given, words, place) {
    for (const [name, wanted] of [
      ["match", true],
      ["not_match", false],
    ]) {
      const examples = given.get(name) ?? [];
      const split = Array.isArray(examples) ? examples.map((example) => (isText(example) ? shellWords(example) : example)) : [undefined];
      if (!split.every(isWords)) {
        this.#refuse("invalid-arguments", place.span);
        return false;
      }
      if (split.some((example) => matches(words, example) !== wanted)) {
        this.#draft.error("example-differs", "an example says otherwise than its rule", place);
        return false;
      }
    }
    return true;
  }

  #allow(words, place) {
    const all = combined(words, Math.min(COMBINATIONS, this.#left));
    if (all === undefined) {
      return this.#draft.loss("alternatives-cut", "stricter", "the alternatives make too many rules: none of them is taken", place);
    }
    const kept = all.filter((prefix) => prefix.every((word) => PLAIN.test(word)) && !NO_NAME.test(prefix[0]) && !isTooLong(prefix.join(" ")));
    if (kept.length < all.length) {
      this.#draft.loss("word-not-plain", "stricter", "a word that has to be quoted, or is too long, has no rule that allows it", place);
    }
    if (kept.length === 0) return;
    this.#allows = true;
    this.#left -= kept.length;
    for (const prefix of kept) this.#draft.add(this.#source, "allow", "Bash", `${prefix.join(" ")} `);
    this.#draft.loss("bare-command-asks", "stricter", "the command without further words is not allowed: a rule for it would accept longer words as well", place);
  }

  #hold(list, words, place) {
    // A shorter prefix holds more.
    let taken = words;
    while (combined(taken, Math.min(COMBINATIONS, this.#left)) === undefined && taken.length > 1) taken = taken.slice(0, -1);
    const all = combined(taken, this.#left);
    if (all === undefined) return this.#draft.error("too-many-rules", "a configuration has at most 20000 rules", place);
    if (taken.length < words.length) {
      this.#draft.loss("alternatives-cut", "stricter", "the alternatives make too many rules: those for fewer words hold", place);
    }
    const named = all.filter(([name]) => name.trim() !== "");
    if (named.length < all.length) this.#draft.loss("empty-word", "weaker", "a program without a name has no rule", place);
    this.#left -= named.length;
    for (const prefix of named) this.#draft.add(this.#source, list, "Bash", startingWith(prefix.join(" ")));
    if (named.length > 0) {
      this.#draft.loss("more-is-held", "stricter", "a command whose last word is longer is held as well", place);
    }
  }

  #networkRule(given, place) {
    const [host, protocol, decision] = ["host", "protocol", "decision"].map((name) => given.get(name));
    if (![host, protocol, decision].every(isText)) return this.#refuse("invalid-arguments", place.span);
    const list = this.#decision(decision === "deny" ? "forbidden" : decision, place);
    if (list === undefined) return;
    const name = host.trim().replace(/\.+$/, "").toLowerCase();
    if (list === "allow" || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(name)) {
      const effect = list === "allow" ? "stricter" : "weaker";
      return this.#draft.loss("network-rule-dropped", effect, "what commands reach on the network has no rule", place);
    }
    this.#draft.add(this.#source, list, "WebFetch", `domain:${name}`);
    this.#draft.loss("network-rule-narrowed", "weaker", "the host is held for fetches, not for what commands reach", place);
  }
}

/** Every combination of alternatives, or undefined where they are more than `most`. */
function combined(words, most) {
  let all = [[]];
  for (const alternatives of words) {
    if (all.length * alternatives.length > most) return undefined;
    all = all.flatMap((prefix) => alternatives.map((word) => [...prefix, word]));
  }
  return all.length > most ? undefined : all;
}

/** Whether a command begins with the words; a program may be named by its path. */
function matches(words, command) {
  const [name, ...rest] = command;
  const names = name.startsWith("/") ? [name, name.slice(name.lastIndexOf("/") + 1)] : [name];
  const fits = (tokens) => words.length <= tokens.length && words.every((alternatives, at) => alternatives.includes(tokens[at]));
  return names.some((own) => fits([own, ...rest]));
}

/** The words of an example, or undefined where it cannot be split. */
function shellWords(line) {
  const words = [];
  const token = /\s+|#.*|((?:[^\s\\'"]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")+)/y;
  while (token.lastIndex < line.length) {
    const found = token.exec(line);
    if (found === null) return undefined;
    if (found[1] === undefined) continue;
    const parts = found[1].match(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|[^\\'"]+/g);
    words.push(parts.map(unquoted).join(""));
  }
  return words;
}

function unquoted(part) {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\([$`"\\\n])/g, (_, c) => (c === "\n" ? "" : c));
  return part.startsWith("\\") ? part.slice(1).replace("\n", "") : part;
}
