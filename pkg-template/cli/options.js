// The words after the command's name.
import { parseArgs } from "node:util";
import { MisusedOption } from "./bad_input.js";
import { shown } from "./terminal.js";

const TEXT = { type: "string", multiple: true };
const FLAG = { type: "boolean", multiple: true };
const SHARED = { settings: TEXT, dialect: TEXT, mode: TEXT, cwd: TEXT, json: FLAG, help: { ...FLAG, short: "h" } };

const COMMANDS = {
  explain: { options: SHARED, positionals: explained },
  replay: { options: { ...SHARED, examples: TEXT }, positionals: replayed },
};

/** Each option once; `words` are what stands beside the options. */
export function readOptions(command, words) {
  const { options, positionals } = COMMANDS[command];
  const { values, positionals: found } = parsed(words, options);
  const read = {};
  for (const [name, list] of Object.entries(values)) {
    if (list.length > 1) throw new MisusedOption("option-twice", `--${name} is there twice`);
    [read[name]] = list;
  }
  if (read.help) return read;
  if (read.settings === undefined) throw new MisusedOption("no-settings", "--settings FILE is missing: where are the rules?");
  return { ...read, ...positionals(found, read) };
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

function explained(words) {
  const [tool, subject, ...more] = words;
  if (tool === undefined) throw new MisusedOption("no-call", "the call is missing: -- TOOL SUBJECT");
  if (more.length > 0) {
    const message = `SUBJECT is one word for your shell, but ${words.length - 1} came: put it in quotes`;
    throw new MisusedOption("too-many-words", message);
  }
  return { tool, subject };
}

function replayed(words, { examples = "3" }) {
  if (words.length !== 1) {
    throw new MisusedOption("no-calls", `one file of calls is needed (- for standard input), ${words.length} came`);
  }
  if (!/^\d{1,3}$/u.test(examples) || Number(examples) > 100) {
    throw new MisusedOption("bad-option", "--examples takes a number from 0 to 100");
  }
  return { calls: words[0], examples: Number(examples) };
}
