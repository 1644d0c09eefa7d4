// The one driver of everything that waits: it does what a machine of the core says, and tells it what came of it.
//
// Events go in at once, effects wait in one queue: host code that calls back in finds no borrow held and no order
// disturbed. What the core does not wait for any more, it ignores: a host that answers twice, late or never harms
// nothing. Timers and clocks are looked up on `globalThis` at each use.
import { argumentError, CoreError } from "./errors.js";
import { currentGeneration, isLive, release, run } from "./instance.js";

/** Effects whose number the machine gave. */
const NUMBERED = ["ask", "call", "arm"];

/**
 * Drives one machine. A *port* is how one callback of the host is reached:
 *
 * - `run(value, signal)` calls the host with what the core hands out; `signal` where the host may take its time;
 * - `read(value)` gives the JSON text of what the host gave, or a list of it and bytes; without it, all of the value;
 * - `failure(error)` gives the JSON text of what the core may know of a rejection; without it, nothing.
 */
export class Driver {
  #make;
  #ports;
  #stopped;
  #kept;
  #machine;
  #generation;
  #next = 0; // behind every number that a machine of this driver gave
  #callers = new Map();
  #lastCaller = 0;
  #controllers = new Map(); // of the signals of open calls
  #timers = new Map();
  #queue = [];
  #isBusy = false;

  /**
   * @param make gives a machine: `(core, kept, first)`, the text that was kept last and where its numbers begin.
   * @param ports by name.
   * @param stopped gives what a caller gets whose machine was lost with the core: `(start)`; nothing that allows.
   * @param kept the text of a snapshot to begin with.
   */
  constructor(make, ports, stopped, kept) {
    this.#make = make;
    this.#ports = ports;
    this.#stopped = stopped;
    this.#kept = kept;
    this.#revive();
  }

  /**
   * Calls the machine. The promise is settled once; it rejects with nothing but what a callback of the host threw. `context` is
   * kept for the ports while the call is open, `bytes` are those of a long text that crosses beside `start`, `at` is the place
   * of the signal among the arguments.
   */
  start(start, signal, { context, bytes, at = ["signal"] } = {}) {
    return new Promise((resolve, reject) => {
      const caller = ++this.#lastCaller;
      const { isAborted, unwatch } = watch(signal, at, () => this.#send("cancel", caller));
      this.#callers.set(caller, { start, context, resolve, reject, unwatch });
      try {
        this.#revive(caller);
      } catch (error) {
        return this.#end(caller, error instanceof CoreError ? undefined : { error });
      }
      this.#send(isAborted ? "cancelled" : "start", caller, JSON.stringify(start), bytes);
    });
  }

  /** Calls the machine for something that it does at once and gives nothing for. */
  post(start) {
    this.#revive();
    this.#send("start", ++this.#lastCaller, JSON.stringify(start));
    if (!this.#isLive()) throw new CoreError("the core stopped in the middle of a call");
  }

  /** What an open call of that number came with. */
  context(caller) {
    return this.#callers.get(caller)?.context;
  }

  /** Reads something of the machine. */
  look(work) {
    this.#revive();
    return run(() => work(this.#machine));
  }

  /** Cancels every open call. */
  cancel() {
    for (const caller of [...this.#callers.keys()]) this.#send("cancel", caller);
  }

  /** Gives the memory back. What is open by then is answered as if the core had stopped. */
  free() {
    this.#make = undefined;
    this.#lose();
  }

  #isLive() {
    return this.#machine !== undefined && isLive(this.#generation);
  }

  /** Makes sure that there is a machine, and that it lies in the live instance. */
  #revive(newCaller) {
    if (this.#make === undefined) throw Object.assign(new Error("it was freed"), { code: "freed" });
    if (this.#isLive()) return;
    this.#lose(newCaller);
    this.#machine = run((core) => this.#make(core, this.#kept, this.#next));
    this.#generation = currentGeneration();
  }

  /** Lets go of the machine: whoever waits for it gets an answer that allows nothing. */
  #lose(newCaller) {
    const queue = this.#queue.splice(0);
    const [controllers, timers] = [[...this.#controllers.values()], [...this.#timers.values()]];
    if (this.#machine !== undefined) release(this.#machine, this.#generation);
    this.#machine = undefined;
    this.#controllers.clear();
    this.#timers.clear();
    for (const timer of timers) stop(timer);
    // What was decided before is said.
    for (const entry of queue) if (entry.effect[0] === "return") this.#do(entry);
    for (const caller of [...this.#callers.keys()]) if (caller !== newCaller) this.#end(caller);
    for (const controller of controllers) controller.abort();
  }

  #send(event, number, text = "", bytes = undefined, error = undefined) {
    let rows;
    try {
      if (this.#isLive()) rows = JSON.parse(run(() => this.#machine.handle(event, number, text, bytes, now())));
    } catch {
      // Only a stop of the core comes here.
    }
    if (rows === undefined) return this.#lose();
    // Nobody waits for the event. A call that could not even begin is not to wait either.
    if (rows === null) return event === "start" || event === "cancelled" ? this.#end(number) : undefined;
    for (const effect of rows) {
      if (NUMBERED.includes(effect[0])) this.#next = Math.max(this.#next, effect[1] + 1);
      if (effect[0] === "keep") this.#kept = effect[2];
      else if (effect[0] !== "abort" || !this.#withdraw(effect[1])) this.#queue.push({ effect, error });
    }
    if (!this.#isBusy) this.#work();
  }

  /** What is given up before its turn has come is not begun. */
  #withdraw(number) {
    const at = this.#queue.findIndex(({ effect: [word, other] }) => (word === "ask" || word === "call") && other === number);
    if (at >= 0) this.#queue.splice(at, 1);
    return at >= 0;
  }

  #work() {
    this.#isBusy = true;
    try {
      while (this.#queue.length > 0) this.#do(this.#queue.shift());
    } catch {
      // The end of the stack, in the driver's own code.
      this.#lose();
    } finally {
      this.#isBusy = false;
    }
  }

  #do({ effect: [word, number, value, given], error }) {
    if (word === "ask") this.#ask(number, this.#ports[value], given);
    else if (word === "call") this.#call(number, this.#ports[value], given);
    else if (word === "tell") attempt(() => this.#ports[value].run(given));
    else if (word === "abort") this.#controllers.get(number)?.abort();
    else if (word === "arm") this.#arm(number, value);
    else if (word === "disarm") this.#disarm(number);
    else if (word === "return") this.#end(number, { value });
    else if (word === "rethrow") this.#end(number, { error });
  }

  #ask(number, port, value) {
    const { given, error, threw } = attempt(() => port.run(value));
    if (threw) this.#send("threw", number, "", undefined, error);
    else this.#fulfilled(number, port, given);
  }

  #call(number, port, value) {
    const controller = new AbortController();
    this.#controllers.set(number, controller);
    const done = (settle) => (value) => {
      if (this.#controllers.get(number) === controller) this.#controllers.delete(number);
      settle(value);
    };
    const rejected = (error) => this.#send("rejected", number, failureText(port, error), undefined, error);
    const { given, error, threw } = attempt(() => port.run(value, controller.signal), false);
    if (threw) return done((error) => this.#send("threw", number, "", undefined, error))(error);
    // More than `Promise.resolve`: not even a promise whose own `then` was tampered with settles twice, or throws.
    new Promise((resolve) => resolve(given)).then(
      done((value) => this.#fulfilled(number, port, value)),
      done(rejected),
    );
  }

  #fulfilled(number, port, value) {
    const read = port.read ?? ((all) => JSON.stringify(all) ?? "null");
    const { given, error, threw } = attempt(() => read(value), false);
    if (threw) this.#send("unreadable", number, "", undefined, error);
    else if (Array.isArray(given)) this.#send("fulfilled", number, given[0], given[1]);
    else this.#send("fulfilled", number, given);
  }

  #arm(number, ms) {
    const fire = () => {
      this.#timers.delete(number);
      this.#send("timer", number);
    };
    const { given, threw } = attempt(() => globalThis.setTimeout(fire, ms), false);
    // Without a timer nothing may be waited for.
    if (threw) fire();
    else this.#timers.set(number, given);
  }

  #disarm(number) {
    stop(this.#timers.get(number));
    this.#timers.delete(number);
  }

  #end(caller, outcome) {
    const waiting = this.#callers.get(caller);
    if (waiting === undefined) return;
    this.#callers.delete(caller);
    waiting.unwatch();
    if (outcome === undefined) waiting.resolve(this.#stopped(waiting.start));
    else if ("error" in outcome) waiting.reject(outcome.error ?? new TypeError("a callback gave what cannot be read"));
    else waiting.resolve(outcome.value);
  }
}

/** Runs host code. A promise that nobody waits for is not to end the process when it is rejected. */
function attempt(work, isQuiet = true) {
  try {
    const given = work();
    if (isQuiet && typeof given === "object" && given !== null) new Promise((resolve) => resolve(given)).catch(() => {});
    return { given, threw: false };
  } catch (error) {
    return { error, threw: true };
  }
}

function failureText(port, error) {
  const { given } = attempt(() => port.failure?.(error), false);
  return given ?? "null";
}

/** Stops a timer. One that cannot be stopped fires, and nobody waits for it. */
function stop(timer) {
  attempt(() => globalThis.clearTimeout(timer), false);
}

/** Milliseconds of a clock that does not go back, or `NaN` where there is none: every deadline has passed then. */
function now() {
  const { given, threw } = attempt(() => (globalThis.performance ?? globalThis.Date).now(), false);
  return threw || typeof given !== "number" ? NaN : given;
}

/** Listens to a caller's signal. */
function watch(signal, at, listener) {
  if (signal === undefined || signal === null) return { isAborted: false, unwatch() {} };
  const { given, threw } = attempt(() => {
    signal.addEventListener("abort", listener, { once: true });
    return signal.aborted;
  }, false);
  if (threw || typeof given !== "boolean") throw argumentError("not-a-signal", "an AbortSignal is needed", at);
  return { isAborted: given, unwatch: () => attempt(() => signal.removeEventListener("abort", listener), false) };
}
