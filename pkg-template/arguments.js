// What hosts hand in, taken apart once: each member is read one time, and only plain, well-formed values go on.
import { argumentError, limitError } from "./errors.js";
import vocabulary from "./vocabulary.js";

/** A member of an object; a getter or proxy that throws is an argument error with its place. */
export function member(object, name, path) {
  try {
    return object[name];
  } catch {
    throw unreadable([...path, name]);
  }
}

/** The error of a member that cannot be read. */
export function unreadable(path) {
  return argumentError("unreadable", "a member throws when it is read", path);
}

/** An object, or an argument error. */
export function object(value, path) {
  if (typeof value !== "object" || value === null) {
    throw argumentError("not-an-object", "an object is needed", path);
  }
  return value;
}

/** A well-formed text. */
export function text(value, path) {
  if (typeof value !== "string") throw argumentError("not-a-string", "a text is needed", path);
  return wellFormed(value, path);
}

/** A well-formed text of any length that the core takes: rules have a limit of their own there. */
export function ruleText(value, path) {
  if (typeof value !== "string") throw argumentError("not-a-string", "a text is needed", path);
  return whole(value, path);
}

/** A text in whatever form: half of a surrogate pair crosses as U+FFFD. */
export function looseText(value, path) {
  if (typeof value !== "string") throw argumentError("not-a-string", "a text is needed", path);
  if (value.length > vocabulary.inputUnits) {
    throw limitError("input-too-large", "an argument is too large", vocabulary.inputUnits);
  }
  return value;
}

/** A well-formed text, or undefined for an absent value. */
export function optionalText(value, path) {
  return value === undefined || value === null ? undefined : text(value, path);
}

/** A text that is well formed and within the limit of a subject. */
export function wellFormed(value, path) {
  if (value.length > vocabulary.subjectUnits) {
    const message = `a text has at most ${vocabulary.subjectUnits} characters`;
    throw limitError("subject-too-long", message, vocabulary.subjectUnits);
  }
  return whole(value, path);
}

function whole(value, path) {
  if (!value.isWellFormed()) throw argumentError("lone-surrogate", "a text has half of a surrogate pair", path);
  return value;
}

/** The elements of a list, each read once by its index; whatever throws meanwhile is an argument error. */
export function* elements(list, path) {
  const length = listLength(list, path);
  for (let index = 0; index < length; index++) yield member(list, index, path);
}

/** The length of a list, or an argument error. A proxy may say any length: only one that a list can have is taken. */
export function listLength(list, path) {
  let isList = false;
  let length;
  try {
    isList = Array.isArray(list);
    length = isList ? list.length : undefined;
  } catch {
    isList = true;
  }
  if (!isList) throw argumentError("not-a-list", "a list is needed", path);
  if (typeof length === "number" && length >>> 0 === length) return length;
  throw argumentError("unreadable", "the list cannot be read", path);
}

/** The length of a log, which is gone through whatever is in it. */
export function logLength(log, path) {
  const length = listLength(log, path);
  if (length <= vocabulary.inputUnits) return length;
  throw limitError("input-too-large", "a log is too large", vocabulary.inputUnits);
}

/** The place of a word in its closed list, or undefined for an absent value. */
export function optionalWord(value, words, code, path) {
  return value === undefined || value === null ? undefined : word(value, words, code, path);
}

/** The place of a word in its closed list. */
export function word(value, words, code, path) {
  const index = words.indexOf(text(value, path));
  if (index < 0) throw argumentError(code, "no such word is known", path);
  return index;
}

/** A boolean; absent is false. */
export function flag(value, path) {
  if (value === undefined || value === null || value === false) return false;
  if (value === true) return true;
  throw argumentError("not-a-boolean", "true or false is needed", path);
}

/** The JSON text of a value: no getter, proxy or prototype goes further than this. A replacer may refuse by throwing. */
export function jsonText(value, path, replacer) {
  const json = tryJsonText(value, replacer);
  if (json === undefined) throw argumentError("not-json", "the value cannot be written as JSON", path);
  if (json.length > vocabulary.inputUnits) {
    throw limitError("input-too-large", "an argument is too large", vocabulary.inputUnits);
  }
  return json;
}

/** The JSON text of a value, or undefined where it has none. */
export function tryJsonText(value, replacer) {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}
