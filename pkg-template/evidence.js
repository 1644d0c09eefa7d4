// The evidence classifier: a host calls the model and opens files, the core decides what is sent and what an answer is worth.
import { looseText, object, tryJsonText } from "./arguments.js";
import { Driver } from "./driver.js";
import { call } from "./instance.js";
import vocabulary from "./vocabulary.js";

const { classifierDiagnostics, classifierRequestBytes, evidenceFileBytes, modelCallMs } = vocabulary;

/** Files to offer for a compound shell action. */
export function evidenceCandidates(command) {
  const text = looseText(command, ["command"]);
  return JSON.parse(call("evidenceCandidates", text));
}

/** The code of the confinement rule that a path breaks, or undefined. */
export function checkEvidencePath(path) {
  const text = looseText(path, ["path"]);
  return call("checkEvidencePath", text);
}

/** Whether a text appears to hold a credential. */
export function containsSecret(text) {
  const whole = looseText(text, ["text"]);
  return call("containsSecret", whole) !== undefined;
}

/** A diagnostic that came from elsewhere, or undefined. */
export function projectDiagnostic(value) {
  const members = ["implementation", "elapsedMs", "deadlineMs", "timerFired", "returnPath", "evidenceLimit"];
  const own = {};
  try {
    for (const name of members) if (Object.hasOwn(value, name)) own[name] = scalar(value[name]);
  } catch {
    return undefined;
  }
  const text = JSON.stringify(own);
  const projected = call("projectDiagnostic", text);
  return projected === undefined ? undefined : JSON.parse(projected);
}

export class EvidenceClassifier {
  #host;
  #driver;
  /** The text of the request that holds the lease. */
  #request;
  #open = 0; // callbacks that have not settled, those of a lost machine included
  #isFreed = false;

  constructor(host) {
    this.#host = object(host, ["host"]);
    const make = (core, kept, first) => {
      this.#request = undefined;
      return core.Machine.evidence(first);
    };
    this.#driver = new Driver(make, this.#ports(), failed);
  }

  async classify(request, options) {
    const start = this.#read(request);
    const signal = readSignal(options);
    if (signal === null) start.refusal ??= "invalid-request";
    try {
      return await this.#driver.start(start, this.#isFreed ? AbortSignal.abort() : (signal ?? undefined));
    } catch {
      return this.#isFreed ? cancelled(start) : failed(start);
    }
  }

  get leased() {
    try {
      // A machine that is gone holds nothing; what it called still does.
      this.#driver.look(() => {});
    } catch {
      // It was freed, or there is no core.
    }
    return this.#request !== undefined || this.#open > 0;
  }

  /** Cancels. A model call that is open still gets its receipt; after it the memory is given back. */
  free() {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#driver.cancel();
    if (!this.leased) this.#driver.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  /** Everything that the core is to know of a call; the request is read here, once. */
  #read(request) {
    const text = tryJsonText(request);
    const isTooLarge = text !== undefined && isLonger(text, classifierRequestBytes);
    return {
      request: isTooLarge ? JSON.stringify(factsOf(text)) : text,
      refusal: isTooLarge ? "context-overflow" : undefined,
      hasFiles: this.#has("statFile") && this.#has("inspectFile"),
      isHeld: this.#open > 0,
      nonce: nonce(),
      startedMs: now(),
    };
  }

  #has(name) {
    try {
      return typeof this.#host[name] === "function";
    } catch {
      return false;
    }
  }

  #ports() {
    const host = this.#host;
    return {
      lease: { run: (request) => this.#lease(request ?? undefined) },
      size: {
        run: (path, signal) => this.#call(() => host.statFile(path, signal)),
        read: (stat) => JSON.stringify(stat === undefined ? null : { size: scalar(stat.size) }),
      },
      identity: {
        run: () => this.#call(() => host.isCurrent(JSON.parse(this.#request))),
        read: (answer) => String(answer === true),
      },
      model: {
        run: (call, signal) => this.#call(() => host.callModel(call, signal)),
        read: replyText,
        failure: (error) => JSON.stringify({ name: scalar(error.name), code: scalar(error.code) }),
      },
      inspection: {
        run: (path, signal) => this.#call(() => host.inspectFile(path, evidenceFileBytes + 1, signal)),
        read: inspectionParts,
      },
      receipt: { run: (receipt) => host.onLateReceipt(receipt) },
    };
  }

  #lease(request) {
    this.#request = request;
    if (request === undefined && this.#isFreed) this.#driver.free();
  }

  /** Calls the host; what it throws at once counts as a rejection. */
  #call(work) {
    this.#open += 1;
    const settled = () => void (this.#open -= 1);
    const answer = new Promise((resolve) => resolve(work()));
    answer.then(settled, settled);
    return answer;
  }
}

/** The core stopped: nobody knows what the model calls took. */
function failed(start) {
  const message = "The model behind the permission check failed.";
  return unavailable(start, { error: "provider-error", message, usage: "unknown" }, "provider");
}

function cancelled(start) {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return unavailable(start, { error: "cancelled", message: "The permission check was cancelled.", usage }, "preflight");
}

/** A result that is made without the core. */
function unavailable({ request, startedMs }, { error, message, usage }, returnPath) {
  const { action, memoryContext, timeoutMs } = factsOf(request);
  const elapsed = Math.floor(now() - startedMs);
  const deadline = typeof timeoutMs === "number" && timeoutMs >= 1 ? Math.floor(timeoutMs) : modelCallMs;
  const result = {
    kind: "unavailable",
    error,
    message,
    usage,
    diagnostic: {
      implementation: classifierDiagnostics,
      elapsedMs: elapsed >= 0 ? elapsed : 0,
      deadlineMs: Math.min(deadline, modelCallMs),
      timerFired: false,
      returnPath,
    },
  };
  const writesMemory = action.toolName === "mem_save" || action.toolName === "mem_session_summary";
  return writesMemory ? { ...result, memoryContextAttached: memoryContext === true } : result;
}

/** What a result tells of its request, whatever the rest of it is. */
function factsOf(text) {
  const { action, memoryContext, timeoutMs } = (text === undefined ? undefined : JSON.parse(text)) ?? {};
  const attached = memoryContext === undefined || memoryContext === null ? undefined : true;
  return { action: { toolName: action?.toolName }, memoryContext: attached, timeoutMs };
}

/** Whether a text has more bytes than that. */
function isLonger(text, bytes) {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

/** A signal; undefined where there is none, null where there is something else. */
function readSignal(options) {
  try {
    const signal = options?.signal;
    if (signal === undefined || signal === null) return undefined;
    return typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function" ? signal : null;
  } catch {
    return null;
  }
}

/** Thirty-two hex digits that nobody can guess, or undefined. */
function nonce() {
  try {
    const bytes = new Uint8Array(16);
    globalThis.crypto.getRandomValues(bytes);
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    return undefined;
  }
}

/** The time, or what is no number. */
function now() {
  try {
    return globalThis.performance.now();
  } catch {
    return NaN;
  }
}

/** A value that has nothing inside, or null. */
function scalar(value) {
  return ["string", "number", "boolean"].includes(typeof value) ? value : null;
}

function replyText(reply) {
  const text = JSON.stringify(reply) ?? "null";
  if (text.length > vocabulary.inputUnits) throw new RangeError("a reply is too large");
  return text;
}

/** The answer of an inspection, its bytes taken off and copied: what the host changes later changes nothing. */
function inspectionParts({ status, bytes, before, after }) {
  const answer = { status: scalar(status) };
  if (status !== "file") return JSON.stringify(answer);
  if (typeName.call(bytes) !== "Uint8Array") return JSON.stringify({ status });
  const copy = new Uint8Array(Math.min(byteCount.call(bytes), evidenceFileBytes + 1));
  for (let at = 0; at < copy.length; at++) copy[at] = bytes[at];
  return [JSON.stringify({ ...answer, before: statOf(before), after: statOf(after) }), copy];
}

function statOf({ dev, ino, size, mtimeMs, ctimeMs, nlink }) {
  const members = { dev, ino, size, mtimeMs, ctimeMs, nlink };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, scalar(value)]));
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const { get: typeName } = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag);
const { get: byteCount } = Object.getOwnPropertyDescriptor(typedArray, "length");
