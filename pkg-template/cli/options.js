// The words after the command's name.
import { parseArgs } from "node:util";
import { MisusedOption } from "./bad_input.js";
import { STANDARD_INPUT } from "./files.js";
import { KINDS } from "./imported.js";
import { shown } from "./terminal.js";

const TEXT = { type: "string", multiple: true };
const FLAG = { type: "boolean", multiple: true };
const SHARED = { dialect: TEXT, from: TEXT, home: TEXT, root: TEXT, json: FLAG, help: { ...FLAG, short: "h" } };
const OF_CALLS = { ...SHARED, mode: TEXT, cwd: TEXT };
const ONE = { ...OF_CALLS, settings: TEXT };

/** The options of each command, and what is made of the words beside them. */
const COMMANDS = {
  check: { options: { ...SHARED, "fail-on": TEXT }, positionals: checked },
  explain: { options: ONE, positionals: explained },
  replay: { options: { ...ONE, examples: TEXT, coverage: FLAG }, positionals: replayed },
  diff: { options: { ...OF_CALLS, calls: TEXT, examples: TEXT }, positionals: compared },
  suggest: { options: { ...ONE, calls: TEXT }, positionals: suggested },
};

/** The severities that `check` may fail on, the strictest bar last. */
export const SEVERITIES = ["error", "warning", "info"];

/** Each option once; what stands beside the options has names too. @throws MisusedOption */
export function readOptions(command, words) {
  const { options, positionals } = COMMANDS[command];
  const { values, positionals: found } = parsed(words, options);
  const read = {};
  for (const [name, list] of Object.entries(values)) {
    if (list.length > 1) throw new MisusedOption("option-twice", `--${name} is there twice`);
    [read[name]] = list;
  }
  if (read.help) return read;
  if (read.from !== undefined) readFrom(read);
  const whole = { ...read, ...positionals(found, read) };
  const files = [whole.settings, whole.before, whole.after, whole.calls, ...(whole.files ?? [])];
  if (files.filter((file) => file === STANDARD_INPUT).length > 1) {
    throw new MisusedOption("standard-input-twice", "standard input (-) can be read once");
  }
  return whole;
}

function readFrom({ from, dialect }) {
  if (!Object.hasOwn(KINDS, from)) throw new MisusedOption("bad-option", `--from takes ${Object.keys(KINDS).join(" or ")}`);
  if (dialect !== undefined) throw new MisusedOption("bad-option", "--from makes rules of the dialect standard: no --dialect beside it");
}

function parsed(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Its first sentence says what is wrong; the rest is about options that the user may not have meant.
    const [said] = shown(error.message).split(/\. |\\n/u);
    throw new MisusedOption("bad-option", said.charAt(0).toLowerCase() + said.slice(1));
  }
}

function checked(files, { "fail-on": failOn = "warning" }) {
  if (files.length === 0) throw new MisusedOption("no-settings", "a settings file is missing: which rules are to be checked?");
  if (!SEVERITIES.includes(failOn)) throw new MisusedOption("bad-option", "--fail-on takes error, warning or info");
  return { files, failOn };
}

/** The settings are the first word, unless there is `--settings`. */
function settingsOf(words, { settings }) {
  if (settings !== undefined) return [settings, words];
  const [first, ...rest] = words;
  if (first === undefined) throw new MisusedOption("no-settings", "SETTINGS is missing: where are the rules?");
  return [first, rest];
}

function explained(words, options) {
  const [settings, rest] = settingsOf(words, options);
  return { settings, ...callOf(rest) };
}

function callOf(words) {
  const [tool, subject, ...more] = words;
  if (tool === undefined) throw new MisusedOption("no-call", "the call is missing: SETTINGS -- TOOL SUBJECT");
  if (more.length > 0) {
    const message = `SUBJECT is one word for your shell, but ${words.length - 1} came: put it in quotes`;
    throw new MisusedOption("too-many-words", message);
  }
  return { tool, subject };
}

function replayed(words, options) {
  const [settings, rest] = settingsOf(words, options);
  if (rest.length !== 1) {
    throw new MisusedOption("no-calls", `one file of calls is needed (- for standard input), ${rest.length} came`);
  }
  return { settings, calls: rest[0], examples: examplesOf(options) };
}

function compared(words, options) {
  if (words.length !== 2) throw new MisusedOption("no-settings", `two settings files are needed, BEFORE and AFTER, ${words.length} came`);
  if (options.calls === undefined) throw new MisusedOption("no-calls", "--calls FILE is missing: which calls are to be compared?");
  return { before: words[0], after: words[1], examples: examplesOf(options) };
}

function suggested(words, options) {
  const [settings, rest] = settingsOf(words, options);
  if (options.calls === undefined) return { settings, ...callOf(rest) };
  if (rest.length > 0) throw new MisusedOption("too-many-words", "there is a call and --calls: one of them");
  return { settings };
}

function examplesOf({ examples = "3" }) {
  if (!/^\d{1,3}$/u.test(examples) || Number(examples) > 100) {
    throw new MisusedOption("bad-option", "--examples takes a number from 0 to 100");
  }
  return Number(examples);
}
