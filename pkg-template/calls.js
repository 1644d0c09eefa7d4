// Calls and states as hosts hand them in: taken apart once, and how they cross (src/wire/asking.rs).
import { elements, flag, jsonText, member, object, optionalText, optionalWord, text, unreadable, wellFormed } from "./arguments.js";
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
  let [index, units] = [0, 0];
  for (const call of elements(calls, ["calls"])) {
    const read = readCallAt(call, index++, looksAtArguments);
    for (const text of read) units += text === undefined ? 0 : text.length;
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
 * engines are quick at; the place of the call is added to that of an error where one is thrown. */
function readCall(call, looksAtArguments) {
  object(call, []);
  let [tool, subject, given] = [];
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
  return [tool, subject, ...readArguments(given), json];
}

/** The arguments that rules and risk look at. */
function readArguments(given) {
  let [command, filePath, notebookPath, path, url] = [];
  let place = COMMAND;
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
    argument(command, COMMAND),
    argument(filePath, FILE_PATH),
    argument(notebookPath, NOTEBOOK_PATH),
    argument(path, PATH),
    argument(url, URL_TEXT),
  ];
}

/** One that is no text counts as absent. */
const argument = (value, path) => (typeof value === "string" ? wellFormed(value, path) : undefined);

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

/** Most often it is one call that crosses. */
const one = new Uint32Array(HEAD + MEMBERS);

/** All texts as one, and the numbers that tell them apart. They hold until the next. */
export function parcel(asked, calls, { mode, cwd, planActive, sandbox, grants, realPath }, looksAtArguments) {
  const numbers = calls.length === 1 ? one : new Uint32Array(HEAD + MEMBERS * calls.length);
  let texts = "";
  let at = 0;
  numbers[at++] = asked;
  numbers[at++] = mode ?? ABSENT;
  numbers[at++] = planActive ? 1 : 0;
  numbers[at++] = sandbox ?? ABSENT;
  const add = (text) => {
    numbers[at++] = text === undefined ? ABSENT : text.length;
    if (text !== undefined) texts += text;
  };
  add(cwd);
  add(grants);
  add(realPath);
  for (const call of calls) {
    for (let member = 0; member < ARGUMENTS_TEXT; member++) add(call[member]);
    add(looksAtArguments ? call[ARGUMENTS_TEXT] : undefined);
  }
  return { texts, numbers };
}
