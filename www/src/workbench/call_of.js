// One record of a list of calls as a call: a JSON object, or a command as it is typed.

const TAKEN = ["tool", "arguments", "subject"];
/** A line that begins so is meant as JSON; `{ ls; }` is a command. */
const JSON_START = /^\s*\{\s*["}]/;
/** What a tool's subject is taken from, most telling first. */
const SUBJECTS = ["command", "file_path", "notebook_path", "path", "url", "pattern", "query", "description"];

/** Something is wrong with a record; `at` counts in its text, where it is known. */
export class RecordFault extends Error {
  constructor(code, message, at) {
    super(message);
    Object.assign(this, { code, at });
  }
}

/** A line as a call. @throws RecordFault */
export function callOfLine(text, shell) {
  return JSON_START.test(text) ? callOfJson(text, shell) : { tool: shell, arguments: { command: text.trim() } };
}

/** JSON text as a call. @throws RecordFault */
export function callOfJson(text, shell) {
  return callOfValue(parsed(text), shell);
}

function callOfValue(value, shell) {
  if (typeof value === "string") return { tool: shell, arguments: { command: value } };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RecordFault("not-an-object", "a call is a JSON object or a command");
  }
  const has = (name) => Object.hasOwn(value, name);
  if (has("tool")) {
    if (has("command")) throw new RecordFault("bad-call", 'beside a tool, the command belongs into its arguments: {"command": …}');
    if (typeof value.tool !== "string" || value.tool === "") throw new RecordFault("bad-call", "the tool is a name");
    if (has("subject") && typeof value.subject !== "string") throw new RecordFault("bad-call", "the subject is a text");
    const given = value.arguments;
    if (has("arguments") && (typeof given !== "object" || given === null || Array.isArray(given))) {
      throw new RecordFault("bad-call", "the arguments are a JSON object");
    }
    return Object.fromEntries(TAKEN.filter(has).map((name) => [name, value[name]]));
  }
  if (!has("command")) throw new RecordFault("bad-call", "a call has a tool, or a command for the shell tool");
  if (typeof value.command !== "string") throw new RecordFault("bad-call", "a command is a text");
  return { tool: shell, arguments: { command: value.command } };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message has the place in some browsers; it may repeat the input, so nothing else is taken from it.
    const at = /position (\d+)/.exec(error.message)?.[1];
    throw new RecordFault("bad-json", "this is not JSON", at === undefined ? undefined : Number(at));
  }
}

/** What a call is about, for people. */
export function subjectOf({ subject, arguments: given = {} }) {
  if (subject !== undefined) return subject;
  const name = SUBJECTS.find((each) => typeof given[each] === "string");
  if (name !== undefined) return given[name];
  const text = JSON.stringify(given);
  return text === "{}" ? "" : text;
}
