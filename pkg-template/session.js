// What a session's event log says, and the events to append. A log goes over event by event: one bad event never costs
// the others.
import { jsonText, logLength, member, object, optionalText, ruleText, text } from "./arguments.js";
import { readCallAt } from "./calls.js";
import { argumentError, limitError } from "./errors.js";
import { call } from "./instance.js";
import vocabulary from "./vocabulary.js";

export function foldPermissionMode(events) {
  return call("foldPermissionMode", logText(events));
}

export function foldResumeSandbox(events) {
  return call("foldResumeSandbox", logText(events));
}

export function foldSessionAllow(events, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  return JSON.parse(call("foldSessionAllow", logText(events), name));
}

export function foldClassifiers(events) {
  return JSON.parse(call("foldClassifiers", logText(events)));
}

export function checkModeEvents(events) {
  return JSON.parse(call("checkModeEvents", logText(events)));
}

export function setPermissionMode(current, mode) {
  const path = ["current"];
  const lines = logText(member(object(current, path), "events", path), [...path, "events"]);
  // Everything else as one plain value, so that no member is missed.
  const rest = jsonText({ toJSON: () => ({ ...current, events: undefined }) }, path);
  return JSON.parse(call("setPermissionMode", lines, rest, text(mode, ["mode"])));
}

export function sessionAllowEvent(rule, toolName, timestamp, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const stamp = jsonText({ toolName: text(toolName, ["toolName"]), timestamp: number(timestamp) }, []);
  return JSON.parse(call("sessionAllowEvent", ruleText(rule, ["rule"]), stamp, name));
}

export function isSandboxEscalation(reason) {
  return call("isSandboxEscalation", optionalText(reason, ["reason"])) !== undefined;
}

export function approveSandboxEscalation(request) {
  const approved = call("approveSandboxEscalation", jsonText(request, ["request"]));
  return approved && JSON.parse(approved);
}

export function deriveGrant(toolCall, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const read = readCallAt(toolCall, undefined, true);
  const [tool, subject, json] = [read[0], read[1], read.at(-1)];
  return call("deriveGrant", tool, subject, json, name);
}

function number(value) {
  if (Number.isFinite(value)) return value;
  throw argumentError("not-a-number", "a finite number is needed", ["timestamp"]);
}

/** An event a line: its JSON text, or nothing for one that permissions are not about. */
function logText(events, path = ["events"]) {
  const lines = [];
  let units = 0;
  for (let index = 0, length = logLength(events, path); index < length; index++) {
    const line = eventText(events, index);
    units += line.length + 1;
    if (units > vocabulary.inputUnits) {
      throw limitError("input-too-large", "a log is too large", vocabulary.inputUnits);
    }
    lines.push(line);
  }
  return lines.join("\n");
}

function eventText(events, index) {
  let type;
  try {
    const event = events[index];
    // A hole says nothing; an error for each would make a log of holes slow.
    type = event?.type;
    if (!vocabulary.events.includes(type)) return "";
    const json = JSON.stringify({ type, data: event.data });
    if (json.length <= vocabulary.subjectUnits) return json;
  } catch {
    if (!vocabulary.events.includes(type)) return "";
  }
  // Its data cannot be read; that there was such an event is known.
  return JSON.stringify({ type });
}
