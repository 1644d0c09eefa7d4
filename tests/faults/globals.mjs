// Faults of the runtime itself: its clock, its timers, its randomness. Each is undone when `work` has ended.

const { setTimeout: startTimer } = globalThis;

/** Timers fire after a few milliseconds, whatever they were told. */
export function withShortTimers(work) {
  return replacing(globalThis, "setTimeout", (fire, ms) => startTimer(fire, Math.min(ms, 20)), work);
}

async function replacing(object, name, value, work) {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  if (object[name] !== value) throw new Error(`${name} cannot be replaced here`);
  try {
    return await work();
  } finally {
    if (own === undefined) delete object[name];
    else Object.defineProperty(object, name, own);
  }
}

const stop = () => {
  throw new Error("SECRET of the runtime");
};
const clock = (now) => (work) => replacing(globalThis, "performance", { now }, work);
const random = (getRandomValues) => (work) => replacing(globalThis, "crypto", { getRandomValues }, work);

export const FAULTS = {
  "none at all": (work) => work(),
  "a clock that goes back": (work) => {
    let ms = 1e9;
    return clock(() => (ms -= 1_000))(work);
  },
  "a clock that leaps": (work) => {
    let ms = 0;
    return clock(() => (ms += 1e7))(work);
  },
  "a clock that is no number": clock(() => NaN),
  "a clock without an end": clock(() => Infinity),
  "a clock of texts": clock(() => "7"),
  "a clock that throws": clock(stop),
  "no clock": (work) => replacing(globalThis, "performance", undefined, work),
  "timers that throw": (work) => replacing(globalThis, "setTimeout", stop, work),
  "timers that fire at once": (work) => replacing(globalThis, "setTimeout", (fire) => void fire(), work),
  "timers that cannot be stopped": (work) => replacing(globalThis, "clearTimeout", stop, work),
  "timers that never fire": (work) => replacing(globalThis, "setTimeout", () => 0, work),
  "no signals": (work) => replacing(globalThis, "AbortController", stop, work),
  "randomness that throws": random(stop),
  "randomness that is too short": random((bytes) => bytes.subarray(0, 3).fill(7)),
  "randomness of another length": random(() => new Uint8Array(64)),
  "no randomness": (work) => replacing(globalThis, "crypto", undefined, work),
};
