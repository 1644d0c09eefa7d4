// Live gates of one session: a person can answer each at any moment, and classifiers review it beside.
import { elements, member, tryJsonText } from "./arguments.js";
import { inBytes } from "./bytes.js";
import { Driver } from "./driver.js";
import { CoreError, fromCore, reviewError } from "./errors.js";
import { frozen, readable, sealedText } from "./review.js";

const METHODS = ["applies", "marshalInput", "run", "validateResult"];
const REQUIRED = ["currentPolicyRevision", "appendResolution", "audit"];
const OPTIONAL = ["verifyObservations", "currentBasis", "interrupt", "warn"];
const MEMBERS = ["basis", "request", "context", "actions"];

/** What a caller gets where the core stopped. */
const STOPPED = Symbol("stopped");

export class ReviewSession {
  #driver;
  #tripped = false;
  #isFreed = false;
  #isIdle = false;
  /** By gate: what the classifier at work was shown, and what it gave. It need not cross. */
  #held = new Map();
  /** By gate: how its last append ended. A core that stopped meanwhile has not heard of it. */
  #appends = {};

  constructor(host) {
    const { callbacks, classifiers, policy, limits } = readHost(host);
    const setup = {
      classifiers: JSON.stringify(classifiers.map(({ row }) => row)),
      policy,
      limits,
      verifies: callbacks.verifyObservations !== undefined,
      readsBasis: callbacks.currentBasis !== undefined,
      appends: this.#appends,
    };
    const make = (core, kept, first) => {
      this.#held.clear();
      return core.Machine.review(JSON.stringify(setup), kept, first);
    };
    this.#driver = new Driver(make, this.#ports(callbacks, classifiers), () => STOPPED);
  }

  openGate(gate) {
    const { context, ...opening } = readGate(gate);
    const opened = inBytes([context], ([bytes]) => this.#ask({ do: "open", opening }, "not_ready", { bytes }));
    return opened.then(() => {
      const begin = { do: "begin", gate: JSON.parse(opening.basis).gate_id };
      // Whoever opened the gate hears of it before any callback is called.
      queueMicrotask(() => queueMicrotask(() => this.#try(begin)));
    });
  }

  async resolution(gateId) {
    const start = { do: "resolution", gate: idOf(gateId) };
    let reply;
    try {
      reply = await this.#ask(start, "not_found");
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      // The gate is still there; it can be waited for again.
      reply = await this.#ask(start, "not_found");
    }
    return frozen(reply.resolution);
  }

  async respond(gateId, answer) {
    await this.#ask({ do: "respond", gate: idOf(gateId), text: readable(answer) }, "not_found");
  }

  endTurn(turnId) {
    this.#post({ do: "endTurn", turn: idOf(turnId) });
  }

  close() {
    this.#post({ do: "close" });
  }

  get tripped() {
    return this.#tripped;
  }

  free() {
    this.close();
    this.#isFreed = true;
    if (this.#isIdle) this.#driver.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  /** Starts something whose end is waited for; what is refused, rejects. */
  async #ask(start, whenFreed, beside) {
    if (this.#isFreed && this.#isIdle) throw reviewError("gate", whenFreed);
    const reply = await this.#driver.start(start, undefined, beside);
    if (reply === STOPPED) throw new CoreError("the core stopped in the middle of a call");
    if (reply?.refused !== undefined) throw fromCore(reply.refused);
    return reply;
  }

  #post(start) {
    if (!(this.#isFreed && this.#isIdle)) this.#driver.post(start);
  }

  #ports(callbacks, classifiers) {
    const held = (gate) => this.#held.get(gate) ?? {};
    const call = ({ classifier }, method, ...given) => classifiers[classifier].methods[method](...given);
    return {
      applies: {
        run: (place) => {
          const subject = frozen(place.subject);
          this.#held.set(place.gate, { subject });
          return call(place, "applies", subject);
        },
        read: (given) => (typeof given === "boolean" ? String(given) : "null"),
      },
      marshalInput: {
        // It is handed back, so that a promise which rejects ends nothing; nothing of it is for the core.
        run: (place) => (held(place.gate).input = call(place, "marshalInput", held(place.gate).subject)),
        read: () => "null",
      },
      run: {
        run: (place, signal) => {
          const mine = held(place.gate);
          const observe = (observation) => this.#try({ do: "observe", run: place.run, text: readable(observation) });
          const given = call(place, "run", mine.input, observe, signal);
          return settled(given, (result) => void (mine.result = result));
        },
      },
      validateResult: {
        run: (place) => call(place, "validateResult", held(place.gate).subject, held(place.gate).result),
        read: readable,
      },
      verify: {
        run: (observations, signal) => callbacks.verifyObservations(frozen(observations), signal),
        read: (given) => String(given === true),
      },
      live: {
        // Both are read in one go; a promise is neither a revision nor a basis.
        run: (gate) => ({ revision: tried(callbacks.currentPolicyRevision), basis: tried(callbacks.currentBasis, gate) }),
      },
      append: {
        run: (resolution) => {
          const end = (isDurable) => void (this.#appends[resolution.gateId] = isDurable);
          const given = callbacks.appendResolution(frozen(resolution));
          return settled(given, () => end(true), () => end(false));
        },
      },
      audit: {
        run: (event) => {
          // What a classifier was shown is not asked for any more.
          if (event.status !== undefined) this.#held.delete(event.gate_id);
          return callbacks.audit(frozen(event));
        },
        read: () => "null",
      },
      interrupt: { run: (coordinates) => callbacks.interrupt?.(frozen(coordinates)) },
      warn: { run: (text) => callbacks.warn?.(text) },
      tripped: { run: () => void (this.#tripped = true) },
      idle: {
        run: () => {
          this.#isIdle = true;
          if (this.#isFreed) this.#driver.free();
        },
      },
    };
  }

  /** What begins by itself, or comes from a classifier, throws nothing: where the core stopped, no review goes on. */
  #try(start) {
    try {
      this.#post(start);
    } catch {
      // The gate stays with the person.
    }
  }
}

/** A promise of host code, of which something is noted when it settles. */
function settled(given, fulfilled, rejected) {
  return new Promise((resolve) => resolve(given)).then(fulfilled, (error) => {
    rejected?.();
    throw error;
  });
}

/** What a callback gives, or `undefined` where it throws. A promise that nobody waits for rejects in silence. */
function tried(callback, ...given) {
  try {
    const value = callback?.(...given);
    if (typeof value === "object" && value !== null) new Promise((resolve) => resolve(value)).catch(() => {});
    return value;
  } catch {
    return undefined;
  }
}

/** An id that can cross; others name nothing. */
function idOf(id) {
  return typeof id === "string" && id.isWellFormed() ? id : "";
}

/** The JSON text of each member of a gate. One that has none, or cannot be read, is there and of the wrong shape. */
function readGate(gate) {
  const opening = { isGate: false };
  try {
    if (typeof gate !== "object" || gate === null || Array.isArray(gate)) return opening;
    const names = Object.keys(gate);
    opening.isGate = names.every((name) => MEMBERS.includes(name) || gate[name] === undefined);
  } catch {
    return opening;
  }
  for (const name of MEMBERS) {
    let value;
    try {
      value = Object.hasOwn(gate, name) ? gate[name] : undefined;
      if (value === undefined) continue;
    } catch {
      value = undefined;
    }
    opening[name] = readable(value);
  }
  return opening;
}

/** What a host hands over, read once. */
function readHost(host) {
  const invalid = reviewError("host", "invalid");
  const read = (name) => {
    try {
      return host[name];
    } catch {
      throw invalid;
    }
  };
  if (typeof host !== "object" || host === null) throw invalid;
  const list = read("classifiers");
  if (!isList(list)) throw invalid;
  const callbacks = {};
  for (const name of [...REQUIRED, ...OPTIONAL]) {
    const callback = read(name);
    if (callback === undefined && OPTIONAL.includes(name)) continue;
    if (typeof callback !== "function") throw invalid;
    callbacks[name] = (...given) => callback.apply(host, given);
  }
  const limits = read("limits");
  return {
    callbacks,
    classifiers: classifiersOf(list, invalid),
    policy: sealedText(read("policy")),
    limits: limits === undefined ? undefined : readable(limits),
  };
}

function isList(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Classifiers up to the first that is none, which the core refuses: a list of holes may be very long. */
function classifiersOf(list, invalid) {
  const read = [];
  try {
    for (const classifier of elements(list, [])) {
      read.push(readClassifier(classifier));
      if (!read.at(-1).row.complete) break;
    }
  } catch {
    throw invalid;
  }
  return read;
}

/** The methods of a classifier, and what the core checks of it. What cannot be read is of the wrong type. */
function readClassifier(classifier) {
  const read = (name) => {
    try {
      return member(classifier, name, []);
    } catch {
      return null;
    }
  };
  const methods = {};
  for (const name of METHODS) {
    const method = read(name);
    if (typeof method === "function") methods[name] = (...given) => method.apply(classifier, given);
  }
  const row = { complete: METHODS.every((name) => name in methods) };
  for (const name of ["name", "revision", "timeoutMs", "definition"]) {
    const value = read(name);
    if (value !== undefined) row[name] = JSON.parse(tryJsonText(value) ?? "null");
  }
  return { methods, row };
}
