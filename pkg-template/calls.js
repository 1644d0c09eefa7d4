// Calls and what holds for them, as the core takes them: each member is read once, in the order of the core's parameters.
import { elements, flag, jsonText, member, object, optionalText, optionalWord, text, wellFormed } from "./arguments.js";
import vocabulary from "./vocabulary.js";

const { modes, sandboxes } = vocabulary;

/** One by one: spreading two lists takes longer than deciding a call that no rule answers for. */
export function decideBy(handle, asked, call, state) {
  const [tool, subject, command, filePath, notebookPath, path, url, json] = call;
  const [mode, cwd, planActive, sandbox, grants, realPath] = state;
  return handle.decide(asked, tool, subject, command, filePath, notebookPath, path, url, json, mode, cwd, planActive, sandbox, grants, realPath);
}

/** What `decide` of the core is asked for. */
export const DECISION = 0;
export const EXPLANATION = 1;
export const SUGGESTIONS = 2;
export const MEETINGS = 3;

/** Calls in one crossing: enough to be worth it, few enough to stay small. */
const BATCH = 512;

/** What ends a member in a batch, and what stands for an absent one. */
const MEMBER_END = "\u0000";
const ABSENT = "\u0001";
const MARKS = /[\u0000\u0001]/;

/** Calls as they are read, in batches, each with the calls that were given. */
export function* batches(calls, looksAtArguments) {
  let [batch, given] = [[], []];
  let index = 0;
  for (const call of elements(calls, ["calls"])) {
    batch.push(readCallAt(call, index++, looksAtArguments));
    given.push(call);
    if (batch.length === BATCH) {
      yield { batch, given };
      [batch, given] = [[], []];
    }
  }
  if (batch.length > 0) yield { batch, given };
}

/** The calls of a batch as one text, or undefined where a text has one of the marks in it. */
export function joined(batch, looksAtArguments) {
  let text = "";
  for (const call of batch) {
    for (let at = 0; at < call.length; at++) {
      // The last member is all arguments.
      const member = looksAtArguments || at < call.length - 1 ? call[at] : undefined;
      if (member === undefined) {
        text += ABSENT;
      } else {
        if (MARKS.test(member)) return undefined;
        text += member;
      }
      text += MEMBER_END;
    }
  }
  return text;
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

/** What a call is decided by, in the order of the core's parameters. Each member is read once, and most calls fail nowhere,
 * so the places of errors are made beforehand, and the place of the call is added where one is thrown. */
function readCall(call, looksAtArguments) {
  object(call, []);
  const tool = text(member(call, "tool", []), TOOL);
  const subject = optionalText(member(call, "subject", []), SUBJECT);
  let given = object(member(call, "arguments", []) ?? {}, INSIDE);
  let json;
  if (looksAtArguments) {
    json = jsonText(given, INSIDE);
    // What was read once is not read again: a getter could answer otherwise.
    given = JSON.parse(json);
  }
  const read = [tool, subject];
  for (const { name, path } of ARGUMENTS) {
    const value = member(given, name, INSIDE);
    read.push(typeof value === "string" ? wellFormed(value, path) : undefined);
  }
  read.push(json);
  return read;
}

const TOOL = ["tool"];
const SUBJECT = ["subject"];
const INSIDE = ["arguments"];

/** The arguments that rules and risk look at. */
const ARGUMENTS = ["command", "file_path", "notebook_path", "path", "url"].map((name) => ({ name, path: [...INSIDE, name] }));

/** Places in what `readState` gives. */
export const MODE = 0;
export const PLAN_ACTIVE = 2;
export const GRANTS = 4;

/** What a call's state says, in the order of the core's parameters. */
export function readState(state) {
  if (state === undefined) return NO_STATE;
  const path = ["state"];
  object(state, path);
  const read = (name) => member(state, name, path);
  const at = (name) => [...path, name];
  const grants = read("grants") ?? undefined;
  return [
    optionalWord(read("mode"), modes, "unknown-mode", at("mode")),
    optionalText(read("cwd"), at("cwd")),
    flag(read("planActive"), at("planActive")),
    optionalWord(read("sandbox"), sandboxes, "unknown-sandbox", at("sandbox")),
    grants === undefined ? undefined : jsonText(grants, at("grants")),
    optionalText(read("realPath"), at("realPath")),
  ];
}

const NO_STATE = Object.freeze([undefined, undefined, false, undefined, undefined, undefined]);
