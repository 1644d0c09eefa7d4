// A model's second opinion in auto mode: what it is told, what it said, and when it is asked.
import { argumentError } from "./errors.js";
import { jsonText, logLength, member, object, text } from "./arguments.js";
import { Driver } from "./driver.js";
import { call as callCore } from "./instance.js";
import vocabulary from "./vocabulary.js";

export function parseVerdict(text) {
  if (typeof text !== "string") throw argumentError("not-a-string", "a text is needed", ["text"]);
  // What is no text, or too much of it, is no verdict either.
  const read = text.length <= vocabulary.inputUnits && text.isWellFormed() ? text : "";
  return JSON.parse(callCore("parseVerdict", read));
}

export function expandSoftDeny(entries) {
  const json = entries === undefined || entries === null ? "null" : jsonText(entries, ["entries"]);
  return JSON.parse(callCore("expandSoftDeny", json));
}

export function trailingRouteFailureStreak(events, routeKey, threshold) {
  const length = logLength(events, ["events"]);
  const key = text(routeKey, ["routeKey"]);
  if (typeof threshold !== "number") throw argumentError("not-a-number", "a number is needed", ["threshold"]);
  const most = Math.min(Math.max(Math.trunc(threshold) || 0, 0), 0xffffffff);
  return Number(callCore("trailingRouteFailureStreak", past(events, length), key, String(most)));
}

/** What `restore` hands to the constructor. */
class Kept {
  constructor(text) {
    this.text = text;
  }
}

export class AutoStage {
  #driver;

  constructor(host, kept) {
    object(host, ["host"]);
    for (const name of ["settings", "resolveRoute", "audit", "warn"]) {
      if (typeof member(host, name, ["host"]) === "function") continue;
      throw argumentError("not-a-function", "a function is needed", ["host", name]);
    }
    const make = (core, snapshot, first) => core.Machine.stage(snapshot, first);
    const ports = portsOf(host, (caller) => this.#driver.context(caller));
    this.#driver = new Driver(make, ports, stopped, kept instanceof Kept ? kept.text : undefined);
  }

  static restore(host, snapshot) {
    return new AutoStage(host, new Kept(jsonText(snapshot, ["snapshot"])));
  }

  async maybeEscalate(decision, call, context) {
    const { sessionId, isReadOnly, signal } = readContext(context);
    const { words, readOnly } = readDecision(decision);
    const { tool, given, long } = readCall(call);
    const row = [sessionId, tool, given, ...words, isReadOnly || readOnly];
    const options = { context: { call, sessionId }, bytes: long, at: ["context", "signal"] };
    return (await this.#driver.start(row, signal, options)) ?? undefined;
  }

  rebuild() {
    this.#driver.post("rebuild");
  }

  snapshot() {
    return JSON.parse(this.#driver.look((machine) => machine.snapshot()));
  }

  free() {
    this.#driver.cancel();
    this.#driver.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }
}

/** What a caller gets where the core stopped: a person decides. */
function stopped() {
  return { kind: "ask", reason: "classifier error", failure: "error" };
}

function portsOf(host, contextOf) {
  return {
    settings: {
      run: () => host.settings(),
      read: (given) => plain({ soft_deny: given?.soft_deny, classifier: given?.classifier }),
    },
    route: {
      run({ call: caller, alias }) {
        const { call, sessionId } = contextOf(caller);
        return typeof host.complete === "function" ? host.resolveRoute(alias, call, sessionId) : undefined;
      },
      read: (given) => plain({ provider: given?.provider, model: given?.model }),
    },
    history: {
      run: (session) => (typeof host.history === "function" ? host.history(session) : []),
      read: (given) => (Array.isArray(given) ? past(given, logLength(given, ["history"])) : "[]"),
    },
    complete: {
      run: (request, signal) => host.complete(request, signal),
      // Half a surrogate pair makes a text no verdict; what is no text is a failure of the call.
      read: (given) => (typeof given === "string" ? JSON.stringify(given.isWellFormed() ? given : "") : "null"),
    },
    audit: { run: ([session, record]) => host.audit(session, record), read: () => "null" },
    warn: { run: (message) => host.warn(message) },
  };
}

/** JSON text whose strings are well formed. */
function plain(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === "string" ? inner.toWellFormed() : inner));
}

/** What counts of audit records, each read by itself: one that cannot be read does not cost the others. */
function past(events, length) {
  const records = [];
  for (let index = 0; index < length; index++) {
    try {
      const record = events[index];
      // A hole says nothing; an error for each would make a log of holes slow.
      if (record === undefined) continue;
      const { provider, model, failure } = record;
      records.push({ provider: name(provider), model: name(model), failure: failure && name(failure, "") });
    } catch {
      // It says nothing.
    }
  }
  return plain(records);
}

function name(value, other) {
  return typeof value === "string" ? value : other;
}

function readContext(context) {
  const path = ["context"];
  object(context, path);
  const sessionId = text(member(context, "sessionId", path), [...path, "sessionId"]);
  return { sessionId, isReadOnly: member(context, "readOnly", path) === true, signal: member(context, "signal", path) };
}

/** The words of a decision. One that nobody knows is none that the stage speaks to. */
function readDecision(decision) {
  const path = ["decision"];
  object(decision, path);
  const risk = object(member(decision, "risk", path), [...path, "risk"]);
  const words = [
    member(decision, "mode", path),
    member(risk, "level", [...path, "risk"]),
    member(decision, "kind", path),
    member(decision, "effective", path),
  ];
  const known = words.map((word) => (typeof word === "string" && word.isWellFormed() ? word : ""));
  return { words: known, readOnly: member(decision, "readOnly", path) === true };
}

const encoder = new TextEncoder();

/** A call's tool, and of its arguments what a model may be shown; a line, or the JSON text of all, crosses as bytes. */
function readCall(call) {
  const path = ["call"];
  object(call, path);
  const tool = text(member(call, "tool", path), [...path, "tool"]);
  const inside = [...path, "arguments"];
  const all = object(member(call, "arguments", path) ?? {}, inside);
  const command = member(all, "command", inside);
  if (typeof command === "string") return { tool, given: "command", long: encoder.encode(shown(command)) };
  const file = member(all, "file_path", inside);
  if (typeof file !== "string") return { tool, given: "arguments", long: encoder.encode(shown(jsonText(all, inside))) };
  const body = member(all, "body", inside) ?? member(all, "content", inside);
  return { tool, given: { file_path: shown(file), body: typeof body === "string" ? shown(body) : undefined } };
}

/** As much of a text as a model may be shown; more need not cross. */
function shown(text) {
  return text.slice(0, vocabulary.shownUnits).toWellFormed();
}
