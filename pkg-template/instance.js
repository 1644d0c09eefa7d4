// The one instance of the core, and what happens when it stops.
//
// A trap leaves the instance's memory in an unknown state: it is dropped, and the next call makes a fresh one from the
// same module. The generation tells handles of a dropped instance from live ones; those must never be freed.
import * as core from "./core.js";
import { CoreError, fromCore } from "./errors.js";

let ready = false;
let stopped = false;
let generation = 0;
let numbers = new Uint32Array(0);
let bytes = new Uint8Array(0);

/** Instantiates a module, or the bytes of one. */
export function startSync(module) {
  core.initSync({ module });
  ready = true;
}

/** Instantiates what is given or fetched. Concurrent calls share one instantiation. */
export async function start(source) {
  await core.default({ module_or_path: source });
  ready = true;
}

/** The number of the live instance; it grows with every fresh one. */
export function currentGeneration() {
  if (stopped) restart();
  return generation;
}

/** Whether a handle of that generation may be touched. */
export function isLive(handleGeneration) {
  return !stopped && handleGeneration === generation;
}

/** Gives the memory of a handle back; one of a dropped instance points into memory that is gone. A core that stops meanwhile takes all of it along, and nobody need know. */
export function release(handle, handleGeneration) {
  if (!isLive(handleGeneration)) return;
  try {
    run(() => handle.free());
  } catch {
    // The next call finds a fresh instance.
  }
}

/** The live instance's memory as numbers. A view of it is lost when the memory grows. */
export function memory() {
  if (numbers.byteLength === 0) numbers = new Uint32Array(core.initSync().memory.buffer);
  return numbers;
}

/** The same as bytes. */
export function memoryBytes() {
  if (bytes.byteLength === 0) bytes = new Uint8Array(core.initSync().memory.buffer);
  return bytes;
}

/** Calls into the core. What the core refuses is thrown as a typed error, a trap as `CoreError`. */
export function run(work) {
  if (!ready) throw Object.assign(new Error("await init() before the first call"), { code: "not-ready" });
  if (stopped) restart();
  try {
    return work(core);
  } catch (error) {
    const refusal = typeof error === "string" ? fromCore(error) : undefined;
    if (refusal) throw refusal;
    stopped = true;
    throw new CoreError("the core stopped in the middle of a call", { cause: error });
  }
}

/** Calls the function of the core that takes these texts; an absent one is undefined, and so is an absent answer. */
export function call(name, ...texts) {
  return run((core) => core.call(name, ...texts)) || undefined;
}

function restart() {
  try {
    core.__wbg_reset_state();
  } catch (cause) {
    throw new CoreError("the core stopped, and no fresh instance could be made", { cause });
  }
  generation += 1;
  numbers = new Uint32Array(0);
  bytes = new Uint8Array(0);
  stopped = false;
}
