// Calls and states as hosts hand them in: taken apart once, and how they cross (src/wire/asking.rs).
import { flag, jsonText, listLength, member, object, optionalText, optionalWord, text, unreadable, wellFormed } from "./arguments.js";
import { memory, memoryBytes } from "./instance.js";
import vocabulary from "./vocabulary.js";

const { modes, sandboxes } = vocabulary;

/** What the core is asked of calls. */
export const DECISION = 0;
export const EXPLANATION = 1;
export const SUGGESTIONS = 2;
export const MEETINGS = 3;

/** Calls in one crossing, and UTF-16 units of their texts: enough to be worth it, few enough to stay small. */
const BATCH = 512;
const BATCH_UNITS = 1 << 24;

/** Calls as they are read, in batches, each with the calls that were given. */
export function* batches(calls, looksAtArguments) {
  let [batch, given] = [[], []];
  let units = 0;
  const length = listLength(calls, CALLS);
  for (let index = 0; index < length; index++) {
    const call = member(calls, index, CALLS);
    const read = readCallAt(call, index, looksAtArguments);
    for (let at = 0; at < read.length; at++) units += read[at] === undefined ? 0 : read[at].length;
    batch.push(read);
    given.push(call);
    if (batch.length === BATCH || units > BATCH_UNITS) {
      yield { batch, given };
      [batch, given] = [[], []];
      units = 0;
    }
  }
  if (batch.length > 0) yield { batch, given };
}

/** Reads a call: the one, or that of an index. */
export function readCallAt(call, index, looksAtArguments) {
  try {
    return readCall(call, looksAtArguments);
  } catch (error) {
    if (error.path) error.path = [...(index === undefined ? ["call"] : ["calls", index]), ...error.path];
    throw error;
  }
}

/** What a call is decided by, in the order in which it crosses. Each member is read once, by its name as such, which is what
 * engines are quick at, and declared as such, since a pattern of a list goes through an iterator; the place of the call is added to that of
 * an error where one is thrown. */
function readCall(call, looksAtArguments) {
  object(call, []);
  let tool;
  let subject;
  let given;
  let place = TOOL;
  try {
    tool = call.tool;
    place = SUBJECT;
    subject = call.subject;
    place = INSIDE;
    given = call.arguments;
  } catch {
    throw unreadable(place);
  }
  text(tool, TOOL);
  subject = optionalText(subject, SUBJECT);
  given = object(given ?? {}, INSIDE);
  let json;
  if (looksAtArguments) {
    json = jsonText(given, INSIDE);
    // What was read once is not read again: a getter could answer otherwise.
    given = JSON.parse(json);
  }
  let command;
  let filePath;
  let notebookPath;
  let path;
  let url;
  place = COMMAND;
  try {
    command = given.command;
    place = FILE_PATH;
    filePath = given.file_path;
    place = NOTEBOOK_PATH;
    notebookPath = given.notebook_path;
    place = PATH;
    path = given.path;
    place = URL_TEXT;
    url = given.url;
  } catch {
    throw unreadable(place);
  }
  return [
    tool,
    subject,
    argument(command, COMMAND),
    argument(filePath, FILE_PATH),
    argument(notebookPath, NOTEBOOK_PATH),
    argument(path, PATH),
    argument(url, URL_TEXT),
    json,
  ];
}

/** One that is no text counts as absent. */
const argument = (value, path) => (typeof value === "string" ? wellFormed(value, path) : undefined);

const CALLS = ["calls"];
const TOOL = ["tool"];
const SUBJECT = ["subject"];
const INSIDE = ["arguments"];
const [COMMAND, FILE_PATH, NOTEBOOK_PATH, PATH, URL_TEXT] = ["command", "file_path", "notebook_path", "path", "url"].map((name) => [...INSIDE, name]);

/** What a call's state says. */
export function readState(state) {
  if (state === undefined) return NO_STATE;
  const path = ["state"];
  object(state, path);
  const read = (name) => member(state, name, path);
  const at = (name) => [...path, name];
  const grants = read("grants") ?? undefined;
  return {
    mode: optionalWord(read("mode"), modes, "unknown-mode", at("mode")),
    cwd: optionalText(read("cwd"), at("cwd")),
    planActive: flag(read("planActive"), at("planActive")),
    sandbox: optionalWord(read("sandbox"), sandboxes, "unknown-sandbox", at("sandbox")),
    grants: grants === undefined ? undefined : jsonText(grants, at("grants")),
    realPath: optionalText(read("realPath"), at("realPath")),
  };
}

const NO_STATE = Object.freeze({ planActive: false });

const ABSENT = 0xffffffff;
const HEAD = 7;
const MEMBERS = 8;
const ARGUMENTS_TEXT = MEMBERS - 1;

const encoder = new TextEncoder();

/** Writes what is asked into the core's memory: numbers, and the texts that they tell apart. Gives how many there are of each.
 * No host code runs meanwhile. */
export function send(core, asked, calls, { mode, cwd, planActive, sandbox, grants, realPath }, looksAtArguments) {
  const inbox = new Inbox(core, HEAD + MEMBERS * calls.length);
  inbox.number(asked);
  inbox.number(mode ?? ABSENT);
  inbox.number(planActive ? 1 : 0);
  inbox.number(sandbox ?? ABSENT);
  inbox.text(cwd);
  inbox.text(grants);
  inbox.text(realPath);
  for (const call of calls) {
    for (let member = 0; member < ARGUMENTS_TEXT; member++) inbox.text(call[member]);
    inbox.text(looksAtArguments ? call[ARGUMENTS_TEXT] : undefined);
  }
  return inbox;
}

/** Where the core takes from (src/wasm/mod.rs). */
class Inbox {
  constructor(core, length) {
    this.core = core;
    this.length = length;
    this.written = 0;
    this.at = this.open(0);
  }

  /** Makes place for so many bytes; gives where the numbers begin. */
  open(bytes) {
    const head = this.core.inbox(this.length, bytes) >>> 2;
    this.numbers = memory();
    this.bytes = memoryBytes();
    this.place = this.numbers[head];
    this.room = this.numbers[head + 1];
    return head + 2;
  }

  number(number) {
    this.numbers[this.at++] = number;
  }

  /** A text, or none. */
  text(text) {
    if (text === undefined) return this.number(ABSENT);
    // A unit is three bytes at most.
    const most = this.written + 3 * text.length;
    if (this.room < most) this.open(most);
    const bytes = write(text, this.bytes, this.place + this.written);
    this.written += bytes;
    return this.number(bytes);
  }
}

/** Writes a text as UTF-8, and says how many bytes it takes. */
function write(text, bytes, place) {
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return at + encoder.encodeInto(text.slice(at), bytes.subarray(place + at)).written;
    bytes[place + at] = unit;
  }
  return length;
}
