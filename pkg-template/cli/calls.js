// A line of CALLS.jsonl as a call.
import { nameOf } from "./files.js";
import { JsonFault, parseJson } from "./json.js";
import { badLine } from "./lines.js";
import { badJson } from "./settings.js";

const TAKEN = ["tool", "arguments", "subject"];

/** Reads lines for one policy; counts members that mean nothing here. */
export class CallReader {
  #file;
  #shell;
  /** How often a member that is not taken came, by name. */
  ignored = new Map();

  constructor(file, shell) {
    this.#file = file;
    this.#shell = shell;
  }

  /** @throws BadInput */
  read({ number, text }) {
    const value = this.#parsed(number, text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw badLine(this.#file, number, "not-an-object", "a call is a JSON object");
    }
    const has = (name) => Object.hasOwn(value, name);
    if (has("tool")) {
      if (has("command")) {
        throw badLine(this.#file, number, "bad-call", "beside a tool, the command belongs into its arguments: {\"command\": …}");
      }
      this.#note(value, TAKEN);
      return Object.fromEntries(TAKEN.filter(has).map((name) => [name, value[name]]));
    }
    if (!has("command")) throw badLine(this.#file, number, "bad-call", "a call has a tool, or a command for the shell tool");
    if (typeof value.command !== "string") throw badLine(this.#file, number, "bad-call", "a command is a text");
    this.#note(value, ["command"]);
    return { tool: this.#shell, arguments: { command: value.command } };
  }

  #parsed(number, text) {
    try {
      return parseJson(text);
    } catch (error) {
      if (error instanceof JsonFault) throw badJson(nameOf(this.#file), text, error, number);
      throw error;
    }
  }

  #note(value, taken) {
    for (const name of Object.keys(value)) {
      // A file with ever new names must not fill the memory.
      if (!taken.includes(name) && (this.ignored.has(name) || this.ignored.size < 50)) {
        this.ignored.set(name, (this.ignored.get(name) ?? 0) + 1);
      }
    }
  }
}
