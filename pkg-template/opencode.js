// The `permission` object of `opencode.json` becomes a configuration. There the last entry that matches decides; here the
// strictest of one source, and the source with the higher priority. So entries are spread over sources where a looser one
// overrides a stricter one.
import { tryJsonText } from "./arguments.js";
import { Draft, isBroken, isDirectory, isTooLong, readOptions, shortened } from "./imports.js";
import vocabulary from "./vocabulary.js";

export function fromOpenCodePermission(permission, options) {
  const draft = new Draft();
  const { projectRoot, home } = readOptions(draft, options, { projectRoot: isDirectory, home: isDirectory });
  const entries = entriesOf(permission, draft);
  const rules = new Rules(draft, { root: projectRoot?.replace(/\/$/, ""), home: home?.replace(/\/$/, "") }, entries);
  for (const [name, tool] of Object.entries(TOOLS)) rules.take(name, tool);
  rules.takeOthers();
  const result = draft.finish();
  if (home !== undefined) result.config.home = home;
  return result;
}

/** Actions, from the strictest, and the lists that they are. */
const ACTIONS = ["deny", "ask", "allow"];

/** Sources that entries are spread over, from the lowest priority. Grants of a session stand above all of them. */
const SOURCES = ["config", "userSettings", "projectSettings", "localSettings", "flagSettings", "policySettings", "cliArg"];

/**
 * What each permission is here. `allows` and `holds` are the tools whose rules allow, and deny or ask; `by` says what its
 * patterns are compared with: a command, a path, or something that rules here do not see.
 */
const TOOLS = {
  read: { allows: ["Read"], holds: ["Read"], by: "path" },
  edit: { allows: ["Edit", "Write"], holds: ["Edit", "Write", "NotebookEdit"], blind: ["apply_patch", "patch"], by: "path" },
  list: { allows: ["LS"], holds: ["LS"], by: "path" },
  bash: { allows: ["Bash"], holds: ["Bash"], by: "command" },
  glob: { allows: ["Glob"], holds: ["Glob"] },
  grep: { allows: ["Grep"], holds: ["Grep"] },
  task: { allows: ["Task"], holds: ["Task"] },
  skill: { allows: ["Skill"], holds: ["Skill"] },
  webfetch: { allows: ["WebFetch"], holds: ["WebFetch"] },
  websearch: { allows: ["WebSearch"], holds: ["WebSearch"] },
  todowrite: { allows: ["TodoWrite"], holds: ["TodoWrite"] },
  question: { allows: ["AskUserQuestion"], holds: ["AskUserQuestion"] },
  external_directory: {},
  doom_loop: {},
};

/** Programs whose paths ask by themselves where they lead out of the project, and how such a path may be written behind them. */
const PATH_PROGRAMS = ["cat", "cd", "chmod", "chown", "cp", "mkdir", "mv", "pushd", "rm", "touch"];
const OUTSIDE = ["* /*", "* ~*", "*..*", "*$*"];
/** The same behind a blank. */
const OUTSIDE_AT_ONCE = ["/*", "~*"];

/** Permissions whose tools can reach files outside of the project, which another permission asks about. */
const REACHES_OUT = ["glob", "grep"];

const MESSAGES = {
  "absolute-pattern": "paths outside of the project are another permission's: nothing is allowed",
  "bare-command-asks": "the command without further words is not allowed: a rule for it would accept longer words as well",
  "exact-not-carried": "no rule here accepts one text alone: nothing is allowed",
  "more-is-held": "a rule here holds more than the pattern matches",
  "needs-home": "the home directory is not known: name it in the options",
  "needs-project-root": "the project's directory is not known: name it in the options",
  "no-counterpart": "no rule here is of this kind",
  "order-approximated": "entries override each other more often than there are sources: of the first ones the strictest decides",
  "other-tools-not-held": "no rule here is for every tool: those of other names are left to the host",
  "outside-paths-ask": "programs that work on files ask about every path that may lead out of the project",
  "pattern-not-carried": "a rule here would read the pattern otherwise",
  "pattern-not-compared": "what the pattern is compared with is not seen here: the strictest entry holds for every call",
  "tool-name-not-carried": "a rule that holds names one tool, and one that allows none that is not known here",
};

const isAll = (pattern) => pattern !== "" && pattern.replaceAll("*", "") === "";

/** The entries in their order: `{ key, pattern, action, path }`. */
function entriesOf(permission, draft) {
  if (permission === undefined || permission === null) return [];
  const json = tryJsonText(permission);
  if (json === undefined) return refuse(draft, "not-json", "the value of the permissions cannot be written as JSON", []);
  if (json.length > vocabulary.subjectUnits) return refuse(draft, "input-too-large", "the permissions are too large", []);
  const read = JSON.parse(json);
  const entries = [];
  const add = (key, pattern, action, path) => {
    if (!ACTIONS.includes(action)) refuse(draft, "unknown-action", "an action is allow, ask or deny", path);
    else if (isBroken(key) || isBroken(pattern)) refuse(draft, "lone-surrogate", "half of a surrogate pair stands in the name", []);
    else entries.push({ key, pattern, action, path });
  };
  if (typeof read === "string") add("*", "*", read, []);
  else if (!isObject(read)) refuse(draft, "not-an-object", "permissions are an object or an action", []);
  else {
    for (const [key, value] of Object.entries(read)) {
      if (!isObject(value)) add(key, "*", value, [key]);
      else for (const [pattern, action] of Object.entries(value)) add(key, pattern, action, [key, pattern]);
    }
  }
  return entries;
}

function refuse(draft, code, message, path) {
  draft.error(code, message, { path });
  return [];
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a name, or a text, is one that a pattern of OpenCode matches. */
function matches(name, pattern) {
  // In the manner of two fingers: linear in name times pattern, without a regular expression of the host's.
  let [at, star, back] = [0, -1, 0];
  let in_pattern = 0;
  while (at < name.length) {
    if (pattern[in_pattern] === "?" || (pattern[in_pattern] !== "*" && pattern[in_pattern] === name[at])) {
      at++;
      in_pattern++;
    } else if (pattern[in_pattern] === "*") [star, back, in_pattern] = [in_pattern, at, in_pattern + 1];
    else if (star >= 0) [in_pattern, back, at] = [star + 1, back + 1, back + 1];
    else return false;
  }
  while (pattern[in_pattern] === "*") in_pattern++;
  return in_pattern === pattern.length;
}

class Rules {
  #draft;
  #places;
  #entries;

  constructor(draft, places, entries) {
    this.#draft = draft;
    this.#places = places;
    this.#entries = entries;
  }

  #loss(code, effect, { path }) {
    this.#draft.loss(code, effect, MESSAGES[code], { path });
  }

  /** The entries for a permission; what a later one for everything overrides is left out, it decides nothing. */
  #of(name) {
    const own = this.#entries.filter(({ key }) => matches(name, key));
    return own.slice(Math.max(0, own.findLastIndex(({ pattern }) => isAll(pattern))));
  }

  take(name, { allows, holds, blind = [], by }) {
    const entries = this.#of(name);
    if (entries.length === 0) return;
    if (holds === undefined) return this.#withoutRule("no-counterpart", entries);
    const [{ action, pattern }] = entries;
    const whole = entries.length === 1 && isAll(pattern) && (by === "command" || action !== "allow");
    if (by === undefined || whole) this.#strictest(entries, allows, holds, REACHES_OUT.includes(name));
    else this.#spread(entries, by, allows, holds);
    if (blind.length > 0) this.#strictest(entries, [], blind);
    if (whole && action === "allow") for (const guard of this.#guards(entries[0])) this.#draft.add(SOURCES[0], "ask", "Bash", guard);
  }

  /** Names of tools that are none of ours: a rule of that very name, where it has no star, and none that allows. */
  takeOthers() {
    const names = new Set();
    for (const entry of this.#entries) {
      const { key, action } = entry;
      if (Object.hasOwn(TOOLS, key)) continue;
      if (key === "*") this.#withoutRule("other-tools-not-held", [entry]);
      else if (action === "allow" || !/^[A-Za-z0-9_.-]+$/.test(key)) this.#withoutRule("tool-name-not-carried", [entry]);
      else names.add(key);
    }
    for (const name of names) this.#strictest(this.#of(name), [], [name]);
  }

  #withoutRule(code, entries) {
    for (const entry of entries) this.#loss(code, entry.action === "allow" ? "stricter" : "weaker", entry);
  }

  /** One rule for the whole tool: what the strictest entry says. */
  #strictest(entries, allows, holds, reachesOut = false) {
    const action = ACTIONS.find((action) => entries.some((entry) => entry.action === action));
    for (const entry of entries) if (!isAll(entry.pattern)) this.#loss("pattern-not-compared", "stricter", entry);
    if (action !== "allow") {
      for (const tool of holds) this.#draft.add(SOURCES[0], action, tool);
    } else if (isAll(entries[0].pattern)) {
      const content = reachesOut ? this.#inside(entries[0], "*") : undefined;
      if (!reachesOut || content !== undefined) for (const tool of allows) this.#draft.add(SOURCES[0], action, tool, content);
    }
  }

  /** A pattern below the project's directory, where that is known. */
  #inside(entry, pattern) {
    const { root } = this.#places;
    if (root === undefined) return void this.#loss("needs-project-root", "stricter", entry);
    return `${root}/${pattern}`;
  }

  /** Entries over sources, so that the last one that matches decides. */
  #spread(entries, by, allows, holds) {
    const groups = [];
    let loosest = Infinity;
    for (const entry of entries.toReversed()) {
      const looseness = ACTIONS.indexOf(entry.action);
      if (groups.length === 0 || looseness < loosest) groups.push([]);
      loosest = looseness;
      groups.at(-1).push(entry);
    }
    const highest = Math.min(groups.length, SOURCES.length) - 1;
    groups.forEach((group, nth) => {
      const source = SOURCES[Math.max(0, highest - nth)];
      const add = (list, tools, patterns) => patterns.forEach((pattern) => tools.forEach((tool) => this.#draft.add(source, list, tool, pattern)));
      for (const entry of group) {
        if (nth >= SOURCES.length) this.#loss("order-approximated", "stricter", entry);
        const { action } = entry;
        if (action === "allow") {
          const guards = by === "command" ? this.#guards(entry) : [];
          if (guards === undefined) continue;
          add("ask", holds, guards);
          add("allow", allows, this.#within(entry, by, true));
        } else {
          const [list, patterns] = this.#held(entry, by, entries.slice(0, entries.indexOf(entry)));
          add(list, holds, patterns);
        }
      }
    });
  }

  /** What stands for the home directory in the beginning, taken out: `[start, rest]`, the start undefined where it is not known. */
  #fromHome({ pattern }) {
    const rest = pattern.startsWith("$HOME") ? pattern.slice(5) : /^~(?:\/|$)/.test(pattern) ? pattern.slice(1) : undefined;
    return rest === undefined ? ["", pattern] : [this.#places.home, rest];
  }

  /** The contents that accept no more than an entry does; what of it they leave out is told where it `allows`. */
  #within(entry, by, allows) {
    const [start, rest] = this.#fromHome(entry);
    const pattern = start + rest;
    const tell = (code) => allows && this.#loss(code, "stricter", entry);
    const refused = (code) => (tell(code), []);
    if (start === undefined) return refused("needs-home");
    if (/[?\\]/.test(pattern) || isTooLong(pattern)) return refused("pattern-not-carried");
    if (by === "command" && isAll(pattern)) return ["**"];
    if (by === "path" && pattern.startsWith("/")) return refused("absolute-pattern");
    if (!pattern.includes("*")) return refused("exact-not-carried");
    if (pattern.endsWith(" *")) tell("bare-command-asks");
    if (by === "command") return [closed(pattern)];
    const inside = allows || this.#places.root !== undefined ? this.#inside(entry, closed(pattern)) : undefined;
    return inside === undefined ? [] : [inside];
  }

  /** The list and the contents of an entry that denies or asks; `lower` are those that it overrides. */
  #held(entry, by, lower) {
    const { action } = entry;
    if (isAll(entry.pattern)) return [action, ["**"]];
    const around = this.#around(entry, by);
    // A question that is wider than it was would stand in the place of a denial.
    if (action === "deny" || !around.some((pattern) => mayBeDenied(pattern, lower))) return [action, around];
    // What a narrower one leaves out has to be asked or denied by the others.
    const others = isAll(lower[0].pattern) && lower.every(({ action }) => action !== "allow");
    return others ? [action, this.#within(entry, by, false)] : ["deny", around];
  }

  /** The contents that accept at least what an entry does. */
  #around(entry, by) {
    const [start, rest] = this.#fromHome(entry);
    if (start === undefined) this.#loss("needs-home", "weaker", entry);
    if (entry.pattern.includes("\\") || entry.pattern.trim() === "") this.#loss("pattern-not-carried", "weaker", entry);
    this.#loss("more-is-held", "stricter", entry);
    // A star behind a blank stands for nothing, too.
    const open = `${start ?? "~"}${rest}`.replace(/\?/g, "*").replace(/ \*$/, "*");
    if (open.trim() === "") return [];
    if (isAll(open.trim())) return ["**"];
    const patterns = [open];
    // A path may be written from the root, wherever the project is.
    if (by === "path" && !/^[/~]/.test(open)) patterns.push(`*/${open}`);
    return patterns.map((pattern) => shortened(closed(pattern)));
  }

  /**
   * Contents that ask about paths outside of the project, of programs that work on files: none that an allowing entry does
   * not accept. Undefined where they cannot be told from the others: then it allows nothing.
   */
  #guards(entry) {
    const outside = this.#of("external_directory");
    if (outside.length === 1 && isAll(outside[0].pattern) && outside[0].action === "allow") return [];
    const { pattern } = entry;
    const [program] = pattern.split(" ");
    if (!program.includes("*") && !PATH_PROGRAMS.includes(program)) return [];
    this.#loss("outside-paths-ask", "stricter", entry);
    if (isAll(pattern)) return PATH_PROGRAMS.flatMap((name) => OUTSIDE.map((path) => name + path));
    const start = pattern.replace(/\*+$/, "");
    if (start === pattern || isTooLong(start)) return undefined;
    return [...OUTSIDE, ...(start.endsWith(" ") ? OUTSIDE_AT_ONCE : [])].map((path) => start + path);
  }
}

/** Whether entries may deny something that begins as a pattern does. */
function mayBeDenied(pattern, entries) {
  const [head] = pattern.split("*");
  for (const { action, pattern } of entries.toReversed()) {
    if (action === "deny") return true;
    const [start, ...rest] = pattern.split("*");
    const decidesAll = rest.length > 0 && rest.every((piece) => piece === "") && head.startsWith(start);
    if (decidesAll && !/[?\\]|^(?:~|\$HOME)/.test(start)) return false;
  }
  return false;
}

/** One star makes a pattern of a content; with a colon before it at the end it would be a literal. */
function closed(pattern) {
  return pattern.includes("*") ? pattern.replace(/:\*$/, ":**") : pattern;
}
